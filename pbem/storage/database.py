"""Where matches, letters and emails are kept: the only module that knows the tables.

A ``Database`` opens transactions; everything is read and written through the ``Transaction`` that one of them yields.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DatabaseError, DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlmodel import Session

from db import engine as engines
from pbem.errors import BadInput, Busy, ConfigError, NoFile
from pbem.storage.due import Dues
from pbem.storage.inbound import Inbound
from pbem.storage.matches import Matches
from pbem.storage.outbound import Outbound
from pbem.storage.players import Players


class Database:
    """A database, by its URL; raises ConfigError for a URL that makes no sense, Busy when it cannot be used."""

    def __init__(self, url: str) -> None:
        try:
            self._engine: Engine | Connection = engines.connect(url)
        except (SQLAlchemyError, ImportError, ValueError) as error:
            raise ConfigError("The setting “database_url” is no URL of a database that can be used here.") from error

    def upgrade(self) -> Path | None:
        """Create the tables, or bring them to the newest version; return the copy made before, if any.

        Raises ConfigError when it fails; the database is as it was then.
        """
        try:
            with _as_busy():
                self._refuse_unknown(engines.version(self._whole_engine()))
                return engines.upgrade(self._whole_engine())
        except engines.UpgradeFailed as error:
            copy = f", and a copy of it lies in {error.copy}" if error.copy else ""
            raise ConfigError(
                f"The database cannot be brought from version {error.found or 'none'} to {engines.newest_version()}"
                f" ({error}); it is unchanged{copy}."
            ) from error

    def check(self) -> None:
        """Make sure that the tables are of the version this program needs; ConfigError says what to run."""
        if not engines.exists(self._whole_engine()):
            file = self._whole_engine().url.database
            raise ConfigError(
                f"There is no database {file}: run “pbem db upgrade” (or “pbem init”) first,"
                " or go where pbem.toml lies."
            )
        with _as_busy():
            found = engines.version(self._whole_engine())
        if found is None:
            raise ConfigError("The database is empty: run “pbem db upgrade” (or “pbem init”) first.")
        self._refuse_unknown(found)
        if found != engines.newest_version():
            raise ConfigError(f"The database is of version {found}: run “pbem db upgrade” first.")

    @contextmanager
    def transaction(self) -> Iterator["Transaction"]:
        """Open a transaction: all that is done in it is kept when it ends well, and nothing otherwise."""
        with _as_busy(), Session(self._engine, expire_on_commit=False, **self._joining()) as session:
            yield Transaction(session)
            session.commit()

    @contextmanager
    def reading(self) -> Iterator["Transaction"]:
        """Open a transaction that only reads."""
        with _as_busy(), Session(self._engine, expire_on_commit=False, **self._joining()) as session:
            session.connection(execution_options={} if self._joining() else {engines.READING: True})
            yield Transaction(session)

    @contextmanager
    def rehearsal(self) -> Iterator["Database"]:
        """Yield a store on which everything works, and nothing is left of it in the end."""
        with _as_busy(), self._whole_engine().connect() as connection:
            outer = connection.begin()
            rehearsed = Database.__new__(Database)
            rehearsed._engine = connection
            try:
                yield rehearsed
            finally:
                outer.rollback()

    def copy_to(self, file: Path) -> None:
        """Write a copy of the database to a new file; BadInput for one that is not SQLite, NoFile if it fails."""
        try:
            engines.copy_to(self._whole_engine(), file)
        except ValueError as error:
            raise BadInput(
                "This database is no SQLite file: back it up with its own tools, pg_dump for one."
            ) from error
        except (OSError, sqlite3.Error) as error:
            raise NoFile(f"The copy cannot be written to {file}: {error}.") from error

    @property
    def file(self) -> Path | None:
        """The file that an SQLite database lies in."""
        url = self._whole_engine().url
        return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None

    def close(self) -> None:
        """Let go of the engines."""
        self._whole_engine().dispose()

    def _refuse_unknown(self, found: str | None) -> None:
        """Keep off tables that a newer program has made; raises ConfigError."""
        if found is not None and found not in engines.known_versions():
            raise ConfigError(f"The database is of version {found}, which only a newer pbem knows.")

    def _whole_engine(self) -> Engine:
        """Return the engine; a rehearsal has only a connection."""
        return self._engine.engine

    def _joining(self) -> dict[str, Any]:
        """Return how a session joins the rehearsal's transaction; nothing for a store proper."""
        return {"join_transaction_mode": "create_savepoint"} if isinstance(self._engine, Connection) else {}


@contextmanager
def _as_busy() -> Iterator[None]:
    """Turn what the database cannot do now, and two workers meeting in one place, into Busy."""
    try:
        yield
    except OperationalError as error:
        raise Busy(f"The database cannot be used now: {_first_line(error)}.") from error
    except IntegrityError as error:
        if "unique" not in str(error.orig).lower():
            raise
        raise Busy(f"Somebody else was faster: {_first_line(error)}.") from error
    except DatabaseError as error:
        if type(error) is not DatabaseError:  # its other kinds are bugs, to be seen with their traceback
            raise
        raise ConfigError(f"The database cannot be read: {_first_line(error)}.") from error


def _first_line(error: DBAPIError) -> str:
    """Return what the database itself says."""
    return str(error.orig).splitlines()[0]


class Transaction:
    """What can be read and written within one transaction, a gateway for each kind of thing."""

    def __init__(self, session: Session) -> None:
        self.players = Players(session)
        self.due = Dues(session)
        self.matches = Matches(session, self.players, self.due)
        self.inbound = Inbound(session)
        self.outbound = Outbound(session)
