"""Glicko-2: what a period of matches makes of a rating, as in Mark Glickman's “Example of the Glicko-2 system”.

A match may count in part. Sums are exact (`fsum`), so their order changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, fsum, hypot, log, pi, sqrt

FIRST = 1500.0
"""The points of somebody who has played no match yet."""

WIDEST = 350.0
"""The deviation of somebody about whom nothing is known."""

SCALE = 173.7178
"""Points of a rating in one of the paper's own scale."""

_VOLATILITY = 0.06
_TAU = 0.5  # how fast a volatility may change: the paper's example, and the middle of what it advises
_CLOSE = 1e-9  # twice as many digits as the paper asks for


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player is: ``points`` ± ``deviation``, and how erratic, their ``volatility``."""

    points: float = FIRST
    deviation: float = WIDEST
    volatility: float = _VOLATILITY

    @property
    def at_least(self) -> float:
        """The points that a player has in all likelihood: fewer than they show, as long as little is known."""
        return self.points - 2 * self.deviation


@dataclass(frozen=True, slots=True)
class Bout:
    """A match as one player met it: what the other side was, their ``score`` from 0 to 1, and how far it counts."""

    points: float
    deviation: float
    score: float
    weight: float = 1.0


def rate(rating: Rating, bouts: Sequence[Bout]) -> Rating:
    """Return the rating of a player after a period with these matches; one without any makes it less certain."""
    if not bouts:
        return widen(rating, 1)
    known = [(bout, _certainty(bout.deviation), _expected(rating, bout)) for bout in bouts]
    variance = 1 / fsum(bout.weight * sure**2 * hoped * (1 - hoped) for bout, sure, hoped in known)
    surplus = fsum(bout.weight * sure * (bout.score - hoped) for bout, sure, hoped in known)
    spread = rating.deviation / SCALE
    volatility = _find_volatility(rating.volatility, spread, variance, variance * surplus)
    narrowed = 1 / sqrt(1 / (spread**2 + volatility**2) + 1 / variance)
    points = rating.points + SCALE * narrowed**2 * surplus
    return Rating(points, min(WIDEST, SCALE * narrowed), volatility)


def widen(rating: Rating, periods: int) -> Rating:
    """Return a rating after so many periods without a match."""
    grown = SCALE * hypot(rating.deviation / SCALE, sqrt(periods) * rating.volatility)
    return replace(rating, deviation=min(WIDEST, grown)) if periods else rating


def _certainty(deviation: float) -> float:
    """Return how much a match says against somebody who is known so well: g in the paper."""
    return 1 / sqrt(1 + 3 * (deviation / SCALE / pi) ** 2)


def _expected(rating: Rating, bout: Bout) -> float:
    """Return the score that was to be expected: E in the paper."""
    return 1 / (1 + exp(-_certainty(bout.deviation) * (rating.points - bout.points) / SCALE))


def _find_volatility(before: float, spread: float, variance: float, change: float) -> float:
    """Return the new volatility, by the Illinois algorithm: step 5 of the paper."""
    start = log(before**2)

    def slope(guess: float) -> float:
        size = spread**2 + variance + exp(guess)
        return exp(guess) * (change**2 - size) / (2 * size**2) - (guess - start) / _TAU**2

    low = start
    if change**2 > spread**2 + variance:
        high = log(change**2 - spread**2 - variance)
    else:
        steps = 1
        while slope(start - steps * _TAU) < 0:
            steps += 1
        high = start - steps * _TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > _CLOSE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
