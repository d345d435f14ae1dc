"""Every kind of email in a real browser: axe-core finds nothing, and what matters is on the first screen.

html-validate finds nothing in them. Pages are read in test_walk.py. Needs Debian's chromium, node and npm, which
.ci/run installs.
"""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from pbem.notices.notice_kinds import notice_kinds
from tests.e2e.measure_notices import CASES, Case, Measure, measure_case
from tests.support.axe import find_violations
from tests.support.browser import Browser, open_browser
from tests.support.club import Club, settings_in
from tests.support.each import each
from tests.support.mails import html_of
from tests.support.story import emails_in
from tests.support.validator import find_faults

pytestmark = pytest.mark.slow("needs a browser")

PHONE = 360, 640
STORIES = (Path(__file__).resolve().parents[1] / "stories").glob("*.txt")
_KIND = re.compile(r"X-Pbem-Kind: (\w+).* html [0-9a-f]")
_OF_THE_PROGRAM = ("region", "landmark-one-main", "page-has-heading-one")
"""What a whole page needs, and a part of one does not: an email is shown within the page of a program."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser for all tests."""
    with open_browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def emails(blank_database: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """By their kind, the HTML parts of emails of stories: the longest of each, and of those to move in each game.

    A story that has nothing new, neither a kind nor a game, is passed over: to play all takes half a minute.
    """
    directory = tmp_path_factory.mktemp("emails")
    found: dict[tuple[str, str], list[str]] = {}
    seen = set[str]()
    for story in sorted(STORIES, key=lambda story: story.stat().st_size):
        text = story.read_text(encoding="utf-8")
        has = {_game_of(text), *_KIND.findall(text)}
        if has <= seen:
            continue
        seen |= has
        place = directory / story.stem
        place.mkdir()
        for kind, mail in emails_in(text, settings_in(place, blank_database)):
            if mail.get_body(("html",)) is not None:
                found.setdefault((kind, _game_of(text) if kind == "your_turn" else ""), []).append(html_of(mail))
    kinds: dict[str, list[Path]] = {}
    for (kind, game), pages in found.items():
        page = directory / f"{kind}-{game}.html"
        page.write_text(max(pages, key=len), encoding="utf-8")
        kinds.setdefault(kind, []).append(page)
    return kinds


@pytest.fixture
def phone(browser: Browser) -> Browser:
    """The browser with an empty window, to be filled."""
    browser.show("about:blank", width=PHONE[0], height=PHONE[1])
    return browser


@each("kind", sorted(notice_kinds() - {"answer"}))
def test_nothing_keeps_people_from_reading_an_email(kind: str, emails: dict[str, list[Path]], phone: Browser) -> None:
    """On a phone, in both colour schemes, axe-core finds nothing in any kind of email that has an HTML part."""
    broken = []
    for page in emails[kind]:
        phone.fill(page.read_text(encoding="utf-8"))
        broken += [f"{page.name}: {one}" for one in find_violations(phone, without=_OF_THE_PROGRAM)]
    assert not broken, "\n".join(broken)


def test_every_kind_of_email_is_right(emails: dict[str, list[Path]]) -> None:
    """The HTML parts of all stories."""
    pages = list(chain.from_iterable(emails.values()))
    assert len(pages) > 20
    assert find_faults(pages, "emails") == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_what_cannot_be_read_is_found(dark: bool, phone: Browser, tmp_path: Path) -> None:
    """The searches above can fail: grey words on the ground of either scheme, in a page that is opened or filled in."""
    page = tmp_path / "page.html"
    page.write_text(
        '<!DOCTYPE html><html lang="en"><head><title>Grey</title><meta name="color-scheme" content="light dark"></head>'
        f'<body><main><h1 style="color:{"#444" if dark else "#bbb"}">Words</h1></main></body></html>',
        encoding="utf-8",
    )
    for _ in range(2):  # the second time the engine is there already
        phone.fill(page.read_text(encoding="utf-8"))
        (found,) = find_violations(phone)
        assert found.startswith("color-contrast, dark" if dark else "color-contrast ×")
    phone.show(page, width=PHONE[0], height=PHONE[1])
    assert find_violations(phone) == [found]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_board_and_the_instruction_are_on_the_first_screen(
    case: Case, club: Club, browser: Browser, tmp_path: Path
) -> None:
    """On a phone the board begins within 230 px, the instruction ends within 680, and nothing is moved sideways."""
    measures = measure_case(case, club, browser, tmp_path)
    assert measures
    assert [one for one in measures if not _fits(one)] == []


def _game_of(story: str) -> str:
    """Return the game that is played in a story; most of them name it at their head."""
    heads = (line for line in story.splitlines() if line.startswith("Game: "))
    return next(heads, "Game: several").removeprefix("Game: ")


def _fits(one: Measure) -> bool:
    """Return whether an email is as short as it should be."""
    return (
        one.board is not None
        and one.board <= 230
        and one.instruction is not None
        and one.instruction <= 680
        and one.width <= 360
    )
