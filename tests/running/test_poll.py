"""Polling the mailbox: each message is fetched once."""

import asyncio
from collections.abc import AsyncIterator
from datetime import date, timedelta

import pytest

from pbem.errors import MailboxLost
from pbem.ports import Batch, Cursor
from tests.support.fakes import FakeMailbox
from tests.support.mails import message
from tests.support.running import MakeClub, inbound_messages, state


async def test_polling_an_empty_database_starts_at_the_end(new_club: MakeClub) -> None:
    """A mailbox full of other mail is not read through."""
    mailbox = FakeMailbox()
    mailbox.put(*[message("old", From="x@y.example", Message_ID=f"<{n}@y>") for n in range(5)])
    club = new_club(mailbox=mailbox)
    assert await club.service.poll() == 0
    mailbox.put(message("new", From="x@y.example"))
    assert await club.service.poll() == 1
    assert len(inbound_messages(club)) == 1


async def test_each_message_is_fetched_once(new_club: MakeClub) -> None:
    """The cursor goes on with what is stored, over several passes and batches."""
    club = new_club()
    club.open()
    await club.service.poll()
    for text in ("help", "show", "c3"):
        club.mailbox.put(club.answer(club.newest(0), text))
    assert await club.service.poll() == 3
    assert await club.service.poll() == 0
    assert club.moves() == ["c3"]
    with club.service.database.reading() as tx:
        cursor = tx.inbound.cursor(club.mailbox.name)
    assert cursor is not None
    assert cursor.last_uid == 3


async def test_a_renumbered_mailbox_repeats_nothing(new_club: MakeClub) -> None:
    """After a change of UIDVALIDITY all messages since our first email come again: none is applied twice."""
    club = new_club()
    club.open()
    club.mailbox.put(club.answer(club.newest(0), "c3"))
    await club.service.poll()
    before = state(club)
    club.mailbox.uidvalidity = 8
    assert await club.service.poll() == 0
    assert club.mailbox.asked_since == (club.clock.now() - timedelta(days=1)).date()
    assert state(club) == before
    club.mailbox.put(club.answer(club.newest(1), "take"))
    assert await club.service.poll() == 1
    assert club.moves() == ["c3", "take"]


class BreakingMailbox(FakeMailbox):
    """A mailbox whose connection breaks after the first batch."""

    async def batches(self, cursor: Cursor | None, since: date | None) -> AsyncIterator[Batch]:
        """Yield the first batch, then fail."""
        async for batch in super().batches(cursor, since):
            yield batch
            raise MailboxLost("gone")


async def test_what_was_fetched_before_a_loss_is_processed(new_club: MakeClub) -> None:
    """The next messages are fetched ahead; when that fails, those that are there count, and the loss is told."""
    club = new_club(mailbox=BreakingMailbox())
    club.open()
    await club.service.poll()
    for text in ("help", "c3", "show"):
        club.mailbox.put(club.answer(club.newest(0), text))
    with pytest.raises(MailboxLost):
        await club.service.poll()
    assert club.moves() == ["c3"]


async def test_others_go_on_while_messages_are_processed(new_club: MakeClub) -> None:
    """Between two messages emails may be sent, and each processed message says that there may be some."""
    club = new_club()
    club.open()
    await club.service.poll()
    for text in ("help", "c3", "show"):
        club.mailbox.put(club.answer(club.newest(0), text))
    processed, turns = [], 0

    async def go_on() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.ensure_future(go_on())
    await club.service.poll(lambda: processed.append(turns))
    other.cancel()
    assert len(processed) == 3
    assert len(set(processed)) == 3
