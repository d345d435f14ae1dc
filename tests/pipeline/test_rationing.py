"""A budget of the mail server: turns go first, the rest is put off and not lost, and no clock runs unawares."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from pbem.errors import PermanentFailure, TransientFailure
from pbem.notices.notice_kinds import notice_kinds
from pbem.pipeline.deliver import DeliveryReport
from pbem.pipeline.rationing import OUR_BUDGET, URGENT
from pbem.settings.model import Settings
from tests.support.club import Club
from tests.support.fakes import FakeCourier

NewClub = Callable[..., Club]
HOUR = timedelta(hours=1)


@pytest.fixture
def short(new_club: NewClub, settings: Settings) -> Club:
    """A club whose server takes ten emails an hour, two of which are kept for what is urgent."""
    settings.smtp_budget = "10/hour"
    return new_club()


def _deliver(club: Club) -> DeliveryReport:
    """Send what is due."""
    return asyncio.run(club.service.deliver())


def _waiting(club: Club) -> list[str]:
    """Return the kinds of the emails that are queued, the oldest first."""
    return [mail.kind for mail in club.queued(status="queued")]


def _use_up(club: Club, emails: int) -> None:
    """Send so many emails, two for each match that is opened."""
    assert emails % 2 == 0
    for _ in range(emails // 2):
        club.open(days="none")
    assert _deliver(club).sent == emails


def _sent_at(club: Club) -> list[datetime]:
    """Return when the emails were sent, in that order."""
    return sorted(mail.sent_at for mail in club.queued(status="sent") if mail.sent_at)


def test_urgent_kinds_are_kinds() -> None:
    """Nothing that was renamed is forgotten; receipts and what is only news are not among them."""
    assert notice_kinds() >= URGENT
    assert not URGENT & {"move_made", "match_over", "remark", "followed", "broadcast", "show", "help", "history"}


def test_turns_go_first_and_receipts_wait(short: Club) -> None:
    """When little is left, a move is told to whoever is to act next, and its maker's receipt goes out later."""
    _use_up(short, 8)
    short.reply(0, "c3")
    report = _deliver(short)
    assert report.sent == 1
    assert report.put_off is not None
    assert report.put_off.emails == 1
    assert _waiting(short) == ["move_made"]
    (receipt,) = short.queued(status="queued")
    assert receipt.error.startswith(OUR_BUDGET)
    assert receipt.attempts == 0
    assert timedelta() < receipt.due_at - short.clock.now() <= timedelta(minutes=15)
    short.live(HOUR + timedelta(minutes=20))
    assert _waiting(short) == []


def test_where_nothing_is_left_turns_wait_too_and_go_first_afterwards(short: Club) -> None:
    """Nothing is tried that the server would refuse; the oldest turn is the first."""
    _use_up(short, 10)
    short.reply(0, "c3")
    short.reply(0, "c3", match=2)
    report = _deliver(short)
    assert report.sent == 0
    assert report.put_off is not None
    assert (report.put_off.emails, str(report.put_off.window)) == (4, "10 an hour")
    carried = len(short.courier.carried)
    short.live(timedelta(minutes=30))
    assert len(short.courier.carried) == carried
    short.live(timedelta(minutes=50))
    assert _waiting(short) == []
    numbers = {mail.message_id: mail.kind for mail in short.queued()}
    order = [kind for raw in short.courier.carried[carried:] for one, kind in numbers.items() if one.encode() in raw[1]]
    assert [kind for kind in order if kind in ("your_turn", "move_made")][:2] == ["your_turn"] * 2


def test_the_server_never_gets_more_and_everything_goes_once(new_club: NewClub, settings: Settings) -> None:
    """In no minute and in no hour, however much there is; afterwards all is sent, each email once."""
    settings.smtp_budget = "4/minute 10/hour"
    club = new_club()
    for _ in range(13):
        club.open(days="none")
    club.reply(0, "c3")
    club.live(timedelta(hours=4))
    at = _sent_at(club)
    assert len(at) == len(club.queued()) == len(club.courier.carried) == 28
    for limit, span in ((4, timedelta(minutes=1)), (10, HOUR)):
        assert max(Counter(first for first in at for other in at if first <= other < first + span).values()) >= limit
        assert all(later - earlier >= span for earlier, later in zip(at, at[limit:], strict=False))


def test_what_was_sent_counts_after_a_restart(short: Club, new_club: NewClub) -> None:
    """And what was sent by another process: it stands in the database."""
    _use_up(short, 10)
    again = new_club()
    again.clock.advance(short.clock.now() - again.clock.now() + timedelta(minutes=1))
    again.reply(0, "c3")
    assert _deliver(again).sent == 0
    again.clock.advance(HOUR)
    assert _deliver(again).sent == 2


@pytest.mark.parametrize(("back", "sent"), [(timedelta(minutes=30), 0), (timedelta(days=30), 2)])
def test_a_clock_that_is_set_back_keeps_no_email_for_long(short: Club, back: timedelta, sent: int) -> None:
    """What was sent in the future still counts if that is near, so that the server gets no more than it takes."""
    _use_up(short, 10)
    short.clock.advance(-back)
    short.reply(0, "c3")
    assert _deliver(short).sent == sent


def test_what_the_server_did_not_take_uses_up_nothing(short: Club) -> None:
    """Emails that were refused, or put off by it."""
    short.courier.fail([TransientFailure("451 later")] * 4 + [PermanentFailure("550 nobody")] * 4)
    for _ in range(7):
        short.open(days="none")
    report = _deliver(short)
    assert (report.sent, report.deferred, report.refused, report.put_off) == (6, 4, 4, None)


def test_no_clock_runs_while_the_email_of_the_turn_waits(short: Club) -> None:
    """It begins with the email that was sent, so that nobody loses time of which they know nothing."""
    _use_up(short, 8)
    short.open(days="3")
    assert _deliver(short).sent == 2
    short.reply(0, "c3", match=5)
    assert _deliver(short).sent == 0
    clock = short.match(5).clock
    assert clock is not None
    assert (clock.seat, clock.since, clock.halted) == (1, None, "unsent")
    short.live(timedelta(minutes=30))
    assert (waiting := short.match(5).clock) is not None
    assert waiting.since is None
    short.live(timedelta(minutes=50))
    (turn,) = [mail for mail in short.queued(kind="your_turn") if mail.match == 5]
    clock = short.match(5).clock
    assert clock is not None
    assert clock.since == turn.sent_at
    assert turn.sent_at is not None
    assert turn.sent_at - turn.created_at >= HOUR
    assert clock.banks[1] == 3 * 86400
    assert short.outages() == []  # the service works, and other clocks go on


def test_nobody_uses_up_what_the_turns_of_others_need(short: Club) -> None:
    """Boards and help that a player asks for again and again go out of what is left beside turns."""
    _use_up(short, 4)
    for _ in range(8):
        short.reply(0, "show")
        short.reply(0, "help")
    _deliver(short)
    assert len(_sent_at(short)) == 8
    short.reply(0, "c3", match=2)
    _deliver(short)
    assert [mail.kind for mail in short.queued(status="sent")].count("your_turn") == 1


def test_the_log_says_once_that_the_budget_is_met(short: Club, caplog: pytest.LogCaptureFixture) -> None:
    """Not at every pass; and once that nothing waits any more."""
    caplog.set_level(logging.INFO, "pbem")
    _use_up(short, 10)
    short.reply(0, "c3")
    short.live(timedelta(minutes=20))
    short.reply(0, "c3", match=2)
    short.live(timedelta(minutes=80))
    assert _waiting(short) == []
    events = [getattr(record, "event", "") for record in caplog.records]
    assert [name for name in events if name.startswith("budget_")] == ["budget_met", "budget_free"]


def test_without_a_budget_nothing_waits(new_club: NewClub) -> None:
    """As much goes out at once as there is."""
    club = new_club(courier=FakeCourier())
    for _ in range(20):
        club.open(days="none")
    assert _deliver(club) == DeliveryReport(sent=40)
