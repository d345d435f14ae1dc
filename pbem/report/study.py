"""The representative game of a report, whose length is nearest to the mean, with one more search at each step.

Of these measures some are C. Browne's (see `pbem.report.statistics`), in the words of published reports. Values are the
chance to win of the seat to act, in per mille.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import log10
from statistics import fmean
from typing import Any

from pbem.report.course import Found, walk
from pbem.report.minds import search
from pbem.report.plan import Plan
from pbem.report.playing import Game
from pbem.report.statistics import drama
from pbem.report.turns import opening_view, tokens
from pbem.robots.board import WHOLE
from pbem.robots.thinking import Line, Match
from rules.game import advance
from rules.games import GAMES
from rules.position import Entry, Position

_EFFECTIVE = 50
"""Per mille below the best: 0.1 where a loss is -1 and a win 1."""
_EVEN = 500
_KNOWN = 950
"""A result is known when its winner's chance stays above."""
_LONGER = 4
_VALUES = 24
"""So many of a step’s values are kept."""


def find_representative(games: Sequence[Game]) -> Game | None:
    """Return the game whose length is nearest to the mean, the first of several; None without games to look at."""
    kept = [game for game in games if game.record]
    if not kept:
        return None
    mean = fmean(len(game.choices) for game in kept)
    return min(kept, key=lambda game: (abs(len(game.choices) - mean), game.number))


def draw(plan: Plan, game: Game) -> Found:
    """Return what a page draws of a game: the last board, with numbers in the order of placing."""
    numbers = {cell: number for number, (_, _, cell) in enumerate(game.placed, start=1)}
    *_, last = _positions(plan, game)
    return {
        "number": game.number,
        "record": [list(entry) for entry in game.record],
        "steps": len(game.choices),
        "rewards": list(game.rewards),
        "stones": [
            [cell.name, cell.piece.key, numbers[cell.name]]
            for cell in last.view().cells
            if cell.piece and cell.name in numbers
        ],
    }


def _positions(plan: Plan, game: Game) -> list[Position[Any]]:
    """Return the positions before each entry, and the last."""
    found = [GAMES[plan.game].restore(plan.seats, plan.options)]
    for seat, text in game.record:
        found.append(advance(found[-1], Entry(seat, text)))
    return found


def study(plan: Plan, game: Game) -> Found:
    """Return what a search sees at each step, and the scores that follow from it.

    It is longer than those of the players, for the values of many steps to be told apart from chance.
    """
    sides = [piece.key for piece in opening_view(plan.game, plan.seats, tuple(plan.options.items())).pieces]
    material = []
    for position in _positions(plan, game):
        counted = Counter(cell.piece.key for cell in position.view().cells if cell.piece)
        material.append([counted[side] for side in sides])
    rows, random = list[Found](), plan.randomness("study", game.number)
    for step in walk(plan, game):
        if step.seat is None:
            continue
        seeds = [random.getrandbits(62) for _ in range(4)]
        match, after = step.match, step.match.copy()
        after.play(step.action)
        lines = search(match, plan.mind, _LONGER * plan.playouts, seeds[0], bidding=step.bidding)
        brief = search(match, plan.mind, plan.playouts, seeds[1], bidding=step.bidding)
        best = lines[0]
        values = sorted((line.value for line in lines if line.playouts), reverse=True)
        rows.append(
            {
                "actor": step.seat,
                "choices": len(lines),
                "best": best.value,
                "nothing": _value_nothing(plan, match, seeds[2:], bidding=step.bidding),
                "short": brief[0].value,
                "favourite": brief[0].action == best.action,
                "before": _value_of(brief, best.action),
                "chosen": _value_of(lines, step.action),
                "effective": max(1, sum(value >= best.value - _EFFECTIVE for value in values)),
                "good": sum(value > _EVEN for value in values),
                "kind": _kind(match, after, game.record[step.ply][1]),
                "pieces": material[step.ply],
                "values": _thin(values),
            }
        )
    return {"sides": sides, "steps": rows, "scores": score(rows, game.rewards)}


def _value_of(lines: Sequence[Line], action: int) -> int | None:
    """Return what a search has found an action to be worth; None if it was never tried."""
    return next(line.value if line.playouts else None for line in lines if line.action == action)


def _thin(values: Sequence[int]) -> list[int]:
    """Return some values that stand for all, the best first."""
    size = min(_VALUES, len(values))
    return [values[place * len(values) // size] for place in range(size)]


def _value_nothing(plan: Plan, match: Match, seeds: Sequence[int], *, bidding: bool) -> int | None:
    """Return what doing nothing is worth to the seat to act; None where that means nothing, or to more than two.

    What a search prefers looks better to it than it is; so a second one says what that is worth.
    """
    board = match.board
    state = board.passed(match.opened, match.state) if board.passed and plan.seats == 2 else None
    if state is None:
        return None
    passed = replace(match, state=state)
    first, second = (search(passed, plan.mind, plan.playouts, seed, bidding=bidding) for seed in seeds)
    again = _value_of(second, first[0].action)
    value = first[0].value if again is None else again
    return value if passed.actor == match.actor else 1000 - value


def _kind(before: Match, after: Match, text: str) -> str:
    """Return what a step is: ``piece``, ``capture``, or without either the word of its move, else ``end``."""
    changes = [(one, other) for one, other in zip(before.cells(), after.cells(), strict=True) if one != other]
    if changes:
        return "piece" if any(one == 0 for one, _ in changes) else "capture"
    first = tokens(text)[0]
    return first if first.isalpha() else "end"


def score(rows: Sequence[Found], rewards: Sequence[int]) -> Found:
    """Return the scores of a game in per cent, from its steps; None where they need two seats, and a winner."""
    scores: Found = {
        "depth": _mean([abs(row["best"] - row["short"]) / 10 for row in rows]),
        "foulup": _part([not row["favourite"] for row in rows]),
        "surprising": _part([row["before"] is not None and row["before"] < _EVEN < row["best"] for row in rows]),
        "critical": _part([row["effective"] == 1 for row in rows]),
        "hot": _part([row["before"] > row["nothing"] for row in rows if None not in (row["before"], row["nothing"])]),
    }
    for key in ("effective", "good"):
        for name, seat in (("all", None), ("first", 0), ("second", 1)):
            kept = [row for row in rows if seat in (None, row["actor"])]
            scores[f"{key}_{name}"] = {
                "percent": _mean([100 * row[key] / row["choices"] for row in kept]),
                "number": _mean([row[key] for row in kept]),
                "space": sum(log10(max(1, row[key])) for row in kept),
            }
    return scores | _follow_lead(rows, rewards)


def _follow_lead(rows: Sequence[Found], rewards: Sequence[int]) -> Found:
    """Return the scores that follow who leads."""
    keys = ("momentum", "correction", "drama", "last_lead_change", "decisiveness")
    if len(rewards) != 2 or WHOLE not in rewards or not rows:
        return dict.fromkeys(keys)
    winner = rewards.index(WHOLE)
    chances = [row["best"] if row["actor"] == winner else 1000 - row["best"] for row in rows]
    ways = [
        (row["actor"] == winner, before, after)
        for row, (before, after) in zip(rows, pairwise([*chances, 1000]), strict=True)
    ]
    leads = [chance > _EVEN for chance in chances]
    changed = [place for place, (one, other) in enumerate(pairwise(leads), start=1) if one != other]
    doubted = [place for place, chance in enumerate(chances, start=1) if chance <= _KNOWN]
    found = (
        _part([after > before if own else after < before for own, before, after in ways]),
        _part([abs(after - _EVEN) < abs(before - _EVEN) for _, before, after in ways]),
        100 * drama([chance / 1000 for chance in chances])[0],
        100 * changed[-1] / len(rows) if changed else None,
        100 * (len(rows) - max(doubted, default=0)) / len(rows),
    )
    return dict(zip(keys, found, strict=True))


def _part(cases: Sequence[bool]) -> float | None:
    return 100 * sum(cases) / len(cases) if cases else None


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None
