"""The database engine: SQLite by default, any other by its URL; creation and upgrade of the tables, copies.

Alembic is imported by an upgrade alone: every start of the program reads the versions.
"""

import filecmp
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.exc import DBAPIError

from db import servers

MIGRATIONS = Path(__file__).resolve().parent / "migrations"
READING = servers.READING
"""The execution option of connections that only read, and so take no write lock."""

_BUSY_SECONDS = 30
_VERSION = "SELECT version_num FROM alembic_version"
# What follows the name of the database in those of its files.
_BESIDE = re.compile(r"(?:-wal|-shm|-journal|\.lock|\.known|\.before-\d+(?:-\d+)?)?")
_COPY = re.compile(
    r"(?:pbem-(?:backup-)?\d{8}-\d{6}\.db(?:\.damaged|\.unchecked)?|.+\.db\.damaged)(?:-wal|-shm|-journal)?"
)
_COPIES = "backups"  # the directory beside the database where the copies of every night lie
_OTHERS, _OTHERS_WRITE = 0o007, 0o002  # the rights of whoever is neither the owner nor of the group
_MOST_FAULTS = 10  # that are told; one is enough to restore a backup


def connect(url: str) -> Engine:
    """Return an engine for ``url``; on SQLite a commit survives a loss of power.

    SQLite is set to WAL mode with foreign keys, and writes zeros over what is deleted. A transaction takes the write
    lock when it begins, so that no two of them can fail by waiting for each other. On a PostgreSQL server transactions
    are serializable, those that only read see one state, and connections that are dead are noticed.
    """
    if not url.startswith("sqlite"):
        return servers.connect(url)
    options = {"timeout": _BUSY_SECONDS, "check_same_thread": False}
    engine = create_engine(url, connect_args=options, hide_parameters=True)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


class UpgradeFailed(Exception):
    """The upgrade of the tables failed, and the database is unchanged.

    The text says what failed. ``found`` is the version of the database, ``copy`` the path of its copy.
    """

    def __init__(self, what: str, found: str | None, copy: Path | None) -> None:
        super().__init__(what)
        self.found = found
        self.copy = copy


def upgrade(engine: Engine) -> Path | None:
    """Upgrade the tables to the newest version, in one transaction; all rows are kept.

    Return the path of the copy that is made first; None without changes, without tables to copy, or without SQLite.
    Raise UpgradeFailed when no copy can be written, when a migration fails, or when it breaks a foreign key.
    """
    if not exists(engine):
        with suppress(OSError):  # SQLite says what is wrong
            Path(str(engine.url.database)).touch(mode=0o600)  # it holds addresses and private words
    with engine.connect() as connection, _without_foreign_keys(connection), connection.begin() as transaction:
        # Inside the transaction nobody else can migrate, or write anything that the copy would lack.
        found = _read_version(connection)
        if found == newest_version():
            return None
        copy = None
        try:
            copy = _copy_before(connection, f"before-{newest_version()}")
            _migrate(connection)
            _check_foreign_keys(connection)
        except Exception as error:  # after any failure of a migration the operator must learn that nothing is lost
            transaction.rollback()
            what = str(error.orig if isinstance(error, DBAPIError) else error) or type(error).__name__
            raise UpgradeFailed(what.splitlines()[0], found, copy) from error
        return copy


def version(engine: Engine) -> str | None:
    """Return the version of the tables; None for a database without tables, or one that does not exist.

    A file from before 1.0 is not connected to: SQLite would write into it, if only how it is opened.
    """
    if not exists(engine):
        return None  # to connect would create the file, which everybody could read then
    if is_from_before(found := _peek(engine)):
        return found
    with engine.connect().execution_options(**{READING: True}) as connection:
        return _read_version(connection)


def exists(engine: Engine) -> bool:
    """Return whether the file of an SQLite ``engine`` exists, without creating it; True for any other engine."""
    file = _plain_file(engine)
    return file is None or file.exists()


def lock_file(database: Path) -> Path:
    """Return the file beside an SQLite file that whoever serves it has locked."""
    return database.with_name(f"{database.name}.lock")


def find_place(engine: Engine, *, make: bool = False) -> str:
    """Return what tells the place of a database from that of any copy of it; an empty text where nothing does yet.

    Beside an SQLite file lies the file that is locked, which is made once, here if ``make`` is true, and never written
    to: which file that is, and when it was made, no copy has in common with it. On a server it is the number of the
    server and that of the database.
    """
    if engine.dialect.name != "sqlite":
        return servers.find_place(engine)
    if not engine.url.database or engine.url.database == ":memory:":
        return "memory"
    file = lock_file(Path(engine.url.database))
    if make:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    try:
        stat = file.stat()
    except FileNotFoundError:
        return ""
    return f"{stat.st_ino:x}-{stat.st_mtime_ns:x}"


def find_open_files(engine: Engine) -> list[Path]:
    """Return the files of an SQLite database that other users of the machine have rights to, with its copies.

    Instead of the copies in a directory ``backups`` beside it, that directory is returned: closing it closes them.
    """
    if engine.dialect.name != "sqlite" or not exists(engine) or not engine.url.database:
        return []
    main = Path(engine.url.database)
    beside = sorted(main.parent.iterdir()) if main.is_file() else []
    ours = [path for path in beside if (path == main or not path.is_symlink()) and _holds_rows(path, main)]
    return [path for path in ours if path.stat().st_mode & _OTHERS]


def _holds_rows(path: Path, main: Path) -> bool:
    """Return whether a file beside the database ``main`` belongs to it, or a directory has copies open to others."""
    if path.name == _COPIES and path.is_dir():
        if path.stat().st_mode & _OTHERS_WRITE:
            return True
        if not os.access(path, os.R_OK | os.X_OK):
            return False  # it belongs to somebody else, and so do the copies
        return any(_COPY.fullmatch(copy.name) and copy.lstat().st_mode & _OTHERS for copy in path.iterdir())
    ours = path.name.startswith(main.name) and _BESIDE.fullmatch(path.name.removeprefix(main.name))
    return bool(ours or _COPY.fullmatch(path.name))


def close_files(engine: Engine) -> list[Path]:
    """Take the rights to the files of an SQLite database from other users; return the files that were open to them.

    A file of another owner stays as it is, and is not among them.
    """
    closed = []
    for path in find_open_files(engine):
        with suppress(PermissionError):
            path.chmod(path.stat().st_mode & 0o7777 & ~_OTHERS)
            closed.append(path)
    return closed


def find_damage(file: Path) -> str:
    """Return what SQLite finds wrong in a file that nobody writes to meanwhile; an empty text for a sound one."""
    try:
        with closing(_open_unchanged(file)) as connection:
            found = [str(row[0]) for row in connection.execute("PRAGMA quick_check(1)")]
    except sqlite3.Error as error:
        return str(error)
    return "" if found == ["ok"] else " ".join(" ".join(found).split())


def _open_unchanged(file: Path) -> sqlite3.Connection:
    """Connect to an SQLite file as one that nobody writes to: it stays as it is, and no other file is made."""
    return sqlite3.connect(f"{file.resolve().as_uri()}?immutable=1", uri=True)


def known_versions() -> frozenset[str]:
    """Return all versions of the tables that this program can upgrade: those that were ever released, and its own."""
    return frozenset(file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))


def newest_version() -> str:
    """Return the version of the tables that this program needs."""
    return max(known_versions())


def is_from_before(version: str | None) -> bool:
    """Return whether a version is one of the development before 1.0, from which no migration leads on."""
    return bool(version) and str(version) < min(known_versions())


def copy_to(engine: Engine, file: Path) -> None:
    """Write a consistent copy of an SQLite database to a new ``file``, even while the database is in use.

    Raise ValueError for another kind of database, OSError or sqlite3.Error when writing fails.
    """
    if engine.dialect.name != "sqlite":
        raise ValueError("only SQLite databases are copied")
    _copy(Path(str(engine.url.database)), file)


def empty_log(engine: Engine) -> None:
    """Write the log of an SQLite database into its file, and empty it; what readers still need of it stays.

    Old states of rows that were changed or deleted since stand in it.
    """
    if engine.dialect.name == "sqlite":
        with closing(engine.raw_connection()) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")


def find_faults(connection: Connection) -> list[str]:
    """Return what SQLite finds wrong with its file, at most ten things; nothing for another database."""
    if connection.dialect.name != "sqlite":
        return []
    found = [str(line) for (line,) in connection.exec_driver_sql(f"PRAGMA quick_check({_MOST_FAULTS})")]
    return [" ".join(line.split()) for line in found if line != "ok"]


def find_broken_references(connection: Connection) -> list[str]:
    """Return a clause for every row of an SQLite database that refers to a missing row."""
    if connection.dialect.name != "sqlite":
        return []
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    return [f"row {row} of {table} refers to a row of {parent} that is not there" for table, row, parent, _ in broken]


def _copy(source: Path, target: Path) -> None:
    """Write a copy of an SQLite file to a new file; never half of one under its name.

    It belongs to whom the file belongs to, who must be able to restore it. No other user of the machine can read it.
    """
    if os.path.lexists(target):
        raise FileExistsError(f"{target} is here already")
    begun = target.with_name(f".{target.name}.{uuid4().hex}")
    begun.touch(mode=0o600, exist_ok=False)
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(begun)) as new:
            old.backup(new)
        with begun.open("rb") as written:
            os.fsync(written)
        whose = source.stat()
        with suppress(PermissionError):  # root alone may give a file away; any other copy stays its maker's
            os.chown(begun, whose.st_uid, whose.st_gid)
            begun.chmod(whose.st_mode & 0o7777 & ~_OTHERS)
        begun.rename(target)
    except BaseException:
        begun.unlink(missing_ok=True)  # an incomplete copy is of no use
        raise


def _copy_before(connection: Connection, suffix: str) -> Path | None:
    """Copy an SQLite file to its directory, unless the latest copy is the same; return the path of the copy.

    Return None without a file or tables. An older copy is never overwritten: the new one gets a number behind its
    name. Raise ValueError when the copy cannot be written.
    """
    if connection.dialect.name != "sqlite":
        return None
    if not connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar_one():
        return None
    # SQLite is asked for the path, since the URL may give it in another form; it is empty for a database in memory.
    name = connection.exec_driver_sql("SELECT file FROM pragma_database_list WHERE name = 'main'").scalar_one()
    if not name:
        return None
    source, latest = Path(name), None
    for number in count(1):
        target = Path(f"{source}.{suffix}" + (f"-{number}" if number > 1 else ""))
        if not os.path.lexists(target):
            break
        latest = target if target.is_file() else latest  # a link that leads nowhere is no copy
    try:
        _copy(source, target)
    except (OSError, sqlite3.Error) as error:
        raise ValueError(f"no copy can be written to {target}: {error}") from error
    if latest is not None and filecmp.cmp(latest, target, shallow=False):
        target.unlink()  # a service that tries again and again must not fill the disk
        return latest
    return target


def _plain_file(engine: Engine) -> Path | None:
    """Return the file of an SQLite database that is given by its path; None for any other database."""
    file = engine.url.database
    if engine.dialect.name != "sqlite" or not file or file == ":memory:" or file.startswith("file:"):
        return None
    return Path(file)


@contextmanager
def _without_foreign_keys(connection: Connection) -> Iterator[None]:
    """Switch off the foreign keys of SQLite, since a migration alters a table by dropping and creating it.

    SQLite ignores this setting within a transaction, so it bypasses SQLAlchemy, which would begin one.
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
    """Raise ValueError for an SQLite row that refers to a missing row."""
    if broken := find_broken_references(connection):
        others = f", and so do {len(broken) - 1} others" if len(broken) > 1 else ""
        raise ValueError(f"{broken[0]}{others}")


def _read_version(connection: Connection) -> str | None:
    """Return the version that alembic has noted in its table; None without the table or a row in it."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.exec_driver_sql(_VERSION).scalar_one_or_none()
    return None if found is None else str(found)


def _peek(engine: Engine) -> str | None:
    """Return the version that an SQLite file names; the file is not locked, nor changed at all.

    Its log is not read, unless all tables stand in it, as in that of a process that was killed after it had made them.
    """
    if (file := _plain_file(engine)) is None:
        return None
    with suppress(sqlite3.Error), closing(_open_unchanged(file)) as connection:  # whoever connects is told
        return next((str(found) for (found,) in connection.execute(_VERSION)), None)
    log = file.with_name(f"{file.name}-wal")
    # Whoever reads a log writes beside it, and into the file in the end: here beside and into copies.
    with suppress(OSError, sqlite3.Error), TemporaryDirectory() as name:
        if log.stat().st_size:
            copy = Path(name) / file.name
            shutil.copyfile(file, copy)
            shutil.copyfile(log, copy.with_name(log.name))
            with closing(sqlite3.connect(copy)) as connection:
                return next((str(found) for (found,) in connection.execute(_VERSION)), None)
    return None


def _migrate(connection: Connection) -> None:
    """Run the migrations that are missing, in the transaction of the connection."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _prepare_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    """Disable the implicit transactions of sqlite3, which can lose updates, and set the pragmas of the connection."""
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """Begin a transaction; a writing one takes the write lock at once."""
    begin = "BEGIN" if connection.get_execution_options().get(READING) else "BEGIN IMMEDIATE"
    try:
        connection.connection.cursor().execute(begin)
    except sqlite3.Error as error:  # every message begins one; SQLAlchemy's own way takes ten times as long
        raise DBAPIError.instance(begin, None, error, sqlite3.Error, hide_parameters=True) from error
