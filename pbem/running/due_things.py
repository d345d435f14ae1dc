"""Does what is due, each thing in a transaction of its own: neither damage nor a bug of one delays another."""

import logging
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from pbem.asking.forgetting import search_for
from pbem.due.kinds import do_due
from pbem.due.needs import note_undone
from pbem.errors import Busy, DamagedRow
from pbem.log.logbook import event
from pbem.mail.compose import Site
from pbem.pipeline.act import Act
from pbem.ports import Dice
from pbem.storage.database import Database
from pbem.storage.due import FORGETTING_DUE, DueThing

log = logging.getLogger("pbem")


def find_due(database: Database, now: datetime) -> list[DueThing]:
    """Return everything that is due by ``now`` (UTC)."""
    with database.reading() as tx:
        return tx.due.by(now)


def do_all_due(database: Database, site: Site, dice: Dice, now: datetime, due: Sequence[DueThing]) -> Counter[str]:
    """Do what was found ``due``, at ``now`` (UTC); return how many things of each kind it was."""
    for thing in due:
        try:
            if thing.kind == FORGETTING_DUE:
                search_for(database, thing.subject)
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
                note_undone(tx, thing.kind, thing.subject, f"{type(error).__name__}: {error}", now)
    return Counter(thing.kind for thing in due)
