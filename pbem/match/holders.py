"""Who had a seat when an entry was made: nobody has the moves of the player whom they replaced. Pure."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from pbem.match.log import LogEntry
from rules.position import Seat


class Passed(NamedTuple):
    """That a seat passed on when the record had ``ply`` entries: those before were made by the player of that name.

    ``at`` is when (UTC), if the log tells.
    """

    ply: int
    seat: Seat
    name: str
    at: datetime | None = None


def find_passed(log: Iterable[LogEntry]) -> tuple[Passed, ...]:
    """Return how the seats of a match passed on, as its whole ``log`` tells, oldest first.

    What was taken back is played anew by those who have the seats now; what is put back is of those who had them.
    """
    passed, taken = list[Passed](), list[list[Passed]]()
    for entry in log:
        seat, name = entry.arguments.get("seat"), entry.arguments.get("before")
        if entry.kind == "replaced" and type(seat) is int and isinstance(name, str):
            passed.append(Passed(entry.ply, seat, name, entry.at))
        elif entry.kind == "rewound":
            taken.append(passed)
            passed = [one._replace(ply=min(one.ply, entry.ply)) for one in passed]
        elif entry.kind == "restored" and taken:
            known = taken.pop()
            passed = [*known, *(one._replace(ply=entry.ply) for one in passed[len(known) :])]
    return tuple(passed)
