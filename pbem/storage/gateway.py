"""The base of the gateways, and how the fields of dataclasses become columns of rows and come back from them."""

from dataclasses import fields
from typing import Any

from sqlalchemy import Select, select, update
from sqlmodel import Session, SQLModel


class Gateway:
    """Reads and writes rows within the transaction of a session."""

    _objects_follow = True
    """Whether objects that the session holds are brought up to date by ``_set``; a gateway without any needs it not."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def _set(self, table: type[SQLModel], *conditions: Any, **values: Any) -> bool:
        """Store ``values`` in the rows of ``table`` that meet every condition; return whether there are any."""
        options = {} if self._objects_follow else {"synchronize_session": False}
        changed = self._session.execute(update(table).where(*conditions).values(**values), execution_options=options)
        return bool(getattr(changed, "rowcount", 0))


def column_values(record: Any) -> dict[str, Any]:
    """Return the fields of ``record`` by the names of their columns."""
    return {_column_name(field.name): getattr(record, field.name) for field in fields(record)}


def select_records(table: type[SQLModel], record: type) -> Select[Any]:
    """Return the statement that selects the fields of ``record`` from ``table``."""
    return select(*(getattr(table, _column_name(field.name)).label(field.name) for field in fields(record)))


def row_id(number: int | None) -> int:
    """Return the number that the database has given to a row."""
    assert number is not None
    return number


def _column_name(field: str) -> str:
    """Return the name of the column for a field; matches and inbound messages are referred to by their ids."""
    return f"{field}_id" if field in ("match", "inbound") else field
