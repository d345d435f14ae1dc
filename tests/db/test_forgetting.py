"""Somebody is forgotten in a database of every older version: nothing of them is left, and all matches still fold."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from quopri import decodestring

import pytest

from db.packed import unpack
from pbem.match import FORMER
from pbem.rulings import find_to_forget, forget_player
from tests.support.old_databases import VERSIONS, Running


def contents(file: Path) -> str:
    """Return all that stands in the tables, compressed and encoded bytes as what they hold."""
    with closing(sqlite3.connect(file)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        values = [value for table in tables for row in connection.execute(f"SELECT * FROM {table}") for value in row]
    found = [unpack(one) if isinstance(one, bytes) else str(one).encode() for one in values]
    return "\n".join(
        f"{text.decode(errors='replace')}\n{decodestring(text).decode(errors='replace')}" for text in found
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("version", VERSIONS[::-1])
@pytest.mark.parametrize("name", ["Dörte", "Ann"])
def test_nothing_of_them_is_left_and_all_matches_fold(
    version: str, name: str, start: Callable[[str], Running], tmp_path: Path
) -> None:
    """What others wrote may name them, and what waits or failed keeps its bytes."""
    running = start(version)
    service, file = running._service, tmp_path / "pbem.db"
    before = running.matches()
    player = find_to_forget(service, name)
    forget_player(service, player)
    for _ in range(2):
        running.deliver()
        service.clock.advance(timedelta(hours=2))  # type: ignore[attr-defined]  # the fake has hands
    with service.database.transaction() as tx:  # what is left out above
        tx.forgetting._connection.exec_driver_sql("UPDATE inbound SET raw = x'' WHERE status IN ('failed', 'received')")
    after = running.matches()
    assert before.keys() == after.keys()
    for number, match in before.items():
        assert after[number]["record"][: len(match["record"])] == match["record"]
        seats = [seat for seat, one in enumerate(match["players"]) if one == player.name]
        assert [after[number]["players"][seat] for seat in seats] == [FORMER] * len(seats)
        assert not [one for one in after[number]["comments"] if one[0] in seats]
        assert not seats or match["to_act"] not in seats or after[number]["to_act"] not in seats
    service.write_archive()
    pages = [path for path in (tmp_path / "archive").rglob("*") if path.is_file() and path.suffix != ".png"]
    shown = "\n".join(path.read_text() for path in pages)
    for text in (contents(file), shown):
        assert [line for line in text.splitlines() if name in line or player.email in line] == []
