"""Ratings by month, from results."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.clubs.glicko2 import FIRST, Bout, Rating, rate
from pbem.clubs.ratings import MOST_IN_A_MONTH, OPPONENTS, Ratings, month_of, name_month
from pbem.clubs.results import Part, Result

BEGUN = datetime(2026, 11, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def result(
    match: int,
    *players: int,
    won: tuple[int, ...] = (0,),
    day: float = 0,
    timed_out: int | None = None,
    rated: bool = True,
) -> Result:
    """Return how a match ended, so many days after the first, won by the seats ``won``; nobody: drawn."""
    seats = range(len(players))
    parts = tuple(
        Part(
            players[seat],
            int(seat in won) if won else seat,
            float(seat in won) if won else 0.5,
            9,
            int(seat == timed_out),
            seat == timed_out,
        )
        for seat in seats
    )
    return Result(match, "pipline", BEGUN + day * DAY, rated, True, parts)


def after(*results: Result) -> Ratings:
    """Return the ratings after these results."""
    ratings = Ratings()
    for one in results:
        ratings.note(one.match, one)
    ratings.refresh()
    return ratings


def points(ratings: Ratings, *players: int) -> list[float | None]:
    """Return the points of players, rounded."""
    return [round(one.points, 6) if (one := ratings.of(player)) else None for player in players]


@st.composite
def seasons(draw: st.DrawFn) -> list[Result]:
    """Return results of some months between a few players, of two or three at a board."""
    found = []
    for match in range(draw(st.integers(1, 14))):
        seats = draw(st.integers(2, 3))
        players = draw(st.permutations(range(5)))[:seats]
        won = draw(st.sampled_from([(), (0,), (1,), (0, 2)[: seats - 1]]))
        loser = next((seat for seat in range(seats) if won and seat not in won), None)
        gone = loser if draw(st.booleans()) else None
        found.append(result(match, *players, won=won, day=draw(st.integers(0, 80)), timed_out=gone))
    return found


def test_a_month_has_a_name() -> None:
    """As people write it; it begins at midnight in UTC."""
    assert name_month(month_of(BEGUN)) == "2026-11"
    assert name_month(month_of(BEGUN - timedelta(seconds=1))) == "2026-10"
    assert month_of(datetime(2027, 1, 1, tzinfo=UTC)) == month_of(BEGUN) + 2


def test_two_players_are_rated_as_in_the_paper() -> None:
    """All results of a month together, against what the others were at its beginning."""
    ratings = after(result(1, 7, 8), result(2, 8, 7, day=3), result(3, 7, 9, day=29))
    newcomer = Rating()
    won, lost = (Bout(newcomer.points, newcomer.deviation, score) for score in (1.0, 0.0))
    assert ratings.of(7) == rate(newcomer, [won, lost, won])
    assert ratings.of(8) == rate(newcomer, [lost, won])
    assert ratings.of(6) is None


@given(seasons(), st.randoms(use_true_random=False))
def test_the_order_of_reading_changes_nothing(season: list[Result], random: Random) -> None:
    """Not a bit, also if they are read one after the other, with a look in between."""
    wanted = after(*season)
    shuffled = [*season]
    random.shuffle(shuffled)
    ratings = Ratings()
    for one in shuffled:
        ratings.note(one.match, one)
        ratings.refresh()
    assert [ratings.of(player) for player in range(5)] == [wanted.of(player) for player in range(5)]
    assert [ratings.curve(player) for player in range(5)] == [wanted.curve(player) for player in range(5)]


@given(st.permutations(range(6)))
def test_the_order_of_results_within_a_month_changes_nothing(days: list[int]) -> None:
    """Whoever was met first."""
    games = [(1, 2), (2, 3), (3, 1), (1, 4), (4, 2), (3, 4)]
    wanted = after(*(result(match, *players, day=match) for match, players in enumerate(games)))
    found = after(
        *(result(match, *players, day=day) for day, (match, players) in zip(days, enumerate(games), strict=True))
    )
    assert [found.of(player) for player in range(5)] == [wanted.of(player) for player in range(5)]


@given(seasons(), seasons())
def test_what_is_taken_back_leaves_nothing_behind(season: list[Result], more: list[Result]) -> None:
    """A ruling or a merger: ratings are those of the results that there are."""
    ratings = after(*season)
    for one in more:
        ratings.note(one.match + 100, replace(one, match=one.match + 100))
    ratings.refresh()
    for one in more:
        ratings.note(one.match + 100, None)
    ratings.refresh()
    assert [ratings.of(player) for player in range(5)] == [after(*season).of(player) for player in range(5)]


@pytest.mark.parametrize("single_wins", [True, False])
def test_equals_of_three_stay_equal(single_wins: bool) -> None:
    """Each was single once, in one month, and all fared alike: nobody has gained, and nobody has lost."""
    circles = [(1, 2, 3), (2, 3, 1), (3, 1, 2)]
    ratings = after(
        *(result(match, *players, won=(0,) if single_wins else (1, 2)) for match, players in enumerate(circles))
    )
    assert points(ratings, 1, 2, 3) == [FIRST] * 3


@given(seasons())
def test_a_match_between_equals_makes_hardly_any_points(season: list[Result]) -> None:
    """What one side gains the other loses, of two and of three, or nearly so."""
    first = [one for one in season if month_of(one.at) == month_of(BEGUN)][:1]
    ratings = after(*first)
    found = [one.points - FIRST for player in range(5) if (one := ratings.of(player))]
    gained = [one for one in found if one > 0]
    # A partner has half of the match, and stays less certain: what they gain is a little more than half.
    assert abs(sum(found)) <= 0.2 * max(sum(gained), -sum(found) + sum(gained))


def test_the_single_player_is_met_as_half_of_what_the_pair_is_not_twice() -> None:
    """Between three equals either side is expected to win every second match."""
    ratings = after(result(1, 1, 2, 3, won=(0,)))
    one, two = after(result(1, 1, 2)).of(1), ratings.of(1)
    assert one == two
    gained = [round(found - FIRST) for found in points(ratings, 2, 3) if found]
    assert gained[0] == gained[1] < 0
    assert abs(gained[0]) < 0.7 * (points(ratings, 1)[0] or 0) - 0.7 * FIRST


def test_ten_timeouts_cost_once() -> None:
    """Somebody is away, and loses all their matches in a fortnight: they were away once."""
    ten = after(*(result(number, number + 10, 1, timed_out=1, day=number) for number in range(10)))
    once = after(result(0, 10, 1, timed_out=1))
    assert ten.of(1) == once.of(1)
    assert [ten.of(number + 10) for number in range(1, 10)] == [None] * 9
    later = after(result(0, 10, 1, timed_out=1), result(1, 11, 1, timed_out=1, day=14))
    assert later.of(1) != once.of(1)


def test_timeouts_of_others_are_their_own() -> None:
    """Whoever wins on time twice has won twice."""
    twice = after(result(0, 1, 2, timed_out=1), result(1, 1, 3, timed_out=1))
    assert twice.of(1) == after(result(0, 1, 2), result(1, 1, 3)).of(1)


def test_a_month_counts_few_matches_of_the_same_players() -> None:
    """Two addresses of one person can't hand on as many points as they like; in the next month they count again."""
    many = after(*(result(number, 1, 2, day=number) for number in range(MOST_IN_A_MONTH + 5)))
    few = after(*(result(number, 1, 2, day=number) for number in range(MOST_IN_A_MONTH)))
    assert many.of(1) == few.of(1)
    again = after(*(result(number, 1, 2, day=10 * number) for number in range(MOST_IN_A_MONTH + 3)))
    assert again.of(1) != few.of(1)


def test_whoever_is_losing_cannot_wait_until_it_counts_no_more() -> None:
    """Of too many matches of a month those that began first count, whichever ends first."""
    lost, won = [(0, (1,)), (1, (1,))], [(2, (0,)), (3, (0,)), (4, (0,))]
    first, last = (
        after(*(result(number, 1, 2, won=winner, day=day) for day, (number, winner) in enumerate(order)))
        for order in (lost + won, won + lost)
    )
    assert first.of(1) == last.of(1) == after(*(result(number, 1, 2, won=one) for number, one in (*lost, won[0]))).of(1)


def test_a_partners_absence_excuses_nobody() -> None:
    """Bob, who is Ann, runs out of time whenever the two of them lose: only who alone loses by it was away once."""
    away = result(0, 8, 2, timed_out=1)
    lost = result(1, 1, 2, 3, won=(2,), timed_out=1, day=1)
    assert after(away, lost).of(1) == after(result(1, 1, 2, 3, won=(2,), day=1)).of(1)


def test_to_run_out_of_time_and_win_excuses_nothing() -> None:
    """The partner played on, and won: the next loss on time is the first."""
    won = result(0, 1, 2, 3, won=(0, 1), timed_out=0)
    assert after(won, result(1, 1, 4, won=(1,), timed_out=0, day=1)).of(4) is not None


def test_what_does_not_count_moves_no_rating() -> None:
    """Nor gives anybody one."""
    assert after(result(1, 1, 2, rated=False)).of(1) is None


def test_months_without_a_match_make_a_rating_less_certain() -> None:
    """By what the game has seen meanwhile: a month in which nobody played is none."""
    ratings = after(result(1, 1, 2), result(2, 3, 4, day=65))
    marks = ratings.curve(1)
    assert [name_month(one.month) for one in marks] == ["2026-11", "2026-12", "2027-01"]
    assert marks[0].rating.deviation < marks[1].rating.deviation < marks[2].rating.deviation
    assert len({one.rating.points for one in marks}) == 1
    assert marks[-1].rating == ratings.of(1)


def test_refreshing_names_who_has_another_rating() -> None:
    """In the same month those of the match; in another all, who are less certain now."""
    ratings = after(result(1, 1, 2), result(2, 3, 4))
    ratings.note(3, result(3, 1, 5, day=2))
    assert ratings.refresh() == {1, 5}
    assert ratings.refresh() == set()
    ratings.note(4, result(4, 1, 5, day=40))
    assert ratings.refresh() == {1, 2, 3, 4, 5}


def test_the_best_are_known_well_and_have_met_several() -> None:
    """One lucky win puts nobody on top, nor do many against one person; who wants no page isn't there."""
    others = [
        result(10 * number + other, other, number, won=(1,), day=number)
        for number in (1, 2)
        for other in (5, 6, 7, 8, 9, 10, 11)
    ]
    ratings = after(*others, result(500, 3, 4), *(result(600 + day, 21, 22, day=day) for day in range(0, 200, 10)))
    assert [player for player, _ in ratings.best(10)][:2] == [1, 2]
    assert {3, 21}.isdisjoint(player for player, _ in ratings.best(10))
    assert [player for player, _ in ratings.best(1, without={1})] == [2]
    assert OPPONENTS == 3


def test_a_chain_of_timeouts_is_the_same_in_any_order() -> None:
    """The first is the one that ended first."""
    ends = [result(number, number + 10, 1, timed_out=1, day=10 * number) for number in range(4)]
    wanted = points(after(*ends), 1, 10, 11, 12, 13)
    for order in permutations(ends):
        assert points(after(*order), 1, 10, 11, 12, 13) == wanted
    assert wanted[2] is None
    assert wanted[3] is not None
