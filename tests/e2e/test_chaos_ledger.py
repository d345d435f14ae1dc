"""The ledger of the seasons with faults finds whatever is planted: what it calls balanced, is."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from shutil import copy

import pytest

from pbem.storage.database import Database
from tests.bench.chaos.books import read_books
from tests.bench.chaos.calm import play_calmly
from tests.bench.chaos.faults import KILLS, OTHERS, schedule
from tests.bench.chaos.ledger import Books, EntryRow, InboundRow, Span, audit, find_repeats
from tests.bench.chaos.life import POINTS
from tests.bench.chaos.outlet import Journal, repair
from tests.bench.chaos.season import open_season

SEED, BEGAN = 7, datetime(2026, 11, 24, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def season(blank_database: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Books]:
    """A short season that nothing disturbed: its database, and its books."""
    file = Path(copy(blank_database, tmp_path_factory.mktemp("season") / "pbem.db"))
    database = Database(f"sqlite:///{file}")
    planned = open_season(database, BEGAN, SEED, matches=6, most=6)
    database.close()
    return file, play_calmly(file, planned, BEGAN, SEED)


@pytest.fixture
def books(season: tuple[Path, Books]) -> Books:
    """The books of that season."""
    return season[1]


def test_a_season_has_something_of_everything(books: Books) -> None:
    """Every match is played and talked in, and the books balance with themselves."""
    assert len(books.records) == 6
    assert all(books.comments[number] for number in books.records)
    assert {row.status for row in books.inbound} >= {"accepted"}
    assert len(books.inbound) == len(books.written) >= 6 * 6
    assert set(books.outbound.values()) == {"sent"}
    assert audit(books, books, [], kills=0) == []


def test_two_seasons_of_one_seed_are_the_same(blank_database: Path, tmp_path: Path, books: Books) -> None:
    """So that one can be measured by the other, whatever happens meanwhile."""
    file = Path(copy(blank_database, tmp_path / "again.db"))
    database = Database(f"sqlite:///{file}")
    planned = open_season(database, BEGAN, SEED, matches=6, most=6)
    database.close()
    assert audit(play_calmly(file, planned, BEGAN, SEED), books, [], kills=0) == []


def _without_a_message(books: Books) -> Books:
    return replace(books, inbound=books.inbound[1:])


def _with_a_message_twice(books: Books) -> Books:
    return replace(books, inbound=(*books.inbound, books.inbound[3]))


def _with_a_message_of_nobody(books: Books) -> Books:
    return replace(books, inbound=(*books.inbound, InboundRow("<nobody@a.example>", "accepted")))


def _with_a_message_left_lying(books: Books) -> Books:
    return replace(books, inbound=(replace(books.inbound[0], status="received"), *books.inbound[1:]))


def _with_a_message_ended_otherwise(books: Books) -> Books:
    return replace(books, inbound=(replace(books.inbound[0], status="rejected"), *books.inbound[1:]))


def _with_another_record(books: Books) -> Books:
    return replace(books, records={**books.records, 2: books.records[2].replace(" 1", " 2", 1)})


def _without_a_match(books: Books) -> Books:
    return replace(books, records={number: text for number, text in books.records.items() if number != 3})


def _without_a_comment(books: Books) -> Books:
    return replace(books, comments={**books.comments, 1: books.comments[1][:-1]})


def _with_a_message_played_twice(books: Books) -> Books:
    again = EntryRow(1, 99, books.entries[0].message_id)
    return replace(books, entries=(*books.entries, again))


def _with_an_email_that_waits(books: Books) -> Books:
    return replace(books, outbound={**books.outbound, next(iter(books.outbound)): "queued"})


def _with_an_email_refused(books: Books) -> Books:
    return replace(books, outbound={**books.outbound, next(iter(books.outbound)): "refused"})


def _without_an_email(books: Books) -> Books:
    return replace(books, outbound=dict(list(books.outbound.items())[1:]))


def _with_an_email_that_never_came(books: Books) -> Books:
    return replace(books, arrived=books.arrived[1:])


def _with_another_email(books: Books) -> Books:
    more = replace(books.arrived[0], message_id="<more@pbem.example>")
    return replace(books, arrived=(*books.arrived, more), outbound={**books.outbound, more.message_id: "sent"})


def _with_a_message_never_written(books: Books) -> Books:
    return replace(books, written=books.written[1:], inbound=books.inbound[1:])


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_without_a_message, "is lost"),
        (_with_a_message_twice, "is there 2 times"),
        (_with_a_message_of_nobody, "was written by nobody"),
        (_with_a_message_left_lying, "has no disposition"),
        (_with_a_message_ended_otherwise, "undisturbed as"),
        (_with_another_record, "match 2 has another record"),
        (_without_a_match, "match 3 has another record"),
        (_without_a_comment, "match 1 has other comments"),
        (_with_a_message_played_twice, "made 2 entries in match 1"),
        (_with_an_email_that_waits, "is queued, not sent"),
        (_with_an_email_refused, "is refused, not sent"),
        (_without_an_email, "was sent undisturbed alone"),
        (_with_an_email_that_never_came, "never came"),
        (_with_another_email, "was not sent undisturbed"),
        (_with_a_message_never_written, "was written in the undisturbed season alone"),
    ],
)
def test_what_does_not_balance_is_found(books: Books, spoil: Callable[[Books], Books], says: str) -> None:
    """Whatever is lost, doubled, stuck or different is told, once planted."""
    assert any(says in finding for finding in audit(spoil(books), books, [], kills=1000))


def test_emails_may_come_once_more_only_after_faults(books: Books) -> None:
    """A repeat needs a fault between the two copies; all together there may be one a kill."""
    first = books.arrived[0]
    again = replace(books, arrived=(*books.arrived, replace(first, at=first.at + 10)))
    between = [Span(first.at + 4, first.at + 5)]
    assert len(find_repeats(again.arrived)) == 1
    assert audit(again, books, between, kills=1) == []
    assert audit(again, books, [Span(first.at - 1, first.at + 1)], kills=1) == []
    for elsewhere in ([], [Span(first.at - 5, first.at - 1)], [Span(first.at + 11, first.at + 12)]):
        (finding,) = audit(again, books, elsewhere, kills=1)
        assert "with no fault in between" in finding
    more = replace(again, arrived=(*again.arrived, replace(first, at=first.at + 4.5)))
    assert any("2 emails came once more, with 1 kills" in finding for finding in audit(more, books, between, kills=1))


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM inbound WHERE id = (SELECT max(id) FROM inbound)",
        "UPDATE inbound SET status = 'received' WHERE id = (SELECT max(id) FROM inbound)",
        "UPDATE inbound SET reason = 'bug', status = 'failed' WHERE id = (SELECT max(id) FROM inbound)",
        "DELETE FROM matchentry WHERE id = (SELECT max(id) FROM matchentry)",
        "UPDATE matchentry SET inbound_id = 1 WHERE id = (SELECT max(id) FROM matchentry WHERE seat IS NOT NULL)",
        "DELETE FROM remark WHERE id = (SELECT max(id) FROM remark)",
        "UPDATE outbound SET status = 'queued' WHERE id = 1",
        "DELETE FROM outbound WHERE id = (SELECT max(id) FROM outbound)",
    ],
)
def test_what_the_database_lacks_is_found(season: tuple[Path, Books], tmp_path: Path, damage: str) -> None:
    """The books are read from the database as it is."""
    file, books = Path(copy(season[0], tmp_path / "damaged.db")), season[1]
    with closing(sqlite3.connect(file)) as connection, connection:
        assert connection.execute(damage).rowcount == 1
    damaged = read_books(f"sqlite:///{file}", books.written, books.arrived)
    assert audit(damaged, books, [], kills=0)


@pytest.mark.parametrize("count", [10, 100, 1000])
def test_a_schedule_has_as_many_kills_as_it_should_and_all_kinds(count: int) -> None:
    """The same seed brings the same faults, another one others; every waypoint has its turn."""
    faults = schedule(count, SEED)
    assert sum(fault.kind in KILLS for fault in faults) == count
    assert {fault.kind for fault in faults} >= KILLS.keys()
    assert faults == schedule(count, SEED)
    assert faults != schedule(count, SEED + 1)
    if count == 1000:
        assert {fault.kind for fault in faults} == KILLS.keys() | OTHERS.keys()
        assert {fault.point for fault in faults} == {"", *POINTS}


def test_an_email_half_stored_is_cut_off_and_was_never_there(tmp_path: Path) -> None:
    """A server killed while it writes has not said 250: the journal goes on behind its last whole email."""
    file = tmp_path / "journal"
    file.write_bytes(b"email 5 1.5 ann@a.example\nhelloemail 7 2.5 bob@b.example\nhel")
    journal = Journal(file)
    assert list(journal.new()) == [("ann@a.example", b"hello", 1.5)]
    with open(repair(file), "ab") as opened:
        opened.write(b"email 2 3.5 carl@c.example\nhi")
    assert list(journal.new()) == [("carl@c.example", b"hi", 3.5)]
