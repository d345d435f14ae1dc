"""Logging in by the device flow (RFC 8628) of an OAuth 2.0 server, and the refresh token that a file keeps of it."""

import fcntl
import http.client
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from pbem.errors import BadFile, BadInput, LoginRefused, NoFile, Unavailable

_SECONDS = 10  # of waiting for each answer
_LARGEST = 1_000_000  # bytes of an answer
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_DEVICE = "urn:ietf:params:oauth:grant-type:device_code"


@dataclass(frozen=True)
class Login:
    """What has let us in, and does so again: the server, and the application that asks it; ``refresh`` is secret."""

    endpoint: str
    client_id: str
    scope: str
    refresh: str = ""

    def __repr__(self) -> str:
        return f"Login({self.endpoint!r}, {self.client_id!r})"


def log_in(asked: Login, show: Callable[[str, str], None], pause: Callable[[float], None] = time.sleep) -> Login:
    """Let a person log in elsewhere; return the login with its refresh token.

    ``show`` is called with the page that they open and the code that they type there. Raise LoginRefused when they
    don't, or may not, and Unavailable when the server does not answer.
    """
    begun = _ask(asked.endpoint, "devicecode", client_id=asked.client_id, scope=asked.scope)
    device, seconds = _text(begun, "device_code"), _number(begun, "interval", 5)
    end = time.monotonic() + _number(begun, "expires_in", 900)
    show(_text(begun, "verification_uri"), _text(begun, "user_code"))
    while time.monotonic() < end:
        pause(seconds)
        answer = _ask(asked.endpoint, "token", grant_type=_DEVICE, client_id=asked.client_id, device_code=device)
        match answer.get("error"):
            case None:
                return replace(asked, refresh=_text(answer, "refresh_token"))
            case "authorization_pending":
                continue
            case "slow_down":
                seconds += 5
            case _:
                raise LoginRefused(f"The login was refused: {_reason(answer)}.")
    raise LoginRefused("Nobody has logged in with the code in time: begin anew.")


def renew(login: Login) -> tuple[str, Login]:
    """Return a new access token, and the login as it is from now on. Raise LoginRefused or Unavailable."""
    answer = _ask(
        login.endpoint,
        "token",
        grant_type="refresh_token",
        client_id=login.client_id,
        scope=login.scope,
        refresh_token=login.refresh,
    )
    if "error" in answer:
        raise LoginRefused(f"The login counts no longer: {_reason(answer)}. Log in again.")
    return _text(answer, "access_token"), replace(login, refresh=str(answer.get("refresh_token") or login.refresh))


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Let nobody else renew a login in this directory meanwhile: its refresh token changes each time."""
    held = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def keep(login: Login, file: Path) -> None:
    """Write a login for the owner of the file alone: the old file, or the new one, is there at any moment."""
    fresh = file.with_name(f"{file.name}.new")
    fresh.unlink(missing_ok=True)
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as target:
        json.dump(asdict(login), target)
        target.flush()
        os.fsync(target.fileno())
    fresh.replace(file)


def recall(file: Path) -> Login:
    """Return the login that is kept in a file. Raise NoFile or BadFile."""
    try:
        return Login(**json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise NoFile(f"There is no {file}: log in first.") from None
    except (ValueError, TypeError):
        raise BadFile(f"{file} holds no login: log in again.") from None


def check_endpoint(url: str) -> str:
    """Return the URL of a server, without a slash at its end. Raise BadInput where others could listen in."""
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and (parts.port is None or parts.port > 0) and not (parts.query or parts.fragment)
    except ValueError:
        usable = False
    if not usable or not (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)):
        raise BadInput(f"“{url}” is no endpoint: it must begin with https:// and the name of a host.")
    return url.rstrip("/")


def _ask(endpoint: str, what: str, **fields: str) -> dict[str, Any]:
    """Post a form to the endpoint and nowhere else: no redirection is followed, and no proxy asked."""
    parts = urlsplit(endpoint)
    secure = parts.scheme == "https"
    make: Any = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    connection = make(parts.hostname, parts.port, timeout=_SECONDS)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    try:
        connection.request("POST", f"{parts.path}/{what}", urlencode(fields), headers)
        answer = json.loads(connection.getresponse().read(_LARGEST))
    except OSError as error:
        why = "it does not answer" if isinstance(error, TimeoutError) else error.strerror or type(error).__name__
        raise Unavailable(f"No connection to {parts.hostname}: {why}.") from None
    except (http.client.HTTPException, ValueError):
        answer = None
    finally:
        connection.close()
    if not isinstance(answer, dict):
        raise Unavailable(f"{parts.hostname} answers in a way that is not understood.")
    return answer


def _text(answer: dict[str, Any], name: str) -> str:
    """Return a text of an answer that must hold it, or else says why it doesn't."""
    found = answer.get(name)
    if "error" in answer:
        raise LoginRefused(f"The login was refused: {_reason(answer)}.")
    if not isinstance(found, str) or not found:
        raise Unavailable(f"The server's answer has no {name}.")
    return found


def _number(answer: dict[str, Any], name: str, usual: float) -> float:
    found = answer.get(name)
    return float(found) if isinstance(found, int | float) and found >= 0 else usual


def _reason(answer: dict[str, Any]) -> str:
    """Return the server's own words for a refusal, the first line of them."""
    words = str(answer.get("error_description") or answer.get("error"))
    return " ".join((words.splitlines() or [""])[0].split())[:200].rstrip(".")
