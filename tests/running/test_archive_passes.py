"""The service keeps the archive: pass after pass, it writes what has changed."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from pbem.archive.lists.index import RUNNING
from pbem.archive.lists.listing import PAGE
from pbem.errors import Unwritable
from rules.games import GAMES
from tests.support.club import Club, make_club, settings_in
from tests.support.pages import Page

LISTS = frozenset({"index.html", "index-1.html", "search/matches-1.js", "players/1.html", "players/2.html"})
"""The lists that tell of a move in one of the first matches."""


@pytest.fixture
def archive(club: Club, tmp_path: Path) -> Path:
    """Give the directory of the archive."""
    directory = tmp_path / "archive"
    club.service.settings.archive_dir = str(directory)
    return directory


def add_matches(club: Club, numbers: Iterable[int], like: int = 1) -> None:
    """Store matches with these numbers, opened now, which are ``like`` another without its moves and emails."""
    file = club.service.database.file
    assert file
    with closing(sqlite3.connect(file)) as connection, connection:
        for number in numbers:
            at = f"{club.clock.now():%Y-%m-%d %H:%M:%S.%f}"
            connection.execute(
                "INSERT INTO match (id, game, seats, options, opened_at, changed_at, standing, secret, rewound,"
                " private, nonce, team_told, rated, seconded) SELECT ?, game, seats, options, ?, ?, 'null', secret,"
                " rewound, private, nonce, team_told, rated, seconded FROM match WHERE id = ?",
                (number, at, at, like),
            )
            connection.execute(
                "INSERT INTO place (match_id, seat, player_id) SELECT ?, seat, player_id FROM place WHERE match_id = ?",
                (number, like),
            )


@contextmanager
def counted_steps(club: Club) -> Iterator[list[None]]:
    """Yield a list that gets an item for each step that SQLite takes."""
    steps = list[None]()

    def watch(connection: Any, *_: object) -> None:
        connection.set_progress_handler(lambda: steps.append(None), 1)

    engine = club.service.database._engine
    event.listen(engine, "checkout", watch)
    yield steps
    event.remove(engine, "checkout", watch)


def listed(page: Path) -> list[int]:
    """Return the numbers of the matches on a page of the index."""
    links = Page(page.read_text("utf-8")).links
    return [int(Path(link).stem) for link in links if link.startswith("matches/")]


def files_of(match: int) -> set[str]:
    """Return the files of a match of Pipline that goes on, beside its page."""
    return {f"matches/{match}.{kind}" for kind in ("txt", "json", "sgf")}


def changed(archive: Path, before: dict[str, int]) -> set[str]:
    """Return the pages that are not among those ``before``."""
    return {name for name, stamp in stamps(archive).items() if before.get(name) != stamp}


def stamps(archive: Path) -> dict[str, int]:
    """Return the inode of every page: a page that is written is another file."""
    return {str(path.relative_to(archive)): path.stat().st_ino for path in archive.rglob("[!.]*.*")}


def test_a_match_is_written_when_it_has_changed(club: Club, archive: Path) -> None:
    """The first pass writes everything, the next one nothing, and after a move the match and the index are new."""
    club.open()
    club.open()
    assert club.service.write_archive() > 3
    before = stamps(archive)
    assert club.service.write_archive() == 0
    club.reply(0, "a1", match=2)
    club.clock.advance(timedelta(minutes=1))
    assert club.service.write_archive() == 6
    assert changed(archive, before) == {*LISTS, "matches/2.html", *files_of(2)}


def test_a_change_that_came_to_light_late_is_written(club: Club, archive: Path) -> None:
    """A transaction that ends after a pass may be dated before it; the next pass looks back a few minutes."""
    club.open()
    club.clock.advance(timedelta(hours=1))
    club.service.write_archive()
    before = stamps(archive)
    club.clock.advance(-timedelta(minutes=4))
    club.reply(0, "a1")
    club.clock.advance(timedelta(minutes=10))
    assert club.service.write_archive() == 6
    assert changed(archive, before) == {*LISTS, "matches/1.html", *files_of(1)}


def test_a_pass_tells_how_far_it_is(club: Club, archive: Path) -> None:
    """Of each sort of thing how many are done, and of how many, up to the last; where nothing is to do, nothing."""
    club.open()
    add_matches(club, range(2, 72))
    told: list[tuple[str, int, int]] = []
    club.service.write_archive(lambda *progress: told.append(progress))
    assert told[:2] == [("matches", 50, 71), ("matches", 71, 71)]
    lists = [done for phase, done, total in told if (phase, total) == ("lists", len(GAMES) + 2 + 2 + 2)]
    assert lists == sorted(lists)
    assert lists[-1] == len(GAMES) + 6
    assert len(told) == 2 + len(lists)
    club.clock.advance(timedelta(hours=1))
    club.service.write_archive()  # which looks back a few minutes
    told.clear()
    club.clock.advance(timedelta(hours=1))
    club.service.write_archive(lambda *progress: told.append(progress))
    assert told == []


def test_the_index_has_a_page_for_every_match(club: Club, archive: Path) -> None:
    """The first page shows some running ones; page 1 begins with match 1, and no match is missing."""
    club.open()
    newest = PAGE + 11
    add_matches(club, range(2, newest + 1))
    club.service.write_archive()
    assert sorted(listed(archive / "index.html")) == list(range(newest - RUNNING + 1, newest + 1))
    assert listed(archive / "index-1.html") == list(range(PAGE, 0, -1))
    assert listed(archive / "index-2.html") == list(range(newest, PAGE, -1))
    assert not (archive / "index-3.html").exists()
    for path in archive.rglob("*.html"):
        for link in Page(path.read_text("utf-8")).links:
            assert link.startswith("mailto:games@") or (path.parent / link).is_file(), (path, link)


def test_a_move_costs_the_same_whatever_the_number_of_matches(blank_database: Path, tmp_path: Path) -> None:
    """As many steps of the database's own machine, whether rows come of them or not, and the same files."""
    costs = []
    for most in (RUNNING + 10, RUNNING + 160):
        directory = tmp_path / str(most)
        directory.mkdir()
        club, archive = make_club(settings_in(directory, blank_database)), directory / "archive"
        club.service.settings.archive_dir = str(archive)
        club.open()
        other = club.open(players=("Carl <carl@c.example>", "Dora <dora@d.example>"))
        add_matches(club, range(PAGE + 1, PAGE + most), like=other.id)
        club.service.write_archive()
        club.clock.advance(timedelta(hours=1))
        club.service.write_archive()  # which looks back a few minutes
        club.reply(0, "a1")
        before = stamps(archive)
        with counted_steps(club) as steps:
            club.service.write_archive()
        club.service.database.close()
        costs.append((len(steps), changed(archive, before)))
    assert costs[0] == costs[1]


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


def test_a_move_in_an_old_match_is_news(club: Club, archive: Path) -> None:
    """It is told on the numbered pages that list the match, and its board is the first of the first page."""
    club.open()
    add_matches(club, range(2, PAGE + 2))
    club.service.write_archive()
    assert 1 not in listed(archive / "index.html")
    club.clock.advance(timedelta(hours=1))
    before = stamps(archive)
    club.reply(0, "a1", match=1)
    club.service.write_archive()
    lists = LISTS | {"players/1-1.html", "players/2-1.html"}
    assert changed(archive, before) == {*lists, "matches/1.html", *files_of(1)}
    assert listed(archive / "index.html")[0] == 1


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
        page = (archive / "index.html").read_text("utf-8")
        boards.append(page.count('class="small"') + page.count('class="large"'))
    assert boards == [3, 3, 3]
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
    with pytest.raises(Unwritable, match="archive"):
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
    assert written == {"matches/1.html", "matches/3.html", "matches/index.jsonl", *files_of(3)}
    assert "3.html" in Page((archive / "matches/1.html").read_text("utf-8")).links
    assert "1.html" in Page((archive / "matches/3.html").read_text("utf-8")).links
