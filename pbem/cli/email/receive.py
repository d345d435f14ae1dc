"""The command that takes in raw emails from files, directories, or a mail server's pipe."""

import logging
import re
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from pbem.cli.output import Json, load_settings, make_printable, make_service, open_database, print_json, warn
from pbem.errors import Busy, NoFile, PbemError
from pbem.log.logbook import event
from pbem.log.redaction import redacted
from pbem.sizes import LARGEST

if TYPE_CHECKING:
    from pbem.running.service import Arrival

_STDIN = "-"
# The line before each email in an mbox (RFC 4155): no "From " in somebody's sentence ends like this.
_SEPARATOR = re.compile(rb"From \S+ .{0,40}\d\d:\d\d(:\d\d)? .{0,20}\d{4}\s*", re.ASCII)
_QUOTED = re.compile(rb">+From ")


@dataclass(frozen=True)
class _Raw:
    """An email in a file: the name of the file, and the number of the email in it, from 1."""

    file: str
    number: int
    content: bytes


def receive(
    context: typer.Context,
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE]…", help="Raw emails, or directories; none or - reads stdin."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would come of it, and change nothing.")] = False,
    json: Json = False,
) -> None:
    """Take in raw emails from files or standard input, as polling does.

    For a mail server's pipe: `|/path/to/pbem receive`. A directory means all files below it, in the order of their
    names, except hidden ones; an mbox means all emails in it. With --dry-run each is tried on its own.
    """
    try:
        _receive_all(context, files or [_STDIN], dry_run, json, quiet=not (files or dry_run))
    except Exception as error:  # for any exit code but Busy's, a mail server returns the email to its sender
        if set(files or [_STDIN]) != {_STDIN}:
            raise
        if not isinstance(error, PbemError | OSError):
            logging.getLogger("pbem").exception("a bug while a message was received", extra=event("receive_bug"))
        raise Busy(redacted(str(error))) from error


def _receive_all(context: typer.Context, names: list[str], dry_run: bool, json: bool, *, quiet: bool) -> None:
    """Take in each email, and print what became of it; raises NoFile in the end if some could not be read."""
    settings = load_settings(context, "address", "secret")
    unread: NoFile | None = None
    found = False
    with open_database(context) as database:
        for name in (file for given in names for file in _list_files(given)):
            found = True
            try:
                for raw in _read_emails(name):
                    with database.rehearsal() if dry_run else nullcontext(database) as used:
                        arrival = make_service(settings, used).hand_in(raw.content)
                    if json:
                        print_json(_arrival_object(raw, arrival), indent=None)
                    elif not quiet:
                        typer.echo(_describe_arrival(raw, arrival))
            except NoFile as error:  # the others need not wait for it
                if unread:
                    warn(str(unread))
                unread = error
    if not (found or json):
        typer.echo("No emails.")
    if unread:
        raise unread


def _list_files(given: str) -> list[str]:
    """Return the files that an argument stands for; in a directory, broken links too, so that they are reported."""
    top = Path(given)
    if given == _STDIN or not top.is_dir():
        return [given]
    below = (path for path in top.rglob("*") if not any(part.startswith(".") for part in path.relative_to(top).parts))
    return [str(path) for path in sorted(below) if path.is_file() or (path.is_symlink() and not path.exists())]


def _read_emails(name: str) -> Iterator[_Raw]:
    """Yield the emails in a file, or the one on standard input; raises NoFile."""
    if name == _STDIN:
        if sys.stdin is None:
            raise NoFile("There is no standard input to read.")
        # Never split like an mbox: the sender of an email must not be able to write another one into it.
        yield _Raw(name, 1, sys.stdin.buffer.read(LARGEST + 1))
        while sys.stdin.buffer.read(LARGEST):
            pass  # for some mail servers it is a failure if not everything is read
        return
    try:
        with Path(name).open("rb") as file:
            for number, content in enumerate(_split_mbox(file), 1):
                yield _Raw(name, number, content)
    except OSError as error:
        raise NoFile(f"{name} cannot be read: {error.strerror}.") from error


def _split_mbox(file: BinaryIO) -> Iterator[bytes]:
    """Yield the emails of an mbox, or the file as one email; an email that is too large is cut soon after the limit."""
    first = file.readline(LARGEST + 1)
    if not _SEPARATOR.fullmatch(first):
        yield first + file.read(LARGEST + 1)
        return
    email, size, below_blank = [first], len(first), False
    while line := file.readline(LARGEST + 1):
        if below_blank and _SEPARATOR.fullmatch(line):
            yield b"".join(email if email[-1].strip(b"\r\n") else email[:-1])  # the empty line belongs to the mbox
            email, size = [], 0
        if size <= LARGEST:
            email.append(line[1:] if _QUOTED.match(line) else line)
        size += len(line)
        below_blank = not line.strip(b"\r\n")
    yield b"".join(email)


def _arrival_object(raw: _Raw, arrival: "Arrival") -> dict[str, Any]:
    """Return the JSON object of an email handed in: what became of it."""
    message = arrival.message
    earlier = f"{message.status} {message.reason}".strip()
    return {
        "file": raw.file,
        "number": raw.number,
        "status": "duplicate" if arrival.duplicate else message.status,
        "reason": f"already here as message {message.id}, {earlier}" if arrival.duplicate else message.reason,
        "code": "" if arrival.duplicate else message.code,
        "detail": message.detail,
        "match": message.match,
        "commands": [] if arrival.duplicate else list(message.commands),
        "mails": [mail.recipient for mail in arrival.outbound],
    }


def _describe_arrival(raw: _Raw, arrival: "Arrival") -> str:
    """Return what became of an email handed in, for people."""
    found, message = _arrival_object(raw, arrival), arrival.message
    parts = [found["status"], found["reason"]]
    parts += [message.detail.rstrip(".")] if message.status != "failed" and not arrival.duplicate else []
    parts += [f"match {found['match']}"] if found["match"] else []
    parts += ["; ".join(found["commands"])]
    parts += [f"emails to {', '.join(found['mails'])}"] if found["mails"] else []
    name = raw.file if raw.number == 1 else f"{raw.file}, email {raw.number}"
    return make_printable(f"{name}: {', '.join(part for part in parts if part)}").replace("\n", " ")
