"""The digest token: it proves who reads a digest, so that lines of a reply count at their seats in its matches."""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable

from pbem.mail.reply_token import MOST_GENERATIONS

_SHAPE = re.compile(r"(?<![\w.])dig\.(\d{1,10})\.([a-z2-7]{16})(?![a-z0-9])", re.ASCII | re.IGNORECASE)


def sign_digest_token(number: int, player: int, generation: int, secret: str) -> str:
    """Return ``dig.number.mac`` for an email to a player; the mac is sixteen letters of base32 (80 bits).

    ``generation`` counts how often they have revoked their reply tokens: it is part of the signature alone.
    """
    return f"dig.{number}.{_mac(number, player, generation, secret)}"


def find_digest_token(places: Iterable[str], player: int, secret: str) -> tuple[int, int] | None:
    """Return the number and the generation of the first token in ``places`` that was signed for a player."""
    for place in places:
        for found in _SHAPE.finditer(place):
            number, mac = int(found[1]), found[2].lower()
            for generation in range(MOST_GENERATIONS):
                if hmac.compare_digest(mac, _mac(number, player, generation, secret)):
                    return number, generation
    return None


def _mac(number: int, player: int, generation: int, secret: str) -> str:
    """Return the signature of a number for a player."""
    signed = f"pbem digest 1:{number}:{player}:{generation}"
    digest = hmac.new(secret.encode(), signed.encode(), hashlib.sha256).digest()
    return base64.b32encode(digest[:10]).decode().lower()
