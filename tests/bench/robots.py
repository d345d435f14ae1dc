"""How fast the robots' boards are: uniform random playouts a second, compiled and as plain Python."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from time import process_time

from pbem.robots.boards import BOARDS
from pbem.robots.boards.pippinzip_play import FILLS
from pbem.robots.chance import state_of
from pbem.robots.thinking import follow
from rules.games import GAMES
from tests.bench.machine import calibrate
from tests.bench.report import Table

_SECONDS = 2.0

_PUBLISHED: dict[str, tuple[Mapping[str, object], str]] = {
    "zipline": ({"size": 13}, "23,013 (Ai Ai)"),
    "snipsnip": ({"board": "hex-5"}, "15,300 (100 × Ludii’s 153)"),
}
"""Options with which somebody else has measured a game, and their playouts a second."""


def by_board(tell: Callable[[str], None]) -> Table:
    """Return the table of all games that have a board of their own."""
    figures = dict[bool, list[float]]()
    for compiled in (True, False):
        tell("playouts of robots: " + ("compiled" if compiled else "pure"))
        environment = os.environ | {"NUMBA_DISABLE_JIT": "0" if compiled else "1"}
        command = [sys.executable, "-m", "tests.bench.robots"]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        figures[compiled] = json.loads(done.stdout)
    fills = {compiled: figure.pop() for compiled, figure in figures.items()}
    loop = calibrate(rounds=9).loop
    rows = [
        (
            f"{game}, {', '.join(f'{key} {value}' for key, value in options.items()) or 'default options'}",
            f"{compiled:,.0f}",
            f"{compiled * loop / 1000:.1f}",
            f"{pure:,.0f}",
            f"{pure * loop / 1000:.2f}",
            published,
        )
        for (game, options, published), compiled, pure in zip(_cases(), figures[True], figures[False], strict=True)
    ]
    meaning = (
        "Uniform random playouts from the opening in a second of CPU on one core: each step a legal action,"
        f" the fewest seats. × c: in the time of the calibration, a fixed loop in Python, {loop:.2f} ms here."
    )
    meaning += (
        f" In an auction of Zipline on 13×13, {fills[True]:,.0f} full boards a second are looked at, compiled, and"
        f" {fills[False]:,.0f} in plain Python."
    )
    return Table("Robots’ playouts", ("game", "compiled", "× c", "pure", "× c", "published"), tuple(rows), meaning)


def playouts(game: str, options: Mapping[str, object], seconds: float) -> float:
    """Return the playouts in a second of CPU, measured for ``seconds`` or a little longer."""
    rules = GAMES[game]
    match = follow(game, rules.seats[0], rules.normalise(options), [])
    kernel, opened, state = match.board.kernel, match.opened, match.state.copy()
    random, actions, finished = match.ints(1), match.ints(opened.most), 0
    random[0] = state_of(1)
    kernel.playout(opened.tables, state, random, actions)  # compiles it
    started = process_time()
    while (elapsed := process_time() - started) < seconds:
        for _ in range(10):
            state[:] = match.state
            kernel.playout(opened.tables, state, random, actions)
        finished += 10
    return finished / elapsed


def fills(seconds: float) -> float:
    """Return the full boards that an auction of Zipline is rated by in a second of CPU."""
    match = follow("zipline", 2, GAMES["zipline"].normalise({}), [])
    kernel, opened, rooted = match.board.kernel, match.opened, match.board.rooted
    assert kernel.estimate is not None
    assert rooted is not None
    root, _ = rooted(opened, match.state)
    state, random, rated = root.copy(), match.ints(1), 0
    rooms = match.ints(opened.most), match.ints(len(match.order))
    random[0] = state_of(1)
    kernel.estimate(opened.tables, state, random, *rooms)  # compiles it
    started = process_time()
    while (elapsed := process_time() - started) < seconds:
        for _ in range(10):
            state[:] = root
            kernel.estimate(opened.tables, state, random, *rooms)
        rated += 10
    return rated * FILLS / elapsed


def _cases() -> Iterator[tuple[str, Mapping[str, object], str]]:
    """Yield each game that has a board, the options to measure it with, and what others published."""
    for game in BOARDS:
        yield (game, *_PUBLISHED.get(game, ({}, "")))


if __name__ == "__main__":
    print(json.dumps([playouts(game, options, _SECONDS) for game, options, _ in _cases()] + [fills(_SECONDS)]))
