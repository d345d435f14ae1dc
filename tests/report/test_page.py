"""The page has all sections for every game, says nothing of its own time and machine, and needs no more than itself."""

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem.report.measures import measure
from pbem.report.page import write_page
from pbem.report.plan import Player, Series, Task, make_plan
from pbem.report.playing import Game, play
from pbem.report.plots import bar_plot, line_plot, share_plot
from pbem.report.published import PUBLISHED
from pbem.robots.board import WHOLE
from rules.games import GAMES

SECTIONS = (
    *("length", "branching", "complexity", "balance", "draws", "use", "heat", "ladder", "naive", "openings", "good"),
    *("drama", "made"),
)


def _page(game: str) -> str:
    """Return the page of a report on a game whose players know nothing: all say that every move is as good."""
    plan = make_plan(game, None, GAMES[game].short, 8, 2, 1, random_games=2)
    chance = Player("random")
    games: list[Game] = []
    for series in plan.series():
        random = Series(series.key, 1, series.seats, chance, chance)
        attempts = (play(plan, Task(random, number), lambda: False) for number in range(100))
        # Drama is of games that somebody has won: which games are draws depends on the order of a board's actions.
        played = next(game for game in attempts if WHOLE in game.rewards)
        steps = len(played.choices)
        known = replace(played, values=[500] * steps, good=[1] * steps, opening=[("a1", 20, 500), ("b1", 20, 400)])
        games += [replace(known, number=0), replace(known, number=1)]
    return write_page(measure(plan, games, 1000.0), f"{game}.json", in_archive=False)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_page_has_every_section(game: str) -> None:
    """For every game, with its tables, plots and pictures, and with every other number of seats."""
    page = _page(game)
    others = [f"seats-{seats}" for seats in GAMES[game].seats if seats != GAMES[game].seats[0]]
    assert re.findall(r'<h2 id="([^"]+)"', page) == [*SECTIONS[:-1], *others, "made"]
    for title, body in re.findall(r'<h2 id="([^"]+)"(.*?)</section>', page, re.DOTALL):
        assert ("<table>" in body) != (title in ("complexity", "heat")), title
        assert 'class="faint"' in body or title in ("complexity", "made"), title
    assert page.count('class="plot"') == 6
    assert page.count('class="heat"') == 3
    assert "No such game" not in page


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_page_says_where_the_first_roll_is_one_of_few(game: str) -> None:
    """Of the billions of layouts of Pipelines the robots' board draws as many as it has cells."""
    plan = make_plan(game, None, {}, 8, 2, 1)
    page = write_page(measure(plan, [], None), f"{game}.json", in_archive=False)
    said = re.findall(r"begins with a roll \((.*)\) of ([\d,]+) results; .* one of the first (\d+)\.", page)
    assert said == ([("layout", "4,294,967,296", "271")] if game == "pipelines" else [])


def test_a_page_of_no_games_is_a_page() -> None:
    """Every section says that nothing of the kind was played."""
    plan = make_plan("zipline", None, {}, 8, 2, 1)
    page = write_page(measure(plan, [], None), "zipline.json", in_archive=True)
    assert re.findall(r'<h2 id="([^"]+)"', page) == ["published", *SECTIONS[:-1], "seats-3", "made"]
    assert page.count("No such game") == 9


def test_plots_are_the_same_on_every_run_and_have_no_style_of_their_own() -> None:
    """No date, no script, no address, no colour but those of the page; identities of two plots differ."""

    def draw(key: str) -> list[str]:
        return [
            bar_plot(f"{key}-bars", [("one", [(0, 5, 3), (5, 10, 1)]), ("two", [(5, 10, 2)])], "steps", "Lengths"),
            line_plot(f"{key}-lines", [("one", [1, None, 3, 2])], "steps", "choices", "Choices"),
            share_plot(f"{key}-shares", [("seat 1", 0.4, 0.3, 0.5), ("seat 2", 1.0, 0.9, 1.0)], "Who wins"),
        ]

    assert draw("a") == draw("a")
    for svg in draw("a"):
        root = ElementTree.fromstring(svg)
        assert root.attrib.keys() == {"viewBox", "role", "class"}
        assert root[0].tag == "title"
        assert not re.search(r"style|script|http|date|matplotlib", svg)
        assert set(re.findall(r'(?:fill|stroke)="([^"]+)"', svg)) <= {
            *("none", "currentColor", "var(--link)", "var(--second)", "var(--rule)")
        }
        identities = re.findall(r' id="([^"]+)"', svg)
        assert len(identities) == len(set(identities))
        assert set(re.findall(r'(?:href="|url\()#([^")]+)', svg)) == set(identities)
    assert not set(re.findall(r' id="([^"]+)"', "".join(draw("a")))) & set(
        re.findall(r' id="([^"]+)"', "".join(draw("b")))
    )


def test_a_page_in_the_archive_leads_back() -> None:
    """To the index and to the page of the game; elsewhere it needs nothing but the style sheet beside it."""
    found = measure(make_plan("snipsnip", None, {}, 8, 2, 1), [], None)
    inside, outside = (write_page(found, "x.json", in_archive=within) for within in (True, False))
    assert re.findall(r'href="([^"?]+)', inside) == ["../style.css", "../index.html", "snipsnip.html", "x.json"]
    assert re.findall(r'href="([^"?]+)', outside) == ["style.css", "x.json"]


def test_the_archive_links_the_report_that_was_written_there(tmp_path: Path) -> None:
    """The page of the game leads to it once it is there."""
    from pbem.archive.lists.rules_pages import write_rules
    from pbem.report.making import make_report

    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "snipsnip.speed").write_text("1000\n")
    plan = make_plan("snipsnip", None, {}, 4, 1, 1, random_games=1)
    write_rules(tmp_path, games=["snipsnip"])
    assert "snipsnip-report.html" not in (tmp_path / "games" / "snipsnip.html").read_text("utf-8")
    made = make_report(plan, tmp_path / "out", minutes=0, jobs=1, archive=tmp_path)
    assert made.page == tmp_path / "games" / "snipsnip-report.html"
    assert 'href="snipsnip-report.json"' in made.page.read_text("utf-8")
    write_rules(tmp_path, games=["snipsnip"])
    assert 'href="snipsnip-report.html"' in (tmp_path / "games" / "snipsnip.html").read_text("utf-8")


def test_each_published_figure_is_judged_on_the_page() -> None:
    """Within our interval or not; where not, with the reason of the difference, or that there is none."""
    found = measure(make_plan("zipline", None, {}, 8, 2, 1), [], 100.0)
    ours = {"value": 70.0, "low": 69.0, "high": 71.0}
    rows = [
        row | {"ours": ours, "within": within} for row, within in zip(found["published"], (False, True), strict=False)
    ]
    bare = rows[0] | {"note": ""}
    page = write_page(found | {"published": [*rows, bare, found["published"][-1]]}, "zipline.json", in_archive=False)
    said = [" ".join(one.split()) for one in re.findall(r'<tr class="note"><td colspan="4">(.*?)</td>', page)]
    assert [rows[0]["note"] in one for one in said] == [True, False, False, False]
    assert len(set(said)) == 4
    assert found["published"][-1]["note"] in said[3]


def test_every_published_figure_that_may_differ_has_a_note() -> None:
    """All but the length of random games, which is the same."""
    figures = PUBLISHED["zipline"].figures
    assert [figure.measure for figure in figures if not figure.note] == ["random_length"]
