"""While the service does not run, or cannot send or receive, nobody's time runs: it is given back to the second."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta

import pytest

from pbem.due.outages import BEHIND, LONGEST_PAUSE, RECEIVES, SENDS, beat
from pbem.errors import LoginRefused, PermanentFailure, ServerFailure, TransientFailure
from pbem.match.time.clock import Clock
from pbem.match.timing import deadline_of, time_left
from pbem.pipeline.deliver import OUR_SERVER
from pbem.settings.model import Settings
from tests.support.club import PLAYERS, Club
from tests.support.mails import text_of

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
LOST = ServerFailure("No connection to the SMTP server.")
FULL = TransientFailure("452 4.2.2 Mailbox full")


@pytest.fixture
def club(settings: Settings, new_club: Callable[..., Club]) -> Club:
    """A club where nobody has days of vacation, so that time is over when it is over."""
    settings.vacation_days = 0
    return new_club()


def begin(club: Club) -> datetime:
    """Open a match with three days for each move in which it is Ann's second turn; return when her time is over."""
    club.open("pipline", PLAYERS[:2], days=3)
    asyncio.run(club.service.deliver())
    for seat, move in ((0, "c3"), (1, "b2")):
        club.reply(seat, move)
        asyncio.run(club.service.deliver())
    return club.clock.now() + 3 * DAY


def stand_still(club: Club, by: timedelta) -> None:
    """Let the service not run for so long, and then begin anew."""
    club.clock.advance(by)
    asyncio.run(club.service.deliver())


def run(club: Club, by: timedelta) -> None:
    """Let the service run."""
    for _ in club.pass_time(by):
        pass


def behind(club: Club) -> datetime | None:
    """Return since when sending is behind."""
    with club.service.database.reading() as tx:
        return tx.heartbeats.last().get(BEHIND)


def clock(club: Club) -> Clock:
    """Return the clock of the match."""
    found = club.match().clock
    assert found
    return found


def test_a_gap_is_given_back_exactly(club: Club) -> None:
    """Three days without the service bring every deadline three days later."""
    end = begin(club)
    run(club, DAY)
    stand_still(club, 3 * DAY)
    assert deadline_of(club.match()) == end + 3 * DAY
    run(club, 2 * DAY - timedelta(seconds=1))
    assert clock(club).halted == ""
    run(club, timedelta(seconds=1))
    assert clock(club).flagged_at == end + 3 * DAY


def test_nobody_is_flagged_for_a_deadline_within_the_gap(club: Club) -> None:
    """Even where the first thing that the service does is to look at it."""
    end = begin(club)
    stand_still(club, 100 * DAY)
    assert clock(club).halted == ""
    assert deadline_of(club.match()) == end + 100 * DAY


def test_a_gap_is_kept_and_logged_once(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    """One warning when it is noticed, not one for each match; it grows until the service is back."""
    begin(club)
    club.clock.advance(5 * HOUR)
    for _ in range(3):
        club.service.run_due()
        club.clock.advance(MINUTE)
    asyncio.run(club.service.deliver())
    assert club.outages() == [5 * HOUR + 3 * MINUTE]
    assert len([line for line in caplog.records if line.levelname == "WARNING"]) <= 2  # it neither sent nor received


def test_a_gap_is_told_with_the_next_email_about_the_turn(club: Club) -> None:
    """Whoever reads another deadline than before reads why: the emails differ by that."""
    begin(club)
    plain = text_of(club.mail(club.reply(0, "show").outbound[0]))
    stand_still(club, DAY)
    told = text_of(club.mail(club.reply(0, "show").outbound[0]))
    assert len(told.splitlines()) > len(plain.splitlines())


def test_a_short_break_is_none(club: Club) -> None:
    """A machine may begin anew; an hour is nobody's loss."""
    end = begin(club)
    stand_still(club, LONGEST_PAUSE)
    assert club.outages() == []
    assert deadline_of(club.match()) == end
    stand_still(club, LONGEST_PAUSE + timedelta(seconds=1))
    assert club.outages() == [LONGEST_PAUSE + timedelta(seconds=1)]


def test_time_while_nothing_can_be_sent_is_given_back(club: Club) -> None:
    """The service runs, and no email leaves it: nobody was reminded, or could have been told."""
    end = begin(club)
    club.live(HOUR, every=10 * MINUTE)
    club.reply(1, "show")
    failed_at = club.clock.now() + MINUTE
    club.courier.fail([LOST] * 1000)
    club.live(MINUTE)
    club.live(10 * HOUR - MINUTE, every=10 * MINUTE)
    assert behind(club) == failed_at
    assert len(club.queued(status="queued")) == 1
    assert deadline_of(club.match()) == end + 10 * HOUR
    club.courier.repair()
    club.live(HOUR)
    assert behind(club) is None
    (outage,) = club.outages()
    assert 10 * HOUR <= outage <= 10 * HOUR + 15 * MINUTE
    assert deadline_of(club.match()) == end + outage


def test_sending_stays_behind_while_nothing_is_due(club: Club) -> None:
    """Nobody can know that the server works again: the email that shows it is tried again only later."""
    end = begin(club)
    club.live(MINUTE)
    club.reply(1, "show")
    club.courier.fail([LOST] * 9)
    asyncio.run(club.service.deliver())
    failed_at = club.clock.now()
    for _ in range(8):
        club.clock.advance(club.queued()[-1].due_at - club.clock.now())
        asyncio.run(club.service.deliver())
        for _ in range(3):
            club.clock.advance(timedelta(seconds=15))
            asyncio.run(club.service.deliver())
    assert club.clock.now() - failed_at > HOUR
    assert behind(club) == failed_at
    assert club.outages() == [club.clock.now() - failed_at]
    club.clock.advance(15 * MINUTE)
    asyncio.run(club.service.deliver())
    assert behind(club) is None
    assert deadline_of(club.match()) == end + (club.clock.now() - failed_at)


def test_what_the_next_process_knows_of_the_server_is_what_the_last_one_knew(
    club: Club, settings: Settings, new_club: Callable[..., Club]
) -> None:
    """A service that begins anew while the server is down does not take it for working."""
    end = begin(club)
    club.live(MINUTE)
    club.reply(1, "show")
    club.courier.fail([LOST] * 1000)
    club.live(40 * MINUTE)
    since = behind(club)
    assert since
    for _ in range(10):
        asyncio.run(club.service.close())
        club = new_club(clock=club.clock, courier=club.courier)
        club.live(5 * MINUTE)
    assert behind(club) == since
    club.courier.repair()
    club.live(15 * MINUTE)
    (outage,) = club.outages()
    assert deadline_of(club.match()) == end + outage


def test_a_refused_login_is_an_outage_until_an_email_is_taken(club: Club) -> None:
    """Also where nothing is tried for a while."""
    end = begin(club)
    club.live(MINUTE)
    club.reply(1, "show")
    club.courier.fail([LoginRefused("535 no")] * 1000)
    club.live(3 * HOUR, every=17 * MINUTE)
    assert behind(club)
    club.courier.repair()
    club.live(MINUTE)
    assert behind(club) is None
    assert club.outages() == [3 * HOUR + MINUTE]
    assert deadline_of(club.match()) == end + 3 * HOUR + MINUTE


@pytest.mark.parametrize("answer", [None, FULL, PermanentFailure("550 5.1.1 Unknown")])
def test_the_server_works_again_when_it_takes_or_judges_an_email(club: Club, answer: Exception | None) -> None:
    """Whatever it says of a recipient, it works."""
    begin(club)
    club.live(MINUTE)
    club.reply(1, "show")
    club.courier.fail([LOST, answer])
    club.live(MINUTE)
    assert behind(club)
    club.live(MINUTE)
    assert behind(club) is None


def test_time_while_a_mailbox_takes_nothing_is_nobody_elses(club: Club) -> None:
    """The server works, whatever it says of one recipient."""
    end = begin(club)
    for _ in range(10):
        club.reply(1, "show")
        club.courier.fail([FULL] * 3)
        club.live(HOUR, every=20 * MINUTE)
    assert club.outages() == []
    assert deadline_of(club.match()) == end


def test_sending_is_not_behind_when_nothing_waits_any_more(club: Club) -> None:
    """What waited may have been damaged, and given up: no other email would ever show that the server works."""
    begin(club)
    club.reply(1, "show")
    club.courier.fail([LOST])
    club.live(MINUTE)
    assert behind(club)
    with closing(sqlite3.connect(str(club.service.database.file))) as connection, connection:
        connection.execute("UPDATE outbound SET raw = X'00' WHERE status = 'queued'")
    club.live(2 * MINUTE)
    assert club.queued(status="refused")
    assert behind(club) is None


def test_whoever_does_not_know_that_sending_is_behind_does_not_say_that_it_works(club: Club) -> None:
    """Another process may have found out since this one last looked."""
    begin(club)
    club.reply(1, "show")
    club.courier.fail([LOST])
    club.live(MINUTE)
    with club.service.database.transaction() as tx:
        before = tx.heartbeats.last()
        for name in (RECEIVES, SENDS):
            beat(tx, before, name, club.clock.now() + HOUR)
        after = tx.heartbeats.last()
    assert after == before | {RECEIVES: club.clock.now() + HOUR}


def test_why_sending_is_behind_is_kept_with_what_waits(club: Club) -> None:
    """For the operator, as long as it is."""
    begin(club)
    club.reply(1, "show")
    club.courier.fail([LOST])
    club.live(MINUTE)
    with club.service.database.reading() as tx:
        assert tx.outbound.latest_error(OUR_SERVER) == f"{OUR_SERVER}{LOST}"
    club.live(MINUTE)
    with club.service.database.reading() as tx:
        assert tx.outbound.latest_error(OUR_SERVER) == ""


def test_time_while_nothing_can_be_fetched_is_given_back(club: Club) -> None:
    """A move may lie in the mailbox, and nobody sees it."""
    end = begin(club)
    seen = club.clock.now()
    for _ in range(50):
        club.clock.advance(HOUR)
        with club.service.database.transaction() as tx:
            beat(tx, tx.heartbeats.last(), SENDS, club.clock.now())
        club.service.run_due()
    assert club.outages() == [club.clock.now() - seen]
    assert deadline_of(club.match()) == end + 50 * HOUR


def test_two_things_that_fail_at_once_are_one_outage(club: Club) -> None:
    """Time is given back once."""
    end = begin(club)
    stand_still(club, DAY)
    assert deadline_of(club.match()) == end + DAY
    assert time_left(club.match(), club.clock.now()) == 3 * DAY.total_seconds()


def test_the_first_start_is_no_outage(club: Club) -> None:
    """There is no heartbeat yet, and nothing is to be given back."""
    club.clock.advance(300 * DAY)
    begin(club)
    assert club.outages() == []


def test_a_vacation_within_an_outage_costs_no_time_twice(club: Club) -> None:
    """Both at once are the same time, given back once."""
    end = begin(club)
    club.reply(0, "pause 2d")
    club.reply(1, "pause 2d")
    stand_still(club, 2 * DAY)
    assert deadline_of(club.match()) == end + 2 * DAY


def test_a_match_that_began_after_an_outage_gains_nothing_by_it(club: Club) -> None:
    """Only what its clock would have spent is given back."""
    club.open("pipline", PLAYERS[:2], days=3)
    asyncio.run(club.service.deliver())
    stand_still(club, 10 * DAY)
    for seat, move in ((0, "c3"), (1, "b2")):
        club.reply(seat, move)
        asyncio.run(club.service.deliver())
    assert deadline_of(club.match()) == club.clock.now() + 3 * DAY


def set_clock(club: Club, by: timedelta) -> None:
    """Let the clock of the machine be set, and the service run on."""
    club.clock.jump(by)
    for _ in range(2):
        asyncio.run(club.service.deliver())


def test_a_clock_that_jumps_ahead_and_is_set_right_stops_nobodys_time(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    """Else no time would run for a year: the outage, the heartbeats and what is due would lie there."""
    end = begin(club)
    set_clock(club, 365 * DAY)
    caplog.clear()
    set_clock(club, -365 * DAY)
    assert len([line for line in caplog.records if line.levelname == "WARNING"]) == 1
    assert club.outages() == []
    with club.service.database.reading() as tx:
        assert max(tx.heartbeats.last().values()) == club.clock.now()
    assert deadline_of(club.match()) == end
    club.live(3 * DAY - MINUTE, every=30 * MINUTE)
    assert clock(club).halted == ""
    club.live(11 * MINUTE)
    assert clock(club).flagged_at == end


def test_time_at_a_clock_that_is_ahead_is_given_back(club: Club) -> None:
    """The outage that it seemed to be ends when the clock is set right; what really was one before stays."""
    end = begin(club)
    stand_still(club, 5 * HOUR)
    club.live(HOUR)
    set_clock(club, 365 * DAY)
    club.live(20 * MINUTE)
    set_clock(club, -365 * DAY)
    assert club.outages() == [5 * HOUR, 20 * MINUTE]
    assert deadline_of(club.match()) == end + 5 * HOUR + 20 * MINUTE


def test_an_outage_without_a_heartbeat_after_it_is_set_right(
    club: Club, settings: Settings, new_club: Callable[..., Club]
) -> None:
    """A machine may have begun with a wrong clock and without a network; the next process knows of nothing."""
    end = begin(club)
    club.clock.advance(365 * DAY)
    club.service.run_due()
    asyncio.run(club.service.close())
    club.clock.advance(10 * MINUTE - 365 * DAY)
    club = new_club(clock=club.clock, courier=club.courier)
    asyncio.run(club.service.deliver())
    assert club.outages() == [10 * MINUTE]
    assert deadline_of(club.match()) == end + 10 * MINUTE


def test_what_waits_is_sent_when_a_clock_is_set_right(club: Club) -> None:
    """Sending is behind until it is, and an email that is due in a year would keep it so."""
    begin(club)
    club.live(MINUTE)
    club.reply(1, "show")
    club.courier.fail([LOST] * 3)
    set_clock(club, 365 * DAY)
    assert behind(club)
    club.courier.repair()
    set_clock(club, -365 * DAY)
    assert behind(club) is None
    assert club.queued(status="queued") == []


def test_a_clock_that_lies_in_the_past_and_is_set_right_gives_time_back(club: Club) -> None:
    """Nobody loses a second by it."""
    end = begin(club)
    club.live(DAY, every=30 * MINUTE)
    set_clock(club, -10 * 365 * DAY)
    club.live(2 * HOUR, every=30 * MINUTE)
    assert clock(club).halted == ""
    set_clock(club, 10 * 365 * DAY)
    asyncio.run(club.service.deliver())
    assert clock(club).halted == ""
    assert deadline_of(club.match()) == end + DAY + 2 * HOUR


@pytest.mark.parametrize("by", [-LONGEST_PAUSE, -MINUTE])
def test_a_clock_that_is_set_back_a_little_changes_nothing(club: Club, by: timedelta) -> None:
    """As at the end of summer time, where the machine has local time."""
    end = begin(club)
    before = {name: club.clock.now() for name in (RECEIVES, SENDS)}
    set_clock(club, by)
    with club.service.database.reading() as tx:
        assert tx.heartbeats.last().items() >= before.items()
    assert club.outages() == []
    assert deadline_of(club.match()) == end


def test_a_clock_that_is_set_right_asks_nobody_again_about_a_flag(club: Club) -> None:
    """They are asked once a week, from when the time was over, also after the clock was ahead."""
    begin(club)
    run(club, 3 * DAY + MINUTE)
    assert clock(club).halted == "flagged"
    set_clock(club, 365 * DAY)
    before = len(club.queued())
    set_clock(club, -365 * DAY)
    assert len(club.queued()) == before
    run(club, 8 * DAY)
    assert len(club.queued()) > before
