"""The two servers, made anew for each test that asks for them, and what is trusted."""

import signal
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from shutil import copy, rmtree

import pytest

from tests.e2e.program import without_settings
from tests.e2e.real.certificates import Authority
from tests.e2e.real.dovecot import Dovecot
from tests.e2e.real.line import ADDRESSES, GAMES, Line
from tests.e2e.real.postfix import Postfix
from tests.support.fakes import FakeCourier

CARL = "carl@example.org"


@pytest.fixture(scope="session")
def authority() -> Iterator[Authority]:
    """Whoever vouches for the servers."""
    with tempfile.TemporaryDirectory() as directory:
        yield Authority(Path(directory))


@pytest.fixture(scope="session")
def certificate(authority: Authority) -> Path:
    """The certificate of localhost."""
    return authority.certificate("localhost")


@pytest.fixture
def home() -> Iterator[Path]:
    """A directory with a short path, since those of sockets are limited, that the servers' users may enter."""
    path = Path(tempfile.mkdtemp(prefix="pbem-"))
    path.chmod(0o755)
    yield path
    rmtree(path)


@pytest.fixture
def dovecot(home: Path, certificate: Path) -> Iterator[Dovecot]:
    """A Dovecot with mailboxes for the service and three players."""
    server = Dovecot(home / "dovecot", [*ADDRESSES, CARL], certificate)
    try:
        server.start()
        yield server
    finally:
        server.stop(signal.SIGKILL)  # a second less than politely
        print(server.log())


@pytest.fixture
def postfix(home: Path, dovecot: Dovecot, certificate: Path) -> Iterator[Postfix]:
    """A Postfix before it, that believes that there is somebody called gone, too."""
    server = Postfix(home / "postfix", dovecot, [*ADDRESSES, CARL, "gone@example.org"], certificate)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        print(server.log())


@pytest.fixture
async def line(dovecot: Dovecot, blank_database: Path, tmp_path: Path) -> AsyncIterator[Line]:
    """A service that reads from Dovecot, and whose emails are only kept."""
    line = Line.over(dovecot, FakeCourier(), Path(copy(blank_database, tmp_path / "pbem.db")))
    yield line
    await line.service.close()


@pytest.fixture
def environment(dovecot: Dovecot) -> dict[str, str]:
    """The environment of a command that reads from Dovecot, without TLS, and sends nowhere."""
    return without_settings() | {"PBEM_IMAP_URL": dovecot.imap_url(GAMES), "PBEM_SMTP_URL": "smtp://127.0.0.1:9"}
