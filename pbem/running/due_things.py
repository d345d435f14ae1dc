"""Does what is due, each thing in a transaction of its own: neither damage nor a bug of one delays another."""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.asking.forgetting import search_for
from pbem.due.gate import gate_of
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


@dataclass(frozen=True)
class DueReport:
    """How many things of each kind were ``done``.

    Something ``waits`` for email to be read, or ``is_put_off`` until the clock has proved right.
    """

    done: Counter[str]
    waits: bool
    is_put_off: bool


def find_due(database: Database, now: datetime) -> list[DueThing]:
    """Return everything that is due by ``now`` (UTC)."""
    with database.reading() as tx:
        return tx.due.by(now)


def do_all_due(database: Database, site: Site, dice: Dice, now: datetime, due: Sequence[DueThing]) -> DueReport:
    """Do what was found ``due``, at ``now`` (UTC), and may happen; return how many things it was."""
    if not due:
        return DueReport(Counter(), waits=False, is_put_off=False)
    with database.reading() as tx:
        gate = gate_of(tx, now)
    ready = [thing for thing in due if gate.opens(thing.kind, thing.at)]
    put_off = sum(gate.is_put_off(thing.kind) for thing in due)
    for thing in ready:
        try:
            if thing.kind == FORGETTING_DUE:
                search_for(database, thing.subject)
            with database.transaction() as tx:
                if not database.is_shared or tx.due.is_due(thing, now):  # others may have done it meanwhile
                    do_due(Act(tx, site, now), thing, dice, gate)
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
    return DueReport(Counter(thing.kind for thing in ready), len(ready) + put_off < len(due), put_off > 0)
