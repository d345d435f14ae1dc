"""Somebody is forgotten after an upgrade: nothing of them is left, and all matches still fold."""

import asyncio
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from quopri import decodestring

import pytest

from db.packed import unpack
from pbem.match.player import FORMER
from pbem.running.operator_rulings import find_to_forget, forget_player
from tests.support.club import Club
from tests.support.fixture import describe_matches


def contents(file: Path) -> str:
    """Return all that stands in the tables, compressed and encoded bytes as what they hold."""
    with closing(sqlite3.connect(file)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        values = [value for table in tables for row in connection.execute(f"SELECT * FROM {table}") for value in row]
    found = [unpack(one) if isinstance(one, bytes) else str(one).encode() for one in values]
    return "\n".join(
        f"{text.decode(errors='replace')}\n{decodestring(text).decode(errors='replace')}" for text in found
    )


@pytest.mark.parametrize("name", ["Carl", "Ida"])
def test_nothing_of_them_is_left_and_all_matches_fold(name: str, club: Club, tmp_path: Path) -> None:
    """What others wrote may name them, and what waits or failed keeps its bytes."""
    service, file = club.service, tmp_path / "pbem.db"
    before = describe_matches(club)
    player = find_to_forget(service, name)
    assert player.name in contents(file)
    forget_player(service, player)
    for _ in range(2):
        asyncio.run(service.deliver())
        club.clock.advance(timedelta(hours=2))
    with service.database.transaction() as tx:  # what is left out above
        tx.forgetting._connection.exec_driver_sql("UPDATE inbound SET raw = x'' WHERE status IN ('failed', 'received')")
    after = describe_matches(club)
    assert before.keys() <= after.keys()  # a season opens its matches one by one
    for number, match in before.items():
        assert after[number]["record"][: len(match["record"])] == match["record"]
        seats = [seat for seat, one in enumerate(match["players"]) if one == player.name]
        assert [after[number]["players"][seat] for seat in seats] == [FORMER] * len(seats)
        assert not [one for one in after[number]["comments"] if one[0] in seats]
        assert not seats or match["to_act"] not in seats or after[number]["to_act"] not in seats
    service.write_archive()
    pages = [path for path in (tmp_path / "archive").rglob("*") if path.is_file() and path.suffix != ".png"]
    shown = "\n".join(path.read_bytes().decode(errors="replace") for path in pages)
    for text in (contents(file), shown):
        assert [line for line in text.splitlines() if name in line or player.email in line] == []
