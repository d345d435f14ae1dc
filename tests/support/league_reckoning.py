"""A season reckoned by hand, from how its matches ended: tables, ratings and the next draw, in other ways than ours."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from math import exp, log, pi, sqrt

from pbem.match.match import Match
from rules.position import EXIT_WORDS

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Played:
    """A match of two: who ``won`` (nobody: a draw), and who ``missed`` it, since they never moved twice in it.

    ``flagged`` is who ran out of time; not ``proven``: one of them had moved less than twice.
    """

    match: int
    two: tuple[str, str]
    at: datetime
    won: str | None
    missed: str | None
    flagged: str | None
    proven: bool


def read_played(match: Match, two: tuple[str, str]) -> Played:
    """Return how a match of two ended, whose names are those with which it was opened."""
    assert match.outcome is not None
    moved = [sum(entry.seat == seat and entry.text not in EXIT_WORDS for entry in match.record) for seat in (0, 1)]
    last = match.record[-1] if match.record else None
    flagged = two[last.seat] if last and last.seat is not None and last.text == "timeout" else None
    proven = min(moved) >= 2
    missed = two[0] if last is None else None if proven else flagged
    winners = match.outcome.winners
    won = two[next(iter(winners))] if len(winners) == 1 and missed is None else None
    return Played(match.id, two, match.changed_at, won, missed, flagged, proven)


@dataclass(frozen=True)
class Line:
    """A line of a table."""

    place: int
    name: str
    points: Fraction
    won: int
    drawn: int
    lost: int
    void: int


def reckon_table(played: Sequence[Played]) -> list[Line]:
    """Return the table of a division from its matches, the best first."""
    names = sorted({name for one in played for name in one.two})
    mine = {name: [one for one in played if name in one.two] for name in names}
    absent = {name for name in names if sum(one.missed == name for one in mine[name]) * 2 > len(mine[name])}
    scores: dict[tuple[str, str], Fraction | None] = {}
    for one in played:
        for name, other in (one.two, one.two[::-1]):
            if not absent.isdisjoint(one.two):
                scores[name, other] = None
            elif one.missed:
                scores[name, other] = Fraction(one.missed != name)
            else:
                scores[name, other] = HALF if one.won is None else Fraction(one.won == name)
    points = {name: sum((scores.get((name, other)) or Fraction() for other in names), Fraction()) for name in names}

    def worth(name: str) -> tuple[Fraction, Fraction, Fraction]:
        own = {other: score for other in names if (score := scores.get((name, other))) is not None}
        direct = sum((score for other, score in own.items() if points[other] == points[name]), Fraction())
        return points[name], direct, sum((score * points[other] for other, score in own.items()), Fraction())

    worths = {name: worth(name) for name in names}
    lines = []
    for name in sorted(names, key=lambda one: worths[one], reverse=True):
        own = [scores[name, other] for other in names if (name, other) in scores]
        place = 1 + sum(other > worths[name] for other in worths.values())
        counts = [own.count(score) for score in (Fraction(1), HALF, Fraction(0), None)]
        lines.append(Line(place, name, points[name], *counts))
    return lines


def reckon_next(
    tables: Sequence[Sequence[str]], staying: Collection[str], newcomers: Sequence[str], size: int, moving: int
) -> list[set[str]]:
    """Return who plays in which division next, the highest first: ``moving`` of each go up, and as many down."""
    keys: dict[str, tuple[int, int, int]] = {}
    for number, table in enumerate(tables):
        kept = [name for name in table if name in staying]
        for place, name in enumerate(kept):
            rises = number > 0 and place < moving
            falls = number < len(tables) - 1 and place >= len(kept) - moving
            keys[name] = (number + falls, 0 if rises else 1 if falls else 2, place)
    order = [*sorted(keys, key=lambda name: keys[name]), *newcomers]
    assert len(order) % size == 0
    return [set(order[start : start + size]) for start in range(0, len(order), size)]


Known = tuple[float, float, float]
"""A rating: points, deviation, volatility."""

NEW: Known = (1500, 350, 0.06)


def choose_rated(played: Iterable[Played], stood_in: Mapping[int, str]) -> list[Played]:
    """Return the matches that count for ratings, in order; of timeouts of somebody within a fortnight the first.

    Where somebody ``stood_in`` for a player, it counts only if that player lost.
    """
    counting, last = [], dict[str, datetime]()
    for one in sorted(played, key=lambda one: (one.at, one.match)):
        if not one.proven or (one.match in stood_in and one.won in (None, stood_in[one.match])):
            continue
        if one.flagged:
            if one.flagged in last and one.at - last[one.flagged] < timedelta(days=14):
                continue
            last[one.flagged] = one.at
        counting.append(one)
    return counting


def reckon_ratings(played: Iterable[Played]) -> Mapping[str, Known]:
    """Return the ratings after the last month in which somebody played, as they were at the end of it for each."""
    months = defaultdict[tuple[int, int], list[Played]](list)
    for one in played:
        months[one.at.year, one.at.month].append(one)
    known, since = dict[str, Known](), dict[str, tuple[int, int]]()
    for month in sorted(months):
        before = {name: _rest(known[name], since[name], month) for name in known}
        for name in {name for one in months[month] for name in one.two}:
            met = [
                (before.get(other, NEW), 0.5 if one.won is None else float(one.won == name))
                for one in months[month]
                if name in one.two
                for other in one.two
                if other != name
            ]
            known[name], since[name] = _rate(before.get(name, NEW), met), month
    return known


def _rest(known: Known, since: tuple[int, int], month: tuple[int, int]) -> Known:
    """Return a rating after the months without a match before another."""
    points, deviation, volatility = known
    for _ in range((month[0] - since[0]) * 12 + month[1] - since[1] - 1):
        deviation = min(350, sqrt(deviation**2 + (volatility * 173.7178) ** 2))
    return points, deviation, volatility


def _rate(known: Known, met: Sequence[tuple[Known, float]]) -> Known:
    """Return a rating after the matches of a month; the volatility is found by halving."""
    mu, phi, sigma = (known[0] - 1500) / 173.7178, known[1] / 173.7178, known[2]
    precision = gain = 0.0
    for (points, deviation, _), score in met:
        weight = (1 + 3 * (deviation / 173.7178) ** 2 / pi**2) ** -0.5
        hoped = 1 / (1 + exp(-weight * (mu - (points - 1500) / 173.7178)))
        precision += weight**2 * hoped * (1 - hoped)
        gain += weight * (score - hoped)
    delta, variance = gain / precision, 1 / precision

    def slope(x: float) -> float:
        whole = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - whole) / (2 * whole**2) - (x - 2 * log(sigma)) / 0.25

    low, high = 2 * log(sigma) - 10, 2 * log(sigma) + 10
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    sigma = exp(low / 2)
    after = 1 / sqrt(1 / (phi**2 + sigma**2) + precision)
    return 1500 + 173.7178 * (mu + after**2 * gain), min(350, after * 173.7178), sigma
