"""Calling a webhook: one request, the first line of the answer, and ten seconds for all of it."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from pbem.errors import TransientFailure
from pbem.settings.webhooks import read_webhooks
from pbem.transport.calls import post
from tests.support.certificate import CERTIFICATE
from tests.support.receivers import KEY


@asynccontextmanager
async def answering(*pieces: bytes, pause: float = 0, tls: ssl.SSLContext | None = None) -> AsyncIterator[list[bytes]]:
    """Yield the requests that a server gets, whose URL stands first, and which answers with these pieces."""
    got: list[bytes] = []
    tasks: list[asyncio.Task[None] | None] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.append(asyncio.current_task())
        try:
            with suppress(OSError, EOFError):
                got.append(await reader.readuntil(b"\r\n\r\n{}"))
                for piece in pieces:
                    writer.write(piece)
                    await writer.drain()
                    await asyncio.sleep(pause)
        finally:
            await asyncio.sleep(0)
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=tls)
    async with server:
        port = server.sockets[0].getsockname()[1]
        got.append(f"{'https' if tls else 'http'}://127.0.0.1:{port}/hook?to=17".encode())
        yield got
        await asyncio.sleep(0)
        for task in filter(None, tasks):
            task.cancel()
        await asyncio.gather(*filter(None, tasks), return_exceptions=True)


async def test_what_is_asked_is_one_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy of the environment sees it, and headers are those that are given."""
    async with answering(b"HTTP/1.1 200 OK\r\n") as proxy, answering(b"HTTP/1.0 204\r\n") as got:
        monkeypatch.setenv("http_proxy", proxy[0].decode())
        assert await post(got[0].decode(), {"webhook-id": "msg_1"}, b"{}") == 204
        assert len(proxy) == 1
    assert got[1].startswith(b"POST /hook?to=17 HTTP/1.1\r\nHost: 127.0.0.1:")
    assert b"\r\nContent-Length: 2\r\n" in got[1]
    assert b"\r\nwebhook-id: msg_1\r\n" in got[1]


async def test_a_redirect_is_not_followed() -> None:
    """Not to this machine, where others listen that trust it."""
    async with answering(b"HTTP/1.1 200 OK\r\n") as inner:
        location = b"Location: " + inner[0] + b"\r\n\r\n"
        async with answering(b"HTTP/1.1 307 Temporary Redirect\r\n" + location) as got:
            assert await post(got[0].decode(), {}, b"{}") == 307
        assert len(inner) == 1


@pytest.mark.parametrize(
    "pieces", [[b"H"] * 40, [b"x" * 5000], [b"HTTP/1.1 banana\r\n"], [b"SSH-2.0-x\r\n"], []], ids=len
)
async def test_whoever_gives_no_answer_in_time_has_not_taken_it(pieces: list[bytes]) -> None:
    """A byte now and then, more than is read, another protocol, or nothing: each ends within the time."""
    loop = asyncio.get_running_loop()
    async with answering(*pieces, pause=0.05) as got:
        began = loop.time()
        with pytest.raises(TransientFailure):
            await post(got[0].decode(), {}, b"{}", seconds=0.2)
        assert loop.time() - began < 1


async def test_nobody_else_can_answer_for_a_server(tmp_path: Path) -> None:
    """A certificate of its own making proves nothing; where nothing listens, that is said."""
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    file = tmp_path / "certificate.pem"
    file.write_text(CERTIFICATE, encoding="ascii")
    tls.load_cert_chain(file)
    async with answering(b"HTTP/1.1 200 OK\r\n", tls=tls) as got:
        with pytest.raises(TransientFailure, match="certificate"):
            await post(got[0].decode(), {}, b"{}")
        assert len(got) == 1
    with pytest.raises(TransientFailure, match="nothing listens"):
        await post(got[0].decode().replace("https", "http"), {}, b"{}")


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": "http://games.example/"},
        {"url": "http://localhost/"},
        {"url": "http://10.0.0.1/"},
        {"url": "https://ann:hunter2@games.example/"},
        {"url": "https://games.example/\r\nHost: x"},
        {"url": "https://games.example:99999/"},
        {"url": "ftp://games.example/"},
        {"secret": ""},
        {"secret": "whsec_hunter2"},
        {"secret": KEY.removeprefix("whsec_")},
        {"games": ["chess"]},
        {"games": "zipline"},
        {"games": [["zipline"]]},
        {"matches": ["17"]},
        {"format": "xml"},
        {"hunter2": 1},
    ],
    ids=str,
)
def test_settings_that_would_call_over_an_open_wire_or_unsigned_are_refused(wrong: dict[str, object]) -> None:
    """What is refused is not repeated, since a secret may stand in it."""
    with pytest.raises(ValueError, match="number 1") as found:
        read_webhooks([{"url": "https://games.example/", "secret": KEY} | wrong])
    assert "hunter2" not in str(found.value)
    assert read_webhooks([{"url": "http://127.0.0.1:8080/", "secret": f"{KEY} {KEY}"}])[0].matches == ()
