"""Access tokens instead of passwords, at a Dovecot and a Postfix that check them."""

import re
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.transport.imap import ImapMailbox
from tests.e2e.program import pbem, without_settings
from tests.e2e.real.certificates import Authority
from tests.e2e.real.dovecot import Dovecot
from tests.e2e.real.line import ADDRESSES, ANN, BOB, GAMES, call
from tests.e2e.real.place import wait_until
from tests.e2e.real.postfix import Postfix

pytestmark = pytest.mark.slow("needs real mail servers")


@pytest.fixture
def dovecot(home: Path, certificate: Path) -> Iterator[Dovecot]:
    """A Dovecot that takes tokens, too."""
    server = Dovecot(home / "dovecot", ADDRESSES, certificate, tokens=True)
    try:
        server.start()
        yield server
    finally:
        server.stop(signal.SIGKILL)
        print(server.log())


class Printed:
    """What the command for tokens prints: a file, with a token of a Dovecot in it, or none."""

    def __init__(self, file: Path, dovecot: Dovecot) -> None:
        self._file, self._dovecot = file, dovecot
        self.command = f"cat {shlex.quote(str(file))}"
        self.token = ""

    def renew(self, *, seconds: float = 3600) -> None:
        """Let it print a new token, which is good for so many seconds."""
        self.token = self._dovecot.make_token(GAMES, seconds=seconds)
        self._file.write_text(f"{self.token}\n")

    def fail(self) -> None:
        """Let it print none."""
        self._file.unlink()


@pytest.fixture
def printed(tmp_path: Path, dovecot: Dovecot) -> Printed:
    """A command that prints a token that counts."""
    made = Printed(tmp_path / "token", dovecot)
    made.renew()
    return made


@pytest.fixture
def environment(dovecot: Dovecot, postfix: Postfix, authority: Authority, printed: Printed) -> dict[str, str]:
    """The environment of a service without a password."""
    user = GAMES.replace("@", "%40")
    return without_settings() | {
        "PBEM_IMAP_URL": f"imaps://{user}@localhost:{dovecot.tls_port}/INBOX",
        "PBEM_SMTP_URL": f"smtp://{user}@localhost:{postfix.ports['submission']}?tls=starttls",
        "PBEM_IMAP_TOKEN": printed.command,
        "PBEM_SMTP_TOKEN": printed.command,
        "SSL_CERT_FILE": str(authority.file),
    }


async def test_a_service_without_a_password_reads_and_sends(
    dovecot: Dovecot, environment: dict[str, str], printed: Printed, tmp_path: Path
) -> None:
    """With a token that counts; one that has run out, or was revoked, is told at once, and shown nowhere."""
    await pbem(tmp_path, environment, "init", GAMES)
    await pbem(tmp_path, environment, "open", "pipline", ANN, BOB)
    assert await pbem(tmp_path, environment, "poll") == "0 new messages.\n"
    assert (await pbem(tmp_path, environment, "deliver")).startswith("2 sent")
    wait_until(lambda: dovecot.count(ANN) == 1, "the notice")
    assert "✗" not in await pbem(tmp_path, environment, "doctor")

    await pbem(tmp_path, environment, "open", "pipline", ANN, BOB)
    printed.renew(seconds=-60)
    for command in ("poll", "deliver"):
        ended = await call(tmp_path, environment, "-v", command)
        assert ended.code == 77
        assert re.search(r"(?m)^pbem: The (mail|SMTP) server \S+ refuses the login of games@example\.org: ", ended.err)
        assert printed.token not in ended.err
        assert ended.seconds < 15  # and not the half minute after which a silent server is given up
    found = await call(tmp_path, environment, "doctor")
    assert found.code == 1
    assert len(re.findall(r"(?m)^✗ (mailbox|sending)   The .* refuses the login", found.out)) == 2

    printed.fail()
    ended = await call(tmp_path, environment, "poll")
    assert ended.code == 77
    assert ended.err.startswith("pbem: The command in imap_token ended with exit code 1: cat: ")


async def test_a_new_token_is_asked_for_when_the_old_one_is_refused(dovecot: Dovecot, printed: Printed) -> None:
    """It was kept; when the server refuses it, the command is asked once more."""
    url = f"imap://{GAMES.replace('@', '%40')}@127.0.0.1:{dovecot.port}/INBOX"
    mailbox = ImapMailbox(url, token=printed.command, timeout=10)
    assert not await mailbox.wait(0)
    await mailbox.close()
    dovecot.stop()
    dovecot.revoke_tokens()
    dovecot.start()
    printed.renew()
    assert not await mailbox.wait(0)
    await mailbox.close()
    assert dovecot.log().count("(auth failed") == 1
