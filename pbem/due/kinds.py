"""Due things are done here: a function for each kind, which records and announces a decision."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from pbem.asking.forgetting import drop_leftovers, forget
from pbem.asking.invitations import expire
from pbem.asking.seat_offers import pass_seat
from pbem.commands.families.planning import follow_plans
from pbem.commands.judge import automatic_decision
from pbem.due.clock import check_clock
from pbem.due.digests import send_digest
from pbem.due.export import send_export
from pbem.due.opening import open_agreed
from pbem.due.reminders import remind
from pbem.due.restored import tell_restored
from pbem.due.unsending import release
from pbem.errors import DamagedMatch, DamagedRow
from pbem.mail.compose import Site
from pbem.pipeline.announce import announce
from pbem.pipeline.record import ROLLS_DUE, record
from pbem.ports import Dice
from pbem.storage.database import Transaction
from pbem.storage.due import (
    CLOCK_DUE,
    DIGEST_DUE,
    EXPORT_DUE,
    FIRST_ROLLS,
    FORGETTING_DUE,
    INVITATION_DUE,
    LEFTOVERS_DUE,
    OPENING_DUE,
    REMINDER_DUE,
    RESTORED_DUE,
    SEAT_DUE,
    UNSEND_DUE,
    DueThing,
)
from rules.errors import quote


def do_due(tx: Transaction, thing: DueThing, site: Site, dice: Dice, now: datetime) -> None:
    """Do one due thing and remove it from the schedule. Raise DamagedRow for one that cannot be done."""
    if thing.kind == OPENING_DUE:
        tx.due.cancel(thing.kind, thing.subject)
        open_agreed(tx, thing.subject, site, dice, now)
        return
    if thing.kind == SEAT_DUE:
        tx.due.cancel(thing.kind, thing.subject)
        pass_seat(tx, thing.subject, site, now, dice)
        return
    if thing.kind not in _ACTIONS:
        raise DamagedRow(f"{quote(thing.kind)} is nothing that this pbem can do.")
    tx.due.cancel(thing.kind, thing.subject)  # it may schedule itself anew
    _ACTIONS[thing.kind](tx, thing.subject, site, now)


def _make_first_rolls(tx: Transaction, number: int, site: Site, now: datetime) -> None:
    """Make the first rolls of a match, since the time for player seeds is over."""
    match = tx.matches.get(number)
    if match is None:
        raise DamagedMatch(number, "its first rolls are due, and it is not there")
    decision = follow_plans(automatic_decision(match, now), now)
    record(tx, decision, ROLLS_DUE, now)
    announce(tx, decision, "", site, ROLLS_DUE, now)


def _end_invitation(tx: Transaction, number: int, site: Site, now: datetime) -> None:
    """End an invitation that was not accepted in time."""
    decision, cause = expire(tx, number, now)
    record(tx, decision, cause, now)
    announce(tx, decision, "", site, cause, now)


_ACTIONS: Mapping[str, Callable[[Transaction, int, Site, datetime], Any]] = {
    FIRST_ROLLS: _make_first_rolls,
    CLOCK_DUE: check_clock,
    REMINDER_DUE: remind,
    FORGETTING_DUE: forget,
    LEFTOVERS_DUE: drop_leftovers,
    RESTORED_DUE: tell_restored,
    INVITATION_DUE: _end_invitation,
    UNSEND_DUE: release,
    EXPORT_DUE: send_export,
    DIGEST_DUE: send_digest,
}
