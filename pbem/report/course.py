"""How games went, step by step: their records played again on the robots' board. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from math import log10
from statistics import fmean
from typing import Any

from pbem.report.plan import Plan
from pbem.report.playing import Game
from pbem.report.statistics import by_step, drama, enough, in_tenths, lead_changes, spread_of, winner_chances
from pbem.robots.board import WHOLE
from pbem.robots.thinking import Match, follow
from rules.board.hexagon import steps
from rules.games import GAMES
from rules.position import Seat
from rules.view import BoardView

Found = dict[str, Any]
"""What a report says, as JSON."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a game, and the ``match`` as it stands before.

    ``ply`` is the number of its entry, ``seat`` None for a roll; ``bidding`` says whether an auction goes on.
    """

    match: Match
    ply: int
    seat: Seat | None
    action: int
    bidding: bool


def walk(plan: Plan, game: Game) -> Iterator[Step]:
    """Yield the steps of a game of the plan's seats; its match goes on with each."""
    match, word = follow(plan.game, plan.seats, plan.options, ()), GAMES[plan.game].auction
    bidding = bool(word)
    for ply, (seat, text) in enumerate(game.record):
        actions = (int(text) - 1,) if seat is None else match.board.actions(match.opened, match.state, text)
        for action in actions:
            yield Step(match, ply, seat, action, bidding)
            match.play(action)
        bidding = bidding and text != word


def count_bidding(plan: Plan, game: Game) -> int:
    """Return how many steps of a game were of its auction.

    There every bid looks much the same, and a little less than half, to whoever makes it: no lead, and no good moves.
    """
    if not GAMES[plan.game].auction:
        return 0
    return sum(step.seat is not None for step in takewhile(lambda step: step.bidding, walk(plan, game)))


def find_taker(plan: Plan, game: Game) -> tuple[int, Seat] | None:
    """Return the entry that ended the auction of a game, and whose it was."""
    word = GAMES[plan.game].auction
    entries = enumerate(game.record)
    return next(((ply, seat) for ply, (seat, text) in entries if word and text == word and seat is not None), None)


def count_actions(plan: Plan, games: Sequence[Game]) -> Found | None:
    """Return how many different actions there were, and how many were chosen more and less often than their average."""
    chosen = Counter[object]()
    for game in games:
        if plan.fast:
            chosen.update(step.action for step in walk(plan, game) if step.seat is not None)
        else:
            chosen.update(text for seat, text in game.record if seat is not None)
    if not chosen:
        return None
    average = chosen.total() / len(chosen)
    good = sum(count > average for count in chosen.values())
    return {"distinct": len(chosen), "good": good, "bad": len(chosen) - good}


def find_new(plan: Plan, games: Sequence[Game]) -> Found | None:
    """Return what a table finds new that holds all positions of all games, one game after the other.

    ``by_step``: the share of games that reach a new position by this step. ``log_sum``: how many positions there would
    be in the end, as a logarithm, if new ones went on to grow rare as they do from the first half of games to the
    second; None where they do not.
    """
    seen, rows = set[object](), list[list[float]]()
    for game in games:
        rows.append([])
        for step in walk(plan, game):
            position = hash((step.bidding, step.match.actor, step.match.cells()))
            if step.seat is not None:
                rows[-1].append(position not in seen)
            seen.add(position)
    rows = [row for row in rows if row]
    if not rows:
        return None
    return {"by_step": by_step(rows, enough(rows)), "share": fmean(map(fmean, rows)), "log_sum": add_up(rows)}


def add_up(rows: Sequence[Sequence[float]]) -> float | None:
    """Return the logarithm of the sum of a geometric sequence: that of what is new in each game, without an end."""
    half = len(rows) // 2
    before, after = (sum(map(sum, part)) / max(1, sum(map(len, part))) for part in (rows[:half], rows[-half:]))
    if not half or not 0 < after < before:
        return None
    ratio = (after / before) ** (1 / (len(rows) - half))
    return log10(fmean(map(len, rows)) * before / (1 - ratio))


def find_good(plan: Plan, games: Sequence[Game]) -> Found:
    """Return how many good moves a position has once an auction is over, and how many by step."""
    rows: list[list[int | None]] = []
    for game in games:
        bidding = count_bidding(plan, game)
        rows.append([*[None] * bidding, *game.good[bidding:]])
    return {
        "mean": spread_of(float(good) for row in rows for good in row if good is not None),
        "by_step": by_step(rows, enough(games)),
    }


def find_drama(plan: Plan, games: Sequence[Game]) -> Found | None:
    """Return Browne’s measures of games of two seats that one has won, and their winner’s chance on the way.

    Drama begins when an auction is over; the lead may change in it, too.
    """
    rows, changes = [], []
    for game in games:
        if len(game.rewards) == 2 and WHOLE in game.rewards:
            bidding, winner = count_bidding(plan, game), game.rewards.index(WHOLE)
            changes.append(lead_changes(winner_chances(game.actors, game.values, winner)))
            rows.append(winner_chances(game.actors[bidding:], game.values[bidding:], winner))
    if not rows:
        return None
    rows = [row for row in rows if row]
    dramas = [drama(row) for row in rows]
    return {
        "mean": spread_of(mean for mean, _ in dramas),
        "most": spread_of(most for _, most in dramas),
        "lead_changes": spread_of(change for change in changes if change is not None),
        "winners_chance": in_tenths(rows),
    }


def find_responses(games: Sequence[Game], view: BoardView) -> Iterator[float]:
    """Yield how many steps of a king each piece lies from the one placed before it; on a hex board, how many cells."""
    at = {cell.name: (cell.column, cell.row) for cell in view.cells}
    for game in games:
        for (_, _, before), (_, _, cell) in pairwise(game.placed):
            (column, row), (other, above) = at[before], at[cell]
            king = max(abs(other - column), abs(above - row))
            yield steps(at[before], at[cell]) if view.shape == "hex" else king
