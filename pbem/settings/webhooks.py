"""Webhooks as the settings have them: who is called when something happens in a match, and about which matches."""

import re
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

FORMATS = ("json", "text")
_FIELDS = {"url", "secret", "games", "matches", "format"}
_SHORTEST, _LONGEST = 24, 64  # bytes of a secret (Standard Webhooks 1.0)
_URL = re.compile(
    r"(https?)://(?:([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)|\[([0-9A-Fa-f:.]+)\])(?::[0-9]{1,5})?"
    r"(?:/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)?(?:\?[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?"
)


@dataclass(frozen=True, slots=True)
class Webhook:
    """A program that is called; ``number`` counts them from 1, in the order of the settings.

    ``games`` and ``matches`` are those it is called about; without any, about all that anybody can find. Who knows the
    URL of a chat can write to it, so neither that nor the ``secrets`` stand anywhere.
    """

    number: int
    url: str = field(repr=False)
    secrets: tuple[bytes, ...] = field(repr=False)
    games: tuple[str, ...] = ()
    matches: tuple[int, ...] = ()
    format: str = "json"

    @property
    def host(self) -> str:
        """The name of the server that is called."""
        return urlsplit(self.url).netloc

    @property
    def name(self) -> str:
        """What it is known by: it tells nothing of the URL, and is another one with that."""
        return sha256(self.url.encode()).hexdigest()[:16]


def read_webhooks(value: object) -> tuple[Webhook, ...]:
    """Return webhooks as a settings file has them. Raise ValueError, which shows nothing of them."""
    if isinstance(value, tuple) and all(isinstance(one, Webhook) for one in value):
        return value
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise ValueError('it must be a list in pbem.toml, such as [{ url = "https://…", secret = "whsec_…" }]')
    found = tuple(_read(number, one) for number, one in enumerate(value, 1))
    if len({one.url for one in found}) < len(found):
        raise ValueError("two of them have the same url")
    return found


def _read(number: int, given: Mapping[str, Any]) -> Webhook:
    """Return one of them. Raise ValueError."""
    if given.keys() - _FIELDS:
        raise ValueError(f"number {number} has a key that is none of {', '.join(sorted(_FIELDS))}")
    url, form, games, matches = (given.get(key) for key in ("url", "format", "games", "matches"))
    if not isinstance(url, str) or not _is_sound(url):
        raise ValueError(
            f"number {number} must have a url that begins with https://, in plain ASCII, without a password or #;"
            " http:// will do for a numeric address of this machine alone"
        )
    if form not in (None, *FORMATS):
        raise ValueError(f"number {number} must have {' or '.join(FORMATS)} as its format")
    if not isinstance(games or [], list) or not all(map(_is_game, games or ())):
        raise ValueError(f'number {number} must have the keys of games as its games, such as ["zipline"]')
    if not isinstance(matches or [], list) or not all(type(one) is int and 0 < one < 2**31 for one in matches or ()):
        raise ValueError(f"number {number} must have numbers of matches as its matches, such as [17]")
    secrets = tuple(_read_secret(number, one) for one in str(given.get("secret", "")).split())
    if not secrets:
        raise ValueError(f"number {number} has no secret; {_MAKE}")
    return Webhook(number, url, secrets, tuple(games or ()), tuple(matches or ()), form or FORMATS[0])


_MAKE = (
    "python3 -c 'import base64, secrets; print(\"whsec_\" + base64.b64encode(secrets.token_bytes(32)).decode())'"
    " prints a new one"
)


def _read_secret(number: int, secret: str) -> bytes:
    """Return the bytes that sign. Raise ValueError."""
    try:
        found = b64decode(secret.removeprefix("whsec_"), validate=True) if secret.startswith("whsec_") else b""
    except ValueError:  # no Base64, or no ASCII
        found = b""
    if not _SHORTEST <= len(found) <= _LONGEST:
        raise ValueError(
            f"number {number} must have whsec_ and {_SHORTEST} to {_LONGEST} bytes in Base64 as its secret; {_MAKE}"
        )
    return found


def _is_sound(url: str) -> bool:
    """Return whether a call there can be read by nobody else: over TLS, or within this machine."""
    found = _URL.fullmatch(url)
    try:
        return found is not None and urlsplit(url).port != 0 and (found[1] == "https" or _is_here(found[2] or found[3]))
    except ValueError:  # no port, or no address
        return False


def _is_here(address: str) -> bool:
    """Return whether a numeric address is this machine's. Raise ValueError for a name: others decide what it means."""
    return ip_address(address).is_loopback


def _is_game(key: object) -> bool:
    """Return whether there is a game of that name."""
    from rules.games import GAMES  # which imports all of them

    return isinstance(key, str) and key in GAMES
