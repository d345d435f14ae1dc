"""Polling the mailbox: each message is fetched once."""

from datetime import timedelta

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
