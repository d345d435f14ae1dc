"""Means, intervals and histograms; drama and lead changes of one game, as Browne defines them. Pure.

C. Browne, Automatic Generation and Evaluation of Recombination Games, thesis, Queensland University of Technology
(2008): drama is how far, and lead change how often, a game turns. His evaluations of positions by an advisor are here
the chances to win that the searching players saw.
"""

from collections import Counter
from collections.abc import Iterable, Sequence, Sized
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import ceil, floor, sqrt
from statistics import NormalDist, fmean, stdev
from typing import Any

_SIGMAS = NormalDist().inv_cdf(0.975)
"""Of a normal distribution, 95 % lie within so many deviations of the mean."""
_BARS = 20


@dataclass(frozen=True, slots=True)
class Spread:
    """What so many numbers are like: their mean with its interval of 95 %, and their deviation from it.

    ``deviation`` is that of a sample, 0 for one number. ``bars`` are a histogram: from, up to but without, and count.
    """

    count: int
    mean: float
    low: float
    high: float
    deviation: float
    least: float
    most: float
    bars: tuple[tuple[float, float, int], ...]


def spread(values: Sequence[float]) -> Spread | None:
    """Return what ``values`` are like, None if there are none; the interval takes their mean for normal."""
    if not values:
        return None
    mean, deviation = fmean(values), stdev(values) if len(values) > 1 else 0.0
    half = _SIGMAS * deviation / sqrt(len(values))
    return Spread(len(values), mean, mean - half, mean + half, deviation, min(values), max(values), _histogram(values))


def spread_of(values: Iterable[float]) -> dict[str, Any] | None:
    """Return a spread as JSON."""
    found = spread(list(values))
    return None if found is None else asdict(found)


def _histogram(values: Sequence[float]) -> tuple[tuple[float, float, int], ...]:
    """Return at most 21 bars of equal width, 1, 2 or 5 times a power of ten, that begin at a multiple of it."""
    largest = max(map(abs, values))
    # Differences that are as small as errors of rounding are none.
    apart = max(values) - min(values)
    least = apart / _BARS if apart > 1e-9 * largest and apart > 1e-9 else 0.0
    width = _step(least, whole=all(value == int(value) for value in values))
    counted = Counter(floor(value / width + 1e-9) for value in values)
    return tuple(
        (round(bar * width, 9), round((bar + 1) * width, 9), counted[bar])
        for bar in range(min(counted), max(counted) + 1)
    )


def _step(least: float, *, whole: bool) -> float:
    """Return the smallest width of a bar that is not below ``least``."""
    if whole:
        least = max(least, 1.0)
    if least <= 0:
        return 1.0
    power = 1.0
    while power > least:
        power /= 10
    while power * 10 <= least:
        power *= 10
    return next(round(power * factor, 12) for factor in (1, 2, 5, 10) if power * factor >= least - 1e-12)


@dataclass(frozen=True, slots=True)
class Share:
    """How many of ``played`` games were won, each shared win in part, and the interval of 95 % of the chance to win."""

    played: int
    won: float
    share: float
    low: float
    high: float


def share(won: float, played: int) -> Share:
    """Return a share with Wilson’s interval (1927); from 0 to 1 where nothing was played."""
    if played == 0:
        return Share(0, 0.0, 0.0, 0.0, 1.0)
    part, square = won / played, _SIGMAS**2
    middle = (part + square / (2 * played)) / (1 + square / played)
    half = _SIGMAS * sqrt(part * (1 - part) / played + square / (4 * played**2)) / (1 + square / played)
    # Rounding must not leave what never or always happened outside of its own interval.
    return Share(played, won, part, min(part, max(0.0, middle - half)), max(part, min(1.0, middle + half)))


def enough(games: Sized) -> int:
    """Return how many games must still go on for the mean of a step to be shown: a tenth, and two."""
    return max(2, len(games) // 10)


def by_step(rows: Sequence[Sequence[float | None]], least: int) -> list[float | None]:
    """Return the mean of each step over the rows that have it, as far as ``least`` of them go on.

    A row may have None at a step; a step at which all have None has None.
    """
    found: list[float | None] = []
    for step in range(max(map(len, rows), default=0)):
        going = [row[step] for row in rows if len(row) > step]
        if len(going) < least:
            break
        known = [value for value in going if value is not None]
        found.append(fmean(known) if known else None)
    return found


def in_tenths(rows: Sequence[Sequence[float]]) -> list[float | None]:
    """Return the mean of each tenth of the way from beginning to end, over all rows; a row has any length."""
    parts: list[list[float]] = [[] for _ in range(10)]
    for row in rows:
        for place, value in enumerate(row):
            parts[min(9, ceil((place + 1) * 10 / len(row)) - 1)].append(value)
    return [fmean(part) if part else None for part in parts]


def winner_chances(actors: Sequence[int], values: Sequence[int | None], winner: int) -> list[float]:
    """Return the winner’s chance to win before each step that was searched, between 0 and 1, in a game of two seats.

    ``values`` are those of the seat that acts, in per mille.
    """
    pairs = zip(actors, values, strict=True)
    return [(value if actor == winner else 1000 - value) / 1000 for actor, value in pairs if value is not None]


def drama(chances: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the maximum, over the steps at which the winner was behind, of √(their opponent’s lead).

    Both are 0 for a winner who was never behind, and at most 1.
    """
    behind = [sqrt(1 - 2 * chance) for chance in chances if chance < 0.5]
    return (fmean(behind), max(behind)) if behind else (0.0, 0.0)


def lead_changes(chances: Sequence[float]) -> float | None:
    """Return the share of steps at which another seat leads than at the step before; None for less than two steps.

    Where both have the same chance, whoever led before still leads.
    """
    if len(chances) < 2:
        return None
    leads = [chance > 0.5 for chance in chances if chance != 0.5]
    return sum(before != after for before, after in pairwise(leads)) / (len(chances) - 1)
