"""Means, intervals, histograms and rows by step are those that were worked out by hand."""

from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.report.statistics import by_step, in_tenths, share, spread


def test_a_spread_is_that_of_a_sample() -> None:
    """The mean is 5, the squares are 32: a deviation of √(32 ∕ 7), and half an interval of 1.96 ∕ √8 times that."""
    found = spread([2, 4, 4, 4, 5, 5, 7, 9])
    assert found
    assert (found.count, found.mean, found.least, found.most) == (8, 5, 2, 9)
    assert isclose(found.deviation, 2.13809, rel_tol=1e-5)
    assert isclose(found.high - 5, 1.48161, rel_tol=1e-4)
    assert isclose(5 - found.low, found.high - 5)
    assert found.bars == ((2, 3, 1), (3, 4, 0), (4, 5, 3), (5, 6, 2), (6, 7, 0), (7, 8, 1), (8, 9, 0), (9, 10, 1))


def test_one_number_and_none() -> None:
    """One number has no deviation, and none is no spread."""
    found = spread([7.5])
    assert found
    assert (found.mean, found.deviation, found.low, found.high) == (7.5, 0, 7.5, 7.5)
    assert spread([]) is None


def test_bars_are_of_a_round_width() -> None:
    """From 0 to 86 in at most 21 bars: 4.3 becomes 5."""
    found = spread([0, 3, 86])
    assert found
    assert (found.bars[0], found.bars[1], found.bars[-1]) == ((0, 5, 2), (5, 10, 0), (85, 90, 1))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=50))
def test_bars_hold_every_number_once(values: list[float]) -> None:
    """Whatever the numbers are; and there are few bars."""
    found = spread(values)
    assert found
    assert sum(count for *_, count in found.bars) == len(values)
    assert 1 <= len(found.bars) <= 22


@pytest.mark.parametrize(
    ("won", "played", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (50, 100, 0.4038, 0.5962), (0, 0, 0, 1)],
)
def test_shares_have_the_interval_of_wilson(won: int, played: int, low: float, high: float) -> None:
    """8 of 10 is the example of textbooks: 0.490 to 0.943."""
    found = share(won, played)
    assert isclose(found.low, low, abs_tol=1e-4)
    assert isclose(found.high, high, abs_tol=1e-4)
    assert (found.won, found.played) == (won, played)
    assert found.low <= found.share <= found.high


def test_a_step_is_shown_while_enough_games_go_on() -> None:
    """Two of three games have a second step, one a third; what nobody knows is a gap."""
    assert by_step([[3, 5, 9], [5, None], [7]], least=1) == [5, 5, 9]
    assert by_step([[3, 5, 9], [5, None], [7]], least=2) == [5, 5]
    assert by_step([[None, 5], [None, 1]], least=2) == [None, 3]
    assert by_step([], least=2) == []


def test_tenths_of_games_of_any_length() -> None:
    """Twenty steps are two in each; a game of two steps has its first in the fifth tenth, its last in the tenth."""
    assert in_tenths([[float(step) for step in range(20)]]) == [0.5, 2.5, 4.5, 6.5, 8.5, 10.5, 12.5, 14.5, 16.5, 18.5]
    assert in_tenths([[1, 3]]) == [None, None, None, None, 1, None, None, None, None, 3]
