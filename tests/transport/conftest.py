"""The demo's servers, a mailbox and a courier on them, and a certificate."""

import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pbem.demo.servers import DemoServers
from pbem.transport.imap import ImapMailbox
from pbem.transport.smtp import SmtpCourier
from tests.support.certificate import CERTIFICATE
from tests.support.mail_servers import ANN, GAMES


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
