"""The courier, against the demo's server, and against one that answers what the test wants."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from pbem.demo.servers import DemoServers
from pbem.errors import (
    ConfigError,
    LoginRefused,
    PbemError,
    PermanentFailure,
    TransientFailure,
)
from pbem.transport.imap import ImapMailbox
from pbem.transport.smtp import SmtpCourier
from tests.certificate import CERTIFICATE

GAMES = "games@pbem.example"
ANN = "ann@pbem.example"
MAIL = b"From: games@pbem.example\r\nTo: ann@pbem.example\r\nSubject: Your move\r\n\r\nd4\r\n"


class Postmaster:
    """An SMTP server that takes every email, except where it was given another answer to a command."""

    def __init__(self, **answers: str) -> None:
        self.answers = answers
        self.taken: list[bytes] = []
        self.connections = 0
        self._talks: list[SMTP] = []

    async def handle_MAIL(  # noqa: N802 - aiosmtpd finds it by this name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take every sender, if not told otherwise."""
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return self.answers.get("MAIL", "250 OK")

    async def handle_RCPT(  # noqa: N802 - as above
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take every recipient, if not told otherwise."""
        envelope.rcpt_tos.append(address)
        return self.answers.get("RCPT", "250 OK")

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - as above
        """Keep the email, if not told otherwise."""
        answer = self.answers.get("DATA", "250 OK")
        if answer == "hang up":
            assert server.transport is not None
            server.transport.abort()  # type: ignore[attr-defined]
        elif answer == "250 OK":
            self.taken.append(envelope.original_content or b"")
        return answer

    def _authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, login: LoginPassword
    ) -> AuthResult:
        if "AUTH" in self.answers:
            return AuthResult(success=False, handled=False, message=self.answers["AUTH"])
        return AuthResult(success=login == LoginPassword(b"games", b"s:cret"), handled=False)

    @asynccontextmanager
    async def serving(self, tls: ssl.SSLContext | None = None, **settings: Any) -> AsyncIterator[int]:
        """Serve on a free port of loopback and yield it."""
        loop = asyncio.get_running_loop()

        def meet() -> SMTP:
            self.connections += 1
            authenticator = self._authenticate
            talk = SMTP(self, hostname="localhost", loop=loop, authenticator=authenticator, **settings)
            self._talks.append(talk)
            return talk

        server = await loop.create_server(meet, "127.0.0.1", 0, ssl=tls)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
            for talk in self._talks:
                if talk.transport is not None:
                    talk.transport.close()
            conversations = [talk._handler_coroutine for talk in self._talks if talk._handler_coroutine]
            await asyncio.gather(*conversations, return_exceptions=True)
            await server.wait_closed()


@pytest.fixture
async def servers() -> AsyncIterator[DemoServers]:
    """The demo's servers, with two accounts."""
    async with DemoServers([GAMES, ANN]) as servers:
        yield servers


@pytest.fixture
async def courier(servers: DemoServers) -> AsyncIterator[SmtpCourier]:
    """A courier that brings emails to the demo's server."""
    courier = SmtpCourier(servers.smtp_url, timeout=5)
    yield courier
    await courier.close()


@pytest.fixture
def tls(tmp_path: Path) -> ssl.SSLContext:
    """What a server with the test's certificate needs; the certificate is in ``both.pem``."""
    (tmp_path / "both.pem").write_text(CERTIFICATE)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(tmp_path / "both.pem")
    return context


async def inbox(servers: DemoServers, address: str) -> list[bytes]:
    """All messages of ``address``."""
    mailbox = ImapMailbox(servers.imap_url(address))
    yesterday = datetime.now(UTC).date() - timedelta(days=1)
    messages = [fetched.raw async for batch in mailbox.batches(None, yesterday) for fetched in batch.messages]
    await mailbox.close()
    return messages


async def failure(courier: SmtpCourier, recipient: str = ANN) -> PbemError:
    """Send an email that will not be taken and return why; whatever is said is one sentence."""
    with pytest.raises(PbemError) as caught:
        await courier.send(GAMES, recipient, MAIL)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)
    assert "s:cret" not in str(caught.value)
    return caught.value


async def test_a_mail_arrives_as_it_was_sent(servers: DemoServers, courier: SmtpCourier) -> None:
    """Dots at line starts, eight-bit bytes and long lines arrive byte for byte."""
    odd = MAIL + b".\r\n..\r\n.dot\r\n\r\n" + bytes(range(128, 256)) + b"\r\n" + b"x" * 998 + b"\r\n"
    await courier.send(GAMES, ANN, MAIL)
    await courier.send(GAMES, ANN, odd)
    assert await inbox(servers, ANN) == [MAIL, odd]
    assert await inbox(servers, GAMES) == []


async def test_additions_behind_a_plus_sign_arrive(servers: DemoServers, courier: SmtpCourier) -> None:
    """A reply to a tagged address lies in the mailbox of the service, and the demo hears of it."""
    heard: list[tuple[str, str, bytes]] = []
    servers.on_mail = lambda sender, recipient, raw: heard.append((sender, recipient, raw))
    await courier.send(ANN, "games+17.0.1.abc@pbem.example", MAIL)
    assert await inbox(servers, GAMES) == [MAIL]
    assert heard == [(ANN, "games+17.0.1.abc@pbem.example", MAIL)]


async def test_a_mail_may_want_no_answer(servers: DemoServers, courier: SmtpCourier) -> None:
    """The empty sender is sent as such."""
    heard: list[str] = []
    servers.on_mail = lambda sender, recipient, raw: heard.append(sender)
    await courier.send("", ANN, MAIL)
    assert heard == [""]


async def test_an_unknown_recipient_spoils_nothing(servers: DemoServers, courier: SmtpCourier) -> None:
    """A mailbox that is not there is permanent, in the server's words; the next mail goes out."""
    refusal = await failure(courier, "nobody@pbem.example")
    assert isinstance(refusal, PermanentFailure)
    assert "550 5.1.1 No such mailbox here" in str(refusal)
    await courier.send(GAMES, ANN, MAIL)
    assert await inbox(servers, ANN) == [MAIL]


@pytest.mark.parametrize(
    "address",
    [
        "jürgen@pbem.example",
        "ann@pbem.exämple",
        "ann",
        "ann@",
        "@pbem.example",
        "ann@pbem@example",
        "ann @pbem.example",
        "ann@pbem.example\r\nDATA",
        "Ann <ann@pbem.example>",
        "ann@pbem.example>",
        ".ann@pbem.example",
        "",
    ],
)
async def test_a_malformed_address_never_reaches_the_server(address: str) -> None:
    """What is no address fails permanently, as recipient and as sender, and the next mail goes out."""
    postmaster = Postmaster()
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}")
        assert isinstance(await failure(courier, address), PermanentFailure)
        with pytest.raises(PermanentFailure):
            await courier.send(address or "@", ANN, MAIL)
        assert postmaster.connections == 0
        await courier.send(GAMES, ANN, MAIL)
        await courier.close()
    assert postmaster.taken == [MAIL]


@pytest.mark.parametrize("command", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize(
    ("answer", "kind", "connections"),
    [
        ("421 4.3.2 Closing down", TransientFailure, 2),
        ("451 4.7.1 Greylisted", TransientFailure, 2),
        ("452 4.2.2 Mailbox full", TransientFailure, 2),
        ("503 5.5.1 Out of step", TransientFailure, 2),
        ("530 5.7.0 Log in first", LoginRefused, 2),
        ("550 5.4.5 That was enough for a day", TransientFailure, 2),
        ("552 5.3.4 Too big", PermanentFailure, 1),
    ],
)
async def test_an_answer_has_its_meaning_at_every_step(
    command: str, answer: str, kind: type[PbemError], connections: int
) -> None:
    """4xx is worth a repeat, a wanted login is the operator's, too large is final; the next mail goes out."""
    await _refused_once(command, answer, kind, connections)


@pytest.mark.parametrize(
    ("command", "answer", "kind"),
    [
        ("MAIL", "550 5.1.8 Bad sender", TransientFailure),
        ("MAIL", "550 Who are you?", TransientFailure),
        ("MAIL", "553 5.7.1 Not your address", TransientFailure),
        ("MAIL", "554 5.7.1 You are on a list", TransientFailure),
        ("RCPT", "554 5.7.1 Relay access denied", TransientFailure),
        ("RCPT", "550 5.7.26 Your mail is not signed", TransientFailure),
        ("RCPT", "550 5.1.1 Unknown", PermanentFailure),
        ("RCPT", "550 Unknown", PermanentFailure),
        ("RCPT", "550 5.4.4 No such host", PermanentFailure),
        ("RCPT", "552 5.2.2 Mailbox full", PermanentFailure),
        ("DATA", "550 5.1.1 Unknown", PermanentFailure),
        ("DATA", "554 5.7.1 Spam", PermanentFailure),
    ],
)
async def test_a_refusal_of_us_does_not_cost_the_mail(command: str, answer: str, kind: type[PbemError]) -> None:
    """5xx about recipient or content is final; about the sender, or by policy before the content, the email waits."""
    await _refused_once(command, answer, kind, 1 if kind is PermanentFailure else 2)


async def _refused_once(command: str, answer: str, kind: type[PbemError], connections: int) -> None:
    """Send an email that meets ``answer``, then one that is taken, over so many connections."""
    postmaster = Postmaster(**{command: answer})
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}", timeout=5)
        refusal = await failure(courier)
        assert type(refusal) is kind
        assert f"127.0.0.1:{port}" in str(refusal)
        assert answer in str(refusal)
        postmaster.answers.clear()
        await courier.send(GAMES, ANN, MAIL)
        await courier.close()
    assert postmaster.taken == [MAIL]
    assert postmaster.connections == connections


@pytest.mark.parametrize(
    ("answer", "kind"),
    [("550 5.7.1 Blocked", TransientFailure), ("451 4.3.0 Later", TransientFailure), ("530 Log in", LoginRefused)],
)
async def test_a_check_finds_out_that_our_mail_is_not_wanted(answer: str, kind: type[PbemError]) -> None:
    """A check names the sender too, so that a server that lets us in but takes no email from us is noticed."""
    postmaster = Postmaster(MAIL=answer)
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}", timeout=5)
        with pytest.raises(kind, match=answer):
            await courier.check(GAMES)
        postmaster.answers.clear()
        await courier.check(GAMES)
        await courier.close()
    assert postmaster.taken == []


async def test_a_line_too_long_is_final() -> None:
    """What the server cannot digest is permanent, even if the whole mail has been sent by then."""
    postmaster = Postmaster()
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}", timeout=5)
        with pytest.raises(PermanentFailure, match="Line too long"):
            await courier.send(GAMES, ANN, MAIL + b"x" * 2000 + b"\r\n")
        await courier.send(GAMES, ANN, MAIL)
        await courier.close()
    assert postmaster.taken == [MAIL]


async def test_a_hang_up_leaves_it_open(servers: DemoServers) -> None:
    """When the connection breaks before the email is acknowledged, it may be sent again."""
    postmaster = Postmaster(DATA="hang up")
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}", timeout=5)
        assert isinstance(await failure(courier), TransientFailure)
        postmaster.answers.clear()
        await courier.send(GAMES, ANN, MAIL)
        await courier.close()
    assert postmaster.taken == [MAIL]


async def test_a_connection_is_kept_and_made_anew(servers: DemoServers) -> None:
    """Emails, even sent all at once, share a connection; after it has broken there is a new one."""
    postmaster = Postmaster()
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}", timeout=5)
        await asyncio.gather(*(courier.send(GAMES, ANN, MAIL) for _ in range(5)))
        assert postmaster.connections == 1
        await courier.close()
        await courier.check(GAMES)
        await courier.send(GAMES, ANN, MAIL)
        assert postmaster.connections == 2
        await courier.close()
    assert len(postmaster.taken) == 6


async def test_a_server_may_come_back(servers: DemoServers, courier: SmtpCourier) -> None:
    """A server that has hung up is called again; one that is away is worth a repeat until it is back."""
    await courier.send(GAMES, ANN, MAIL)
    await servers.hang_up()
    await courier.send(GAMES, ANN, MAIL)
    await servers.stop()
    absence = await failure(courier)
    assert isinstance(absence, TransientFailure)
    assert "nothing listens there" in str(absence)
    with pytest.raises(TransientFailure):
        await courier.check(GAMES)
    await servers.start()
    await courier.send(GAMES, ANN, MAIL)
    assert len(await inbox(servers, ANN)) == 3


async def test_a_silent_server_is_not_waited_for_forever() -> None:
    """A server that takes the call and says nothing is worth a repeat after the timeout."""
    silence = asyncio.Event()

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        silence.set()

    async with await asyncio.start_server(listen, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        refusal = await failure(SmtpCourier(f"smtp://127.0.0.1:{port}", timeout=0.2))
        async with asyncio.timeout(5):
            await silence.wait()
    assert isinstance(refusal, TransientFailure)
    assert "it does not answer" in str(refusal)


async def test_a_sending_can_be_given_up() -> None:
    """A cancelled sending leaves nothing behind that would disturb the next."""
    postmaster = Postmaster()
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}", timeout=5)
        sending = asyncio.ensure_future(courier.send(GAMES, ANN, MAIL))
        while not postmaster.connections:  # noqa: ASYNC110 - the server sets no event
            await asyncio.sleep(0)
        sending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sending
        await courier.send(GAMES, ANN, MAIL)
        await courier.close()
    assert postmaster.taken == [MAIL]


async def test_a_login_is_carried_out() -> None:
    """User and password, percent-encoded in the url, let us in."""
    postmaster = Postmaster()
    async with postmaster.serving(auth_require_tls=False) as port:
        courier = SmtpCourier(f"smtp://games:s%3Acret@127.0.0.1:{port}", timeout=5)
        await courier.send(GAMES, ANN, MAIL)
        await courier.close()
    assert postmaster.taken == [MAIL]


async def test_a_refused_login_is_told() -> None:
    """A wrong password is LoginRefused with user and server; a login out of order is worth a repeat."""
    postmaster = Postmaster()
    async with postmaster.serving(auth_require_tls=False) as port:
        refusal = await failure(SmtpCourier(f"smtp://games:s%3Acret2@127.0.0.1:{port}", timeout=5))
        assert isinstance(refusal, LoginRefused)
        assert f"127.0.0.1:{port} refuses the login of games: 535" in str(refusal)
        postmaster.answers["AUTH"] = "454 4.7.0 Come back later"
        refusal = await failure(SmtpCourier(f"smtp://games:s%3Acret@127.0.0.1:{port}", timeout=5))
        assert isinstance(refusal, TransientFailure)


async def test_a_login_nobody_offers_is_told(servers: DemoServers) -> None:
    """A password for a server that wants none is LoginRefused, not sent without."""
    refusal = await failure(SmtpCourier(servers.smtp_url.replace("smtp://", "smtp://games:s%3Acret@"), timeout=5))
    assert isinstance(refusal, LoginRefused)
    assert "offers no way to log in" in str(refusal)


@pytest.mark.parametrize("mode", ["implicit", "starttls"])
async def test_a_certificate_is_checked(
    mode: str, tls: ssl.SSLContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A certificate nobody vouches for is worth a repeat, and told; with one that is trusted the email goes out."""
    postmaster = Postmaster()
    serving = postmaster.serving(tls) if mode == "implicit" else postmaster.serving(tls_context=tls)
    async with serving as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}?tls={mode}", timeout=5)
        refusal = await failure(courier)
        assert isinstance(refusal, TransientFailure)
        assert "its certificate is not accepted (self-signed certificate)" in str(refusal)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "both.pem"))
        await courier.send(GAMES, ANN, MAIL)
        await courier.close()
    assert postmaster.taken == [MAIL]


async def test_without_tls_nothing_is_sent_to_a_server_that_must_have_it(servers: DemoServers) -> None:
    """Where TLS is required and the server has none, the email waits, and it is told why."""
    for mode, reason in (("starttls", "STARTTLS extension not supported"), ("implicit", "TLS fails")):
        refusal = await failure(SmtpCourier(f"{servers.smtp_url}?tls={mode}", timeout=5))
        assert isinstance(refusal, TransientFailure)
        assert reason in str(refusal)
    assert await inbox(servers, ANN) == []


async def test_closing_never_raises(servers: DemoServers, courier: SmtpCourier) -> None:
    """A courier can be closed unused, twice and after the server has gone."""
    await courier.close()
    await courier.send(GAMES, ANN, MAIL)
    await courier.close()
    await courier.send(GAMES, ANN, MAIL)
    await servers.stop()
    await courier.close()
    await courier.close()


@pytest.mark.parametrize(
    "url",
    [
        "games:s:cret@mail.example.org",
        "http://games:s:cret@mail.example.org",
        "smtp://games:s/cret@mail.example.org",
        "smtp://mail.example.org:port",
        "smtp://games:s:cret@mail.example.org/inbox",
        "smtp://mail.example.org?tls=maybe",
        "smtp://mail.example.org?timeout=3",
        "smtp://mail.example.org?tls",
        "smtp:",
    ],
)
def test_a_url_that_will_not_do_is_refused(url: str) -> None:
    """A malformed url is a ConfigError that shows what it should look like, and not the password."""
    with pytest.raises(ConfigError, match="The SMTP URL must look like") as refusal:
        SmtpCourier(url)
    assert "cret" not in str(refusal.value)


@pytest.mark.parametrize(
    ("url", "mode", "port"),
    [
        ("smtp://mail.example.org", "starttls", 25),
        ("smtp://games:x@mail.example.org", "starttls", 587),
        ("smtps://games:x@mail.example.org", "implicit", 465),
        ("smtp://mail.example.org?tls=none", "none", 25),
        ("smtp://localhost", "none", 25),
        ("smtp://127.0.0.1:2525", "none", 2525),
        ("smtp://[::1]?tls=starttls", "starttls", 25),
    ],
)
def test_a_url_says_how_to_connect(url: str, mode: str, port: int) -> None:
    """TLS is the rule away from this machine, and the usual ports are known."""
    courier = SmtpCourier(url)
    assert (courier._tls, courier._port) == (mode, port)
