"""How much room messages take, and how fast they come, told from few rows: their numbers follow their times."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Table, func, literal, select

from pbem.storage.gateway import Gateway
from pbem.storage.tables import ENTRY, INBOUND, OUTBOUND

_SAMPLE = 500  # rows
_AROUND = 700  # bytes in the file: a row without bytes and words, its places in the indexes, entries, half-empty pages


@dataclass(frozen=True)
class Growth:
    """The ``rows`` that came within a time, and the bytes that each takes on average.

    Some are ``dropped`` one day, the others stay. ``oldest`` is when the first row of all came.
    """

    rows: int
    dropped: float
    stays: float
    oldest: datetime | None


class Disk(Gateway):
    """The gateway to the room that rows take."""

    def count_unused(self) -> int:
        """Return the bytes in an SQLite file that hold nothing, and are used again; 0 for another database."""
        if self._connection.dialect.name != "sqlite":
            return 0
        pages, size = (
            self._connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("freelist_count", "page_size")
        )
        return int(pages * size)

    def measure_inbound(self, since: datetime) -> Growth:
        """Return how many inbound messages came since then, and what they take."""
        return self._measure(INBOUND, INBOUND.c.received_at, literal(0), since)

    def measure_outbound(self, since: datetime) -> Growth:
        """Return how many outbound messages were made since then, and what they take."""
        return self._measure(OUTBOUND, OUTBOUND.c.created_at, func.length(OUTBOUND.c.quotable), since)

    def count_entries(self, since: datetime) -> int:
        """Return how many entries of records were made since then, rolls among them."""
        return self._count_since(ENTRY, ENTRY.c.made_at, since)

    def _count_since(self, table: Table, at: Any, since: datetime) -> int:
        """Return how many rows of ``table`` came since then; ``at`` is the time of a row."""
        number = table.c.id
        newest = self._value(select(func.max(number))) or 0
        low, high = 0, newest  # rows up to low are older, those after high are not
        while low < high:
            middle = (low + high) // 2
            following, its_time = self._row(select(number, at).where(number > middle).order_by(number).limit(1))
            low, high = (following, high) if its_time is None or its_time < since else (low, middle)
        return int(newest - low)

    def _measure(self, table: Table, at: Any, words: Any, since: datetime) -> Growth:
        """Return the growth of ``table``; ``at`` is the time of a row, and ``words`` the length of what stays of it.

        The first row since then is found by halving, sizes are those of the newest rows: nothing else is read.
        """
        number = table.c.id
        latest = select(func.length(table.c.raw).label("raw"), words.label("words"), table.c.kept)
        sample = latest.order_by(number.desc()).limit(_SAMPLE).subquery()
        raw = self._value(select(func.avg(sample.c.raw)).where(sample.c.kept))
        stays = self._value(select(func.avg(func.coalesce(sample.c.words, 0))))
        oldest = self._value(select(at).order_by(number).limit(1))
        return Growth(self._count_since(table, at, since), float(raw or 0), _AROUND + float(stays or 0), oldest)
