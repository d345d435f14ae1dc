"""The whole archive, as a visitor walks through it."""

import re
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from pbem.archive.lists.index import RUNNING
from pbem.archive.pages import without_addresses
from tests.support.club import settings_in
from tests.support.every_page import KINDS, RUDE, write_every_page
from tests.support.pages import HOSTILE_NAMES, Page

pytestmark = pytest.mark.slow("writes every kind of page")


@pytest.fixture(scope="module")
def archive(blank_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with every kind of page."""
    directory = tmp_path_factory.mktemp("walk")
    return write_every_page(settings_in(directory, blank_database), directory)


@pytest.fixture(scope="module")
def pages(archive: Path) -> dict[str, Page]:
    """All pages, by their paths; each is whole, names no place twice, and points to places within it that are there."""
    found = {str(path.relative_to(archive)): path for path in archive.rglob("*.html") if path.parent.name != "calendar"}
    return {name: Page(path.read_text("utf-8")) for name, path in found.items()}


def test_no_kind_of_page_is_missing(pages: dict[str, Page]) -> None:
    """Else the walk would pass it over."""
    assert KINDS.keys() <= pages.keys()


def test_no_link_is_broken(archive: Path, pages: dict[str, Page]) -> None:
    """Neither to a file, nor to a place within another page; what stands behind the search is what it looks for."""
    for name, page in pages.items():
        here = (archive / name).parent
        links = [link for link in (*page.links, *page.files) if not link.startswith("mailto:")]
        assert [link for link in links if not (here / link).is_file()] == [], name
        for file, place in page.elsewhere:
            other = (here / file).resolve().relative_to(archive.resolve())
            assert str(other) == "search.html" or place in pages[str(other)].places, (name, file, place)


def test_a_visitor_comes_everywhere(archive: Path, pages: dict[str, Page]) -> None:
    """By links alone, from the first page; frames stand on other sites."""
    seen, waiting = set[str](), ["index.html"]
    while waiting:
        name = waiting.pop()
        seen.add(name)
        found = ((archive / name).parent / link for link in pages[name].links)
        names = {str(path.resolve().relative_to(archive.resolve())) for path in found}
        waiting += sorted({one for one in names if one.endswith(".html")} - seen - {*waiting})
    hidden = {"players/3.html", "players/4.html"}  # who wants no page, and who is somebody else now: of old links
    assert seen | hidden == {name for name in pages if not name.endswith("-embed.html")}


def test_no_two_pages_have_the_same_title(pages: dict[str, Page]) -> None:
    """Who has many of them open, or in their history, tells them apart; a page for frames is called like its match."""
    titles = Counter(page.title for name, page in pages.items() if not name.endswith("-embed.html"))
    assert [title for title, count in titles.items() if count > 1 or not title.strip()] == []


def test_what_players_wrote_is_text_everywhere(archive: Path, pages: dict[str, Page]) -> None:
    """Names and comments are shown as they were written, on every page that has them, and are markup on none."""
    shown = [" ".join(without_addresses(name).split()) for name in HOSTILE_NAMES[:3]]
    for name in shown[:2]:
        assert all(name in pages[place].text for place in ("index.html", "index-1.html", "matches/2.html"))
    assert shown[0] in pages["players/1.html"].text
    assert shown[2] in pages["matches/1.html"].text
    for line in RUDE.splitlines():
        assert line in pages["matches/2.html"].text
    for name in pages:
        text = (archive / name).read_text("utf-8")
        assert not any(tag in text for tag in ("<script>", "<img src=x", "onclick=alert(1)>", "</style><b>")), name


def test_no_page_allows_what_stands_within_it_but_its_own_style(archive: Path, pages: dict[str, Page]) -> None:
    """That is known by its hash; the frame for other sites is no exception."""
    for name in pages:
        text = (archive / name).read_text("utf-8")
        [policy] = re.findall('Content-Security-Policy" content="([^"]*)"', text)
        styles = [
            b64encode(sha256(own.encode()).digest()).decode()
            for own in re.findall("<style>(.*?)</style>", text, re.DOTALL)
        ]
        assert re.findall("'sha256-([^']*)'", policy) == styles, name
        assert "unsafe" not in policy, name
        assert policy.startswith("default-src 'none'; "), name


def test_more_matches_run_than_the_first_page_shows(pages: dict[str, Page]) -> None:
    """All of them are on pages that it leads to by the word "running"."""
    assert ("index-1.html", "running") in pages["index.html"].elsewhere
    running = {link for link in pages["index-1.html"].links if link.startswith("matches/")}
    assert len(running) > RUNNING
