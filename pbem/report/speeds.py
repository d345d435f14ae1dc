"""How fast this machine plays and searches a game: the only figures of a report that another machine would not repeat.

Noughts and crosses is the reference game: how many times as fast it is says how much work a game is, on any machine.
Playouts fill a board in one go, so that how long they are is sampled: a step as often as the search tried it, then
random steps to the end.
"""

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from statistics import fmean, stdev
from time import perf_counter
from typing import Any

from pbem.report.course import Found
from pbem.report.minds import search
from pbem.report.plan import AS_PUBLISHED, PROFILES, Plan
from pbem.robots.board import CHANCE, OVER, WHOLE, Kernel, State
from pbem.robots.chance import below
from pbem.robots.compiled import Ints, bound, compiled, zeros
from pbem.robots.thinking import Line, Match, follow

_TRIALS = 10
_STEPS = 5
_SAMPLES = 40
_MIND = PROFILES[AS_PUBLISHED]


@compiled
def _cross_legal(tables: Ints, state: Ints, actions: Ints) -> int:
    count = 0
    for cell in range(9):
        if not (state[0] | state[1]) >> cell & 1:
            actions[count] = cell
            count += 1
    return count


@compiled
def _cross_play(tables: Ints, state: Ints, action: int) -> None:
    """Place a sign; the state: the cells of both seats, a bit for each, whose turn it is, and who has won, from 1."""
    seat = state[2]
    signs = state[seat] | 1 << action
    state[seat] = signs
    state[2] = 1 - seat
    for line in (7, 56, 448, 73, 146, 292, 273, 84):
        if signs & line == line:
            state[3] = seat + 1


@compiled
def _cross_actor(tables: Ints, state: Ints) -> int:
    return OVER if state[3] > 0 or state[0] | state[1] == 511 else state[2]


@compiled
def _cross_rewards(tables: Ints, state: Ints, rewards: Ints) -> None:
    for seat in range(2):
        rewards[seat] = WHOLE // 2 if state[3] == 0 else WHOLE * (state[3] == seat + 1)


@compiled
def _cross_playout(tables: Ints, state: Ints, random: Ints, actions: Ints) -> None:
    left = _cross_legal(tables, state, actions)
    while left > 0 and state[3] == 0:
        place = below(random, left)
        _cross_play(tables, state, actions[place])
        left -= 1
        actions[place] = actions[left]


CROSSES = Kernel(_cross_legal, _cross_play, _cross_actor, _cross_rewards, _cross_playout)
"""Noughts and crosses, on the interface of robots' boards; it takes any tables, and four zeros for its state."""


def _unbound(*_: Any) -> Any:
    """Stand for the playout of a kernel where none is bound."""
    raise NotImplementedError


playout = _unbound


def _many(tables: State, opened: State, random: Ints, actions: Ints, count: int) -> None:
    state = opened.copy()
    for _ in range(count):
        state[:] = opened[:]
        playout(tables, state, random, actions)


@cache
def _playing(kernel: Kernel) -> Callable[..., None]:
    """Return what plays many random games over ``kernel``."""
    return bound(_many, {"playout": kernel.playout}, kernel.fast)


def measure_speeds(plan: Plan, seconds: float) -> Found:
    """Return the speeds of one core, found in about so many seconds: of random games, and of plain searches."""
    match, random = follow(plan.game, plan.seats, plan.options, ()), plan.randomness("speed", 0)
    rates = _rate(match, match.board.kernel, match.state, seconds / 4)
    steps = fmean(_play_out(match.copy(), random) for _ in range(2 * _SAMPLES))
    reference = fmean(_rate(match, CROSSES, zeros(4), seconds / 4))
    playouts = max(2, int(fmean(rates) * seconds / (4 * _STEPS)))
    return {
        "random": {
            **_say("rate", "deviation", rates),
            **_say("nodes", "nodes_deviation", [steps * rate for rate in rates]),
        },
        "flat": _search(match, playouts, random, flat=True),
        "tree": _search(match, playouts, random, flat=False),
        "reference": {"rate": _round(reference)},
        "ratio": _round(reference / fmean(rates)),
    }


def _rate(match: Match, kernel: Kernel, state: State, seconds: float) -> list[float]:
    """Return how many games a second ``kernel`` plays from ``state`` to the end, in several trials."""
    make = zeros if kernel.fast else lambda count: [0] * count
    random, actions = make(1), make(max(9, match.opened.most))
    random[0] = 1 << 32 | 1
    play, tables = _playing(kernel), match.opened.tables

    def last(count: int) -> float:
        begun = perf_counter()
        play(tables, state, random, actions, count)
        return perf_counter() - begun

    last(1)  # the first compiles it
    count, lasted = 1, last(1)
    while lasted < seconds / (2 * _TRIALS):
        count *= 2
        lasted = last(count)
    return [count / last(count) for _ in range(_TRIALS)]


def _search(match: Match, playouts: int, random: Random, *, flat: bool) -> Found:
    """Return how fast the first steps of a game are searched, and how long the playouts are from there."""
    match, rates, lengths = match.copy(), list[float](), list[float]()
    search(match, _MIND, 2, 0, flat=flat)  # the first compiles it
    for _ in range(_STEPS):
        while match.actor == CHANCE:
            match.play(random.choice(match.legal()))
        if match.actor == OVER:
            break
        begun = perf_counter()
        lines = search(match, _MIND, playouts, random.getrandbits(62), flat=flat)
        rates.append(playouts / (perf_counter() - begun))
        lengths += [_sample(match, lines, random) for _ in range(_SAMPLES)]
        match.play(lines[0].action)
    return {**_say("rate", "deviation", rates), **_say("length", "length_deviation", lengths)}


def _sample(match: Match, lines: Sequence[Line], random: Random) -> int:
    """Return the steps of one playout as a search makes them."""
    after = match.copy()
    after.play(random.choices([line.action for line in lines], [line.playouts for line in lines])[0])
    return 1 + _play_out(after, random)


def _play_out(match: Match, random: Random) -> int:
    """Play random steps to the end of a match, and return their number."""
    steps = 0
    while match.actor != OVER:
        steps += match.actor != CHANCE
        match.play(random.choice(match.legal()))
    return steps


def _say(name: str, deviation: str, values: Sequence[float]) -> Found:
    """Return mean and deviation of what was measured, as JSON."""
    return {name: _round(fmean(values)), deviation: _round(stdev(values) if len(values) > 1 else 0.0)}


def _round(value: float) -> float:
    """Return a number as exact as a measurement is."""
    return float(f"{value:.4g}")
