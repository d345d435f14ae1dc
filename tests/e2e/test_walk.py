"""The whole archive, as a visitor walks through it; every kind of page in a real browser, however somebody reads it.

Needs Debian's chromium, node and npm, which .ci/run installs.
"""

import re
import shutil
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest

from pbem.archive.lists.index import RUNNING
from pbem.archive.match.page import write_match
from pbem.archive.pages import without_addresses, write_shared
from rules.games import GAMES
from tests.support.axe import find_violations
from tests.support.browser import Browser, open_browser
from tests.support.club import SECRET, settings_in
from tests.support.every_page import KINDS, RUDE, write_every_page
from tests.support.matches import NOW, random_match
from tests.support.pages import HOSTILE_NAMES, Page
from tests.support.validator import find_faults
from tests.support.walks import Case

pytestmark = pytest.mark.slow("needs a browser")

CASES = [Case(game.key, game.seats[-1], tuple(game.short.items())) for game in GAMES.values()]

_SHOWN = """[...document.querySelectorAll(".small:has(.past)")].map((film) =>
  [...film.querySelectorAll(":scope > g")].findIndex((position) => getComputedStyle(position).display !== "none"))"""
"""Which position each of the boards shows that can be stepped through."""
_LOADED = """new Promise((found) => new PerformanceObserver((list) => found(performance.getEntriesByType("resource")
  .filter((one) => one.responseEnd <= list.getEntries()[0].startTime).map((one) => one.name)))
  .observe({type: "paint", buffered: true}))"""
"""What was there when the page was painted first."""
_SIGHT = """[document.querySelectorAll("main tr, main li, main dd, main .small").length,
  [...document.querySelectorAll("main svg:not(svg svg)")].every((one) => one.closest("[hidden]") || one.clientWidth),
  [...document.querySelectorAll("button, input, select")].filter((one) => one.checkVisibility()).length]"""
"""How much there is to read, whether every picture has a width, and how many controls show."""


class _LateScripts(SimpleHTTPRequestHandler):
    """Serves the archive over a line on which scripts take a second, each time anew."""

    def do_GET(self) -> None:
        """Send a file."""
        if ".js" in self.path:
            time.sleep(1)
        super().do_GET()

    def end_headers(self) -> None:
        """Let nothing be kept: a script that another page has loaded would be there at once."""
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser for all tests, which holds to the policies of pages."""
    with open_browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def archive(blank_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with every kind of page."""
    directory = tmp_path_factory.mktemp("walk")
    return write_every_page(settings_in(directory, blank_database), directory)


@pytest.mark.parametrize(
    ("width", "dark", "wishes"),
    [
        (320, (False, True), {}),  # also a page of 1280 pixels at a zoom of 400 %
        (768, (False,), {"forced-colors": "active"}),
        (1440, (True,), {"prefers-contrast": "more"}),
    ],
)
def test_nothing_keeps_people_from_reading_any_kind_of_page(
    width: int, dark: tuple[bool, ...], wishes: Mapping[str, str], archive: Path, browser: Browser
) -> None:
    """On a phone and on a wide screen, in light, dark and forced colours; axe-core finds nothing."""
    broken = []
    for page, kind in KINDS.items():
        browser.show(archive / page, width=width, height=900, wishes=wishes)
        broken += [f"{kind}: {one}" for one in find_violations(browser, dark=dark)]
    assert not broken, "\n".join(broken)


def test_no_page_is_wider_than_its_window(archive: Path, browser: Browser) -> None:
    """From a phone to a wide screen."""
    for page, kind in KINDS.items():
        for width in (320, 640, 768, 1440):  # 640 is also a zoom of 200 %
            browser.show(archive / page, width=width, height=900)
            assert (kind, browser.evaluate("document.documentElement.scrollWidth")) == (kind, width)


def test_nothing_keeps_people_from_reading_a_match_of_any_game(browser: Browser, tmp_path: Path) -> None:
    """One that goes on, with a board as each game draws it; html-validate finds nothing in their pages either."""
    for case in CASES:
        place = tmp_path / case.key
        place.mkdir()
        write_shared(place)
        write_match(random_match(case, 12), place, SECRET, NOW)
        browser.show(place / "matches" / "17.html", width=1280, height=900)
        assert (case, find_violations(browser)) == (case, [])
        assert browser.evaluate("document.documentElement.scrollWidth") == 1280
    assert find_faults(sorted(tmp_path.rglob("*.html")), "pages") == []


def test_every_kind_of_page_is_right(archive: Path) -> None:
    """First page, lists, search, matches, frames, games, contests, players, also one who wants no page."""
    found = find_faults(sorted(archive.rglob("*.html")), "pages")
    assert [one for one in found if "long-title" not in one] == []  # of players who are called so


def test_a_page_is_painted_before_any_script_comes(archive: Path, browser: Browser) -> None:
    """It waits for its style sheet, and for nothing else."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_LateScripts, directory=str(archive))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        for page in ("index.html", "matches/1.html", "matches/2.html", "players/1.html", "games/pipelines.html"):
            browser.show(f"http://127.0.0.1:{server.server_port}/{page}", width=1280, height=900)
            names = [urlsplit(name).path for name in browser.evaluate(_LOADED) if not name.endswith("icon.svg")]
            assert (page, names) == (page, ["/style.css"])
        server.shutdown()


def test_a_page_is_whole_with_nothing_but_itself_and_its_style(archive: Path, browser: Browser, tmp_path: Path) -> None:
    """Where no script comes, every row and every picture is there, and no button that would do nothing."""
    for page, kind in KINDS.items():
        if page == "search.html":  # it is a script, and says so
            continue
        alone = tmp_path / page
        alone.parent.mkdir(exist_ok=True)
        shutil.copy(archive / page, alone)
        shutil.copy(archive / "style.css", tmp_path)
        browser.show(archive / page, width=1280, height=900)
        with_scripts, _, _ = browser.evaluate(_SIGHT)
        browser.show(alone, width=1280, height=900)
        without, pictures, controls = browser.evaluate(_SIGHT)
        assert (without, pictures, controls) == (with_scripts, True, 0), kind


@pytest.mark.parametrize("still", [False, True])
def test_the_newest_boards_play_their_last_moves(still: bool, archive: Path, browser: Browser) -> None:
    """Once, from the first of these positions to the present one; who wants no motion presses the button for it."""
    wishes = {"prefers-reduced-motion": "reduce" if still else "no-preference"}
    browser.show(archive / "index.html", width=1280, height=900, wishes=wishes)
    places = browser.evaluate(_SHOWN)
    assert places
    assert set(places) == ({1} if still else {0})
    if still:
        assert browser.evaluate("document.getElementById('films').textContent") == "Play the last moves"
        browser.evaluate("document.getElementById('films').click()")
        assert set(browser.evaluate(_SHOWN)) == {0}
        browser.evaluate("document.getElementById('films').click()")  # it pauses
    browser.evaluate("new Promise((done) => setTimeout(done, 1500))")
    assert set(browser.evaluate(_SHOWN)) == ({0} if still else {1})
    assert browser.evaluate("document.getElementById('films').textContent") == "Play the last moves"


@pytest.mark.parametrize(("width", "height"), [(1366, 657), (360, 640)])
def test_a_match_opens_with_its_board_and_the_buttons_for_it(
    width: int, height: int, archive: Path, browser: Browser
) -> None:
    """On the first screen of a laptop and of a phone; small boards are below, and no part is scrolled by itself."""
    browser.show(archive / "matches" / "1.html", width=width, height=height)
    found = browser.evaluate("""['.board svg', '.steps', '.strip'].map((what) => document.querySelector(what))
      .flatMap((one) => [one.getBoundingClientRect().top, one.getBoundingClientRect().bottom])""")
    assert found == sorted(found)
    assert found[3] <= height
    assert browser.evaluate("getComputedStyle(document.querySelector('.board')).overflowY") == "visible"


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
