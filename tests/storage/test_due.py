"""Things that are due: scheduled, postponed, cancelled, and found when their time has come."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.storage.database import Database
from pbem.storage.due import FIRST_ROLLS, DueThing

NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def database(blank_database: Path, tmp_path: Path) -> Iterator[Database]:
    """A database with nothing due in it."""
    path = tmp_path / "pbem.db"
    path.write_bytes(blank_database.read_bytes())
    database = Database(f"sqlite:///{path}")
    yield database
    database.close()


def due(database: Database, now: datetime) -> list[DueThing]:
    """Return what is due at a time, as another transaction sees it."""
    with database.reading() as tx:
        return tx.due.by(now)


def test_a_thing_is_due_from_its_time_on(database: Database) -> None:
    """Not before, and until somebody cancels it."""
    with database.transaction() as tx:
        tx.due.schedule(FIRST_ROLLS, 7, NOW)
    assert due(database, NOW - timedelta(microseconds=1)) == []
    assert due(database, NOW) == due(database, NOW + HOUR) == [DueThing(FIRST_ROLLS, 7)]


def test_what_has_been_due_longest_comes_first(database: Database) -> None:
    """Whatever its kind, and whenever it was scheduled."""
    with database.transaction() as tx:
        tx.due.schedule(FIRST_ROLLS, 1, NOW + HOUR)
        tx.due.schedule("reminder", 2, NOW)
        tx.due.schedule(FIRST_ROLLS, 3, NOW - HOUR)
    assert due(database, NOW + HOUR) == [DueThing(FIRST_ROLLS, 3), DueThing("reminder", 2), DueThing(FIRST_ROLLS, 1)]


def test_a_thing_has_one_time(database: Database) -> None:
    """Scheduling it again, or trying it in vain, replaces the time it had."""
    with database.transaction() as tx:
        tx.due.schedule(FIRST_ROLLS, 7, NOW)
        tx.due.schedule(FIRST_ROLLS, 7, NOW + HOUR)
    assert due(database, NOW) == []
    with database.transaction() as tx:
        assert tx.due.note_failure(FIRST_ROLLS, 7, "a bug", NOW, NOW + 2 * HOUR)
    assert due(database, NOW + HOUR) == []
    assert due(database, NOW + 2 * HOUR) == [DueThing(FIRST_ROLLS, 7)]


def test_a_cancelled_thing_is_not_due(database: Database) -> None:
    """Another kind, and another subject, stay as they were; nothing happens to what was not scheduled."""
    with database.transaction() as tx:
        for kind, subject in ((FIRST_ROLLS, 7), (FIRST_ROLLS, 8), ("reminder", 7)):
            tx.due.schedule(kind, subject, NOW)
        tx.due.cancel(FIRST_ROLLS, 7)
        tx.due.cancel(FIRST_ROLLS, 99)
        assert not tx.due.note_failure(FIRST_ROLLS, 99, "a bug", NOW, NOW)
    assert set(due(database, NOW)) == {DueThing(FIRST_ROLLS, 8), DueThing("reminder", 7)}


def test_nothing_is_scheduled_by_a_transaction_that_fails(database: Database) -> None:
    """What is due belongs to the transaction like anything else."""

    def fail() -> None:
        with database.transaction() as tx:
            tx.due.schedule(FIRST_ROLLS, 7, NOW)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert due(database, NOW) == []


def test_the_time_of_what_is_done_stays_known(database: Database) -> None:
    """When the first rolls of a match were due is shown for ever."""
    with database.transaction() as tx:
        tx.due.schedule(FIRST_ROLLS, 7, NOW)
        tx.due.cancel(FIRST_ROLLS, 7)
    with closing(sqlite3.connect(str(database.file))) as connection:
        assert connection.execute("SELECT subject, due_at, done FROM due").fetchall() == [
            (7, "2026-11-20 18:30:00.000000", 1)
        ]
