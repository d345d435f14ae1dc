"""The page of a report in a real browser and by html-validate: right, readable, and no wider than a phone.

Needs Debian's chromium, node and npm, which .ci/run installs.
"""

import json
from itertools import product
from pathlib import Path

import pytest

from pbem.archive.lists.rules_pages import write_rules
from pbem.archive.pages import write_shared
from pbem.mail.archive_paths import report_page, rules_page
from pbem.report.measures import measure, measure_profile
from pbem.report.page import write_page
from pbem.report.plan import PROFILES, interleaved, make_plan
from pbem.report.running import play_games
from tests.support.axe import find_violations
from tests.support.browser import Browser, open_browser
from tests.support.validator import find_faults

pytestmark = pytest.mark.slow("needs a browser")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A report with something in every section, in an archive, and the page of its game."""
    directory = tmp_path_factory.mktemp("archive")
    profiles = {}
    for profile in PROFILES:
        plan = make_plan("zipline", None, {"size": 5}, 8, 4, 1, 20, profile)
        profiles[profile] = measure_profile(plan, list(play_games(plan, interleaved(plan.tasks(), set()), 1, 1e12)))
    found = measure(plan, profiles)
    page = directory / report_page("zipline")
    page.parent.mkdir()
    page.with_suffix(".json").write_text(json.dumps(found), "utf-8")
    page.write_text(write_page(found, page.with_suffix(".json").name, in_archive=True), "utf-8")
    write_rules(directory, games=["zipline"])
    write_shared(directory)
    return page, directory / rules_page("zipline")


def test_they_are_right(pages: tuple[Path, Path]) -> None:
    """html-validate finds nothing."""
    assert find_faults(list(pages), "pages") == []


def _open_all(browser: Browser) -> None:
    browser.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")


def test_nothing_keeps_people_from_reading_them(pages: tuple[Path, Path], tmp_path: Path) -> None:
    """axe-core finds nothing, whatever is open; nothing is moved sideways, and the policy lets all of it be drawn."""
    with open_browser(tmp_path / "held", policies=True) as browser:
        for page, width in product(pages, (320, 390, 800, 1440)):
            browser.show(page, width=width, height=800)
            _open_all(browser)
            assert browser.evaluate("document.documentElement.scrollWidth") == width
        browser.show(pages[0], width=800, height=800)
        for dark in (False, True):
            browser.prefer(dark=dark)
            drawn = browser.evaluate("getComputedStyle(document.querySelector('.plot text')).fill")
            assert drawn == browser.evaluate("getComputedStyle(document.body).color")
    with open_browser(tmp_path / "free") as browser:
        for page, width in product(pages, (390, 1440)):
            browser.show(page, width=width, height=800)
            _open_all(browser)
            assert find_violations(browser) == []


def test_paper_has_what_is_closed_on_the_screen(pages: tuple[Path, Path], tmp_path: Path) -> None:
    """What each measure means is printed."""
    with open_browser(tmp_path) as browser:
        browser.show(pages[0], width=800, height=800, paper=True)
        assert browser.evaluate("[...document.querySelectorAll('.figures details p')].every(one => one.offsetHeight)")
