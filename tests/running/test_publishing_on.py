"""A service that starts again, or was stopped while it published, goes on where it was, and the mail comes first."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.archive.made_of import FILE, UNSAVED, Made
from pbem.mail.archive_paths import match_page
from pbem.match.match import Match
from pbem.running.archiving.pass_memory import FILE as MEMORY
from pbem.running.archiving.pass_memory import PassMemory
from pbem.running.archiving.publishing import Publisher
from pbem.running.operator_rulings import forget_player
from pbem.storage.matches.reading import MatchReader
from tests.support.chosen import changed
from tests.support.club import Club
from tests.support.publishers import pages, publisher, texts

KINDS = ("html", "txt", "json", "sgf")


def test_a_pass_ends_after_its_time_and_the_next_one_goes_on(club: Club, archive: Path) -> None:
    """Each writes something, all together what one pass would have written; what has changed last comes first."""
    for _ in range(3):
        club.open()
        club.clock.advance(timedelta(hours=1))
    club.reply(0, "a1", match=2)
    club.clock.advance(timedelta(hours=1))
    now, sliced = club.clock.now(), publisher(club)
    seen, written = list[set[int]](), list[int]()
    while (not written or sliced.is_behind) and len(written) < 100:
        written.append(sliced.publish(now, seconds=1))
        seen.append({number for number in (1, 2, 3) if (archive / match_page(number)).is_file()})
    assert seen[:3] == [{2}, {2, 3}, {1, 2, 3}]
    assert len(written) > 6
    found = texts(archive)
    archive.rename(archive.with_name("sliced"))
    assert publisher(club).publish(now) == sum(written)
    assert texts(archive) == found


def test_what_changes_meanwhile_comes_first(club: Club, archive: Path) -> None:
    """A move that is made while an old archive is read is shown by the next pass, on the first page too."""
    for _ in range(4):
        club.open()
        club.clock.advance(timedelta(hours=1))
    sliced = publisher(club)
    sliced.publish(club.clock.now(), seconds=1)
    assert not (archive / "index.html").is_file()
    club.reply(0, "a1", match=1)
    for _ in range(3):
        sliced.publish(club.clock.now(), seconds=1)
    assert (archive / match_page(1)).is_file()
    assert (archive / "index.html").is_file()
    assert not (archive / match_page(2)).is_file()


def test_a_process_that_starts_again_makes_no_page_twice(club: Club, archive: Path) -> None:
    """Not even to compare it: a page that somebody has changed by hand stays, and one that is missing is made."""
    for _ in range(2):
        club.open()
    club.service.write_archive()
    (archive / match_page(1)).write_text("by hand")
    (archive / match_page(2)).unlink()
    assert publisher(club).publish(club.clock.now()) == 1
    assert (archive / match_page(1)).read_text() == "by hand"
    assert (archive / match_page(2)).is_file()


def test_a_change_while_no_service_ran_is_found(club: Club, archive: Path) -> None:
    """However long it is ago, and in whatever order times say."""
    for _ in range(2):
        club.open()
    club.service.write_archive()
    before = pages(archive)
    club.clock.advance(-timedelta(days=30))
    club.reply(0, "a1", match=1)
    club.clock.advance(timedelta(days=60))
    assert publisher(club).publish(club.clock.now()) > 3
    changed = {name for name, page in pages(archive).items() if before.get(name) != page}
    assert {name for name in changed if name.startswith("matches/")} == {match_page(1, kind) for kind in KINDS}
    assert {"index.html", "index-1.html", "search/matches-1.js"} <= changed


def test_a_process_that_is_killed_has_made_few_pages_for_nothing(club: Club, tmp_path: Path) -> None:
    """It need not come to its end: what it has made is written now and then."""
    (tmp_path / "page").touch()
    names = [f"./{'/' * number}page" for number in range(UNSAVED + 1)]
    counts = []
    for _ in range(2):
        made = Made(tmp_path, club.service.site, draws=False)
        made.read()
        counts.append([made.make(name, "told", lambda: 1) for name in names])
    assert counts == [[1] * (UNSAVED + 1), [0] * UNSAVED + [1]]


@pytest.mark.parametrize("change", ["secret", "archive_url"])
def test_after_a_change_of_settings_pages_are_made_anew(change: str, club: Club, archive: Path) -> None:
    """The signature of a record follows from the secret, addresses in pages from the address of the archive."""
    club.open()
    club.service.write_archive()
    before = texts(archive)[match_page(1)]
    settings = changed(club.service.settings, **{change: f"https://games.example/another-{change}"})
    site = replace(club.service.site, secret=settings.secret, archive_url=settings.archive_url)
    assert Publisher(settings, club.service.database, site).publish(club.clock.now()) > 0
    assert texts(archive)[match_page(1)] != before


@pytest.mark.parametrize("spoiled", [b"", b"\xff\xfe", b"0123", b"\n".join([b"zz" * 16, b"00" * 8 + b" " + b"11" * 8])])
def test_a_spoiled_list_of_what_was_made_costs_work_alone(spoiled: bytes, club: Club, archive: Path) -> None:
    """Nothing is written that was right, whatever a crash has left; it is read by nobody but its owner."""
    club.open()
    club.service.write_archive()
    before = pages(archive)
    assert (archive / FILE).stat().st_mode & 0o777 == 0o600
    (archive / FILE).write_bytes(spoiled)
    assert publisher(club).publish(club.clock.now()) == 0
    assert pages(archive) == before
    club.clock.advance(timedelta(hours=1))
    assert publisher(club).publish(club.clock.now()) == 0


def test_the_list_of_what_was_made_does_not_grow_for_ever(club: Club, archive: Path) -> None:
    """A service that starts writes it anew when most of it is old."""
    club.open()
    sizes = []
    for seat, text in ((0, "a1"), (1, "take"), (0, "b2"), (1, "c3"), (0, "resign")):
        club.reply(seat, text)
        club.clock.advance(timedelta(hours=1))
        publisher(club).publish(club.clock.now())
        sizes.append((archive / FILE).stat().st_size)
    assert max(sizes) <= 3 * sizes[0]


def test_the_list_of_what_was_made_tells_no_path_and_no_word(club: Club, archive: Path) -> None:
    """It has nothing but hashes, which change with the secret."""
    club.open()
    club.service.write_archive()
    told = (archive / FILE).read_text("ascii")
    assert set(told) <= set("0123456789abcdef \n")
    assert len(told.split()) == 2 * 3  # a match and two players


def test_a_process_that_starts_again_reads_what_has_changed_alone(
    club: Club, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No match that stayed as it was is read or replayed; all are after one that was killed."""
    for _ in range(3):
        club.open()
    club.clock.advance(timedelta(hours=1))
    club.service.write_archive()
    club.reply(0, "a1", match=2)
    club.clock.advance(timedelta(hours=1))
    read, read_all = list[int](), MatchReader.all

    def note(reader: MatchReader, numbers: Sequence[int], **wanted: bool) -> list[Match]:
        read.extend(numbers)
        return read_all(reader, numbers, **wanted)

    monkeypatch.setattr(MatchReader, "all", note)
    # The first page shows three of any.
    monkeypatch.setattr("pbem.running.archiving.publishing.FrontPage.write", lambda *_, **__: False)
    assert publisher(club).publish(club.clock.now()) > 3
    assert read == [2]
    publisher(club).publish(club.clock.now())
    assert sorted(read) == [1, 2, 2, 3]


@pytest.mark.parametrize("spoiled", [b"", b"0123", b"0" * 100])
def test_a_spoiled_memory_is_none(spoiled: bytes, club: Club, archive: Path) -> None:
    """All is read again, and nothing is written that was right; nobody but its owner reads it, and it's sealed."""
    club.open()
    club.service.write_archive()
    before, kept = texts(archive), archive / MEMORY
    assert kept.stat().st_mode & 0o777 == 0o600
    assert b"ann" not in kept.read_bytes().lower()
    kept.write_bytes(spoiled)
    assert publisher(club).publish(club.clock.now()) == 0
    assert texts(archive) == before


def test_a_restored_database_is_published_as_it_is(club: Club, archive: Path, tmp_path: Path) -> None:
    """What had happened since the copy is none, though an earlier process remembers it."""
    club.open()
    copy, file = tmp_path / "copy.db", club.service.database.file
    assert file
    club.service.database.copy_to(copy)
    club.service.write_archive()
    before = texts(archive)
    club.clock.advance(timedelta(hours=2))
    club.reply(0, "a1")
    assert club.service.write_archive() > 3
    with closing(sqlite3.connect(copy)) as old, closing(sqlite3.connect(file)) as new:
        old.backup(new)
    club.clock.advance(timedelta(hours=2))
    assert publisher(club).publish(club.clock.now()) > 3
    assert texts(archive) == before


def test_whoever_is_forgotten_is_not_remembered(club: Club, archive: Path) -> None:
    """What is kept for the next process is kept anew at once."""
    names = list[set[str]]()
    match = club.open()
    for _ in range(2):
        club.service.write_archive()
        made = Made(archive, club.service.site, draws=False)
        made.read()
        memory = PassMemory(club.service.settings, club.service.database, club.service.site).recall(made)
        names.append({*memory["_ledger"].names.values()})
        club.clock.advance(timedelta(minutes=1))
        forget_player(club.service, match.players[0])
    assert names[0] - names[1] == {match.players[0].name}
