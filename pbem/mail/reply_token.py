"""The reply token: the match, ply and seat that a reply belongs to, signed so that nobody can make one up."""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass

_SHAPE = re.compile(r"(?<![\w.])(\d{1,9})\.(\d{1,6})\.(\d{1,3})\.([a-z2-7]{10})(?![a-z0-9])", re.ASCII | re.IGNORECASE)
_ANYWHERE = re.compile(r"\d{1,9}\.\d{1,6}\.\d{1,3}\.[a-z2-7]{10}(?![a-z0-9])", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReplyToken:
    """The match of a notice, its number of entries (``ply``), and the ``seat`` that the notice went to."""

    match: int
    ply: int
    seat: int


def sign_token(token: ReplyToken, secret: str) -> str:
    """Return ``match.ply.seat.mac``; the mac is ten letters of base32 (50 bits of HMAC-SHA-256)."""
    plain = f"{token.match}.{token.ply}.{token.seat}"
    return f"{plain}.{_mac(plain, secret)}"


def find_token(places: Iterable[str], secret: str) -> ReplyToken | None:
    """Return the first token in ``places`` (addresses, Message-IDs) whose mac is right; letter case is ignored."""
    for place in places:
        for found in _SHAPE.finditer(place):
            plain = f"{int(found[1])}.{int(found[2])}.{int(found[3])}"
            if hmac.compare_digest(found[4].lower(), _mac(plain, secret)):
                return ReplyToken(int(found[1]), int(found[2]), int(found[3]))
    return None


def without_tokens(text: str) -> str:
    """Return ``text`` without anything in the shape of a reply token: it proves a seat, so it is for nobody else."""
    return _ANYWHERE.sub("…", text)


def _mac(plain: str, secret: str) -> str:
    """Return the signature of a reply token's readable half."""
    digest = hmac.new(secret.encode(), b"pbem tag 1:" + plain.encode(), hashlib.sha256).digest()
    return base64.b32encode(digest)[:10].decode().lower()
