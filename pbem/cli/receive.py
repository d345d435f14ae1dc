"""Takes in raw emails from files, directories, or an email server's pipe."""

import logging
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from pbem.cli.output import Context, Json, print_json_line, printable
from pbem.errors import Busy, NoFile, PbemError
from pbem.ports import LARGEST
from pbem.redaction import redacted

if TYPE_CHECKING:
    from pbem.service import Arrival
    from pbem.storage import Database

_STDIN = "-"
# The line before each email in an mbox (RFC 4155): no "From " in somebody's sentence ends like this.
_BETWEEN = re.compile(rb"From \S+ .{0,40}\d\d:\d\d(:\d\d)? .{0,20}\d{4}\s*", re.ASCII)
_QUOTED = re.compile(rb">+From ")


@dataclass(frozen=True)
class _Raw:
    """An email as it lies somewhere: the name of the file, and which mail in it this is, counted from 1."""

    file: str
    number: int
    content: bytes


def receive(
    context: typer.Context,
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE]…", help="Raw mails, or directories; none or - reads one.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Do all of it, tell, and undo it.")] = False,
    json: Json = False,
) -> None:
    """Take in raw emails from files or standard input, as polling does.

    For an email server's pipe: `|/path/to/pbem receive`. A directory stands for the files below it, in the order of their
    names, hidden ones passed over; an mbox for the emails in it. With --dry-run each is taken by itself.
    """
    try:
        _receive(context.obj, files or [_STDIN], dry_run, json, quiet=not (files or dry_run))
    except Exception as error:  # an email server gives an email back to its sender for any other exit code than Busy's
        if set(files or [_STDIN]) != {_STDIN}:
            raise
        if not isinstance(error, PbemError | OSError):
            logging.getLogger("pbem").exception("a bug while a letter was taken in")
        raise Busy(redacted(str(error))) from error


def _receive(obj: Context, named: list[str], dry_run: bool, json: bool, *, quiet: bool) -> None:
    """Take in each email, and print what became of it; raises NoFile in the end if some could not be read."""
    obj.settings("address", "secret")
    unread: NoFile | None = None
    found = False
    with obj.database() as database:
        for name in (file for given in named for file in _files(given)):
            found = True
            try:
                for raw in _mails(name):
                    arrival = _taken(obj, database, raw.content, dry_run)
                    if json:
                        print_json_line(_arrival_object(raw, arrival))
                    elif not quiet:
                        typer.echo(_in_words(raw, arrival))
            except NoFile as error:  # the others need not wait for it
                if unread:
                    typer.echo(f"pbem: {printable(str(unread))}", err=True)
                unread = error
    if not (found or json):
        typer.echo("No mails.")
    if unread:
        raise unread


def _taken(obj: Context, database: "Database", raw: bytes, dry_run: bool) -> "Arrival":
    """Take in one email, or rehearse it, and return what became of it."""
    with ExitStack() as stack:
        used = stack.enter_context(database.rehearsal()) if dry_run else database
        return stack.enter_context(obj.service(database=used)).hand_in(raw)


def _files(given: str) -> list[str]:
    """Return the files that an argument stands for; in a directory a link that leads nowhere is one too."""
    top = Path(given)
    if given == _STDIN or not top.is_dir():
        return [given]
    below = (path for path in top.rglob("*") if not any(part.startswith(".") for part in path.relative_to(top).parts))
    return [str(path) for path in sorted(below) if path.is_file() or (path.is_symlink() and not path.exists())]


def _mails(name: str) -> Iterator[_Raw]:
    """Yield the emails in a file, or the one on standard input; raises NoFile."""
    if name == _STDIN:
        if sys.stdin is None:
            raise NoFile("There is no standard input to read.")
        # Never taken apart: whoever writes an email must not be able to write another one into it.
        yield _Raw(name, 1, sys.stdin.buffer.read(LARGEST + 1))
        while sys.stdin.buffer.read(LARGEST):
            pass  # some mail servers take it for a failure when not all is read
        return
    try:
        with Path(name).open("rb") as file:
            for number, content in enumerate(_parted(file), 1):
                yield _Raw(name, number, content)
    except OSError as error:
        raise NoFile(f"{name} cannot be read: {error.strerror}.") from error


def _parted(file: BinaryIO) -> Iterator[bytes]:
    """Yield the emails of an mbox, or the one email that the file is; of one that is too large as much as shows it."""
    first = file.readline(LARGEST + 1)
    if not _BETWEEN.fullmatch(first):
        yield first + file.read(LARGEST + 1)
        return
    mail, size, below_blank = [first], len(first), False
    while line := file.readline(LARGEST + 1):
        if below_blank and _BETWEEN.fullmatch(line):
            yield b"".join(mail if mail[-1].strip(b"\r\n") else mail[:-1])  # the empty line belongs to the mbox
            mail, size = [], 0
        if size <= LARGEST:
            mail.append(line[1:] if _QUOTED.match(line) else line)
        size += len(line)
        below_blank = not line.strip(b"\r\n")
    yield b"".join(mail)


def _arrival_object(raw: _Raw, arrival: "Arrival") -> dict[str, Any]:
    """Return what became of an email handed in, as JSON has it."""
    message = arrival.message
    earlier = f"{message.status} {message.reason}".strip()
    return {
        "file": raw.file,
        "number": raw.number,
        "status": "duplicate" if arrival.duplicate else message.status,
        "reason": f"here already as letter {message.id}, {earlier}" if arrival.duplicate else message.reason,
        "detail": message.detail,
        "match": message.match,
        "commands": [] if arrival.duplicate else list(message.commands),
        "mails": [mail.recipient for mail in arrival.outbound],
    }


def _in_words(raw: _Raw, arrival: "Arrival") -> str:
    """Return what became of an email handed in, for people."""
    found, message = _arrival_object(raw, arrival), arrival.message
    parts = [found["status"], found["reason"]]
    parts += [message.detail.rstrip(".")] if message.status != "failed" and not arrival.duplicate else []
    parts += [f"match {found['match']}"] if found["match"] else []
    parts += ["; ".join(found["commands"])]
    parts += [f"mails to {', '.join(found['mails'])}"] if found["mails"] else []
    name = raw.file if raw.number == 1 else f"{raw.file}, mail {raw.number}"
    return printable(f"{name}: {', '.join(part for part in parts if part)}").replace("\n", " ")
