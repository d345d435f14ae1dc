"""The address token: the held message that an unconfirmed address is asked about, signed for that address alone."""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable

_SHAPE = re.compile(r"(?<![\w.])adr\.(\d{1,10})\.([a-z2-7]{16})(?![a-z0-9])", re.ASCII | re.IGNORECASE)
_ANYWHERE = re.compile(r"adr\.\d{1,10}\.[a-z2-7]{16}(?![a-z0-9])", re.ASCII | re.IGNORECASE)


def sign_address_token(held: int, address: str, secret: str) -> str:
    """Return ``adr.held.mac`` for the reader of ``address``; the mac is sixteen letters of base32 (80 bits).

    It proves no seat: a reply token has other parts, and its mac another label.
    """
    return f"adr.{held}.{_mac(held, address, secret)}"


def find_address_token(places: Iterable[str], address: str, secret: str) -> int | None:
    """Return the number of the held message in the first token in ``places`` that was signed for ``address``."""
    for place in places:
        for found in _SHAPE.finditer(place):
            if hmac.compare_digest(found[2].lower(), _mac(int(found[1]), address, secret)):
                return int(found[1])
    return None


def without_address_tokens(text: str) -> str:
    """Return ``text`` without anything in the shape of an address token."""
    return _ANYWHERE.sub("…", text)


def _mac(held: int, address: str, secret: str) -> str:
    """Return the signature of a held message for an address."""
    digest = hmac.new(secret.encode(), f"pbem address 1:{held}:{address.lower()}".encode(), hashlib.sha256).digest()
    return base64.b32encode(digest[:10]).decode().lower()
