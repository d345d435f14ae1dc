"""Logging in with an access token (SASL XOAUTH2): a refusal ends at once, and the token stands in no log."""

import asyncio
import base64
import logging
import shlex
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult

from pbem.errors import LoginRefused, NoToken
from pbem.transport.imap import ImapMailbox
from pbem.transport.smtp import SmtpCourier
from tests.support.mail_servers import ANN, GAMES, MAIL, Postmaster, ScriptedImap

TOKEN = "ya29.A0ARrdaM8Zl2"
CHALLENGE = base64.b64encode(b'{"status":"401","schemes":"bearer"}').decode()
CAPABLE = "* CAPABILITY IMAP4rev1 SASL-IR AUTH=XOAUTH2 IDLE\n% OK"
SOON = 3.0
"""Seconds, far below the patience of the connections."""


def _words(token: str) -> str:
    """Return what is said to the server, in base64."""
    return base64.b64encode(f"user=games@pbem.example\1auth=Bearer {token}\1\1".encode()).decode()


@pytest.fixture
def command(tmp_path: Path) -> str:
    """Return a command that prints another token each time, and notes that it was called."""
    script = f"cd {shlex.quote(str(tmp_path))}; echo >> calls; echo {TOKEN}.$(wc -l < calls)"
    return shlex.join(["sh", "-c", script])


@pytest.fixture(autouse=True)
def everything_logged(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Log all that there is to log, but for what the server of the test says."""
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.CRITICAL, "mail.log")
    return caplog


def _assert_hidden(logged: pytest.LogCaptureFixture, *others: str) -> None:
    """Fail if a token, or what it is said with, stands in the log or in other texts."""
    for text in (logged.text, *others):
        for number in range(1, 5):
            assert f"{TOKEN}.{number}" not in text
            assert _words(f"{TOKEN}.{number}")[24:60] not in text


def _mailbox(port: int, command: str) -> ImapMailbox:
    """Return a mailbox that is patient for a minute."""
    return ImapMailbox(f"imap://games%40pbem.example@127.0.0.1:{port}/INBOX", token=command, timeout=60)


async def _soon(doing: Awaitable[Any]) -> Any:
    """Await what must not hang."""
    async with asyncio.timeout(SOON):
        return await doing


@pytest.mark.parametrize("at_once", [True, False])
async def test_a_token_opens_a_mailbox(at_once: bool, command: str, everything_logged: Any) -> None:
    """In the command itself where the server takes that (SASL-IR), else when it asks for it."""
    script = ScriptedImap(AUTHENTICATE="% OK" if at_once else "+ ", dXNlc=f"% {'BAD' if at_once else 'OK'} welcome")
    script.answers["CAPABILITY"] = f"* CAPABILITY IMAP4rev1 AUTH=XOAUTH2{' SASL-IR' if at_once else ''} IDLE\n% OK"
    async with script.serving() as port:
        mailbox = _mailbox(port, command)
        assert not await _soon(mailbox.wait(0))
        await mailbox.close()
    words = _words(f"{TOKEN}.1")
    said = [heard.strip() for heard in script.heard[1:3]]
    assert said == ([f"AUTHENTICATE XOAUTH2 {words}", "CAPABILITY"] if at_once else ["AUTHENTICATE XOAUTH2", words])
    assert not any("LOGIN" in heard for heard in script.heard)
    _assert_hidden(everything_logged, repr(mailbox))


@pytest.mark.parametrize("at_once", [True, False])
async def test_a_refused_token_ends_at_once(at_once: bool, command: str, everything_logged: Any) -> None:
    """The server waits for an empty line before it refuses; the token was new, so that no other one is asked for."""
    script = ScriptedImap(AUTHENTICATE=f"+ {CHALLENGE}" if at_once else "+ ", dXNlc=f"+ {CHALLENGE}")
    script.answers["an empty line"] = "% NO [AUTHENTICATIONFAILED] Invalid credentials"
    if at_once:
        script.answers["CAPABILITY"] = CAPABLE
    async with script.serving() as port:
        with pytest.raises(LoginRefused) as refused:
            await _soon(_mailbox(port, command).wait(0))
    assert str(refused.value) == (
        f"The mail server 127.0.0.1:{port} refuses the login of games@pbem.example: [AUTHENTICATIONFAILED] Invalid"
        " credentials."
    )
    assert refused.value.exit_code == 77
    assert script.heard.count("an empty line") == 1
    _assert_hidden(everything_logged, str(refused.value))


async def test_an_old_token_that_is_refused_is_replaced_once(command: str, everything_logged: Any) -> None:
    """A mailbox that was open for long connects anew: a second refusal is final, and the next call asks anew."""
    script = ScriptedImap(AUTHENTICATE="% OK")
    script.answers["CAPABILITY"] = CAPABLE
    async with script.serving() as port:
        mailbox = _mailbox(port, command)
        await _soon(mailbox.wait(0))
        await mailbox.close()
        script.answers["AUTHENTICATE"] = ["% NO expired", "% OK"]
        await _soon(mailbox.wait(0))
        await mailbox.close()
        script.answers["AUTHENTICATE"] = "% NO expired"
        with pytest.raises(LoginRefused):
            await _soon(mailbox.wait(0))
    tried = [heard.rpartition(" ")[2] for heard in script.heard if heard.startswith("AUTHENTICATE")]
    assert tried == [_words(f"{TOKEN}.{number}") for number in (1, 1, 2, 2, 3)]
    _assert_hidden(everything_logged)


async def test_a_server_that_says_nothing_to_a_token_is_given_up(command: str, everything_logged: Any) -> None:
    """The patience of the connection counts, and neither error nor log holds the token."""
    script = ScriptedImap(AUTHENTICATE="* OK wait")
    async with script.serving() as port:
        mailbox = ImapMailbox(f"imap://games%40pbem.example@127.0.0.1:{port}", token=command, timeout=0.2)
        with pytest.raises(Exception, match="it does not answer") as lost:
            await _soon(mailbox.wait(0))
    _assert_hidden(everything_logged, str(lost.value))


class Issuer(Postmaster):
    """An SMTP server that lets in whoever has one of its ``good`` tokens, in the way of Google and Microsoft."""

    def __init__(self, *good: str) -> None:
        super().__init__()
        self.good = list(good)
        self.tried: list[str] = []

    async def auth_XOAUTH2(self, server: SMTP, args: list[str]) -> AuthResult:  # noqa: N802 - aiosmtpd finds it so
        """Let in, or say why not in base64, and wait for an empty line."""
        self.tried.append(args[1])
        if args[1] in [_words(token) for token in self.good]:
            return AuthResult(success=True)
        await server.push(f"334 {CHALLENGE}")
        assert (await server._reader.readline()).strip() == b""
        return AuthResult(success=False, handled=False, message="535 5.7.8 Bad credentials")


def _courier(port: int, command: str, options: str = "") -> SmtpCourier:
    """Return a courier that is patient for a minute."""
    return SmtpCourier(f"smtp://games%40pbem.example@127.0.0.1:{port}{options}", token=command, timeout=60)


async def test_a_token_opens_the_server_that_sends(command: str, everything_logged: Any) -> None:
    """A password is never tried, and the token is asked for once for all connections."""
    issuer = Issuer(f"{TOKEN}.1")
    async with issuer.serving(auth_require_tls=False) as port:
        courier = _courier(port, command, "?connections=3")
        await _soon(asyncio.gather(*(courier.send(GAMES, ANN, MAIL) for _ in range(3))))
        await courier.close()
    assert issuer.taken == [MAIL] * 3
    assert set(issuer.tried) == {_words(f"{TOKEN}.1")}
    assert issuer.logins == 0
    _assert_hidden(everything_logged, repr(courier))


async def test_a_token_that_the_server_refuses_ends_at_once(command: str, everything_logged: Any) -> None:
    """With the exit code of a wrong password; all that wait are told so, and it is tried once."""
    issuer = Issuer()
    async with issuer.serving(auth_require_tls=False) as port:
        courier = _courier(port, command)
        sending = (courier.send(GAMES, ANN, MAIL) for _ in range(4))
        ends = await _soon(asyncio.gather(*sending, return_exceptions=True))
    assert [type(end) for end in ends] == [LoginRefused] * 4
    assert str(ends[0]) == (
        f"The SMTP server 127.0.0.1:{port} refuses the login of games@pbem.example: 535 5.7.8 Bad credentials."
    )
    assert issuer.tried == [_words(f"{TOKEN}.1")]
    _assert_hidden(everything_logged, *map(str, ends))


async def test_an_old_token_is_replaced_when_the_server_refuses_it(command: str, everything_logged: Any) -> None:
    """The email goes out with the new one, on a new connection."""
    issuer = Issuer(f"{TOKEN}.1")
    async with issuer.serving(auth_require_tls=False) as port:
        courier = _courier(port, command)
        await _soon(courier.send(GAMES, ANN, MAIL))
        await courier.close()
        issuer.good = [f"{TOKEN}.2"]
        await _soon(courier.send(GAMES, ANN, MAIL))
        await courier.close()
        issuer.good = []
        with pytest.raises(LoginRefused):
            await _soon(courier.send(GAMES, ANN, MAIL))
    assert issuer.tried == [_words(f"{TOKEN}.{number}") for number in (1, 1, 2, 2, 3)]
    assert issuer.taken == [MAIL] * 2
    _assert_hidden(everything_logged)


async def test_without_a_token_nothing_is_sent(tmp_path: Path) -> None:
    """A command that fails is told in its own words, and the server hears no login."""
    for make in (_reads, _sends):
        with pytest.raises(NoToken, match="ended with exit code 4: no refresh token"):
            await _soon(make("sh -c 'echo no refresh token >&2; exit 4'"))


async def _reads(command: str) -> None:
    async with ScriptedImap().serving() as port:
        await _mailbox(port, command).wait(0)


async def _sends(command: str) -> None:
    async with Issuer().serving(auth_require_tls=False) as port:
        await _courier(port, command).send(GAMES, ANN, MAIL)
