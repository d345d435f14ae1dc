"""The base of the gateways, and how the fields of dataclasses become columns of rows and come back from them."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from datetime import datetime
from functools import cache
from importlib import import_module
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any

from sqlalchemy import Column, Connection, Executable, ScalarSelect, Select, Table, func, select, update
from sqlalchemy.exc import OperationalError

from pbem.errors import DamagedRow
from pbem.storage.statement import Statement

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite


AT_ONCE = 500
"""Rows that are read or changed together."""


class Gateway:
    """Reads and writes rows within the transaction of a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def _rows(self, statement: Statement | Executable, **values: Any) -> Sequence[Any]:
        """Return all rows that ``statement`` selects or returns. Raise DamagedRow for a value of another type."""
        try:
            if isinstance(statement, Statement):
                return statement.rows(self._connection, values)
            return self._connection.execute(statement, values).all()
        except (TypeError, ValueError) as error:  # a time, a JSON text or packed bytes that are none
            raise DamagedRow(f"A row of the database cannot be read: {_explain(error)}.") from error
        except OperationalError as error:
            if "decode" not in str(error.orig):  # SQLite's words for a text that is not UTF-8
                raise
            raise DamagedRow("A row of the database cannot be read: a text in it is not UTF-8.") from error

    def _rows_each(self, statement: Select[Any], column: Column[Any], numbers: Sequence[int]) -> Iterator[Any]:
        """Yield the row of each of ``numbers``, in their order; that number where it cannot be read."""
        for part in batched(numbers):
            yield from self._rows_together(statement, column, part)

    def _rows_together(self, statement: Select[Any], column: Column[Any], numbers: Sequence[int]) -> Iterator[Any]:
        """Yield the same, of so many that one statement may hold them; where one is damaged it is looked for."""
        try:
            found = {row[0]: row for row in self._rows(statement.where(column.in_(numbers)))}
        except DamagedRow:
            if len(numbers) == 1:
                yield numbers[0]
                return
            middle = len(numbers) // 2
            for part in (numbers[:middle], numbers[middle:]):
                yield from self._rows_together(statement, column, part)
            return
        yield from (found[number] for number in numbers if number in found)

    def can_read(self, table: Table) -> bool:
        """Return whether every row of a table holds values of its types."""
        with suppress(DamagedRow):
            self._rows(select(table))
            return True
        return False

    def _row(self, statement: Statement | Executable, **values: Any) -> Any:
        """Return the first row that ``statement`` selects or returns; None without any."""
        return next(iter(self._rows(statement, **values)), None)

    def _value(self, statement: Statement | Executable, **values: Any) -> Any:
        """Return the first column of the first row that ``statement`` selects or returns; None without any."""
        row = self._row(statement, **values)
        return row[0] if row else None

    def _write(self, statement: Statement | Executable, **values: Any) -> bool:
        """Run a statement that changes rows; return whether there are any."""
        if isinstance(statement, Statement):
            return statement.write(self._connection, values)
        return bool(self._connection.execute(statement, values).rowcount)

    def _set(self, table: Table, *conditions: Any, **values: Any) -> bool:
        """Store ``values`` in the rows of ``table`` that meet every condition; return whether there are any."""
        return self._write(update(table).where(*conditions).values(**values))

    def _lock(self, table: Table, chosen: Any) -> None:
        """Let no other transaction that locks the rows ``chosen`` by number decide by what was before this one.

        On a server they are written: a row that is only locked is in the way of nobody who has looked already.
        """
        if self._connection.dialect.name != "sqlite":  # where a transaction that writes is alone
            self._set(table, table.c.id.in_(chosen), id=table.c.id)

    def _drop_bytes(self, table: Table, chosen: Select[Any]) -> int:
        """Empty the bytes of the rows of ``table`` whose numbers are ``chosen``; return how many there were.

        SQLite leaves a row that is made smaller in its page, most of which would be empty for ever: pages are joined
        only where rows are deleted. So the rows are deleted, and added again.
        """
        numbers = [number for (number,) in self._rows(chosen)]
        rows = table.c.id.in_(numbers)
        if not numbers:
            return 0
        columns = [column for column in table.c if column.name not in ("raw", "kept")]
        try:
            remains = self._rows(select(*columns).where(rows).order_by(table.c.id))
        except DamagedRow:  # which stays as it is but for its bytes
            remains = ()
        if remains and self._connection.dialect.name == "sqlite":
            self._connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")  # until the transaction ends
            self._connection.execute(table.delete().where(rows))
            added = [{**row._mapping, "raw": b"", "kept": False} for row in remains]
            self._connection.execute(table.insert(), added)
        else:
            self._set(table, rows, raw=b"", kept=False)
        return len(numbers)

    def _add(self, table: Table, **values: Any) -> int:
        """Add a row and return its number."""
        key = self._connection.execute(table.insert(), values).inserted_primary_key
        assert key is not None
        return int(key[0])


def batched(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield ``values`` in parts that a statement may hold."""
    for start in range(0, len(values), AT_ONCE):
        yield values[start : start + AT_ONCE]


def column_values(record: Any) -> dict[str, Any]:
    """Return the fields of ``record`` by the names of their columns."""
    return {column: getattr(record, name) for name, column in _columns(record.__class__)}


@cache
def _columns(record: type) -> tuple[tuple[str, str], ...]:
    """Return the names of the fields of a dataclass, each with that of its column."""
    return tuple((field.name, _column_name(field.name)) for field in fields(record))


def select_records(table: Table, record: type) -> Select[Any]:
    """Return the statement that selects the fields of ``record`` from ``table``."""
    return select(*(table.c[_column_name(field.name)].label(field.name) for field in fields(record)))


def least_since(number: Column[Any], at: Column[Any], since: datetime) -> ScalarSelect[Any]:
    """Return the least ``number`` of a row of a moment or later, for a statement that reads rows newest first.

    Rows hold emails, so that none of before should be read: the number is found in an index that has the time.
    """
    # For the least number plain and simple SQLite would read every row from the first on.
    return select(func.min(number + 0)).where(at >= since).scalar_subquery()


def insert_on(dialect: str, table: Table) -> "postgresql.Insert | sqlite.Insert":
    """Return the statement that adds a row, with what both databases can do beyond the SQL standard."""
    insert: postgresql.Insert | sqlite.Insert = import_module(f"sqlalchemy.dialects.{dialect}").insert(table)
    return insert


@cache
def insert_unless_known(dialect: str, table: Table, unique: tuple[str, ...], *returned: str) -> Statement:
    """Return the statement that adds a row to ``table``, unless one has the same values in its ``unique`` columns.

    It returns the columns named ``returned``. The SQL standard has no such statement, but both databases have it.
    A number that another row has is no reason: a server that begins to count anew must lose nothing by it.
    """
    added = insert_on(dialect, table).on_conflict_do_nothing(index_elements=unique)
    return Statement(added.returning(*(table.c[name] for name in returned)) if returned else added)


def _explain(error: TypeError | ValueError) -> str:
    """Return why a value cannot be read, on one line, for an operator."""
    if isinstance(error, JSONDecodeError):
        return "what should be JSON is none"
    if isinstance(error, TypeError):
        return "a value in it is of another type"
    return " ".join(str(error).split()).rstrip(".")[:100]


def _column_name(field: str) -> str:
    """Return the name of the column for a field; what has a row of its own is referred to by its id."""
    return f"{field}_id" if field in ("match", "inbound", "question", "second") else field
