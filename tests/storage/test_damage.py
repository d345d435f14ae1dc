"""A damaged match is one sentence that says what is wrong where; the others are read without it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pbem.errors import DamagedMatch
from pbem.storage.damage import list_damage, list_damaged_rows_in
from tests.support.club import PLAYERS, Club

DAMAGES = {
    "UPDATE match SET game = 'chess' WHERE id = 2": "its game is “chess”",
    "UPDATE match SET options = '{\"size\": 0}' WHERE id = 2": "its options will not do (",
    "UPDATE match SET options = '[5' WHERE id = 2": "its game, its options or a time cannot be read (",
    "UPDATE match SET seats = 3 WHERE id = 2": "it is for “3” players",
    "UPDATE match SET opened_at = 'then' WHERE id = 2": "its game, its options or a time cannot be read (",
    "UPDATE place SET seat = 5 WHERE match_id = 2 AND seat = 0": "seat 1 has no player",
    "DELETE FROM address WHERE email = 'carl@c.example'": "seat 2 has no player with an address",
    "UPDATE matchentry SET ply = 9 WHERE match_id = 2 AND ply = 1": "entry 2 of its record is missing",
    "UPDATE matchentry SET text = '?' WHERE match_id = 2 AND ply = 1": "the record stops making sense at entry 2: ",
    "UPDATE matchentry SET text = 'a1' WHERE match_id = 2 AND ply = 2": "the record stops making sense at entry 3: ",
    "UPDATE matchentry SET seat = 7 WHERE match_id = 2 AND ply = 2": "entry 3 of its record is no move of its players",
    "UPDATE matchentry SET made_at = 'now' WHERE match_id = 2 AND ply = 2": "entry 3 of its record cannot be read (",
    "UPDATE matchentry SET text = CAST(x'ff' AS TEXT) WHERE match_id = 2 AND ply = 0": "entry 1 of its record cannot",
    "UPDATE remark SET seat = 7 WHERE match_id = 2": "a comment in it, of seat “7”, is",
    "UPDATE remark SET ply = 70 WHERE match_id = 2": "a comment in it, of seat “1”, is",
}


@pytest.fixture
def damaged(club: Club, request: pytest.FixtureRequest) -> Club:
    """A club of three matches, after an SQL statement has damaged the second, in which Carl plays."""
    for players in (PLAYERS[:2], PLAYERS[::2], PLAYERS[:2]):
        club.open(players=players)
    for seat, move in enumerate(("a1", "take\nsay: hello", "c3")):
        club.reply(seat % 2, move, match=2)
    execute(club, request.param)
    return club


def execute(club: Club, statement: str) -> None:
    """Execute an SQL statement as a hand with sqlite3 would, without foreign keys."""
    with closing(sqlite3.connect(str(club.service.database.file))) as connection, connection:
        connection.execute(statement)


@pytest.mark.parametrize(("damaged", "what"), DAMAGES.items(), indirect=["damaged"])
def test_a_damaged_match_says_what_is_wrong_where(damaged: Club, what: str, caplog: pytest.LogCaptureFixture) -> None:
    """To whoever asks for it, and to the operator; the others are read, and one line of the log tells of it."""
    with damaged.service.database.reading() as tx:
        with pytest.raises(DamagedMatch) as caught:
            tx.matches.get(2, comments=True)
        assert [match.id for match in tx.matches.all(comments=True)] == [1, 3]
    assert caught.value.id == 2
    assert caught.value.what.startswith(what)
    assert [record.getMessage() for record in caplog.records] == [str(caught.value)]
    assert str(caught.value) in list_damage(damaged.service.database)


def test_a_sound_database_has_no_damage(club: Club) -> None:
    """Matches that wait for rolls, go on, and are over."""
    for players in (PLAYERS[:2], PLAYERS[::2], PLAYERS[:2]):
        club.open(players=players)
    club.open(order="lot")
    club.reply(0, "a1")
    club.reply(0, "resign", match=2)
    assert list_damage(club.service.database) == []


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM matchentry WHERE ply = 1",
        "UPDATE match SET over_at = opened_at",
        "UPDATE match SET standing = json_set(standing, '$.to_act', 1)",
        "INSERT INTO due VALUES ('chores', 1, '2026-11-20 18:30:00.000000', 0, NULL, '', NULL)",
        "INSERT INTO due VALUES ('first_rolls', 9, '2026-11-20 18:30:00.000000', 0, NULL, '', NULL)",
        "UPDATE place SET player_id = 9 WHERE seat = 0",
    ],
)
def test_what_replays_and_contradicts_itself_is_found(club: Club, statement: str, tmp_path: Path) -> None:
    """An entry is gone, a match that goes on counts as over, something is due that cannot be done; in a copy too."""
    club.open()
    club.reply(0, "c3")
    club.reply(1, "take")
    execute(club, statement)
    found = list_damage(club.service.database)
    assert found
    copy = tmp_path / "copy.db"
    club.service.database.copy_to(copy)
    assert list_damaged_rows_in(copy) == found
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("copy")] == ["copy.db"]


def test_a_standing_that_makes_no_sense_is_not_believed(club: Club) -> None:
    """Lists replay such a match, and its next move stores how it stands."""
    club.open()
    for nonsense in ("[]", "3", "{}", "nonsense", '{"ply": 1}', '{"winners": [9]}'):
        execute(club, f"UPDATE match SET standing = '{nonsense}'")
        with club.service.database.reading() as tx:
            (found,) = tx.matches.summaries()
        assert not isinstance(found, DamagedMatch)
        assert found.standing.ply == 0
    club.reply(0, "c3")
    assert list_damage(club.service.database) == []


async def test_bytes_that_are_no_email_are_never_sent(club: Club) -> None:
    """Three bytes stand where an email was: it ends as refused, and the other is sent."""
    club.open()
    execute(club, "UPDATE outbound SET raw = x'ff00fe' WHERE id = 1")
    report = await club.service.deliver()
    assert (report.sent, [mail.id for mail in club.queued(status="refused")]) == (1, [1])
    assert len(club.courier.carried) == 1


async def test_an_email_whose_bytes_are_damaged_keeps_back_no_other(club: Club) -> None:
    """It ends as refused, which the doctor tells; and a message of which the same is true ends as failed."""
    club.open()
    execute(club, "UPDATE outbound SET raw = x'007a6c69620000' WHERE id = 1")
    report = await club.service.deliver()
    assert (report.sent, [mail.id for mail in club.queued(status="refused")]) == (1, [1])
    club.service.receive([])
    with club.service.database.transaction() as tx:
        number = tx.inbound.add("x", b"From: ann@a.example\n\nhello", True, None, "", club.clock.now())
    execute(club, "UPDATE inbound SET raw = x'007a6c69620000'")
    assert club.service.process_waiting() == 1
    with club.service.database.reading() as tx:
        message = tx.inbound.get(number or 0)
    assert message
    assert (message.status, message.code) == ("failed", "damaged")


def test_a_damaged_block_stops_no_list_and_is_named(club: Club) -> None:
    """The time of a block is nonsense: who is blocked is known all the same."""
    execute(club, "INSERT INTO blocked VALUES ('carl@c.example', 'then', '')")
    with club.service.database.reading() as tx:
        assert tx.blocked.among(["carl@c.example", "ann@a.example"]) == {"carl@c.example"}
    assert len(list_damage(club.service.database)) == 1
