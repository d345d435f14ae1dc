"""Large databases: a small one that the line itself has filled is copied into itself again and again, shifted."""

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Column, Table, create_engine, update

from db.tables import METADATA
from tests.bench.kept import KeptCourier
from tests.bench.line import Line
from tests.bench.world import Sort

MATCHES, MESSAGES = 10, 11
"""The matches in the small database, and about how many messages each of them has."""
_DAYS = 30  # over which the copies are spread, the past before the clock of the benchmark
_SMALL = b"From: ann@a.example\r\nMessage-ID: <1@a.example>\r\n\r\na few words, as there are in a short message\r\n" * 3
# A column of text that differs in each copy: an address is made another one in front, everything else behind.
_ADDRESSES = frozenset({"email", "sender", "recipient"})
_NAMES = frozenset({"identity", "message_id", "name", "folded"})


_OF_THE_SERVICE = frozenset({"heartbeat", "outage"})
"""Tables that have no more rows for more matches."""


def make_template(file: Path, *, over: bool = True, whole: bool = False) -> None:
    """Write a database with ten matches of some moves made by email, their messages shortened; ``over``: half are.

    ``whole``: the messages are kept as they are.
    """
    with TemporaryDirectory() as name:
        line = Line(Path(name), [Sort("zipline", MESSAGES)], MATCHES, file=file, kept=KeptCourier())
        replies = line.prepare("short")
        resigning = [line.world.reply(number, "short", "resign") for number in list(replies)[::2] if over]
        for _ in line.carry(resigning):
            pass
        line.close()
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        for name in () if whole else ("inbound", "outbound"):
            connection.execute(update(METADATA.tables[name]).values(raw=_SMALL))
    engine.dispose()


def fill(template: Path, file: Path, matches: int) -> None:
    """Write a database with that many matches to ``file``."""
    file.write_bytes(template.read_bytes())
    copies = matches // MATCHES - 1
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        for pragma in ("journal_mode=MEMORY", "synchronous=OFF", "cache_size=-1000000"):
            database.execute(f"PRAGMA {pragma}")
        database.execute("ATTACH ? AS small", (str(template),))
        tables = [table for table in METADATA.sorted_tables if table.name not in _OF_THE_SERVICE]
        spans = {table.name: _span(database, table) for table in tables}
        for table in tables:
            values = ", ".join(_shifted(column, spans, _DAYS * 86400 / max(1, copies)) for column in table.columns)
            names = ", ".join(f'"{column.name}"' for column in table.columns)
            database.execute(
                f'INSERT INTO "{table.name}" ({names}) WITH RECURSIVE copy(k) AS '
                f"(SELECT 1 WHERE {copies} > 0 UNION ALL SELECT k + 1 FROM copy WHERE k < {copies})"
                f' SELECT {values} FROM copy CROSS JOIN small."{table.name}"'
            )
        database.execute("ANALYZE")
        database.execute("DETACH small")
        database.execute("PRAGMA journal_mode=WAL")


def _span(database: sqlite3.Connection, table: Table) -> int:
    """Return the highest number of a row in the small database; 0 for a table without numbers."""
    if "id" not in table.columns:
        return 0
    (highest,) = database.execute(f'SELECT coalesce(max(id), 0) FROM small."{table.name}"').fetchone()
    return int(highest)


def _shifted(column: "Column[object]", spans: dict[str, int], seconds: float) -> str:
    """Return what copy ``k`` has in a column, in SQL."""
    name = f'"{column.name}"'
    refers = next((key.column.table.name for key in column.foreign_keys), None)
    if column.table.name == "due" and column.name == "subject":
        return f"{name} + k * CASE kind WHEN 'reminder' THEN {spans['player']} ELSE {spans['match']} END"
    if column.name == "id" and column.primary_key:
        refers = column.table.name
    if refers is not None:
        return f"{name} + k * {spans[refers]}"
    if column.name in _ADDRESSES:
        return f"'c' || k || {name}"
    if column.name in _NAMES:
        return f"{name} || ' ' || k"
    # What is due lies ahead: nothing is to happen by itself.
    earlier = f"'-' || CAST(k * {seconds} AS INTEGER) || ' seconds'"
    if column.name.endswith("_at") and column.table.name != "due":
        return f"strftime('%Y-%m-%d %H:%M:%S.000000', {name}, {earlier})"
    if column.name == "standing":  # which has to fit the record, or the match is damaged, and passed over
        moment = f"strftime('%Y-%m-%dT%H:%M:%S+00:00', json_extract({name}, '$.changed_at'), {earlier})"
        return f"json_set({name}, '$.changed_at', {moment})"
    return name


def count(file: Path) -> tuple[int, int, int]:
    """Return how many matches, inbound and outbound messages there are."""
    with closing(sqlite3.connect(file)) as database:
        query = "SELECT (SELECT count(*) FROM match), (SELECT count(*) FROM inbound), (SELECT count(*) FROM outbound)"
        matches, inbound, outbound = database.execute(query).fetchone()
    return matches, inbound, outbound
