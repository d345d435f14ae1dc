"""Does what is due, each thing in a transaction of its own: neither damage nor a bug of one delays another."""

import logging
from collections import Counter
from datetime import datetime, timedelta

from pbem.due.kinds import do_due
from pbem.errors import Busy, DamagedRow
from pbem.log.logbook import event
from pbem.log.redaction import redacted
from pbem.mail.compose import Site
from pbem.notices.render import plain_notice
from pbem.pipeline.act import Act
from pbem.pipeline.announce import tell_operator
from pbem.ports import Dice
from pbem.storage.database import Database
from pbem.storage.due import FORGETTING_DUE

log = logging.getLogger("pbem")

_RETRY = timedelta(hours=1)  # what failed is tried again, but not in every pass
_TOLD_EVERY = timedelta(days=1)


def do_all_due(database: Database, site: Site, dice: Dice, now: datetime) -> Counter[str]:
    """Do everything that is due by ``now`` (UTC); return how many things of each kind it was."""
    with database.reading() as tx:
        due = tx.due.by(now)
    for thing in due:
        try:
            with database.transaction() as tx:
                if not database.is_shared or tx.due.is_due(thing, now):  # others may have done it meanwhile
                    do_due(Act(tx, site, now), thing, dice)
        except Busy:
            raise
        except Exception as error:
            bug = not isinstance(error, DamagedRow)
            log.error(
                "due %s of %d failed: %s",
                thing.kind,
                thing.subject,
                error,
                exc_info=bug,
                extra=event("due_failed", kind=thing.kind, subject=thing.subject),
            )
            with database.transaction() as tx:
                tx.due.postpone(thing.kind, thing.subject, now + _RETRY)
                if thing.kind == FORGETTING_DUE:  # somebody was promised it within minutes
                    _tell_of_forgetting(Act(tx, site, now), thing.subject, redacted(f"{type(error).__name__}: {error}"))
    return Counter(thing.kind for thing in due)


def _tell_of_forgetting(act: Act, number: int, why: str) -> None:
    """Tell the operator, once a day, that a player who is to be forgotten could not be."""
    notice = plain_notice("forgetting_failed", number=number, cause=why[:300])
    cause = f"forgetting {number} {act.now.isoformat()}"
    tell_operator(act, notice, cause, None, key=f"forgetting {number}", every=_TOLD_EVERY)
