"""Who had a seat when an entry was made: nobody has the moves of the player whom they replaced. Pure."""

from collections.abc import Callable, Sequence

from pbem.match.log import LogEntry
from pbem.match.match import Match
from rules.position import Seat


def name_holders_over_time(match: Match, log: Sequence[LogEntry]) -> Callable[[Seat, int], str]:
    """Return who had a seat when the record had so many entries, as the whole ``log`` of the match tells."""
    replaced = (entry for entry in log if entry.kind == "replaced")
    passed = [(one.ply, one.arguments.get("seat"), one.arguments.get("before")) for one in replaced]

    def name_at(seat: Seat, ply: int) -> str:
        names = (name for at, of, name in passed if of == seat and ply < at and isinstance(name, str))
        return next(names, match.name(seat))

    return name_at
