"""Rows of older versions on a PostgreSQL server, as a host of that version would have them there."""

import json
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import JSON, Boolean, Connection, DateTime, Engine, MetaData, Table

from db import engine as engines


def raise_to(engine: Engine, version: str) -> None:
    """Make the tables of a version in an empty database."""
    with engine.begin() as connection:
        command.upgrade(_configure(connection), version)


def lower_to(engine: Engine, version: str) -> None:
    """Leave the tables of an older version, as the program before has them."""
    with engine.connect() as connection, engines._without_foreign_keys(connection), connection.begin():
        command.downgrade(_configure(connection), version)


def _configure(connection: Connection) -> Config:
    """Return what Alembic needs to know."""
    config = Config()
    config.set_main_option("script_location", str(engines.MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def fill(engine: Engine, file: Path) -> int:
    """Put the rows of an SQLite file of the same version into the tables; return how many there were."""
    found = MetaData()
    with engine.begin() as connection, closing(sqlite3.connect(file)) as old:
        old.row_factory = sqlite3.Row
        found.reflect(connection)
        count = 0
        for table in found.sorted_tables:
            if table.name == "alembic_version":
                continue
            rows = [_converted(dict(row), table) for row in old.execute(f'SELECT * FROM "{table.name}"')]
            if rows:
                connection.execute(table.insert(), rows)
            count += len(rows)
        return count


def cells_on(engine: Engine) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of every table, in the order of their keys."""
    found = MetaData()
    with engine.connect() as connection:
        found.reflect(connection)
        return {
            table.name: sorted(
                (dict(row._mapping) for row in connection.execute(table.select())),
                key=lambda row: [str(row[column.name]) for column in table.primary_key] or [str(row)],
            )
            for table in found.sorted_tables
        }


def _converted(row: dict[str, Any], table: Table) -> dict[str, Any]:
    """Return a row of SQLite with the types that a server wants."""
    return {name: _convert(value, table.c[name].type) for name, value in row.items()}


def _convert(value: Any, kind: object) -> Any:
    """Return a value of SQLite as one of a column of that type."""
    if value is None:
        return None
    if isinstance(kind, DateTime):
        return datetime.fromisoformat(f"{value}+00:00" if kind.timezone else value)
    if isinstance(kind, Boolean):
        return bool(value)
    if isinstance(kind, JSON):
        return json.loads(value)
    return value
