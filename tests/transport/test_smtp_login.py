"""URLs of a server to send by, its login and its TLS."""

import asyncio
import ssl
from pathlib import Path

import pytest

from pbem.demo.servers import DemoServers
from pbem.errors import ConfigError, LoginRefused, ServerFailure
from pbem.transport.smtp import SmtpCourier
from tests.support.each import each
from tests.support.mail_servers import ANN, GAMES, MAIL, Postmaster, failure, inbox


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
        assert isinstance(refusal, ServerFailure)


async def test_a_wrong_password_is_tried_once() -> None:
    """Those who are about to log in meanwhile are told the same; whoever comes later tries again."""
    postmaster = Postmaster()
    async with postmaster.serving(auth_require_tls=False) as port:
        courier = SmtpCourier(f"smtp://games:s%3Acret2@127.0.0.1:{port}?connections=4", timeout=5)
        sending = (courier.send(GAMES, ANN, MAIL) for _ in range(6))
        ends = await asyncio.gather(*sending, return_exceptions=True)
        assert [type(end) for end in ends] == [LoginRefused] * 6
        tried = postmaster.logins
        assert isinstance(await failure(courier), LoginRefused)
    assert (tried, postmaster.logins) == (1, 2)


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
        assert isinstance(refusal, ServerFailure)
        assert "its certificate is not accepted (self-signed certificate)" in str(refusal)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "both.pem"))
        await courier.send(GAMES, ANN, MAIL)
        await courier.close()
    assert postmaster.taken == [MAIL]


async def test_without_tls_nothing_is_sent_to_a_server_that_must_have_it(servers: DemoServers) -> None:
    """Where TLS is required and the server has none, the email waits, and it is told why."""
    for mode, reason in (("starttls", "STARTTLS extension not supported"), ("implicit", "TLS fails")):
        refusal = await failure(SmtpCourier(f"{servers.smtp_url}?tls={mode}", timeout=5))
        assert isinstance(refusal, ServerFailure)
        assert reason in str(refusal)
    assert await inbox(servers, ANN) == []


@each(
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
        "smtp://mail.example.org?connections=0",
        "smtp://mail.example.org?connections=many",
        "smtp:",
    ],
)
def test_a_url_that_will_not_do_is_refused(url: str) -> None:
    """A malformed url is a ConfigError that shows what it should look like, and not the password."""
    with pytest.raises(ConfigError, match="The SMTP URL must look like") as refusal:
        SmtpCourier(url)
    assert "cret" not in str(refusal.value)


@each("user", ["games:s3cret", "games", "games%40example.org:s3cret"])
@each("host", ["mail.example.org", "192.0.2.1", "localhost.example.org", "127.0.0.1.example.org"])
@each("scheme", ["smtp", "smtps"])
def test_a_password_never_goes_to_another_machine_without_tls(scheme: str, host: str, user: str) -> None:
    """What would show it to everybody on the way is refused; the refusal names the host, and not the password."""
    with pytest.raises(ConfigError, match=f"{host} has a login and .*tls=none") as refusal:
        SmtpCourier(f"{scheme}://{user}@{host}?tls=none")
    assert "s3cret" not in str(refusal.value)
    assert SmtpCourier(f"{scheme}://{user}@127.0.0.1?tls=none")._tls == "none"


@each(
    "url, mode, port",
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
