"""The service keeps the archive: pass after pass, it writes what has changed."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.archive import PAGE, RUNNING
from tests.support.club import Club
from tests.support.pages import Page

LISTS = frozenset({"index.html", "index-1.html", "search/matches-1.js", "players/1.html"})
"""The lists that tell of a move of the first player in one of the first matches."""


@pytest.fixture
def archive(club: Club, tmp_path: Path) -> Path:
    """Give the directory of the archive."""
    directory = tmp_path / "archive"
    club.service.settings.archive_dir = str(directory)
    return directory


def add_matches(club: Club, numbers: Iterable[int]) -> None:
    """Store matches with these numbers, opened now, which are like match 1 without its moves, and without any email."""
    file = club.service.database.file
    assert file
    with closing(sqlite3.connect(file)) as connection, connection:
        for number in numbers:
            at = f"{club.clock.now():%Y-%m-%d %H:%M:%S.%f}"
            connection.execute(
                "INSERT INTO match (id, game, seats, options, opened_at, changed_at)"
                " SELECT ?, game, seats, options, ?, ? FROM match WHERE id = 1",
                (number, at, at),
            )
            connection.execute(
                "INSERT INTO place (match_id, seat, player_id) SELECT ?, seat, player_id FROM place WHERE match_id = 1",
                (number,),
            )


def listed(page: Path) -> list[int]:
    """Return the numbers of the matches on a page of the index."""
    links = Page(page.read_text("utf-8")).links
    return [int(Path(link).stem) for link in links if link.startswith("matches/")]


def changed(archive: Path, before: dict[str, int]) -> set[str]:
    """Return the pages that are not among those ``before``."""
    return {name for name, stamp in stamps(archive).items() if before.get(name) != stamp}


def stamps(archive: Path) -> dict[str, int]:
    """Return the inode of every page: a page that is written is another file."""
    return {str(path.relative_to(archive)): path.stat().st_ino for path in archive.rglob("*.*")}


def test_a_match_is_written_when_it_has_changed(club: Club, archive: Path) -> None:
    """The first pass writes everything, the next one nothing, and after a move the match and the index are new."""
    club.open()
    club.open()
    assert club.service.write_archive() > 3
    before = stamps(archive)
    assert club.service.write_archive() == 0
    club.reply(0, "a1", match=2)
    club.clock.advance(timedelta(minutes=1))
    assert club.service.write_archive() == 5
    assert changed(archive, before) == {*LISTS, "matches/2.html", "matches/2.json", "matches/2.txt"}


def test_a_change_that_came_to_light_late_is_written(club: Club, archive: Path) -> None:
    """A transaction that ends after a pass may be dated before it; the next pass looks back a few minutes."""
    club.open()
    club.clock.advance(timedelta(hours=1))
    club.service.write_archive()
    before = stamps(archive)
    club.clock.advance(-timedelta(minutes=4))
    club.reply(0, "a1")
    club.clock.advance(timedelta(minutes=10))
    assert club.service.write_archive() == 5
    assert changed(archive, before) == {*LISTS, "matches/1.html", "matches/1.json", "matches/1.txt"}


def test_a_pass_tells_how_far_it_is(club: Club, archive: Path) -> None:
    """After every so many matches it says how many are done, and of how many; of none, nothing."""
    club.open()
    add_matches(club, range(2, 2 * PAGE + 2))
    told: list[tuple[int, int]] = []
    club.service.write_archive(lambda done, total: told.append((done, total)))
    assert told == [(200, 401), (400, 401), (401, 401)]
    club.clock.advance(timedelta(hours=1))
    club.service.write_archive()
    told.clear()
    club.clock.advance(timedelta(hours=1))
    club.service.write_archive(lambda done, total: told.append((done, total)))
    assert told == []


def test_the_index_has_a_page_for_every_match(club: Club, archive: Path) -> None:
    """The first page shows some running ones; page 1 begins with match 1, and no match is missing."""
    club.open()
    newest = 2 * PAGE + 11
    add_matches(club, range(2, newest + 1))
    club.service.write_archive()
    assert sorted(listed(archive / "index.html")) == list(range(newest - RUNNING + 1, newest + 1))
    assert listed(archive / "index-1.html") == list(range(PAGE, 0, -1))
    assert listed(archive / "index-2.html") == list(range(2 * PAGE, PAGE, -1))
    assert listed(archive / "index-3.html") == list(range(newest, 2 * PAGE, -1))
    assert not (archive / "index-4.html").exists()
    for path in archive.rglob("*.html"):
        for link in Page(path.read_text("utf-8")).links:
            assert link.startswith("mailto:games@") or (path.parent / link).is_file(), (path, link)


def test_only_pages_that_change_are_written(club: Club, archive: Path) -> None:
    """New matches change the first page; a full one gets a new neighbour once, and is left alone from then on."""
    club.open()
    add_matches(club, [PAGE])
    club.service.write_archive()
    steps = []
    for opened in (PAGE + 1, PAGE + 2, 2 * PAGE + 1, 4 * PAGE + 1):
        before = stamps(archive)
        club.clock.advance(timedelta(hours=1))
        add_matches(club, [opened])
        club.service.write_archive()
        steps.append({name for name in changed(archive, before) if name.startswith("index")})
    assert steps == [
        {"index.html", "index-1.html", "index-2.html"},
        {"index.html", "index-2.html"},
        {"index.html", "index-2.html", "index-3.html"},
        {"index.html", "index-3.html", "index-4.html", "index-5.html"},
    ]


def test_a_change_of_an_old_match_changes_its_page_of_the_index(club: Club, archive: Path) -> None:
    """A move in a match that the first page lacks is told on the numbered page that lists it."""
    club.open()
    add_matches(club, range(2, PAGE + 2))
    club.service.write_archive()
    club.clock.advance(timedelta(hours=1))
    before = stamps(archive)
    club.reply(0, "a1", match=1)
    assert club.service.write_archive() == 4
    assert changed(archive, before) == LISTS - {"index.html"} | {"matches/1.html", "matches/1.json", "matches/1.txt"}


def test_the_first_page_shows_how_things_stand(club: Club, archive: Path) -> None:
    """A board changes with a move; a match that is over moves to the results, the latest on top."""
    for _ in range(3):
        club.open()
    boards = []
    for moves in ((), ((0, "a1", 1),), ((0, "resign", 2), (0, "resign", 1))):
        for seat, text, match in moves:
            club.clock.advance(timedelta(minutes=1))
            club.reply(seat, text, match=match)
        club.clock.advance(timedelta(hours=1))
        club.service.write_archive()
        boards.append((archive / "index.html").read_text("utf-8").count('class="small"'))
    assert boards == [3, 3, 1]
    assert listed(archive / "index.html") == [3, 1, 2]


def test_gaps_in_the_numbers_do_no_harm(club: Club, archive: Path) -> None:
    """A page lists its own matches alone, even where the database has left numbers out, and whole pages."""
    club.open()
    add_matches(club, [PAGE, PAGE + 1, 4 * PAGE])
    club.service.write_archive()
    pages = [listed(archive / f"index-{page}.html") for page in (1, 2, 3, 4)]
    assert pages == [[PAGE, 1], [PAGE + 1], [], [4 * PAGE]]
    assert sorted(listed(archive / "index.html")) == [1, PAGE, PAGE + 1, 4 * PAGE]


def test_a_pass_that_fails_is_done_again(club: Club, archive: Path) -> None:
    """What could not be written because a file was in the way is written by the next pass."""
    club.open()
    archive.write_text("in the way")
    with pytest.raises(OSError, match="archive"):
        club.service.write_archive()
    archive.unlink()
    club.service.write_archive()
    assert (archive / "matches" / "1.html").is_file()
    assert listed(archive / "index.html") == [1]


def test_a_rematch_is_linked_from_the_match_before(club: Club, archive: Path) -> None:
    """A new match of the same players writes the page of the one before anew, and no other."""
    club.open()
    club.service.open("pippip", ("Ann <ann@a.example>", "Dora <dora@d.example>"), {})
    club.service.write_archive()
    before = stamps(archive)
    club.clock.advance(timedelta(hours=1))
    club.open()
    club.service.write_archive()
    written = {name for name in changed(archive, before) if name.startswith("matches/")}
    assert written == {"matches/1.html", "matches/3.html", "matches/3.json", "matches/3.txt"}
    assert "3.html" in Page((archive / "matches/1.html").read_text("utf-8")).links
    assert "1.html" in Page((archive / "matches/3.html").read_text("utf-8")).links
