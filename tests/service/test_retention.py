"""Old bytes are dropped, so that nobody fills the disk; what became of every message stays known."""

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event

from pbem.errors import PermanentFailure, TransientFailure
from pbem.ports import Fetched
from pbem.running.upkeep import DROPPED_AT_A_TIME
from pbem.settings.model import Settings
from tests.support.chosen import changed
from tests.support.club import Club, make_club
from tests.support.counting import counting
from tests.support.mails import message
from tests.support.running import inbound_messages

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
LIST_MAIL = message("buy now " * 20_000, From="news@shop.example", List_Id="<news.shop.example>", Message_ID="<1@shop>")


def drop(club: Club, after: timedelta = timedelta()) -> int:
    """Let time pass, and drop what is old then."""
    club.clock.advance(after)
    return asyncio.run(club.service.drop_old_bytes(pause=0))


def deliver(club: Club) -> None:
    """Send what is due."""
    asyncio.run(club.service.deliver())


def inbound_bytes(club: Club, number: int) -> bytes:
    """Return what is left of an inbound message."""
    with club.service.database.reading() as tx:
        return tx.inbound.raw(number)


def keep_for(club: Club, **days: int) -> None:
    """Change how long bytes are kept."""
    for name, value in days.items():
        setattr(club.service.settings, name, value)


def test_what_became_of_a_message_is_known_for_ever(club: Club) -> None:
    """Of old messages only the bytes go: sender, subject, disposition, commands and emails can still be looked up."""
    club.open()
    reply = club.answer(club.newest(0), "c3")
    club.service.hand_in(reply)
    club.reply(1, "z99")
    deliver(club)
    before, sent = inbound_messages(club), club.queued()
    assert drop(club, 89 * DAY) == len(sent)
    assert drop(club, DAY) == 2
    assert [inbound_bytes(club, one.id) for one in before] == [b"", b""]
    assert inbound_messages(club) == [replace(one, kept=False) for one in before]
    assert club.queued() == [replace(one, kept=False) for one in sent]
    assert drop(club, 3650 * DAY) == 0


def test_a_duplicate_of_a_message_without_bytes_is_recognised(club: Club) -> None:
    """A message that a mail server delivers again after a year is still the same one."""
    club.open()
    reply = club.answer(club.newest(0), "c3")
    club.service.hand_in(reply)
    drop(club, 400 * DAY)
    assert inbound_bytes(club, 1) == b""
    assert club.service.hand_in(reply).duplicate
    assert club.moves() == ["c3"]


def test_emails_that_have_not_gone_out_keep_their_bytes(settings: Settings) -> None:
    """What is queued can be sent for ever; what was sent is dropped after a fortnight, what was refused after eight."""
    club = make_club(changed(settings, operator=""))
    club.open(days="none")
    club.courier.fail([PermanentFailure("550 no such user"), TransientFailure("451 later")])
    deliver(club)
    assert [one.status for one in club.queued()] == ["refused", "queued"]
    assert drop(club, 13 * DAY) == 0
    deliver(club)
    assert drop(club, 13 * DAY) == 0
    assert drop(club, DAY) == 1
    assert [(one.status, one.kept) for one in club.queued()] == [("refused", True), ("sent", False)]
    assert drop(club, 28 * DAY) == 0
    assert drop(club, DAY) == 1
    assert [one.kept for one in club.queued()] == [False, False]
    club.service.database.close()


def test_emails_that_wait_are_never_dropped(club: Club) -> None:
    """What is queued can be sent for ever."""
    club.open()
    assert drop(club, 3650 * DAY) == 0


def test_emails_can_be_dropped_as_soon_as_they_are_sent(club: Club) -> None:
    """With keep_outbound_days = 0 a delivery leaves no bytes of what it has sent."""
    keep_for(club, keep_outbound_days=0)
    club.open()
    deliver(club)
    assert len(club.courier.carried) == 2
    assert [one.kept for one in club.queued()] == [False, False]


def test_a_message_that_waits_is_never_dropped(club: Club) -> None:
    """Received, and not processed: it does not matter for how long."""
    club.open()
    club.service.receive([Fetched(club.answer(club.newest(0), "c3"))])
    assert drop(club, 3650 * DAY) == 0
    club.service.process_waiting()
    assert club.moves() == ["c3"]


def test_a_message_that_met_a_bug_is_kept_four_times_longer(settings: Settings) -> None:
    """The operator has a year to have the bug mended, and to carry the message out."""
    broken = [True]

    def fail(waypoint: str) -> None:
        if broken[0] and waypoint == "while processing":
            raise RuntimeError

    club = make_club(settings, at=fail)
    club.open()
    club.reply(0, "c3")
    drop(club, 359 * DAY)
    assert inbound_bytes(club, 1)
    drop(club, DAY)
    assert inbound_bytes(club, 1) == b""
    with club.service.database.transaction() as tx:
        assert not tx.inbound.requeue(1)
    club.service.database.close()


def test_a_held_message_is_kept_as_long_as_its_player_can_answer(club: Club) -> None:
    """However short bytes are kept: a yes on the last day, and then one from the address on its own last day."""
    keep_for(club, keep_inbound_days=1, keep_outbound_days=0)
    club.open()
    held = club.answer(club.newest(0), "c3").replace(b"ann@a.example", b"ann@phone.example", 1)
    assert club.service.hand_in(held).message.reason == "unknown_address"
    question = club.newest(0)
    deliver(club)
    drop(club, 14 * DAY)
    club.service.hand_in(club.answer(question, "yes"))
    (asked,) = club.queued(kind="confirm_address")
    asking = club.mail(asked)
    drop(club, 13 * DAY)
    club.service.hand_in(club.answer(asking, "yes"))
    assert club.moves() == ["c3"]


def test_a_held_message_that_nobody_answers_for_is_dropped(club: Club) -> None:
    """A stranger who found a reply token cannot have bytes kept for longer than those of others."""
    keep_for(club, keep_inbound_days=1)
    club.open()
    club.service.hand_in(club.answer(club.newest(0), "c3").replace(b"ann@a.example", b"x@phone.example", 1))
    list(club.pass_time(28 * DAY))
    drop(club)
    assert inbound_bytes(club, 1)
    list(club.pass_time(2 * MINUTE))
    drop(club)
    assert inbound_bytes(club, 1) == b""


def test_list_mail_of_any_size_leaves_its_head_alone(club: Club) -> None:
    """From the moment it is discarded, it costs no more than a short message; it cannot be processed again."""
    club.service.hand_in(LIST_MAIL)
    assert inbound_bytes(club, 1) == LIST_MAIL.partition(b"\n\n")[0] + b"\n\n"
    (kept,) = inbound_messages(club)
    assert (kept.status, kept.kept, kept.whole) == ("discarded", True, False)
    with club.service.database.transaction() as tx:
        assert not tx.inbound.requeue(1)
    assert club.service.hand_in(LIST_MAIL).duplicate


def test_a_head_without_end_is_cut(club: Club) -> None:
    """A discarded message that is one long header leaves eight kilobytes."""
    endless = b"List-Id: <x>\nFrom: news@shop.example\n" + b"X-Filler: more of it\n" * 6000
    club.service.hand_in(endless)
    assert inbound_bytes(club, 1) == endless[:8192]


def test_a_stranger_cannot_fill_the_disk_with_large_messages(club: Club) -> None:
    """Whatever they send, as a bounce or under any name, little of it stays; a move of any size stays whole."""
    club.open()
    noise = Random(1).randbytes(90_000).hex()
    club.service.hand_in(message(noise, From="x@else.example", Message_ID="<1@x>"))
    club.service.hand_in(message(noise, From="MAILER-DAEMON@mx.example", Message_ID="<2@x>"))
    club.service.hand_in(b"\0" * 180_000)
    club.service.hand_in(club.answer(club.newest(0), f"c3\n\n> {noise}"))
    assert [(one.code, len(inbound_bytes(club, one.id)) <= 16_384) for one in inbound_messages(club)] == [
        ("unknown_sender", True),
        ("bounce", True),
        ("unreadable", True),
        ("", False),
    ]


def test_a_bounce_and_what_is_of_a_match_are_kept_whole(club: Club) -> None:
    """The operator may have to read a bounce, and a player may ask about their message."""
    club.open()
    bounce = message("no such user", From="MAILER-DAEMON@mx.example", Subject="Undelivered", Message_ID="<1@mx>")
    club.service.hand_in(bounce)
    move = club.answer(club.newest(0), "c3")
    club.service.hand_in(move)
    again = move.replace(b"<reply-1@", b"<again@")
    club.service.hand_in(again)
    assert [(one.code, one.is_complete) for one in inbound_messages(club)] == [
        ("bounce", True),
        ("", True),
        ("a_move_sent_again", True),
    ]
    assert [inbound_bytes(club, number) for number in (1, 2, 3)] == [bounce, move, again]


def test_years_of_list_mail_leave_nothing(club: Club) -> None:
    """Discarded messages of no match go altogether after four times as long; those of a match stay."""
    club.open()
    club.service.hand_in(LIST_MAIL)
    move = club.answer(club.newest(0), "c3")
    club.service.hand_in(move)
    club.service.hand_in(move.replace(b"<reply-1@", b"<again@"))
    drop(club, 359 * DAY)
    assert [one.status for one in inbound_messages(club)] == ["discarded", "accepted", "discarded"]
    drop(club, DAY)
    assert [one.status for one in inbound_messages(club)] == ["accepted", "discarded"]


def test_a_discarded_message_that_caused_an_email_stays(club: Club) -> None:
    """The email says what it answers."""
    club.service.hand_in(LIST_MAIL)
    with closing(sqlite3.connect(club.service.database.file or "")) as connection:
        connection.execute(
            "INSERT INTO outbound (message_id, kind, recipient, subject, raw, status, attempts, unknown, error,"
            " created_at, due_at, inbound_id, notice_key, bounce_status, quotable, kept, size, envelope)"
            " VALUES ('<1@x>', 'needs', 'op@x', '', x'', 'sent', 1, 0, '', 0, 0, 1, '', '', x'', 1, 0, 'null')"
        )
        connection.commit()
    drop(club, 3650 * DAY)
    assert len(inbound_messages(club)) == 1


@pytest.mark.parametrize("later", [0, 14])
def test_a_reply_that_quotes_a_dropped_email_is_read_as_before(club: Club, later: int) -> None:
    """The words of an old notice, quoted without any mark, are not taken for the player's own.

    It is among the latest twelve emails to the seat, or named by the reply.
    """
    club.open(size=6)
    notice = club.newest(0)
    for number in range(later):
        club.reply(1, f"say: {'word ' * number}again")
    deliver(club)
    drop(club, 20 * DAY)
    assert not any(one.kept for one in club.queued())
    own = "say: no, I shall be away on Sunday"
    content = notice.get_body(("plain",))
    assert content is not None
    quoted = f"{own}\n\n{content.get_content()}"
    arrival = club.service.hand_in(club.answer(notice, quoted))
    assert (arrival.message.status, arrival.message.commands) == ("accepted", (own,))


def _fill(club: Club, messages: int) -> None:
    """Store that many settled list mails."""
    for number in range(messages):
        club.service.receive([Fetched(LIST_MAIL.replace(b"<1@shop>", b"<%d@shop>" % number)[:400])])
    club.service.process_waiting()


def test_dropping_takes_short_transactions(club: Club) -> None:
    """Nobody waits for more than a few hundred rows, and an hour without old messages costs one statement a step."""
    _fill(club, 2 * DROPPED_AT_A_TIME + 50)
    with counting() as counts:
        assert drop(club, 90 * DAY) == 2 * DROPPED_AT_A_TIME + 50
    assert (counts["statements"], counts["commits"]) == (3 + 3 * 4 + 3, 1 + 3)  # of which the first writes nothing
    with counting() as counts:
        assert drop(club) == 0
    assert (counts["statements"], counts["commits"]) == (7, 1)


def test_dropped_bytes_leave_their_room_to_others(club: Club) -> None:
    """Rows that are made smaller would leave their pages half empty for ever, and the file would grow on."""
    for number in range(DROPPED_AT_A_TIME + 50):
        text = Random(number).randbytes(1200).hex()
        club.service.receive([Fetched(message(text, From="MAILER-DAEMON@mx.example", Message_ID=f"<{number}@mx>"))])
    club.service.process_waiting()
    before = _used_pages(club)
    assert drop(club, 90 * DAY) == DROPPED_AT_A_TIME + 50
    assert _used_pages(club) < before * 0.75


def _used_pages(club: Club) -> int:
    """Return how many pages of the file hold anything."""
    with closing(sqlite3.connect(club.service.database.file or "")) as connection:
        ((pages,),) = connection.execute("PRAGMA page_count")
        ((free,),) = connection.execute("PRAGMA freelist_count")
    return int(pages - free)


def test_a_pass_that_is_cut_short_loses_nothing(club: Club) -> None:
    """What was dropped is dropped, and the next pass goes on."""
    _fill(club, DROPPED_AT_A_TIME + 10)
    club.clock.advance(90 * DAY)

    async def die() -> None:
        pass_ = asyncio.ensure_future(club.service.drop_old_bytes(pause=3600))
        for _ in range(5):
            await asyncio.sleep(0)
        pass_.cancel()

    asyncio.run(die())
    assert sum(not one.kept for one in inbound_messages(club)) == DROPPED_AT_A_TIME
    assert drop(club) == 10


def test_dropping_looks_at_old_messages_alone(club: Club) -> None:
    """Every statement finds its rows by an index, of which dropped ones are no part."""
    seen: list[tuple[str, Any]] = []

    def note(connection: Connection, cursor: Any, statement: str, parameters: Any, *others: Any) -> None:
        seen.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        drop(club)
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    with closing(sqlite3.connect(club.service.database.file or "")) as connection:
        plans = [
            " ".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters))
            for statement, parameters in seen
            if statement.startswith(("SELECT", "UPDATE", "DELETE"))
        ]
    indexes = (
        "seat_offer_state_asked_at",
        *("outbound_kept", "outbound_status_due_at", "inbound_kept", "inbound_useless"),
    )
    assert len(plans) == len(indexes)
    for plan, index in zip(plans, indexes, strict=True):
        assert f"ix_{index} (" in plan, plan
        assert "SCAN inbound" not in plan
        assert "SCAN outbound" not in plan
