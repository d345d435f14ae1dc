"""How fast the rules are: whole random matches in a second."""

from collections.abc import Callable
from random import Random
from time import perf_counter

from rules.games import GAMES
from rules.position import Chance
from tests.bench.report import Table

_SECONDS = 1.0


def by_game(tell: Callable[[str], None]) -> Table:
    """Return the table of the games."""
    rows = []
    for key in GAMES:
        tell(f"playouts: {key}")
        rows.append((key, f"{playouts(key, _SECONDS):.0f}"))
    meaning = "Whole random matches a second by the clock, the rules alone: default options, the fewest seats."
    return Table("Random playouts", ("game", "matches/s"), tuple(rows), meaning)


def playouts(game_key: str, seconds: float) -> float:
    """Return how many random matches a second the rules play, measured for ``seconds`` or a little longer.

    Default options, the smallest number of seats, moves from ``any_move``, rolls from the same random numbers.
    """
    game, uniform = GAMES[game_key], Random(1).random

    def pick(n: int) -> int:
        return int(uniform() * n)

    finished, started = 0, perf_counter()
    while (elapsed := perf_counter() - started) < seconds:
        position = game.begin(game.seats[0], {})
        while (awaited := position.to_act) is not None:
            if isinstance(awaited, Chance):
                position = position.roll(1 + pick(awaited.faces))
            else:
                position = position.play(position.any_move(pick))
        finished += 1
    return finished / elapsed
