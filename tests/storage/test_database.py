"""The database: its tables and how they come to be, and what is kept in them."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import bindparam, func, select, text, update
from sqlalchemy.exc import InternalError
from sqlmodel import SQLModel

from db import engine as engines
from pbem.errors import Busy, ConfigError
from pbem.mail.compose import OutboundMessage, Thread
from pbem.match.match import Comment, Match
from pbem.ports import Cursor
from pbem.storage.database import Database
from pbem.storage.messages.records import Disposition, Locked
from pbem.storage.statement import Statement
from pbem.storage.tables import PLAYER
from pbem.storage.transaction import Transaction
from rules.games import GAMES
from rules.position import Entry
from tests.support import tables

NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
MOST_CONNECTIONS = 15
"""What SQLAlchemy lets be open at once."""


@pytest.fixture
def url(blank_database: Path, tmp_path: Path) -> str:
    """The URL of a database with nothing in its tables."""
    path = tmp_path / "pbem.db"
    path.write_bytes(blank_database.read_bytes())
    return f"sqlite:///{path}"


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    """A store on that engines."""
    database = Database(url)
    yield database
    database.close()


def opened(tx: Transaction) -> Match:
    """Open a match of two."""
    game = GAMES["pipline"]
    players = (tx.players.add("Ann", "ann@a.example", NOW), tx.players.add("Bob", "bob@b.example", NOW))
    return tx.matches.open(Match(0, game, game.normalise({"size": 5}), players, NOW))


def mail(number: int = 1, **changes: str) -> OutboundMessage:
    """Return an email to queue."""
    return OutboundMessage(
        f"<{number}@x>", "help", changes.get("recipient", "ann@a.example"), "Subject", b"To: raw", 1, 0, None
    )


def test_the_migrations_lead_to_the_models(url: str) -> None:
    """What the migrations make is what the program reads and writes: no column, type or index differs."""
    with engines.connect(url).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, SQLModel.metadata) == []


def test_statements_know_the_tables_of_the_models() -> None:
    """``python -m tests.support.tables --write`` writes them after a change of the models."""
    assert tables.FILE.read_text(encoding="utf-8") == tables.written()


def test_upgrading_twice_changes_nothing(database: Database) -> None:
    """An upgrade keeps what is there."""
    with database.transaction() as tx:
        opened(tx)
    database.upgrade()
    database.check()
    with database.reading() as tx:
        assert len(tx.matches.all()) == 1


def test_a_database_of_another_version_is_refused(database: Database, url: str, tmp_path: Path) -> None:
    """A missing, an empty and a newer database are told apart, each with what to do."""
    with pytest.raises(ConfigError, match="pbem db upgrade"):
        Database(f"sqlite:///{tmp_path / 'none.db'}").check()
    assert not (tmp_path / "none.db").exists()
    engine = engines.connect(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    for refused in (database.check, database.upgrade):
        with pytest.raises(ConfigError, match="9999"):
            refused()


@pytest.mark.parametrize("url", ["", "nonsense", "nosuch://x", "sqlite:////no/such/directory/x.db"])
def test_a_url_that_makes_no_sense_is_refused(url: str) -> None:
    """It is a mistake in the settings, or the database cannot be used."""
    with pytest.raises((ConfigError, Busy)):
        Database(url).upgrade()


def test_a_match_is_read_back_as_it_was(database: Database) -> None:
    """Players, options, record, times and comments come back, the times in UTC."""
    with database.transaction() as tx:
        match = opened(tx)
        tx.matches.append(match, (Entry(0, "c3"), Entry(1, "take")), (NOW, NOW + timedelta(days=1)), None)
        tx.matches.add_comments(match, [Comment(0, 1, "hello"), Comment(1, 1, "psst", True)], NOW, None)
    with database.reading() as tx:
        found = tx.matches.get(match.id, comments=True)
        assert tx.matches.get(99) is None
        assert tx.matches.get(10**12) is None
    assert found is not None
    assert found.record == (Entry(0, "c3"), Entry(1, "take"))
    assert found.times == (NOW, NOW + timedelta(days=1))
    assert found.times[0].tzinfo is not None
    assert found.comments == (Comment(0, 1, "hello"), Comment(1, 1, "psst", True))
    assert (found.options, found.players, found.opened_at) == (match.options, match.players, NOW)


def test_comments_of_matches_under_way_at_once_come_back_to_each(database: Database) -> None:
    """Read together, matches have the comments that each has alone, though these were written in turns."""
    with database.transaction() as tx:
        first = opened(tx)
        matches = [first, tx.matches.open(first)]
        for word in ("hello", "well played", "thanks"):
            for match in matches:
                tx.matches.add_comments(match, [Comment(0, 0, f"{word} in {match.id}")], NOW, None)
    with database.reading() as tx:
        together = tx.matches.all(comments=True)
        alone = [tx.matches.get(match.id, comments=True) for match in matches]
    assert [match.comments for match in together] == [match.comments for match in alone if match]
    assert [len(match.comments) for match in together] == [3, 3]


def test_a_ply_is_written_once(database: Database) -> None:
    """Two workers that play the same ply find out: the second is told to try again, and leaves nothing behind."""
    with database.transaction() as tx:
        match = opened(tx)
        tx.matches.append(match, (Entry(0, "c3"),), (NOW,), None)

    def play_again() -> None:
        with database.transaction() as tx:
            tx.matches.add_comments(match, [Comment(0, 1, "lost")], NOW, None)
            tx.matches.append(match, (Entry(0, "d4"),), (NOW,), None)

    with pytest.raises(Busy):
        play_again()
    with database.reading() as tx:
        found = tx.matches.get(match.id, comments=True)
    assert found is not None
    assert (found.record, found.comments) == ((Entry(0, "c3"),), ())


def test_a_transaction_is_kept_whole_or_not_at_all(database: Database) -> None:
    """What fails in the middle leaves nothing behind."""

    def fail() -> None:
        with database.transaction() as tx:
            opened(tx)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with database.reading() as tx:
        assert tx.matches.all() == []
        assert tx.players.all() == []


def test_nothing_is_left_of_a_rehearsal(database: Database) -> None:
    """A dry run writes, reads what it wrote, and is forgotten."""
    with database.rehearsal() as rehearsed:
        with rehearsed.transaction() as tx:
            opened(tx)
        with rehearsed.reading() as tx:
            assert len(tx.matches.all()) == 1
    with database.reading() as tx:
        assert tx.matches.all() == []


def test_transactions_together_are_one(database: Database) -> None:
    """What fails in the middle of many matches leaves none of them."""

    def open_two(fails: bool) -> None:
        with database.together() as joined:
            with joined.transaction() as tx:
                opened(tx)
            if fails:
                raise ZeroDivisionError
            with joined.transaction() as tx:
                tx.players.add("Carl", "carl@c.example", NOW)

    with pytest.raises(ZeroDivisionError):
        open_two(fails=True)
    with database.reading() as tx:
        assert (tx.matches.all(), tx.players.all()) == ([], [])
    open_two(fails=False)
    with database.reading() as tx:
        assert (len(tx.matches.all()), len(tx.players.all())) == (1, 3)


def test_players_are_found_by_name_and_address(database: Database) -> None:
    """Letter case does not matter; a name that is taken gets a number."""
    with database.transaction() as tx:
        match = opened(tx)
        another = tx.players.add("Ann", "ann@c.example", NOW)
        assert another.name == "Ann 2"
        assert tx.players.find("ANN") == tx.players.find("Ann@A.example") == match.players[0]
        assert tx.players.find("nobody") is None
        assert [player.name for player in tx.players.all()] == ["Ann", "Bob", "Ann 2"]


def test_an_address_that_only_folds_to_a_player_s_finds_nobody(database: Database) -> None:
    """The lower case of the Kelvin sign is k, but an address with it belongs to somebody else."""
    with database.transaction() as tx:
        tx.players.add("Ken", "ken@k.example", NOW)
        assert tx.players.find("KEN@K.example")
        assert tx.players.find("\u212aen@k.example") is None
        assert tx.players.find("ken@\u212a.example") is None


def test_a_message_is_kept_once(database: Database) -> None:
    """Its identity tells a second delivery; bytes and ending are kept with it."""
    with database.transaction() as tx:
        number = tx.inbound.add("<1@x>", b"raw\0\xff", True, "ann@a.example", "Hello", NOW)
        assert number is not None
        assert tx.inbound.add("<1@x>", b"raw", True, None, "", NOW) is None
        assert tx.inbound.waiting() == [number]
        tx.inbound.finish(number, Disposition("rejected", "no_command"), NOW)
        assert tx.inbound.waiting() == []
        assert tx.inbound.raw(number) == b"raw\0\xff"
        assert [message.reason for message in tx.inbound.latest(status="rejected")] == ["no_command"]


def test_a_settled_message_is_not_taken_again(database: Database) -> None:
    """Whoever comes second leaves it alone."""
    with database.transaction() as tx:
        number = tx.inbound.add("<1@x>", b"raw", True, None, "", NOW)
        assert number is not None
        assert tx.inbound.lock(number) == Locked(number, "<1@x>", True, 3)
        tx.inbound.finish(number, Disposition("accepted"), NOW)
        assert not tx.inbound.lock(number)


def test_a_mail_is_queued_once(database: Database) -> None:
    """The Message-ID tells a repeat."""
    with database.transaction() as tx:
        opened(tx)
        tx.outbound.enqueue([mail(1)], NOW)
        tx.outbound.enqueue([mail(1), mail(2)], NOW)
        assert [queued.message_id for queued in tx.outbound.latest()] == ["<2@x>", "<1@x>"]
        reader = mail(1).recipient
        assert tx.outbound.threads(1, {0: reader}) == {0: Thread("<1@x>", "<2@x>", mail(1).subject)}
        assert tx.outbound.threads(1, {0: "newcomer@x.example"}) == {}


def test_a_claimed_mail_is_not_claimed_again(database: Database) -> None:
    """A second worker does not send what the first is sending, until that one has had its time."""
    with database.transaction() as tx:
        opened(tx)
        tx.outbound.enqueue([mail()], NOW)
    for attempt, (early, at) in enumerate([(0, 0), (59, 60), (60 + 24 * 60 - 1, 60 + 24 * 60)]):
        with database.transaction() as tx:
            if attempt:
                assert tx.outbound.claim_next(NOW + timedelta(minutes=early)) is None
            claimed = tx.outbound.claim_next(NOW + timedelta(minutes=at))
            assert claimed
            assert (claimed.id, claimed.attempts, claimed.unknown) == (1, attempt, attempt)
            assert tx.outbound.count_due(NOW + timedelta(minutes=at), 10) == 0
    with database.transaction() as tx:
        tx.outbound.note_attempt(1, "sent", "", NOW)
        assert tx.outbound.claim_next(NOW + timedelta(days=9)) is None


def test_what_has_been_due_longest_is_claimed_first(database: Database) -> None:
    """An email that was put off goes behind those that became due meanwhile."""
    with database.transaction() as tx:
        opened(tx)
        tx.outbound.enqueue([mail(1), mail(2), mail(3)], NOW)
        tx.outbound.note_attempt(1, "queued", "later", NOW + timedelta(minutes=1))
        later = NOW + timedelta(minutes=1)
        assert tx.outbound.count_due(later, 2) == 2
        claimed = [tx.outbound.claim_next(later) for _ in range(4)]
        assert [one.id if one else None for one in claimed] == [2, 3, 1, None]


def test_the_emails_that_an_answer_may_quote(database: Database) -> None:
    """The email that is answered, and the latest twelve to that seat; nobody else's."""
    with database.transaction() as tx:
        opened(tx)
        tx.outbound.enqueue([replace(mail(number), quotable=f"Grüße {number}") for number in range(1, 16)], NOW)
        assert len(tx.outbound.quotable(1, 0, ["<2@x>", "<99@x>"])) == 13
        assert tx.outbound.quotable(1, 0, []) == [f"Grüße {number}" for number in range(15, 3, -1)]
        assert tx.outbound.quotable(1, 1, ["<2@x>"]) == []


def test_a_statement_takes_the_values_that_it_names(database: Database) -> None:
    """Where one is missing or unknown nothing is written, and nothing is taken for NULL."""
    statement = Statement(update(PLAYER).where(PLAYER.c.id == bindparam("number")))
    with database.transaction() as tx:
        tx.players.add("Ann", "ann@a.example", NOW)
        for wrong in ({"name": "Bob"}, {"number": 1, "name": "Bob", "nam": "Carl"}):
            with pytest.raises(LookupError, match="nam$" if "number" in wrong else "number"):
                tx.players._write(statement, **wrong)
        assert tx.players._write(statement, name="Bob", number=1)
        assert [player.name for player in tx.players.all()] == ["Bob"]


def test_an_error_that_comes_with_a_later_row_is_translated(database: Database) -> None:
    """SQLite reads a table while its rows are fetched."""
    with database.transaction() as tx:
        for name in ("1", "no JSON"):
            tx.players.add(name, f"{name[0]}@a.example", NOW)
    statement = Statement(select(func.json(PLAYER.c.name)).order_by(PLAYER.c.id))
    with pytest.raises(Busy, match="malformed JSON"), database.reading() as tx:
        tx.players._rows(statement)


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        ("25006", Busy),  # the server is read-only
        ("25P03", Busy),  # it has ended the transaction of a process that was frozen
        ("42501", Busy),  # rights were taken away
        ("25P02", InternalError),  # after an error that was swallowed: a bug
        ("22001", InternalError),
    ],
)
def test_what_a_server_refuses_to_everybody_is_no_bug(database: Database, state: str, kind: type[Exception]) -> None:
    """Whoever meets it tries again later; what only one statement meets stays what it is."""
    refused = Exception("no")
    refused.sqlstate = state  # type: ignore[attr-defined]
    with pytest.raises(kind), database.transaction():
        raise InternalError("UPDATE", {}, refused)


def test_a_cursor_is_kept_for_each_mailbox(database: Database) -> None:
    """The latest one counts."""
    with database.transaction() as tx:
        for cursor in (Cursor(7, 1), Cursor(7, 5)):
            tx.inbound.set_cursor("one", cursor)
        assert tx.inbound.cursor("one") == Cursor(7, 5)
        assert tx.inbound.cursor("two") is None


def test_emails_are_counted_since_then(database: Database) -> None:
    """By recipient, kind and time."""
    with database.transaction() as tx:
        opened(tx)
        tx.outbound.enqueue([mail(1), mail(2), mail(3, recipient="b@b.example")], NOW)
        assert tx.outbound.count("ann@a.example", "help", NOW - timedelta(seconds=1), 5) == 2
        assert tx.outbound.count("ann@a.example", "help", NOW - timedelta(seconds=1), 1) == 1
        assert tx.outbound.count("ann@a.example", "help", NOW, 5) == 0
        assert tx.outbound.count("ann@a.example", "show", NOW - timedelta(days=1), 5) == 0


def test_many_threads_that_write_leave_connections_to_readers(database: Database) -> None:
    """As many as there can be at once; none is kept that others would wait for."""
    ready = threading.Barrier(MOST_CONNECTIONS)

    def write() -> None:
        ready.wait()
        with database.transaction():
            pass

    with ThreadPoolExecutor(MOST_CONNECTIONS) as threads:
        for written in [threads.submit(write) for _ in range(MOST_CONNECTIONS)]:
            written.result()
    with ExitStack() as readers:
        for _ in range(MOST_CONNECTIONS - 1):
            readers.enter_context(database.reading())
