"""The table of due things: what is done of each kind, and the gate before it.

Nothing happens because an email did not come before all email up to that moment has been read.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbem.asking.forgetting import drop_leftovers, forget
from pbem.asking.invitations import expire
from pbem.asking.seat_passing import pass_seat
from pbem.commands.families.planning import follow_plans
from pbem.commands.judge import automatic_decision
from pbem.due.clock import check_clock, find_time_over
from pbem.due.digests import send_digest
from pbem.due.export import send_export
from pbem.due.needs import tell_needs
from pbem.due.opening import open_agreed
from pbem.due.outages import has_read_mail_of
from pbem.due.reminders import remind
from pbem.due.restored import tell_restored
from pbem.due.unsending import release
from pbem.errors import DamagedMatch, DamagedRow
from pbem.pipeline.act import ROLLS_DUE, Act
from pbem.pipeline.announce import announce
from pbem.pipeline.record import record
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
    NEEDS_DUE,
    OPENING_DUE,
    REMINDER_DUE,
    RESTORED_DUE,
    SEAT_DUE,
    UNSEND_DUE,
    DueThing,
)
from rules.errors import quote

UNTIL_MAIL_IS_READ = timedelta(minutes=5)
"""After so long it is looked again whether the email has been read that could have prevented a due thing."""


def do_due(act: Act, thing: DueThing, dice: Dice) -> None:
    """Do one due thing and remove it from the schedule, or put it off until mail is read that may prevent it.

    Raise DamagedRow for one that cannot be done.
    """
    kind = KINDS.get(thing.kind)
    if kind is None:
        raise DamagedRow(f"{quote(thing.kind)} is nothing that this pbem can do.")
    moment = kind.prevented_by(act.tx, thing.subject, act.now) if kind.prevented_by else None
    if moment and not has_read_mail_of(act.tx, moment):
        act.tx.due.schedule(thing.kind, thing.subject, act.now + UNTIL_MAIL_IS_READ)
        return
    act.tx.due.cancel(thing.kind, thing.subject)  # it may schedule itself anew
    kind.do(act, thing.subject, dice)


def _make_first_rolls(act: Act, number: int) -> None:
    """Make the first rolls of a match, since the time for player seeds is over."""
    match = act.tx.matches.get(number)
    if match is None:
        raise DamagedMatch(number, "its first rolls are due, and it is not there")
    decision = follow_plans(automatic_decision(match, act.now), act.now)
    act = act.because(ROLLS_DUE)
    record(act, decision)
    announce(act, decision, "")


def _end_invitation(act: Act, number: int) -> None:
    """End an invitation that was not accepted in time."""
    decision, cause = expire(act.tx, number, act.now)
    act = act.because(cause)
    record(act, decision)
    announce(act, decision, "")


@dataclass(frozen=True)
class _Kind:
    """What is done of a kind of due thing, with the number of its subject, and by dice where it rolls.

    ``prevented_by`` returns until when an email could have prevented it; without it, none can.
    """

    do: Callable[[Act, int, Dice], object]
    prevented_by: Callable[[Transaction, int, datetime], datetime | None] | None = None


def _without_dice(do: Callable[[Act, int], object]) -> _Kind:
    """Return a kind of due thing that rolls nothing."""
    return _Kind(lambda act, number, _: do(act, number))


KINDS: Mapping[str, _Kind] = {
    FIRST_ROLLS: _without_dice(_make_first_rolls),
    CLOCK_DUE: replace(_without_dice(check_clock), prevented_by=find_time_over),
    REMINDER_DUE: _without_dice(remind),
    FORGETTING_DUE: _without_dice(forget),
    LEFTOVERS_DUE: _without_dice(drop_leftovers),
    RESTORED_DUE: _without_dice(tell_restored),
    INVITATION_DUE: _without_dice(_end_invitation),
    OPENING_DUE: _Kind(open_agreed),
    SEAT_DUE: _Kind(pass_seat),
    UNSEND_DUE: _without_dice(release),
    EXPORT_DUE: _without_dice(send_export),
    DIGEST_DUE: _without_dice(send_digest),
    NEEDS_DUE: _without_dice(tell_needs),
}
"""Every kind of due thing but the thoughts of robots, which nobody does on the way of others."""
