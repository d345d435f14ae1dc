"""Who had a seat when an entry was made, and who answers for it. Pure.

Nobody has the moves of the player whom they replaced.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias

from pbem.match.log import LogEntry
from rules.position import Seat

Passing: TypeAlias = Literal["taken", "lent", "given", "back"]
"""How a seat passes on: its player lends it until a day, or gives it away for good, or has it back.

It is ``taken`` by everybody else's will: by the operator's, or that of those who waited for its player in vain.
"""


class Passed(NamedTuple):
    """That a seat passed on when the record had ``ply`` entries: those before were made by the player of that name.

    ``at`` is when (UTC), if the log tells. ``owner`` is the number of the player who lent or gave it.
    """

    ply: int
    seat: Seat
    name: str
    at: datetime | None = None
    how: Passing = "taken"
    owner: int | None = None


def find_passed(log: Iterable[LogEntry]) -> tuple[Passed, ...]:
    """Return how the seats of a match passed on, as its whole ``log`` tells, oldest first.

    What was taken back is played anew by those who have the seats now; what is put back is of those who had them.
    """
    passed, taken = list[Passed](), list[list[Passed]]()
    for entry in log:
        seat, name = entry.arguments.get("seat"), entry.arguments.get("before")
        if entry.kind == "replaced" and type(seat) is int and isinstance(name, str):
            passed.append(Passed(entry.ply, seat, name, entry.at, *_read_passing(entry)))
        elif entry.kind == "rewound":
            taken.append(passed)
            passed = [one._replace(ply=min(one.ply, entry.ply)) for one in passed]
        elif entry.kind == "restored" and taken:
            known = taken.pop()
            passed = [*known, *(one._replace(ply=entry.ply) for one in passed[len(known) :])]
    return tuple(passed)


def _read_passing(entry: LogEntry) -> tuple[Passing, int | None]:
    """Return how a seat passed on, and whose it was who let it pass; nobody's where it was taken."""
    owner = entry.arguments.get("owner")
    if entry.arguments.get("back"):
        return "back", None
    if type(owner) is not int:
        return "taken", None
    return ("lent" if entry.arguments.get("until") else "given"), owner


class Held(NamedTuple):
    """A seat by who answers for it: whoever has it, or had it first, if they let it pass.

    ``since`` is the last time that it was taken, ``passed`` how it passed on after that.
    """

    since: Passed | None
    passed: tuple[Passed, ...]

    @property
    def owner(self) -> int | None:
        """The number of the player who let the seat pass and answers for it; None: whoever has it does."""
        return self.passed[0].owner if self.passed else None

    @property
    def is_given(self) -> bool:
        """Whether its player gave the seat away for good."""
        away = list[Passed]()
        for one in self.passed:
            away = away[:-1] if one.how == "back" else [*away, one]
        return any(one.how == "given" for one in away)

    def is_own(self, ply: int, at: datetime | None = None) -> bool:
        """Return whether what happened after so many entries, at a time (UTC), is of who answers for the seat."""
        if self.since and _is_before(ply, at, self.since):
            return False
        until = [one for one in self.passed if not _is_before(ply, at, one)]
        return sum(-1 if one.how == "back" else 1 for one in until) <= 0


def find_held(passed: Iterable[Passed], seat: Seat) -> Held:
    """Return how a seat was held, by how the seats of its match ``passed`` on."""
    own = [one for one in passed if one.seat == seat]
    taken = max((place for place, one in enumerate(own) if one.how == "taken"), default=-1)
    return Held(own[taken] if taken >= 0 else None, tuple(own[taken + 1 :]))


def _is_before(ply: int, at: datetime | None, passing: Passed) -> bool:
    """Return whether something happened before a seat passed on: at one ply the times tell, if they are known."""
    known = at is not None and passing.at is not None and at < passing.at
    return ply < passing.ply or (ply == passing.ply and known)
