"""Ratings as Glickman's paper has them."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from pbem.clubs.glicko2 import FIRST, SCALE, WIDEST, Bout, Rating, rate, widen

RATINGS = st.builds(Rating, st.floats(500, 2800), st.floats(30, WIDEST), st.floats(0.03, 0.1))
BOUTS = st.builds(
    Bout, st.floats(500, 2800), st.floats(30, WIDEST), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.5, 1.0])
)
MONTHS = st.lists(BOUTS, max_size=12)


def test_the_worked_example_of_the_paper() -> None:
    """To four digits: a win against 1400 ± 30, losses against 1550 ± 100 and 1700 ± 300.

    The paper goes on with rounded numbers, so its points are those of what it has rounded.
    """
    found = rate(Rating(1500, 200, 0.06), [Bout(1400, 30, 1), Bout(1550, 100, 0), Bout(1700, 300, 0)])
    points, deviation = round((found.points - FIRST) / SCALE, 4), round(found.deviation / SCALE, 4)
    assert (points, deviation) == (-0.2069, 0.8722)
    assert (round(SCALE * points + FIRST, 2), round(SCALE * deviation, 2)) == (1464.06, 151.52)
    assert abs(found.points - 1464.06) < 0.01
    assert round(found.deviation, 2) == 151.52
    assert abs(found.volatility - 0.05999) < 0.00001


def test_a_newcomer_is_1500_and_nothing_is_known_of_them() -> None:
    """Where everybody begins."""
    assert Rating() == Rating(FIRST, WIDEST, 0.06)


@given(RATINGS, MONTHS, st.randoms())
def test_the_order_of_matches_changes_nothing(rating: Rating, bouts: list[Bout], random: Random) -> None:
    """Not a bit of any number."""
    shuffled = [*bouts]
    random.shuffle(shuffled)
    assert rate(rating, shuffled) == rate(rating, bouts)


@given(RATINGS, BOUTS)
def test_a_win_brings_points_and_a_loss_costs_them(rating: Rating, bout: Bout) -> None:
    """Whoever the other one is."""
    won, lost = (rate(rating, [Bout(bout.points, bout.deviation, score, bout.weight)]) for score in (1, 0))
    assert won.points >= rating.points >= lost.points
    assert won.points > lost.points


@given(RATINGS, RATINGS)
def test_a_draw_brings_two_players_nearer(one: Rating, other: Rating) -> None:
    """The stronger one loses by it, and never more than the distance."""
    after = rate(one, [Bout(other.points, other.deviation, 0.5)])
    assert abs(after.points - other.points) <= abs(one.points - other.points)


@given(RATINGS, st.integers(1, 60), st.integers(1, 60))
def test_months_without_a_match_make_a_rating_less_certain(rating: Rating, few: int, more: int) -> None:
    """In whatever steps they are counted, and never less certain than a newcomer's."""
    after = widen(widen(rating, few), more)
    assert rating.deviation <= after.deviation <= WIDEST
    assert abs(after.deviation - widen(rating, few + more).deviation) < 1e-9
    assert (after.points, after.volatility) == (rating.points, rating.volatility)


@given(RATINGS, BOUTS)
def test_half_a_match_moves_a_rating_less(rating: Rating, bout: Bout) -> None:
    """As that of a partner does."""
    whole, half = (rate(rating, [Bout(bout.points, bout.deviation, bout.score, weight)]) for weight in (1.0, 0.5))
    assert abs(half.points - rating.points) <= abs(whole.points - rating.points)
    assert half.deviation >= whole.deviation
