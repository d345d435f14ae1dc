"""What the commands share: options, settings, the service, and how they print."""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from pbem.errors import BadFile, BadInput, DamagedMatch, NoFile
from pbem.log.redaction import OBEYED

_FIELD = 14  # columns
_OF_MATCH = (
    *("id", "game", "options", "seats", "status", "private", "rated", "put_away", "ply", "to_act", "winners", "reason"),
    *("opened_at", "changed_at", "time_control", "to_move_since", "deadline", "halted", "flagged_at", "paused_until"),
)
"""The keys of every match in JSON, in their order."""
_FOR_EVER = "This can’t be undone, and nobody can be asked here: say --yes if it is meant."

if TYPE_CHECKING:  # the database library takes over a second to import, and --help needs none of it
    from pbem.match.match import Match
    from pbem.match.summary import MatchSummary
    from pbem.running.service import Service
    from pbem.settings.model import Settings
    from pbem.storage.database import Database
    from pbem.storage.transaction import Transaction
    from rules.position import Seat

T = TypeVar("T")

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
GameOptions = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game, such as size=9."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Don’t ask whether it’s meant.")]
Number = Annotated[int, typer.Argument(metavar="ID", help="Its number, as list shows it.")]
Numbers = Annotated[list[int], typer.Argument(metavar="ID…", help="Their numbers, as list shows them.")]
Raw = Annotated[bool, typer.Option("--raw", help="Print the bytes as they are.")]


def load_settings(context: typer.Context, *needed: str) -> "Settings":
    """Return the settings; raises ConfigError unless those ``needed`` are there."""
    from pbem.settings.loading import load

    file: Path | None = context.obj
    settings = load(file)
    settings.require(*needed)
    return settings


def open_database(context: typer.Context) -> AbstractContextManager["Database"]:
    """Open the database, its tables checked."""
    return _open(load_settings(context))


@contextmanager
def _open(settings: "Settings") -> Iterator["Database"]:
    """Open the database of these settings, its tables checked."""
    from pbem.storage.database import Database

    database = Database(settings.database_url)
    try:
        database.check()
        yield database
    finally:
        database.close()


@contextmanager
def open_service(context: typer.Context, *needed: str) -> Iterator["Service"]:
    """Build the service without connections: enough for everything that touches only the database."""
    settings = load_settings(context, "address", "secret", *needed)
    with _open(settings) as database:
        yield make_service(settings, database)


def make_service(settings: "Settings", database: "Database") -> "Service":
    """Return the service over a database, with the real clock and source of secrets."""
    from pbem.running.machine import SecretSource, SystemClock
    from pbem.running.service import Service

    return Service(settings, database, clock=SystemClock(), dice=SecretSource())


def print_json(value: object, *, indent: int | None = 2) -> None:
    """Print a value as JSON, times in ISO 8601; on one line where ``indent`` is None."""
    typer.echo(_to_json(value, indent))


def print_json_list(values: Iterable[object]) -> None:
    """Print values as the JSON of their list, each as soon as it is there: all of them may be more than fit."""
    above = "["
    for value in values:
        text = _to_json(value, 2).replace("\n", "\n  ")  # line feeds in strings are escaped
        typer.echo(f"{above}\n  {text}", nl=False)
        above = ","
    typer.echo("[]" if above == "[" else "\n]")


def _to_json(value: object, indent: int | None) -> str:
    """Return a value as JSON that a terminal shows."""
    # Characters beyond ASCII are escaped only where the output cannot hold them.
    escapes = "utf" not in (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    text = json.dumps(value, ensure_ascii=escapes, default=_write_scalar, indent=indent)
    return OBEYED.sub(lambda found: json.dumps(found[0])[1:-1], text)  # they occur only inside strings


def print_fields(fields: Iterable[tuple[str, object]]) -> None:
    """Print a line for each field that has a value; further lines of a value stand below it."""
    for name, value in fields:
        if value:
            first, *others = make_printable(str(value)).splitlines() or [""]
            lines = [f"{name + ':':<{_FIELD}}{first}".rstrip(), *(" " * _FIELD + line for line in others)]
            typer.echo("\n".join(lines))


def make_printable(text: str) -> str:
    """Return ``text`` with U+FFFD for every character that a terminal would obey instead of showing."""
    return OBEYED.sub("\ufffd", text.replace("\r\n", "\n"))


def print_text(*texts: str) -> None:
    """Print texts in which others may have written, each from a new line, without what a terminal would obey."""
    for text in texts:
        typer.echo(make_printable(text))


def print_outcome(value: object, *sentences: str, json: bool) -> None:
    """Print what was done: ``value`` as JSON, or a line for each sentence that is not empty."""
    if json:
        print_json(value)
    else:
        print_text(*filter(None, sentences))


def warn(*sentences: str) -> None:
    """Print a line to standard error for each sentence; others may have written in it."""
    for sentence in sentences:
        typer.echo(f"pbem: {make_printable(sentence)}", err=True)


def confirm(question: str, unasked: str = _FOR_EVER, *, file: str = "") -> None:
    """Ask whether it is meant, and end the command if not.

    Raise BadInput, which says ``unasked``, where nobody can be asked: without a terminal, or after ``file`` was read
    from standard input.
    """
    if file == "-" or not sys.stdin.isatty():
        raise BadInput(unasked)
    typer.confirm(make_printable(question), abort=True, err=True)


def counted(number: int, one: str, many: str) -> str:
    """Return a number with the noun that it counts."""
    return f"{number:,} {one if number == 1 else many}"


def print_bytes(content: bytes) -> None:
    """Print bytes as they are; on a terminal, without the characters that it would obey."""
    if sys.stdout.isatty():
        typer.echo(make_printable(content.decode(errors="replace")), nl=False)
    else:
        sys.stdout.buffer.write(content)


def now() -> datetime:
    """Return the present time (UTC)."""
    from pbem.running.machine import SystemClock

    return SystemClock().now()


def format_time(at: datetime | None) -> str:
    """Return a time in UTC, to the minute, for people; an empty text for None."""
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M") if at else ""


def format_time_utc(at: datetime | None) -> str:
    """Return a time as ``format_time`` does, with its time zone."""
    return f"{format_time(at)} UTC" if at else ""


def read_options(pairs: list[str]) -> dict[str, str]:
    """Return ``k=v`` texts as a dictionary; raises BadInput."""
    options = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise BadInput(f"“{pair}” is not an option: write name=value, for example size=9.")
        options[key.strip()] = value.strip()
    return options


def read_bytes(name: str, most: int = -1) -> bytes:
    """Return the bytes of a file, or of standard input (``-``); raises NoFile.

    Where ``most`` is given, there are no more than that; raises BadFile.
    """
    if name == "-" and sys.stdin is None:
        raise NoFile("There is no standard input to read.")
    wanted = most + 1 or -1
    try:
        if name == "-":
            content = sys.stdin.buffer.read(wanted)
        else:
            with Path(name).open("rb") as file:
                content = file.read(wanted)
    except OSError as error:
        raise NoFile(f"{name} cannot be read: {error.strerror}.") from error
    if len(content) > most >= 0:
        raise BadFile(f"{'Standard input' if name == '-' else name} has more than {most:,} bytes, which is too much.")
    return content


def require_row(row: T | None, what: str, number: int, listing: str) -> T:
    """Return a row; raises BadInput where there is none, with the command ``listing`` that lists the others."""
    if row is None:
        raise BadInput(f"There is no {what} {number}; “pbem {listing}” lists them.")
    return row


def describe_place(tx: "Transaction", number: int | None, seat: "Seat | None") -> str:
    """Return a match, its game, and the player at ``seat``, for people; an empty text for no match."""
    try:
        match = tx.matches.get(number) if number is not None else None
    except DamagedMatch:
        return f"{number} (damaged)"
    if match is None:
        return ""
    who = f", seat {seat + 1}, {match.players[seat].name}" if seat is not None else ""
    return f"{match.id} ({match.game.title}){who}"


def match_object(match: "Match", *, record: bool = False, put_away: bool = False) -> dict[str, Any]:
    """Return the JSON object of a match; seats and plies count from 0."""
    from pbem.match.summary import summarise

    found = summary_object(summarise(match), put_away=put_away)
    if record:
        found["plans"] = sum(plan is not None for plan in match.plans)  # what they say is their players’ alone
        found["record"] = [
            {"ply": ply, "seat": entry.seat, "text": entry.text, "at": at}
            for ply, (entry, at) in enumerate(zip(match.record, match.times, strict=True))
        ]
    return found


def summary_object(match: "MatchSummary | DamagedMatch", *, put_away: bool = False) -> dict[str, Any]:
    """Return the JSON object of a match without its record; of a damaged one that, and what is wrong with it."""
    from pbem.match.fair_rolls import commitment
    from pbem.match.time.time_control import write_time_control
    from pbem.match.timing import deadline_of

    if isinstance(match, DamagedMatch):
        known: dict[str, Any] = {"id": match.id, "status": "damaged", "reason": match.what, "put_away": put_away}
        return dict.fromkeys(_OF_MATCH) | known | {"options": {}, "seats": []}
    now, clock = match.standing, match.clock
    found: dict[str, Any] = {
        "id": match.id,
        "game": match.game.key,
        "options": dict(match.options),
        "seats": [
            {
                "seat": seat,
                "player": player.name,
                "address": player.email,
                "role": now.roles[seat],
                "robot": player.robot or None,
            }
            for seat, player in enumerate(match.players)
        ],
        "status": "over" if match.is_over else "running",
        "private": match.private,
        "rated": match.rated,
        "put_away": put_away,
        "ply": now.ply,
        "to_act": now.to_act,
        "winners": None if now.winners is None else list(now.winners),
        "reason": now.reason if match.is_over else None,
        "opened_at": match.opened_at,
        "changed_at": now.changed_at,
        "time_control": write_time_control(clock.control if clock else None),
        "to_move_since": None if now.to_act is None else (clock and clock.turned_at) or now.changed_at,
        "deadline": None if now.to_act is None else deadline_of(match),
        "halted": (clock.halted or None) if clock and now.to_act is not None else None,
        "flagged_at": clock.flagged_at if clock and now.to_act is not None else None,
        "paused_until": clock.pause[1] if clock and clock.pause and not match.is_over else None,
    }
    if match.game.rolls_with(match.options):
        found["lots"] = {
            "commitment": commitment(match.secret),
            "salts": {str(seat): words for seat, words in match.public_seeds.items()},
            "due_at": match.rolls_due,
            "secret": match.secret if match.is_over else None,
        }
    return found


def decode_argument(text: str) -> str:
    """Return an argument as it was typed in UTF-8, whatever the locale made of it.

    Raises BadInput for other bytes.
    """
    try:
        return os.fsencode(text).decode()
    except UnicodeError as error:
        raise BadInput(f"“{text.encode(errors='replace').decode()}” is not UTF-8 text.") from error


def _write_scalar(value: object) -> str:
    """Return a value that JSON has no type for as text."""
    return value.isoformat() if isinstance(value, datetime) else str(value)
