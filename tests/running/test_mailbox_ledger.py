"""No player loses by what happens to the mailbox: a clock waits for what nobody has read, but not for ever."""

from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from datetime import timedelta

import pytest

from pbem.due.needs import list_needs
from pbem.due.outages import LONGEST_HELD, RECEIVES, SENDS
from pbem.errors import ConfigError, LoginRefused, MailboxLost
from pbem.settings.model import Settings
from pbem.transport.imap import ImapMailbox
from tests.support.club import Club
from tests.support.mail_servers import FaultyImap
from tests.support.mails import text_of
from tests.support.running import inbound_messages

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
CANNOT_READ = (MailboxLost, LoginRefused, ConfigError)
STRANGER = b"From: zoe@elsewhere.example\r\nSubject: hello\r\n\r\nHello.\r\n"


class Host:
    """A club that reads its mailbox at a server by IMAP, in which Ann has a day for her move."""

    def __init__(self, club: Club, server: FaultyImap) -> None:
        self.club, self.server = club, server

    def put(self, raw: bytes, fault: str = "") -> int:
        """Let a message arrive; return its UID."""
        uid, self.server.uidnext = self.server.uidnext, self.server.uidnext + 1
        self.server.messages[uid] = raw.replace(b"\r", b"").replace(b"\n", b"\r\n")
        if fault:
            self.server.faults[uid] = fault
        return uid

    async def pass_by(self, time: timedelta = timedelta(), *, works: bool = True) -> None:
        """Let time pass, in which the service sends, and reads if that ``works``; then it polls, and delivers."""
        self.club.clock.advance(time)
        with self.club.service.database.transaction() as tx:
            for name in (SENDS, RECEIVES) if works else (SENDS,):
                tx.heartbeats.beat(name, self.club.clock.now() - MINUTE)
        with suppress(*CANNOT_READ):
            await self.club.service.poll()
        await self.club.service.deliver()

    @property
    def halted(self) -> str:
        """Why the clock stands."""
        clock = self.club.match().clock
        assert clock
        return clock.halted

    def told(self) -> str:
        """Return what the operator was told, in all emails."""
        return "\n".join(text_of(self.club.mail(one)) for one in self.club.queued(kind="needs"))

    def needs(self) -> list[str]:
        """Return what needs the operator, by its codes."""
        with self.club.service.database.reading() as tx:
            return [one.code for one in list_needs(tx)]

    def unread(self) -> list[int]:
        """Return the UIDs that wait to be read."""
        with self.club.service.database.reading() as tx:
            return [one.uid for one in tx.unread.all()]


@pytest.fixture
async def host(settings: Settings, new_club: Callable[..., Club]) -> AsyncIterator[Host]:
    """A host at whom the match has begun."""
    settings.vacation_days, settings.imap_url, settings.operator = 0, "imap://ann:x@127.0.0.1/INBOX", "op@play.example"
    server = FaultyImap({})
    async with server.serving() as port:
        club = new_club(mailbox=ImapMailbox(f"imap://ann:x@127.0.0.1:{port}", timeout=2))
        host = Host(club, server)
        club.open(days=1)
        await host.pass_by()
        for seat, move in ((0, "c3"), (1, "b2")):
            host.put(club.answer(club.newest(seat), move))
            await host.pass_by(HOUR / 2)
        assert club.moves() == ["c3", "b2"]
        yield host
        await club.service.disconnect()


async def test_a_restored_mailbox_takes_no_move_away(host: Host) -> None:
    """Under the same UIDVALIDITY her reply has a number that was read before: it is read, and nothing is done twice."""
    host.server.messages.clear()
    host.server.uidnext = 1
    uid = host.put(host.club.answer(host.club.newest(0), "d2"))
    assert uid == 1
    await host.pass_by(2 * DAY)
    assert host.club.moves()[:3] == ["c3", "b2", "d2"]
    assert len(inbound_messages(host.club)) == 3
    assert "isn’t as I left it" in host.told().replace("\n", " ")


@pytest.mark.parametrize("kept", [[1], []])
async def test_who_files_mail_away_has_none_of_it_read_again(host: Host, kept: list[int]) -> None:
    """While the oldest messages stay they tell that nothing is new; where all go, nothing is left to read again."""
    for number in range(3):
        host.put(STRANGER + b"%d\r\n" % number)
        await host.pass_by(MINUTE)
        host.server.messages = {one: raw for one, raw in host.server.messages.items() if one in kept}
        await host.club.service.disconnect()
    await host.pass_by(MINUTE)
    assert sum("BODY.PEEK[]" in command for command in host.server.heard) == 5
    assert (len(inbound_messages(host.club)), host.told()) == (5, "")


@pytest.mark.parametrize("fault", ["NO", "nothing"])
async def test_a_clock_stands_while_a_message_cannot_be_read(host: Host, fault: str) -> None:
    """It may be her move, and counts once it can be read; the operator is told once, and what to do."""
    uid = host.put(host.club.answer(host.club.newest(0), "d2"), fault)
    other = host.put(STRANGER)
    for time in (MINUTE, MINUTE, 2 * DAY):
        await host.pass_by(time)
    assert (host.halted, host.unread()) == ("", [uid])
    assert inbound_messages(host.club)[-1].sender == "zoe@elsewhere.example"
    assert other in host.server.messages
    assert host.told().count(f"inbound skip {uid}") == 1
    del host.server.faults[uid]
    await host.pass_by(HOUR)
    assert (host.club.moves()[2], host.unread()) == ("d2", [])
    assert len(host.club.queued(kind="needs")) == 1


async def test_nobody_ends_while_the_server_hands_nothing_out(host: Host) -> None:
    """Not after three days either: nothing says that all was read, and the time is given back."""
    for number in range(4):
        host.put(STRANGER + b"%d\r\n" % number, "NO")
    host.put(host.club.answer(host.club.newest(0), "d2"), "NO")
    for _ in range(2):
        await host.pass_by(2 * DAY, works=False)
    assert host.halted == ""
    host.server.faults.clear()
    await host.pass_by(HOUR)
    assert (host.club.moves()[2], host.unread()) == ("d2", [])


async def test_a_message_that_is_given_up_holds_nothing(host: Host) -> None:
    """By the operator here, or by being deleted from the mailbox: then time is over when it is over."""
    first, second = (host.put(STRANGER, "NO") for _ in range(2))
    for time in (MINUTE, DAY):
        await host.pass_by(time)
    assert host.halted == ""
    with host.club.service.database.transaction() as tx:
        assert tx.unread.drop(first)
    del host.server.messages[second]
    await host.pass_by(HOUR)
    assert (host.halted, host.unread()) == ("flagged", [])


async def test_no_stranger_stops_a_clock_for_good(host: Host) -> None:
    """Who sends what no server hands out holds each clock for three days at most, however much of it they send."""
    for _ in range(5):
        host.put(STRANGER, "NO")
        await host.pass_by(DAY - MINUTE)
        await host.pass_by(MINUTE)
    clock = host.club.match().clock
    assert clock
    assert clock.halted == "flagged"
    assert clock.flagged_at
    assert clock.halted_at
    assert abs(clock.halted_at - clock.flagged_at - LONGEST_HELD) < HOUR


@pytest.mark.parametrize("fault", ["missing", "away", "password"])
async def test_a_mailbox_that_cannot_be_read_is_told_once_it_lasts(host: Host, fault: str) -> None:
    """Whatever the reason: once, while clocks stand; it is no need any more when all was read, and her move counts."""
    reply = host.club.answer(host.club.newest(0), "d2")
    host.server.is_missing = fault == "missing"
    if fault != "missing":
        await host.club.service.disconnect()
        host.server.answers |= {"LOGIN": "% NO Wrong password."} if fault == "password" else {"greeting": "hang up"}
    for time, told in ((HOUR / 2, 0), (HOUR, 1), (HOUR, 1), (2 * DAY, 1)):
        await host.pass_by(time, works=False)
        assert len(host.club.queued(kind="needs")) == told
    assert (host.needs(), host.halted) == (["unreceived"], "")
    host.server.is_missing = False
    for answer in ("LOGIN", "greeting"):
        host.server.answers.pop(answer, None)
    host.server.answers["greeting"] = "* OK ready"
    host.put(reply)
    await host.pass_by(MINUTE, works=False)
    assert (host.needs(), host.club.moves()[2]) == ([], "d2")
    assert len(host.club.queued(kind="needs")) == 1
    assert "read email since 2" in host.told()
