"""The board of Pip•Pip plays by the rules."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.robots.boards.pippip import PIPPIP
from pbem.robots.thinking import Match
from rules.position import Position
from tests.robots.lockstep import in_step, same_compiled
from tests.robots.matches import play_match
from tests.support.examples import examples


@given(seed=st.integers(0, 2**32), leaving=st.sampled_from((0, 0, 0.05, 0.3)))
@examples(50)
def test_a_random_match_goes_as_by_the_rules(seed: int, leaving: float) -> None:
    """Seat to act, whole moves, rolls, seats that leave and scores."""
    in_step("pippip", 2, {}, seed, leaving=leaving, alike=_same_owners, foolish=_idle)


def _idle(match: Match, text: str) -> bool:
    """Return whether a die is stored, or was, that is then placed at once although nothing else was tried."""
    state, seat = match.state, match.actor
    count, *faces = (int(number) for number in state[22 + 7 * seat : 29 + 7 * seat])
    may_roll = count + (text == "store") < min(3, (state[21] + 1) // 2)
    if text == "store":
        others = count - faces[state[19] - 1]
        return not may_roll and not others
    stored = int(state[20]) if not state[19] else 0
    return bool(stored) and text.startswith(f"use {stored} ") and (may_roll or count > faces[stored - 1])


@pytest.mark.parametrize("strength", [1, 2])
def test_no_die_is_stored_only_to_be_placed_at_once(strength: int) -> None:
    """A beginner would laugh at that."""
    played = play_match("pippip", 2, {}, [PIPPIP.budgets[strength - 1] // 10] * 2, Random(strength)).record
    moves = [entry.text for entry in played]
    for place, text in enumerate(moves):
        if text == "store":
            assert not moves[place + 1].startswith(f"use {moves[place - 1]} ")


def _same_owners(position: Position[Any], match: Match) -> None:
    """Assert that each die is of the same colour: what was taken over shows nowhere else before the scores."""
    names = [f"{column}{row}" for row in "1234" for column in "abcd"]
    cells = {cell.name: cell.piece for cell in position.view().cells}
    by_rules = [0 if (piece := cells[name]) is None else 1 + (piece.symbol == "D") for name in names]
    assert [0 if not die else 1 + die % 2 for die in match.state[:16]] == by_rules


@pytest.mark.slow("compiles")
def test_the_compiled_board_plays_the_same() -> None:
    """The same matches, playouts and searches from the same seeds."""
    same_compiled("pippip", 2, {}, range(10))
