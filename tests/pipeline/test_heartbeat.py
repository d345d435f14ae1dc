"""While the service does not run, or cannot send or receive, nobody's time runs: it is given back to the second."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from pbem.errors import TransientFailure
from pbem.match import Clock, deadline_of, time_left
from pbem.pipeline.heartbeat import LONGEST_PAUSE, RECEIVES, SENDS, beat
from pbem.settings import Settings
from tests.support.club import PLAYERS, Club
from tests.support.mails import text_of

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


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


def clock(club: Club) -> Clock:
    """Return the clock of the match."""
    found = club.match().clock
    assert found
    return found


def outages(club: Club) -> list[timedelta]:
    """Return how long each outage was."""
    with club.service.database.reading() as tx:
        return [
            end - start
            for start, end in tx.heartbeats.outages_since(datetime.min.replace(tzinfo=club.clock.now().tzinfo))
        ]


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
    assert outages(club) == [5 * HOUR + 3 * MINUTE]
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
    assert outages(club) == []
    assert deadline_of(club.match()) == end
    stand_still(club, LONGEST_PAUSE + timedelta(seconds=1))
    assert outages(club) == [LONGEST_PAUSE + timedelta(seconds=1)]


def test_time_while_nothing_can_be_sent_is_given_back(club: Club) -> None:
    """The service runs, and no email leaves it: nobody was reminded, or could have been told."""
    end = begin(club)
    for _ in range(10):
        club.reply(1, "say: hello?")
        club.courier.fail([TransientFailure("the server is down")] * 3)
        with club.service.database.transaction() as tx:
            beat(tx, RECEIVES, club.clock.now())
        club.clock.advance(HOUR)
        asyncio.run(club.service.deliver())
    last = deadline_of(club.match())
    assert last
    assert end + 9 * HOUR <= last <= end + 10 * HOUR


def test_time_while_nothing_can_be_fetched_is_given_back(club: Club) -> None:
    """A move may lie in the mailbox, and nobody sees it."""
    end = begin(club)
    seen = club.clock.now()
    for _ in range(50):
        club.clock.advance(HOUR)
        with club.service.database.transaction() as tx:
            beat(tx, SENDS, club.clock.now())
        club.service.run_due()
    assert outages(club) == [club.clock.now() - seen]
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
    assert outages(club) == []


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
