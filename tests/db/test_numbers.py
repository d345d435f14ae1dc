"""Numbers never come back, and reply tokens hold a nonce of their match: after an upgrade, too."""

import sqlite3
from contextlib import closing
from pathlib import Path

from pbem.mail.reply_token import ReplyToken, sign_token
from tests.support.club import ADDRESS, SECRET, Club
from tests.support.fixture import newest_match
from tests.support.migrations import cells


def delete(file: Path, table: str, column: str, number: int) -> None:
    """Delete the row with a number, and whatever refers to it by ``column``, as if it had never been."""
    with closing(sqlite3.connect(file)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for other in tables:
            if column in [name for _, name, *_ in connection.execute("SELECT * FROM pragma_table_info(?)", (other,))]:
                connection.execute(f"DELETE FROM {other} WHERE {column} = ?", (number,))
        connection.execute(f"DELETE FROM {table} WHERE id = ?", (number,))
        connection.commit()


def test_a_new_match_gets_the_next_number_and_a_nonce(club: Club, tmp_path: Path) -> None:
    """Its emails can be answered; what is signed without its nonce proves nothing in it."""
    last = newest_match(club)
    number = club.open("pipline").id
    assert number == last + 1
    assert all(row["nonce"] for row in cells(tmp_path / "pbem.db")["match"])
    unsigned = ADDRESS.replace("@", f"+{sign_token(ReplyToken(number, 0, 0), SECRET)}@")
    club.written = 1000
    arrival = club.reply(0, "c3", match=number, To=unsigned, In_Reply_To="", References="")
    assert (arrival.message.status, club.moves(number)) == ("rejected", [])
    assert club.reply(0, "c3", match=number).message.status == "accepted"
    assert club.moves(number) == ["c3"]


def test_the_number_of_a_match_that_is_gone_does_not_come_back(club: Club, tmp_path: Path) -> None:
    """Not that of the last one either, which was opened before the upgrade."""
    last = newest_match(club)
    delete(tmp_path / "pbem.db", "match", "match_id", last)
    assert club.open("pipline").id == last + 1


def test_the_number_of_a_player_who_is_gone_does_not_come_back(club: Club, tmp_path: Path) -> None:
    """Keys of calendar feeds follow from it."""
    file = tmp_path / "pbem.db"
    last = max(row["id"] for row in cells(file)["player"])
    delete(file, "player", "player_id", last)
    club.open("pipline", ("Ann <ann@a.example>", "Olga <olga@o.example>"))
    assert {row["name"]: row["id"] for row in cells(file)["player"]}["Olga"] == last + 1
