"""A whole database is moved into another one, row by row: from a file to a server, or back."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Engine, Row, Table, func, insert, select, text

from db.tables import METADATA

_AT_ONCE = 500  # rows
_COUNTED = text("SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence(:table, 'id')), 0)")


class NotEmpty(Exception):
    """The database to move to has rows already; the text names their table."""


def move(source: Engine, target: Engine) -> dict[str, int]:
    """Copy all rows of ``source`` into ``target``, in one transaction; return how many there are of each table.

    Both have the tables of the newest version. New rows get numbers behind the highest ones. Raise NotEmpty.
    """
    counts: dict[str, int] = {}
    with source.connect() as reading, reading.begin(), target.begin() as writing:
        for table in METADATA.sorted_tables:
            if writing.execute(select(func.count()).select_from(table)).scalar_one():
                raise NotEmpty(table.name)
        for table in METADATA.sorted_tables:
            counts[table.name] = 0
            for rows in _slices(reading, table):
                writing.execute(insert(table), [dict(row._mapping) for row in rows])
                counts[table.name] += len(rows)
            _number_on(writing, table, _highest(reading, table))
    return counts


def number_on(engine: Engine) -> None:
    """Let new rows on a server get numbers behind those of all rows there are; nobody may write meanwhile.

    A server can come to count behind its rows: after a crash just after it was copied as a template, and where rows
    were restored without their sequences. In a file that cannot be.
    """
    if engine.dialect.name != "postgresql":
        return
    with engine.begin() as connection:
        for table in METADATA.sorted_tables:
            if "id" in table.c:
                counted = connection.execute(_COUNTED, {"table": f'"{table.name}"'}).scalar_one()
                if (highest := _highest(connection, table)) > counted:
                    _number_on(connection, table, highest)


def _slices(connection: Connection, table: Table) -> Iterator[Sequence[Row[Any]]]:
    """Yield the rows of a table in the order of their keys, some at a time."""
    rows = select(table).order_by(*table.primary_key).execution_options(yield_per=_AT_ONCE)
    yield from connection.execute(rows).partitions()


def _highest(connection: Connection, table: Table) -> int:
    """Return the highest number that a row of a table has, or had where numbers never come back; 0 for none."""
    if "id" not in table.c:
        return 0
    highest = connection.execute(select(func.max(table.c.id))).scalar_one() or 0
    if connection.dialect.name == "sqlite":
        known = "SELECT seq FROM sqlite_sequence WHERE name = ?"
        highest = max(highest, connection.exec_driver_sql(known, (table.name,)).scalar_one_or_none() or 0)
    return int(highest)


def _number_on(connection: Connection, table: Table, highest: int) -> None:
    """Let the next row of a table get a number behind the ``highest``."""
    if not highest:
        return
    if connection.dialect.name == "postgresql":
        sequence = f"pg_get_serial_sequence('\"{table.name}\"', 'id')"
        connection.execute(text(f"SELECT setval({sequence}, :highest)"), {"highest": highest})
    elif table.dialect_kwargs.get("sqlite_autoincrement"):
        change = "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?"
        connection.exec_driver_sql(change, (highest, table.name))
