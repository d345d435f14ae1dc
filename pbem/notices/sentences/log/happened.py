"""One entry of the log as somebody is told of it: names, moments and lengths, and the sentences that it asks for. Pure.

Both voices read it, emails to players and public pages, so that a name or a moment is found in one place.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from pbem.match.log import LogEntry, read_moment
from pbem.match.match import Match
from pbem.match.time.calendar import Calendar
from pbem.match.voting import say_votes
from rules.phrase import Listed, Phrase
from rules.position import Seat

_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Happened:
    """An entry of the log of a match, told to ``viewer`` (None: to anybody, on a page) ``at`` a moment."""

    entry: LogEntry
    match: Match
    viewer: Seat | None = None
    at: datetime | None = None

    def has(self, key: str) -> bool:
        """Return whether the entry has an argument that says more than no."""
        return bool(self.entry.arguments.get(key))

    @property
    def seat(self) -> Seat | None:
        """Whose act it is, or whom an act of the operator is about; None for nobody in the match."""
        left: Any = self.entry.arguments.get("left")
        seat = self.entry.arguments.get("seat", self.entry.seat)
        if seat is None and isinstance(left, list) and left:
            seat = left[0][0]
        return seat if type(seat) is int and 0 <= seat < len(self.match.players) else None

    @property
    def votes(self) -> Listed:
        """The moves that were voted for, each with its votes."""
        return say_votes((str(moves), int(count)) for moves, count in self.entry.arguments.get("votes", ()))

    @property
    def name(self) -> str | None:
        """The name of whom it is about, who had that seat then."""
        return None if self.seat is None else self.match.name_then(self.seat, self.entry.at)

    @property
    def plays(self) -> bool:
        """Whether the reader is still in the match."""
        return self.viewer not in self.match.position.departed()

    @property
    def timed(self) -> Seat | None:
        """Who is to move, in a match with a clock."""
        return self.match.clock.seat if self.match.clock else None

    @property
    def calendar(self) -> Calendar:
        """The calendar of the reader, who has a seat."""
        assert self.viewer is not None
        return self.match.players[self.viewer].calendar

    @property
    def theirs(self) -> Calendar:
        """The calendar of whom it is about, who has a seat."""
        assert self.seat is not None
        return self.match.players[self.seat].calendar

    @property
    def start(self) -> datetime | None:
        """When what the entry tells of begins (UTC), if it says so."""
        return read_moment(self.entry.arguments, "start")

    @property
    def end(self) -> datetime | None:
        """Until when it lasts (UTC), if the entry says so."""
        return read_moment(self.entry.arguments, "end") or read_moment(self.entry.arguments, "until")

    @property
    def seconds(self) -> int:
        """The length of time in the entry, less than 0 for time that was taken; 0 for none."""
        found = self.entry.arguments.get("seconds")
        return found if isinstance(found, int) else 0

    @property
    def mover(self) -> Seat | None:
        """Whose turn it was when it happened; None if that is not known."""
        later = (one.seat for one in self.match.record[self.entry.ply :] if one.seat is not None)
        return next(later, self.match.to_act if isinstance(self.match.to_act, int) else None)

    @property
    def agreed(self) -> tuple[Seat, ...]:
        """Who agrees to a pause, or to its end, that is proposed now."""
        proposal = self.match.clock.proposal if self.match.clock else None
        return proposal.seats if proposal else ()


Words: TypeAlias = "str | Phrase | tuple[Words, ...] | Callable[[Happened], Words]"
"""Messages in their order, or what chooses them for an entry; those that are empty are not said."""


Test: TypeAlias = str | Callable[[Happened], bool]
"""A question about an entry; the name of an argument: whether it says more than no."""


def when(test: Test, then: Words, otherwise: Words = ()) -> Words:
    """Return what is said of an entry to which ``test`` applies, and of any other."""
    return lambda it: then if (it.has(test) if isinstance(test, str) else test(it)) else otherwise


def unless(test: Test, *words: Words) -> Words:
    """Return what is said of an entry to which ``test`` does not apply."""
    return when(test, (), words)


def choose(words: Words, happened: Happened) -> Iterator[str | Phrase]:
    """Yield the messages that are said of an entry."""
    if isinstance(words, tuple):
        for each in words:
            yield from choose(each, happened)
    elif isinstance(words, str | Phrase):
        yield from [words] if words else []
    else:
        yield from choose(words(happened), happened)


def fields_of(message: str) -> list[str]:
    """Return the names of the fields of a message."""
    return _FIELD.findall(message)
