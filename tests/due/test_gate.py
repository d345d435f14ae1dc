"""The gate before all that time ends: what could prevent it is read first, and a clock that jumps brings none of it."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest

from pbem.due.gate import ANSWERS, ENDINGS, OFFERS, OLD_BYTES, QUIET_MATCHES, WAITING_BYTES
from pbem.due.outages import RECEIVES, SENDS
from pbem.ports import Fetched
from pbem.settings.model import Settings
from pbem.storage import due
from tests.support.catalogue import ROOT
from tests.support.clocks import opened
from tests.support.club import PLAYERS, Club
from tests.support.leagues import enter_all, read_league_of

SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
AHEAD = timedelta(days=400)


@dataclass(frozen=True)
class Case:
    """Something that time ends: how it ``begins``, after how long it has ``ended``, and emails that prevent it."""

    begins: Callable[[Club], object]
    after: timedelta
    ended: Callable[[Club], bool]
    prevents: Callable[[Club], list[bytes]] | None = None


def begin_rolls(club: Club) -> None:
    """Open a match in which players may send words for the first roll, for a day."""
    club.service.open("pippip", PLAYERS[:2], {})


def rolled_without_words(club: Club) -> bool:
    """Return whether the first roll fell without the words of both."""
    return not club.match().awaits_seeds and set(club.match().seeds) != {"salt and pepper"}


def salts(club: Club) -> list[bytes]:
    """Return the words of both."""
    return [club.answer(club.newest(seat), "salt salt and pepper") for seat in (0, 1)]


def begin_clock(club: Club) -> None:
    """Let Bob have three days for a move."""
    opened(club, "c3", flag="forfeit")


def begin_vote(club: Club) -> None:
    """Let Carl vote on Ann's move, who has four days for it."""
    club.open(days=4)
    club.open(players=(PLAYERS[2], "Eve <eve@e.example>"))
    club.reply(0, "second Carl")
    club.answer_kind("second_offered", -1, "yes")
    club.answer_kind("second_turn", -1, "c3")


def invite(club: Club) -> None:
    """Let Ann invite Bob."""
    club.open()
    club.reply(0, "new pipline bob@b.example size=5")


def expired(club: Club) -> bool:
    """Return whether the invitation has ended."""
    with club.service.database.reading() as tx:
        return tx.invitations.listed(limit=1)[0].state == "expired"


def stand_in(club: Club) -> None:
    """Let Carl stand in for Ann until the end of a day, who is to act."""
    club.open(players=(PLAYERS[2], "Eve <eve@e.example>"))
    club.open()
    club.reply(0, "c3", match=2)
    club.reply(1, "b2", match=2)
    club.reply(0, "standin Carl until 1 dec", match=2)
    club.answer_kind("seat_offered", -1, "yes")
    club.service.run_due()


def came_back(club: Club) -> bool:
    """Return whether the seat is Ann's again, who has not moved."""
    return club.match(2).name(0) == "Ann" and club.moves(2) == ["c3", "b2"]


def hold_move(club: Club) -> None:
    """Let Ann's move be held for five minutes."""
    club.open()
    club.reply(0, "c3")


def offer_seat(club: Club) -> None:
    """Let Ann offer her seat to a stranger."""
    club.open()
    club.reply(0, "c3")
    club.reply(0, "standin zoe@z.example until 24 dec")


def offer_is_over(club: Club) -> bool:
    """Return whether the seat is offered no more."""
    with club.service.database.reading() as tx:
        return not tx.seat_offers.alive_in(1)


def be_quiet(club: Club) -> None:
    """Open a match without a clock, in which nobody writes."""
    opened(club, "c3", days="none")


def is_put_away(club: Club) -> bool:
    """Return whether the match is put away."""
    with club.service.database.reading() as tx:
        return tx.put_away.among([1]) == {1}


def write_from_elsewhere(club: Club) -> None:
    """Let Ann move from an address that nobody knows: she is asked."""
    club.open()
    asyncio.run(club.service.deliver())
    letter = club.answer(club.newest(0), "c3", From="ann@phone.example")
    assert club.service.hand_in(letter).message.reason == "unknown_address"


def has_dropped(club: Club) -> bool:
    """Return whether the bytes of the first message are gone."""
    with club.service.database.reading() as tx:
        return not tx.inbound.raw(1)


def answer_as_ann(club: Club) -> list[bytes]:
    """Return Ann's yes to whether she wrote it."""
    return [club.answer(club.mail(club.queued(kind="was_this_you")[-1]), "yes")]


def enter_ladder(club: Club) -> None:
    """Let Ann and Bob be in a ladder, Bob at its end."""
    opened(club, "c3", days="none")
    club.reply(0, "ladder pipline")
    club.reply(1, "ladder pipline")


def has_sunk(club: Club) -> bool:
    """Return whether Ann has sunk in the ladder."""
    with club.service.database.reading() as tx:
        return "sank" in [event.kind for event in tx.contests.events(1)]


def play(club: Club) -> None:
    """Let Ann move, and the others be told."""
    club.open()
    club.reply(0, "c3")


CASES = {
    due.FIRST_ROLLS: Case(begin_rolls, DAY, rolled_without_words, salts),
    due.CLOCK_DUE: Case(
        begin_clock,
        3 * DAY,
        lambda club: club.match().outcome is not None,
        lambda club: [club.answer(club.newest(1), "b2")],
    ),
    due.VOTE_DUE: Case(
        begin_vote,
        2 * DAY,
        lambda club: club.moves() == ["c3"],
        lambda club: [club.answer(club.newest(0), "d4")],
    ),
    due.INVITATION_DUE: Case(
        invite,
        14 * DAY,
        expired,
        lambda club: [club.answer(club.mail(club.queued(kind="invitation")[-1]), "yes")],
    ),
    due.SEAT_BACK_DUE: Case(
        stand_in,
        timedelta(days=11, hours=5, minutes=30),
        came_back,
        lambda club: [club.answer(club.newest(0, 2), "d4")],
    ),
    due.UNSEND_DUE: Case(
        hold_move,
        5 * MINUTE,
        lambda club: bool(club.moves()),
        lambda club: [club.answer(club.newest(0), "oops")],
    ),
    due.LEAGUE_DUE: Case(
        enter_all,
        timedelta(days=10, hours=5, minutes=30),
        lambda club: read_league_of(club).season is not None,
        lambda club: [club.answer(club.mail(club.queued(kind="starting")[-1]), "leave league pipline")],
    ),
    OFFERS: Case(
        offer_seat,
        14 * DAY,
        offer_is_over,
        lambda club: [club.answer(club.mail(club.queued(kind="seat_offered")[-1]), "yes")],
    ),
    QUIET_MATCHES: Case(be_quiet, 180 * DAY, is_put_away, lambda club: [club.answer(club.newest(1), "say: I am here")]),
    due.LADDER_DUE: Case(
        enter_ladder,
        91 * DAY,
        has_sunk,
        lambda club: [club.answer(club.newest(0), "challenge robot 1")],
    ),
    WAITING_BYTES: Case(write_from_elsewhere, 28 * DAY, has_dropped),
    OLD_BYTES: Case(play, 90 * DAY, has_dropped),
}
"""A case of each kind that waits for anything, but for answers, which come by an email."""

waiting = pytest.mark.parametrize("kind", CASES)
preventable = pytest.mark.parametrize(
    "kind", [kind for kind in CASES if ENDINGS[kind].prevented and kind != WAITING_BYTES]
)


@pytest.fixture
def begun(settings: Settings, new_club: Callable[..., Club], kind: str) -> Club:
    """A club with a mailbox, in which something has begun that time ends."""
    settings.vacation_days = 0
    settings.keep_inbound_days = 1 if kind == WAITING_BYTES else 90
    settings.unsend_minutes = 5 if kind == due.UNSEND_DUE else 0
    settings.imap_url = "imap://games@fake"
    club = new_club()
    asyncio.run(club.service.poll())
    CASES[kind].begins(club)
    work(club)
    return club


def work(club: Club) -> None:
    """Let the service do all that it does but read the mailbox."""
    asyncio.run(club.service.deliver())
    asyncio.run(club.service.put_away_quiet())
    asyncio.run(club.service.drop_old_bytes(pause=0))


def go(club: Club, to: datetime, *, read: datetime) -> None:
    """Let time pass in which everything works; but what is in the mailbox was read last at a moment."""
    with club.service.database.transaction() as tx:
        tx.heartbeats.beat(SENDS, to)
        tx.heartbeats.beat(RECEIVES, read)
    club.clock.advance(to - club.clock.now())
    work(club)


def test_somebody_has_decided_about_every_kind() -> None:
    """A new kind of due thing has to say whether an email may prevent it, and whether it can be taken back."""
    stored = {value for name, value in vars(due).items() if name.endswith("_DUE") or name == "FIRST_ROLLS"}
    assert stored | {ANSWERS, OFFERS, QUIET_MATCHES, WAITING_BYTES, OLD_BYTES} == set(ENDINGS)
    ends = {kind for kind, one in ENDINGS.items() if (one.prevented or one.final) and kind != due.RESTORED_DUE}
    assert ends - {ANSWERS} == set(CASES)


def test_no_answer_is_late_by_another_count() -> None:
    """Nor is an outage counted anywhere: who compares with the time of a question does it by the gate."""
    for folder in ("asking", "pipeline"):
        for file in (ROOT / "pbem" / folder).rglob("*.py"):
            assert not re.search(r"- \w+\.asked_at [<>]=? (?!_PROVING)|[<>]=? ANSWERABLE", file.read_text()), file


@waiting
def test_it_happens_in_its_time(begun: Club, kind: str) -> None:
    """Once all email up to then is read, and not before its time."""
    end = begun.clock.now() + CASES[kind].after
    go(begun, end - MINUTE, read=end - MINUTE)
    assert not CASES[kind].ended(begun)
    go(begun, end + 10 * MINUTE, read=end + 9 * MINUTE)
    assert CASES[kind].ended(begun)


@preventable
def test_what_lies_in_the_mailbox_is_read_first(begun: Club, kind: str) -> None:
    """It came in time, and was not read: it counts, however late the service sees it."""
    end = begun.clock.now() + CASES[kind].after
    begun.mailbox.put(*(prevents(begun) if (prevents := CASES[kind].prevents) else ()))
    go(begun, end + 30 * MINUTE, read=end - SECOND)
    assert not CASES[kind].ended(begun)
    assert begun.service.awaits_mail or kind in (OFFERS, QUIET_MATCHES), "the mailbox is looked at soon"
    asyncio.run(begun.service.poll())
    work(begun)
    assert not CASES[kind].ended(begun)
    assert not begun.service.awaits_mail


@preventable
def test_what_a_pipe_has_just_stored_is_read_first(begun: Club, kind: str) -> None:
    """Without a mailbox, too: emails are sent, and due things done, before anybody has got round to reading it."""
    begun.service.settings.imap_url = ""
    end = begun.clock.now() + CASES[kind].after
    prevents = CASES[kind].prevents
    letters = prevents(begun) if prevents else []
    go(begun, end - MINUTE, read=end - MINUTE)
    begun.service.receive(map(Fetched, letters))
    begun.clock.advance(2 * MINUTE)
    work(begun)
    asyncio.run(begun.service.poll())
    work(begun)
    assert not CASES[kind].ended(begun)


@preventable
def test_an_outage_of_the_mailbox_is_nobodys_time(begun: Club, kind: str) -> None:
    """Sending works all the while: what was left when it began is left when it is over, but for what is a date."""
    start, end = begun.clock.now(), begun.clock.now() + CASES[kind].after
    begun.mailbox.put(*(prevents(begun) if (prevents := CASES[kind].prevents) else ()))
    go(begun, end + 26 * HOUR, read=start)
    assert not CASES[kind].ended(begun)
    asyncio.run(begun.service.poll())
    work(begun)
    assert not CASES[kind].ended(begun)


@pytest.mark.parametrize(
    ("kind", "restart"), [*((kind, False) for kind in CASES), (due.FIRST_ROLLS, True), (WAITING_BYTES, True)]
)
def test_a_clock_that_is_ahead_for_a_moment_brings_nothing(
    begun: Club, kind: str, new_club: Callable[..., Club], restart: bool
) -> None:
    """Whether the service sees it jump, or begins anew meanwhile; and once it is right, things end in their time."""
    end = begun.clock.now() + CASES[kind].after
    begun.clock.jump(AHEAD)
    if restart:
        begun = new_club(clock=begun.clock, courier=begun.courier, mailbox=begun.mailbox)
    for _ in range(3):
        asyncio.run(begun.service.poll())
        work(begun)
        begun.clock.advance(10 * MINUTE)
    assert kind == due.UNSEND_DUE or not CASES[kind].ended(begun)
    begun.clock.jump(-AHEAD)
    for _ in range(2):
        asyncio.run(begun.service.poll())
        work(begun)
    assert kind == due.UNSEND_DUE or not CASES[kind].ended(begun)
    assert not begun.service.heartbeats.is_doubted
    go(begun, end + HOUR, read=end + HOUR)
    assert CASES[kind].ended(begun)


@waiting
def test_a_service_that_was_off_for_a_month_comes_back_without_harm(
    begun: Club, kind: str, new_club: Callable[..., Club]
) -> None:
    """The machine began anew, too: an hour later, when the mail server has said what time it is, it is as ever."""
    left = CASES[kind].after
    begun.clock.jump(30 * DAY)
    begun = new_club(clock=begun.clock, courier=begun.courier, mailbox=begun.mailbox)
    back = begun.clock.now()
    for _ in range(2):
        asyncio.run(begun.service.poll())
        work(begun)
    assert not CASES[kind].ended(begun)
    begun.service.heartbeats.hear(back, is_sure=True)
    go(begun, back + 61 * MINUTE, read=back + 61 * MINUTE)
    assert not begun.service.heartbeats.is_doubted
    go(begun, back + left + HOUR, read=back + left + HOUR)
    assert CASES[kind].ended(begun)
