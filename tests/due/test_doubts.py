"""A clock that jumped: how it proves right again, who can't make it, what is told, and answers that lay unread."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from email.utils import format_datetime

import pytest

from pbem.due.needs import list_needs
from pbem.due.outages import DOUBTED, RECEIVES, SENDS
from pbem.match.timing import deadline_of
from pbem.running.heartbeats import taken_in_at
from pbem.settings.model import Settings
from pbem.storage.due import ASKED, DIGEST_DUE, NEEDS_DUE, RESTORED_DUE
from tests.support.clocks import clock, opened
from tests.support.club import PLAYERS, Club
from tests.support.each import each
from tests.support.fakes import FakeClock, FakeNotes
from tests.support.mails import message, text_of

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
AHEAD = timedelta(days=400)


@pytest.fixture
def club(settings: Settings, new_club: Callable[..., Club]) -> Club:
    """A club with a mailbox, and a match in which both may send words for the first roll, for a day."""
    settings.imap_url = "imap://games@fake"
    club = new_club()
    asyncio.run(club.service.poll())
    club.service.open("pippip", PLAYERS[:2], {})
    asyncio.run(club.service.deliver())
    return club


def passes(club: Club, by: timedelta = timedelta(), *, every: timedelta = 20 * MINUTE) -> None:
    """Let time pass, while the service reads and sends."""
    end = club.clock.now() + by
    while True:
        asyncio.run(club.service.poll())
        asyncio.run(club.service.deliver())
        if club.clock.now() >= end:
            return
        club.clock.advance(min(every, end - club.clock.now()))


def jumped(club: Club, by: timedelta = AHEAD) -> Club:
    """Let the clock jump, and the service see it."""
    club.clock.jump(by)
    passes(club)
    assert doubted(club)
    return club


def doubted(club: Club) -> bool:
    """Return whether the clock is doubted."""
    with club.service.database.reading() as tx:
        return DOUBTED in tx.heartbeats.last()


def email(club: Club, *, received: timedelta | None = None, date: timedelta = timedelta()) -> bytes:
    """Return a stranger's email with a header Date, taken in by our server at a time, both counted from now."""
    club.written += 1
    raw = message("hello", From="x@x.example", Message_ID=f"<{club.written}@x>", Date=_date(club, date))
    forged = b"Received: from x by y; " + _date(club, date).encode() + b"\r\n"
    taken = b"" if received is None else b"Received: from x by mx; " + _date(club, received).encode() + b"\r\n"
    return taken + forged + raw if received is not None else raw


def _date(club: Club, by: timedelta) -> str:
    return format_datetime(club.clock.now() + by)


def test_an_hour_in_step_and_the_mail_server_end_the_doubt(club: Club) -> None:
    """Neither alone does; and what was put off then happens, in the time that the service worked."""
    jumped(club)
    club.service.heartbeats.hear(club.clock.now(), is_sure=True)
    passes(club, 50 * MINUTE)
    assert doubted(club)
    passes(club, 20 * MINUTE)
    assert not doubted(club)
    passes(club, DAY, every=HOUR)
    assert not club.match().awaits_seeds


def test_an_email_that_our_server_took_in_now_says_the_same(club: Club) -> None:
    """By what it writes above all that its sender could write."""
    jumped(club)
    club.mailbox.put(email(club, received=-MINUTE))
    passes(club, 70 * MINUTE)
    assert not doubted(club)


@each("received, date", [(-AHEAD, timedelta()), (None, timedelta()), (-2 * HOUR, -2 * HOUR), (AHEAD, AHEAD)])
def test_a_stranger_ends_no_doubt(club: Club, received: timedelta | None, date: timedelta) -> None:
    """Whatever their Date says, and whatever traces they write below that of our server."""
    if not doubted(club):
        jumped(club)
    club.mailbox.put(*(email(club, received=received, date=date) for _ in range(3)))
    passes(club, 2 * HOUR)
    assert doubted(club)


@each("date", [-AHEAD, AHEAD, timedelta()])
def test_a_stranger_begins_none_and_stops_no_clock(club: Club, date: timedelta) -> None:
    """Whatever the Date and the traces of their emails say."""
    if len(club.queued()) < 4:
        opened(club, "c3", days=3)
    end = deadline_of(club.match(2))
    club.mailbox.put(email(club, received=date, date=date), email(club, date=date))
    passes(club, HOUR)
    assert not doubted(club)
    assert (deadline_of(club.match(2)), club.outages()) == (end, [])


def test_a_mail_server_that_says_another_time_keeps_the_doubt(club: Club) -> None:
    """For days, if it must be; without anybody who says so a day in step is enough."""
    notes = FakeNotes()
    club.service.own(notes)
    jumped(club)
    notes.at = club.clock.now() - AHEAD
    passes(club, DAY + HOUR, every=HOUR)
    assert doubted(club)
    assert len(notes.lying) == 1
    notes.at = None
    passes(club, DAY, every=HOUR)
    assert not doubted(club)


def test_a_mail_server_that_says_the_same_is_asked_by_a_note(club: Club) -> None:
    """It dates it; only the note that says whose the mailbox is stays there."""
    notes = FakeNotes()
    club.service.own(notes)
    notes.at = club.clock.now() + AHEAD
    jumped(club)
    passes(club, 70 * MINUTE)
    assert not doubted(club)
    assert len(notes.lying) == 1


def test_another_jump_begins_the_hour_anew(club: Club) -> None:
    """And a service that begins anew each time, as from cron, goes on counting."""
    jumped(club)
    passes(club, 50 * MINUTE)
    jumped(club, AHEAD)
    club.service.heartbeats.hear(club.clock.now(), is_sure=True)
    passes(club, 50 * MINUTE)
    assert doubted(club)


def test_the_hour_goes_on_over_restarts(club: Club, new_club: Callable[..., Club]) -> None:
    """As on hosts that read and send from cron."""
    jumped(club)
    for _ in range(8):
        club = new_club(clock=club.clock, mailbox=club.mailbox, courier=club.courier)
        passes(club)
        club.service.heartbeats.hear(club.clock.now(), is_sure=True)
        club.clock.advance(10 * MINUTE)
    passes(club)
    assert not doubted(club)


def test_a_worker_on_another_machine_neither_keeps_a_doubt_nor_begins_one(
    club: Club, new_club: Callable[..., Club]
) -> None:
    """Its monotonic time began at another moment, which says nothing."""
    elsewhere = FakeClock(club.clock.now() - 9 * DAY)
    elsewhere.advance(9 * DAY)
    worker = new_club(clock=elsewhere)
    club.clock.advance(2 * HOUR)
    elsewhere.advance(2 * HOUR)
    worker.service.processing._on_look()
    assert not doubted(club)
    jumped(club)
    club.service.heartbeats.hear(club.clock.now(), is_sure=True)
    for _ in range(4):
        passes(club, 20 * MINUTE)
        elsewhere.advance(club.clock.now() - elsewhere.now())
        worker.service.processing._on_look()
    passes(club)
    assert not doubted(club)


@pytest.mark.parametrize("kind", [*ASKED, RESTORED_DUE, NEEDS_DUE, DIGEST_DUE])
def test_what_was_put_into_a_calendar_that_was_wrong_comes_in_its_time(club: Club, kind: str) -> None:
    """Robots move, matches open and digests come once the clock is right again, and not in 400 days."""
    club.reply(0, "digest mon 07:30")
    with club.service.database.transaction() as tx:
        tx.due.schedule(kind, 1, club.clock.now() + AHEAD)
    club.clock.jump(AHEAD)
    club.service.heartbeats.beat({SENDS: club.clock.now()})
    club.clock.jump(-AHEAD)
    club.service.heartbeats.look()
    with club.service.database.reading() as tx:
        assert tx.due.waiting_after(kind, club.clock.now() + 7 * DAY) == []
        assert tx.due.is_scheduled(kind, 1)


def test_a_process_that_hung_is_no_jump(club: Club) -> None:
    """Monotonic time says that as much time has passed; it is an outage, and no more."""
    club.clock.advance(5 * HOUR)
    passes(club)
    assert not doubted(club)
    assert club.outages() == [5 * HOUR]


def test_the_operator_is_told_once_what_was_put_off(club: Club) -> None:
    """And how to end it; it is gone from the doctor when it is over."""
    jumped(club)
    passes(club, 23 * HOUR, every=HOUR)
    club.service.heartbeats.hear(club.clock.now() - AHEAD, is_sure=True)
    passes(club, 3 * HOUR)
    (told,) = club.queued(kind="needs")
    assert "first rolls (1)" in text_of(club.mail(told))
    assert "pbem trust-clock" in " ".join(text_of(club.mail(told)).split())
    with club.service.database.reading() as tx:
        assert [one.code for one in list_needs(tx)] == ["clock_doubted"]
    club.service.heartbeats.trust()
    with club.service.database.reading() as tx:
        assert list_needs(tx) == []
    passes(club)
    assert not club.match().awaits_seeds


def test_a_host_who_plays_forces_no_first_roll(club: Club) -> None:
    """Bob's words came in time and lie unread; Ann's own emails, which come by a pipe meanwhile, bring no roll."""
    club.mailbox.put(club.answer(club.newest(1), "salt bob's words"))
    with club.service.database.transaction() as tx:
        tx.heartbeats.beat(SENDS, club.clock.now() + 26 * HOUR)
    club.clock.advance(26 * HOUR)
    for text in ("salt ann's words", "say: Hello!", "ready"):
        club.reply(0, text)
        asyncio.run(club.service.deliver())
    assert club.match().awaits_seeds
    passes(club)
    assert set(club.match().seeds) == {"ann's words", "bob's words"}


def test_an_answer_that_lay_unread_is_not_late(club: Club) -> None:
    """The question was to be answered within two weeks; the service was off for ten days of them."""
    letter = club.answer(club.newest(0), "salt words", From="ann@phone.example")
    club.service.hand_in(letter)
    asyncio.run(club.service.deliver())
    passes(club, 10 * DAY, every=12 * HOUR)
    yes = club.answer(club.mail(club.queued(kind="was_this_you")[-1]), "yes")
    club.clock.advance(10 * DAY)
    club.mailbox.put(yes)
    passes(club)
    assert club.queued(kind="confirm_address")


def test_a_clock_that_is_doubted_flags_nobody(settings: Settings, club: Club) -> None:
    """Not even when as much time has passed as there was, until it has proved right."""
    settings.vacation_days = 0
    opened(club, "c3", days=1)
    jumped(club)
    passes(club, 23 * HOUR, every=HOUR)
    club.service.heartbeats.hear(club.clock.now() - AHEAD, is_sure=True)
    passes(club, 5 * HOUR, every=HOUR)
    assert clock(club, 2).halted == ""
    club.clock.jump(-AHEAD)
    with club.service.database.transaction() as tx:
        tx.heartbeats.beat(RECEIVES, club.clock.now())
    passes(club)
    assert not doubted(club)


@each(
    "head, known",
    [
        (
            b"Received: from a by b; Fri, 20 Nov 2026 18:30:00 +0000\r\nReceived: x; Mon, 1 Jan 2001 00:00:00 +0000",
            True,
        ),
        (b"Received: from a by b; Fri, 20 Nov 2026 19:30:00 +0100 (CET)", True),
        (b"Date: Fri, 20 Nov 2026 18:30:00 +0000", False),
        (b"Received: from a by b", False),
        (b"Received: from a by b; 20 Nov", False),
        (b"Received: ; Fri, 20 Nov 99999 18:30:00 +0000", False),
        (b"Received: by b; Fri, 20 Nov 2026 18:30:00 -0000", False),
        (b"", False),
        (b"\xff\xfe;;;", False),
    ],
)
def test_only_the_uppermost_trace_counts(head: bytes, known: bool) -> None:
    """Whatever it holds; without a zone it says nothing."""
    said = taken_in_at(head + b"\r\n\r\nReceived: by z; Fri, 20 Nov 2026 18:30:00 +0000")
    assert (said is not None and f"{said:%d %H:%M}" == "20 18:30") == known
