"""Robots in a match: their strengths, their names, and which moves of a record are theirs. Pure."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from rules.errors import InvalidRecord, quote
from rules.position import Seat
from rules.record import Record

STRENGTHS = (1, 2, 3)
"""How strong robots are, from the weakest; `pbem.robots` has the same."""

_NAMED = re.compile(r"robot(?:[\s:.-]?(\d{1,2}))?", re.IGNORECASE | re.ASCII)
_LETTERS = 26
_STINT = re.compile(r"seat (\d{1,2}) strength (\d{1,2}) from (\d{1,6})(?: to (\d{1,6}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Stint:
    """A robot of ``strength`` at ``seat``: the moves of that seat are its own after ``first`` entries or more.

    After ``last`` entries or more they are somebody else's; None: to the end.
    """

    seat: Seat
    strength: int
    first: int
    last: int | None = None

    def covers(self, seat: Seat, ply: int) -> bool:
        """Return whether the entry of ``seat`` after ``ply`` others is the robot's."""
        return seat == self.seat and self.first <= ply and (self.last is None or ply < self.last)


def read_robot(text: str) -> int | None:
    """Return the strength of the robot that a text such as ``robot:2`` names, 1 without a number; None for others.

    It may be one that no robot has.
    """
    found = _NAMED.fullmatch(text.strip())
    return int(found[1] or 1) if found else None


def write_robot(strength: int) -> str:
    """Return how a robot of that strength is named in commands."""
    return f"robot:{strength}"


def robot_name(strength: int, number: int = 0) -> str:
    """Return what people call a robot: Robot 2, and further ones of the same strength Robot 2 b, Robot 2 c."""
    return f"Robot {strength}" + (f" {chr(ord('a') + number)}" if 0 < number < _LETTERS else "")


def passed_on(stints: Iterable[Stint], seat: Seat, robot: int, ply: int) -> tuple[Stint, ...]:
    """Return ``stints`` after the seat has passed to a robot of that strength, or (0) to a person."""
    ended = [replace(one, last=ply) if one.seat == seat and one.last is None else one for one in stints]
    kept = [one for one in ended if one.last is None or one.first < one.last]
    return (*kept, Stint(seat, robot, ply)) if robot else tuple(kept)


def rewound_to(stints: Iterable[Stint], ply: int) -> tuple[Stint, ...]:
    """Return ``stints`` after all entries but the first ``ply`` were taken back: who has a seat plays on from there."""
    kept = (
        replace(one, first=min(one.first, ply), last=None if one.last is None else min(one.last, ply)) for one in stints
    )
    return tuple(one for one in kept if one.last is None or one.first < one.last)


def write_stints(stints: Iterable[Stint]) -> str:
    """Return stints as a note of a record; entries are counted from 1, as people do."""
    return ", ".join(
        f"seat {one.seat + 1} strength {one.strength} from {one.first + 1}"
        + ("" if one.last is None else f" to {one.last}")
        for one in stints
    )


def stints_of(record: Record) -> tuple[Stint, ...]:
    """Return the stints that the notes of a record tell of. Raise InvalidRecord for others than pbem writes."""
    note = record.notes.get("robots", "")
    found = [_STINT.fullmatch(part) for part in note.split(", ")] if note else []
    stints = [
        Stint(int(one[1]) - 1, int(one[2]), int(one[3]) - 1, int(one[4]) if one[4] else None) for one in found if one
    ]
    if len(stints) < len(found) or not all(_may_be(one, range(record.seats)) for one in stints):
        raise InvalidRecord("robots_unreadable", f"The line “robots: …” says {quote(note)}, which no pbem writes.")
    return tuple(stints)


def _may_be(stint: Stint, seats: Collection[int]) -> bool:
    """Return whether there can be such a stint."""
    return stint.seat in seats and stint.strength in STRENGTHS and stint.first >= 0
