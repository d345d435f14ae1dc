"""Since 0010 numbers never come back and reply tokens hold a nonce: in a database of any version, after its upgrade."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pbem.mail.reply_token import ReplyToken, sign_token
from tests.support.old_databases import VERSIONS, Running, cells, expected_matches, reply_to

pytestmark = pytest.mark.sampled(4)  # the oldest version, every fourth after it: `make slow` tries all


def delete(file: Path, table: str, column: str, number: int) -> None:
    """Delete the row with a number, and whatever refers to it by ``column``, as if it had never been."""
    with closing(sqlite3.connect(file)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for other in tables:
            if column in [name for _, name, *_ in connection.execute("SELECT * FROM pragma_table_info(?)", (other,))]:
                connection.execute(f"DELETE FROM {other} WHERE {column} = ?", (number,))
        connection.execute(f"DELETE FROM {table} WHERE id = ?", (number,))
        connection.commit()


LAST_WITHOUT_NONCE = 31
"""Matches of the databases of before 0010, from which those of later versions go on."""


def nonces(file: Path) -> dict[int, str]:
    """Return the nonce of every match."""
    return {row["id"]: row["nonce"] for row in cells(file)["match"]}


@pytest.mark.parametrize("version", VERSIONS)
def test_a_new_match_gets_the_next_number_and_a_nonce(
    version: str, start: Callable[[str], Running], tmp_path: Path
) -> None:
    """Its emails can be answered; what is signed as before there were nonces proves nothing in it."""
    running = start(version)
    running.deliver()
    number = running.open("pipline", "Ann", "Bob")
    assert number == max(expected_matches(version)) + 1
    found = nonces(tmp_path / "pbem.db")
    assert found.pop(number)
    before = {found[one] for one in found if one <= LAST_WITHOUT_NONCE}
    assert before == {""}
    (first,) = [message for message in running.deliver(match=number) if str(message["To"]).startswith("Ann")]
    unsigned = sign_token(ReplyToken(number, 0, 0), "a secret that is long enough")
    raw = reply_to(first, "c3", To=f"games+{unsigned}@play.example", In_Reply_To="", References="", Message_ID="<a@b>")
    assert running.hand_in(raw) == ("rejected", False)
    assert running.matches()[number]["record"] == []
    assert running.hand_in(reply_to(first, "c3")) == ("accepted", False)
    assert running.matches()[number]["record"] == [[0, "c3"]]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_number_of_a_match_that_is_gone_does_not_come_back(
    version: str, start: Callable[[str], Running], tmp_path: Path
) -> None:
    """Not that of the last one either, which was opened before the upgrade."""
    running = start(version)
    last = max(expected_matches(version))
    delete(tmp_path / "pbem.db", "match", "match_id", last)
    assert last not in running.matches()
    assert running.open("pipline", "Ann", "Bob") == last + 1


@pytest.mark.parametrize("version", VERSIONS)
def test_the_number_of_a_player_who_is_gone_does_not_come_back(
    version: str, start: Callable[[str], Running], tmp_path: Path
) -> None:
    """Keys of calendar feeds follow from it."""
    running, file = start(version), tmp_path / "pbem.db"
    last = max(row["id"] for row in cells(file)["player"])
    delete(file, "player", "player_id", last)
    running.open("pipline", "Ann", "Olga <olga@o.example>")
    assert {row["name"]: row["id"] for row in cells(file)["player"]}["Olga"] == last + 1
