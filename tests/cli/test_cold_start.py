"""A mail server starts the program for each email: imports are counted, and the short way has a long one behind."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest

from pbem.running.short_way import STORED, socket_beside
from tests.support.command_line import Pbem

_PROGRAM = """
import sys
from pbem.__main__ import main
sys.argv = ["pbem", *sys.argv[1:]]
try:
    main()
except SystemExit as end:
    print("ended with", end.code or 0)
print("imported:", *sorted({name.partition(".")[0] for name in sys.modules}))
"""

UNREAD = {
    *("alembic", "mako", "aiosmtplib", "aioimaplib", "apscheduler", "rich", "pygments", "pymap", "aiosmtpd"),
    *("cryptography", "pydantic", "sqlmodel"),
}
"""What taking in an email never needs."""

PROCESSING = {"sqlalchemy", "jinja2", "rules", "db"}
"""What only processing needs."""

READING = {"email", "asyncio"}
"""What reading the options of a command imports as well."""


def _start(*arguments: str, stdin: bytes = b"") -> tuple[int, set[str]]:
    """Run the program in a process of its own; return its exit code, and the packages that it has imported."""
    run = subprocess.run([sys.executable, "-c", _PROGRAM, *arguments], input=stdin, capture_output=True, check=True)
    lines = run.stdout.decode().splitlines()
    codes = [int(line.rpartition(" ")[2]) for line in lines if line.startswith("ended with")]
    return codes[0] if codes else 0, set(lines[-1].split()[1:])


@contextmanager
def _answering(path: str, answer: bytes) -> Iterator[list[bytes]]:
    """Listen at ``path`` for one client, read all that it sends at first, and answer; the list gets what it sent."""
    sent: list[bytes] = []

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            sent.append(connection.recv(100_000))
            connection.sendall(answer)

    with socket.socket(socket.AF_UNIX) as listener:
        listener.settimeout(20)
        listener.bind(path)
        listener.listen()
        serving = Thread(target=serve)
        serving.start()
        try:
            yield sent
        finally:
            serving.join()
            Path(path).unlink()


@pytest.fixture
def database(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Move the database to a directory with a short name, since the path of a socket has at most about 100 bytes."""
    with TemporaryDirectory(prefix="pbem-") as name:
        file = Path(name) / "pbem.db"
        (pbem.directory / "pbem.db").rename(file)
        monkeypatch.setenv("PBEM_DATABASE_URL", f"sqlite:///{file}")
        yield file


def test_help_imports_nothing_heavy(bare: Pbem) -> None:
    """Whoever asks what there is waits for no library but the one that reads the command line."""
    code, imported = _start("--help")
    assert code == 0
    assert "typer" in imported
    assert not (UNREAD | PROCESSING | READING) & imported


@pytest.mark.parametrize("command", ["receive", "inbound list", "demo", "run", "doctor", "show", "poll", "db upgrade"])
def test_help_for_a_command_imports_nothing_that_carries_it_out(bare: Pbem, command: str) -> None:
    """Whoever asks how a command is used does not wait for what it does."""
    code, imported = _start(*command.split(), "--help")
    assert code == 0
    assert not (UNREAD | PROCESSING) & imported


def test_an_email_is_processed_without_what_sends_fetches_and_upgrades(pbem: Pbem) -> None:
    """``pbem receive`` imports no library for servers, migrations or tables on a terminal."""
    code, imported = _start("receive", stdin=pbem.answer(1, "c3"))
    assert code == 0
    assert {"sqlalchemy", "jinja2", "rules"} <= imported
    assert not UNREAD & imported
    assert pbem.done("inbound", "list", "--json").json[0]["status"] == "accepted"


@pytest.mark.parametrize("arguments", [["receive"], ["--config", "pbem.toml", "receive"]], ids=" ".join)
def test_an_email_is_handed_over_without_what_processes_it(pbem: Pbem, database: Path, arguments: list[str]) -> None:
    """Beside a running service, the client imports hardly more than a socket, and stores nothing itself."""
    message = pbem.answer(1, "c3")
    with _answering(socket_beside(str(database)), STORED) as sent:
        code, imported = _start(*arguments, stdin=message)
    assert code == 0
    assert sent == [b"%d\n%b" % (len(message), message)]
    assert not (UNREAD | PROCESSING | READING | {"typer", "logging"}) & imported
    assert pbem.done("inbound", "list", "--json").json == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize("answer", [b"", b"busy\n", b"stored elsewhere\n"[:6]], ids=["none", "another", "half of one"])
def test_an_email_that_is_not_stored_takes_the_ordinary_way(pbem: Pbem, database: Path, answer: bytes) -> None:
    """A service that is killed before it answers, or cannot store, loses nothing: the client takes the email in."""
    with _answering(socket_beside(str(database)), answer):
        code, imported = _start("receive", stdin=pbem.answer(1, "c3"))
    assert code == 0
    assert "sqlalchemy" in imported
    (message,) = pbem.done("inbound", "list", "--json").json
    assert (message["status"], message["commands"]) == ("accepted", ["c3"])


def test_the_mail_server_is_told_to_try_again_when_neither_way_leads_on(pbem: Pbem, database: Path) -> None:
    """A service that does not store, and a database that cannot be used: exit code 75, as ever."""
    message = pbem.answer(1, "c3")
    os.rename(database, database.with_name("away.db"))
    with _answering(socket_beside(str(database)), b""):
        assert _start("receive", stdin=message)[0] == 75


@pytest.mark.sampled(3)
@pytest.mark.parametrize("arguments", [["receive", "-"], ["receive", "--json"], ["-v", "receive"]], ids=" ".join)
def test_whoever_asks_for_more_gets_the_ordinary_way(pbem: Pbem, database: Path, arguments: list[str]) -> None:
    """A service answers that an email is stored, not what became of it; so it is not asked."""
    message = pbem.answer(1, "c3")
    with socket.socket(socket.AF_UNIX) as unasked:
        unasked.bind(socket_beside(str(database)))  # nobody listens, and nobody is to notice
        code, imported = _start(*arguments, stdin=message)
    assert code == 0
    assert "sqlalchemy" in imported
