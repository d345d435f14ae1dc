"""The database: it opens transactions, and the gateways of a ``Transaction`` read and write everything."""

import copy
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError, DBAPIError, IntegrityError, OperationalError, SQLAlchemyError

from db import engine as engines
from db import moving, servers
from pbem.errors import BadInput, Busy, ConfigError, Conflict, NoFile, Served
from pbem.log.logbook import event
from pbem.storage.transaction import Transaction

if TYPE_CHECKING:
    from pbem.storage.messages.lanes import Lanes
    from pbem.storage.sweeping import Searches

log = logging.getLogger("pbem")

_MOST_ATTEMPTS = 10
_PAUSE = 0.005  # seconds after the first attempt; longer after each

T = TypeVar("T")


class Database:
    """A database, by its URL. Raise ConfigError for a wrong URL, and Busy while the database cannot be used."""

    def __init__(self, url: str) -> None:
        try:
            self._engine = engines.connect(url)
        except (SQLAlchemyError, ImportError, ValueError) as error:
            if isinstance(error, ModuleNotFoundError) and error.name == "psycopg":
                from pbem.version import describe_extra

                raise ConfigError(f"A PostgreSQL server needs {describe_extra('postgresql')}.") from error
            raise ConfigError("The setting “database_url” is not the URL of a database that pbem can use.") from error
        self._reading = self._engine.execution_options(**{engines.READING: True})
        self._alone = self._engine.execution_options(**{servers.WRITING: servers.ALONE})
        self._shared = self._engine.execution_options(**{servers.WRITING: servers.SHARED})
        self._kept: list[Connection] = []
        self._rehearsed: Connection | None = None
        self._searches: Searches = {}

    def upgrade(self) -> Path | None:
        """Create the tables, or bring them to the newest version; return the copy made before, if any.

        Raise ConfigError when the upgrade fails; the database is then unchanged.
        """
        try:
            with _translate_errors():
                self._refuse_unknown(engines.version(self._engine))
                copied = engines.upgrade(self._engine)
                moving.number_on(self._alone)
            return copied
        except engines.UpgradeFailed as error:
            copy = f", and a copy of it lies in {error.copy}" if error.copy else ""
            raise ConfigError(
                f"The database cannot be brought from version {error.found or 'none'} to {engines.newest_version()}"
                f" ({error}); it is unchanged{copy}."
            ) from error

    @property
    def is_behind(self) -> bool:
        """Whether it has tables of an older version than this program needs, from which it can be upgraded."""
        with _translate_errors():
            return engines.version(self._engine) in engines.known_versions() - {engines.newest_version()}

    def require_tables(self) -> None:
        """Raise ConfigError for a database that is missing or empty; an empty file stays as it is."""
        lost = "restore the newest copy, or run “pbem db upgrade” without --existing for a new one"
        if not engines.exists(self._engine):
            raise ConfigError(f"There is no database {self._engine.url.database}: {lost}.")
        empty = self.file is not None and self.file.is_file() and not self.file.stat().st_size
        with _translate_errors():
            if empty or engines.version(self._engine) is None:
                raise ConfigError(f"The database {self.file or ''}".rstrip() + f" is empty: {lost}.")

    def check(self) -> None:
        """Raise ConfigError, which says what to run, unless the tables have the version that this program needs."""
        if not engines.exists(self._engine):
            file = self._engine.url.database
            from pbem.storage.restorations import read_landmark

            if self.file and read_landmark(self.file):
                raise ConfigError(f"There is no database {file}, though there was one: restore the newest copy of it.")
            raise ConfigError(
                f"There is no database {file}: run “pbem init” first (“pbem db upgrade” if there is a pbem.toml),"
                " or go to the directory of pbem.toml."
            )
        with _translate_errors():
            found = engines.version(self._engine)
        if found is None:
            raise ConfigError("The database is empty: run “pbem db upgrade” first.")
        self._refuse_unknown(found)
        if found != engines.newest_version():
            raise ConfigError(f"The database has tables of version {found}: run “pbem db upgrade” first.")

    @contextmanager
    def transaction(self, *, shared: bool = False) -> Iterator["Transaction"]:
        """Open a transaction, beside no other that writes; an exception rolls it back.

        ``shared``: on a server others that are shared write beside it.
        """
        with _translate_errors():
            if self._rehearsed is not None:
                with self._rehearsed.begin_nested():
                    yield Transaction(self._rehearsed, self._searches)
            else:
                with self._beginning(shared=shared) as connection:
                    yield Transaction(connection, self._searches)

    @contextmanager
    def _beginning(self, *, shared: bool) -> Iterator[Connection]:
        """Begin a transaction that writes; with SQLite on a connection that is kept, since each message needs some."""
        if self._engine.dialect.name != "sqlite":
            with (self._shared if shared else self._alone).begin() as connection:
                yield connection
            return
        try:
            connection = self._kept.pop()
        except IndexError:  # another thread has it
            connection = self._engine.connect()
        try:
            with connection.begin():
                yield connection
        except BaseException:
            connection.close()
            raise
        if self._kept:  # one is enough for writers, who wait for each other; readers need the others
            connection.close()
        else:
            self._kept.append(connection)

    def share(self, action: Callable[["Transaction"], T]) -> T:
        """Carry out ``action`` in a shared transaction, again while another one is in its way; return its result.

        It decides by no more than what others leave alone, or cannot change without being in its way: the messages of
        one lane, the emails that it has claimed. Raise Conflict after ten times in vain.
        """
        for attempt in count(1):
            try:
                with self.transaction(shared=True) as tx:
                    return action(tx)
            except Conflict:
                if attempt == _MOST_ATTEMPTS or self.may_be_undone:
                    raise
                log.debug("a transaction begins anew: another one was in its way", extra=event("repeated"))
            time.sleep(_PAUSE * attempt)
        raise AssertionError

    @contextmanager
    def reading(self) -> Iterator["Transaction"]:
        """Open a transaction that only reads."""
        with _translate_errors():
            if self._rehearsed is not None:
                yield Transaction(self._rehearsed, self._searches)
            else:
                with self._reading.connect() as connection:
                    connection.begin()  # which is rolled back when the connection is given back
                    yield Transaction(connection, self._searches)

    @contextmanager
    def together(self) -> Iterator["Database"]:
        """Yield a database all of whose transactions are one: an exception rolls all of them back."""
        with _translate_errors(), self._alone.begin() as connection:
            yield self._within(connection)

    @contextmanager
    def rehearsal(self) -> Iterator["Database"]:
        """Yield a database on which everything works; all its changes are rolled back in the end."""
        with _translate_errors(), self._alone.connect() as connection:
            connection.begin()  # which is rolled back when the connection is given back
            yield self._within(connection)

    def _within(self, connection: Connection) -> "Database":
        """Return this database with all its transactions within that of a connection, which may be undone."""
        joined = copy.copy(self)
        joined._rehearsed, joined._searches = connection, {}
        return joined

    @contextmanager
    def serving(self, *, alone: bool = False) -> Iterator[Callable[[], None]]:
        """Be the one that serves a database on a server, which one process at a time may.

        Yield what checks that it still is: it raises Busy when the connection that holds the lock is lost, as it is
        when nobody has checked for a minute. Raise Served if another process has it; ``alone``: or if a worker works.
        """
        if self._engine.dialect.name != "postgresql":
            yield lambda: None
            return
        with _translate_errors(), servers.serving(self._engine, alone=alone) as lock:
            if lock is None:
                others = ", or a “pbem worker” works on it: stop them first" if alone else ""
                raise Served(f"Another “pbem run” serves this database already{others}.")
            if not alone:
                self.check()  # whoever stood by may have done so since before an upgrade

            def check() -> None:
                with _translate_errors():
                    lock.exec_driver_sql("SELECT 1")

            yield check

    @property
    def is_shared(self) -> bool:
        """Whether several processes may work on it at once: it is on a server, and nothing in it may be undone."""
        return self._engine.dialect.name == "postgresql" and not self.may_be_undone

    @contextmanager
    def lanes(self, *, working: bool = False) -> Iterator["Lanes"]:
        """Yield the lanes of a shared database; ``working``: this process is one that works beside whoever serves.

        Raise Busy when the server is away, and for one that works ConfigError when the tables are no longer its own.
        """
        from pbem.storage.messages.lanes import Lanes

        with _translate_errors(), servers.locking(self._engine, working=working) as connection:
            if working:
                self.check()
            yield Lanes(connection)

    def move_to(self, url: str) -> dict[str, int]:
        """Copy all rows into the database at another URL, which has none yet; return how many each table has.

        Raise BadInput for one that has rows, ConfigError for a URL that will not do, Busy for a server that is away.
        """
        target = Database(url)
        try:
            target.upgrade()
            with _translate_errors():
                return moving.move(self._reading, target._engine)
        except moving.NotEmpty as found:
            raise BadInput(
                f"The other database has rows already, in the table {found}: choose an empty one. Nothing was moved."
            ) from found
        finally:
            target.close()

    def find_place(self, *, make: bool = False) -> str:
        """Return what tells where this database is from where a copy of it is, and stays when it is restored.

        Of an SQLite file that is the file that is locked beside it, on a server the database there. An empty text:
        nothing tells it yet, unless ``make`` is true. Raise Busy while the server cannot be used.
        """
        with _translate_errors():
            return engines.find_place(self._engine, make=make)

    @property
    def may_be_undone(self) -> bool:
        """Whether its transactions are parts of another one, which may be rolled back."""
        return self._rehearsed is not None

    def drop_traces(self) -> None:
        """Empty what SQLite keeps of earlier states beside its file, as far as nobody reads it now."""
        if self._rehearsed is None:
            with _translate_errors():
                engines.empty_log(self._engine)

    def copy_to(self, file: Path) -> None:
        """Write a copy of the database to a new file. Raise BadInput unless it is SQLite, NoFile when writing fails."""
        try:
            engines.copy_to(self._engine, file)
        except ValueError as error:
            raise BadInput(
                "This database is not an SQLite file: back it up with its own tools, such as pg_dump."
            ) from error
        except (OSError, sqlite3.Error) as error:
            raise NoFile(f"The copy cannot be written to {file}: {error}.") from error

    def find_open_files(self) -> list[Path]:
        """Return the files of an SQLite database that other users of the machine have rights to."""
        return engines.find_open_files(self._engine)

    def close_files(self) -> list[Path]:
        """Take these rights from the other users; return the files that were open to them, and are no longer."""
        return engines.close_files(self._engine)

    def find_faults(self) -> list[str]:
        """Return what SQLite finds wrong with the file; nothing for another database."""
        with _translate_errors(), self._reading.connect() as connection:
            return engines.find_faults(connection)

    def find_broken_references(self) -> list[str]:
        """Return a clause for every row of an SQLite database that refers to a missing row."""
        with _translate_errors(), self._reading.connect() as connection:
            return engines.find_broken_references(connection)

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database; None for a database in memory or on a server."""
        url = self._engine.url
        return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None

    def close(self) -> None:
        """Close the connections to the database."""
        while self._kept:
            self._kept.pop().close()
        self._engine.dispose()

    def _refuse_unknown(self, found: str | None) -> None:
        """Raise ConfigError for tables that a newer program has made, or one from before 1.0."""
        if found is None or found in engines.known_versions():
            return
        if not found:
            raise ConfigError("The database does not say which version its tables have: restore it from a backup.")
        if engines.is_from_before(found):
            raise ConfigError(
                f"The database has tables of version {found}, from before pbem 1.0, and can’t be upgraded; it is"
                " unchanged."
            )
        raise ConfigError(f"The database has tables of version {found}, which only a newer pbem knows.")


def lock_file(database: Path) -> Path:
    """Return the file beside an SQLite file that whoever serves it has locked."""
    return engines.lock_file(database)


def find_damage(file: Path) -> str:
    """Return what SQLite finds wrong in a copy of the database; an empty text for a sound one."""
    return engines.find_damage(file)


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Translate errors of the database: Busy for a locked database and a lost race, ConfigError for a broken file."""
    try:
        yield
    except IntegrityError as error:
        if "unique" not in str(error.orig).lower():
            raise
        raise Conflict(f"Somebody else was faster: {_first_line(error)}.") from error
    except DatabaseError as error:
        if servers.is_conflict(error.orig):
            raise Conflict(f"Another process was in the way: {_first_line(error)}.") from error
        if isinstance(error, OperationalError) or servers.is_unusable(error.orig):
            raise Busy(f"The database cannot be used now: {_first_line(error)}.") from error
        if type(error) is not DatabaseError:  # the subclasses are bugs: the operator needs their traceback
            raise
        raise ConfigError(f"The database cannot be read: {_first_line(error)}.") from error


def _first_line(error: DBAPIError) -> str:
    """Return the first line of the database's own error text."""
    return str(error.orig).splitlines()[0]
