"""The page of a match on paper: a sheet with its boards and moves, and nothing to press. Needs Debian's chromium."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.archive.lists.ledger import Ledger
from pbem.archive.lists.players import write_players
from pbem.archive.lists.rules_pages import write_rules
from pbem.archive.lists.search import write_search
from pbem.archive.match.page import write_match
from pbem.archive.pages import write_shared
from pbem.match.match import Comment, Match
from tests.support.browser import Browser, open_browser
from tests.support.club import SECRET
from tests.support.ledgers import random_matches
from tests.support.matches import NOW, random_match
from tests.support.walks import Case

pytestmark = pytest.mark.slow("needs a browser")

A4, LETTER = (8.27, 11.69), (8.5, 11.0)
CASES = [
    Case("pipline", 2, (("size", 7),)),
    Case("zipline", 3, (("size", 5),)),
    Case("pippip", 2, ()),
    Case("snipsnip", 2, ()),
    Case("pipelines", 3, (("size", 7),)),
]
ADDRESS = "https://play.example/matches/17.html"
PRINTED = 680
"""CSS pixels between the margins of A4."""

_SHOWN = """(what) => [...document.querySelectorAll(what)].filter((one) => one.checkVisibility()).map(
  (one) => one.textContent.trim() || one.outerHTML)"""
_OUTSIDE = """[...document.querySelectorAll('svg')].filter((one) => one.checkVisibility())
  .map((one) => one.getBoundingClientRect())
  .filter(({left, right, height, width}) => left < 0 || right > innerWidth || height > 900 || !width).length"""


_LINES = """[...document.querySelectorAll('.record tr[id] > td:nth-child(2)')].map((one) => {
  const words = document.createRange(); words.selectNodeContents(one);
  return new Set([...words.getClientRects()].map(({top}) => Math.round(top))).size})"""
"""In how many lines each name stands beside its moves."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser for all tests."""
    with open_browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def page_of(match: Match, directory: Path) -> Path:
    """Return the page of a match, on which somebody has said something."""
    told = replace(match, comments=(Comment(1, 2, "Now it gets tight on the left."),))
    write_shared(directory)
    write_match(told, directory, SECRET, NOW, address=ADDRESS)
    return directory / "matches" / "17.html"


def count_pages(pdf: bytes) -> int:
    """Return how many pages a PDF has."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.key)
def test_a_match_fits_few_sheets(case: Case, browser: Browser, tmp_path: Path) -> None:
    """On A4 and on Letter: the boards and some moves on the first, and sixty moves at least on each other one."""
    match = random_match(case)
    browser.show(page_of(match, tmp_path), width=1280, height=900)
    for paper in (A4, LETTER):
        assert 1 <= count_pages(browser.print_page(*paper)) <= 2 + match.moves_made // 60


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.key)
def test_a_sheet_has_all_boards_and_moves_and_nothing_to_press(case: Case, browser: Browser, tmp_path: Path) -> None:
    """Every move and roll is read, also those that a screen folds up; what leads elsewhere is not there."""
    match = random_match(case)
    page = page_of(match, tmp_path)
    browser.show(page, width=PRINTED, height=950, paper=True)

    def shown(what: str) -> list[str]:
        return list(browser.evaluate(f"({_SHOWN})({what!r})"))

    assert shown("button, input, select, summary, pre, nav:not(.strip), #rolls, #take, #told") == []
    assert browser.evaluate(_OUTSIDE) == 0
    assert len(shown(".strip svg")) == min(12, match.moves_made)
    assert len(shown(".record tr[id]")) == sum(entry.seat is not None for entry in match.record)
    assert len(shown(".record a[id]")) == browser.evaluate("document.querySelectorAll('.record a[id]').length")
    folded = browser.evaluate("document.querySelectorAll('.record details a[id]').length")
    assert bool(folded) == (case.key == "pipelines")
    assert shown(".record blockquote") == ["Now it gets tight on the left."]
    assert set(browser.evaluate(_LINES)) == {1}
    assert shown("footer .paper") == [ADDRESS]
    browser.show(page, width=1280, height=900)
    assert shown("footer .paper") == []


def test_a_sheet_shows_the_end_whatever_the_screen_shows(browser: Browser, tmp_path: Path) -> None:
    """Whoever has stepped back prints the last position, and is where they were afterwards."""
    match = random_match(CASES[0])
    browser.show(page_of(match, tmp_path), width=1280, height=900, place="3")
    browser.evaluate("printed = []; addEventListener('beforeprint', () => printed.push(slider.value)); 0")
    browser.print_page(*A4)
    assert browser.evaluate("printed.concat(slider.value)") == [str(match.ply), "3"]


def test_other_pages_have_nothing_to_press_on_paper_either(browser: Browser, tmp_path: Path) -> None:
    """Those of games and players, and the search; nothing of them is wider than the sheet."""
    ledger = Ledger()
    for match in random_matches("zipline", 6):
        ledger.note(match)
    write_rules(tmp_path, ledger.tallies, ["zipline"])
    write_players(ledger, tmp_path)
    sum(write_search(ledger, tmp_path))
    write_shared(tmp_path)
    for page in ("games/zipline.html", "players/0.html", "search.html"):
        browser.show(tmp_path / page, width=PRINTED, height=950, paper=True)
        assert browser.evaluate(f"({_SHOWN})('button, input, select, nav')") == [], page
        assert browser.evaluate("document.documentElement.scrollWidth") <= PRINTED, page
        assert browser.evaluate(_OUTSIDE) == 0, page
