"""A mail server hands emails over by LMTP: each is stored before it hears so, and kept by it while it can't be."""

import asyncio
import os
import smtplib
import socket
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from pbem.errors import Busy, ConfigError
from pbem.running.lmtp import open_lmtp
from pbem.running.service import Service
from pbem.sizes import HEAD
from tests.support.doors import RAW, SOON, make_service, mode_of_socket, recipients_of_run

GAMES = "games+x@example.org"
ENVELOPE = b"Return-Path: <stranger@example.org>\r\nDelivered-To: games+x@example.org\r\n"


@pytest.fixture
def new_service(directory: Path, blank_database: Path) -> Callable[..., Service]:
    """Return what makes services over one database, whose socket is to be in the same directory."""

    def make(on_waypoint: Callable[[str], None] = lambda waypoint: None) -> Service:
        return make_service(directory, blank_database, on_waypoint, lmtp_listen=f"{directory}/lmtp 660")

    return make


@pytest.fixture
async def service(new_service: Callable[..., Service]) -> AsyncIterator[Service]:
    """Give a service that listens at a socket, once it is let."""
    made = new_service()
    yield made
    await made.close()


@asynccontextmanager
async def _listening(service: Service) -> AsyncIterator[list[str]]:
    """Let a service listen; the list grows whenever an email waits to be processed."""
    hurried: list[str] = []
    async with open_lmtp(service, lambda: hurried.append("now")):
        yield hurried


def _stored(service: Service) -> list[bytes]:
    """Return the messages that have come in, the oldest first."""
    with service.database.reading() as tx:
        return [tx.inbound.raw(message.id) for message in tx.inbound.latest()][::-1]


def _path(service: Service) -> str:
    return service.settings.lmtp_listen.partition(" ")[0]


def _has_socket(service: Service) -> bool:
    """Return whether there is something at the path of the socket."""
    return os.path.lexists(_path(service))


async def _send(raw: bytes, service: Service, *, sender: str = "stranger@example.org") -> object:
    """Hand an email over as a mail server does; return an empty dictionary if the service takes it."""

    def talk() -> object:
        with smtplib.LMTP(_path(service)) as client:
            return client.sendmail(sender, [GAMES], raw)

    return await asyncio.to_thread(talk)


async def _say(service: Service, *lines: bytes) -> list[bytes]:
    """Say all of these at once, and return the codes of all answers."""
    reader, writer = await asyncio.open_unix_connection(_path(service))
    writer.writelines(line + b"\r\n" for line in lines)
    writer.write_eof()
    said = b""
    with suppress(ConnectionResetError):  # where it has closed before it has read everything
        async with asyncio.timeout(SOON):
            while piece := await reader.read(65_536):
                said += piece
    writer.close()
    return [answer[:3] for answer in said.split(b"\r\n") if answer[3:4] == b" "]


async def test_an_email_is_stored_with_its_envelope_and_then_processed(service: Service) -> None:
    """Who sent it and to which address: a subaddress may stand nowhere else."""
    async with _listening(service) as hurried:
        assert await _send(RAW, service) == {}
    assert _stored(service) == [ENVELOPE + RAW]
    assert hurried == ["now"]
    assert not _has_socket(service)


@pytest.mark.parametrize(
    "body",
    [
        b".\r\n..\r\n...x\r\n.",
        b"x" * 200_000 + b"\r\n" + b"." * 70_000,
        b"." + b"y" * 65_535 + b"\r\n.\r\n" + b"z" * 65_536 + b"\r\n.",
        bytes(byte for byte in range(256) if byte not in b"\r\n"),
        b"a\nb\n.\nc",
        b"",
    ],
)
async def test_an_email_arrives_byte_by_byte(service: Service, body: bytes) -> None:
    """Whatever its lines begin with, and however long they are."""
    raw = RAW + body + b"\r\n"
    said = b"\r\n".join(b"." + line if line.startswith(b".") else line for line in raw.split(b"\r\n"))
    async with _listening(service):
        codes = await _say(
            service,
            *(b"LHLO x", b"MAIL FROM:<stranger@example.org>", b"RCPT TO:<games+x@example.org>", b"DATA"),
            *(said + b".", b"QUIT"),
        )
    assert codes == [b"220", b"250", b"250", b"250", b"354", b"250", b"221"]
    assert _stored(service) == [ENVELOPE + raw]


async def test_each_recipient_is_answered(new_service: Callable[..., Service]) -> None:
    """Where the second copy can't be stored, the server keeps it for that recipient alone."""
    count = iter(range(10))

    def fail(waypoint: str) -> None:
        if waypoint == "received" and next(count) == 1:
            raise Busy("The database is in use.")

    service = new_service(fail)
    async with _listening(service):
        recipients = [b"RCPT TO:<games+%b@example.org>" % name for name in (b"x", b"y", b"z")]
        codes = await _say(service, b"LHLO x", b"MAIL FROM:<>", *recipients, b"DATA", RAW + b".", b"QUIT")
    assert codes == [b"220", *[b"250"] * 5, b"354", b"250", b"451", b"250", b"221"]
    await service.close()


@pytest.mark.parametrize("error", [Busy("It is in use."), OSError(28, "No space left"), RuntimeError("a bug")])
async def test_what_cannot_be_stored_stays_at_the_mail_server(
    new_service: Callable[..., Service], error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It's told to come again, and when it does, the email counts once."""
    service = new_service()
    with monkeypatch.context() as broken:

        def fail(*_: object) -> None:
            raise error

        broken.setattr(service, "receive", fail)
        async with _listening(service) as hurried:
            with pytest.raises(smtplib.SMTPDataError, match="451"):
                await _send(RAW, service)
    assert _stored(service) == []
    async with _listening(service) as hurried:
        assert await _send(RAW, service) == {}
        assert await _send(RAW, service) == {}
    assert len(_stored(service)) == 1
    assert hurried == ["now", "now"]
    await service.close()


async def test_a_service_killed_between_storing_and_saying_so_leads_to_a_duplicate(
    new_service: Callable[..., Service],
) -> None:
    """The server hears nothing and comes again: the email is known, and was processed once."""

    def die(waypoint: str) -> None:
        if waypoint == "received":
            raise asyncio.CancelledError

    dying, living = new_service(die), new_service()
    async with _listening(dying):
        with pytest.raises(smtplib.SMTPException):
            await _send(RAW, dying)
    assert len(_stored(living)) == 1
    async with _listening(living):
        assert await _send(RAW, living) == {}
    assert len(_stored(living)) == 1
    assert living.process_waiting() == 1
    await dying.close()
    await living.close()


async def test_of_a_large_email_the_head_is_kept(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """As from a mailbox, so that its sender is told; one that is far too large the mail server returns."""
    largest = 300_000
    monkeypatch.setattr("pbem.running.lmtp.LARGEST", largest)
    monkeypatch.setattr("pbem.running.lmtp._LARGEST_TAKEN", largest + 1000)
    async with _listening(service):
        assert await _send(RAW + b"x\r\n" * (largest // 3), service) == {}
        with pytest.raises(smtplib.SMTPSenderRefused, match="552"):  # which says beforehand how large it is
            await _send(RAW + b"x\r\n" * (largest // 3 + 1000), service)
        start = (b"LHLO x", b"MAIL FROM:<>", b"RCPT TO:<a@b.example>", b"RCPT TO:<c@d.example>", b"DATA")
        codes = await _say(service, *start, b"x\r\n" * (largest // 3 + 1000) + b".", b"QUIT")
        assert codes == [b"220", *[b"250"] * 4, b"354", b"552", b"552", b"221"]
    (stored,) = _stored(service)
    assert len(stored) == HEAD + len(ENVELOPE)
    with service.database.reading() as tx:
        assert not tx.inbound.latest()[0].whole


async def test_an_email_that_breaks_off_leaves_nothing(service: Service) -> None:
    """Not even when only the last dot is missing."""
    start = (b"LHLO x", b"MAIL FROM:<>", b"RCPT TO:<games@example.org>", b"DATA")
    async with _listening(service):
        assert await _say(service, *start, RAW[:-2]) == [b"220", b"250", b"250", b"250", b"354"]
        assert _stored(service) == []
        assert await _send(RAW, service, sender="") == {}
    assert _stored(service)[0].startswith(b"Return-Path: <>\r\n")


@pytest.mark.parametrize(
    ("said", "codes"),
    [
        ([b"EHLO x"], b"500"),
        ([b"HELO x"], b"500"),
        ([b"LHLO"], b"500"),
        ([b"MAIL FROM:<a@b.example>"], b"503"),
        ([b"LHLO x", b"RCPT TO:<a@b.example>"], b"250 503"),
        ([b"LHLO x", b"MAIL FROM:a@b.example"], b"250 501"),
        ([b"LHLO x", b"MAIL TO:<a@b.example>"], b"250 501"),
        ([b"LHLO x", b"MAIL FROM:<a@b.example>\r\nX-Forged: yes"], b"250 250 500"),
        ([b"LHLO x", b"MAIL FROM:<a\nX: y@b.example>"], b"250 501 500"),
        ([b"LHLO x", b"MAIL FROM:<>", b"MAIL FROM:<>"], b"250 250 503"),
        ([b"LHLO x", b"MAIL FROM:<>", b"RCPT TO:<>"], b"250 250 501"),
        ([b"LHLO x", b"MAIL FROM:<>", b"DATA"], b"250 250 503"),
        ([b"LHLO x", b"MAIL FROM:<>", b"RSET", b"RCPT TO:<a@b.example>"], b"250 250 250 503"),
        ([b"LHLO x", b"MAIL FROM:<> BODY=8BITMIME SIZE=12", b"NOOP", b"VRFY a"], b"250 250 250 252"),
        ([b"\xff\xfe\x00", b"", b"GET / HTTP/1.0"], b"500 500 500"),
        ([b"LHLO x", b"MAIL FROM:<>", *[b"RCPT TO:<a@b.example>"] * 101], b" ".join([b"250"] * 102 + [b"452"])),
    ],
)
async def test_what_is_out_of_order_is_answered_and_breaks_nothing(
    service: Service, said: list[bytes], codes: bytes
) -> None:
    """With the codes of the standard, and without anything of it in a header."""
    async with _listening(service):
        assert b" ".join(await _say(service, *said)) == b"220 " + codes
        assert await _send(RAW, service) == {}
    assert _stored(service) == [ENVELOPE + RAW]


async def test_a_line_without_an_end_is_given_up(service: Service) -> None:
    """It fills no memory."""
    async with _listening(service):
        assert await _say(service, b"LHLO " + b"x" * 1_000_000) == [b"220"]


async def test_too_many_at_once_come_again_later(service: Service) -> None:
    """Ten talk; the next is told so, and gets in when one of them has gone."""
    async with _listening(service):
        talks = [await asyncio.open_unix_connection(_path(service)) for _ in range(10)]
        for reader, _ in talks:
            assert (await reader.readline()).startswith(b"220")
        assert await _say(service) == [b"421"]
        talks[0][1].close()
        async with asyncio.timeout(SOON):
            while await _say(service, b"QUIT") == [b"421"]:  # noqa: ASYNC110 - it is the service that has to notice
                await asyncio.sleep(0.01)
        for _, writer in talks:
            writer.close()


async def test_the_mode_of_the_socket_is_as_set(service: Service) -> None:
    """Whatever the umask; who may not connect can hand nothing in."""
    mode = await mode_of_socket(_listening(service), _path(service))
    assert stat.S_ISSOCK(mode)
    assert stat.S_IMODE(mode) == 0o660


async def test_what_a_killed_service_has_left_is_in_nobody_s_way(service: Service) -> None:
    """A socket on which nobody listens is replaced; a file that is none is not, and told."""
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(_path(service))
    async with _listening(service):
        assert await _send(RAW, service) == {}
    service.settings.lmtp_listen = str(service.database.file)
    with pytest.raises(ConfigError, match=r"^Nothing can listen at .*pbem\.db, as lmtp_listen says: Address already"):
        async with _listening(service):
            pass
    assert _stored(service) == [ENVELOPE + RAW]


async def test_a_port_of_loopback_does_as_well(service: Service) -> None:
    """Two services can't have the same one."""
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        service.settings.lmtp_listen = f"127.0.0.1:{port}"
        with pytest.raises(ConfigError, match="Address already in use"):
            async with _listening(service):
                pass

    def talk() -> object:
        with smtplib.LMTP("127.0.0.1", port) as client:
            return client.sendmail("", [GAMES], RAW)

    async with _listening(service):
        assert await asyncio.to_thread(talk) == {}
    assert len(_stored(service)) == 1


async def test_a_running_service_answers_what_is_handed_over(service: Service) -> None:
    """The scheduler processes an email and sends the answer at once."""
    recipients = await recipients_of_run(service, _path(service), lambda: _send(RAW, service))
    assert recipients == ["stranger@example.org"]
