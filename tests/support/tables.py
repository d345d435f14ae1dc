"""Writes ``db/tables.py``, which describes for statements the tables that ``db/models.py`` defines."""

import sys
from pathlib import Path

from sqlalchemy import Column, Table
from sqlalchemy.sql.schema import ScalarElementColumnDefault
from sqlmodel import SQLModel

import db.models

FILE = Path(db.models.__file__).with_name("tables.py")
_HEAD = '''"""The tables as statements need them, without what models import; written by ``tests.support.tables``."""

from sqlalchemy import JSON, BigInteger, Boolean, Column, ForeignKey, Integer, MetaData, String, Table

from db.numbers import Real, Whole
from db.packed import PackedBytes
from db.times import Moment

METADATA = MetaData()
'''
_OF_CLUBS = frozenset({"contest", "contest_event", "contest_match", "rating", "result", "second", "vote"})
"""Tables whose numbers are looked at as they are read: what everybody gets is made of all their rows together."""

_NUMBERS = {"Integer": "Whole", "Float": "Real"}
_TYPES = {"AutoString()": "String", "UTCDateTime()": "Moment", "PackedBytes()": "PackedBytes"}


def written() -> str:
    """Return the text of the module, as the models are now."""
    return (
        "\n".join([_HEAD, *map(_table, sorted(SQLModel.metadata.tables.values(), key=lambda table: table.name))]) + "\n"
    )


def _table(table: Table) -> str:
    """Return the statement that describes a table."""
    options = ["    sqlite_autoincrement=True,\n"] if table.dialect_options["sqlite"]["autoincrement"] else []
    columns = "".join(f"    {_column(column)},\n" for column in table.c)
    return f'Table(\n    "{table.name}",\n    METADATA,\n{columns}{"".join(options)})'


def _column(column: Column[object]) -> str:
    """Return the expression that describes a column."""
    kind = repr(column.type)
    name = _TYPES.get(kind, kind.removesuffix("()"))
    parts = [f'"{column.name}"', _NUMBERS.get(name, name) if column.table.name in _OF_CLUBS else name]
    parts += [f'ForeignKey("{key.target_fullname}")' for key in column.foreign_keys]
    if column.primary_key:
        parts.append("primary_key=True")
    elif not column.nullable:
        parts.append("nullable=False")
    if isinstance(column.default, ScalarElementColumnDefault):
        parts.append(f"default={column.default.arg!r}".replace("'", '"'))
    return f"Column({', '.join(parts)})"


def main(arguments: list[str]) -> int:
    """Compare the module with the models, or write it; return whether it differed."""
    differs = FILE.read_text(encoding="utf-8") != written() if FILE.exists() else True
    if "--write" in arguments:
        FILE.write_text(written(), encoding="utf-8")
        return 0
    return differs


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
