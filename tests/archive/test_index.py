"""The index of the archive: its first page, and the numbered ones."""

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.archive.index import PAGE, last_page, page_of, write_index
from pbem.match.summary import summarise
from rules import GAMES
from tests.support.club import KEY
from tests.support.matches import AUCTION, NOW, OPENED, pipline, summary
from tests.support.pages import Page


def index(directory: Path, page: int = 0) -> Page:
    """Return a page of the index."""
    return Page((directory / (f"index-{page}.html" if page else "index.html")).read_text("utf-8"))


def test_the_index_lists_the_newest_first(tmp_path: Path) -> None:
    """Running and finished matches stand apart, each with the newest on top."""
    later = summary(3, opened=OPENED + timedelta(days=10))
    matches = [summary(1), summary(2, over=True), summary(9), summary(10), summary(11, over=True), later]
    write_index(0, 0, matches, tmp_path, KEY, NOW)
    page = index(tmp_path)
    listed = [f"matches/{number}.html" for number in (3, 10, 9, 1, 11, 2)]
    assert page.links == listed + [f"games/{key}.html" for key in GAMES]
    assert page.text.index("Running") < page.text.index("Pipline 1 ") < page.text.index("Finished")


def test_the_index_says_how_a_match_stands(tmp_path: Path) -> None:
    """A line of the index has the players, how the match stands, its moves and the day it was opened."""
    write_index(0, 0, [summarise(pipline(*AUCTION))], tmp_path, KEY, NOW)
    text = index(tmp_path).text
    assert "Pipline 17 Ann and Bob Ann to move since 20 Nov 2 2026-11-20" in text
    assert text.count("Pipline 17") == 1


def test_the_first_page_shows_the_key_of_the_host(tmp_path: Path) -> None:
    """Readers compare it with that in a record; numbered pages, which stay as they are for years, lack it."""
    assert write_index(0, 1, [summary(1)], tmp_path, KEY, NOW)
    write_index(1, 1, [summary(1)], tmp_path, KEY, NOW)
    assert [
        f"<code>{KEY}</code>" in (tmp_path / name).read_text("utf-8") for name in ("index.html", "index-1.html")
    ] == [
        True,
        False,
    ]
    assert write_index(0, 1, [summary(1)], tmp_path, KEY.lower(), NOW)


def test_an_empty_index_is_friendly(tmp_path: Path) -> None:
    """Before the first match the index says so instead of showing empty tables."""
    write_index(0, 0, [], tmp_path, KEY, NOW)
    page = (tmp_path / "index.html").read_text("utf-8")
    assert "<table" not in page
    assert '<section aria-labelledby="running"' not in page


@pytest.mark.parametrize(
    ("newest", "last"), [(0, 0), (1, 0), (PAGE, 0), (PAGE + 1, 1), (2 * PAGE, 1), (2 * PAGE + 1, 2)]
)
def test_every_match_that_the_first_page_lacks_has_a_numbered_page(newest: int, last: int) -> None:
    """The first page shows the newest matches, and the numbered pages reach up to the next older one."""
    assert last_page(newest) == last
    if newest > PAGE:
        assert page_of(newest - PAGE) == last


def test_pages_lead_to_each_other(tmp_path: Path) -> None:
    """From the first page one comes to the last numbered page, from there down to page 1, and back again."""
    seen = []
    for page in range(4):
        write_index(page, 3, [summary(page * PAGE or 4 * PAGE)], tmp_path, KEY, NOW)
    for page in range(4):
        seen.append([link for link in index(tmp_path, page).links if link.startswith("index")])
    assert seen == [
        ["index-3.html"],
        ["index.html", "index-2.html", "index-2.html"],
        ["index.html", "index-3.html", "index-1.html", "index-3.html", "index-1.html"],
        ["index.html", "index.html", "index-2.html", "index.html", "index-2.html"],
    ]


def test_a_numbered_page_is_left_alone_when_matches_are_opened(tmp_path: Path) -> None:
    """With ever more matches a page whose matches stay as they are has the same bytes, once a newer page is there."""
    matches = [summary(number, over=True) for number in range(1, 4)]
    assert write_index(1, 2, matches, tmp_path, KEY, NOW)
    assert not write_index(1, 3, matches, tmp_path, KEY, NOW)
    assert not write_index(1, 500, matches, tmp_path, KEY, NOW)
