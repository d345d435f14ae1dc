"""Databases on a PostgreSQL server: connections that notice its end, and the locks of those who serve and work."""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import SQLAlchemyError

READING, WRITING = "pbem_reading", "pbem_writing"
"""The execution options of connections that only read, and of those that write: ``ALONE`` or ``SHARED``."""

ALONE, SHARED = "EXCLUSIVE", "ROW SHARE"
"""How a transaction writes: beside no other that writes, or beside those that are shared, too."""

_PLAIN = re.compile(r"^postgres(?:ql)?://")
_SERVING = 0x7062656D  # "pbem": the key of the advisory lock of whoever serves a database
_LANES, _WORKING = 0x70626C6E, 0x7062776B  # "pbln" and "pbwk": the first keys of locks with two
_CONFLICTS = ("40001", "40P01")  # serialization_failure, deadlock_detected
# What no statement can do anything about, beside what the driver calls operational: the server is read-only, it has
# ended a transaction that took too long, it lacks rights, tables or columns.
_OF_ALL = ("25006", "25P03", "25P04", "42501", "42P01", "42703")
_UNLOCK = "SELECT pg_advisory_unlock_all()"
_HUNG_SECONDS, _WAIT_SECONDS = 60, 30
_PATIENCE = (
    f"SET LOCAL idle_in_transaction_session_timeout = '{_HUNG_SECONDS}s'; SET LOCAL lock_timeout = '{_WAIT_SECONDS}s'"
)
# A server, or a network, that is gone is noticed within about fifteen seconds (libpq, 34.1.2); and so is a machine that
# is gone by the server, which then gives its lock to another.
_ON_SERVER = {
    "tcp_keepalives_idle": 5,
    "tcp_keepalives_interval": 3,
    "tcp_keepalives_count": 3,
    "tcp_user_timeout": 15_000,  # milliseconds
}
_ALIVE = {
    "options": " ".join(f"-c {name}={value}" for name, value in _ON_SERVER.items()),
    "connect_timeout": 10,
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,  # milliseconds
    "target_session_attrs": "read-write",  # a replica, or a server that was the first until a fail-over, is no use
}


def connect(url: str) -> Engine:
    """Return an engine for a database on a server; a URL without a driver gets that for PostgreSQL.

    A transaction sees one state. One that writes ``ALONE`` begins when no other writes, as all do with SQLite: what is
    decided by what was read holds. Those that are ``SHARED`` write side by side; one that would change what another has
    changed meanwhile ends with OperationalError, and can be repeated.
    """
    url = _PLAIN.sub("postgresql+psycopg://", url)
    ours = url.startswith("postgresql+psycopg:")
    engine = create_engine(
        url,
        pool_pre_ping=True,
        hide_parameters=True,
        isolation_level="REPEATABLE READ",
        connect_args=_ALIVE if ours else {},
    )
    if ours:
        event.listen(engine, "begin", _begin)
        event.listen(engine, "before_cursor_execute", _without_nul, retval=True)
    return engine


@contextmanager
def serving(engine: Engine, *, alone: bool = False) -> Iterator[Connection | None]:
    """Yield a connection that holds the lock of whoever serves a database, until it ends; None if another has it.

    ``alone``: nobody works on it either, and none begins to meanwhile. The lock ends with the connection, so with the
    process, or with its machine; and when nothing was heard on it for a minute, since a process that is frozen keeps
    its connections.
    """
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(f"SET idle_session_timeout = '{_HUNG_SECONDS}s'")
        held = connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": _SERVING}).scalar_one()
        if held and alone:
            held = connection.exec_driver_sql("SELECT pg_try_advisory_lock(%s, 0)", (_WORKING,)).scalar_one()
        try:
            yield connection if held else None
        finally:
            _give_up(connection)


def find_place(engine: Engine) -> str:
    """Return the number of the server's data, which its replicas have too, and that of the database on it."""
    asked = "SELECT system_identifier, oid FROM pg_control_system(), pg_database WHERE datname = current_database()"
    with engine.connect() as connection:
        server, database = connection.exec_driver_sql(asked).one()
    return f"{server:x}-{database:x}"


def is_conflict(error: BaseException | None) -> bool:
    """Return whether an error of the driver says that another transaction was in the way, so that a repeat may do."""
    return getattr(error, "sqlstate", None) in _CONFLICTS


def is_unusable(error: BaseException | None) -> bool:
    """Return whether an error of the driver says that the whole database can't be used as it is, whoever asks what."""
    return getattr(error, "sqlstate", None) in _OF_ALL


@contextmanager
def locking(engine: Engine, *, working: bool) -> Iterator[Connection]:
    """Yield a connection outside transactions, for the locks of lanes, which end with it.

    ``working``: it says of this process that it works, and is closed by the server when nothing is heard for a minute.
    """
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    try:
        connection.exec_driver_sql(f"SET lock_timeout = '{_WAIT_SECONDS}s'")
        if working:
            connection.exec_driver_sql(f"SET idle_session_timeout = '{_HUNG_SECONDS}s'")
            connection.exec_driver_sql("SELECT pg_advisory_lock_shared(%s, 0)", (_WORKING,))
        yield connection
        connection.exec_driver_sql(_UNLOCK)
        if working:
            connection.invalidate()  # given back to the pool, it would still be closed by the server
    except BaseException:
        _give_up(connection)
        raise
    finally:
        connection.close()


def _give_up(connection: Connection) -> None:
    """Close a connection that may hold locks: given back to the pool, it would keep them.

    The server notices its end a little later, and whoever asks at once would be refused.
    """
    with suppress(SQLAlchemyError):  # it may be lost already
        connection.exec_driver_sql(_UNLOCK)
    connection.invalidate()


def take_lane(connection: Connection, lane: int, *, wait: bool = False) -> bool:
    """Lock a lane, unless another connection has it; ``wait`` until that has given it back."""
    if wait:
        connection.exec_driver_sql("SELECT pg_advisory_lock(%s, %s)", (_LANES, lane))
        return True
    taken = connection.exec_driver_sql("SELECT pg_try_advisory_lock(%s, %s)", (_LANES, lane)).scalar_one()
    return bool(taken)


def leave_lane(connection: Connection, lane: int) -> None:
    """Give a lane back."""
    connection.exec_driver_sql("SELECT pg_advisory_unlock(%s, %s)", (_LANES, lane))


def is_worked(connection: Connection) -> bool:
    """Return whether any process works on this database now; a process that has died does not."""
    found = connection.exec_driver_sql(
        "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND objsubid = 2"
        " AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))",
        (_WORKING,),
    ).scalar_one()
    return bool(found)


def _begin(connection: Connection) -> None:
    """Let a transaction that only reads do nothing else, and one that writes wait for those that it is not beside.

    A table is locked, since that is the one way to wait which does not say yet what state is seen. Whoever has begun
    and is not heard of any more must not keep the others waiting: the server ends their transaction.
    """
    options = connection.get_execution_options()
    if options.get(READING):
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")
    elif how := options.get(WRITING):
        connection.exec_driver_sql(f"{_PATIENCE}; LOCK TABLE worker IN {how} MODE")


def _without_nul(
    _connection: Connection, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool
) -> tuple[str, Any]:
    """Replace what a text of PostgreSQL cannot hold, and SQLite can: the character 0."""
    many = parameters if isinstance(parameters, list) else [parameters]
    if any("\0" in value for one in many if isinstance(one, dict) for value in one.values() if isinstance(value, str)):
        clean = [{name: _clean(value) for name, value in one.items()} for one in many]
        return statement, clean if isinstance(parameters, list) else clean[0]
    return statement, parameters


def _clean(value: Any) -> Any:
    """Return a value with a sign for each character 0 in it."""
    return value.replace("\0", "\N{SYMBOL FOR NULL}") if isinstance(value, str) else value
