"""The page has pictures and tables for every game, says nothing of its own time and machine, and needs no more."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pbem.archive.lists.rules_pages import write_rules
from pbem.report.finding import tell_findings
from pbem.report.measures import measure, measure_profile
from pbem.report.page import write_page
from pbem.report.plan import PROFILES, RANDOM, SEARCH, Player, Series, Task, make_plan
from pbem.report.playing import Game, play
from pbem.report.plots import Line, bar_plot, line_plot, range_plot, share_plot, strip_plot
from pbem.robots.board import WHOLE
from rules.games import GAMES

Found = dict[str, Any]

LENGTH = {"lengths", "choices_by_step", "new_positions"}
WINNERS = {"winners", "ladder_chart", "naive"}
COURSE = {"chance", "best_values", "temperature", "material", "effective"}


@cache
def _measured(game: str, profile: str) -> str:
    """Return what is measured in games whose players know nothing: all say that every move is as good."""
    plan = make_plan(game, None, GAMES[game].short, 8, 2, 1, random_games=2, profile=profile)
    chance = Player(RANDOM)
    games: list[Game] = []
    for series in plan.series():
        random = Series(series.key, 1, series.seats, chance, chance)
        attempts = (play(plan, Task(random, number), lambda: False) for number in range(100))
        # Drama is of games that somebody has won: which games are draws depends on the order of a board's actions.
        played = next(game for game in attempts if WHOLE in game.rewards)
        steps = len(played.choices)
        known = replace(played, values=[500] * steps, good=[1] * steps, opening=[("a1", 20, 500), ("b1", 20, 400)])
        games += [replace(known, number=0), replace(known, number=1)]
    return json.dumps(measure_profile(plan, games))


def _find(game: str, *profiles: str) -> Found:
    """Return all of a report on a game, with these profiles."""
    plan = make_plan(game, None, GAMES[game].short, 8, 2, 1)
    return measure(plan, {profile: json.loads(_measured(game, profile)) for profile in profiles})


def _write(found: Found) -> str:
    return write_page(found, f"{found['game']}.json", in_archive=False)


def _zipline() -> Found:
    return _find("zipline", *PROFILES)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_page_has_its_pictures_and_tables(game: str) -> None:
    """For every game: the typical one, all groups of pictures, a table of each subject, all numbers of seats."""
    found = _find(game, "robots")
    page = _write(found)
    others = [f"seats-{seats}" for seats in GAMES[game].seats if seats != GAMES[game].seats[0]]
    sections = ["finding", "how-long", "who-wins", "board-robots", "course", "figures", *others, "made"]
    assert re.findall(r'<h2 id="([^"]+)"', page) == sections
    drawn = set(re.findall(r'<figure id="([^"]+)"', page))
    assert drawn >= LENGTH | WINNERS | COURSE
    assert {"heat-robots", "winners-robots", "opening_map-robots"} <= drawn
    assert page.count('role="rowheader"') == page.count("<details>") - 1 == len(found["figures"])
    assert "No such game was played" not in page.split("</section>")[0]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_page_says_where_the_first_roll_is_one_of_few(game: str) -> None:
    """Of the billions of layouts of Pipelines the robots' board draws as many as it has cells."""
    page = _write(measure(make_plan(game, None, {}, 8, 2, 1), {}))
    said = re.findall(r"begins with a roll \((.*)\) of ([\d,]+) results; .* one of the first (\d+)\.", page)
    assert said == ([("layout", "4,294,967,296", "271")] if game == "pipelines" else [])


def test_a_page_of_no_games_is_a_page() -> None:
    """It says that nothing was played, and has the published figures and what they mean."""
    page = write_page(measure(make_plan("zipline", None, {}, 8, 2, 1), {}), "zipline.json", in_archive=True)
    assert re.findall(r'<h2 id="([^"]+)"', page) == ["finding", "figures", "made"]
    assert page.count("No such game was played in the time that was given.</p>\n</div>") == 1
    assert 'data-head="Published"' in page
    assert not re.findall(r"<figure|data-head=\"Robots\"|</sub>", page)


def test_every_place_that_a_page_leads_to_is_there() -> None:
    """Links from tables to pictures, and from the top to sections; what is named twice would lead astray."""
    page = _write(_zipline())
    names = re.findall(r' id="([^"]+)"', page)
    assert len(names) == len(set(names))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(names)
    assert len(re.findall(r"<td class=\"number\" data-head=\"Robots\"><a", page)) > 8


def test_columns_are_those_that_there_are() -> None:
    """What is published is of one board alone; a profile without games has no column."""
    short = {"Plain search", "Robots"}
    assert set(re.findall(r'data-head="([^"]+)"', _write(_zipline()))) == short
    assert set(re.findall(r'data-head="([^"]+)"', _write(_find("zipline", "robots")))) == {"Robots"}


def test_each_figure_is_judged_and_explained() -> None:
    """With its interval, the sign whether it agrees, also for those who listen, its meaning, and why it differs."""
    value = {"value": 137.9, "low": 137.3, "high": 138.5, "form": "number", "text": ""}
    figure = {
        "key": "x",
        "subject": "choices",
        "title": "A title",
        "definition": "A meaning.",
        "source": "a source",
        "published": value | {"low": None, "high": None},
        "ours": {"published": value, "robots": value | {"form": "power10"}},
        "within": {"published": True, "robots": False},
        "note": "A reason.",
    }
    page = _write(_zipline() | {"figures": [figure]})
    (row,) = re.findall(r'<tr><td role="rowheader">(.*?)</tr>', page)
    told, source, plain, robots = row.split("<td ")
    assert all(text in told for text in ("A title", "A meaning.", "a source", "A reason."))
    assert "<small>" not in source
    assert re.search(r">137\.90 .*✓.*agrees.*<small>137\.30–138\.50</small>", plain)
    assert re.search(r">10<sup>137\.90</sup> .*≠.*differs.*<small>", robots)


def test_the_typical_game_is_drawn_with_its_numbers() -> None:
    """Each piece that lies there at the end has the number of its placing; dice have numbers of their own."""
    found = _find("zipline", "robots")
    board = _write(found).split("<svg", 2)[1].split("</svg>")[0]
    numbers = [str(number) for *_, number in found["profiles"]["robots"]["representative"]["stones"]]
    shown = re.findall(r'dy="\.35em">(\d+)</text>', board)
    assert sorted(shown[-len(numbers) :]) == sorted(numbers)
    assert "ringed" in _write(found)
    assert "ringed" not in _write(_find("pippip", "robots"))


def _spread(mean: float, count: int = 200, half: float = 1.0) -> Found:
    return {"count": count, "mean": mean, "low": mean - half, "high": mean + half}


def _share(won: int, low: float, high: float) -> Found:
    return {"played": 200, "won": won, "share": won / 200, "low": low, "high": high}


def _tell(**changes: object) -> dict[str, list[str]]:
    """Return what is said of plain search that has been measured so, by what it is about."""
    found = _zipline()
    found["profiles"]["published"] |= changes
    found["figures"] = [
        {"key": "length", "published": {"value": 64.85}},
        {"key": "first_wins", "published": {"value": 50.4}},
    ]
    return {str(lead): [sentence.message for sentence in told] for lead, told in tell_findings(found)}


def _curve(*lengths: float, count: int = 200) -> list[Found]:
    return [{"playouts": 1000 * 4**at, "length": _spread(one, count)} for at, one in enumerate(lengths)]


def test_what_length_comes_to_is_said_by_the_figures() -> None:
    """Whether it falls, rises or does neither; the published length only where the curve has it."""
    cases = {
        "falls": _curve(100, 64, 60),
        "rises": _curve(50, 64, 70),
        "neither": _curve(64.5, 65.5),
        "few games": _curve(100, 60, count=3),
        "beyond": _curve(100, 90, 80),
    }
    said = {name: _tell(curve=curve)["Length"] for name, curve in cases.items()}
    assert len({said[name][0] for name in ("falls", "rises", "neither", "few games")}) == 4
    assert said["beyond"][0] == said["falls"][0]
    assert [len(one) for one in said.values()] == [3, 3, 2, 2, 2]


def test_the_published_length_is_placed_on_the_curve() -> None:
    """Between its neighbours, by the logarithm of playouts."""
    found = _zipline()
    found["profiles"]["published"]["curve"] = _curve(84.85, 44.85)
    found["figures"] = [{"key": "length", "published": {"value": 64.85}}]
    (told,) = [told for lead, told in tell_findings(found) if str(lead) == "Length"]
    assert dict(told[1].arguments)["playouts"] == "2,000"


def test_who_wins_is_said_by_the_figures() -> None:
    """Takers that win always, nearly, more, as often or less; only of the first two the published balance is luck."""
    takers = (
        _share(200, 0.98, 1.0),
        _share(190, 0.91, 0.98),
        _share(120, 0.53, 0.67),
        _share(100, 0.43, 0.57),
        _share(70, 0.29, 0.42),
    )
    said = [_tell(taker=taker)["Who wins"] for taker in takers]
    assert len({one[0] for one in said}) == 5
    published = said[0][1]
    assert [published in one for one in said] == [True, True, False, False, False]


def test_hints_are_told_from_the_auction() -> None:
    """What each of the two changes alone, and that only both together do; a sentence for each series before."""

    def tell(hints: Found, auction: Found, robots: Found) -> list[str]:
        found = _zipline()
        always = _share(200, 0.98, 1.0)
        rows = {"search": always, "hints after": hints, "plain after": auction, "no opening": always}
        found["profiles"]["published"]["variants"] = [
            {"key": key, "length": _spread(64 - 10 * (taker is not always)), "taker": taker}
            for key, taker in rows.items()
        ]
        found["profiles"]["robots"]["taker"] = robots
        (told,) = [told for lead, told in tell_findings(found) if str(lead) == "Hints or auction"]
        assert len({str(sentence) for sentence in told[:3]}) == 3
        return [str(sentence) for sentence in told[3:]]

    always, less = _share(200, 0.97, 1.0), _share(100, 0.43, 0.57)
    ways = [tell(less, always, less), tell(always, less, less), tell(less, less, less)]
    neither, plain = tell(always, always, less), tell(always, always, always)
    assert len({way[1] for way in [*ways, neither]}) == 4
    assert [len(one) for one in (*ways, neither, plain)] == [2, 2, 2, 3, 2]
    assert plain == neither[:2]


def test_plots_are_the_same_on_every_run_and_have_no_style_of_their_own() -> None:
    """No date, no script, no address, no colour but by the classes of the page; all that is drawn has a place."""

    def draw() -> list[str]:
        whole = Line.by_step("one", [1, None, 3, 2])
        ranged = Line("two", [(1000, 5), (20000, 3)], [(4, 6), (2, 4)])
        rows = [("seat 1", 40.0, 30.0, 50.0, 0), ("<b>", 100.0, 90.0, 100.0, 1)]
        return [
            bar_plot("Lengths", [("one", [(0, 5, 3), (5, 10, 1)]), ("two", [(5, 10, 2)])], "steps"),
            line_plot("Choices", [whole], "steps", "choices"),
            line_plot("Nothing but one", [Line.by_step("", [0])], "steps", "choices", low=None),
            line_plot("Curve", [ranged], "playouts", "steps", log=True, level=("published", 4.5)),
            share_plot("Who wins", rows),
            range_plot("How long", rows, "steps"),
            strip_plot("Kinds", {"stone": [[6], [-1]], "": [[0, 0, 3], [6, 6, 6]]}, "step"),
        ]

    assert draw() == draw()
    for svg in draw():
        root = ElementTree.fromstring(svg)
        assert root.attrib.keys() == {"class", "viewBox", "role"}
        assert [one.tag for one in root][:2] == ["title", "desc"]
        assert not re.search(r'style|script|http|date|nan|inf|="[^"]*e[-+]|fill=| id=', svg)
        *_, high = map(float, root.attrib["viewBox"].split())
        for across, down in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", svg):
            assert 0 <= float(across) <= 360
            assert 0 <= float(down) <= high
    assert "&lt;b&gt;: 100.0 (90.0–100.0)" in draw()[4]


def test_a_page_in_the_archive_leads_back() -> None:
    """To the index and to the page of the game; elsewhere it needs nothing but the style sheet beside it."""
    found = measure(make_plan("snipsnip", None, {}, 8, 2, 1), {})
    inside, outside = (write_page(found, "x.json", in_archive=within) for within in (True, False))
    leads = [
        [link for link in re.findall(r'href="([^"?]+)', page) if not link.startswith("#")] for page in (inside, outside)
    ]
    assert leads == [["../style.css", "../index.html", "snipsnip.html", "x.json"], ["style.css", "x.json"]]


def test_the_archive_shows_the_report_that_was_written_there(tmp_path: Path) -> None:
    """The page of the game leads to it, with two figures and a picture; without figures that it knows, just a link."""
    page, report = tmp_path / "games" / "zipline.html", tmp_path / "games" / "zipline-report.html"

    def shown() -> tuple[bool, bool]:
        write_rules(tmp_path, games=["zipline"])
        text = page.read_text("utf-8")
        return 'href="zipline-report.html"' in text, 'class="heat"' in text

    assert shown() == (False, False)
    report.write_text("<!DOCTYPE html>")
    assert shown() == (True, False)
    figures = report.with_suffix(".json")
    for text in ("{}", "{", '{"profiles": {"robots": {"length": null}}}'):
        figures.write_text(text)
        assert shown() == (True, False)
    found = _zipline()
    figures.unlink()
    figures.write_text(json.dumps(found), "utf-8")
    assert shown() == (True, True)
    length: Mapping[str, float] = found["profiles"]["robots"]["length"][SEARCH]
    assert f"{length['mean']:.0f} steps a game" in page.read_text("utf-8")
