"""Reminders: at the steps that a player chose, never in their quiet hours, one email for all, and none twice."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from pbem.settings.model import Settings
from tests.support.club import Club
from tests.support.mails import text_of

DAY = timedelta(days=1)
ANN = "Ann <ann@a.example>"


@pytest.fixture
def club(settings: Settings, new_club: Callable[..., Club]) -> Club:
    """A club where nobody has days of vacation, so that time is over when it is over."""
    settings.vacation_days = 0
    return new_club()


def begin(club: Club, rival: str = "Bob <bob@b.example>", **options: object) -> datetime:
    """Open a match in which it is Ann's second turn; return when her time began."""
    options = {"days": 7} | options
    number = club.open("pipline", (ANN, rival), **options).id
    asyncio.run(club.service.deliver())
    for seat, move in ((0, "c3"), (1, "b2")):
        club.reply(seat, move, match=number)
        asyncio.run(club.service.deliver())
    return club.clock.now()


def reminded(club: Club, by: timedelta) -> list[datetime]:
    """Let time pass, and return when Ann was reminded meanwhile."""
    before = len(club.queued(kind="reminder"))
    for _ in club.pass_time(by):
        pass
    mails = club.queued(kind="reminder")[before:]
    assert {mail.recipient for mail in mails} <= {"ann@a.example"}
    return [mail.created_at for mail in mails]


@pytest.mark.parametrize(
    ("options", "left"),
    [
        ({"days": 7}, [2 * DAY, DAY / 2]),
        ({"days": 3}, [DAY, DAY / 4]),
        ({"days": "1"}, [DAY / 4]),
        ({"days": "1h"}, []),
        ({"bank": "20d+1d"}, [2 * DAY, DAY / 2]),
    ],
    ids=str,
)
def test_the_defaults_go_with_the_pace_of_the_match(
    club: Club, options: dict[str, object], left: list[timedelta]
) -> None:
    """Each once, to the second."""
    number = club.open("pipline", (ANN, "Bob <bob@b.example>"), **options).id
    asyncio.run(club.service.deliver())
    club.reply(0, "c3", match=number)
    club.reply(1, "b2", match=number)
    asyncio.run(club.service.deliver())
    found = club.match().clock
    assert found
    end = club.clock.now() + timedelta(seconds=found.bank)
    assert reminded(club, timedelta(days=60)) == [end - one for one in left]


def test_a_player_chooses_their_steps(club: Club) -> None:
    """Also in the middle of a turn; what lies behind is not made up for more than once."""
    end = begin(club) + 7 * DAY
    club.reply(0, "remind 5d 1h")
    assert reminded(club, 8 * DAY) == [end - 5 * DAY, end - timedelta(hours=1)]


def test_a_player_may_want_none(club: Club) -> None:
    """The time is over all the same."""
    begin(club)
    club.reply(0, "remind off")
    assert reminded(club, 8 * DAY) == []


def test_no_reminder_comes_in_quiet_hours(club: Club) -> None:
    """It is six in the evening in London, and so in the night of Tokyo, when two days are left."""
    end = begin(club) + 7 * DAY
    club.reply(0, "tz Asia/Tokyo")
    club.reply(0, "quiet 22-7")
    first, second = reminded(club, 8 * DAY)
    assert first == datetime(2026, 11, 25, 22, tzinfo=UTC) > end - 2 * DAY
    assert second == end - DAY / 2


def test_one_email_tells_of_all_turns_that_are_due_within_an_hour(club: Club) -> None:
    """It names every match, and none of them has another for that step."""
    for minutes in (0, 20, 50, 120):
        club.clock.advance(timedelta(minutes=minutes))
        begin(club, f"{minutes}@b.example")
    moments = reminded(club, timedelta(days=5, hours=6))
    assert len(moments) == 2
    first = text_of(club.mail(club.queued(kind="reminder")[0]))
    assert all(f"#{number}" in first or f"atch {number}" in first for number in (2,))
    assert club.queued(kind="reminder")[1].match != club.queued(kind="reminder")[0].match
    assert reminded(club, timedelta(days=3))


def test_no_reminder_comes_twice_however_often_the_service_looks(club: Club) -> None:
    """Nor after the player has changed what they set, nor when the service begins anew."""
    begin(club)
    assert len(reminded(club, timedelta(days=5, hours=1))) == 1
    for line in ("remind 2d 12h", "tz Europe/Lisbon", "quiet 2-3", "remind default"):
        club.reply(0, line)
        assert reminded(club, timedelta(minutes=30)) == []
    for _ in range(5):
        asyncio.run(club.service.deliver())
    assert len(club.queued(kind="reminder")) == 1


def test_whoever_moved_is_reminded_of_nothing(club: Club) -> None:
    """Neither of that turn nor of somebody else's."""
    begin(club)
    assert reminded(club, 4 * DAY) == []
    club.reply(0, "b4")
    asyncio.run(club.service.deliver())
    for _ in club.pass_time(4 * DAY):
        pass
    assert club.queued(kind="reminder") == []


def test_whoever_unsubscribed_is_not_reminded(club: Club) -> None:
    """Until they want email again."""
    begin(club)
    club.reply(0, "unsubscribe")
    assert reminded(club, timedelta(days=5, hours=1)) == []
    club.reply(0, "resume")
    assert len(reminded(club, timedelta(days=1, hours=23))) >= 1


def test_nobody_is_reminded_while_the_match_is_paused(club: Club) -> None:
    """Their time stands still, and so do its reminders."""
    end = begin(club) + 7 * DAY
    club.reply(0, "pause 10d")
    club.reply(1, "pause 10d")
    assert reminded(club, 10 * DAY) == []
    assert reminded(club, 8 * DAY) == [end + 8 * DAY, end + 10 * DAY - DAY / 2]


def test_a_gift_of_time_puts_reminders_off(club: Club) -> None:
    """They go with what is left, and the same step comes once more when there is so little again."""
    end = begin(club) + 7 * DAY
    assert reminded(club, timedelta(days=5, hours=1)) == [end - 2 * DAY]
    club.reply(1, "give 3d")
    assert reminded(club, 4 * DAY) == [end + DAY]


def test_a_damaged_match_keeps_nobody_from_being_reminded_of_the_others(club: Club) -> None:
    """Its record makes no sense any more; the others are due."""
    for number in (1, 2, 3):
        begin(club, f"{number}@b.example")
    with closing(sqlite3.connect(str(club.service.database.file))) as connection, connection:
        connection.execute("UPDATE matchentry SET text = '?' WHERE match_id = 2 AND ply = 1")
    assert len(reminded(club, timedelta(days=5, hours=1))) == 1


@pytest.mark.parametrize("word", ["emergency", "remind 2d", "quiet 22-7", "auto off"])
def test_whose_matches_have_no_clock_has_nothing_to_stop_or_to_be_reminded_of(club: Club, word: str) -> None:
    """Until one of their matches has one: then the words mean something, wherever they are written."""
    begin(club, days="none")
    refused = club.reply(0, word)
    assert (refused.message.status, refused.message.reason) == ("rejected", "no_command")
    begin(club, "Carl <carl@c.example>")
    assert club.reply(0, word, match=1).message.status == "accepted"
