"""The board of Pipline and Zipline plays by the rules."""

from collections.abc import Hashable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.robots.lockstep import in_step, same_compiled
from tests.support.examples import examples

_VARIANTS: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("pipline", 2, {}),
    ("zipline", 2, {}),
    ("zipline", 2, {"freestyle": True}),
    ("zipline", 3, {}),
    ("zipline", 3, {"partner_gap": True}),
)
_SIZES = (5, 5, 6, 7, 9, 13, 19)


def _same(text: str) -> Hashable:
    """Stones may be placed in any order, unless one wins before the others."""
    return frozenset(text.split())


@pytest.mark.parametrize(("game", "seats", "options"), _VARIANTS)
@given(seed=st.integers(0, 2**32), size=st.sampled_from(_SIZES), leaving=st.sampled_from((0, 0, 0.05, 0.3)))
@examples(150)
def test_a_random_match_goes_as_by_the_rules(
    game: str, seats: int, options: dict[str, object], seed: int, size: int, leaving: float
) -> None:
    """Seat to act, whole moves, seats that leave and winners, on boards of any size."""
    in_step(game, seats, options | {"size": size}, seed, leaving=leaving, same=_same)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats", "options"), _VARIANTS)
def test_the_compiled_board_plays_the_same(game: str, seats: int, options: dict[str, object]) -> None:
    """The same matches, playouts and searches from the same seeds."""
    same_compiled(game, seats, options | {"size": 7}, range(10))
