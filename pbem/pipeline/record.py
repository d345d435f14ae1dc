"""Stage 6: record a decision; all that it changes of matches, players and addresses is written here."""

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
    RevokeTokens,
    SetPreference,
    SetSeed,
)
from pbem.storage import FIRST_ROLLS, Transaction


@dataclass(frozen=True)
class Cause:
    """The cause of a decision: the identity of an inbound message, or a fixed word where no message caused it.

    Message-IDs are made from ``text``, so the words must never change. ``inbound`` is the number of the message.
    """

    text: str
    inbound: int | None = None


OPENING = Cause("opening")
ROLLS_DUE = Cause("first lots")


def record(tx: Transaction, decision: Decision, cause: Cause, now: datetime) -> None:
    """Write the effects of ``decision``. Raise Busy at the commit if another worker was faster.

    Replies are not written here: they are announced, like all email.
    """
    for effect in decision.effects:
        match effect:
            case SetPreference(player, name, value):
                tx.players.set_preference(player, name, value)
            case AddAddress(player, email):
                tx.players.add_address(player, email)
            case DropAddress(player, email):
                tx.players.drop_address(player, email)
            case RevokeTokens(player):
                tx.players.revoke_tokens(player)
            case Requeue(number):
                tx.inbound.requeue(number)
            case Disown(number):
                tx.inbound.disown(number, now)
            case Append() | AddComment() | SetSeed() | Reply():
                pass
    if isinstance(decision, MatchDecision) and decision.changes_match:
        _record_match(tx, decision, cause, now)


def _record_match(tx: Transaction, decision: MatchDecision, cause: Cause, now: datetime) -> None:
    """Write the changes of a match, and cancel its first rolls once they are made or needless."""
    before, after = decision.before, decision.after
    tx.matches.append(before, after.record[before.ply :], after.times[before.ply :], cause.inbound)
    tx.matches.add_comments(after, decision.comments, now, cause.inbound)
    if decision.seeded:
        tx.matches.set_seeds(after)
    tx.matches.touch(after, now)
    if before.awaits_seeds and (after.outcome or not after.awaits_seeds):
        tx.due.cancel(FIRST_ROLLS, after.id)
