"""What somebody who means harm tries with time: to have more of it, to take it from others, to have others mailed."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest

from pbem.match import Clock, LogEntry
from pbem.pipeline.limits import UNSOLICITED
from pbem.settings import Settings
from tests.support.bounces import addressed, postfix
from tests.support.club import PLAYERS, Club

DAY = 86400


@pytest.fixture
def club(settings: Settings, new_club: Callable[..., Club]) -> Club:
    """A club where nobody has days of vacation, so that time is over when it is over."""
    settings.vacation_days = 0
    return new_club()


def opened(club: Club, *moves: str, players: tuple[str, ...] = PLAYERS[:2], **options: object) -> None:
    """Open a match, let everybody make their ``moves`` in turn, and send all emails."""
    options = {"days": 3} | options
    number = club.open("pipline", players, **options).id
    asyncio.run(club.service.deliver())
    for move in moves:
        acting = club.match(number).to_act
        assert isinstance(acting, int)
        assert club.reply(acting, move, match=number).message.status == "accepted"
        asyncio.run(club.service.deliver())


def wait(club: Club, **time: float) -> None:
    """Let time pass while the service runs."""
    for _ in club.pass_time(timedelta(**time)):
        pass


def clock(club: Club, number: int = 1) -> Clock:
    """Return the clock of a match."""
    found = club.match(number).clock
    assert found
    return found


def flags(club: Club, number: int = 1) -> int:
    """Return how often time was over in a match."""
    with club.service.database.reading() as tx:
        return sum(entry.kind == "flagged" for entry in tx.clocks.log(number))


def log(club: Club, number: int = 1) -> list[LogEntry]:
    """Return the log of a match."""
    with club.service.database.reading() as tx:
        return tx.clocks.log(number)


def come_back(club: Club, seat: int, number: int = 1) -> None:
    """Let the latest email to a seat that has an envelope sender of its own come back, as its reader can forge it."""
    sent = [mail for mail in club.queued() if (mail.match, mail.seat) == (number, seat) and mail.kind in UNSOLICITED][
        -1
    ]
    club.written += 1
    raw = postfix(club.mail(sent)).replace(b"Message-Id: <", f"Message-Id: <{club.written}.".encode())
    club.service.hand_in(addressed(raw, club.envelope_of(sent)))
    asyncio.run(club.service.deliver())


# to have more time


def test_forging_bounces_of_ones_own_notices_stops_no_clock_for_ever(club: Club) -> None:
    """Each email of a turn comes back, whoever caused it, while its reader writes: the time is over all the same.

    The others wait two weeks longer at most.
    """
    opened(club, "c3")
    club.reply(1, "remind 2d 1d 12h 6h 3h")
    for _ in range(40):
        if flags(club):
            break
        club.reply(0, "say: hello?")
        asyncio.run(club.service.deliver())
        come_back(club, 1)
        wait(club, hours=12)
        club.reply(1, "say: still thinking")
        asyncio.run(club.service.deliver())
        wait(club, hours=12)
    assert flags(club)
    assert club.clock.now() - club.match().times[-1] <= timedelta(days=3 + 14)


def test_an_email_that_comes_back_late_gives_no_time_back_that_was_used_before(club: Club) -> None:
    """A reminder is proof that the notice of the turn had arrived; what was spent by then is spent."""
    opened(club, "c3", "b2", days=7)
    wait(club, days=5, minutes=1)
    assert club.queued()[-1].kind == "reminder"
    come_back(club, 0)
    assert clock(club).bank <= 2 * DAY


def test_whoever_writes_in_one_match_does_not_keep_the_clock_of_another_stopped(club: Club) -> None:
    """A bounce there, a word here: the notice of the other match goes out anew, and its time runs."""
    for name in ("Carl <carl@c.example>", "Dora <dora@d.example>"):
        opened(club, "c3", players=(name, "Bob <bob@b.example>"))
    come_back(club, 1, 2)
    assert clock(club, 2).halted == "bounced"
    club.reply(1, "show", match=1)
    asyncio.run(club.service.deliver())
    wait(club, days=3, hours=1)
    assert clock(club, 2).halted == "flagged"
