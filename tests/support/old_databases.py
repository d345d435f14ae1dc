"""Filled databases of older versions, loaded into files, upgraded, and played on with the program of today."""

import asyncio
import email
import email.policy
import json
import lzma
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from pbem.match import Calendar, Match, Ruling, deadline_of, write_time_control
from pbem.rulings import put_back
from pbem.service import Service
from pbem.settings import Settings
from pbem.storage.database import Database
from rules import Entry
from tests.support.fakes import FakeClock, FakeCourier, FakeDice

FIXTURES = Path(__file__).resolve().parents[1] / "db" / "fixtures"
VERSIONS = (
    *("0001-early", "0001", "0002", "0003", "0004-early", "0004", "0005"),
    *("0006", "0007", "0008", "0009", "0010", "0011", "0012"),
)
"""Every shape of the tables that was ever released; “early” is one that was changed without a new number."""

_LATER = datetime(2026, 11, 21, 23, 0, tzinfo=UTC)
"""After the last message in any of them, and before anything becomes due: rolls, or the end of somebody's time."""

_FIRST = datetime(2026, 11, 20, tzinfo=UTC)
"""Before anything in them."""

TIMING = ("ruling", "rewound", "clock", "log", "retracted")
"""What is known of a match from 0008 on."""


def load(version: str, directory: Path) -> Path:
    """Return a new database file with the rows of that version."""
    file = directory / "pbem.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(lzma.decompress((FIXTURES / f"{version}.sql.xz").read_bytes()).decode())
        connection.execute("PRAGMA journal_mode=WAL")  # as the program leaves every file
    return file


def expected_matches(version: str) -> dict[int, dict[str, Any]]:
    """Return what the old program said of each match: record, times, who is to act, a legal move, comments, result."""
    return {int(number): match for number, match in expected(version).items() if number.isdecimal()}


def expected_calendars(version: str) -> dict[str, dict[str, Any]]:
    """Return what a program that has calendars said of each player: what they have set, their feed, and its turns."""
    found: dict[str, dict[str, Any]] = expected(version)["players"]
    return found


def expected_outages(version: str) -> list[list[str]]:
    """Return when the service had stood still, as the old program said."""
    found: list[list[str]] = expected(version)["outages"]
    return found


def expected(version: str) -> dict[str, Any]:
    """Return all that the old program said, but of replies.

    From 0009 on also the paths of private matches, who follows which match since when, and who was forgotten; from 0011
    on what is planned in which match.
    """
    found: dict[str, Any] = json.loads((FIXTURES / f"{version}.json").read_text("utf-8"))
    return found


def expected_replies(version: str) -> dict[str, Any]:
    """Return the headers of the messages that a reply to each old message leads to."""
    found: dict[str, Any] = json.loads((FIXTURES / f"{version}-replies.json").read_text("utf-8"))
    return found


def old_message(version: str, name: str) -> EmailMessage:
    """Return an email that a player received before the upgrade."""
    content = (FIXTURES / version / f"{name}.eml").read_bytes()
    return email.message_from_bytes(content, policy=email.policy.default)


def reply_to(message: EmailMessage, text: str, **headers: str) -> bytes:
    """Return a reply from the recipient of ``message``, as a simple email program makes it."""
    given = {
        "From": str(message["To"]),
        "To": str(message["Reply-To"]),
        "Subject": f"Re: {message['Subject']}",
        "Message_ID": f"<after-{str(message['Message-ID']).strip('<>')}>",
        "In_Reply_To": str(message["Message-ID"]),
        "References": f"{message['References'] or ''} {message['Message-ID']}".strip(),
        "Content_Type": "text/plain; charset=utf-8",
    } | headers
    head = "".join(f"{name.replace('_', '-')}: {' '.join(value.split())}\n" for name, value in given.items())
    return f"{head}\n{text}\n".encode()


def rows(file: Path) -> list[str]:
    """Return everything in a database as SQL."""
    with closing(sqlite3.connect(file)) as connection:
        return list(connection.iterdump())


def cells(file: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of every table, each by the names of its columns, in the order of their keys."""
    with closing(sqlite3.connect(file)) as connection:
        connection.row_factory = sqlite3.Row
        found = {}
        ours = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        for (table,) in connection.execute(ours).fetchall():
            columns = connection.execute("SELECT name FROM pragma_table_info(?) WHERE pk > 0", (table,))
            keys = ", ".join(f'"{column}"' for (column,) in columns)
            found[table] = [dict(row) for row in connection.execute(f'SELECT * FROM "{table}" ORDER BY {keys}')]
        return found


def schema(file: Path) -> dict[str, Any]:
    """Return every table's columns, indexes and references, whatever order they were made in."""
    with closing(sqlite3.connect(file)) as connection:

        def pragma(name: str, of: str) -> list[tuple[Any, ...]]:
            return connection.execute(f"SELECT * FROM pragma_{name}(?)", (of,)).fetchall()

        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            table: {
                "columns": sorted(column[1:] for column in pragma("table_info", table)),
                # SQLite numbers the indexes of its own.
                "indexes": sorted(
                    (
                        "" if name.startswith("sqlite_autoindex") else name,
                        unique,
                        origin,
                        [column[2] for column in pragma("index_info", name)],
                    )
                    for _, name, unique, origin, _ in pragma("index_list", table)
                ),
                "references": sorted(reference[2:] for reference in pragma("foreign_key_list", table)),
            }
            for table in tables
        }


def upgrade(file: Path) -> Path | None:
    """Bring a database to the newest version; return the copy made before."""
    database = Database(f"sqlite:///{file}")
    try:
        copy = database.upgrade()
        database.check()
        return copy
    finally:
        database.close()


@dataclass
class Running:
    """The service of today on a database, as far as the tests need it."""

    _service: Service
    _courier: FakeCourier
    _clock: FakeClock

    @classmethod
    def on(cls, file: Path) -> "Running":
        """Start it on a database that has been upgraded."""
        settings = Settings(
            address="games@play.example",
            secret="a secret that is long enough",
            operator="op@play.example",
            database_url=f"sqlite:///{file}",
            archive_dir=str(file.parent / "archive"),
        )
        courier, clock = FakeCourier(), FakeClock(_LATER)
        database = Database(settings.database_url)
        database.check()
        return cls(Service(settings, database, clock=clock, dice=FakeDice(1000), courier=courier), courier, clock)

    def close(self) -> None:
        """Let go of the database."""
        self._service.database.close()

    def hand_in(self, raw: bytes) -> tuple[str, bool]:
        """Take in a message, and return its disposition and whether it was here before."""
        arrival = self._service.hand_in(raw)
        return arrival.message.status, arrival.duplicate

    def deliver(self, match: int | None = None) -> list[EmailMessage]:
        """Send what is due, and return it, or what of it belongs to one match."""
        self._courier.carried.clear()
        asyncio.run(self._service.deliver())
        policy = email.policy.default
        sent = [email.message_from_bytes(raw, policy=policy) for _, raw in self._courier.carried]
        return [message for message in sent if match is None or f"+{match}." in str(message["Reply-To"])]

    def matches(self) -> dict[int, dict[str, Any]]:
        """Return every match as ``expected_matches`` has it, without the legal move."""
        with self._service.database.reading() as tx:
            found = tx.matches.all(comments=True)
        return {
            match.id: {
                "game": match.game.key,
                "options": dict(match.options),
                "players": [player.name for player in match.players],
                "record": [[entry.seat, entry.text] for entry in match.record],
                "times": [at.isoformat() for at in match.times],
                "to_act": match.to_act if isinstance(match.to_act, int) else None,
                "winners": sorted(match.outcome.winners) if match.outcome else None,
                "reason": match.outcome.reason if match.outcome else None,
                "comments": [[one.seat, one.ply, one.text, one.to_side] for one in match.comments],
            }
            for match in found
        }

    def timing(self) -> dict[int, dict[str, Any]]:
        """Return what is known of every match from 0008 on: its clock, its log, and what the operator decided."""
        with self._service.database.reading() as tx:
            found = tx.matches.all()
            logs = tx.clocks.logs([match.id for match in found])
            retracted = {match.id: tx.matches.retracted(match.id) for match in found}
        return {
            match.id: {
                "ruling": _plain_ruling(match.ruling),
                "rewound": match.rewound,
                "clock": _plain_clock(match),
                "log": [
                    [one.kind, one.seat, dict(one.arguments), one.ply, _iso(one.at)] for one in logs.get(match.id, ())
                ],
                "retracted": _plain_retracted(retracted[match.id]),
            }
            for match in found
        }

    def calendars(self) -> dict[str, dict[str, Any]]:
        """Return the calendar of every player in a match, by their name."""
        with self._service.database.reading() as tx:
            players = {player.name: player for match in tx.matches.all() for player in match.players}
        return {name: _plain_calendar(player.calendar) for name, player in players.items()}

    def outages(self) -> list[list[str]]:
        """Return when the service has stood still."""
        with self._service.database.reading() as tx:
            return [[start.isoformat(), end.isoformat()] for start, end in tx.heartbeats.outages_since(_FIRST)]

    def feeds(self) -> dict[str, list[str]]:
        """Write the archive; return the identities of the turns in each calendar feed, by the feed's path."""
        directory = self.archive()
        return {
            path.relative_to(directory).as_posix(): re.findall(r"^UID:(.*?)\r?$", path.read_text("utf-8"), re.MULTILINE)
            for path in directory.rglob("*.ics")
        }

    def archive(self) -> Path:
        """Write the archive; return its directory."""
        self._service.write_archive()
        return Path(self._service.settings.archive_dir)

    def do_due(self) -> None:
        """Do what is due, such as opening a match on which all have agreed."""
        self._service.run_due()

    def advance(self, by: timedelta) -> None:
        """Let time pass."""
        self._clock.advance(by)

    def open(self, game: str, *players: str) -> int:
        """Open a match; return its number."""
        return self._service.open(game, players, {}).id

    def put_back(self, match: int) -> None:
        """Put the entries back that the operator had taken back last."""
        put_back(self._service, match)


def _iso(moment: datetime | None) -> str | None:
    """Return a moment as it stands in JSON."""
    return moment.isoformat() if moment else None


def _plain_ruling(ruling: Ruling | None) -> dict[str, Any] | None:
    """Return what the operator decided as it stands in JSON."""
    if ruling is None:
        return None
    return {
        "kind": ruling.kind,
        "winners": sorted(ruling.winners),
        "reason": ruling.reason,
        "at": _iso(ruling.at),
    }


def _plain_clock(match: Match) -> dict[str, Any] | None:
    """Return the clock of a match as it stands in JSON, with the moment at which the time of the turn is up."""
    clock = match.clock
    if clock is None:
        return None
    proposal = clock.proposal
    return {
        "control": write_time_control(clock.control),
        "banks": list(clock.banks),
        "seat": clock.seat,
        "turned_at": _iso(clock.turned_at),
        "since": _iso(clock.since),
        "halted": clock.halted,
        "halted_at": _iso(clock.halted_at),
        "pause": [moment.isoformat() for moment in clock.pause] if clock.pause else None,
        "flagged_at": _iso(clock.flagged_at),
        "reminded": clock.reminded,
        "proposal": {"until": _iso(proposal.until), "seats": list(proposal.seats)} if proposal else None,
        "deadline": _iso(deadline_of(match)),
    }


def _plain_retracted(
    taken: tuple[int, tuple[Entry, ...], tuple[datetime, ...]] | None,
) -> dict[str, Any] | None:
    """Return what was taken back last as it stands in JSON: after how many entries, which, and when they were made."""
    if taken is None:
        return None
    ply, entries, times = taken
    return {
        "ply": ply,
        "entries": [[entry.seat, entry.text] for entry in entries],
        "times": [_iso(at) for at in times],
    }


def _plain_calendar(calendar: Calendar) -> dict[str, Any]:
    """Return a calendar as it stands in JSON."""
    away = calendar.away
    return {
        "zone": calendar.zone,
        "absences": [[_iso(one.start), _iso(one.end), one.kind] for one in calendar.absences],
        "remind": None if calendar.remind is None else list(calendar.remind),
        "quiet": list(calendar.quiet) if calendar.quiet else None,
        "automatic": calendar.automatic,
        "away": [away.first.isoformat(), away.last.isoformat()] if away else None,
    }
