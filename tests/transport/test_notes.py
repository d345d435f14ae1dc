"""Notes beside a mailbox: they lie in a folder of their own, whatever the server calls it and lets us do."""

from datetime import UTC, datetime, timedelta

import pytest

from pbem.demo.servers import DemoServers
from pbem.errors import MailboxLost
from pbem.transport.imap import ImapMailbox
from pbem.transport.notes import ImapNotes
from tests.support.mail_servers import GAMES, ScriptedImap, inbox, message

REFUSED = "% NO [NOPERM] not for you"


def on(port: int) -> ImapNotes:
    """Return the notes on a scripted server."""
    return ImapNotes(ImapMailbox(f"imap://games:demo@127.0.0.1:{port}/INBOX", timeout=5))


async def test_notes_are_added_read_and_removed(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """In the order in which they came; another connection sees them too, and the mailbox itself has none."""
    notes, others = ImapNotes(mailbox), ImapNotes(ImapMailbox(servers.imap_url(GAMES), timeout=5))
    assert await notes.read() == []
    await notes.remove([1])
    assert [await one.add(message(number)) for number, one in enumerate((notes, others, notes))] == ["", "", ""]
    found = await others.read()
    assert [note.raw for note in found] == [message(number) for number in range(3)]
    assert found == sorted(found, key=lambda note: note.uid) == await notes.read()
    await notes.remove([found[0].uid, found[2].uid])
    assert await others.read() == [found[1]]
    assert await inbox(servers, GAMES) == []


async def test_the_server_dates_a_note_by_its_own_clock(mailbox: ImapMailbox) -> None:
    """Whatever the note says; without one it says nothing."""
    notes = ImapNotes(mailbox)
    assert await notes.newest_at() is None
    assert await notes.add(b"Date: Mon, 1 Jan 2001 00:00:00 +0000\r\n\r\n") == ""
    at = await notes.newest_at()
    assert at
    assert abs(datetime.now(UTC) - at) < timedelta(minutes=5)


async def test_the_mailbox_can_be_read_between_two_looks_at_the_notes(
    servers: DemoServers, mailbox: ImapMailbox
) -> None:
    """They share a connection, and each opens its own folder."""
    notes = ImapNotes(mailbox)
    for number in range(2):
        assert await notes.add(message(number)) == ""
        [batch] = [batch async for batch in mailbox.batches(None, None)]
        assert batch.messages == ()
        assert len(await notes.read()) == number + 1


async def test_the_folder_lies_where_the_server_wants_it() -> None:
    """Some have all folders below INBOX (RFC 2342)."""
    server = ScriptedImap(
        CAPABILITY="* CAPABILITY IMAP4rev1 NAMESPACE\n% OK",
        NAMESPACE='* NAMESPACE (("INBOX." ".")) NIL NIL\n% OK',
        EXAMINE=REFUSED,
        CREATE=REFUSED,
    )
    async with server.serving() as port:
        notes = on(port)
        assert await notes.read() == []
        assert await notes.add(b"a note") == "[NOPERM] not for you"
        assert notes.folder == "INBOX.pbem-owner"
    assert 'CREATE "INBOX.pbem-owner"' in server.heard


async def test_a_folder_that_another_service_makes_meanwhile_is_taken() -> None:
    """The server refuses to make it twice (RFC 5530, ALREADYEXISTS); the note of the second is laid into it all the
    same, or each of the two would believe itself alone."""
    server = ScriptedImap(
        EXAMINE=[REFUSED, "% OK"],
        CREATE="% NO [ALREADYEXISTS] Mailbox already exists",
        APPEND="+ go on",
        note="% OK",
    )
    async with server.serving() as port:
        assert await on(port).add(b"note") == ""
    assert 'APPEND "pbem-owner" (\\Seen) {4}' in server.heard


@pytest.mark.parametrize("command", ["EXAMINE", "SEARCH", "FETCH"])
async def test_a_folder_that_cannot_be_read_now_is_not_taken_for_an_empty_one(command: str) -> None:
    """Else the service would put its own note beside another's."""
    answers = {"SEARCH": "* SEARCH 1\n% OK", command: "% NO [UNAVAILABLE] later"}
    async with ScriptedImap(**answers).serving() as port:
        with pytest.raises(MailboxLost):
            await on(port).read()
