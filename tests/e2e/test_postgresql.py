"""A database on a PostgreSQL server: upgrades, moving there, one service at a time, and its end.

What the service does with it is tried by the tests of everything else, called with ``--postgresql``.
"""

import asyncio
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import select, text

from db import engine as engines
from db import servers
from db.tables import METADATA
from pbem.demo.servers import DemoServers
from pbem.errors import BadInput, Busy, ConfigError, Served
from pbem.ports import Cursor, Fetched
from pbem.settings.model import Settings
from pbem.storage.database import Database
from tests.e2e.program import GAMES, PATIENCE, PBEM, Postbox, without_settings
from tests.support.club import PLAYERS, make_club
from tests.support.fixture import write_fixture
from tests.support.migrations import NEXT, let_come_next, upgrade
from tests.support.postgresql import PostgreSqlServer

pytestmark = pytest.mark.slow("needs a PostgreSQL server")


def chosen(url: str) -> Settings:
    """Return settings with a database on the server."""
    return Settings(address="games@play.example", secret="a secret that is long enough", database_url=url)


def rows_of(url: str) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of every table that the program of today knows, in the order of their keys."""
    engine = engines.connect(url)
    with engine.connect() as connection:
        found = {
            table.name: [dict(row._mapping) for row in connection.execute(select(table))]
            for table in METADATA.sorted_tables
        }
    engine.dispose()
    keys = {table.name: [column.name for column in table.primary_key] for table in METADATA.sorted_tables}
    return {name: sorted(rows, key=lambda row: repr([row[key] for key in keys[name]])) for name, rows in found.items()}


def ask(url: str, question: str) -> list[Any]:
    """Return what a database answers, row by row."""
    engine = engines.connect(url)
    with engine.connect() as connection:
        found = [tuple(row) for row in connection.execute(text(question))]
    engine.dispose()
    return found


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A filled database of today, as a file."""
    directory = tmp_path_factory.mktemp("filled")
    return write_fixture(directory).load(directory / "pbem.db")


@pytest.fixture
def file(filled: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copy(filled, tmp_path / "pbem.db"))


@pytest.fixture
def server_url(file: Path, postgresql_url: str) -> str:
    """The same on a server."""
    source = Database(f"sqlite:///{file}")
    source.move_to(postgresql_url)
    source.close()
    return postgresql_url


@pytest.fixture
def next_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Return what lets a migration with such steps come next, and returns its version."""

    return lambda steps: let_come_next(steps, tmp_path / "next" / "migrations", monkeypatch)


def test_a_filled_database_is_upgraded_as_in_a_file(file: Path, server_url: str, next_is: Callable[[str], str]) -> None:
    """No row is lost or changed, and what the next version brings is there."""
    before, version = rows_of(server_url), next_is(NEXT)
    program = Database(server_url)
    assert program.upgrade() is None
    program.check()
    program.close()
    upgrade(file)
    beside = f"sqlite:///{file}"
    assert rows_of(server_url) == rows_of(beside) == before
    for question in ("SELECT id, mood FROM match ORDER BY id", "SELECT winner_id FROM cup ORDER BY winner_id"):
        assert ask(server_url, question) == ask(beside, question) != []
    assert ask(server_url, "SELECT version_num FROM alembic_version") == [(version,)]


def test_an_upgrade_that_fails_leaves_the_tables_of_the_old_program(
    server_url: str, next_is: Callable[[str], str]
) -> None:
    """All migrations are one transaction: none of them has happened, and one sentence says so."""
    columns = "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public'"
    before, shape, version = rows_of(server_url), sorted(ask(server_url, columns)), engines.newest_version()
    next_is(NEXT + '    op.execute("INSERT INTO nowhere VALUES (1)")\n')
    program = Database(server_url)
    with pytest.raises(ConfigError, match=rf"cannot be brought from version {version} .* it is unchanged\.$"):
        program.upgrade()
    program.close()
    assert rows_of(server_url) == before
    assert sorted(ask(server_url, columns)) == shape


def test_a_database_from_before_is_refused(postgresql: PostgreSqlServer) -> None:
    """And stays as it is."""
    postgresql.create("before")
    url = postgresql.url("before")
    engine = engines.connect(url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('0013')"))
    engine.dispose()
    program = Database(url)
    for refused in (program.check, program.upgrade, lambda: program.move_to(url)):
        with pytest.raises(ConfigError, match=r"0013, from before pbem 1\.0"):
            refused()
    program.close()
    assert ask(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == [("alembic_version",)]
    assert ask(url, "SELECT version_num FROM alembic_version") == [("0013",)]


def test_a_database_moves_to_a_server_and_back_without_losing_a_row(
    file: Path, postgresql: PostgreSqlServer, tmp_path: Path
) -> None:
    """New matches get numbers behind all others; a database with rows is not moved into."""
    before = rows_of(f"sqlite:///{file}")
    postgresql.copy("blank", "moved")
    there, back = Database(postgresql.url("moved")), tmp_path / "back.db"
    source = Database(f"sqlite:///{file}")
    counts = source.move_to(postgresql.url("moved").replace("+psycopg", ""))
    assert counts == {table: len(rows) for table, rows in before.items()}
    with pytest.raises(BadInput, match="has rows already"):
        source.move_to(postgresql.url("moved"))
    there.move_to(f"sqlite:///{back}")
    assert rows_of(f"sqlite:///{back}") == before
    with there.transaction() as tx:
        highest = max(row["id"] for row in before["player"])
        player = tx.players.add("Somebody New", "new@n.example", tx.heartbeats.last()["receives"])
        assert player.id > highest
    for database in (source, there):
        database.close()


def test_one_service_at_a_time_serves_a_database(
    postgresql_url: str, postgresql: PostgreSqlServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second is refused; when the first has ended, is frozen, or has lost the server, another can begin."""
    first, second = Database(postgresql_url), Database(postgresql_url)
    with monkeypatch.context() as sooner:
        sooner.setattr(servers, "_HUNG_SECONDS", 1)
        with first.serving() as check:
            check()
            time.sleep(1.5)  # as a process that is stopped, or a container that is paused
            with second.serving() as other:
                other()
            with pytest.raises(Busy):
                check()
    with first.serving() as check:
        check()
        with pytest.raises(Served, match="serves this database already"), second.serving():
            pass
    with second.serving() as check:
        check()
        postgresql.stop()
        postgresql.start()
        with pytest.raises(Busy):
            check()
        with first.serving() as other:
            other()
    first.close()
    second.close()


def test_no_program_works_on_tables_of_another_version(postgresql_url: str) -> None:
    """Nobody upgrades them under one that serves or works; who stood by, or was cut off meanwhile, begins no more."""
    first, second = Database(postgresql_url), Database(postgresql_url)
    with first.lanes(working=True), pytest.raises(Served, match="stop them first"), second.serving(alone=True):
        pass
    with first.serving(), pytest.raises(Served, match="stop them first"), second.serving(alone=True):
        pass
    with second.serving(alone=True), pytest.raises(Served), first.serving():
        pass
    engine = engines.connect(postgresql_url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    for begin in (first.serving, lambda: first.lanes(working=True)):
        with pytest.raises(ConfigError, match="only a newer pbem knows"), begin():
            pass
    first.close()
    second.close()


def test_what_ails_the_whole_database_is_no_messages_fault(postgresql_url: str) -> None:
    """A table that is away, a server that is read-only: what came in waits, and is played once all is as before."""
    club = make_club(chosen(postgresql_url))
    club.open("pipline", PLAYERS[:2])
    ((number, _),) = club.service.receive([Fetched(club.answer(club.newest(0), "c3"))])
    name = postgresql_url.rpartition("/")[2]
    for break_it, mend_it in (
        ("ALTER TABLE player RENAME TO mislaid", "ALTER TABLE mislaid RENAME TO player"),
        (f"ALTER DATABASE {name} SET default_transaction_read_only = on", f"ALTER DATABASE {name} RESET ALL"),
    ):
        club.service.database.close()  # what is new holds for new connections
        with psycopg.connect(postgresql_url.replace("+psycopg", ""), autocommit=True) as administrator:
            administrator.execute(break_it)
            with pytest.raises(Busy):
                club.service.processing.process(number)
            administrator.execute("SET default_transaction_read_only = off")
            administrator.execute(mend_it)
    assert club.service.processing.process(number)
    assert club.moves() == ["c3"]
    club.service.database.close()


def test_a_service_outlives_its_server(postgresql_url: str, postgresql: PostgreSqlServer) -> None:
    """What comes in while the server is down waits in the mailbox, and is played when it is up again."""
    club = make_club(chosen(postgresql_url))
    club.open("pipline", PLAYERS[:2])
    club.mailbox.put(club.answer(club.newest(0), "c3"))
    postgresql.stop()
    with pytest.raises(Busy):
        asyncio.run(club.service.poll())
    postgresql.start()
    asyncio.run(club.service.poll())
    assert club.moves() == ["c3"]
    club.service.database.close()


def test_two_processes_never_play_the_same_turn_twice(postgresql_url: str) -> None:
    """Whoever decides by a state that another has changed meanwhile is told to begin again, and nothing is lost."""
    club, other = make_club(chosen(postgresql_url)), make_club(chosen(postgresql_url))
    club.open("pipline", PLAYERS[:2])
    ((one, _),) = club.service.receive([Fetched(club.answer(club.newest(0), "c3"))])
    ((two, _),) = other.service.receive([Fetched(club.answer(club.newest(0), "d4"))])
    begun = other.service.database._engine.connect()
    with begun.begin():
        assert begun.execute(text("SELECT count(*) FROM matchentry")).scalar_one() == 0
        assert club.service.processing.process(one)
        with pytest.raises(Exception, match=r"could not serialize|concurrent"):
            begun.execute(text("UPDATE match SET changed_at = changed_at WHERE id = 1"))
    begun.close()
    assert other.service.processing.process(two)
    assert club.moves() == ["c3"]
    for each in (club, other):
        each.service.database.close()


def count_anew(url: str, *tables: str) -> None:
    """Let a server number the rows of tables from 1 on, as it can after a crash."""
    engine = engines.connect(url)
    with engine.begin() as connection:
        for table in tables:
            connection.execute(text(f"ALTER SEQUENCE {table}_id_seq RESTART"))
    engine.dispose()


def test_a_server_that_counts_anew_loses_no_message_and_no_notice(postgresql_url: str) -> None:
    """A number that is taken once more is no sign that the row is known: the next number is tried."""
    club = make_club(chosen(postgresql_url))
    club.open("pipline", PLAYERS[:2])
    club.service.hand_in(club.answer(club.newest(0), "c3"))
    sent = {email.message_id for email in club.queued()}
    count_anew(postgresql_url, "inbound", "outbound")
    arrival = club.service.hand_in(club.answer(club.newest(1), "d4"))
    assert arrival.message.status == "accepted"
    assert club.moves() == ["c3", "d4"]
    assert [email.kind for email in club.queued() if email.message_id not in sent] == ["your_turn", "move_made"]
    club.service.database.close()


def test_a_server_that_counts_far_behind_its_rows_is_set_right_by_an_upgrade(postgresql_url: str) -> None:
    """However many numbers would be taken once more."""
    club = make_club(chosen(postgresql_url))
    for _ in range(8):
        club.open("pipline", PLAYERS[:2])
    tables = ("inbound", "outbound", "match", "player")
    count_anew(postgresql_url, *tables)
    club.service.database.upgrade()
    match = club.open("zipline", PLAYERS[:2])
    assert match.id == 9
    assert len(club.queued()) == 18
    club.service.database.close()


@pytest.mark.parametrize("words", ["c3=0A=0AHi =00 there", "say: =00=00", "=00", "c3=00"])
def test_the_character_zero_harms_nothing(postgresql_url: str, words: str) -> None:
    """PostgreSQL has no room for it in a text, and an email may hold it in any encoded part."""
    club = make_club(chosen(postgresql_url))
    club.open("pipline", PLAYERS[:2])
    raw = club.answer(
        club.newest(0),
        words,
        Subject="=?utf-8?q?Re:_a=00b?=",
        Content_Transfer_Encoding="quoted-printable",
    )
    arrival = club.service.hand_in(raw)
    assert (arrival.message.status, arrival.message.code) != ("failed", "bug")
    assert arrival.message.status in ("accepted", "rejected")
    club.service.database.close()


async def test_another_machine_takes_over_when_the_first_is_killed(postgresql_url: str, tmp_path: Path) -> None:
    """Two run with the same settings: one serves, the other stands by, and plays within seconds what comes in then."""
    postbox = Postbox()
    async with DemoServers([GAMES, "ann@example.org", "bob@example.org"], on_mail=postbox) as servers:
        environment = without_settings() | {
            "PBEM_ADDRESS": GAMES,
            "PBEM_SECRET": "a secret that is long enough",
            "PBEM_DATABASE_URL": postgresql_url,
            "PBEM_IMAP_URL": servers.imap_url(GAMES),
            "PBEM_SMTP_URL": servers.smtp_url,
            "PBEM_POLL_SECONDS": "1",
        }
        runs: list[asyncio.subprocess.Process] = []

        async def start(*arguments: str) -> asyncio.subprocess.Process:
            pipe = asyncio.subprocess.PIPE
            return await asyncio.create_subprocess_exec(
                PBEM, *arguments, cwd=tmp_path, env=environment, stdout=pipe, stderr=pipe
            )

        try:
            opened = await start("open", "pipline", "ann@example.org", "bob@example.org", "--option", "size=5")
            assert await opened.wait() == 0
            for _ in range(2):
                runs.append(await start("run"))
                await asyncio.sleep(0.1)
            await postbox.reaches("ann@example.org", 1)
            await postbox.reaches("bob@example.org", 1)  # else it may be under way, and is claimed for five minutes
            lines = [asyncio.create_task(_until(run, "standing by")) for run in runs]
            done, _ = await asyncio.wait(lines, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            waiting = next(number for number, line in enumerate(lines) if line in done)
            leader = runs[1 - waiting]
            leader.kill()
            killed = time.monotonic()
            club = make_club(chosen(postgresql_url))
            raw = club.answer(
                club.newest(0), "c3", To=str(club.newest(0)["Reply-To"]).replace("play.example", "example.org")
            )
            club.service.database.close()
            await servers.deliver(raw, GAMES)
            await postbox.reaches("bob@example.org", 2)
            took = time.monotonic() - killed
            print(f"taken over after {took:.1f} s")
            assert took < PATIENCE
        finally:
            for run in runs:
                if run.returncode is None:
                    run.kill()
                await run.wait()
            for line in lines:
                line.cancel()


async def _until(run: asyncio.subprocess.Process, words: str) -> None:
    """Read what a process logs until these words are in it."""
    assert run.stderr is not None
    while words not in (line := (await run.stderr.readline()).decode()):
        assert line, "it has ended"


def test_the_place_of_a_database_is_its_server_and_no_copy_has_it(postgresql: PostgreSqlServer) -> None:
    """So that a restored dump under another name is no reason to read the same mailbox; any user may ask."""
    first, second = postgresql.new(), postgresql.new()
    places = []
    for url in (first, first, second):
        database = Database(url)
        places.append(database.find_place(make=True))
        database.close()
    assert places[0] == places[1] != places[2]
    engine = engines.connect(first)
    with engine.begin() as connection:
        connection.execute(text("CREATE ROLE plain LOGIN"))
    engine.dispose()
    plain = Database(first.replace("//pbem@", "//plain@"))
    assert plain.find_place() == places[0]
    plain.close()


def test_a_mailbox_may_have_the_highest_number_there_is(postgresql: PostgreSqlServer) -> None:
    """Half of all servers number their mailboxes beyond what a plain integer of PostgreSQL holds (RFC 9051)."""
    database = Database(postgresql.new())
    highest = Cursor(2**32 - 1, 2**32 - 1)
    with database.transaction() as tx:
        tx.inbound.set_cursor("games@imap.example.org/INBOX", highest)
    with database.reading() as tx:
        assert tx.inbound.cursor("games@imap.example.org/INBOX") == highest
    database.close()
