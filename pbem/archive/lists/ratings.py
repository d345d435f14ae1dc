"""Ratings: one number for each player of a game, by how they fared against whom (Elo), of its finished matches alone.

Matches count in the order of their ends. One that ends last, as most do, moves the ratings of its own players; after
any other change all are worked out anew, so that they are the same whenever and in whatever order matches were read.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from heapq import nsmallest

from rules.position import Seat

FIRST = 1500
"""The rating of somebody who has finished no match yet."""

SHOWN_AFTER = 5
"""Finished matches after which a rating is shown: before, it says little."""

_SCALE = 400  # so many points more are ten to one (Elo, The Rating of Chessplayers, 1978)
_NEWCOMER, _NEW = 40, 20  # what the first matches of a player can change
_KNOWN = 20  # what a later one can


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of a player in a game, after so many finished matches."""

    points: float = FIRST
    matches: int = 0

    @property
    def shown(self) -> int | None:
        """The rating as it is shown; None while there are too few matches."""
        return round(self.points) if self.matches >= SHOWN_AFTER else None


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended, and when (UTC): ``players`` are numbers in the order of seats."""

    match: int
    at: datetime
    players: tuple[int, ...]
    winners: frozenset[Seat]


_UNKNOWN = Rating()


class Ratings:
    """The ratings of one game."""

    def __init__(self) -> None:
        self._results: dict[int, Result] = {}
        self._ratings: dict[int, Rating] = {}
        self._shown: set[int] = set()  # players whose ratings are shown
        self._last: Result | None = None
        self._is_stale = False

    def note(self, match: int, result: Result | None) -> None:
        """Note how a match ended; None for one that goes on, or counts for nobody."""
        before = self._results.pop(match, None)
        if result:
            self._results[match] = result
        if before == result:
            return
        if result is None or before or self._is_stale or (self._last and _order(result) < _order(self._last)):
            self._is_stale = True
        else:
            self._count(result)

    def refresh(self) -> set[int]:
        """Work all ratings out anew where that is needed; return the players who have other ones now."""
        if not self._is_stale:
            return set()
        before, self._ratings = self._ratings, {}
        self._shown.clear()
        self._last, self._is_stale = None, False
        for result in sorted(self._results.values(), key=_order):
            self._count(result)
        return {
            player for player in before.keys() | self._ratings.keys() if before.get(player) != self._ratings.get(player)
        }

    def of(self, player: int) -> Rating:
        """Return the rating of a player as it was last worked out."""
        return self._ratings.get(player, _UNKNOWN)

    def best(self, most: int, without: Iterable[int] = ()) -> list[tuple[int, Rating]]:
        """Return the players with the highest ratings that are shown, at most so many, but those ``without`` a page."""
        found = ((player, self._ratings[player]) for player in self._shown.difference(without))
        return nsmallest(most, found, key=lambda one: (-(one[1].shown or 0), one[0]))

    def _count(self, result: Result) -> None:
        """Let a match move the ratings of its players."""
        self._last = result
        moved = _move({player: self.of(player) for player in result.players}, result)
        self._ratings |= moved
        self._shown |= {player for player, rating in moved.items() if rating.shown is not None}


def _order(result: Result) -> tuple[datetime, int]:
    """Return by what matches are put in the order of their ends."""
    return result.at, result.match


def _move(ratings: Mapping[int, Rating], result: Result) -> Mapping[int, Rating]:
    """Return what a match makes of the ratings of its players.

    Each seat is compared with all that did not win and lose together with it, and counts their mean: partners beat, or
    lose to, each of the others. Where nobody wins, or everybody, each seat has drawn with all the others.
    """
    seats, winners = range(len(result.players)), result.winners
    is_decided = 0 < len(winners) < len(seats)
    gained: dict[int, float] = defaultdict(float)
    for seat in seats:
        own = ratings[result.players[seat]]
        others = [
            ratings[result.players[other]].points
            for other in seats
            if result.players[other] != result.players[seat]
            and (not is_decided or (other in winners) != (seat in winners))
        ]
        if others:
            scored = float(seat in winners) if is_decided else 0.5
            expected = sum(1 / (1 + 10 ** ((points - own.points) / _SCALE)) for points in others) / len(others)
            gained[result.players[seat]] += (_NEWCOMER if own.matches < _NEW else _KNOWN) * (scored - expected)
    return {
        player: Rating(rating.points + gained.get(player, 0.0), rating.matches + 1)
        for player, rating in ratings.items()
    }
