"""Every figure has its words and its place; published ones stand beside ours where the game is the same."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbem.report.comparing import FIGURES, agree
from pbem.report.measures import measure, measure_profile
from pbem.report.plan import make_plan
from pbem.report.playing import Game
from pbem.report.published import PUBLISHED, Known
from pbem.robots.board import WHOLE
from rules.games import GAMES

_SUBJECTS = ["samples", "speed", "length", "choices", "balance", "strength", "board", "course"]


def _compare(size: int, lengths: list[int], seats: int = 2) -> dict[str, Any]:
    """Return the figures of the published profile, by key, from games of these lengths."""
    plan = make_plan("zipline", seats, {"size": size}, 8, 8, 1, profile="published")
    games = [Game("search", number, [WHOLE, 0], [2] * length) for number, length in enumerate(lengths)]
    perft = [{"depth": depth, "boards": 170**depth, "wins": 0} for depth in range(3)]
    speed = {"random": {"rate": 20000.0, "deviation": 90.0}}
    found = measure(plan, {"published": measure_profile(plan, games)}, perft, speed)
    return {row["key"]: row for row in found["figures"]}


def test_each_figure_says_what_it_means_and_where_it_is_from() -> None:
    """In the order of the page’s tables, each key once."""
    keys = [figure.key for figure in FIGURES]
    assert len(set(keys)) == len(keys) >= 64
    assert all(figure.title and figure.source and figure.absent for figure in FIGURES)
    assert all(figure.definition.endswith(".") and "\n" not in figure.definition for figure in FIGURES)
    assert sorted({figure.subject for figure in FIGURES}, key=_SUBJECTS.index) == _SUBJECTS
    assert [_SUBJECTS.index(figure.subject) for figure in FIGURES] == sorted(
        _SUBJECTS.index(figure.subject) for figure in FIGURES
    )


def test_published_figures_have_a_place_each() -> None:
    """And of Zipline there are all but those that we added."""
    for game, publication in PUBLISHED.items():
        assert game in GAMES
        assert publication.figures.keys() <= {figure.key for figure in FIGURES}
    missing = {figure.key for figure in FIGURES} - PUBLISHED["zipline"].figures.keys()
    assert missing == {"votes", "taker", "new", "reachable"}


def test_published_figures_stand_beside_the_same_board_alone() -> None:
    """13×13 with two seats is what they are of; without games of ours a figure says why there is none."""
    rows = _compare(13, [])
    assert (rows["length"]["published"]["value"], rows["length"]["ours"]["published"]) == (64.85, None)
    assert rows["length"]["note"]
    assert not any(row["published"] for row in _compare(5, []).values())
    assert not any(row["published"] for row in _compare(13, [], seats=3).values())


def test_a_published_figure_lies_within_our_interval_or_not() -> None:
    """Two lengths of 60 and 70 have a mean of 65 ± 9.8."""
    rows = _compare(13, [60, 70])
    assert rows["length"]["ours"]["published"]["value"] == 65
    assert (rows["length"]["within"], rows["length"]["note"]) == ({"published": True, "robots": None}, "")
    assert rows["branching"]["within"]["published"] is False
    assert rows["branching"]["note"]
    assert rows["length_median"]["within"] == {"published": None, "robots": None}
    assert rows["length_mode"]["ours"]["published"]["text"] == "60, 70"
    assert rows["first_wins"]["ours"]["published"]["value"] == 100
    assert [rows[f"perft_{depth}"]["within"]["published"] for depth in range(4)] == [True, True, False, None]
    assert rows["random_rate"]["ours"]["published"]["text"] == "20,000 ± 90"
    assert rows["lengths"]["ours"]["published"] == {"picture": "lengths"}


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_intervals_agree_if_they_have_a_number_in_common(one: float, two: float, three: float, four: float) -> None:
    """Whichever is ours."""
    (low, high), (least, most) = sorted((one, two)), sorted((three, four))
    forth = agree(Known(low, low, high), {"low": least, "high": most})
    assert forth is agree(Known(least, least, most), {"low": low, "high": high})
    assert forth is (max(low, least) <= min(high, most))
    assert agree(Known(one), {"low": least, "high": most}) is (least <= one <= most)
