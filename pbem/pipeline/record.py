"""Stage 6: writes what was decided; the one place where a match, its players or their addresses change."""

from dataclasses import dataclass
from datetime import datetime

from pbem.commands import (
    AddAddress,
    AddComment,
    Append,
    Decision,
    Disown,
    DropAddress,
    MatchDecision,
    Reply,
    Requeue,
    SetPreference,
    SetSeed,
)
from pbem.storage import FIRST_ROLLS, Transaction


@dataclass(frozen=True)
class Cause:
    """What a decision follows from: a message's identity, or a word for what no message caused.

    Message-IDs are made from ``text``, so a word must never change. ``inbound`` is the message's number.
    """

    text: str
    inbound: int | None = None


OPENING = Cause("opening")
ROLLS_DUE = Cause("first lots")


def record(tx: Transaction, decision: Decision, cause: Cause, now: datetime) -> None:
    """Write the effects of ``decision``; raises Busy (at the end) if somebody else was faster.

    Emails are not written here but announced, replies among them.
    """
    for effect in decision.effects:
        match effect:
            case SetPreference(player, name, value):
                tx.players.set_preference(player, name, value)
            case AddAddress(player, email):
                tx.players.add_address(player, email)
            case DropAddress(player, email):
                tx.players.drop_address(player, email)
            case Requeue(number):
                tx.inbound.requeue(number)
            case Disown(number):
                tx.inbound.disown(number, now)
            case Append() | AddComment() | SetSeed() | Reply():
                pass
    if isinstance(decision, MatchDecision) and decision.changes_match:
        _record_match(tx, decision, cause, now)


def _record_match(tx: Transaction, decision: MatchDecision, cause: Cause, now: datetime) -> None:
    """Write what has changed in a match, and what of it is due no more."""
    before, after = decision.before, decision.after
    tx.matches.append(before, after.record[before.ply :], after.times[before.ply :], cause.inbound)
    tx.matches.add_comments(after, decision.comments, now, cause.inbound)
    if decision.seeded:
        tx.matches.set_seeds(after)
    tx.matches.touch(after, now)
    if before.rolls_due and (after.outcome or not after.awaits_seeds):
        tx.due.cancel(FIRST_ROLLS, after.id)
