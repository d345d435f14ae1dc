"""Made-up migrations behind those there are, and what a database holds before and after."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from db import engine as engines
from pbem.storage.database import Database

NEXT = """
    with op.batch_alter_table("match", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.alter_column("game", existing_type=sa.String(), type_=sa.String(100), existing_nullable=False)
        batch.add_column(sa.Column("mood", sa.String(), nullable=False, server_default="calm"))
    with op.batch_alter_table("player", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.alter_column("away", existing_type=sa.String(), nullable=True)
        batch.create_index("ix_player_created_at", ["created_at"])
    op.create_table(
        "cup",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("winner_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=False),
    )
    op.execute("INSERT INTO cup (winner_id) SELECT id FROM player")
    op.execute("UPDATE match SET mood = 'over' WHERE over_at IS NOT NULL")
"""
"""A migration that makes tables anew to which others refer, adds a column and a table, and fills both."""

_FILE = '''"""A version that nobody has made yet."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"


def upgrade() -> None:
    """Go one version up."""
{steps}
'''


def let_come_next(steps: str, directory: Path, patch: pytest.MonkeyPatch) -> str:
    """Let a migration with these ``steps`` come next, in a copy of all in ``directory``; return its version."""
    before = engines.newest_version()
    revision = f"{int(before) + 1:04}"
    shutil.copytree(engines.MIGRATIONS, directory, ignore=shutil.ignore_patterns("__pycache__"))
    text = _FILE.format(revision=revision, before=before, steps=steps.strip("\n"))
    (directory / "versions" / f"{revision}_made_up.py").write_text(text, encoding="utf-8")
    patch.setattr(engines, "MIGRATIONS", directory)
    return revision


def upgrade(file: Path) -> Path | None:
    """Bring a database to the newest version; return the copy made before."""
    database = Database(f"sqlite:///{file}")
    try:
        copy = database.upgrade()
        database.check()
        return copy
    finally:
        database.close()


def version_of(file: Path) -> str | None:
    """Return the version of the tables."""
    engine = engines.connect(f"sqlite:///{file}")
    try:
        return engines.version(engine)
    finally:
        engine.dispose()


def rows(file: Path) -> list[str]:
    """Return everything in a database as SQL."""
    with closing(sqlite3.connect(file)) as connection:
        return list(connection.iterdump())


def cells(file: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of every table, each by the names of its columns, in the order of their keys."""
    with closing(sqlite3.connect(file)) as connection:
        connection.row_factory = sqlite3.Row
        found = {}
        ours = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        for (table,) in connection.execute(ours).fetchall():
            columns = connection.execute("SELECT name FROM pragma_table_info(?) WHERE pk > 0", (table,))
            keys = ", ".join(f'"{column}"' for (column,) in columns)
            found[table] = [dict(row) for row in connection.execute(f'SELECT * FROM "{table}" ORDER BY {keys}')]
        return found


def schema(file: Path) -> dict[str, Any]:
    """Return every table's columns, indexes and references, whatever order they were made in."""
    with closing(sqlite3.connect(file)) as connection:

        def pragma(name: str, of: str) -> list[tuple[Any, ...]]:
            return connection.execute(f"SELECT * FROM pragma_{name}(?)", (of,)).fetchall()

        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            table: {
                "columns": sorted(column[1:] for column in pragma("table_info", table)),
                # SQLite numbers the indexes of its own.
                "indexes": sorted(
                    (
                        "" if name.startswith("sqlite_autoindex") else name,
                        unique,
                        origin,
                        [column[2] for column in pragma("index_info", name)],
                    )
                    for _, name, unique, origin, _ in pragma("index_list", table)
                ),
                "references": sorted(reference[2:] for reference in pragma("foreign_key_list", table)),
            }
            for table in tables
        }
