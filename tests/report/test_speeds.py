"""Speeds are numbers above nothing, and the game that all are compared with is noughts and crosses."""

import pytest

from pbem.report.plan import make_plan
from pbem.report.speeds import CROSSES, measure_speeds
from pbem.robots.board import OVER, WHOLE
from pbem.robots.compiled import zeros


def test_crosses_are_played_by_their_rules() -> None:
    """Three in a row win, and a full board without them is a draw."""
    legal, play, actor = CROSSES.legal, CROSSES.play, CROSSES.actor
    state, rewards, actions = zeros(4), zeros(2), zeros(9)
    for cell in (0, 3, 1, 4):
        play(zeros(1), state, cell)
    assert [int(cell) for cell in actions[: legal(zeros(1), state, actions)]] == [2, 5, 6, 7, 8]
    assert actor(zeros(1), state) == 0
    play(zeros(1), state, 2)
    assert actor(zeros(1), state) == OVER
    CROSSES.rewards(zeros(1), state, rewards)
    assert list(rewards) == [WHOLE, 0]
    state = zeros(4)
    for cell in (0, 1, 2, 4, 3, 5, 7, 6, 8):
        play(zeros(1), state, cell)
    assert actor(zeros(1), state) == OVER
    CROSSES.rewards(zeros(1), state, rewards)
    assert list(rewards) == [WHOLE // 2, WHOLE // 2]


@pytest.mark.slow("measures time")
def test_speeds_are_measured() -> None:
    """Each with a deviation; playouts are about as long as games."""
    found = measure_speeds(make_plan("pippip", 2, {}, 8, 1, 1), 0.05)
    assert found["ratio"] > 0
    for key, others in (("random", ("rate", "nodes")), ("flat", ("rate", "length")), ("tree", ("rate", "length"))):
        assert all(found[key][name] > 0 for name in others)
    assert 14 <= found["flat"]["length"] <= 20
