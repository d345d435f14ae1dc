"""Boards within so many steps: those of Zipline are published, those of other games can be counted in one’s head."""

import os
import subprocess
import sys
from math import comb

import pytest

from pbem.report.perft import perft
from pbem.report.plan import make_plan

_IN_DEPTH = """
from pbem.report.perft import perft
from pbem.report.plan import make_plan
print([row["boards"] for row in perft(make_plan("zipline", 2, {}, 8, 1, 1))])
"""


def _boards(game: str, options: dict[str, object], deepest: int) -> list[int]:
    found = perft(make_plan(game, 2, options, 8, 1, 1), deepest)
    assert [row["depth"] for row in found] == [*range(len(found))]
    assert not any(row["wins"] for row in found)
    return [row["boards"] for row in found]


def _zipline(size: int) -> list[int]:
    """Return the boards with up to three white stones; of those with a black one, “take” and two apart are most."""
    points, edges = size * size, 2 * size * (size - 1)
    two = comb(points, 2) + 2 * points + 1
    return [1, points + 1, two, two + comb(points, 3) + comb(points, 2) - edges]


def test_zipline_has_the_boards_that_there_can_be() -> None:
    """On 13×13 as many as are published."""
    assert _boards("zipline", {"size": 5}, 3) == _zipline(5)
    assert _boards("zipline", {}, 1) == [1, 170]
    assert _zipline(13) == [1, 170, 14535, 818663]


@pytest.mark.nightly("compiles, and counts five million boards")
def test_zipline_has_the_published_boards() -> None:
    """Counted one by one, and no deeper."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "0"}
    said = subprocess.run(
        [sys.executable, "-c", _IN_DEPTH], env=environment, capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == "[1, 170, 14535, 818663]"


def test_rolls_are_no_steps() -> None:
    """One die of either colour: 24 ways to lie on each of 16 cells; or none."""
    assert _boards("pippip", {}, 1) == [1, 1 + 2 * 24 * 16]


def test_stones_of_snipsnip_stand_anywhere() -> None:
    """White’s on any of 18 cells, then Black’s on any other."""
    assert _boards("snipsnip", {}, 2) == [1, 19, 1 + 18 + 18 * 17]
