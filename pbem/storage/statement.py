"""A statement that every message needs: built with SQLAlchemy Core, compiled once, and run by the driver itself."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Delete, Dialect, Insert, Select, Update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import TypeEngine

_Convert = Callable[[Any], Any] | None


class Statement:
    """A statement with named parameters, each a plain value; the names of columns set these in INSERT and UPDATE.

    SQLAlchemy compiles it once for each dialect and set of names. It makes a result, a context and events for every
    execution too, which take several times as long as SQLite needs; here rows are plain tuples.
    """

    def __init__(self, built: Select[Any] | Insert | Update | Delete) -> None:
        self._built = built
        self._compiled: dict[tuple[str, ...], _Compiled] = {}

    def rows(self, connection: Connection, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Run the statement, and return the rows that it selects or returns."""
        compiled = self._compile(connection.dialect, values)
        return compiled.fetch(compiled.run(connection, values))

    def write(self, connection: Connection, values: Mapping[str, Any]) -> bool:
        """Run a statement that changes rows; return whether there are any."""
        return bool(self._compile(connection.dialect, values).run(connection, values).rowcount > 0)

    def write_all(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run the statement once for each of ``rows``, which have the same names."""
        if rows:
            self._compile(connection.dialect, rows[0]).run_all(connection, rows)

    def _compile(self, dialect: Dialect, names: Iterable[str]) -> "_Compiled":
        """Return the statement in the SQL of a dialect."""
        key = (dialect.name, *names)
        if key not in self._compiled:
            self._compiled[key] = _Compiled(self._built, dialect, list(names))
        return self._compiled[key]


class _Compiled:
    """SQL for one driver, with what converts values on their way there and back."""

    def __init__(self, built: Select[Any] | Insert | Update | Delete, dialect: Dialect, names: list[str]) -> None:
        columns = [name for name in names if not isinstance(built, Select) and name in built.table.c]
        compiled = built.compile(dialect=dialect, column_keys=None if isinstance(built, Select) else columns)
        required = {name for name, bind in compiled.binds.items() if bind.required}
        if wrong := required.symmetric_difference(names):  # else one is NULL, and the other is lost
            raise LookupError(f"other names than those of the statement's values: {', '.join(sorted(wrong))}")
        self._sql = compiled.string
        self._positional = compiled.positional
        order = compiled.positiontup if compiled.positional else compiled.binds
        self._binds = [
            (name, compiled.binds[name].effective_value, _into(compiled.binds[name].type, dialect))
            for name in order or ()
        ]
        self._names = [name for name, _, _ in self._binds]
        self._error: type[Exception] = dialect.loaded_dbapi.Error
        self._converts = [(place, convert) for place, convert in enumerate(_out_of(built, dialect)) if convert]

    def run(self, connection: Connection, values: Mapping[str, Any]) -> Any:
        """Run the SQL with ``values``; return the cursor. Raise what SQLAlchemy raises."""
        cursor = connection.connection.cursor()
        try:
            cursor.execute(self._sql, self._bind(values))
        except self._error as error:
            raise self._translate(error) from error
        return cursor

    def run_all(self, connection: Connection, rows: Iterable[Mapping[str, Any]]) -> None:
        """Run the SQL for each of ``rows``. Raise what SQLAlchemy raises."""
        try:
            connection.connection.cursor().executemany(self._sql, [self._bind(values) for values in rows])
        except self._error as error:
            raise self._translate(error) from error

    def fetch(self, cursor: Any) -> list[tuple[Any, ...]]:
        """Return all rows, with the values that their types stand for. Raise what SQLAlchemy raises."""
        try:
            rows: list[tuple[Any, ...]] = cursor.fetchall()  # SQLite reads most of them only now
        except self._error as error:
            cursor.close()  # else it reads on, and keeps the next transaction of its connection in the past
            raise self._translate(error) from error
        return self._read(rows) if self._converts and rows else rows

    def _read(self, rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """Return rows of the driver with the values that their types stand for."""
        columns = list(zip(*rows, strict=True))
        for place, convert in self._converts:
            columns[place] = tuple(map(convert, columns[place]))
        return list(zip(*columns, strict=True))

    def _bind(self, values: Mapping[str, Any]) -> Any:
        """Return ``values``, and those that stand in the statement itself, as the driver takes them."""
        bound = [
            convert(values.get(name, given)) if convert else values.get(name, given)
            for name, given, convert in self._binds
        ]
        return bound if self._positional else dict(zip(self._names, bound, strict=True))

    def _translate(self, error: Exception) -> BaseException:
        """Return the error of SQLAlchemy for one of the driver, without the values, which may be private."""
        return DBAPIError.instance(self._sql, None, error, self._error, hide_parameters=True)


def _into(kind: TypeEngine[Any], dialect: Dialect) -> _Convert:
    """Return what makes a value of the driver of one of this type, if anything has to."""
    return kind.dialect_impl(dialect).bind_processor(dialect)


def _out_of(built: Select[Any] | Insert | Update | Delete, dialect: Dialect) -> list[_Convert]:
    """Return for each column of the result what makes a value of its type, if anything has to."""
    return [column.type.dialect_impl(dialect).result_processor(dialect, None) for column in built.exported_columns]
