"""All measures of a report, from the games that were played; pure."""

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from math import log10
from pathlib import Path
from statistics import fmean, median

from pbem.report.comparing import compare
from pbem.report.course import (
    Found as Found,
)
from pbem.report.course import (
    count_actions,
    find_drama,
    find_good,
    find_new,
    find_responses,
    find_taker,
)
from pbem.report.plan import CURVE, OTHER_SEATS, PROFILES, RANDOM, SEARCH, VARIANT, Plan
from pbem.report.playing import Game
from pbem.report.statistics import by_step, enough, share, spread_of
from pbem.report.study import draw, find_representative, study
from pbem.report.turns import opening_view
from pbem.robots.board import WHOLE
from pbem.robots.thinking import follow
from rules.game import advance
from rules.games import GAMES
from rules.position import Chance, Entry
from rules.view import BoardView

_SEEN = 0.1
"""Opening moves that have had less of the playouts than this, compared with an equal share, are not ranked."""
_TRIED = 20
"""Nor are those that had fewer in all games together: their values are noise."""
_OPENING = 10
"""Pieces of a game that are of its opening."""

_Played = Mapping[str, Sequence[Game]]
"""The games of each series, by its key."""


def measure(
    plan: Plan,
    profiles: Mapping[str, Found],
    perft: Sequence[Found] = (),
    speed: Found | None = None,
) -> Found:
    """Return the whole of a report; ``profiles`` are what `measure_profile` found of each profile that has games."""
    view = opening_view(plan.game, plan.seats, tuple(plan.options.items()))
    found: Found = {
        **{key: plan.header[key] for key in ("game", "seats", "options", "fast")},
        "title": GAMES[plan.game].title,
        "cells": len(view.cells),
        "first_roll": _first_roll(plan),
        "profiles": {key: profiles[key] for key in PROFILES if key in profiles},
        "rules": GAMES[plan.game].title,
        "perft": list(perft),
        "code": _weigh(plan.game),
        "speed": speed,
    }
    return found | {"figures": list(compare(plan, found))}


def measure_profile(plan: Plan, games: Sequence[Game]) -> Found:
    """Return the measures of one profile; those that no game has been played for are None or empty.

    Whatever order the games were played in, the result is the same.
    """
    played: dict[str, list[Game]] = defaultdict(list)
    for game in sorted(games, key=lambda one: (one.series, one.number)):
        played[game.series].append(game)
    chance, search = played[RANDOM], played[SEARCH]
    view = opening_view(plan.game, plan.seats, tuple(plan.options.items()))
    chosen = find_representative(search)
    return {
        "profile": plan.profile,
        "mind": plan.mind,
        "playouts": plan.playouts,
        "seed": plan.seed,
        "games": [
            {"series": series.key, "played": len(played[series.key]), "planned": series.games}
            for series in plan.series()
        ],
        "length": {RANDOM: _lengths(chance), SEARCH: _lengths(search)},
        "branching": {RANDOM: _branching(chance), SEARCH: _branching(search)},
        "complexity": _complexity(plan, view, search or chance, played=search),
        "balance": {RANDOM: _balance(chance), SEARCH: _balance(search)},
        "auction": _auction(plan, search),
        "taker": _takers(plan, search),
        "board_use": _board_use(view, search),
        "response_distance": spread_of(find_responses(search, view)),
        "heat": _heat(search),
        "ladder": [
            {
                "strong": series.challenger.playouts,
                "weak": series.others.playouts,
                **_challenged(played[series.key]),
                **_rung(played[series.key]),
            }
            for series in plan.series()
            if series.key.startswith("ladder ")
        ],
        "naive": [
            {"player": series.challenger.kind, **_challenged(played[series.key])}
            for series in plan.series()
            if series.key.startswith("naive ")
        ],
        "curve": _curve(plan, played),
        "variants": _variants(plan, view, played),
        "openings": _openings(search),
        "opening_map": _opening_map(search),
        "actions": count_actions(plan, search),
        "new_positions": find_new(plan, search),
        "good_moves": find_good(plan, search),
        "drama": find_drama(plan, search),
        "representative": draw(plan, chosen) if chosen else None,
        "study": study(plan, chosen) if chosen else None,
        "other_seats": [
            {
                "seats": series.seats,
                "length": _lengths(played[series.key]),
                "branching": _branching(played[series.key]),
                "balance": _balance(played[series.key]),
            }
            for series in plan.series()
            if series.key.startswith(f"{OTHER_SEATS} ")
        ],
    }


def _first_roll(plan: Plan) -> Found | None:
    """Return how many results of a roll that begins a game are drawn in a report, where the rules have more."""
    awaited = GAMES[plan.game].restore(plan.seats, plan.options).to_act
    match = follow(plan.game, plan.seats, plan.options, ())
    if not isinstance(awaited, Chance) or not match.board.kernel.fast:
        return None
    drawn = len(match.legal())
    return {"what": awaited.what, "drawn": drawn, "faces": awaited.faces} if drawn < awaited.faces else None


def _weigh(game: str) -> Found:
    """Return how many bytes of code the rules of a game have, beside those of the smallest game."""
    sizes = {}
    for key, one in GAMES.items():
        source = sys.modules[type(one.start(one.seats[0], one.normalise({}))).__module__].__file__
        sizes[key] = sum(part.stat().st_size for part in Path(source or "").parent.glob("*.py"))
    least = min(sizes, key=lambda key: (sizes[key], key))
    return {
        "bytes": sizes[game],
        "reference": sizes[least],
        "ratio": sizes[game] / sizes[least],
        "reference_game": GAMES[least].title,
    }


def _length(game: Game) -> int:
    return len(game.choices)


def _lengths(games: Sequence[Game]) -> Found | None:
    """Return the lengths of games, with the most frequent ones and the middle one."""
    found = spread_of(map(_length, games))
    if found is None:
        return None
    counted = Counter(map(_length, games))
    most = max(counted.values())
    mode = sorted(length for length, count in counted.items() if count == most)
    return found | {"mode": mode, "median": median(map(_length, games))}


def _branching(games: Sequence[Game]) -> Found:
    """Return the mean number of choices of a step: of games, each of which counts once, and by step."""
    return {
        "mean": spread_of(fmean(game.choices) for game in games),
        "by_step": by_step([game.choices for game in games], enough(games)),
    }


def _complexity(plan: Plan, view: BoardView, games: Sequence[Game], *, played: Sequence[Game]) -> Found:
    """Return logarithms of base 10: a bound of the number of boards, and the size of the game tree."""
    logs = [log10(choices) for game in games for choices in game.choices]
    kinds = len(view.pieces) * (24 if any(_has_dice(plan, game) for game in played[:1]) else 1)
    tree = spread_of(sum(map(log10, game.choices)) for game in games)
    return {
        "kinds": kinds,
        "state_space": len(view.cells) * log10(1 + kinds) if kinds else None,
        "log_branching": fmean(logs) if logs else None,
        "game_tree": tree and tree["mean"],
        "tree": tree,
    }


def _has_dice(plan: Plan, game: Game) -> bool:
    """Return whether pieces are dice, which lie in 24 ways, as the end of a game shows."""
    position = GAMES[plan.game].restore(plan.seats, plan.options)
    for seat, text in game.record:
        position = advance(position, Entry(seat, text))
    return any(cell.die for cell in position.view().cells)


def _wins(games: Sequence[Game], seats: Sequence[int]) -> Found:
    """Return what the seat of each game, one for each, has won."""
    won = sum(game.rewards[seat] for game, seat in zip(games, seats, strict=True)) / WHOLE
    return asdict(share(won, len(games)))


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
    draws = sum(map(_is_draw, games))
    return {
        "seats": [{"seat": seat + 1, **_wins(games, [seat] * len(games))} for seat in range(seats)],
        "roles": [
            {"role": role, **_wins([game for game, _ in held], [seat for _, seat in held])}
            for role, held in sorted(by_role.items())
        ],
        "draws": asdict(share(draws, len(games))),
        "decisive": asdict(share(len(games) - draws, len(games))),
    }


def _auction(plan: Plan, games: Sequence[Game]) -> Found | None:
    """Return how many pieces were placed before the auction ended, and of how many games it was the end."""
    if not GAMES[plan.game].auction or not games:
        return None
    placed, never = _placed(plan, games)
    return {"placed": placed, "never_ended": never}


def _placed(plan: Plan, games: Sequence[Game]) -> tuple[Found | None, int]:
    """Return how many pieces were placed in auctions that ended, and how many never did."""
    ends = [(game, taker[0]) for game in games if (taker := find_taker(plan, game))]
    return spread_of(sum(ply < end for ply, *_ in game.placed) for game, end in ends), len(games) - len(ends)


def _takers(plan: Plan, games: Sequence[Game]) -> Found | None:
    """Return what those won who ended an auction; None where there is none."""
    taken = [(game, taker[1]) for game in games if (taker := find_taker(plan, game))]
    return _wins([game for game, _ in taken], [seat for _, seat in taken]) if taken else None


def _board_use(view: BoardView, games: Sequence[Game]) -> Found | None:
    return spread_of(100 * len({cell for _, _, cell in game.placed}) / len(view.cells) for game in games)


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
        return _wins([game for game, _ in kept], [seat for _, seat in kept])

    return {"all": of(lambda seat: True), "first": of(lambda seat: seat == 0), "later": of(lambda seat: seat > 0)}


def _rung(games: Sequence[Game]) -> Found:
    """Return what is said of games of unequal players besides: what the first seat won, and their length."""
    return {
        "first_seat": _wins(games, [0] * len(games)),
        "length": _lengths(games),
    }


def _curve(plan: Plan, played: _Played) -> list[Found]:
    """Return how games change with the playouts of both sides, those of the best players among them."""
    series = {plan.playouts: SEARCH}
    for one in plan.series():
        if one.key.startswith(f"{CURVE} "):
            series.setdefault(one.challenger.playouts, one.key)
    return [
        {
            "playouts": playouts,
            "length": _lengths(played[key]),
            "placed": _placed(plan, played[key])[0],
            "taker": _takers(plan, played[key]),
        }
        for playouts, key in sorted(series.items())
        if len(series) > 1 and played[key]
    ]


def _variants(plan: Plan, view: BoardView, played: _Played) -> list[Found]:
    """Return what other ways to search make of the game, below that of the best players."""
    keys = [SEARCH, *(series.key for series in plan.series() if series.key.startswith(f"{VARIANT} "))]
    return [
        {
            "key": key.removeprefix(f"{VARIANT} "),
            "length": _lengths(played[key]),
            "branching": _branching(played[key])["mean"],
            "board_use": _board_use(view, played[key]),
            "placed": _placed(plan, played[key])[0],
            "taker": _takers(plan, played[key]),
            "lead_changes": (find_drama(plan, played[key]) or {}).get("lead_changes"),
        }
        for key in keys
        if len(keys) > 1 and played[key]
    ]


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


def _opening_map(games: Sequence[Game]) -> Found:
    """Return of each cell how often one of a game's first pieces was placed there, and how many of them a winner's."""
    placed, won = Counter[str](), Counter[str]()
    for game in games:
        for _, seat, cell in game.placed[:_OPENING]:
            placed[cell] += 1
            won[cell] += game.rewards[seat] == WHOLE
    return {
        "placed": {cell: count / len(games) for cell, count in sorted(placed.items())},
        "won": {cell: won[cell] / count for cell, count in sorted(placed.items())},
    }
