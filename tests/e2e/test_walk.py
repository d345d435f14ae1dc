"""Every kind of page of the archive in a real browser, however somebody reads it. Needs Debian's chromium."""

import shutil
import time
from collections.abc import Iterator, Mapping
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest

from pbem.archive.match.page import write_match
from pbem.archive.pages import write_shared
from rules.games import GAMES
from tests.support.axe import find_violations
from tests.support.browser import Browser, open_browser
from tests.support.club import SECRET, settings_in
from tests.support.every_page import KINDS, write_every_page
from tests.support.matches import NOW, random_match
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


@pytest.mark.parametrize("case", CASES, ids=str)
def test_nothing_keeps_people_from_reading_a_match_of_any_game(case: Case, browser: Browser, tmp_path: Path) -> None:
    """The page of a match that goes on, with a board as each game draws it."""
    write_shared(tmp_path)
    write_match(random_match(case, 12), tmp_path, SECRET, NOW)
    browser.show(tmp_path / "matches" / "17.html", width=1280, height=900)
    assert find_violations(browser) == []
    assert browser.evaluate("document.documentElement.scrollWidth") == 1280


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
