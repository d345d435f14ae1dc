"""Restored backups: how they are found, what they are kept as, and numbers that never come back."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import insert, literal, select

from pbem.storage.due import RESTORED_DUE
from pbem.storage.gateway import Gateway, column_values, select_records
from pbem.storage.tables import DUE, MATCH, PLAYER, RESTORATION

_SUFFIX = ".known"
_NUMBERED = (MATCH, PLAYER)
_HAS_LOST = RESTORATION.c.first_lost.is_not(None)


@dataclass(frozen=True)
class Landmark:
    """How far a database had come: the latest heartbeat in it, and the highest numbers of a match and of a player.

    It is kept in a file beside the database, and written after the database was: a database that has not come so far
    was restored from a copy.
    """

    at: datetime
    match: int
    player: int


@dataclass(frozen=True)
class Restoration:
    """A restored backup: the database was that of ``state_at``, and not of ``known_at``.

    Matches from ``first_lost`` to ``last_lost`` are gone; None: none are.
    """

    state_at: datetime
    known_at: datetime
    found_at: datetime
    first_lost: int | None
    last_lost: int | None


def read_landmark(database: Path) -> Landmark | None:
    """Return the landmark beside an SQLite file; None without one, or for a file that is no landmark."""
    try:
        known = json.loads(_file(database).read_text(encoding="utf-8"))
        at, numbers = datetime.fromisoformat(known["at"]), (known["match"], known["player"])
    except (OSError, ValueError, TypeError, KeyError):
        return None
    if at.tzinfo is None or not all(type(number) is int and number >= 0 for number in numbers):
        return None
    return Landmark(at, *numbers)


def write_landmark(database: Path, landmark: Landmark) -> None:
    """Write the landmark beside an SQLite file, whole or not at all. A file that can't be written stays as it was."""
    file = _file(database)
    begun = file.with_name(f"{file.name}.{os.getpid()}")
    text = json.dumps(asdict(landmark), default=datetime.isoformat)
    with suppress(OSError):  # a full disk: what it says stays true
        try:
            with open(os.open(begun, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as written:
                written.write(text)
            begun.replace(file)
        finally:
            begun.unlink(missing_ok=True)


def _file(database: Path) -> Path:
    """Return the file of the landmark of a database."""
    return database.with_name(f"{database.name}{_SUFFIX}")


class Restorations(Gateway):
    """The gateway to restored backups of an SQLite file; a server has copies, and landmarks, of its own."""

    def highest(self) -> tuple[int, int]:
        """Return the highest numbers that a match and a player ever had, 0 where none had any."""
        found: dict[str, int] = dict(self._connection.exec_driver_sql("SELECT name, seq FROM sqlite_sequence").all())
        match, player = (found.get(table.name, 0) for table in _NUMBERED)
        return match, player

    def begin_after(self, match: int, player: int) -> None:
        """Let no new match, and no new player, get a number up to these."""
        for table, found, least in zip(_NUMBERED, self.highest(), (match, player), strict=True):
            if found < least:  # the table of SQLite itself has no key
                self._connection.exec_driver_sql("DELETE FROM sqlite_sequence WHERE name = ?", (table.name,))
                new = "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)"
                self._connection.exec_driver_sql(new, (table.name, least))

    def latest(self) -> Restoration | None:
        """Return the backup that was restored last."""
        row = self._row(select_records(RESTORATION, Restoration).order_by(RESTORATION.c.id.desc()).limit(1))
        return Restoration(*row) if row else None

    def find_lost(self, numbers: Sequence[int]) -> int | None:
        """Return the first of ``numbers`` that a match had which is gone; None for none of them."""
        lost = self._rows(select(RESTORATION.c.first_lost, RESTORATION.c.last_lost).where(_HAS_LOST))
        return next((number for number in numbers if any(first <= number <= last for first, last in lost)), None)

    def note(self, found: Restoration, tell_at: datetime) -> bool:
        """Keep a restored backup, and let the players of all running matches be told at ``tell_at``.

        Return False, and change nothing, for one that is known.
        """
        known = RESTORATION.c.known_at == found.known_at, RESTORATION.c.last_lost.is_not_distinct_from(found.last_lost)
        if self._row(select(RESTORATION.c.id).where(*known)):
            return False
        self._write(RESTORATION.insert(), **column_values(found))
        self._write(DUE.delete().where(DUE.c.kind == RESTORED_DUE))
        running = select(literal(RESTORED_DUE), MATCH.c.id, literal(tell_at), literal(False))
        told = insert(DUE).from_select(["kind", "subject", "due_at", "done"], running.where(MATCH.c.over_at.is_(None)))
        self._write(told)
        return True
