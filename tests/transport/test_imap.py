"""The mailbox, against pymap, and against scripted servers where a real one would not misbehave."""

import asyncio
import imaplib
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pbem.demo.servers import DemoServers
from pbem.errors import ConfigError, LoginRefused, MailboxLost
from pbem.ports import Batch, Cursor
from pbem.transport.imap import ImapMailbox
from tests.certificate import CERTIFICATE

GAMES = "games@pbem.example"
ANN = "ann@pbem.example"
TODAY = datetime.now(UTC).date() - timedelta(days=1)  # a test may run over midnight, or west of Greenwich


def message(number: int, body: bytes = b"Hello.\r\n") -> bytes:
    """A small letter, recognisable by its number."""
    return b"From: ann@pbem.example\r\nSubject: letter %d\r\n\r\n" % number + body


@pytest.fixture
async def servers() -> AsyncIterator[DemoServers]:
    """The demo's servers, with two accounts."""
    async with DemoServers([GAMES, ANN], password="hunter2") as servers:
        yield servers


@pytest.fixture
async def mailbox(servers: DemoServers) -> AsyncIterator[ImapMailbox]:
    """The mailbox of the service."""
    mailbox = ImapMailbox(servers.imap_url(GAMES), timeout=5)
    yield mailbox
    await mailbox.close()


async def everything(mailbox: ImapMailbox, cursor: Cursor | None = None) -> list[Batch]:
    """All that is new after ``cursor``."""
    return [batch async for batch in mailbox.batches(cursor, TODAY)]


async def start(mailbox: ImapMailbox) -> Cursor:
    """Where the mailbox ends now."""
    [batch] = [batch async for batch in mailbox.batches(None, None)]
    assert batch.messages == ()
    return batch.cursor


def raws(batches: list[Batch]) -> list[bytes]:
    """The messages themselves, without their cursors."""
    return [fetched.raw for batch in batches for fetched in batch.messages]


async def waiting_in(mailbox: ImapMailbox) -> asyncio.Task[bool]:
    """A waiting of a minute that has come as far as IDLE."""
    waiting = asyncio.ensure_future(mailbox.wait(60))
    async with asyncio.timeout(5):
        # Nothing but aioimaplib's own event tells that the server has agreed to IDLE.
        while mailbox._client is None or not mailbox._client.protocol._idle_event.is_set():  # noqa: ASYNC110
            await asyncio.sleep(0)
    return waiting


@contextmanager
def another_reader(url: str) -> Iterator[imaplib.IMAP4]:
    """A second program on the same mailbox, as a person's mail reader would be."""
    parts = urlsplit(url)
    with imaplib.IMAP4("127.0.0.1", parts.port or 0) as client:
        client.login(f'"{GAMES}"', parts.password or "")
        client.select("INBOX")
        yield client


class Script:
    """An IMAP server that knows nothing but the answers it is given, by a word of the command.

    ``%`` in an answer stands for the reply token; of several answers the last is repeated.
    """

    def __init__(self, **answers: str | list[str]) -> None:
        self.heard: list[str] = []
        self.answers: dict[str, str | list[str]] = {
            "CAPABILITY": "* CAPABILITY IMAP4rev1\n% OK",
            "EXAMINE": "* 2 EXISTS\n* OK [UIDVALIDITY 7]\n% OK",
            "LOGOUT": "* BYE\n% OK",
            "greeting": "* OK ready",
            **answers,
        }

    def _answer(self, command: str) -> str:
        answer = next((self.answers[word] for word in self.answers if word in command), "% OK")
        if isinstance(answer, list):
            return answer.pop(0) if len(answer) > 1 else answer[0]
        return answer

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        token, command = "*", "greeting"
        while True:
            lines = self._answer(command).replace("%", token).split("\n")
            writer.writelines(line.encode() + b"\r\n" for line in lines)
            said = ""
            with suppress(ConnectionError):
                said = (await reader.readline()).decode().strip()
            if not said:
                return
            if said == "DONE":
                command = said
            else:
                token, _, command = said.partition(" ")
            self.heard.append(command)

    @asynccontextmanager
    async def serving(self, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
        """Serve on a free port of loopback and yield it."""
        talks: list[tuple[asyncio.Task[None], asyncio.StreamWriter]] = []

        def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            talks.append((asyncio.ensure_future(self._talk(reader, writer)), writer))

        server = await asyncio.start_server(meet, "127.0.0.1", 0, ssl=tls)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
            for task, writer in talks:
                writer.close()
                with suppress(ConnectionError):
                    await writer.wait_closed()
                await asyncio.wait([task])
            await server.wait_closed()


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


async def test_a_loss_between_batches_ends_the_reading(servers: DemoServers, mailbox: ImapMailbox) -> None:
    """A reading that loses its connection says so, and the next one goes on from the cursor."""
    for number in range(60):
        await servers.deliver(message(number), GAMES)
    batches = mailbox.batches(None, TODAY)
    first = await anext(batches)
    await servers.hang_up()
    with pytest.raises(MailboxLost, match="it has closed the connection"):
        await anext(batches)
    assert len(raws(await everything(mailbox, first.cursor))) == 10


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


def test_the_name_leaves_the_password_out() -> None:
    """The name is user, host, port and folder; the password shows in neither name nor representation."""
    mailbox = ImapMailbox("imaps://ann%40example.org:hunter2@mail.example.org/Spiel%20Post")
    assert mailbox.name == "ann@example.org@mail.example.org:993/Spiel Post"
    assert "hunter2" not in repr(mailbox)
    assert ImapMailbox("imap://ann:hunter2@localhost").name == "ann@localhost:143/INBOX"
    assert ImapMailbox("imap://ann:hunter2@[::1]:1143/").name == "ann@::1:1143/INBOX"


@pytest.mark.parametrize(
    "url",
    [
        "imap://ann:hunter2@mail.example.org/INBOX",
        "imap://ann:hunter2@127.example.org/INBOX",
        "imaps://ann:hunter2/3@mail.example.org/INBOX",
        "imaps://ann:hunter2#3@mail.example.org/INBOX",
        "imaps://ann:hunter2@mail.example.org:port/INBOX",
        "imaps://ann:hunter2@mail.example.org/INBOX?read",
        "imaps://ann:hunter2%0D%0A@mail.example.org/INBOX",
        "imaps://ann:hunter2@mail.example.org/Entw%C3%BCrfe",
        "imaps://mail.example.org/hunter2",
        "pop3://ann:hunter2@mail.example.org",
        "hunter2",
        "imaps://ann:hunter2@[mail.example.org",
    ],
)
def test_a_url_that_will_not_do_is_refused(url: str) -> None:
    """A malformed url, or one that would send the password in clear, is a ConfigError that hides it."""
    with pytest.raises(ConfigError, match=r"^The IMAP URL") as refusal:
        ImapMailbox(url)
    assert "hunter2" not in str(refusal.value)
    assert refusal.value.__suppress_context__ or refusal.value.__context__ is None


async def test_names_reach_the_server_quoted() -> None:
    """User, password and folder arrive as they are, whatever is in them."""
    script = Script()
    async with script.serving() as port:
        mailbox = ImapMailbox(f"imap://a%20%22n%5Cn%22:s%20e%22c@127.0.0.1:{port}/Post/Entw%26APw-rfe%20%222%22")
        await mailbox.wait(0)
        await mailbox.close()
    assert r'LOGIN "a \"n\\n\"" "s e\"c"' in script.heard
    assert r'EXAMINE "Post/Entw&APw-rfe \"2\""' in script.heard
    assert script.heard[-1] == "LOGOUT"


async def test_a_server_that_cannot_announce_is_waited_for() -> None:
    """Without IDLE all the time is waited, and the answer is False."""
    script = Script()
    async with script.serving() as port:
        mailbox = ImapMailbox(f"imap://ann:x@127.0.0.1:{port}")
        started = asyncio.get_running_loop().time()
        assert not await mailbox.wait(0.1)
        assert asyncio.get_running_loop().time() - started >= 0.1
        await mailbox.close()
    assert "IDLE" not in script.heard


async def test_idle_is_known_wherever_it_stands() -> None:
    """IDLE is used though it comes last, and only after the login, in what the server says it can do."""
    script = Script(
        CAPABILITY=["* CAPABILITY IMAP4rev1 ID\n% OK", "* CAPABILITY IMAP4rev1 ID IDLE\n% OK"],
        EXAMINE=["* OK [UIDVALIDITY 7]\n* OK [UIDNEXT 5]\n% OK", "* OK [UIDVALIDITY 7]\n* OK [UIDNEXT 6]\n% OK"],
        IDLE="+ idling\n* 1 FETCH (FLAGS ())\n* 3 EXISTS",
    )
    async with script.serving() as port:
        mailbox = ImapMailbox(f"imap://ann:x@127.0.0.1:{port}", timeout=5)
        async with asyncio.timeout(2):
            assert await mailbox.wait(60)
        await mailbox.close()
    assert script.heard[-5:-1] == ['EXAMINE "INBOX"', "IDLE", "DONE", 'EXAMINE "INBOX"']


async def test_a_server_that_announces_nothing_new_is_not_worn_out() -> None:
    """What was there already may be announced as often as the server likes; the waiting goes on to its end."""
    script = Script(
        CAPABILITY="* CAPABILITY IMAP4rev1 IDLE\n% OK", IDLE="+ idling\n* 2 EXISTS\n* 1 EXPUNGE\n* 1 EXISTS"
    )
    async with script.serving() as port:
        mailbox = ImapMailbox(f"imap://ann:x@127.0.0.1:{port}", timeout=5)
        assert not await mailbox.wait(0.1)
        await mailbox.close()
    assert script.heard.count("IDLE") == 1


async def test_a_server_that_refuses_to_announce_is_told() -> None:
    """A server that offers IDLE and then refuses it is MailboxLost, not waited for until the end."""
    script = Script(CAPABILITY="* CAPABILITY IMAP4rev1 IDLE\n% OK", IDLE="% NO Not you")
    async with script.serving() as port:
        mailbox = ImapMailbox(f"imap://ann:x@127.0.0.1:{port}", timeout=5)
        with pytest.raises(MailboxLost, match="it does not idle: Not you"):
            await mailbox.wait(60)
    assert "DONE" not in script.heard


async def test_a_server_without_uidnext_is_read() -> None:
    """Where the server does not predict the next UID, the cursor starts at the highest there is."""
    script = Script(ALL="* SEARCH 9 4 8\n% OK")
    async with script.serving() as port:
        mailbox = ImapMailbox(f"imap://ann:x@127.0.0.1:{port}")
        assert await start(mailbox) == Cursor(7, 9)
        script.answers["ALL"] = "% OK nothing"
        assert await start(mailbox) == Cursor(7, 0)
        await mailbox.close()


async def test_old_messages_copied_in_lately_are_passed_over() -> None:
    """At first contact the cursor ends behind everything, also behind newer UIDs of messages too old."""
    script = Script(
        EXAMINE="* OK [UIDVALIDITY 7]\n* OK [UIDNEXT 13]\n% OK",
        SEARCH="* SEARCH 10\n% OK",
        SIZE="* 1 FETCH (RFC822.SIZE 2 UID 10)\n% OK",
        BODY="* 3 FETCH (FLAGS (\\Seen))\n* 1 FETCH (BODY[] {2}\nhi UID 10)\n* 2 EXISTS\n% OK",
    )
    async with script.serving() as port:
        mailbox = ImapMailbox(f"imap://ann:x@127.0.0.1:{port}")
        [batch] = await everything(mailbox)
        await mailbox.close()
    assert raws([batch]) == [b"hi"]
    assert batch.cursor == Cursor(7, 12)
    assert f"UID SEARCH SINCE {TODAY.day}-{TODAY:%b}-{TODAY.year}" in script.heard


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (Script(greeting="* "), "it does not welcome us: "),
        (Script(greeting="* BYE Too many of you"), "it does not welcome us: .*Too many of you"),
        (Script(CAPABILITY="* CAPABILITY"), "it does not answer"),
        (Script(LOGIN="% NO [UNAVAILABLE] Come back later"), "refuses the login of ann: .*Come back later"),
        (Script(CAPABILITY="* CAPABILITY X\n% OK"), "it does not welcome us: "),
        (Script(EXAMINE="% NO [INUSE] Busy."), "does not open the mailbox INBOX: .*Busy"),
        (Script(SEARCH="% BAD What?"), "does not carry out SEARCH: What"),
        (Script(SEARCH="* BYE"), "it does not answer"),
        (Script(SEARCH="* SEARCH 1\n% OK", SIZE="% NO Not now"), "does not carry out FETCH: Not now"),
    ],
)
async def test_a_server_in_trouble_is_lost(script: Script, sentence: str) -> None:
    """A server that is silent, busy or confused is MailboxLost, with what it said in one sentence."""
    async with script.serving() as port:
        timeout = 0.2 if sentence == "it does not answer" else 5
        mailbox = ImapMailbox(f"imap://ann:hunter2@127.0.0.1:{port}", timeout=timeout)
        with pytest.raises(MailboxLost, match=rf"127\.0\.0\.1:{port}.*{sentence}.*\.$") as loss:
            await everything(mailbox)
        await mailbox.close()
    assert "hunter2" not in str(loss.value)
    assert "\n" not in str(loss.value)


async def test_a_mailbox_that_is_not_numbered_is_refused() -> None:
    """Without UIDVALIDITY nothing can be remembered, and that is said."""
    script = Script(EXAMINE="* 2 EXISTS\n% OK")
    async with script.serving() as port:
        mailbox = ImapMailbox(f"imap://ann:x@127.0.0.1:{port}")
        with pytest.raises(ConfigError, match="does not number its letters"):
            await start(mailbox)
        await mailbox.close()


async def test_a_certificate_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A certificate nobody vouches for is refused with a sentence; one that is trusted will do."""
    (tmp_path / "both.pem").write_text(CERTIFICATE)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(tmp_path / "both.pem")
    async with Script().serving(tls) as port:
        mailbox = ImapMailbox(f"imaps://ann:x@127.0.0.1:{port}")
        with pytest.raises(MailboxLost, match=r"its certificate is not accepted \(self-signed certificate\)"):
            await mailbox.wait(0)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "both.pem"))
        assert not await mailbox.wait(0)
        await mailbox.close()


async def test_a_server_without_tls_is_told(servers: DemoServers) -> None:
    """TLS towards a server that speaks none is MailboxLost, and says that it is TLS that fails."""
    mailbox = ImapMailbox(servers.imap_url(GAMES).replace("imap:", "imaps:"), timeout=5)
    with pytest.raises(MailboxLost, match="TLS fails"):
        await mailbox.wait(0)
