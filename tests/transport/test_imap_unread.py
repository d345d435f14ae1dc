"""What a server lists and does not hand out is named, and stops nothing else; whatever else it lists comes out."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from pbem.errors import MailboxLost
from pbem.ports import Batch, Cursor
from pbem.transport.imap import ImapMailbox
from tests.support.mail_servers import FaultyImap, everything, message, raws

FIVE = {uid: message(uid) for uid in range(1, 6)}
SHORT = len(message(3)) - 1
FAULTS = ["NO", "BAD", "hang up", "silence", "nothing", "NIL", '""', '"x"', "0", str(SHORT)]


@asynccontextmanager
async def reading(server: FaultyImap) -> AsyncIterator[ImapMailbox]:
    """A mailbox at a server, that waits no longer than it must: a busy machine answers late, a silent server never."""
    is_silent = "silence" in server.faults.values()
    async with server.serving() as port:
        mailbox = ImapMailbox(f"imap://ann:x@127.0.0.1:{port}", timeout=0.3 if is_silent else 30)
        yield mailbox
        await mailbox.close()


def unread(batches: list[Batch]) -> dict[int, bool]:
    """Return the UIDs that are named as unread, each with whether it was asked for alone."""
    return {one.uid: one.tried for batch in batches for one in batch.unread}


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_message_that_is_not_handed_out_is_named_and_stops_no_other(fault: str) -> None:
    """Whatever stands in the place of its content: it is asked for again, alone; the others come."""
    async with reading(FaultyImap(dict(FIVE), _3=fault)) as mailbox:
        batches = await everything(mailbox)
        assert raws(batches) == [message(uid) for uid in (1, 2, 4, 5)]
        assert unread(batches) == {3: True}
        assert batches[-1].cursor == Cursor(7, 5)


@pytest.mark.parametrize("fault", ["NO", "silence", "nothing", "NIL", "0"])
async def test_a_message_alone_is_named_as_well(fault: str) -> None:
    """Also where nothing at all can be asked about it; what is said of it tells the operator why."""
    server = FaultyImap({1: message(1)}, _1=fault)
    server.spares_facts = fault in ("nothing", "NIL", "0")
    async with reading(server) as mailbox:
        batches = await everything(mailbox)
        assert (raws(batches), unread(batches), batches[-1].cursor) == ([], {1: True}, Cursor(7, 1))
        assert "mail server" in batches[-1].unread[0].why


async def test_a_message_that_is_gone_is_passed_over() -> None:
    """The server no longer lists it: nothing is missing."""
    async with reading(FaultyImap(dict(FIVE), _3="gone")) as mailbox:
        batches = await everything(mailbox)
        assert (len(raws(batches)), unread(batches)) == (4, {})


async def test_a_content_without_line_ends_may_come_as_a_quoted_string() -> None:
    """As the standard allows; parentheses and words of an answer in it are its own."""
    odd = b'a ( "b" \\ UID 9 ('
    async with reading(FaultyImap({1: odd, 2: message(2)}, _1='"a ( \\"b\\" \\\\ UID 9 ("')) as mailbox:
        assert raws(await everything(mailbox)) == [odd, message(2)]


async def test_a_size_that_is_an_estimate_keeps_no_message_back() -> None:
    """Exchange tells sizes that are too large: when asked what comes behind the end, it says that nothing does."""
    server = FaultyImap(dict(FIVE))
    server.estimate = 40
    async with reading(server) as mailbox:
        batches = await everything(mailbox)
        assert (len(raws(batches)), unread(batches)) == (5, {})


async def test_a_server_that_hands_out_nothing_is_in_trouble() -> None:
    """It is not asked for each of its messages: all are named, and a loss is told, so that no clock runs."""
    async with reading(FaultyImap(dict(FIVE), **{f"_{uid}": "NO" for uid in FIVE})) as mailbox:
        batches = mailbox.batches(Cursor(7, 0), None)
        assert unread([await anext(batches)]) == {1: True, 2: True, 3: True, 4: False, 5: False}
        with pytest.raises(MailboxLost, match="Not this one"):
            await anext(batches)


async def test_a_message_that_ends_the_connection_is_passed_even_if_no_other_is_granted() -> None:
    """What came before it counts, it is named, and the next reading goes on with what lies behind it."""
    server = FaultyImap(dict(FIVE), _3="hang up")
    server.answers["greeting"] = ["* OK ready", "* OK ready", "* BYE Come back later", "* OK ready"]
    async with reading(server) as mailbox:
        batches = mailbox.batches(Cursor(7, 0), None)
        first = await anext(batches)
        assert (len(first.messages), unread([first])) == (2, {3: True, 4: False, 5: False})
        with pytest.raises(MailboxLost, match="has closed the connection"):
            await anext(batches)
        [again] = await everything(mailbox, Cursor(7, 5, unread=dict.fromkeys((4, 5, 3), True)))
        assert (raws([again]), unread([again])) == ([message(4), message(5)], {3: True})


async def test_an_unread_message_is_asked_for_when_it_is_due() -> None:
    """It comes out once it can be read; what is not due is not asked for, and what was deleted is known to be gone."""
    server = FaultyImap({uid: message(uid) for uid in (2, 3, 5)}, _3="NO")
    async with reading(server) as mailbox:
        cursor = Cursor(7, 5, unread={2: True, 3: False, 4: False})
        gone, back = await everything(mailbox, cursor)
        assert (set(gone.settled), set(back.settled), raws([back])) == ({4}, {2}, [message(2)])
        assert (unread([gone, back]), back.cursor) == ({}, cursor)
        assert not any("FETCH 3" in command for command in server.heard)
        again = await everything(mailbox, Cursor(7, 5, unread={3: True}))
        assert (unread(again), len(again[-1].settled)) == ({3: True}, 0)


@pytest.mark.parametrize(
    ("cursor", "why"),
    [
        (Cursor(6, 2), "uidvalidity"),
        (Cursor(7, 6), "uidnext"),
        (Cursor(7, 900), "uidnext"),
        (Cursor(7, 4, "4 1795000000"), "mark"),
        (Cursor(7, 5, "1 1795199400,4 1795000000,9 1795199400"), "mark"),
        (Cursor(7, 5, "9 1795199400"), "gone"),
    ],
)
async def test_a_mailbox_that_is_another_now_is_read_from_the_date_on(cursor: Cursor, why: str) -> None:
    """New numbers, fewer messages than were read, or another one in a place: all come again, and that is said once."""
    async with reading(FaultyImap(dict(FIVE))) as mailbox:
        assert await mailbox.compare(cursor) == why
    async with reading(FaultyImap(dict(FIVE))) as mailbox:
        first, *more = await everything(mailbox, cursor)
        assert (len(raws([first, *more])), first.renumbered) == (5, why)
        assert await everything(mailbox, first.cursor) == []
        assert first.cursor.mark == ",".join(f"{uid} 1795199400" for uid in FIVE)


async def test_what_is_new_is_read_where_all_else_is_gone_and_no_day_is_known() -> None:
    """Before the first email of the service, too, somebody deletes all that came."""
    async with reading(FaultyImap({9: message(9)})) as mailbox:
        assert raws([batch async for batch in mailbox.batches(Cursor(7, 5, "5 1795199400"), None)]) == [message(9)]


@pytest.mark.parametrize(
    "cursor", [Cursor(7, 5), Cursor(7, 5, "5 1795199400"), Cursor(7, 5, "2 1795199400,9 1795199400")]
)
async def test_a_mailbox_that_is_the_same_is_read_on(cursor: Cursor) -> None:
    """Also where one of the messages that it is known by was removed, or times are told in another zone now.

    A poll of which nothing comes costs two commands.
    """
    server = FaultyImap(dict(FIVE))
    server.arrived = "20-Nov-2026 20:30:00 +0200"
    async with reading(server) as mailbox:
        assert await everything(mailbox, cursor) == []
        before = len(server.heard)
        assert await everything(mailbox, cursor) == []
        assert [command.split()[:2] for command in server.heard[before:]] == [["EXAMINE", '"INBOX"'], ["UID", "SEARCH"]]
