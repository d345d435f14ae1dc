"""The page of a report in a real browser and by html-validate: right, readable, and no wider than a phone.

Needs Debian's chromium, node and npm, which .ci/run installs.
"""

from pathlib import Path

import pytest

from pbem.report.making import make_report
from pbem.report.plan import make_plan
from tests.support.axe import find_violations
from tests.support.browser import open_browser
from tests.support.validator import find_faults

pytestmark = pytest.mark.slow("needs a browser")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with something in every section."""
    directory = tmp_path_factory.mktemp("report")
    (directory / "zipline.speed").write_text("1000\n")
    plan = make_plan("zipline", None, {"size": 5}, 8, 4, 1, random_games=20)
    return make_report(plan, directory, minutes=10, jobs=1).page


def test_it_is_right(page: Path) -> None:
    """html-validate finds nothing."""
    assert find_faults([page], "pages") == []


@pytest.mark.parametrize("size", [(360, 640), (1200, 900)], ids=["phone", "desk"])
def test_nothing_keeps_people_from_reading_it(page: Path, size: tuple[int, int], tmp_path: Path) -> None:
    """axe-core finds nothing, nothing is moved sideways, and its policy lets all of it be drawn."""
    with open_browser(tmp_path, policies=True) as browser:
        browser.show(page, width=size[0], height=size[1])
        assert browser.evaluate("document.documentElement.scrollWidth") == size[0]
        for dark in (False, True):
            browser.prefer(dark=dark)
            drawn = browser.evaluate("getComputedStyle(document.querySelector('.plot text')).fill")
            assert drawn == browser.evaluate("getComputedStyle(document.body).color")
    with open_browser(tmp_path) as browser:
        browser.show(page, width=size[0], height=size[1])
        assert find_violations(browser) == []
