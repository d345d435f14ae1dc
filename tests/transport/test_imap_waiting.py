"""Waiting for a message by IMAP IDLE (RFC 2177), on a real server."""

import asyncio

import pytest

from pbem.demo.servers import DemoServers
from pbem.errors import MailboxLost
from pbem.transport.imap import ImapMailbox
from tests.support.mail_servers import ANN, GAMES, everything, message, raws, waiting_in


async def test_waiting_ends_when_a_message_comes(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """An announcement ends the waiting at once."""
    waiting = await waiting_in(mailbox)
    assert not waiting.done()
    await servers.deliver(message(1), GAMES)
    async with asyncio.timeout(2):
        assert await waiting


async def test_waiting_ends_in_time(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """When nothing comes, or only to others, waiting ends with False and can begin again."""
    await servers.deliver(message(1), GAMES)
    assert not await mailbox.wait(0.05)
    await servers.deliver(message(2), ANN)
    assert not await mailbox.wait(0.05)


async def test_what_comes_between_two_waits_counts(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """A message that came while nobody waited, even while there was no connection, ends the next waiting."""
    assert not await mailbox.wait(0)
    await servers.deliver(message(1), GAMES)
    assert await mailbox.wait(0)
    assert not await mailbox.wait(0)
    await servers.hang_up()
    await servers.deliver(message(2), GAMES)
    assert await mailbox.wait(0)


async def test_a_loss_while_waiting_is_noticed_at_once(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """When the server hangs up during the waiting, MailboxLost comes now and not after the time."""
    waiting = await waiting_in(mailbox)
    await servers.hang_up()
    async with asyncio.timeout(2):
        with pytest.raises(MailboxLost, match="it has closed the connection"):
            await waiting
    assert not await mailbox.wait(0)


async def test_waiting_can_be_given_up(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """A cancelled waiting ends at once, and the mailbox can be read afterwards."""
    waiting = await waiting_in(mailbox)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await servers.deliver(message(1), GAMES)
    assert raws(await everything(mailbox)) == [message(1)]
