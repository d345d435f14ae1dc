"""Ends of a match that its moves do not show: the operator's, those agreed on, and where nobody came."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from rules.errors import InvalidRecord, quote
from rules.position import Outcome, Seat
from rules.record import Record


@dataclass(frozen=True, slots=True)
class Ruling:
    """An end of a match that its record does not show: ``adjudicated`` by the operator, ``agreed`` by the players as a
    draw, or ``void``, so that it counts for nobody. ``reason`` says why: the ``operator`` ruled so, it was the players'
    ``agreement``, or nobody moved in time (``no_show``).
    """

    kind: Literal["adjudicated", "agreed", "void"]
    winners: frozenset[Seat] = frozenset()
    reason: Literal["operator", "agreement", "no_show"] = "operator"
    at: datetime | None = None

    @property
    def outcome(self) -> Outcome:
        """How the match ended."""
        return Outcome(self.winners, _RULED[self.kind, self.reason])


_RULED = {
    ("adjudicated", "operator"): "the operator adjudicated the match",
    ("agreed", "agreement"): "the players agreed on a draw",
    ("void", "operator"): "the operator called the match off",
    ("void", "no_show"): "nobody made a move in time",
}
"""The reasons of outcomes that are rulings: they stand in records, and are never reworded."""


def is_draw(winners: Collection[Seat], reason: str, seats: int) -> bool:
    """Return whether nobody lost a match of so many ``seats``: all of them won, or those who were left agreed on it."""
    return len(winners) == seats or reason == _RULED["agreed", "agreement"]


def ruled_outcome(record: Record) -> Outcome | None:
    """Return how a ruling ended the match that ``record`` tells; None where its moves did, or nothing yet.

    Raise InvalidRecord for notes of a ruling that no pbem writes.
    """
    if (kind := record.notes.get("ruling")) is None:
        return None
    reason, winners = record.notes.get("reason", ""), record.notes.get("winners", "")
    seats = {str(seat + 1): seat for seat in range(record.seats)}
    words = [] if winners == "nobody" else winners.split(" ")
    known = [told for (one, _), told in _RULED.items() if one == kind]
    alone = kind == "agreed" and len(words) < 2
    if reason not in known or not set(words) <= set(seats) or (kind == "void" and words) or alone:
        sentence = f"The line “ruling: …” says {quote(kind)}, which does not fit {quote(winners)} and {quote(reason)}."
        raise InvalidRecord("ruling_unreadable", sentence)
    return Outcome(frozenset(seats[word] for word in words), reason)


def winners_note(outcome: Outcome | None) -> str | None:
    """Return the note about the winners in a record: seats from 1, or ``nobody``; None without a result."""
    if outcome is None:
        return None
    return " ".join(str(seat + 1) for seat in sorted(outcome.winners)) or "nobody"
