"""How to reach the database: SQLite by default, any other by its URL; and how its tables come to be."""

import filecmp
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DBAPIError
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


class UpgradeFailed(Exception):
    """The tables could not be brought to the newest version; the database is as it was.

    The text says what failed. ``found`` is the version that the database has, ``copy`` where a copy of it lies.
    """

    def __init__(self, what: str, found: str | None, copy: Path | None) -> None:
        super().__init__(what)
        self.found = found
        self.copy = copy


def upgrade(engine: Engine) -> Path | None:
    """Bring the tables to the newest version, in one transaction; everything already there is kept.

    Return where the copy lies that was made first. None where nothing had to be changed, nothing was there to be
    copied, or the database is not SQLite. Raise UpgradeFailed when no copy can be written, when a migration fails,
    and when it leaves a row that refers to none.
    """
    if not exists(engine):
        Path(str(engine.url.database)).touch(mode=0o600)  # it holds addresses and private words
    with engine.connect() as connection, _without_foreign_keys(connection), connection.begin() as transaction:
        # Only now is it certain that nobody else is migrating, or writes anything that the copy would lack.
        found = MigrationContext.configure(connection).get_current_revision()
        if found == newest_version():
            return None
        copy = None
        try:
            copy = _copy_before(connection, f"before-{newest_version()}")
            config = _config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            _check_foreign_keys(connection)
        except Exception as error:  # whatever a migration meets, the operator must learn that nothing is lost
            transaction.rollback()
            what = str(error.orig if isinstance(error, DBAPIError) else error) or type(error).__name__
            raise UpgradeFailed(what.splitlines()[0], found, copy) from error
        return copy


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
    _copy(Path(str(engine.url.database)), file)


def _copy(source: Path, target: Path) -> None:
    """Write a copy of an SQLite file to a new file, which only its owner can read."""
    target.touch(mode=0o600, exist_ok=False)
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
    except sqlite3.Error:
        target.unlink()  # half a copy is none
        raise


def _copy_before(connection: Connection, suffix: str) -> Path | None:
    """Return a copy beside an SQLite file, made unless the latest one is the same; None without a file or tables.

    An older copy is never overwritten: a new one gets a number behind its name. Raise ValueError when it fails.
    """
    if connection.dialect.name != "sqlite":
        return None
    if not connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar_one():
        return None
    # Asked for, since the URL may name it in another way; it is empty for a database in memory.
    name = connection.exec_driver_sql("SELECT file FROM pragma_database_list WHERE name = 'main'").scalar_one()
    if not name:
        return None
    source, latest = Path(name), None
    for number in count(1):
        target = Path(f"{source}.{suffix}" + (f"-{number}" if number > 1 else ""))
        if not os.path.lexists(target):
            break
        latest = target
    try:
        _copy(source, target)
    except (OSError, sqlite3.Error) as error:
        raise ValueError(f"no copy can be written to {target}: {error}") from error
    if latest is not None and filecmp.cmp(latest, target, shallow=False):
        target.unlink()  # a service that tries again and again must not fill the disk
        return latest
    return target


@contextmanager
def _without_foreign_keys(connection: Connection) -> Iterator[None]:
    """Let no SQLite row be refused for what it refers to: to alter a table is to drop it and make it anew.

    SQLite passes over the setting within a transaction, so it goes past SQLAlchemy, which would begin one.
    """
    raw = connection.connection.driver_connection
    if connection.dialect.name != "sqlite" or raw is None:
        yield
        return
    raw.execute("PRAGMA foreign_keys=OFF")
    try:
        yield
    finally:
        raw.execute("PRAGMA foreign_keys=ON")


def _check_foreign_keys(connection: Connection) -> None:
    """Make sure that every SQLite row refers to one that is there; raises ValueError."""
    if connection.dialect.name != "sqlite":
        return
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    if broken:
        table, row, parent, _ = broken[0]
        others = f", and so do {len(broken) - 1} others" if len(broken) > 1 else ""
        raise ValueError(f"row {row} of {table} refers to a row of {parent} that is not there{others}")


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
