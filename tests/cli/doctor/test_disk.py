"""How long the disk lasts, and what the operator reads of messages whose bytes are gone."""

import asyncio
import json
import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from pbem.cli.keep.disk import check_disk, count_days
from pbem.errors import BadInput
from pbem.running.machine import SystemClock
from pbem.running.service import Service
from pbem.settings.model import Settings
from pbem.storage.database import Database
from pbem.storage.disk import Growth
from tests.support.club import Club
from tests.support.command_line import ANN, Pbem
from tests.support.counting import counting
from tests.support.fakes import FakeDice

NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
DAY = timedelta(days=1)


def test_the_room_lasts_until_the_rows_fill_it() -> None:
    """What is dropped takes room once, for as many days as it is kept; what stays takes room every day."""
    old = Growth(700, dropped=10_000, stays=1_000, oldest=NOW - 400 * DAY)
    young = Growth(700, dropped=10_000, stays=1_000, oldest=NOW - 80 * DAY)
    week = 7 * DAY
    assert count_days([(old, 90)], week, 20 * 100 * 1_000, NOW) == 20
    assert count_days([(young, 90)], week, 5 * 100 * 11_000, NOW) == 5
    assert count_days([(young, 90)], week, 10 * 100 * 11_000 + 7 * 100 * 1_000, NOW) == 17
    assert count_days([(old, 90), (old, 14)], week, 20 * 100 * 1_000, NOW) == 10
    assert count_days([(Growth(0, 0, 900, None), 90)], week, 1, NOW) == 3650


def test_growth_is_told_from_few_rows(club: Club) -> None:
    """The number of rows since a day is found without looking at all of them, gaps included."""
    database = club.service.database
    with closing(sqlite3.connect(database.file or "")) as connection:
        for number in range(1, 3001):
            at = (NOW - timedelta(hours=3000 - number)).strftime("%Y-%m-%d %H:%M:%S.000000")
            connection.execute(
                "INSERT INTO inbound (id, identity, raw, whole, received_at, status, reason, detail, subject, commands,"
                " code, kept, share) VALUES (?, ?, ?, 1, ?, 'accepted', '', '', '', '[]', '', 1, 1)",
                (number + (number > 1000) * 5000, str(number), b"x" * 150, at),
            )
        connection.commit()
    with database.reading() as tx, counting() as counts:
        found = tx.disk.measure_inbound(NOW - 7 * DAY)
    assert (found.rows, found.dropped, found.oldest) == (169, 150, NOW - timedelta(hours=2999))
    assert counts["statements"] < 20
    with database.reading() as tx:
        assert tx.disk.measure_inbound(NOW + DAY).rows == 0
        assert tx.disk.measure_outbound(NOW - DAY).rows == 0


def test_a_full_disk_is_told(pbem: Pbem) -> None:
    """Under 200 MB, or a month, is a fault; the sentence says which settings make room."""
    settings, database = Settings(), Database("sqlite:///pbem.db")
    assert "it lasts for years" in check_disk(settings, database, free=10**12)
    with pytest.raises(BadInput, match="keep_outbound_days"):
        check_disk(settings, database, free=150_000_000)
    with closing(sqlite3.connect("pbem.db")) as connection:
        connection.execute("UPDATE outbound SET raw = zeroblob(9000000)")
        connection.commit()
    with pytest.raises(BadInput, match="lasts about 8 days"):
        check_disk(settings, database, free=220_000_000)
    database.close()


def test_a_disk_that_is_read_only_is_told(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite goes on reading there, so that no other line says it."""
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK)
    assert "pbem.db: the disk is read-only, or the file is somebody else’s.\n" in pbem("doctor", "disk").out


def test_what_a_thousand_moves_take_is_told_once_there_were_a_hundred(over: Pbem) -> None:
    """Of the last 30 days; what stays of them, and what is dropped one day."""
    settings, database = Settings(), Database("sqlite:///pbem.db")
    assert "thousand moves" not in check_disk(settings, database, free=10**12)
    with closing(sqlite3.connect("pbem.db")) as connection:
        (made,) = connection.execute("SELECT max(made_at) FROM matchentry").fetchone()
        rows = [(1, ply, 0, "c3", made) for ply in range(1000, 1200)]
        connection.executemany(
            "INSERT INTO matchentry (match_id, ply, seat, text, made_at) VALUES (?, ?, ?, ?, ?)", rows
        )
        connection.execute("UPDATE outbound SET raw = zeroblob(10000), quotable = x''")
        connection.execute("UPDATE inbound SET raw = zeroblob(0)")
        (moves,) = connection.execute("SELECT count(*) FROM matchentry").fetchone()
        (emails,) = connection.execute("SELECT count(*) FROM outbound").fetchone()
        connection.commit()
    told = check_disk(settings, database, free=10**12)
    database.close()
    expected = emails * 10_000 / moves  # kilobytes for a thousand moves
    assert f"for good, and {expected:.0f} kB until old emails are dropped" in told


def test_the_doctor_tells_how_long_the_disk_lasts(pbem: Pbem) -> None:
    """One line of its own."""
    (told,) = [line for line in pbem("doctor").out.splitlines() if line[2:].startswith("disk")]
    assert " MB" in told or " kB" in told


def drop_all(pbem: Pbem) -> None:
    """Let everything be settled and sent long ago, and drop its bytes."""
    with closing(sqlite3.connect("pbem.db")) as connection:
        connection.execute("UPDATE inbound SET settled_at = '2020-01-02 03:04:00.000000'")
        connection.execute("UPDATE outbound SET status = 'sent', sent_at = '2020-01-02 03:04:00.000000'")
        connection.commit()
    database = Database("sqlite:///pbem.db")
    settings = Settings(address="games@example.org", secret="a secret that is long enough")
    service = Service(settings, database, clock=SystemClock(), dice=FakeDice())
    assert asyncio.run(service.drop_old_bytes(pause=0))
    database.close()


def test_what_is_gone_is_told_and_what_became_of_it(over: Pbem) -> None:
    """Every command says since when, and which setting it is; the rest is shown as before."""
    over.done("receive", stdin=over.answer(8, "c4", "<late@example.org>"))
    drop_all(over)
    assert not any(one["kept"] for one in over.done("inbound", "list", "--json").json)
    assert not any(one["kept"] for one in over.done("outbound", "list", "--json").json)
    gone = "settled at 2020-01-02 03:04 UTC, are gone: keep_inbound_days"
    over.refuses("inbound", "show", "1", "--raw", code=64, says=gone)
    over.refuses("inbound", "retry", "4", code=64, says=gone)
    over.refuses("inbound", "retry", "1", code=64, says="Message 1 was accepted")
    over.refuses(
        "outbound", "show", "1", "--raw", code=64, says="sent at 2020-01-02 03:04 UTC, are gone: keep_outbound_days"
    )
    shown = over.done("inbound", "show", "1").out
    assert gone in shown
    assert "carried out:  c3" in shown
    assert f"from:         {ANN}" in shown
    assert "keep_outbound_days" in over.done("outbound", "show", "1").out


def test_a_player_gets_the_board_instead_of_an_email_that_is_gone(over: Pbem) -> None:
    """It is a new email, in the thread of their match; the operator is told, and may do so again."""
    drop_all(over)
    before = over.done("outbound", "list", "--json").json
    told = over.done("outbound", "retry", "1").out
    assert "are gone: keep_outbound_days" in told
    assert "Ann gets the board of match 1" in told
    (added,) = [one for one in over.done("outbound", "list", "--json").json if one not in before]
    assert (added["kind"], added["to"], added["match"], added["status"]) == ("show", ANN, 1, "queued")
    assert added["kept"]
    assert added["message_id"] not in {one["message_id"] for one in before}


def test_an_email_outside_matches_cannot_be_made_again(pbem: Pbem) -> None:
    """The answer to a stranger is gone for good."""
    pbem.done("receive", stdin=b"From: x@else.example\nTo: games@example.org\nMessage-ID: <1@x>\n\nhello\n")
    drop_all(pbem)
    number = max(one["id"] for one in pbem.done("outbound", "list", "--json").json)
    pbem.refuses("outbound", "retry", str(number), code=64, says=f"Email {number} belongs to no match")


def test_a_player_who_wants_no_email_gets_none_instead_of_one_that_is_gone(pbem: Pbem) -> None:
    """To unsubscribe counts for what the operator sends again, too."""
    pbem.done("receive", stdin=pbem.answer(1, "unsubscribe"))
    drop_all(pbem)
    pbem.refuses("outbound", "retry", "1", code=64, says="has unsubscribed")


def test_the_head_of_list_mail_can_be_read_and_not_be_processed(pbem: Pbem) -> None:
    """``show --raw`` prints what is there, ``retry`` says why that is not enough."""
    head = b"From: news@shop.example\nList-Id: <news.shop.example>\nMessage-ID: <1@shop>\n\n"
    pbem.done("receive", stdin=head + b"buy now\n" * 100)
    assert pbem.done("inbound", "show", "1", "--raw").out.encode() == head
    (listed,) = json.loads(pbem.done("inbound", "list", "--json").out)
    assert (listed["status"], listed["kept"]) == ("discarded", False)
    assert "Only the head of message 1 is kept" in pbem.done("inbound", "show", "1").out
    pbem.refuses(
        "inbound", "retry", "1", code=64, says="Only the head of message 1 is kept, since it was discarded: list."
    )
