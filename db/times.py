"""A column of moments: aware, and in UTC."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import DateTime, Dialect
from sqlalchemy.types import TypeDecorator

_NAIVE = "a moment must say its time zone"
_ZONE = -len("+00:00")


class Moment(TypeDecorator[datetime]):
    """A moment, stored as ``sqlmodel`` stores it in the tables that it defines; it comes back in UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[datetime | None], Any]:
        """Return what makes a stored value of a moment; in SQLite that is a text, made at once."""
        return _write if dialect.name == "sqlite" else _to_utc

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], datetime | None]:
        """Return what makes a moment of a stored value."""
        return _read if dialect.name == "sqlite" else _to_utc


def _to_utc(value: datetime | None) -> datetime | None:
    """Return a moment in UTC."""
    if value is None:
        return None
    if value.tzinfo is None:
        raise ValueError(_NAIVE)
    return value if value.tzinfo is UTC else value.astimezone(UTC)


@lru_cache(maxsize=64)  # what a message changes is stored with the same few
def _write(value: datetime | None) -> str | None:
    """Return a moment as SQLAlchemy writes one in SQLite, which has no type for it."""
    moment = _to_utc(value)
    return None if moment is None else moment.isoformat(" ", "microseconds")[:_ZONE]


@lru_cache(maxsize=4096)  # most are those of the entries of matches, which each message reads
def _read(value: str | None) -> datetime | None:
    """Return a moment that was written so. Raise ValueError or TypeError for what is none."""
    return None if value is None else datetime.fromisoformat(value).replace(tzinfo=UTC)
