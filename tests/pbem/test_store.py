"""The database: its tables and how they come to be, and what is kept in them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text
from sqlmodel import SQLModel

import db.models  # noqa: F401 - its import fills the metadata
from db import engine as database
from pbem.envelope import Mail
from pbem.errors import Busy, ConfigError
from pbem.kept import Ending
from pbem.match import Match, Remark
from pbem.ports import Cursor
from pbem.store import Store, Work
from rules import GAMES, Entry

NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)


@pytest.fixture
def url(blank_database: Path, tmp_path: Path) -> str:
    """The URL of a database with nothing in its tables."""
    path = tmp_path / "pbem.db"
    path.write_bytes(blank_database.read_bytes())
    return f"sqlite:///{path}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store on that database."""
    store = Store(url)
    yield store
    store.close()


def opened(work: Work) -> Match:
    """Open a match of two."""
    game = GAMES["pipline"]
    players = (work.add_player("Ann", "ann@a.example", NOW), work.add_player("Bob", "bob@b.example", NOW))
    return work.open_match(Match(0, game, game.normalise({"size": 5}), players, NOW))


def mail(number: int = 1, **changes: str) -> Mail:
    """Return a mail to queue."""
    return Mail(f"<{number}@x>", "help", changes.get("recipient", "ann@a.example"), "Subject", b"raw", 1, 0, None)


def test_the_migrations_lead_to_the_models(url: str) -> None:
    """What the migrations make is what the program reads and writes: no column, type or index differs."""
    with database.connect(url).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, SQLModel.metadata) == []


def test_upgrading_twice_changes_nothing(store: Store) -> None:
    """An upgrade keeps what is there."""
    with store.writing() as work:
        opened(work)
    store.upgrade()
    store.check()
    with store.reading() as work:
        assert len(work.matches()) == 1


def test_the_tables_can_be_taken_down_and_put_up_again(tmp_path: Path) -> None:
    """Every migration has a way back."""
    engine = database.connect(f"sqlite:///{tmp_path / 'new.db'}")
    database.upgrade(engine)
    config = Config()
    config.set_main_option("script_location", str(database.MIGRATIONS))
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
        connection.commit()
    assert inspect(engine).get_table_names() == ["alembic_version"]
    database.upgrade(engine)
    assert len(inspect(engine).get_table_names()) > 5
    engine.dispose()


def test_a_database_of_another_version_is_refused(store: Store, url: str, tmp_path: Path) -> None:
    """A missing, an empty and a newer database are told apart, each with what to do."""
    with pytest.raises(ConfigError, match="pbem db upgrade"):
        Store(f"sqlite:///{tmp_path / 'none.db'}").check()
    assert not (tmp_path / "none.db").exists()
    engine = database.connect(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    for refused in (store.check, store.upgrade):
        with pytest.raises(ConfigError, match="9999"):
            refused()


@pytest.mark.parametrize("url", ["", "nonsense", "nosuch://x", "sqlite:////no/such/directory/x.db"])
def test_a_url_that_makes_no_sense_is_refused(url: str) -> None:
    """It is a mistake in the settings, or the database cannot be used."""
    with pytest.raises((ConfigError, Busy)):
        Store(url).upgrade()


def test_a_match_is_read_back_as_it_was(store: Store) -> None:
    """Players, options, record, times and remarks come back, the times in UTC."""
    with store.writing() as work:
        match = opened(work)
        work.append(match, (Entry(0, "c3"), Entry(None, "4")), (NOW, NOW + timedelta(days=1)), None)
        work.add_remarks(match, [Remark(0, 1, "hello"), Remark(1, 1, "psst", True)], NOW, None)
    with store.reading() as work:
        found = work.match(match.id, remarks=True)
        assert work.match(99) is None
        assert work.match(10**12) is None
    assert found is not None
    assert found.record == (Entry(0, "c3"), Entry(None, "4"))
    assert found.times == (NOW, NOW + timedelta(days=1))
    assert found.times[0].tzinfo is not None
    assert found.remarks == (Remark(0, 1, "hello"), Remark(1, 1, "psst", True))
    assert (found.options, found.players, found.opened_at) == (match.options, match.players, NOW)


def test_a_ply_is_written_once(store: Store) -> None:
    """Two workers that play the same ply find out: the second is told to try again, and leaves nothing behind."""
    with store.writing() as work:
        match = opened(work)
        work.append(match, (Entry(0, "c3"),), (NOW,), None)

    def play_again() -> None:
        with store.writing() as work:
            work.add_remarks(match, [Remark(0, 1, "lost")], NOW, None)
            work.append(match, (Entry(0, "d4"),), (NOW,), None)

    with pytest.raises(Busy):
        play_again()
    with store.reading() as work:
        found = work.match(match.id, remarks=True)
    assert found is not None
    assert (found.record, found.remarks) == ((Entry(0, "c3"),), ())


def test_a_transaction_is_kept_whole_or_not_at_all(store: Store) -> None:
    """What fails in the middle leaves nothing behind."""

    def fail() -> None:
        with store.writing() as work:
            opened(work)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with store.reading() as work:
        assert work.matches() == []
        assert work.players() == []


def test_nothing_is_left_of_a_rehearsal(store: Store) -> None:
    """A dry run writes, reads what it wrote, and is forgotten."""
    with store.rehearsal() as rehearsed:
        with rehearsed.writing() as work:
            opened(work)
        with rehearsed.reading() as work:
            assert len(work.matches()) == 1
    with store.reading() as work:
        assert work.matches() == []


def test_players_are_found_by_name_and_address(store: Store) -> None:
    """Letter case does not matter; a name that is taken gets a number."""
    with store.writing() as work:
        match = opened(work)
        another = work.add_player("Ann", "ann@c.example", NOW)
        assert another.name == "Ann 2"
        assert work.player("ANN") == work.player("Ann@A.example") == match.players[0]
        assert work.player("nobody") is None
        assert [player.name for player in work.players()] == ["Ann", "Bob", "Ann 2"]


def test_a_letter_is_kept_once(store: Store) -> None:
    """Its identity tells a second delivery; bytes and ending are kept with it."""
    with store.writing() as work:
        number = work.receive("<1@x>", b"raw\0\xff", True, "ann@a.example", "Hello", NOW)
        assert number is not None
        assert work.receive("<1@x>", b"raw", True, None, "", NOW) is None
        assert work.waiting_letters() == [number]
        work.settle(number, Ending("rejected", "no_command"), NOW)
        assert work.waiting_letters() == []
        assert work.letter_bytes(number) == (b"raw\0\xff", True)
        assert [letter.reason for letter in work.letters(status="rejected")] == ["no_command"]


def test_a_settled_letter_is_not_taken_again(store: Store) -> None:
    """Whoever comes second leaves it alone."""
    with store.writing() as work:
        number = work.receive("<1@x>", b"raw", True, None, "", NOW)
        assert number is not None
        assert work.take(number)
        work.settle(number, Ending("accepted"), NOW)
        assert not work.take(number)


def test_a_mail_is_queued_once(store: Store) -> None:
    """The Message-ID tells a repeat."""
    with store.writing() as work:
        opened(work)
        work.queue([mail(1)], NOW)
        work.queue([mail(1), mail(2)], NOW)
        assert [queued.message_id for queued in work.due_mails(NOW, 10)] == ["<1@x>", "<2@x>"]
        assert work.threads(1) == {0: ("<1@x>", "<2@x>")}


def test_a_claimed_mail_is_not_claimed_again(store: Store) -> None:
    """A second worker does not send what the first is sending, until that one has had its time."""
    later = NOW + timedelta(minutes=5)
    with store.writing() as work:
        opened(work)
        work.queue([mail()], NOW)
    with store.writing() as work:
        assert work.claim(1, NOW, later)
    with store.writing() as work:
        assert not work.claim(1, NOW, later)
        assert work.due_mails(NOW, 10) == []
        assert work.claim(1, later, later + timedelta(minutes=5))
        work.note_sending(1, "sent", "", later)
        assert not work.claim(1, later + timedelta(days=1), later + timedelta(days=2))


def test_the_mails_that_an_answer_may_quote(store: Store) -> None:
    """The mail that is answered, and the latest twelve to that seat; nobody else's."""
    with store.writing() as work:
        opened(work)
        work.queue([mail(number) for number in range(1, 16)], NOW)
        assert len(work.mails_answered(1, 0, ["<2@x>", "<99@x>"])) == 13
        assert len(work.mails_answered(1, 0, [])) == 12
        assert work.mails_answered(1, 1, ["<2@x>"]) == []


def test_a_cursor_is_kept_for_each_mailbox(store: Store) -> None:
    """The latest one counts."""
    with store.writing() as work:
        for cursor in (Cursor(7, 1), Cursor(7, 5)):
            work.keep_cursor("one", cursor)
        assert work.cursor("one") == Cursor(7, 5)
        assert work.cursor("two") is None


def test_mails_are_counted_since_then(store: Store) -> None:
    """By recipient, kind and time."""
    with store.writing() as work:
        opened(work)
        work.queue([mail(1), mail(2), mail(3, recipient="b@b.example")], NOW)
        assert work.count_mails("ann@a.example", "help", NOW - timedelta(seconds=1)) == 2
        assert work.count_mails("ann@a.example", "help", NOW) == 0
        assert work.count_mails("ann@a.example", "show", NOW - timedelta(days=1)) == 0
