"""What is played: series, their players and their seeds, and what is no plan."""

import pytest

from pbem.errors import BadInput
from pbem.report.plan import Player, make_plan


def test_the_ladder_goes_down_by_halves() -> None:
    """Each rung is half the one above, and none is of so few playouts that it says nothing."""
    plan = make_plan("snipsnip", None, {}, 40, 10, 1)
    rungs = [(one.challenger.playouts, one.others.playouts) for one in plan.series() if one.key.startswith("ladder")]
    assert rungs == [(40, 20), (20, 10), (10, 5)]


def test_a_published_profile_is_plain_and_has_what_tells_where_its_figures_come_from() -> None:
    """10,500 playouts, a thousand games a rung, a curve from 1,000 to 22,500, and what separates auction from hints."""
    series = {one.key: one for one in make_plan("zipline", None, {}, None, 200, 1, profile="published").series()}
    assert series["search"].challenger == Player("search", 10_500, "plain")
    assert [key for key in series if key.startswith("curve")] == [
        f"curve {count}" for count in (1000, 3000, 8500, 15_000, 22_500)
    ]
    assert (series["ladder 3 0"].games, series["ladder 3 0"].others) == (1000, Player("random"))
    variants = [series[f"variant {mind}"] for mind in ("hints after", "plain after", "no opening")]
    assert [(one.games, one.challenger.mind) for one in variants] == [
        (200, "hints after"),
        (200, "plain after"),
        (200, "no opening"),
    ]
    others = make_plan("pippip", None, {}, 42, 10, 1, profile="published").series()
    assert not [one for one in others if one.key.startswith("variant")]


def test_everybody_plays_at_every_seat() -> None:
    """The challenger of a series is first in half of its games."""
    plan = make_plan("zipline", 3, {"size": 5}, 16, 6, 1)
    series = {one.key: one for one in plan.series()}
    mirror, search = Player("mirror"), Player("search", 16)
    assert [series["naive mirror"].players(number) for number in range(3)] == [
        (mirror, search, search),
        (search, mirror, search),
        (search, search, mirror),
    ]
    assert series["seats 2"].seats == 2


@pytest.mark.parametrize("written", ["pippip", "Pip•Pip", "pip-pip", "PIP PIP"])
def test_a_game_is_found_by_its_title_too(written: str) -> None:
    """A report is on whatever game the other commands find by those words."""
    assert make_plan(written, None, {}, 16, 1, 1).game == "pippip"


def test_a_run_cut_short_has_some_of_each_series() -> None:
    """After half of the games half of each series was played, give or take one."""
    plan = make_plan("snipsnip", None, {}, 16, 20, 1)
    tasks = plan.tasks()
    first = tasks[: len(tasks) // 2]
    for series in plan.series():
        assert abs(sum(task.series == series for task in first) - series.games / 2) <= 1
    assert len(set(tasks)) == len(tasks) == sum(series.games for series in plan.series())


def test_more_games_begin_with_the_same() -> None:
    """The randomness of a game depends on its series and number alone."""
    few, many = (make_plan("snipsnip", None, {}, 16, games, 5) for games in (10, 100))
    assert few.randomness("search", 3).random() == many.randomness("search", 3).random()
    assert few.randomness("search", 3).random() != few.randomness("search", 4).random()


@pytest.mark.parametrize(
    ("game", "seats", "options", "says"),
    [
        ("chess", None, {}, "chess"),
        ("zipline", 4, {}, "not 4"),
        ("zipline", None, {"size": "4"}, "“4”"),
        ("zipline", None, {"colour": "red"}, "“colour”"),
        ("zipline", None, {"order": "lot"}, "order=lot"),
    ],
)
def test_what_is_no_plan_is_said(game: str, seats: int | None, options: dict[str, object], says: str) -> None:
    """One sentence that names what will not do."""
    with pytest.raises(BadInput, match="“best”"):
        make_plan("zipline", None, {}, None, 10, 1, profile="best")
    with pytest.raises(BadInput, match=says):
        make_plan(game, seats, options, None, 10, 1)


def test_a_larger_board_has_the_playouts_of_a_robot_there() -> None:
    """The second robot tries eleven times as much on hex-5 as on the usual board; what is asked for stays as it is."""
    plans = [
        make_plan("snipsnip", None, {"board": board}, asked, 10, 1)
        for board, asked in (("equi-2-4", None), ("hex-5", None), ("hex-5", 16))
    ]
    assert [plan.playouts for plan in plans] == [150, 11 * 150, 16]
