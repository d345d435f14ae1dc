"""A row that a broken disk or a hand has damaged harms its own match, and nothing else."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.storage.damage import list_damage
from tests.support.club import ADDRESS, SECRET, Club, make_club, settings_in
from tests.support.command_line import Pbem
from tests.support.examples import THOROUGH
from tests.support.mails import message

ANN, BOB, CARL = "Ann <ann@a.example>", "Bob <bob@b.example>", "Carl <carl@c.example>"
DAMAGED = 3
"""The number of the match that is damaged; Ann plays in the sound ones too, and Carl in no other."""

PLACES = {
    "match": "id = 3",
    "place": "match_id = 3 AND seat = 1",
    "matchentry": "match_id = 3 AND ply = 1",
    "remark": "match_id = 3",
    "due": "subject = 3 AND kind = 'clock'",
    "clock": "match_id = 3",
    "match_log": "match_id = 3",
    "player": "name = 'Carl'",
    "address": "email = 'carl@c.example'",
}
"""Which row of each table is damaged."""

VALUES = (
    *(None, "", "abc", b"\xff\0", -1, 7, 2**62, 1.5, '{"a": [1]}', "[]", '{"size": 0}', "\x1b[31m"),
    *("9999-99-99 99:99:99", "2026-11-20 18:30:00.000000", "not UTF-8"),
)

EVERYWHERE = (None, -1) if THOROUGH else ()
PARTS = 6 if THOROUGH else len(VALUES)
"""Values tried in every column; of the others each stands in a part of them, together in all where time is short."""


@pytest.fixture(scope="module")
def three_matches(blank_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a database with three matches; the third has rolls, a comment, and rolls that are due.

    Its columns take any value, as a broken disk does.
    """
    directory = tmp_path_factory.mktemp("three")
    club = make_club(settings_in(directory, blank_database))
    for players in ((ANN, BOB), (BOB, ANN), (ANN, CARL)):
        club.open(players=players, order="lot" if CARL in players else "opened")
    for seat in (0, 1):
        club.reply(seat, "ready", match=DAMAGED)
    acting = club.match(DAMAGED).to_act
    assert isinstance(acting, int)
    club.reply(acting, "a1\nsay: hello", match=DAMAGED)
    assert len(club.moves(DAMAGED)) == 2
    club.service.database.close()
    file = directory / "pbem.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE due SET done = 0, due_at = '2026-11-20 18:00:00.000000'")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE type = 'table'")
        connection.execute("PRAGMA schema_version = 1000")
    return file


@pytest.fixture
def club(three_matches: Path, tmp_path: Path) -> Iterator[Club]:
    """A club with three matches, in a directory of its own."""
    settings = settings_in(tmp_path, three_matches)
    settings.archive_dir = str(tmp_path / "archive")
    club = make_club(settings)
    # So that the rules are not written each time.
    club.service._publisher._published_at = club.clock.now() - timedelta(days=1)
    club.written = 100
    yield club
    club.service.database.close()


@pytest.fixture
def pbem(club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pbem:
    """The command line over the database of the club."""
    monkeypatch.chdir(tmp_path)
    given = {"address": ADDRESS, "secret": SECRET}
    for name, value in (given | {"database_url": club.service.settings.database_url}).items():
        monkeypatch.setenv(f"PBEM_{name.upper()}", str(value))
    return Pbem(tmp_path)


def columns(database: Path) -> list[tuple[str, str]]:
    """Return every column of the tables that a match consists of."""
    with closing(sqlite3.connect(database)) as connection:
        return [
            (table, name)
            for table in PLACES
            for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,)).fetchall()
        ]


def damage(club: Club, table: str, column: str, value: object) -> bool:
    """Set one column of the damaged match; return False for a value that the table can never hold."""
    file = club.service.database.file
    assert file
    new, values = ("CAST(x'61ff' AS TEXT)", ()) if value == "not UTF-8" else ("?", (value,))
    with closing(sqlite3.connect(file)) as connection, connection:
        try:
            connection.execute(f"UPDATE {table} SET {column} = {new} WHERE {PLACES[table]}", values)
        except sqlite3.IntegrityError:
            assert column in ("id", "match_id")  # keys, which SQLite keeps as numbers, whatever the schema says
            return False
    return True


def execute(club: Club, statement: str) -> None:
    """Execute an SQL statement as a hand with sqlite3 would."""
    with closing(sqlite3.connect(str(club.service.database.file))) as connection, connection:
        connection.execute(statement)


def _trials() -> Iterator[object]:
    """Yield values with the part of the columns in which each is tried; all but one of these trials are slow."""
    for place, value in enumerate(VALUES):
        for part in range(PARTS) if value in EVERYWHERE else (place % PARTS,):
            is_quick = value is None and part == 0
            marks = () if is_quick else pytest.mark.slow("damages every column in every way")
            yield pytest.param(value, part, id=f"{value!r}-{part}", marks=marks)


@pytest.mark.parametrize(("value", "part"), list(_trials()))
def test_one_damaged_row_harms_its_match_alone(
    club: Club, pbem: Pbem, value: object, part: int, three_matches: Path
) -> None:
    """Whatever stands in any column: the other matches are listed, shown, archived, played and told of."""
    for table, column in columns(three_matches)[part::PARTS]:
        if damage(club, table, column, value):
            _everything_else_goes_on(club, pbem, f"{table}.{column}")
            _restore(club, three_matches)


def _everything_else_goes_on(club: Club, pbem: Pbem, where: str) -> None:
    """Try all that a service and its operator do."""
    listed = {one["id"]: one for one in pbem.done("matches", "--json").json}
    assert [listed[number]["status"] for number in (1, 2)] == ["running", "running"], where
    for command in (["matches"], ["matches", "--status", "running"], ["players"], ["players", "--json"], ["show", "1"]):
        assert pbem(*command).code == 0, (where, command)
    for command in (["show", "3"], ["show", "3", "--json"], ["export", "3"]):
        run = pbem(*command)
        assert run.code in (0, 64, 65), (where, run)
        assert run.err.count("\n") == (run.code != 0), (where, run)
    assert pbem("doctor").code == 1, where
    club.service.database.upgrade()
    club.service.write_archive()
    pages = Path(club.service.settings.archive_dir)
    assert {"1.html", "2.html"} <= {page.name for page in (pages / "matches").iterdir()}, where
    for match in (1, 2):
        move = "a1" if not club.moves(match) else "show"
        assert club.reply(0, move, match=match).message.status == "accepted", (where, match)
    club.written += 1
    lost = message("a1", From=ANN, To=ADDRESS, Subject="?", Message_ID=f"<lost-{club.written}@a.example>")
    assert club.service.hand_in(lost).message.status == "rejected", where
    if any(mail.match == DAMAGED for mail in club.queued()):
        club.reply(0, "show", match=DAMAGED)
    report = asyncio.run(club.service.deliver())
    assert report.sent, where
    assert not club.queued(status="queued"), where


def _restore(club: Club, three_matches: Path) -> None:
    """Put the database back as it was."""
    file = club.service.database.file
    assert file
    club.service.database.close()
    for path in (file, file.with_name("pbem.db-wal"), file.with_name("pbem.db-shm")):
        path.unlink(missing_ok=True)
    file.write_bytes(three_matches.read_bytes())
    club.service._publisher._published_at = club.clock.now() - timedelta(days=1)
    for page in (Path(club.service.settings.archive_dir) / "matches").iterdir():
        page.unlink()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE match SET secret = 'guess 4' WHERE id = 3",
        "UPDATE match SET secret = '' WHERE id = 3",
        "UPDATE place SET salt = 'another salt' WHERE match_id = 3 AND seat = 0",
        "UPDATE matchentry SET text = CASE text WHEN '1' THEN '2' ELSE '1' END WHERE match_id = 3 AND ply = 0",
        "DELETE FROM matchentry WHERE match_id = 3 AND ply = (SELECT max(ply) FROM matchentry WHERE match_id = 3)",
        "UPDATE match SET standing = json_set(standing, '$.winners', json('[]')) WHERE id = 3",
        "UPDATE matchentry SET made_at = '2030-01-01 00:00:00.000000' WHERE match_id = 3 AND ply = 2",
    ],
)
def test_a_bad_record_is_never_signed_over_a_good_one(
    club: Club, pbem: Pbem, statement: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A hand changes the secret, a roll or the end of a finished match: its page stays, export and doctor say why."""
    club.reply(0, "resign", match=DAMAGED)
    assert list_damage(club.service.database) == []
    club.service.write_archive()
    pages = [Path(club.service.settings.archive_dir) / "matches" / f"3.{kind}" for kind in ("html", "txt")]
    before = [page.read_bytes() for page in pages]
    execute(club, statement)
    club.service._publisher._published_at = None
    caplog.clear()
    club.service.write_archive()
    assert [page.read_bytes() for page in pages] == before
    assert len({line for line in caplog.messages if line.startswith("Match 3 is damaged: ")}) == 1
    run = pbem("export", "3")
    assert (run.code, run.out, run.err.count("\n")) == (65, "", 1)
    assert [text.startswith("Match 3 is damaged: ") for text in list_damage(club.service.database)] == [True]
    assert pbem("export", "1").code == 0


@pytest.mark.parametrize("table", ["inbound", "outbound"])
@pytest.mark.parametrize(
    "change", ["seat = 'nonsense'", "match_id = 'nonsense'", "seat = 1000000000000000", "subject = x'ff'"]
)
def test_one_damaged_message_hides_no_other(club: Club, pbem: Pbem, table: str, change: str) -> None:
    """The list shows it as damaged among the others, the doctor names it, and show says so in one sentence."""
    execute(club, f"UPDATE {table} SET {change} WHERE id = 1")
    listed = {one["id"]: one["status"] for one in pbem.done(table, "list", "--json").json}
    assert [number for number, status in listed.items() if status == "damaged"] == [1]
    assert len(listed) > 1
    assert pbem(table, "list").code == 0
    run = pbem(table, "show", "1")
    assert (run.code, run.err.count("\n")) == (65, 1)
    assert any(" 1 is damaged" in text for text in list_damage(club.service.database))
