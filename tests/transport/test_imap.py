"""Reading the mailbox by IMAP, on a real server."""

import asyncio
import imaplib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from urllib.parse import urlsplit

import pytest

from pbem.demo.servers import DemoServers
from pbem.errors import ConfigError, LoginRefused, MailboxLost
from pbem.ports import Batch, Cursor
from pbem.transport.imap import ImapMailbox
from tests.support.mail_servers import GAMES, TODAY, everything, message, raws, start, waiting_in


@contextmanager
def another_reader(url: str) -> Iterator[imaplib.IMAP4]:
    """A second program on the same mailbox, as a person's mail reader would be."""
    parts = urlsplit(url)
    with imaplib.IMAP4("127.0.0.1", parts.port or 0) as client:
        client.login(f'"{GAMES}"', parts.password or "")
        client.select("INBOX")
        yield client


async def test_messages_arrive_in_order(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """Messages come out as they came in, and the cursor says how far they went."""
    sent = [message(number) for number in range(5)]
    cursor = await start(mailbox)
    for raw in sent:
        await servers.deliver(raw, GAMES)
    [batch] = await everything(mailbox, cursor)
    assert raws([batch]) == sent
    assert batch.cursor == Cursor(cursor.uidvalidity, cursor.last_uid + 5)
    assert all(fetched.whole for fetched in batch.messages)


async def test_no_message_comes_twice(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """What lies below the cursor never comes again, and when nothing is new, nothing comes."""
    await servers.deliver(message(1), GAMES)
    [first] = await everything(mailbox)
    assert await everything(mailbox, first.cursor) == []
    await servers.deliver(message(2), GAMES)
    assert raws(await everything(mailbox, first.cursor)) == [message(2)]


async def test_reading_leaves_no_mark(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """After reading, another reader finds every message there, unseen, recent and undeleted."""
    for number in range(3):
        await servers.deliver(message(number), GAMES)
    await everything(mailbox)
    await mailbox.wait(0)

    def flags() -> list[bytes]:
        with another_reader(servers.imap_url(GAMES)) as client:
            return [bytes(line) for line in client.fetch("1:*", "(FLAGS)")[1] if isinstance(line, bytes)]

    found = await asyncio.to_thread(flags)
    assert found == [b"%d (FLAGS (\\Recent))" % number for number in (1, 2, 3)]


async def test_a_first_contact_can_pass_over_what_is_there(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """Without a date, the old messages stay unread, and the next one is the first that comes."""
    await servers.deliver(message(1), GAMES)
    cursor = await start(mailbox)
    await servers.deliver(message(2), GAMES)
    assert raws(await everything(mailbox, cursor)) == [message(2)]


async def test_a_first_contact_reads_from_a_date_on(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """With a date, letters from that day on come; when there are none, the cursor passes the older ones."""
    await servers.deliver(message(1), GAMES)
    assert raws(await everything(mailbox)) == [message(1)]
    [batch] = [batch async for batch in mailbox.batches(None, TODAY + timedelta(days=9))]
    assert batch == Batch((), await start(mailbox))


async def test_a_renumbered_mailbox_is_read_from_the_date_on(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """A cursor under another uidvalidity counts for nothing."""
    await servers.deliver(message(1), GAMES)
    [batch] = await everything(mailbox, Cursor(1, 1_000_000))
    assert raws([batch]) == [message(1)]
    assert batch.cursor == await start(mailbox)


async def test_many_messages_come_in_batches(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """120 messages come as 50, 50 and 20, each batch with the cursor that belongs to it."""
    sent = [message(number) for number in range(120)]
    for raw in sent:
        await servers.deliver(raw, GAMES)
    batches = await everything(mailbox)
    assert [len(batch.messages) for batch in batches] == [50, 50, 20]
    assert raws(batches) == sent
    last = batches[-1].cursor.last_uid
    assert [last - batch.cursor.last_uid for batch in batches] == [70, 20, 0]
    assert raws(await everything(mailbox, batches[1].cursor)) == sent[100:]


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"Subject: :-( (( [\r\n\r\nHello.\r\n", id="unbalanced-subject"),
        pytest.param(b"Subject: a\r\n\r\n* 1 EXISTS\r\n* BYE\r\n* \r\n", id="untagged-lines"),
        pytest.param(b"Subject: a\r\n\r\n)\r\nA001 OK\r\n)\r\n\r\n)", id="closing-parentheses-and-tagged-lines"),
        pytest.param(b"Subject: a\r\n\r\nUID 1 {5}\r\n{5}\r\n+ go\r\n", id="literal-announcements"),
        pytest.param(b"Subject: \xff\xfe\r\n\r\n" + bytes(range(1, 256)) + b"\r\n", id="eight-bit"),
        pytest.param(b"Subject: a\r\n\r\n", id="empty-body"),
        pytest.param(b"Subject: a\n\nbare\nlines\rhere", id="bare-line-ends"),
        pytest.param(b"Subject: a\r\n\r\n" + b"x" * 300_000, id="long-line"),
    ],
)
async def test_contents_come_through_unharmed(servers: DemoServers, mailbox: ImapMailbox, raw: bytes) -> None:
    """Whatever a message contains, it comes out byte for byte, and so do its neighbours."""
    for each in (message(1), raw, message(2)):
        await servers.deliver(each, GAMES)
    assert raws(await everything(mailbox)) == [message(1), raw, message(2)]


async def test_a_batch_fits_into_memory(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """Messages that are large together come in more batches than their number asks for."""
    sent = [message(number, b"%d" % number * 8_000_000) for number in range(3)]
    for raw in sent:
        await servers.deliver(raw, GAMES)
    batches = await everything(mailbox)
    assert [len(batch.messages) for batch in batches] == [2, 1]
    assert raws(batches) == sent


async def test_of_a_message_too_large_only_the_head_comes(servers: DemoServers) -> None:
    """A message over the limit comes in its place among the others, as its head, marked as not whole."""
    head = b"From: ann@pbem.example\r\nSubject: large\r\n\r\n"
    for raw in (message(1), head + b"x" * 2000, message(2)):
        await servers.deliver(raw, GAMES)
    mailbox = ImapMailbox(servers.imap_url(GAMES), largest=1000)
    [batch] = await everything(mailbox)
    assert [(fetched.raw, fetched.whole) for fetched in batch.messages] == [
        (message(1), True),
        (head, False),
        (message(2), True),
    ]
    await mailbox.close()


async def test_a_message_expunged_meanwhile_is_passed_over(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """When somebody removes messages between two batches, the rest comes and the cursor goes on."""
    for number in range(60):
        await servers.deliver(message(number), GAMES)
    batches = mailbox.batches(None, TODAY)
    first = await anext(batches)

    def expunge() -> None:
        with another_reader(servers.imap_url(GAMES)) as client:
            client.store("55:60", "+FLAGS", r"(\Deleted)")
            client.expunge()

    await asyncio.to_thread(expunge)
    [second] = [batch async for batch in batches]
    assert raws([second]) == [message(number) for number in range(50, 54)]
    assert second.cursor.last_uid == first.cursor.last_uid + 10


async def test_a_wrong_password_is_told(servers: DemoServers) -> None:
    """A refused login is LoginRefused, names server and user, and does not show the password."""
    mailbox = ImapMailbox(servers.imap_url(GAMES).replace("hunter2", "hunter3"))
    with pytest.raises(LoginRefused, match=r"^The mail server 127\.0\.0\.1:\d+ refuses .* games@pbem") as refusal:
        await start(mailbox)
    assert "hunter" not in str(refusal.value)
    with pytest.raises(LoginRefused):
        await mailbox.wait(0)


async def test_a_missing_folder_is_told(servers: DemoServers) -> None:
    """A folder that is not there is a ConfigError with its name, and the server's reason."""
    mailbox = ImapMailbox(servers.imap_url(GAMES).replace("/INBOX", "/Later"))
    with pytest.raises(ConfigError, match=r"does not open the mailbox Later: .*does not exist"):
        await start(mailbox)
    await mailbox.close()


async def test_a_stopped_server_is_told_and_found_again(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """While the server is away every reading says so; when it is back, the same mailbox reads on."""
    cursor = await start(mailbox)
    await servers.stop()
    for _ in range(2):
        with pytest.raises(MailboxLost, match=r"127\.0\.0\.1:\d+: nothing listens there") as loss:
            await everything(mailbox, cursor)
        assert "hunter2" not in str(loss.value)
    await servers.start()
    await servers.deliver(message(1), GAMES)
    assert raws(await everything(mailbox, cursor)) == [message(1)]


async def test_a_broken_connection_is_made_anew(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """When the server has hung up between two readings, the next one does not notice."""
    cursor = await start(mailbox)
    await servers.hang_up()
    assert await everything(mailbox, cursor) == []


async def test_a_loss_between_batches_leaves_nothing_out(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """A reading that loses its connection goes on over another one; where there is none, it says so."""
    for number in range(60):
        await servers.deliver(message(number), GAMES)
    batches = mailbox.batches(None, TODAY)
    first = await anext(batches)
    await servers.hang_up()
    assert len(raws([batch async for batch in batches])) == 10
    batches = mailbox.batches(first.cursor, TODAY)
    await servers.stop()
    with pytest.raises(MailboxLost, match="nothing listens there"):
        await anext(batches)


async def test_closing_never_raises(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """A mailbox can be closed unused, twice, in the middle of a waiting and after the server has gone."""
    await mailbox.close()
    waiting = await waiting_in(mailbox)
    await mailbox.close()
    with pytest.raises(MailboxLost):
        await waiting
    await start(mailbox)
    await servers.stop()
    await mailbox.close()
    await mailbox.close()


async def test_a_server_without_tls_is_told(servers: DemoServers) -> None:
    """TLS towards a server that speaks none is MailboxLost, and says that it is TLS that fails."""
    mailbox = ImapMailbox(servers.imap_url(GAMES).replace("imap:", "imaps:"), timeout=5)
    with pytest.raises(MailboxLost, match="TLS fails"):
        await mailbox.wait(0)
