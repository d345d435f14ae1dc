"""What the commands share: how they get at the service, and how they print."""

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.table import Table

from pbem.errors import BadInput, NoFile

_FIELD = 14  # columns
# What a terminal obeys rather than shows: controls and escapes, and what turns the direction of writing. Halves of
# characters too, as they stand in the names of files that are not UTF-8: they cannot be printed at all.
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

if TYPE_CHECKING:  # the store takes over a second to import, and --help needs none of it
    from pbem.match import Match
    from pbem.service import Service
    from pbem.settings import Settings
    from pbem.storage import Database, Transaction
    from rules import Seat

T = TypeVar("T")

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, max=1_000_000, help="How many, the newest first.")]
Number = Annotated[int, typer.Argument(metavar="ID", help="Its number, as list shows it.")]
Raw = Annotated[bool, typer.Option("--raw", help="Print the bytes as they are.")]


@dataclass(frozen=True)
class Context:
    """What stands before every command: the settings file, if one is named."""

    config: Path | None

    def settings(self, *needed: str) -> "Settings":
        """Read the settings and make sure that those ``needed`` are there."""
        from pbem.settings import load

        settings = load(self.config)
        settings.require(*needed)
        return settings

    @contextmanager
    def database(self) -> Iterator["Database"]:
        """Open the database, its tables checked."""
        from pbem.storage import Database

        database = Database(self.settings().database_url)
        try:
            database.check()
            yield database
        finally:
            database.close()

    @contextmanager
    def service(self, *needed: str, database: "Database | None" = None) -> Iterator["Service"]:
        """Build the service without connections: enough for all that touches only the database."""
        from pbem.service import Service
        from pbem.system import SecretSource, SystemClock

        settings = self.settings("address", "secret", *needed)
        if database is not None:
            yield Service(settings, database, clock=SystemClock(), dice=SecretSource())
            return
        with self.database() as opened:
            yield Service(settings, opened, clock=SystemClock(), dice=SecretSource())


def print_json(value: object) -> None:
    """Print a value as one JSON document, times in ISO 8601."""
    typer.echo(_json(value, indent=2))


def print_json_line(value: object) -> None:
    """Print a value as JSON on one line."""
    typer.echo(_json(value))


def print_table(title: str, columns: list[str], rows: list[list[str]]) -> None:
    """Print a table for people; an empty one is said in words. Only a terminal's width shortens it."""
    if not rows:
        typer.echo(f"No {title}.")
        return
    table = Table(*columns, header_style="bold", box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(printable(cell).replace("\n", " ") for cell in row))
    console = Console(highlight=False, markup=False, emoji=False)
    if not sys.stdout.isatty():
        console.width = 1_000_000
    console.print(table)


def print_field(name: str, value: object) -> None:
    """Print a line about one thing; what is longer than a line goes on below it."""
    first, *others = printable("" if value is None else str(value)).splitlines() or [""]
    typer.echo("\n".join([f"{name + ':':<{_FIELD}}{first}".rstrip(), *(" " * _FIELD + line for line in others)]))


def printable(text: str) -> str:
    """Return ``text`` with a mark for every character that a terminal would obey instead of showing it."""
    return _OBEYED.sub("\ufffd", text.replace("\r\n", "\n"))


def print_bytes(content: bytes) -> None:
    """Print bytes as they are; what a terminal would obey only if there is none."""
    if sys.stdout.isatty():
        typer.echo(printable(content.decode(errors="replace")), nl=False)
    else:
        sys.stdout.buffer.write(content)


def moment(at: datetime | None) -> str:
    """Return a time for people, in UTC, to the minute."""
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M") if at else ""


def read_options(pairs: list[str]) -> dict[str, str]:
    """Return ``k=v`` texts as a dictionary; raises BadInput."""
    options = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise BadInput(f"“{pair}” is no option: write it as name=value, for example size=9.")
        options[key.strip()] = value.strip()
    return options


def read_bytes(name: str) -> bytes:
    """Return the bytes of a file, or of standard input (``-``); raises NoFile."""
    if name == "-" and sys.stdin is None:
        raise NoFile("There is no standard input to read.")
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise NoFile(f"{name} cannot be read: {error.strerror}.") from error


def check_status(status: str | None, known: tuple[str, ...]) -> None:
    """Make sure that a status is one; raises BadInput."""
    if status is not None and status not in known:
        raise BadInput(f"“{status}” is no status; there are: {', '.join(known)}.")


def found(row: T | None, what: str, number: int, group: str) -> T:
    """Return a row that must be there; raises BadInput."""
    if row is None:
        raise BadInput(f"There is no {what} {number}; “pbem {group} list” lists them.")
    return row


def seated(tx: "Transaction", number: int | None, seat: "Seat | None") -> str:
    """Return which match something is about, and who in it, for people; an empty text if it is about none."""
    match = tx.matches.get(number) if number is not None else None
    if match is None:
        return ""
    who = f", seat {seat + 1}, {match.players[seat].name}" if seat is not None else ""
    return f"{match.id} ({match.game.title}){who}"


def match_object(match: "Match", *, record: bool = False) -> dict[str, Any]:
    """Return a match as JSON has it; seats and plies count from 0."""
    from pbem.match import commitment

    outcome = match.outcome
    roles = match.position.roles()
    found: dict[str, Any] = {
        "id": match.id,
        "game": match.game.key,
        "options": dict(match.options),
        "seats": [
            {"seat": seat, "player": player.name, "address": player.email, "role": roles[seat]}
            for seat, player in enumerate(match.players)
        ],
        "status": "over" if outcome else "running",
        "ply": match.ply,
        "to_act": match.to_act if isinstance(match.to_act, int) else None,
        "winners": sorted(outcome.winners) if outcome else None,
        "reason": outcome.reason if outcome else None,
        "opened_at": match.opened_at,
        "changed_at": match.changed_at,
    }
    if match.game.lots:
        found["lots"] = {
            "commitment": commitment(match.secret),
            "salts": {str(seat): words for seat, words in match.public_seeds.items()},
            "due_at": match.rolls_due,
            "secret": match.secret if outcome else None,
        }
    if record:
        found["record"] = [
            {"ply": ply, "seat": entry.seat, "text": entry.text, "at": at}
            for ply, (entry, at) in enumerate(zip(match.record, match.times, strict=True))
        ]
    return found


def as_typed(text: str) -> str:
    """Return an argument as it was typed in UTF-8, whatever the locale made of it; raises BadInput."""
    try:
        return os.fsencode(text).decode()
    except UnicodeError as error:
        raise BadInput(f"“{text.encode(errors='replace').decode()}” is not text in UTF-8.") from error


def _json(value: object, indent: int | None = None) -> str:
    """Return a value as JSON, with escapes only where the output knows no other messages than ASCII's."""
    escapes = "utf" not in (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    text = json.dumps(value, ensure_ascii=escapes, default=_plain, indent=indent)
    return _OBEYED.sub(lambda found: json.dumps(found[0])[1:-1], text)  # they stand in texts alone


def _plain(value: object) -> str:
    """Return what JSON has no type for as text."""
    return value.isoformat() if isinstance(value, datetime) else str(value)
