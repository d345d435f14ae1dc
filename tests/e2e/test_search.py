"""The search of the archive in a real browser, opened from a disk. Needs Debian's chromium, which .ci/run installs."""

import re
from html import unescape
from pathlib import Path

import pytest

from pbem.archive.lists.ledger import Ledger
from pbem.archive.lists.search import write_search
from pbem.archive.pages import write_shared
from tests.support.browser import dump_page, open_browser
from tests.support.ledgers import many, played
from tests.support.pages import HOSTILE_NAMES

pytestmark = pytest.mark.slow("needs a browser")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Give a directory with a search through some matches, in two parts."""
    ledger = Ledger()
    for match in (
        played(1, (0, 1), "a1", "take", "resign"),
        played(2, (1, 2), "a1", "take"),
        played(3, (0, 3), "a1", "resign"),
        played(201, (2, 0), "a1", "resign", key="zipline"),
    ):
        ledger.note(match)
    sum(write_search(ledger, tmp_path / "archive"))
    write_shared(tmp_path / "archive")
    return tmp_path / "archive"


def numbers(archive: Path, asked: str) -> list[int]:
    """Return the matches that a search finds, by the address that asks for them."""
    page = dump_page(f"{(archive / 'search.html').as_uri()}#{asked}", archive.parent / "profile")
    return [int(number) for number in re.findall(r'href="matches/(\d+)\.html"', page)]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", [201, 3, 2, 1]),
        ("player=ann", [201, 3, 1]),
        ("player=dora", [3]),
        ("player=ann+bob", [1]),
        ("player=ann&result=won", [3]),
        ("player=ann&result=lost", [201, 1]),
        ("game=zipline", [201]),
        ("state=running", [2]),
        ("year=2027", [201]),
        ("player=nobody", []),
    ],
)
def test_a_search_finds_what_is_asked_for(asked: str, found: list[int], archive: Path) -> None:
    """By players, whatever accents their names have, by game, state, year and result; the newest first."""
    assert numbers(archive, asked) == found


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_name_is_text_in_the_results(name: str, tmp_path: Path) -> None:
    """What would be markup, or the end of a script, is shown; an address loses its domain."""
    ledger = Ledger()
    ledger.note(played(1, (0, 1), "a1", name=name))
    sum(write_search(ledger, tmp_path))
    write_shared(tmp_path)
    page = dump_page((tmp_path / "search.html").as_uri(), tmp_path / "profile")
    (line,) = re.findall(r'<ul id="results"><li>(.*)</li></ul>', page)
    shown = unescape(re.sub(r"<.*?>", "", line))
    assert name.replace("a.example", "…") in shown


def test_a_part_of_finished_matches_never_changes(tmp_path: Path) -> None:
    """A match that goes on changes its own part alone, and a new player a part of names."""
    ledger = many(450, players=100)
    assert sum(write_search(ledger, tmp_path)) == 3 + 1 + 1
    ledger.note(played(451, (1, 2), "a1"))
    assert sum(write_search(ledger, tmp_path)) == 1
    ledger.note(played(452, (1, 999), "a1"))
    assert sum(write_search(ledger, tmp_path)) == 1 + 1 + 1  # the page names the new part


def test_more_is_shown_on_demand(tmp_path: Path) -> None:
    """A limit keeps the page short; the next matches follow, and the focus is on the first of them."""
    sum(write_search(many(120, players=20), tmp_path))
    write_shared(tmp_path)
    with open_browser(tmp_path / "profile") as browser:
        browser.show(tmp_path / "search.html", width=800, height=600)
        counts = [browser.evaluate("document.querySelectorAll('#results li').length")]
        for _ in range(2):
            browser.evaluate("document.getElementById('more').click()")
            counts.append(browser.evaluate("document.querySelectorAll('#results li').length"))
        assert counts == [50, 100, 120]
        assert browser.evaluate("document.activeElement.textContent") == "Pipline 20"
        assert browser.evaluate("document.getElementById('more').hidden")


def test_the_button_leads_to_what_was_found(tmp_path: Path) -> None:
    """It leaves the field, so that a phone's keyboard goes; where nothing was found one can go on typing."""
    sum(write_search(many(3, players=3), tmp_path))
    write_shared(tmp_path)
    with open_browser(tmp_path / "profile") as browser:
        browser.show(tmp_path / "search.html", width=360, height=640)
        browser.evaluate("document.querySelector('form button').click()")
        assert browser.evaluate("document.activeElement.textContent") == "Pipline 3"
        browser.show(tmp_path / "search.html", width=360, height=640, place="player=Nobody")
        browser.evaluate("document.querySelector('form button').click()")
        assert browser.evaluate("document.activeElement.name") == "player"
