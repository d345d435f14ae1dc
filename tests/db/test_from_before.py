"""A database from before 1.0 is refused in one sentence by every command, and not a byte of it is changed."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from db import engine as engines
from pbem.cli.app import build_command, main
from pbem.errors import ConfigError
from pbem.storage.database import Database

SAYS = "The database has tables of version 0013, from before pbem 1.0, and can’t be upgraded; it is unchanged."
COMMANDS = {
    "run": "",
    "take-over": "",
    "trust-clock": "",
    "worker": "",
    "open": "pipline ann@example.org bob@example.org",
    "matches": "",
    "show": "1",
    "private": "1",
    "players": "",
    "receive": "letter.eml",
    "poll": "",
    "deliver": "",
    "export": "1",
    "block": "ann@example.org",
    "unblock": "ann@example.org",
    "blocked": "",
    "forget": "Ann --yes",
    "offers": "",
    "clock": "1",
    "extend": "1 2d",
    "pause": "1 2d",
    "adjudicate": "1 draw",
    "void": "1",
    "replace": "1 1 ann@example.org",
    "rewind": "1 --undo",
    "inbound list": "",
    "inbound show": "1",
    "inbound retry": "1",
    "inbound skip": "1",
    "outbound list": "",
    "outbound show": "1",
    "outbound retry": "1",
    "outbound drop": "1",
    "resend": "1 ann",
    "settle": "1",
    "archive": "",
    "backup": "copy.db",
    "db move": "sqlite:///new.db",
    "db upgrade": "",
    "player rename": "Ann Zoe",
    "player address": "Ann --add ann@example.net",
    "player merge": "Ann Bob",
    "broadcast": "letter.eml --subject News --yes",
    "ratings": "",
    "league open": "pipline",
    "league list": "",
    "league show": "pipline",
    "league pause": "pipline 2d",
    "league extend": "pipline 2d",
    "league replace": "pipline Ann ann@example.net",
    "league disqualify": "pipline Ann",
    "league undo": "pipline",
    "league enter": "pipline Ann",
    "ladder open": "pipline",
    "ladder list": "",
    "ladder show": "pipline",
    "ladder pause": "pipline",
    "ladder remove": "pipline Ann",
    "ladder undo": "pipline",
}
"""Arguments with which every command opens the database."""

WITHOUT = {"play", "demo", "init", "verify", "report", "login", "doctor"}
"""Commands that open none, or are tried by themselves below."""

_MAKE = """
import os, sqlite3
connection = sqlite3.connect("pbem.db")
if {logged}:
    connection.execute("PRAGMA wal_autocheckpoint=0")
if {wal}:
    connection.execute("PRAGMA journal_mode=WAL")
connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
connection.execute("INSERT INTO alembic_version VALUES ('0013')")
connection.execute("CREATE TABLE match (id INTEGER PRIMARY KEY, game VARCHAR NOT NULL)")
connection.commit()
if {wal} and not {logged}:
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
connection.execute("INSERT INTO match (game) VALUES ('zipline')")
connection.commit()
if {killed}:
    os._exit(0)
connection.close()
"""


@pytest.fixture(
    params=[(False, False, False), (True, False, False), (True, True, False), (True, True, True)],
    ids=["plain", "WAL", "killed", "killed before anything was in the file"],
    scope="module",
)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a service from before, as a copy has it, one that was ended, and one that was killed."""
    directory = tmp_path_factory.mktemp("before")
    wal, killed, logged = request.param
    steps = _MAKE.format(wal=wal, killed=killed, logged=logged)
    subprocess.run([sys.executable, "-c", steps], cwd=directory, check=True)
    assert (directory / "pbem.db-wal").exists() == killed
    (directory / "pbem.db").chmod(0o600)
    (directory / "letter.eml").write_text("From: ann@example.org\n\nHello\n")
    return directory


@pytest.fixture
def before(made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That directory, as the working directory."""
    monkeypatch.chdir(made)
    for name in [name for name in os.environ if name.startswith("PBEM_")]:
        monkeypatch.delenv(name)
    for name, value in {
        "ADDRESS": "games@example.org",
        "SECRET": "a secret that is long enough",
        "IMAP_URL": "imaps://games:password@127.0.0.1:1",
        "SMTP_URL": "smtps://games:password@127.0.0.1:1",
        "ARCHIVE_DIR": "archive",
        "DATABASE_URL": "sqlite:///pbem.db",
    }.items():
        monkeypatch.setenv(f"PBEM_{name}", value)
    return made


def state(directory: Path) -> dict[str, tuple[int, bytes]]:
    """Return every file in a directory: when it was changed, and its bytes."""
    found = {path.name: path for path in directory.iterdir()}
    return {
        name: (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"") for name, path in found.items()
    }


def call(*arguments: str) -> int:
    """Call ``pbem``; return its exit code."""
    with pytest.raises(SystemExit) as end:
        main(arguments)
    return int(end.value.code or 0)


def names(group: Any, above: str = "") -> set[str]:
    """Return every command, by its words."""
    found = group.commands.items()
    parts = (names(one, f"{above}{name} ") if hasattr(one, "commands") else {f"{above}{name}"} for name, one in found)
    return set().union(*parts)


def test_every_command_refuses_it(before: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With one sentence and exit code 78; nothing in the directory is changed, or made."""
    assert names(build_command()) == COMMANDS.keys() | WITHOUT
    found = state(before)
    for command, arguments in (*COMMANDS.items(), ("db upgrade", "--existing"), ("run", "--no-mailbox")):
        told = (call(*command.split(), *arguments.split()), *capsys.readouterr())
        assert (command, told) == (command, (78, "", f"pbem: {SAYS}\n"))
        assert state(before) == found, command


def test_the_doctor_tells_it(before: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the line about the database; everything else that can be looked at is."""
    found = state(before)
    assert call("doctor") != 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line[2:].startswith("database ")]
    assert SAYS in line
    assert state(before) == found


def test_no_settings_are_made_beside_it(before: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``pbem init`` leaves no half of a service."""
    found = state(before)
    assert call("init", "games@example.org") == 78
    assert capsys.readouterr().err == f"pbem: {SAYS}\n"
    assert state(before) == found


def test_no_other_database_is_moved_into_it(before: Path, tmp_path: Path) -> None:
    """Nor is that one changed."""
    database = Database(f"sqlite:///{tmp_path / 'pbem.db'}")
    database.upgrade()
    found = state(before)
    with pytest.raises(ConfigError, match="0013, from before"):
        database.move_to("sqlite:///pbem.db")
    database.close()
    assert state(before) == found


def test_a_backup_from_before_that_was_put_back_is_refused(
    before: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the place of a database of today."""
    monkeypatch.chdir(tmp_path)
    assert call("db", "upgrade") == 0
    assert call("open", "pipline", "ann@example.org", "bob@example.org") == 0
    for end in ("-wal", "-shm"):
        (tmp_path / f"pbem.db{end}").unlink(missing_ok=True)
    for path in (path for path in before.glob("pbem.db*") if path.suffix in (".db", ".db-wal")):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    capsys.readouterr()
    found = state(tmp_path)
    for command in (["run"], ["db", "upgrade", "--existing"], ["matches"]):
        assert call(*command) == 78
        assert capsys.readouterr().err == f"pbem: {SAYS}\n"
        assert state(tmp_path) == found


@pytest.mark.parametrize("version", ["0001", "0012", "0099"])
def test_every_version_from_before_is_known_as_such(version: str) -> None:
    """Those of today and those to come are not."""
    assert engines.is_from_before(version)
    assert not any(map(engines.is_from_before, [None, "", *engines.known_versions(), "9999"]))
