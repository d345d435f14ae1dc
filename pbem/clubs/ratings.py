"""Ratings: one for each player of a game, by calendar month (UTC), from the results of its rated matches.

The results of a month are rated together, against what everybody was at its beginning, so their order changes nothing.
A side meets the others as one opponent, who is as strong as their mean; partners share what their side wins or loses.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from heapq import nsmallest
from math import fsum, sqrt
from typing import Literal, TypeAlias

from pbem.clubs.glicko2 import Bout, Rating, rate, widen
from pbem.clubs.results import Part, Result, Uncounted

MOST_IN_A_MONTH = 3
"""Matches of the same players that count in a month: more would be a cheap way to hand points on."""

FORTNIGHT = timedelta(days=14)
"""Of several losses on time of a player within as long, the first alone counts: they were away once."""

PassedOver: TypeAlias = Literal["often", "away"]
"""Why a rated match counts for nobody beside others: too many of the same players, or of timeouts at one time."""

KNOWN, OPPONENTS = 200, 3
"""Who is among the best has a deviation of this at most, and has met so many others."""


def month_of(at: datetime) -> int:
    """Return the number of the month (UTC) that a moment lies in."""
    return at.year * 12 + at.month - 1


def name_month(month: int) -> str:
    """Return a month as people write it, such as ``2026-11``."""
    return f"{month // 12:04}-{month % 12 + 1:02}"


def first_timeouts(timeouts: Iterable[Result]) -> set[int]:
    """Return which matches count of all those that a player lost on time."""
    found, last = set[int](), None
    for one in sorted(timeouts, key=_order):
        if last is None or one.at - last >= FORTNIGHT:
            last = one.at
            found.add(one.match)
    return found


def pass_over(results: Iterable[Result], counted: Callable[[int], Collection[int]]) -> dict[int, PassedOver]:
    """Return the rated results that don't count, of all those of some players, with why.

    ``counted`` returns which of the matches count that a player lost on time. Of too many the last begun don't count:
    when they end is chosen by whoever is losing.
    """
    found, met = dict[int, PassedOver](), defaultdict[tuple[frozenset[int], int], int](int)
    for one in sorted((one for one in results if one.rated), key=lambda one: one.match):
        circle = one.players, month_of(one.at)
        met[circle] += 1
        if met[circle] > MOST_IN_A_MONTH:
            found[one.match] = "often"
        elif not all(one.match in counted(player) for player in one.lost_on_time):
            found[one.match] = "away"
    return found


def choose_counting(results: Iterable[Result], counted: Callable[[int], Collection[int]]) -> list[Result]:
    """Return the rated results that count, in order, of all those of some players; ``counted`` as above."""
    rated = sorted((one for one in results if one.rated), key=_order)
    passed_over = pass_over(rated, counted)
    return [one for one in rated if one.match not in passed_over]


def rate_player(player: int, starts: Callable[[int], Rating], results: Iterable[Result]) -> Rating:
    """Return the rating of a player after results of one month that count; ``starts`` are those at its beginning."""
    bouts = [_meet(part, one, starts) for one in results for part in one.parts if part.player == player]
    return rate(starts(player), bouts) if bouts else starts(player)


def _meet(own: Part, result: Result, starts: Callable[[int], Rating]) -> Bout:
    """Return a match as one of its players met it.

    The others together are as uncertain as each of them is (the root mean square): so a match between equals takes from
    two partners together what it gives to the single player, and nobody's points come from nowhere.
    """
    others = [starts(part.player) for part in result.parts if part.side != own.side]
    points = fsum(one.points for one in others) / len(others)
    deviation = sqrt(fsum(one.deviation**2 for one in others) / len(others))
    return Bout(points, deviation, own.score, 1 / sum(part.side == own.side for part in result.parts))


@dataclass(frozen=True, slots=True)
class Mark:
    """A rating as it was at the end of a month with a match that counted."""

    month: int
    rating: Rating

    def at_start_of(self, month: int) -> Rating:
        """Return what it is at the beginning of a later month: less certain for every month in between."""
        return self.at_end_of(month - 1)

    def at_end_of(self, month: int) -> Rating:
        """Return what it is at the end of that month or a later one, if no match counted since."""
        return widen(self.rating, month - self.month)


@dataclass(frozen=True, slots=True)
class Change:
    """What a match did to the rating of one of its players: nothing where it is ``uncounted``, which says why.

    So it is for who only ``stood_in``.
    """

    before: Rating
    after: Rating
    uncounted: Uncounted | PassedOver | Literal["stood_in"] | None

    @property
    def gained(self) -> int:
        """The points gained, or lost, as the rounded ratings have it."""
        return round(self.after.points) - round(self.before.points)


class Ratings:
    """The ratings of one game, from all results that there are.

    They are those of the latest month in which a match ended: only a result makes time go on.
    """

    def __init__(self) -> None:
        self._results: dict[int, Result] = {}
        self._marks: dict[int, list[Mark]] = {}  # of each player, in order
        self._opponents: dict[int, set[int]] = {}
        self._now = 0
        self._stale: int | None = None  # the first month in which something has changed

    def note(self, match: int, result: Result | None) -> None:
        """Note how a match ended; None for one that goes on, or counts for no rating."""
        result = result if result and result.rated else None
        before = self._results.pop(match, None)
        if result:
            self._results[match] = result
        for one in (before, result) if before != result else ():
            if one:
                changed = month_of(one.at)
                self._stale = changed if self._stale is None else min(self._stale, changed)

    def refresh(self) -> set[int]:
        """Reckon anew from the first month in which something has changed; return who has another rating now."""
        if self._stale is None:
            return set()
        before = {player: (self.of(player), len(marks)) for player, marks in self._marks.items()}
        self._reckon(self._stale)
        self._stale = None
        after = {player: (self.of(player), len(marks)) for player, marks in self._marks.items()}
        return {player for player in before.keys() | after.keys() if before.get(player) != after.get(player)}

    def _reckon(self, first: int) -> None:
        """Reckon the months from the ``first`` on."""
        kept = {player: [mark for mark in marks if mark.month < first] for player, marks in self._marks.items()}
        self._marks = {player: marks for player, marks in kept.items() if marks}
        opponents, timeouts = defaultdict[int, set[int]](set), defaultdict[int, list[Result]](list)
        months = defaultdict[int, list[Result]](list)
        for one in self._results.values():
            months[month_of(one.at)].append(one)
            for part in one.parts:
                opponents[part.player] |= one.players - {part.player}
            for player in one.lost_on_time:
                timeouts[player].append(one)
        counted = {player: first_timeouts(found) for player, found in timeouts.items()}
        for month in sorted(one for one in months if one >= first):
            counting = choose_counting(months[month], counted.__getitem__)
            for player, rating in rate_month(month, counting, self._latest).items():
                self._marks.setdefault(player, []).append(Mark(month, rating))
        self._opponents, self._now = opponents, max(months, default=0)

    def _latest(self, player: int) -> Mark | None:
        """Return the latest rating of a player, and its month; None without any."""
        marks = self._marks.get(player)
        return marks[-1] if marks else None

    def of(self, player: int) -> Rating | None:
        """Return the rating of a player; None without any."""
        mark = self._latest(player)
        return mark.at_end_of(self._now) if mark else None

    def marks(self, player: int) -> list[Mark]:
        """Return the ratings of a player after each month in which a match counted."""
        return list(self._marks.get(player, ()))

    @property
    def players(self) -> frozenset[int]:
        """Those who have a rating."""
        return frozenset(self._marks)

    def all(self) -> list[tuple[int, Rating]]:
        """Return the players who have a rating, each with it."""
        return [(player, mark.at_end_of(self._now)) for player in self._marks if (mark := self._latest(player))]

    def curve(self, player: int) -> list[Mark]:
        """Return the ratings of a player at the end of each month, from their first match on."""
        marks = self._marks.get(player, [])
        ends = [*(mark.month for mark in marks[1:]), self._now + 1]
        return [
            Mark(month, mark.at_end_of(month))
            for mark, end in zip(marks, ends, strict=False)
            for month in range(mark.month, end)
        ]

    def best(self, most: int, without: Collection[int] = ()) -> list[tuple[int, Rating]]:
        """Return the best of those who are known well, at most so many, but those ``without`` a page.

        They go by what they are at least.
        """
        found = (
            (player, rating)
            for player in self._marks.keys() - set(without)
            if len(self._opponents[player]) >= OPPONENTS
            and (rating := self.of(player))
            and round(rating.deviation) <= KNOWN
        )
        return nsmallest(most, found, key=lambda one: (-one[1].at_least, one[0]))


def rate_month(month: int, results: Iterable[Result], mark: Callable[[int], Mark | None]) -> Mapping[int, Rating]:
    """Return the ratings, after a month, of everybody who had a result in it; ``mark``: their latest before."""
    met = defaultdict[int, list[Result]](list)
    for one in results:
        for player in one.players:
            met[player].append(one)
    starts = {player: before.at_start_of(month) if (before := mark(player)) else Rating() for player in met}
    return {player: rate_player(player, starts.__getitem__, own) for player, own in met.items()}


def _order(result: Result) -> tuple[datetime, int]:
    """Return by what results are put in the order of their ends."""
    return result.at, result.match
