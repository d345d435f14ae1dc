"""Reliability: the share of turns in time, and of matches played to their end, in a year of matches with a clock.

Whoever lends a seat until a day plays on; whoever gives it away for good, and loses, has left.

The clock excuses what there is to excuse: vacations, pauses, emergencies, emails that came back, our own outages.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from pbem.clubs.results import Part

YEAR = timedelta(days=365)
"""So far back matches tell how reliable somebody is."""

FEWEST = 5
"""Matches before which nobody can tell."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """How many matches with a clock are over for somebody, and how many of these they ``left``, to time or to others.

    In ``late`` of their ``turns`` time was up.
    """

    matches: int = 0
    left: int = 0
    turns: int = 0
    late: int = 0

    @property
    def percent(self) -> int | None:
        """The lesser of both shares, in percent; None for somebody new. It is 100 only if nothing is missing."""
        if self.matches < FEWEST:
            return None
        return min(_share(self.left, self.matches), _share(self.late, self.turns))

    def meets(self, least: int) -> bool:
        """Return whether an offer that asks for so many percent takes them."""
        return not least or (self.percent is not None and self.percent >= least)


def read_percent(typed: str) -> int | None:
    """Return the percentage that somebody has typed, such as ``90`` or ``90%``; None for anything else."""
    digits = typed.removesuffix("%")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 4 and 0 < int(digits) <= 100 else None


def count_reliability(parts: Iterable[Part]) -> Reliability:
    """Return the reliability of a player by their part of each match."""
    own = list(parts)
    return Reliability(
        len(own),
        sum(one.timed_out or one.gave_away for one in own),
        sum(one.turns for one in own),
        sum(one.late for one in own),
    )


def _share(missing: int, of: int) -> int:
    """Return what is left without what is missing, in percent, rounded down."""
    return 100 * (of - missing) // of if of else 100
