"""A database on a PostgreSQL server: upgrades of every version, moving there, one service at a time, and its end.

What the service does with it is tried by the tests of everything else, called with ``--postgresql``.
"""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.dialects.sqlite import dialect

from db import engine as engines
from db import moving
from db.packed import PackedBytes
from pbem.demo.servers import DemoServers
from pbem.errors import BadInput, Busy, ConfigError, Served
from pbem.ports import Cursor, Fetched
from pbem.settings import Settings
from pbem.storage.database import Database
from tests.e2e.program import GAMES, PATIENCE, PBEM, Postbox, without_settings
from tests.support import old_databases
from tests.support.club import PLAYERS, make_club
from tests.support.old_databases import VERSIONS
from tests.support.postgresql import PostgreSqlServer
from tests.support.server_databases import cells_on, fill, raise_to

pytestmark = pytest.mark.slow("needs a PostgreSQL server")

NUMBERED = [version for version in VERSIONS if not version.endswith("-early")]
"""The early forms were changed within a day, before anybody could have had a server."""


def chosen(url: str) -> Settings:
    """Return settings with a database on the server."""
    return Settings(address="games@play.example", secret="a secret that is long enough", database_url=url)


def unpacked(tables: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Return rows with the bytes of messages as they were before they were packed."""

    def unpack(value: Any) -> Any:
        return PackedBytes().process_result_value(value, dialect()) if isinstance(value, bytes) else value

    return {
        table: [{name: unpack(value) for name, value in row.items()} for row in rows] for table, rows in tables.items()
    }


@pytest.mark.parametrize("version", NUMBERED)
def test_a_filled_database_of_every_version_is_upgraded_as_in_a_file(
    version: str, postgresql: PostgreSqlServer, tmp_path: Path
) -> None:
    """All rows are afterwards what they are in an SQLite file after its upgrade."""
    postgresql.create(name := f"old{version}")
    engine = engines.connect(postgresql.url(name))
    raise_to(engine, version)
    assert fill(engine, old_databases.load(version, tmp_path)) > 100
    engines.upgrade(engine)
    assert engines.version(engine) == engines.newest_version()
    file = tmp_path / "pbem.db"
    old_databases.upgrade(file)
    beside = engines.connect(f"sqlite:///{file}")
    same = engines.connect(postgresql.new())
    moving.move(beside, same)
    program = Database(postgresql.url(name))
    program.upgrade()  # which fills in what lists show
    program.close()
    found, expected = unpacked(cells_on(engine)), unpacked(cells_on(same))
    for each in (engine, beside, same):
        each.dispose()
    for table, rows in expected.items():
        assert len(found[table]) == len(rows)
        for one, other in zip(found[table], rows, strict=True):
            assert one == other, (table, {name: (one[name], other[name]) for name in one if one[name] != other[name]})


def test_an_upgrade_that_fails_leaves_the_tables_of_the_old_program(
    postgresql: PostgreSqlServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """All migrations are one transaction: none of them has happened, and one sentence says so."""
    postgresql.create("failing")
    engine = engines.connect(postgresql.url("failing"))
    raise_to(engine, "0007")
    fill(engine, old_databases.load("0007", tmp_path))
    before = cells_on(engine)
    monkeypatch.setattr(engines, "_check_foreign_keys", lambda connection: connection.execute(text("SELECT 1 / 0")))
    program = Database(postgresql.url("failing"))
    with pytest.raises(ConfigError, match=r"cannot be brought from version 0007 .* it is unchanged\.$"):
        program.upgrade()
    program.close()
    assert cells_on(engine) == before
    engine.dispose()


@pytest.mark.parametrize("version", VERSIONS[-1:])
def test_a_database_moves_to_a_server_and_back_without_losing_a_row(
    version: str, postgresql: PostgreSqlServer, tmp_path: Path
) -> None:
    """New matches get numbers behind all others; a database with rows is not moved into."""
    file = old_databases.load(version, tmp_path)
    old_databases.upgrade(file)
    before = old_databases.cells(file)
    postgresql.copy("blank", "moved")
    there, back = Database(postgresql.url("moved")), tmp_path / "back.db"
    source = Database(f"sqlite:///{file}")
    counts = source.move_to(postgresql.url("moved").replace("+psycopg", ""))
    assert counts == {table: len(rows) for table, rows in before.items() if table != "alembic_version"}
    with pytest.raises(BadInput, match="has rows already"):
        source.move_to(postgresql.url("moved"))
    there.move_to(f"sqlite:///{back}")
    assert unpacked(old_databases.cells(back)) == unpacked(before)
    with there.transaction() as tx:
        highest = max(row["id"] for row in before["player"])
        player = tx.players.add("Somebody New", "new@n.example", tx.heartbeats.last()["receives"])
        assert player.id > highest
    for database in (source, there):
        database.close()


def test_one_service_at_a_time_serves_a_database(postgresql_url: str, postgresql: PostgreSqlServer) -> None:
    """The second is refused; when the first has ended, or lost the server, another can begin."""
    first, second = Database(postgresql_url), Database(postgresql_url)
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
