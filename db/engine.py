"""How to reach the database: SQLite by default, any other by its URL; and how its tables come to be."""

import sqlite3
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, event
from sqlmodel import create_engine

MIGRATIONS = Path(__file__).resolve().parent / "migrations"
READING = "pbem_reading"
"""Execution option of connections that will not write: they take no lock."""

_BUSY_SECONDS = 30


def connect(url: str) -> Engine:
    """Return an engine for ``url``; on SQLite it keeps what is committed, through a loss of power too.

    A file is in WAL mode, foreign keys are on, and a transaction takes the write lock when it begins, so that
    two of them never find out too late that they are in each other's way.
    """
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True, hide_parameters=True)
    options = {"timeout": _BUSY_SECONDS, "check_same_thread": False}
    engine = create_engine(url, connect_args=options, hide_parameters=True)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def upgrade(engine: Engine) -> None:
    """Bring the tables to the newest version; everything already there is kept."""
    if not exists(engine):
        Path(str(engine.url.database)).touch(mode=0o600)  # it holds addresses and private words
    with engine.connect() as connection:
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        connection.commit()


def version(engine: Engine) -> str | None:
    """Return the version of the tables, None where there are none."""
    with engine.connect().execution_options(**{READING: True}) as connection:
        return MigrationContext.configure(connection).get_current_revision()


def exists(engine: Engine) -> bool:
    """Tell whether there is a file for an SQLite ``engine``: to connect would make one. True for any other."""
    file = engine.url.database
    plain = engine.dialect.name == "sqlite" and file and file != ":memory:" and not file.startswith("file:")
    return not plain or Path(str(file)).exists()


def known_versions() -> frozenset[str]:
    """Return every version of the tables that this program has a way from."""
    return frozenset(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())


def newest_version() -> str | None:
    """Return the version that this program needs."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def copy_to(engine: Engine, file: Path) -> None:
    """Write a whole, consistent copy of an SQLite database to a new ``file``, while others go on using it.

    Raises ValueError for another kind of database, OSError or sqlite3.Error when it cannot be written.
    """
    if engine.dialect.name != "sqlite":
        raise ValueError("only SQLite databases are copied")
    file.touch(mode=0o600, exist_ok=False)
    source = sqlite3.connect(str(engine.url.database))
    target = sqlite3.connect(file)
    try:
        source.backup(target)
    finally:
        target.close()
        source.close()


def _config() -> Config:
    """Return alembic's settings, without a file."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


def _prepare_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    """Leave transactions to us (pysqlite's own lose updates), and set what SQLite leaves off."""
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """Begin a transaction; one that writes takes the lock at once."""
    reading = connection.get_execution_options().get(READING)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
