"""All measures of a report, from the games that were played; pure."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import dist, log10
from statistics import fmean
from typing import Any

from pbem.report.plan import OTHER_SEATS, RANDOM, SEARCH, Plan
from pbem.report.playing import Game
from pbem.report.published import PUBLISHED
from pbem.report.statistics import Share, by_step, drama, in_tenths, lead_changes, share, spread, winner_chances
from pbem.report.turns import Place, opening_view, places
from pbem.robots.board import WHOLE
from pbem.robots.thinking import follow
from rules.game import advance
from rules.games import GAMES
from rules.position import Chance, Entry
from rules.view import BoardView

Found = dict[str, Any]
"""What a report says, as JSON."""

_SEEN = 0.1
"""Opening moves that have had less of the playouts than this, compared with an equal share, are not ranked."""
_TRIED = 20
"""Nor are those that had fewer in all games together: their values are noise."""


def measure(plan: Plan, games: Sequence[Game], speed: float | None) -> Found:
    """Return all measures; those that no game has been played for are None or empty.

    ``speed`` are the random games a second. Whatever order the games were played in, the result is the same.
    """
    by_series: dict[str, list[Game]] = defaultdict(list)
    for game in sorted(games, key=lambda one: (one.series, one.number)):
        by_series[game.series].append(game)
    chance, search = by_series[RANDOM], by_series[SEARCH]
    view = opening_view(plan.game, plan.seats, tuple(plan.options.items()))
    found: Found = {
        **plan.header,
        "title": GAMES[plan.game].title,
        "cells": len(view.cells),
        "first_roll": _first_roll(plan),
        "games": [
            {"series": series.key, "played": len(by_series[series.key]), "planned": series.games}
            for series in plan.series()
        ],
        "playouts_per_second": speed,
        "length": {RANDOM: _spread(map(_length, chance)), SEARCH: _spread(map(_length, search))},
        "branching": {RANDOM: _branching(chance), SEARCH: _branching(search)},
        "complexity": _complexity(plan, view, search or chance, played=search),
        "balance": {RANDOM: _balance(chance), SEARCH: _balance(search)},
        "auction": _auction(plan, search),
        "board_use": _spread(100 * len({cell for _, _, cell in game.placed}) / len(view.cells) for game in search),
        "response_distance": _spread(_responses(search, places(view))),
        "heat": _heat(search),
        "ladder": [
            {
                "playouts": series.challenger.playouts,
                "against": series.others.playouts,
                **_challenged(by_series[series.key]),
            }
            for series in plan.series()
            if series.key.startswith("ladder ")
        ],
        "naive": [
            {"player": series.challenger.kind, **_challenged(by_series[series.key])}
            for series in plan.series()
            if series.key.startswith("naive ")
        ],
        "openings": _openings(search),
        "good_moves": _good(plan, search),
        "drama": _drama(plan, search),
        "other_seats": [
            {
                "seats": series.seats,
                "length": _spread(map(_length, by_series[series.key])),
                "branching": _branching(by_series[series.key]),
                "balance": _balance(by_series[series.key]),
            }
            for series in plan.series()
            if series.key.startswith(f"{OTHER_SEATS} ")
        ],
    }
    return found | {"published": list(_compare(plan, found))}


def _first_roll(plan: Plan) -> Found | None:
    """Return how many results of a roll that begins a game are drawn in a report, where the rules have more."""
    awaited = GAMES[plan.game].restore(plan.seats, plan.options).to_act
    match = follow(plan.game, plan.seats, plan.options, ())
    if not isinstance(awaited, Chance) or not match.board.kernel.fast:
        return None
    drawn = len(match.legal())
    return {"what": awaited.what, "drawn": drawn, "faces": awaited.faces} if drawn < awaited.faces else None


def _length(game: Game) -> int:
    return len(game.choices)


def _spread(values: Iterable[float]) -> Found | None:
    """Return a spread as JSON."""
    found = spread(list(values))
    return None if found is None else asdict(found)


def _branching(games: Sequence[Game]) -> Found:
    """Return the mean number of choices of a step: of games, each of which counts once, and by step."""
    return {
        "mean": _spread(fmean(game.choices) for game in games),
        "by_step": by_step([game.choices for game in games], _enough(games)),
    }


def _enough(games: Sequence[Game]) -> int:
    """Return how many games must still go on for the mean of a step to be shown: a tenth, and two."""
    return max(2, len(games) // 10)


def _complexity(plan: Plan, view: BoardView, games: Sequence[Game], *, played: Sequence[Game]) -> Found:
    """Return logarithms of base 10: a bound of the number of boards, and the size of the game tree."""
    logs = [log10(choices) for game in games for choices in game.choices]
    kinds = len(view.pieces) * (24 if any(_has_dice(plan, game) for game in played[:1]) else 1)
    return {
        "kinds": kinds,
        "state_space": len(view.cells) * log10(1 + kinds) if kinds else None,
        "log_branching": fmean(logs) if logs else None,
        "game_tree": fmean(logs) * fmean(map(_length, games)) if logs else None,
    }


def _has_dice(plan: Plan, game: Game) -> bool:
    """Return whether pieces are dice, which lie in 24 ways, as the end of a game shows."""
    position = GAMES[plan.game].restore(plan.seats, plan.options)
    for seat, text in game.record:
        position = advance(position, Entry(seat, text))
    return any(cell.die for cell in position.view().cells)


def _wins(games: Sequence[Game], seats: Sequence[int]) -> Share:
    """Return what the seat of each game, one for each, has won."""
    won = sum(game.rewards[seat] for game, seat in zip(games, seats, strict=True)) / WHOLE
    return share(won, len(games))


def _is_draw(game: Game) -> bool:
    """Return whether no side won alone."""
    return WHOLE not in game.rewards


def _balance(games: Sequence[Game]) -> Found:
    """Return the wins of seats and roles, and the draws."""
    seats = len(games[0].rewards) if games else 0
    by_role: dict[str, list[tuple[Game, int]]] = defaultdict(list)
    for game in games:
        sides = {role for role in game.roles if role}
        for role in sorted(sides):
            # Partners win and lose together: a role counts once in a game.
            by_role[role].append((game, game.roles.index(role)))
    return {
        "seats": [{"seat": seat + 1, **asdict(_wins(games, [seat] * len(games)))} for seat in range(seats)],
        "roles": [
            {"role": role, **asdict(_wins([game for game, _ in held], [seat for _, seat in held]))}
            for role, held in sorted(by_role.items())
        ],
        "draws": asdict(share(sum(map(_is_draw, games)), len(games))),
    }


def _auction(plan: Plan, games: Sequence[Game]) -> Found | None:
    """Return how many pieces were placed before the auction ended, and of how many games it was the end."""
    word = GAMES[plan.game].auction
    if not word or not games:
        return None
    ends = [next((ply for ply, (_, text) in enumerate(game.record) if text == word), None) for game in games]
    ended = [(game, end) for game, end in zip(games, ends, strict=True) if end is not None]
    return {
        "placed": _spread(sum(ply < end for ply, *_ in game.placed) for game, end in ended),
        "never_ended": len(games) - len(ended),
    }


def _responses(games: Sequence[Game], where: Mapping[str, Place]) -> Iterator[float]:
    """Yield the distance from each move’s first piece to the last one that the turn before placed, of another seat."""
    for game in games:
        for (ply, seat, cell), (before, other, answered) in zip(game.placed[1:], game.placed, strict=False):
            if ply != before and seat != other:
                yield dist(where[cell], where[answered])


def _heat(games: Sequence[Game]) -> Found:
    """Return for each cell the share of games in which a piece was placed there, and in which a winner did."""
    everybody, winners = Counter[str](), Counter[str]()
    for game in games:
        everybody.update({cell for _, _, cell in game.placed})
        winners.update({cell for _, seat, cell in game.placed if game.rewards[seat] == WHOLE})
    decided = sum(not _is_draw(game) for game in games)
    return {
        "placed": {cell: count / len(games) for cell, count in sorted(everybody.items())},
        "winners": {cell: count / decided for cell, count in sorted(winners.items())},
    }


def _challenged(games: Sequence[Game]) -> Found:
    """Return how the challenger did: in all games, at the first seat, and at others."""
    sides = [(game, game.number % len(game.rewards)) for game in games]

    def of(chosen: Callable[[int], bool]) -> Found:
        kept = [(game, seat) for game, seat in sides if chosen(seat)]
        return asdict(_wins([game for game, _ in kept], [seat for _, seat in kept]))

    return {"all": of(lambda seat: True), "first": of(lambda seat: seat == 0), "later": of(lambda seat: seat > 0)}


def _openings(games: Sequence[Game]) -> list[Found]:
    """Return the first actions of search, that of the highest value first: their playouts and value in all games."""
    playouts, won = Counter[str](), Counter[str]()
    for game in games:
        for name, tried, value in game.opening:
            playouts[name] += tried
            won[name] += tried * value
    fair = max(_TRIED, _SEEN * playouts.total() / max(1, len(playouts)))
    ranked = sorted(
        (name for name in playouts if playouts[name] >= fair), key=lambda name: (-won[name] / playouts[name], name)
    )
    return [{"move": name, "playouts": playouts[name], "value": won[name] / playouts[name] / 1000} for name in ranked]


def _bidding(plan: Plan, game: Game) -> int:
    """Return how many steps of a game were of its auction.

    There every bid looks much the same, and a little less than half, to whoever makes it: no lead, and no good moves.
    """
    word = GAMES[plan.game].auction
    match, steps = follow(plan.game, plan.seats, plan.options, ()), 0
    for seat, text in game.record if word else ():
        actions = (int(text) - 1,) if seat is None else match.board.actions(match.opened, match.state, text)
        for action in actions:
            match.play(action)
        steps += 0 if seat is None else len(actions)
        if text == word:
            break
    return steps


def _good(plan: Plan, games: Sequence[Game]) -> Found:
    """Return how many good moves a position has once an auction is over, and how many by step."""
    rows: list[list[int | None]] = []
    for game in games:
        bidding = _bidding(plan, game)
        rows.append([*[None] * bidding, *game.good[bidding:]])
    return {
        "mean": _spread(float(good) for row in rows for good in row if good is not None),
        "by_step": by_step(rows, _enough(games)),
    }


def _drama(plan: Plan, games: Sequence[Game]) -> Found | None:
    """Return Browne’s measures of games of two seats that one has won, and their winner’s chance on the way.

    They begin when an auction is over.
    """
    rows = []
    for game in games:
        if len(game.rewards) == 2 and not _is_draw(game):
            bidding, winner = _bidding(plan, game), game.rewards.index(WHOLE)
            rows.append(winner_chances(game.actors[bidding:], game.values[bidding:], winner))
    rows = [row for row in rows if row]
    if not rows:
        return None
    dramas = [drama(row) for row in rows]
    changes = [change for row in rows if (change := lead_changes(row)) is not None]
    return {
        "mean": _spread(mean for mean, _ in dramas),
        "most": _spread(most for _, most in dramas),
        "lead_changes": _spread(changes),
        "winners_chance": in_tenths(rows),
    }


@dataclass(frozen=True, slots=True)
class Ours:
    """Our value of a published figure, with its interval where it has one."""

    value: float
    low: float | None = None
    high: float | None = None


def _mean(*path: str) -> Callable[[Found], Ours | None]:
    """Return the way to a spread’s mean."""

    def ours(found: Found) -> Ours | None:
        value: Any = found
        for key in path:
            value = value[key]
        return None if value is None else Ours(value["mean"], value["low"], value["high"])

    return ours


def _speed(found: Found) -> Ours | None:
    speed = found["playouts_per_second"]
    return None if speed is None else Ours(speed)


FIGURES: Mapping[str, Callable[[Found], Ours | None]] = {
    "search_length": _mean("length", SEARCH),
    "search_branching": _mean("branching", SEARCH, "mean"),
    "board_use": _mean("board_use"),
    "response_distance": _mean("response_distance"),
    "random_length": _mean("length", RANDOM),
    "playouts_per_second": _speed,
}
"""The measures that published figures can be compared with."""


def _compare(plan: Plan, found: Found) -> Iterator[Found]:
    """Yield the published figures of this game as it was played, beside ours.

    ``within`` says whether the published number lies in our interval; None if there is none.
    """
    publication = PUBLISHED.get(plan.game)
    usual = GAMES[plan.game].normalise(publication.options if publication else {})
    if publication is None or plan.seats != publication.seats or plan.options != usual:
        return
    for figure in publication.figures:
        ours = FIGURES[figure.measure](found)
        within = None
        if ours is not None and ours.low is not None and ours.high is not None:
            within = ours.low <= figure.value <= ours.high
        yield {
            "measure": figure.measure,
            "published": figure.value,
            "ours": None if ours is None else asdict(ours),
            "within": within,
            "note": figure.note,
        }
