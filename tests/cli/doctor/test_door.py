"""The page for one-click unsubscribing is tried as email programs reach it: through the web server in front of it."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pbem.cli.doctor.door import check_door
from pbem.cli.finding import Finding
from pbem.mail.compose import Site
from pbem.settings.model import Settings
from pbem.transport.door import open_door
from tests.support.certificate import CERTIFICATE

FOUND = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
LOST = b"HTTP/1.1 405 Not Allowed\r\nContent-Length: 0\r\n\r\n"
MOVED = b"HTTP/1.1 301 Moved\r\nLocation: /unsubscribe/\r\nContent-Length: 0\r\n\r\n"


@pytest.fixture
def certified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """Give a server's TLS, and have its certificate trusted."""
    file = tmp_path / "localhost.pem"
    file.write_text(CERTIFICATE)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


@asynccontextmanager
async def web_server(tls: ssl.SSLContext | None, answer: bytes, door: Callable[[], int]) -> AsyncIterator[str]:
    """Yield the URL of a web server that gives this answer, or passes everything on to the door where it is empty."""

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n") + await reader.read(100)
        found = answer
        if not found:
            behind, to = await asyncio.open_connection("127.0.0.1", door())
            to.write(request)
            found = await behind.read()
            to.close()
        writer.write(found)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(meet, "127.0.0.1", 0, ssl=tls)
    async with server:
        yield f"https://localhost:{server.sockets[0].getsockname()[1]}"


async def find(tls: ssl.SSLContext | None, answer: bytes = b"", *, is_open: bool = True) -> tuple[Finding, list[str]]:
    """Return what the doctor finds, and who was unsubscribed by it."""
    site, taken, ports = Site("games@example.org", "a secret for this test"), list[str](), [0]
    async with web_server(tls, answer, lambda: ports[0]) as url, open_door("127.0.0.1:0", site, taken.append) as port:
        ports[0] = port
        place = f"127.0.0.1:{port if is_open else 1}"
        settings = Settings(archive_url=f"{url}/pbem/", unsubscribe_listen=place)
        return await asyncio.to_thread(check_door, settings), taken


async def test_a_page_that_is_passed_on_is_well(certified: ssl.SSLContext) -> None:
    """It was posted to, and nobody is unsubscribed."""
    found, taken = await find(certified)
    assert found.faults == ()
    assert "/pbem/unsubscribe unsubscribes with one click" in found.told
    assert taken == []


@pytest.mark.parametrize(
    ("answer", "says"),
    [(FOUND, "is another page"), (LOST, "status 405"), (MOVED, "status 301"), (b"nonsense\r\n\r\n", "not understood")],
)
async def test_a_page_that_is_not_passed_on_is_a_fault(certified: ssl.SSLContext, answer: bytes, says: str) -> None:
    """Email programs would be told so, and nobody else."""
    found, _ = await find(certified, answer)
    (fault,) = found.faults
    assert says in fault


async def test_a_certificate_that_nobody_trusts_is_a_fault(
    certified: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Email programs wouldn't trust it either."""
    monkeypatch.delenv("SSL_CERT_FILE")
    found, _ = await find(certified)
    assert "certificate" in found.faults[0]


async def test_a_service_that_is_not_running_is_no_fault(certified: ssl.SSLContext) -> None:
    """Its door is closed then."""
    found, _ = await find(certified, is_open=False)
    assert (found.faults, "pbem run" in found.told) == ((), True)


def test_a_name_that_no_host_can_have_is_a_fault() -> None:
    """It isn't looked up, and is no bug."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        place = f"127.0.0.1:{door.getsockname()[1]}"
        found = check_door(Settings(archive_url="https://a..example/", unsubscribe_listen=place))
    assert "no host can have that name" in found.faults[0]
