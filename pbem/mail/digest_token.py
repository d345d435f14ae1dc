"""The digest token: it proves who reads an email about several matches, so that lines of a reply count at their seats.

Its Message-ID lists those matches besides, each by a reply token: a reply names them by itself, whatever the database
knows of that email.
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable

from pbem.mail.reply_token import MOST_GENERATIONS

MOST_LISTED = 20
"""Matches that an email lists so: more make no Message-ID that email programs keep."""

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


def write_listing(tokens: Iterable[str]) -> str:
    """Return what stands behind a digest token in a Message-ID: the signed reply tokens of the matches."""
    return "".join(f"_{token}" for token in tokens)


def read_listing(message_ids: Iterable[str], number: int) -> list[str]:
    """Return the reply tokens that the first of ``message_ids`` lists that belongs to the email with that number."""
    listed = (one.split("_")[1:] for one in message_ids if one.lower().startswith(beginning_of(number)))
    return [token.partition("@")[0] for token in next(listed, ())][:MOST_LISTED]


def beginning_of(number: int) -> str:
    """Return how the Message-ID of the email with that number begins."""
    return f"<dig.{number}."


def _mac(number: int, player: int, generation: int, secret: str) -> str:
    """Return the signature of a number for a player."""
    signed = f"pbem digest 1:{number}:{player}:{generation}"
    digest = hmac.new(secret.encode(), signed.encode(), hashlib.sha256).digest()
    return base64.b32encode(digest[:10]).decode().lower()
