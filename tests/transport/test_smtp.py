"""Sending by SMTP: what arrives, and connections that are kept, lost and given up."""

import asyncio

import pytest

from pbem.demo.servers import DemoServers
from pbem.errors import PermanentFailure, ServerFailure
from pbem.transport.smtp import SmtpCourier
from tests.support.mail_servers import ANN, GAMES, MAIL, Postmaster, failure, inbox


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


async def test_a_connection_is_kept_and_made_anew(servers: DemoServers) -> None:
    """Emails, one after the other, share a connection; after it has ended there is a new one."""
    postmaster = Postmaster()
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}", timeout=5)
        for _ in range(5):
            await courier.send(GAMES, ANN, MAIL)
        assert postmaster.connections == 1
        await courier.close()
        await courier.check(GAMES)
        await courier.send(GAMES, ANN, MAIL)
        assert postmaster.connections == 2
        await courier.close()
    assert len(postmaster.taken) == 6


@pytest.mark.parametrize("connections", [1, 3])
async def test_emails_sent_at_once_share_a_few_connections(connections: int) -> None:
    """There are no more connections than the URL says, however many emails wait."""
    postmaster = Postmaster()
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}?connections={connections}", timeout=5)
        assert courier.connections == connections
        await asyncio.gather(*(courier.send(GAMES, ANN, MAIL) for _ in range(20)))
        await courier.close()
    assert postmaster.connections == connections
    assert len(postmaster.taken) == 20


async def test_a_server_that_allows_few_connections_gets_few() -> None:
    """An email whose connection is one too many goes over another one; nothing fails."""
    postmaster = Postmaster()
    postmaster.most = 2
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}?connections=8", timeout=5)
        await asyncio.gather(*(courier.send(GAMES, ANN, MAIL) for _ in range(20)))
        await courier.close()
    assert len(postmaster.taken) == 20


async def test_senders_who_share_a_connection_take_turns() -> None:
    """None waits until another one has nothing left to send, and the server is not asked for more again and again."""
    postmaster = Postmaster()
    postmaster.most = 1
    senders: list[int] = []

    async def send_many(number: int) -> None:
        for _ in range(10):
            await courier.send(GAMES, ANN, MAIL)
            senders.append(number)

    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}?connections=3", timeout=5)
        await asyncio.gather(*map(send_many, range(3)))
        assert postmaster.connections == 3
        await courier.send(GAMES, ANN, MAIL)
        await courier.close()
    assert {senders[:15].count(number) for number in range(3)} == {5}
    assert len(postmaster.taken) == 31


async def test_no_email_waits_for_a_server_that_refuses_all(servers: DemoServers) -> None:
    """When no connection comes about, every email fails; none waits for a connection that is never given back."""
    postmaster = Postmaster()
    postmaster.most = 0
    async with postmaster.serving() as port:
        courier = SmtpCourier(f"smtp://127.0.0.1:{port}?connections=3", timeout=5)
        sending = (courier.send(GAMES, ANN, MAIL) for _ in range(8))
        ends = await asyncio.wait_for(asyncio.gather(*sending, return_exceptions=True), 10)
    assert [type(end) for end in ends] == [ServerFailure] * 8


async def test_a_server_may_come_back(servers: DemoServers, courier: SmtpCourier) -> None:
    """A server that has hung up is called again; one that is away is worth a repeat until it is back."""
    await courier.send(GAMES, ANN, MAIL)
    await servers.hang_up()
    await courier.send(GAMES, ANN, MAIL)
    await servers.stop()
    absence = await failure(courier)
    assert isinstance(absence, ServerFailure)
    assert "nothing listens there" in str(absence)
    with pytest.raises(ServerFailure):
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
    assert isinstance(refusal, ServerFailure)
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


async def test_closing_never_raises(servers: DemoServers, courier: SmtpCourier) -> None:
    """A courier can be closed unused, twice and after the server has gone."""
    await courier.close()
    await courier.send(GAMES, ANN, MAIL)
    await courier.close()
    await courier.send(GAMES, ANN, MAIL)
    await servers.stop()
    await courier.close()
    await courier.close()
