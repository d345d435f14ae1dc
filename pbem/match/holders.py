"""Who had a seat when an entry was made: nobody has the moves of the player whom they replaced. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from pbem.match.log import LogEntry
from rules.position import Seat


class Passed(NamedTuple):
    """That a seat passed on when the record had ``ply`` entries: those before were made by the player of that name."""

    ply: int
    seat: Seat
    name: str


def find_passed(log: Iterable[LogEntry]) -> tuple[Passed, ...]:
    """Return how the seats of a match passed on, as its whole ``log`` tells, oldest first."""
    replaced = (entry for entry in log if entry.kind == "replaced")
    passed = ((one.ply, one.arguments.get("seat"), one.arguments.get("before")) for one in replaced)
    return tuple(Passed(ply, seat, name) for ply, seat, name in passed if type(seat) is int and isinstance(name, str))
