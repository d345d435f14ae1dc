"""Logging in at a provider that takes no passwords: once by hand, then by itself, and nowhere but there."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.start.oauth import Login, log_in, renew
from pbem.errors import LoginRefused, Unavailable
from tests.support.command_line import GAMES, Pbem
from tests.support.each import each
from tests.support.oauth_server import CODE, PENDING, OAuthServer

REFRESH, ACCESS = "M.R3_BAY.refresh-one", "EwAY.access-one"
GRANTED = {"access_token": ACCESS, "refresh_token": REFRESH, "expires_in": 3600, "token_type": "Bearer"}


def _renewed(number: int, **others: Any) -> dict[str, Any]:
    """Return the answer of a server that gives a further token."""
    return {"access_token": f"EwAY.access-{number}", "expires_in": 3600} | others


def _log_in(bare: Pbem, server: OAuthServer, *options: str) -> str:
    """Log in, and return what was printed."""
    done = bare.done("login", "microsoft", "--endpoint", server.url, "--client-id", "app-1", *options)
    return done.out


def test_one_logs_in_once_and_gets_tokens_ever_after(bare: Pbem) -> None:
    """The page and the code are shown; what is kept is for its owner alone, and its refresh token is the latest."""
    server = OAuthServer(CODE | {"interval": 0}, PENDING, GRANTED, _renewed(2, refresh_token="next"), _renewed(3))
    bare.done("init", GAMES)
    with server.serving():
        told = _log_in(bare, server)
        kept = bare.directory / "microsoft.token"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert bare.done("login", "microsoft", "--token").out == "EwAY.access-2\n"
        assert json.loads(kept.read_text())["refresh"] == "next"
        assert bare.done("login", "microsoft", "--token").out == "EwAY.access-3\n"
    assert json.loads(kept.read_text())["refresh"] == "next"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert "https://login.example/device" in told
    assert "ABCD-EFGH" in told
    assert 'imap_url = "imaps://games%40example.org@outlook.office365.com/INBOX"' in told
    assert 'login microsoft --token"' in told
    assert REFRESH not in told
    assert ACCESS not in told
    paths = [path for path, _ in server.heard]
    assert paths == ["/common/v2.0/devicecode", *["/common/v2.0/token"] * 4]
    assert {form["client_id"] for _, form in server.heard} == {"app-1"}
    assert [form.get("refresh_token") for _, form in server.heard[3:]] == [REFRESH, "next"]


def test_a_second_login_needs_no_id(bare: Pbem) -> None:
    """What the first one was asked with is known."""
    begun: dict[str, Any] = CODE | {"interval": 0}
    server = OAuthServer(begun, GRANTED, begun, GRANTED)
    with server.serving():
        _log_in(bare, server)
        bare.done("login", "microsoft")
    assert {form["client_id"] for _, form in server.heard} == {"app-1"}


def test_a_login_that_fails_keeps_what_there_was(bare: Pbem) -> None:
    """One sentence, with the first line of the server's own words."""
    declined = {"error": "access_denied", "error_description": "You said no.\r\nTrace ID: 7"}
    server = OAuthServer(CODE | {"interval": 0}, GRANTED, CODE | {"interval": 0}, declined)
    with server.serving():
        _log_in(bare, server)
        before = (bare.directory / "microsoft.token").read_text()
        run = bare("login", "microsoft")
        assert (run.code, run.err) == (77, "pbem: The login was refused: You said no.\n")
    assert (bare.directory / "microsoft.token").read_text() == before


def test_a_login_that_ran_out_says_what_to_do(bare: Pbem) -> None:
    """The command for tokens ends with it, and pbem run quotes that."""
    expired = {"error": "invalid_grant", "error_description": "AADSTS700082: The refresh token has expired.\r\nTrace"}
    server = OAuthServer(CODE | {"interval": 0}, GRANTED, expired)
    with server.serving():
        _log_in(bare, server)
        bare.refuses(
            "login", "microsoft", "--token", code=77, says="AADSTS700082: The refresh token has expired. Log in again."
        )


@each(
    "arguments, code, says",
    [
        (("microsoft",), 64, "Which application asks?"),
        (("microsoft", "--token"), 66, "log in first"),
        (("yahoo",), 64, "There is no provider “yahoo”"),
        (("microsoft", "--client-id", "x", "--endpoint", "http://login.example"), 64, "must begin with https://"),
        (("microsoft", "--client-id", "x", "--endpoint", "https://"), 64, "must begin with https://"),
    ],
)
def test_what_is_missing_is_told(bare: Pbem, arguments: tuple[str, ...], code: int, says: str) -> None:
    """Before anything is asked of anybody; a password never goes over a network in clear."""
    bare.refuses("login", *arguments, code=code, says=says)
    assert not (bare.directory / "microsoft.token").exists()


def test_a_damaged_login_is_told(bare: Pbem) -> None:
    """And not shown."""
    for content in ("", "[]", '{"refresh": "secret"}', "\xff"):
        (bare.directory / "microsoft.token").write_bytes(content.encode("latin-1"))
        bare.refuses("login", "microsoft", "--token", code=65, says="holds no login: log in again")


def test_others_who_can_read_the_login_are_told_of(bare: Pbem) -> None:
    """By the doctor, with the command that ends it."""
    bare.done("init", GAMES)
    kept = bare.directory / "microsoft.token"
    kept.write_text("{}")
    kept.chmod(0o644)
    assert "✗ files     The login in microsoft.token is open to all users of this machine" in bare("doctor").out


def _asked(server: OAuthServer) -> Login:
    return Login(server.url, "app-1", "mail")


def test_a_server_that_sends_us_elsewhere_is_not_followed() -> None:
    """What is secret goes to the endpoint alone."""
    other = OAuthServer()
    with other.serving(), OAuthServer(f"to {other.url}/token".encode()).serving() as server:
        login = Login(server.url, "app-1", "mail", REFRESH)
        with pytest.raises(Unavailable, match="not understood"):
            renew(login)
    assert other.heard == []


def test_a_proxy_of_the_environment_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would see the refresh token, where the connection is not encrypted to its end."""
    proxy = OAuthServer()
    with proxy.serving(), OAuthServer(_renewed(2)).serving() as server:
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        assert renew(Login(server.url, "app-1", "mail", REFRESH))[0] == "EwAY.access-2"
    assert proxy.heard == []


def test_the_server_says_how_often_it_may_be_asked() -> None:
    """Five seconds unless it says so, and five more whenever it wants it slower."""
    waited: list[float] = []
    server = OAuthServer(CODE, PENDING, {"error": "slow_down"}, GRANTED)
    with server.serving():
        found = log_in(_asked(server), lambda page, code: None, waited.append)
    assert waited == [5, 5, 10]
    assert found.refresh == REFRESH
    assert REFRESH not in repr(found)


def test_a_code_that_nobody_types_ends() -> None:
    """It counts for as long as the server says."""
    server = OAuthServer(CODE | {"expires_in": 0})
    with server.serving(), pytest.raises(LoginRefused, match="in time"):
        log_in(_asked(server), lambda page, code: None, lambda seconds: None)


@pytest.mark.parametrize("answer", [b"<html>", b"[]", {}, {"access_token": 7}])
def test_an_answer_that_makes_no_sense_is_told(answer: dict[str, Any] | bytes) -> None:
    """In a sentence, and nothing is kept."""
    server = OAuthServer(answer)
    with server.serving(), pytest.raises(Unavailable):
        renew(Login(server.url, "app-1", "mail", REFRESH))


def test_a_server_that_is_away_is_told(bare: Pbem, closed_port: int, tmp_path: Path) -> None:
    """As one that cannot be reached."""
    endpoint = f"http://127.0.0.1:{closed_port}"
    arguments = ("login", "microsoft", "--client-id", "x", "--endpoint", endpoint)
    bare.refuses(*arguments, code=69, says="No connection to 127.0.0.1: Connection refused.")
    assert list(tmp_path.iterdir()) == []
