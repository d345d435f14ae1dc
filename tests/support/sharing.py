"""SQLite as the tests use it: what is compiled for one database serves all others, and nothing waits for the disk.

A service has one engine, which compiles each statement once. Tests make thousands of engines, and would spend a tenth
of their time on compiling the same statements for each; and a third of it on waiting until a disk has what they
commit. Only a failure of power would need that, and no test has one: a killed process loses nothing of what it wrote.
"""

import sqlite3
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

_MOST_STATEMENTS = 1_000
_COMPILED: LRUCache[Any, Any] = LRUCache(_MOST_STATEMENTS)


class _Unsynced(sqlite3.Connection):
    """A connection that leaves it to the system when the disk gets what is committed."""

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        """Execute a statement; the one that asks for waiting is answered with its contrary."""
        return super().execute(statement.replace("synchronous=FULL", "synchronous=OFF"), *values)


class SharingDialect(SQLiteDialect_pysqlite):
    """The dialect of SQLite; all of them are equal, as they are made with the same options."""

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        """Return whether ``other`` is such a dialect too: the keys of what is compiled begin with it."""
        return isinstance(other, SharingDialect)

    def __hash__(self) -> int:
        return hash(SharingDialect)

    def connect(self, *arguments: Any, **options: Any) -> Any:
        """Return a connection that waits for no disk."""
        return super().connect(*arguments, factory=_Unsynced, **options)

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        """Let a new engine share what is compiled."""
        engine.update_execution_options(compiled_cache=_COMPILED)


def share_compiled_statements() -> None:
    """Let every engine for SQLite that is made from now on share what is compiled."""
    registry.register("sqlite", __name__, SharingDialect.__name__)
