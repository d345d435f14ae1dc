"""Which messages a list of emails has: those of a player, of a match, or of late."""

import re
import shlex
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli import output
from pbem.errors import BadInput, DamagedMatch

if TYPE_CHECKING:
    from pbem.storage.transaction import Transaction

OfPlayer = Annotated[
    str | None,
    typer.Option("--player", metavar="NAME|ADDRESS|NUMBER", help="Only those of a player, or of any other address."),
]
OfMatch = Annotated[
    int | None, typer.Option("--match", metavar="ID", min=1, max=2**31 - 1, help="Only those of this match.")
]
Since = Annotated[
    str | None,
    typer.Option("--since", metavar="DATE|TIME", help="Only those since 2026-05-01, or of the last 3d."),
]


@dataclass(frozen=True)
class Selection:
    """What was asked for: all of it is wanted at once, and None asks for nothing."""

    status: str | None = None
    player: str | None = None
    match: int | None = None
    since: str | None = None

    @property
    def options(self) -> str:
        """The options that ask for the same once more."""
        asked = (("status", self.status), ("player", self.player), ("match", self.match), ("since", self.since))
        return "".join(f" --{name} {shlex.quote(str(value))}" for name, value in asked if value is not None)

    def conditions(self, tx: "Transaction", now: datetime) -> dict[str, Any]:
        """Return the arguments for ``listed``. Raise BadInput for a player, a match or a time that there is not."""
        if self.match is not None:
            with suppress(DamagedMatch):  # of which the emails tell more
                output.require_row(tx.matches.get(self.match), "match", self.match, "matches")
        return {
            "status": self.status,
            "addresses": None if self.player is None else _read_addresses(tx, output.decode_argument(self.player)),
            "match": self.match,
            "since": None if self.since is None else _read_since(self.since, now),
        }


def _read_addresses(tx: "Transaction", who: str) -> frozenset[str]:
    """Return the addresses of a player, or the one of nobody that was given."""
    from pbem.mail.headers import split_named
    from pbem.running.operator_rulings import find_player

    if "@" in who and tx.players.find(email := split_named(who)[1]) is None:
        return frozenset({email})
    return find_player(tx, who).emails


def _read_since(text: str, now: datetime) -> datetime:
    """Return the beginning of a day (UTC), or the moment so long ago."""
    from pbem.reading.when.lengths import read_duration

    typed = text.strip()
    if re.fullmatch(r"\d{4}-\d\d-\d\d", typed, re.ASCII):
        try:
            return datetime.combine(date.fromisoformat(typed), time(), UTC)
        except ValueError as error:
            raise BadInput(f"“{text}” is no day; write one such as {now:%Y-%m-%d}.") from error
    if seconds := read_duration(typed):
        return now - timedelta(seconds=seconds)
    raise BadInput(f"“{text}” is no time: write a day, such as {now:%Y-%m-%d}, or how long ago, such as 3d or 12h.")
