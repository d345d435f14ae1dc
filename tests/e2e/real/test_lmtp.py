"""A real Postfix hands its emails to the service by LMTP: none is lost, and one that comes again is known."""

import asyncio
import smtplib
from collections.abc import Iterator
from pathlib import Path
from shutil import chown

import pytest

from pbem.running.lmtp import open_lmtp
from tests.e2e.real.dovecot import Dovecot
from tests.e2e.real.line import ADDRESSES, ANN, BOB, GAMES, Line
from tests.e2e.real.place import PATIENCE
from tests.e2e.real.postfix import Postfix

pytestmark = pytest.mark.slow("needs real mail servers")


@pytest.fixture
def place(home: Path) -> Path:
    """Where the service listens: in a directory that Postfix, and nobody else, may enter."""
    directory = home / "pbem"
    directory.mkdir(mode=0o750)
    chown(directory, group="postfix")
    directory.chmod(0o2750)
    return directory / "lmtp"


@pytest.fixture
def postfix(home: Path, dovecot: Dovecot, certificate: Path, place: Path) -> Iterator[Postfix]:
    """A Postfix that hands what is for the service to that socket."""
    transport = f"transport_maps = inline:{{ {{ {GAMES} = lmtp:unix:{place} }} }}\n"
    server = Postfix(home / "postfix", dovecot, ADDRESSES, certificate, main=transport)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        print(server.log())


def _send(postfix: Postfix, raw: bytes, *recipients: str) -> None:
    """Send a message as a player's mail server does."""
    with smtplib.SMTP("127.0.0.1", postfix.ports["plain"], timeout=PATIENCE) as client:
        client.sendmail(ANN, list(recipients), raw)


async def _until_stored(line: Line, count: int) -> None:
    """Wait until so many messages are stored."""
    async with asyncio.timeout(PATIENCE):
        while len(line.messages()) < count:  # noqa: ASYNC110 - it is another process that hands them over
            await asyncio.sleep(0.02)


async def _until_deferred(postfix: Postfix) -> None:
    """Wait until Postfix has put an email off."""
    async with asyncio.timeout(PATIENCE):
        while "status=deferred" not in postfix.log():  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.02)


async def _until_sent(postfix: Postfix) -> None:
    """Wait until nothing is left in the queue of Postfix."""
    async with asyncio.timeout(PATIENCE):
        while await asyncio.to_thread(postfix.queued):
            await asyncio.to_thread(postfix.flush)
            await asyncio.sleep(0.1)


async def test_postfix_delivers_moves_by_lmtp(line: Line, postfix: Postfix, place: Path) -> None:
    """With the subaddress in the envelope alone, and while the service was away: it keeps them, and comes again."""
    line.service.settings.lmtp_listen = f"{place} 660"
    line.service.open("pipline", [ANN, BOB], {"size": 5})
    message = line.answer(ANN, "c3")
    await asyncio.to_thread(_send, postfix, message, GAMES.replace("@", "+elsewhere@"))
    await _until_deferred(postfix)
    assert line.messages() == []
    async with open_lmtp(line.service, lambda: None):
        await _until_sent(postfix)
        await _until_stored(line, 1)
        line.service.process_waiting()
        assert line.moves() == ["c3"]
        await asyncio.to_thread(_send, postfix, line.answer(BOB, "d4"), GAMES)
        await _until_stored(line, 2)
        line.service.process_waiting()
    assert line.moves() == ["c3", "d4"]
    with line.service.database.reading() as tx:
        raw = tx.inbound.raw(1)
    assert raw.startswith(b"Return-Path: <ann@example.org>\r\nDelivered-To: games+elsewhere@example.org\r\n")


async def test_a_death_between_storing_and_saying_so_plays_nothing_twice(
    line: Line, postfix: Postfix, place: Path
) -> None:
    """Postfix hears nothing, keeps the email, and hands it over again: it is known, and the move counts once."""
    line.service.settings.lmtp_listen = f"{place} 660"
    line.service.open("pipline", [ANN, BOB], {"size": 5})
    dies = True

    def die(waypoint: str) -> None:
        if waypoint == "received" and dies:
            raise asyncio.CancelledError

    line.service.processing._on_waypoint = die
    async with open_lmtp(line.service, lambda: None):
        await asyncio.to_thread(_send, postfix, line.answer(ANN, "c3"), GAMES)
        await _until_stored(line, 1)
        await _until_deferred(postfix)
        assert await asyncio.to_thread(postfix.queued) == 1
        dies = False
        await _until_sent(postfix)
    line.service.process_waiting()
    assert len(line.messages()) == 1
    assert line.moves() == ["c3"]
    assert postfix.log().count("status=sent (250 2.0.0 Stored)") == 1
