"""The board of Pip•Pip plays by the rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.robots.lockstep import in_step, same_compiled
from tests.support.examples import examples


@given(seed=st.integers(0, 2**32), leaving=st.sampled_from((0, 0, 0.05, 0.3)))
@examples(50)
def test_a_random_match_goes_as_by_the_rules(seed: int, leaving: float) -> None:
    """Seat to act, whole moves, rolls, seats that leave and scores."""
    in_step("pippip", 2, {}, seed, leaving=leaving)


@pytest.mark.slow
def test_the_compiled_board_plays_the_same() -> None:
    """The same matches, playouts and searches from the same seeds."""
    same_compiled("pippip", 2, {}, range(10))
