"""Every kind of email and page in a real browser: axe-core finds nothing, and what matters is on the first screen.

Needs Debian's chromium, which .ci/run installs.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.notices.notice_kinds import notice_kinds
from rules.games import GAMES
from tests.e2e.measure_notices import CASES, Case, Measure, measure_case
from tests.support.axe import find_violations
from tests.support.browser import Browser, open_browser
from tests.support.club import Club, make_club, settings_in

pytestmark = pytest.mark.slow("needs a browser")

PHONE, DESK = (360, 640), (1280, 900)
_OF_THE_PROGRAM = ("region", "landmark-one-main", "page-has-heading-one")
"""What a whole page needs, and a part of one does not: an email is shown within the page of a program."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser for all tests."""
    with open_browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(blank_database: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """All pages of an archive with two matches of every game: one on its way, and one that is played to its end."""
    directory = tmp_path_factory.mktemp("pages")
    settings = settings_in(directory, blank_database)
    club = make_club(settings.model_copy(update={"archive_dir": str(directory / "archive")}))
    ends = []
    for game in GAMES.values():
        case = Case(game.key, game.seats[-1], game.short)
        ends += [club.match(case.play(club, moves)).outcome is not None for moves in (3, 1000)]
    club.service.write_archive()
    club.service.database.close()
    assert ends == [False, True] * len(GAMES)
    pages = (directory / "archive").rglob("*.html")
    found = sorted(page for page in pages if page.parent.name != "calendar")  # nothing is shown there
    names = Counter(page.parent.name for page in found)
    assert names == {"archive": 3, "games": len(GAMES), "matches": 2 * len(GAMES), "players": names["players"]}
    assert names["players"] >= max(game.seats[-1] for game in GAMES.values())
    return found


@pytest.mark.parametrize("kind", sorted(notice_kinds() - {"answer"}))
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nothing_keeps_people_from_reading_an_email(
    kind: str, dark: bool, emails: dict[str, list[Path]], browser: Browser
) -> None:
    """On a phone, in both colour schemes, axe-core finds nothing in any kind of email that has an HTML part."""
    broken = []
    for page in emails[kind]:
        browser.show(page, width=PHONE[0], height=PHONE[1], dark=dark)
        found = find_violations(browser, colours=dark, without=_OF_THE_PROGRAM)
        broken += [f"{page.name}: {one}" for one in found]
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_nothing_keeps_people_from_reading_a_page(
    size: tuple[int, int], dark: bool, pages: list[Path], browser: Browser
) -> None:
    """The index of the archive, the rules of every game, and matches on their way and at their end.

    No page is wider than the window.
    """
    broken = []
    for page in pages:
        browser.show(page, width=size[0], height=size[1], dark=dark)
        found = find_violations(browser, colours=dark)
        if (wide := browser.evaluate("document.documentElement.scrollWidth")) > size[0]:
            found.append(f"{wide} pixels wide")
        broken += [f"{page.parent.name}/{page.name}: {one}" for one in found]
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_what_cannot_be_read_is_found(dark: bool, browser: Browser, tmp_path: Path) -> None:
    """The search above can fail: grey words on the ground of either scheme."""
    page = tmp_path / "page.html"
    page.write_text(
        '<!DOCTYPE html><html lang="en"><head><title>Grey</title><meta name="color-scheme" content="light dark"></head>'
        f'<body><main><h1 style="color:{"#444" if dark else "#bbb"}">Words</h1></main></body></html>',
        encoding="utf-8",
    )
    browser.show(page, width=PHONE[0], height=PHONE[1], dark=dark)
    assert [one.split()[0] for one in find_violations(browser)] == ["color-contrast"]


@pytest.mark.parametrize("case", [case for case in CASES if not case.large], ids=str)
def test_the_board_and_the_instruction_are_on_the_first_screen(
    case: Case, club: Club, browser: Browser, tmp_path: Path
) -> None:
    """On a phone the board begins within 230 px, the instruction ends within 700, and nothing is moved sideways."""
    measures = measure_case(case, club, browser, tmp_path)
    assert measures
    assert [one for one in measures if not _fits(one)] == []


def _fits(one: Measure) -> bool:
    """Return whether an email is as short as it should be."""
    return (
        one.board is not None
        and one.board <= 230
        and one.instruction is not None
        and one.instruction <= 700
        and one.width <= 360
    )
