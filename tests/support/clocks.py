"""Matches whose clocks run: opened and played on, their time passing, and what is kept of it."""

import asyncio
from datetime import timedelta

from pbem.match.log import LogEntry
from pbem.match.time.clock import Clock
from pbem.running.service import Arrival
from pbem.storage.messages.records import OutboundRecord
from tests.support.bounces import addressed, postfix
from tests.support.club import PLAYERS, Club


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


def entries(club: Club, number: int = 1) -> list[LogEntry]:
    """Return the log of a match."""
    with club.service.database.reading() as tx:
        return tx.clocks.log(number)


def return_email(club: Club, sent: OutboundRecord) -> Arrival:
    """Let an email come back, as a mail server returns it, or somebody who can read it."""
    club.written += 1
    raw = postfix(club.mail(sent)).replace(b"Message-Id: <", f"Message-Id: <{club.written}.".encode())
    returned = club.service.hand_in(addressed(raw, club.envelope_of(sent)))
    asyncio.run(club.service.deliver())
    return returned
