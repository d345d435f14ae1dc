"""The base of the gateways, and how the fields of dataclasses become columns of rows and come back from them."""

from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from typing import Any

from sqlalchemy import Connection, Executable, Select, Table, select, update
from sqlalchemy.dialects import postgresql, sqlite


class Gateway:
    """Reads and writes rows within the transaction of a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def _rows(self, statement: Executable, **values: Any) -> Sequence[Any]:
        """Return all rows that ``statement`` selects."""
        return self._connection.execute(statement, values).all()

    def _row(self, statement: Executable, **values: Any) -> Any:
        """Return the first row that ``statement`` selects; None without any."""
        return self._connection.execute(statement, values).first()

    def _value(self, statement: Executable, **values: Any) -> Any:
        """Return the first column of the first row that ``statement`` selects; None without any."""
        return self._connection.execute(statement, values).scalar()

    def _write(self, statement: Executable, **values: Any) -> bool:
        """Run a statement that changes rows; return whether there are any."""
        return bool(self._connection.execute(statement, values).rowcount)

    def _set(self, table: Table, *conditions: Any, **values: Any) -> bool:
        """Store ``values`` in the rows of ``table`` that meet every condition; return whether there are any."""
        return self._write(update(table).where(*conditions).values(**values))

    def _add(self, table: Table, **values: Any) -> int:
        """Add a row and return its number."""
        key = self._connection.execute(table.insert(), values).inserted_primary_key
        assert key is not None
        return int(key[0])

    def _insert_unless_known(self, table: Table) -> "sqlite.Insert | postgresql.Insert":
        """Return the statement that adds rows to ``table``, without those that a unique column knows already."""
        return _insert_unless_known(self._connection.dialect.name, table)


def column_values(record: Any) -> dict[str, Any]:
    """Return the fields of ``record`` by the names of their columns."""
    return {_column_name(field.name): getattr(record, field.name) for field in fields(record)}


def select_records(table: Table, record: type) -> Select[Any]:
    """Return the statement that selects the fields of ``record`` from ``table``."""
    return select(*(table.c[_column_name(field.name)].label(field.name) for field in fields(record)))


@cache
def _insert_unless_known(dialect: str, table: Table) -> "sqlite.Insert | postgresql.Insert":
    """Return this statement in a dialect of SQL: the standard has none."""
    insert = sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)
    return insert.on_conflict_do_nothing()


def _column_name(field: str) -> str:
    """Return the name of the column for a field; matches and inbound messages are referred to by their ids."""
    return f"{field}_id" if field in ("match", "inbound") else field
