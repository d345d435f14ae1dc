"""A whole match through Debian's servers, as a host has them: TLS, logins, a mailbox that announces its messages."""

import asyncio
import json
import re
import smtplib
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import MailboxLost
from pbem.transport.imap import ImapMailbox
from pbem.transport.smtp import SmtpCourier
from tests.e2e.program import Player, pbem, play, serving, without_settings
from tests.e2e.real.certificates import Authority
from tests.e2e.real.conftest import CARL
from tests.e2e.real.dovecot import Dovecot
from tests.e2e.real.line import ANN, BOB, GAMES, Line, call
from tests.e2e.real.place import PATIENCE, wait_until
from tests.e2e.real.postfix import Postfix

pytestmark = pytest.mark.slow("needs real mail servers")


@dataclass
class Servers:
    """Where players read and write; tells when mail has come."""

    dovecot: Dovecot
    postfix: Postfix

    @property
    def password(self) -> str:
        """Everybody's password."""
        return self.dovecot.password

    @property
    def smtp_url(self) -> str:
        """Where to send mail; no login is needed."""
        return self.postfix.smtp_url()

    def imap_url(self, address: str) -> str:
        """Return where ``address`` reads its mail."""
        return self.dovecot.imap_url(address)

    async def reaches(self, recipient: str, count: int) -> None:
        """Wait until so many emails have come for ``recipient``."""
        async with asyncio.timeout(PATIENCE):
            while self.dovecot.count(recipient) < count:  # noqa: ASYNC110 - it is another process that writes them
                await asyncio.sleep(0.02)

    def player(self, address: str) -> Player:
        """Return somebody with an email program."""
        return Player(address, self, self)


@pytest.fixture
def servers(dovecot: Dovecot, postfix: Postfix) -> Servers:
    """Both servers, as players see them."""
    return Servers(dovecot, postfix)


@pytest.fixture
def trusting(dovecot: Dovecot, postfix: Postfix, authority: Authority) -> dict[str, str]:
    """The environment of a service that logs in with TLS, trusts the servers, and as good as never polls."""
    return without_settings() | {
        "PBEM_IMAP_URL": dovecot.imap_url(GAMES, host="localhost", tls=True),
        "PBEM_SMTP_URL": postfix.smtp_url("submission", user=GAMES, host="localhost"),
        "PBEM_POLL_SECONDS": "3600",
        "SSL_CERT_FILE": str(authority.file),
    }


async def test_three_players_play_a_match_through_dovecot_and_postfix(
    servers: Servers, trusting: dict[str, str], tmp_path: Path
) -> None:
    """From ``pbem open`` to ``match over``, each message answered because the server announced it."""
    addresses = [ANN, BOB, CARL]
    await pbem(tmp_path, trusting, "init", GAMES)
    await pbem(tmp_path, trusting, "open", "zipline", *addresses, "--option", "size=5")
    async with serving(tmp_path, trusting):
        await play([servers.player(address) for address in addresses])
    mails: list[dict[str, Any]] = json.loads(
        await pbem(tmp_path, trusting, "outbound", "list", "--json", "--limit", "100")
    )
    assert {mail["status"] for mail in mails} == {"sent"}
    assert {mail["to"] for mail in mails if mail["kind"] == "match_over"} == set(addresses)
    assert "✗" not in await pbem(tmp_path, trusting, "doctor")
    (match,) = json.loads(await pbem(tmp_path, trusting, "matches", "--json"))
    assert (match["status"], match["winners"]) == ("over", [0, 2])
    await pbem(tmp_path, trusting, "export", "1", "--output", "1.txt")
    assert (await pbem(tmp_path, trusting, "verify", "1.txt")).startswith("zipline, 3 players, 9 entries: a win")
    # Nothing was marked or moved; every message still lies where Postfix had it laid, tag and all.
    messages = servers.dovecot.messages(GAMES)
    assert len(messages) == 10
    assert all(re.search(rb"(?m)^Delivered-To: games\+[^@]+@example\.org$", raw) for raw in messages)
    assert "unseen=10" in servers.dovecot.admin("mailbox", "status", "-u", GAMES, "unseen", "INBOX")


async def test_a_message_is_answered_at_once(servers: Servers, trusting: dict[str, str], tmp_path: Path) -> None:
    """From sending a message to having the answer it takes a few seconds at most, without any poll."""
    await pbem(tmp_path, trusting, "init", GAMES)
    await pbem(tmp_path, trusting, "open", "pipline", ANN, BOB)
    ann = servers.player(ANN)
    async with serving(tmp_path, trusting):
        await ann.read()
        for _ in range(3):
            await asyncio.sleep(1)
            began = asyncio.get_running_loop().time()
            await ann.answer("show")
            await ann.read()
            took = asyncio.get_running_loop().time() - began
            print(f"answered within {took:.2f} s")
            assert took < 5


async def test_the_envelope_alone_may_hold_the_token(servers: Servers, line: Line) -> None:
    """An email program may drop what stands behind the plus sign in To: the whole address is in Delivered-To."""
    line.service.open("pipline", [ANN, BOB], {"size": 5})
    message = line.answer(ANN, "c3")
    tagged = re.search(rb"(?m)^To: (games\+\S+@example\.org)\r?$", message)
    assert tagged is not None
    bare = message.replace(b"To: " + tagged[1], b"To: games@example.org").replace(b"In-Reply-To:", b"X-Old:")
    with smtplib.SMTP("127.0.0.1", servers.postfix.ports["plain"], timeout=PATIENCE) as client:
        client.sendmail(ANN, [tagged[1].decode()], bare)
    wait_until(lambda: servers.dovecot.count(GAMES) == 1, "the letter")
    assert await line.service.poll() == 1
    assert [message.status for message in line.messages()] == ["accepted"]
    assert line.moves() == ["c3"]


@pytest.mark.parametrize("trouble", ["its authority is unknown", "it is for another host"])
async def test_a_certificate_that_will_not_do_stops_us_before_the_password(
    servers: Servers, authority: Authority, line: Line, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    """Neither password nor mail is sent to a server whose certificate nobody vouches for; one sentence says so."""
    dovecot, postfix = servers.dovecot, servers.postfix
    host, cause = "localhost", "unable to get local issuer certificate"
    if trouble == "it is for another host":
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
        host, cause = "127.0.0.1", "IP address mismatch, certificate is not valid for '127.0.0.1'"
    sentence = re.escape(f"its certificate is not accepted ({cause}).")
    box = ImapMailbox(dovecot.imap_url(GAMES, host=host, tls=True), timeout=5)
    with pytest.raises(MailboxLost, match=rf"No connection to the mail server {host}:\d+: {sentence}$"):
        await box.wait(0)
    line.service.open("pipline", [ANN, BOB], {"size": 5})
    for service in ("submission", "submissions"):
        line.service.connect(courier=SmtpCourier(postfix.smtp_url(service, user=GAMES, host=host), timeout=5))
        assert (await line.service.deliver()).deferred == 2
        line.clock.advance(timedelta(hours=1))
        for mail in line.mails():
            assert re.fullmatch(rf"our server: No connection to the SMTP server {host}:\d+: {sentence}", mail.error)
    assert "Login" not in dovecot.log()
    assert not re.search(r"auth=|mail=", postfix.log())

    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    box = ImapMailbox(dovecot.imap_url(GAMES, host="localhost", tls=True), timeout=5)
    assert not await box.wait(0)
    await box.close()
    for service in ("submission", "submissions"):
        courier = SmtpCourier(postfix.smtp_url(service, user=GAMES, host="localhost"), timeout=5)
        await courier.check(GAMES)
        await courier.close()


async def test_the_doctor_tells_what_is_wrong_with_the_servers(
    servers: Servers, trusting: dict[str, str], tmp_path: Path
) -> None:
    """A certificate, a password, a server that is away: each is one line that says so."""
    await pbem(tmp_path, trusting, "init", GAMES)
    distrusting = {name: value for name, value in trusting.items() if name != "SSL_CERT_FILE"}
    found = await call(tmp_path, distrusting, "doctor")
    assert found.code == 1
    assert found.out.count("its certificate is not accepted (unable to get local issuer certificate).\n") == 2
    servers.dovecot.set_password(GAMES, "another")
    found = await call(tmp_path, trusting, "doctor")
    assert found.code == 1
    assert re.search(r"(?m)^✗ mailbox   The mail server \S+ refuses the login of games@example\.org: .*\.$", found.out)
    assert re.search(r"(?m)^✗ sending   The SMTP server \S+ refuses the login of games@example\.org: 535", found.out)
    servers.postfix.stop()
    servers.dovecot.stop()
    found = await call(tmp_path, trusting, "doctor")
    assert found.code == 1
    assert found.out.count("nothing listens there.\n") == 2
