"""What the commands share: how they get at the service, and how they print."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from pbem.errors import BadInput

if TYPE_CHECKING:  # the store takes over a second to import, and --help needs none of it
    from pbem.config import Settings
    from pbem.match import Match
    from pbem.service import Service
    from pbem.store import Store

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help="How many, the newest first.")]


@dataclass(frozen=True)
class Context:
    """What stands before every command: the settings file, if one is named."""

    config: Path | None

    def settings(self, *needed: str) -> "Settings":
        """Read the settings and make sure that those ``needed`` are there."""
        from pbem.config import load

        settings = load(self.config)
        settings.need(*needed)
        return settings

    @contextmanager
    def store(self) -> Iterator["Store"]:
        """Open the database, its tables checked."""
        from pbem.store import Store

        store = Store(self.settings().database_url)
        try:
            store.check()
            yield store
        finally:
            store.close()

    @contextmanager
    def service(self, *needed: str, store: "Store | None" = None) -> Iterator["Service"]:
        """Build the service without connections: enough for all that touches only the database."""
        from pbem.clocks import SystemClock
        from pbem.lots import SystemDice
        from pbem.service import Service

        settings = self.settings("address", "secret", *needed)
        if store is not None:
            yield Service(settings, store, clock=SystemClock(), dice=SystemDice())
            return
        with self.store() as opened:
            yield Service(settings, opened, clock=SystemClock(), dice=SystemDice())


def print_json(value: object) -> None:
    """Print a value as one JSON document, times in ISO 8601."""
    typer.echo(json.dumps(value, ensure_ascii=False, default=_plain, indent=2))


def print_json_line(value: object) -> None:
    """Print a value as JSON on one line."""
    typer.echo(json.dumps(value, ensure_ascii=False, default=_plain))


def print_table(title: str, columns: list[str], rows: list[list[str]]) -> None:
    """Print a table for people; an empty one is said in words."""
    if not rows:
        typer.echo(f"No {title}.")
        return
    table = Table(*columns, header_style="bold", box=None, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    Console(highlight=False, markup=False, soft_wrap=not Console().is_terminal).print(table)


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


def match_object(match: "Match", *, record: bool = False) -> dict[str, Any]:
    """Return a match as JSON has it; seats and plies count from 0."""
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
    if record:
        found["record"] = [
            {"ply": ply, "seat": entry.seat, "text": entry.text, "at": at}
            for ply, (entry, at) in enumerate(zip(match.record, match.times, strict=True))
        ]
    return found


def _plain(value: object) -> str:
    """Return what JSON has no type for as text."""
    return value.isoformat() if isinstance(value, datetime) else str(value)
