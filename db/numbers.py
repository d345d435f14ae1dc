"""Columns of numbers in which SQLite may hold a text: it keeps whatever is written, and a server does not."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Dialect, Float, Integer


class Whole(Integer):
    """A whole number. What is none can't be read, rather than met where numbers are sorted or looked up."""

    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], int | None] | None:
        """Return what looks at a stored value; nothing has to on a server."""
        return _read_whole if dialect.name == "sqlite" else None


class Real(Float[float]):
    """A number with a fraction, of which the same is true."""

    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], float | None] | None:
        """Return what looks at a stored value; nothing has to on a server."""
        return _read_real if dialect.name == "sqlite" else None


def _read_whole(value: Any) -> int | None:
    """Return a whole number as it is. Raise TypeError for what is none."""
    if value is None or type(value) is int:
        return value
    raise TypeError


def _read_real(value: Any) -> float | None:
    """Return a number as it is. Raise TypeError for what is none."""
    if value is None or isinstance(value, int | float):
        return value
    raise TypeError
