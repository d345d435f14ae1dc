"""The command line, called in this process, in a directory of its own."""

import json
import re
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from email import message_from_bytes
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.app import main
from tests.e2e.messages import reply

GAMES, ANN, BOB, CARL = (f"{name}@example.org" for name in ("games", "ann", "bob", "carl"))


@dataclass(frozen=True)
class Run:
    """What one call of ``pbem`` printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What was printed, read as JSON."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """What was printed, each line read as JSON."""
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass(frozen=True)
class Pbem:
    """The command line, in ``directory``, which has to be the working directory."""

    directory: Path

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Run:
        """Call ``pbem`` with these arguments."""
        out, err = BytesIO(), BytesIO()
        with _streams(stdin, out, err), pytest.raises(SystemExit) as end:
            main(arguments)
        return Run(int(end.value.code or 0), out.getvalue().decode(), err.getvalue().decode())

    def done(self, *arguments: str, stdin: bytes = b"") -> Run:
        """Call ``pbem`` with arguments that must do."""
        run = self(*arguments, stdin=stdin)
        assert (run.code, run.err) == (0, "")
        return run

    def refuses(self, *arguments: str, code: int, says: str, stdin: bytes = b"") -> None:
        """Make sure that ``pbem`` says in one sentence what is wrong, and leaves everything as it was."""
        before = self.state()
        run = self(*arguments, stdin=stdin)
        assert (run.code, run.out) == (code, "")
        assert re.fullmatch(r"pbem: [^\n]*([.?]|: [^\n]*)\n", run.err)
        assert says in run.err
        assert self.state() == before

    def state(self) -> dict[str, object]:
        """Return all there is in the directory: databases row by row, other files byte by byte."""
        return {
            str(path.relative_to(self.directory)): dump(path) if _is_database(path) else path.read_bytes() or []
            for path in sorted(self.directory.rglob("*"))
            if path.is_file() and not path.name.endswith(("-wal", "-shm"))
        }

    def mail(self, number: int) -> bytes:
        """Return an email in the outbox, raw."""
        return self.done("outbound", "show", str(number), "--raw").out.encode()

    def answer(self, number: int, body: str, message_id: str = "<1@example.org>") -> bytes:
        """Return the message with which a player answers an email in the outbox."""
        notice = message_from_bytes(self.mail(number))
        return reply(str(notice["To"]), str(notice["Reply-To"]), body, message_id=message_id)


def rolled(pbem: Pbem, *answers: str) -> str:
    """Play a match of Pip•Pip in which Ann and Bob answer so before the first roll, and resign; return its record."""
    match = pbem.done("open", "pippip", ANN, BOB, "--json").json["id"]
    first = pbem.done("outbound", "list", "--json", "--limit", "2").json[0]["id"] - 1
    for number, (mail, body) in enumerate(zip((first, first + 1, 0), (*answers, "resign"), strict=True)):
        newest = pbem.done("outbound", "list", "--json", "--limit", "1").json[0]["id"]  # to Bob, who resigns by it
        message = pbem.answer(mail or newest, body, f"<{match}-{number}@example.org>")
        assert pbem.done("receive", "--json", stdin=message).lines[0]["status"] == "accepted"
    return pbem.done("export", str(match)).out


@contextmanager
def _streams(stdin: bytes, out: BytesIO, err: BytesIO) -> Iterator[None]:
    """Let the standard streams be these."""
    kept = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = TextIOWrapper(BytesIO(stdin))
    sys.stdout = TextIOWrapper(out, "utf-8", newline="", write_through=True)
    sys.stderr = TextIOWrapper(err, "utf-8", "backslashreplace", newline="", write_through=True)
    ours = sys.stdout, sys.stderr
    try:
        yield
    finally:
        for stream in ours:  # else it closes what it has written to
            stream.detach()
        sys.stdin, sys.stdout, sys.stderr = kept


def dump(database: Path) -> list[str]:
    """Return everything in a database as SQL."""
    with closing(sqlite3.connect(database)) as connection:
        lines = list(connection.iterdump())
    return lines if len(lines) > 2 else []


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"
