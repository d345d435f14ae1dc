"""Odd pages are right HTML, too: html-validate finds nothing; others are read in test_walk.py, and emails in
test_accessibility.py.

Needs node and npm, which .ci/run installs.
"""

from pathlib import Path

import pytest

from pbem.archive.lists.ledger import Ledger
from pbem.archive.lists.players import write_players
from pbem.archive.lists.search import write_search
from pbem.archive.match.page import write_match
from rules.games import GAMES
from tests.support.chosen import changed
from tests.support.club import SECRET, make_club, settings_in
from tests.support.ledgers import played
from tests.support.matches import NOW
from tests.support.pages import HOSTILE_NAMES
from tests.support.validator import find_faults

pytestmark = pytest.mark.slow("has html-validate read all pages")


def test_an_empty_archive_is_right(blank_database: Path, tmp_path: Path) -> None:
    """Nobody has played yet."""
    settings = changed(settings_in(tmp_path, blank_database), archive_dir=str(tmp_path / "pages"))
    club = make_club(settings)
    club.service.write_archive()
    club.service.database.close()
    pages = sorted((tmp_path / "pages").rglob("*.html"))
    assert len(pages) > len(GAMES)
    assert find_faults(pages, "pages") == []


def test_no_name_makes_a_page_wrong(tmp_path: Path) -> None:
    """Everything a player wrote is text, also where it looks like HTML."""
    ledger = Ledger()
    for number, name in enumerate(HOSTILE_NAMES, 1):
        match = played(number, (2 * number - 1, 2 * number), "a1", "take", "b2", "resign", name=name)
        write_match(match, tmp_path, SECRET, NOW)
        ledger.note(match)
    write_players(ledger, tmp_path)
    sum(write_search(ledger, tmp_path))
    pages = sorted(tmp_path.rglob("*.html"))
    assert len(pages) == 3 * len(HOSTILE_NAMES) + 1
    assert find_faults(pages, "pages") == []


@pytest.mark.parametrize(
    ("fault", "rules"),
    [
        ("<p>left <b>open</p>", "pages"),
        ("<p><div>a box in a paragraph</div></p>", "pages"),
        ('<p id="one">1</p><p id="one">2</p>', "emails"),
        ("<table><tr><td>1<td>2<tr><td><li>no list</table>", "emails"),
    ],
)
def test_what_is_wrong_is_found(fault: str, rules: str, tmp_path: Path) -> None:
    """The searches above can fail; end tags that are added hide nothing."""
    page = tmp_path / "page.html"
    html = f'<!DOCTYPE html>\n<html lang="en"><head><title>Fault</title></head><body>{fault}</body></html>\n'
    page.write_text(html, encoding="utf-8")
    assert find_faults([page], "emails" if rules == "emails" else "pages")
