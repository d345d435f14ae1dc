"""The rules in JavaScript, for pages, against the rules in Python. Needs Debian's chromium, which .ci/run installs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.browser import Browser, open_browser
from tests.support.examples import THOROUGH
from tests.support.twins import (
    FOLDER,
    cases_of,
    compare,
    families,
    mixed_cases,
    played_at_random,
    played_long,
    played_tersely,
    playthroughs_of,
)

pytestmark = pytest.mark.slow("has node play the rules in JavaScript")

MIXED = 12 if THOROUGH else 3
"""So many matches have all options drawn at random, and as many last long, beside one match of each case."""
TERSE = 4 if THOROUGH else 2
"""In so many matches there are mostly short moves."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser for all tests."""
    with open_browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.mark.parametrize("family", families())
def test_a_twin_plays_as_the_rules_do(browser: Browser, tmp_path: Path, family: str) -> None:
    """At every ply of random matches it shows the same, asks the same seat, and takes and refuses the same moves."""
    matches = playthroughs_of(family)
    for seed, case in enumerate([*cases_of(family), *mixed_cases(family, MIXED)]):
        matches.append(played_at_random(case, seed, leaving=0.02 * (seed % 2)))
    for seed, case in enumerate(mixed_cases(family, MIXED, small=True)):
        matches.append(played_long(case, seed))
    for seed, case in enumerate(mixed_cases(family, TERSE, small=True)):
        matches.append(played_tersely(case, seed))
    found = compare(browser, family, matches, tmp_path)
    assert "\n".join(found.differences) == ""
    assert found.matches == len(matches)
    assert found.plies > 10 * len(matches)
    assert found.refusals > found.plies


@pytest.mark.parametrize(
    ("family", "was", "becomes"),
    [
        ("pippinzip", "touched.top ||= row === size - 1", "touched.top ||= row === size - 2"),
        ("pippinzip", "closed.push(", "void ("),
        ("pippinzip", "taker === null || seat === state.taker", "seat === state.taker"),
        ("snipsnip", "timesCome(following) === 3", "timesCome(following) === 4"),
        ("snipsnip", 'joint: "x"', 'joint: " "'),
        ("snipsnip", '"cell_occupied"', '"capture_site"'),
    ],
)
def test_a_wrong_twin_is_found_out(browser: Browser, tmp_path: Path, family: str, was: str, becomes: str) -> None:
    """What is altered in a twin shows in the approved matches already."""
    script = (FOLDER / f"{family}.js").read_text("utf-8")
    assert was in script
    (tmp_path / f"{family}.js").write_text(script.replace(was, becomes), "utf-8")
    assert compare(browser, family, playthroughs_of(family), tmp_path, twins=tmp_path).differences
