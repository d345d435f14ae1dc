"""The board of Pipelines plays by the rules."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.robots.thinking import Match
from rules.board.hexagon import hexagon
from rules.errors import RulesError
from rules.position import Position
from tests.robots.lockstep import in_step, one_by_day, same_compiled
from tests.support.examples import examples

# Matches on large boards take seconds.
_VARIANTS = (
    (2, 7),
    (3, 7),
    pytest.param(2, 8, marks=pytest.mark.slow("plays long matches, or compiles")),
    pytest.param(3, 10, marks=pytest.mark.slow("plays long matches, or compiles")),
)


def _same_cells(position: Position[Any], match: Match, random: Random) -> None:
    """Assert that the same cells can follow the beginning of some line that neither attacks nor ends the turn.

    Every tenth time, since all the cells of the board are tried.
    """
    if random.randrange(10):
        return
    cells = sum(1 for cell in position.view().cells)
    names = next(list(hexagon(side, side).places) for side in (7, 8, 10) if cells == 3 * side * (side - 1) + 1)
    begun, line, end = match.copy(), list[str](), len(names)
    for _ in range(random.randrange(4)):
        following, action = begun.copy(), random.choice(begun.legal())
        following.play(action)
        if action != end and following.actor == match.actor:
            begun = following
            line.append(names[action])
    assert {names[action] for action in begun.legal() if action != end} == {
        name for name in names if name not in line and _accepted(position, " ".join([*line, name]))
    }
    assert (end in match.legal()) == _accepted(position, "pass")


def _accepted(position: Position[Any], text: str) -> bool:
    """Return whether the rules allow a line."""
    try:
        position.play(position.parse(text))
    except RulesError:
        return False
    return True


@pytest.mark.parametrize(("seats", "size"), _VARIANTS)
@given(
    seed=st.integers(0, 2**32),
    leaving=st.sampled_from((0, 0, 0.01, 0.2)),
    version=st.sampled_from((2, 2, 1)),
)
@examples(50, quickly=4)
def test_a_random_match_goes_as_by_the_rules(seats: int, size: int, seed: int, leaving: float, version: int) -> None:
    """The layout, whose turn it is, cells, battles, lines that go on after them, seats that leave, and winners."""
    in_step("pipelines", seats, {"size": size, "rules": version}, seed, leaving=leaving, further=_same_cells)


@pytest.mark.slow("plays long matches, or compiles")
@pytest.mark.parametrize(("seats", "size"), one_by_day([(2, 7), (3, 10)]))
def test_the_compiled_board_plays_the_same(seats: int, size: int) -> None:
    """The same layouts, matches, playouts and searches from the same seeds."""
    same_compiled("pipelines", seats, {"size": size}, range(2), playouts=5)
