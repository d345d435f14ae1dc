"""The reply token: the match, ply and seat that a reply belongs to, signed so that nobody can make one up."""

import base64
import hashlib
import hmac
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

MOST_GENERATIONS = 100
"""A player can revoke their reply tokens so often, less one."""

NO_MOVE = 500_000
"""What is added to the ply in the reply token of an email that asks for no move: no match has so many entries."""

_MOST_CANDIDATES = 20
_SHAPE = re.compile(r"(?<![\w.])(\d{1,9})\.(\d{1,6})\.(\d{1,3})\.([a-z2-7]{10})(?![a-z0-9])", re.ASCII | re.IGNORECASE)
_ANYWHERE = re.compile(r"\d{1,9}\.\d{1,6}\.\d{1,3}\.[a-z2-7]{10}(?![a-z0-9])", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReplyToken:
    """The match of a notice, its number of entries (``ply``), and the ``seat`` that the notice went to.

    ``generation`` counts how often the player of the seat had revoked their reply tokens, and ``nonce`` is that of the
    match. Both are part of the signature alone.
    """

    match: int
    ply: int
    seat: int
    generation: int = 0
    nonce: str = ""


def sign_token(token: ReplyToken, secret: str) -> str:
    """Return ``match.ply.seat.mac``; the mac is ten letters of base32 (50 bits of HMAC-SHA-256)."""
    plain = f"{token.match}.{token.ply}.{token.seat}"
    return f"{plain}.{_mac(plain, token.generation, token.nonce, secret)}"


def find_token(places: Iterable[str], secret: str, nonce_of: Callable[[int], str | None]) -> ReplyToken | None:
    """Return the first token in ``places`` (addresses, Message-IDs) whose mac is right; letter case is ignored.

    ``nonce_of`` returns the nonce of a match, None where there is none of that number: a token of a match that was lost
    proves nothing in another one that has its number. Whether its generation is still that of the player, the caller
    has to see. Only the first twenty are tried.
    """
    for found in islice(_candidates(places), _MOST_CANDIDATES):
        match, ply, seat, mac = int(found[1]), int(found[2]), int(found[3]), found[4].lower()
        if (nonce := nonce_of(match)) is None:
            continue
        for generation in range(MOST_GENERATIONS):
            if hmac.compare_digest(mac, _mac(f"{match}.{ply}.{seat}", generation, nonce, secret)):
                return ReplyToken(match, ply, seat, generation, nonce)
    return None


def matches_named(places: Iterable[str]) -> list[int]:
    """Return the numbers of the matches that what looks like a reply token names, whoever signed it."""
    return [int(found[1]) for found in islice(_candidates(places), _MOST_CANDIDATES)]


def has_token_shape(places: Iterable[str]) -> bool:
    """Return whether anything in ``places`` looks like a reply token, whoever signed it."""
    return next(_candidates(places), None) is not None


def without_tokens(text: str) -> str:
    """Return ``text`` without anything in the shape of a reply token: it proves a seat, so it is for nobody else."""
    return _ANYWHERE.sub("…", text)


def _candidates(places: Iterable[str]) -> Iterator[re.Match[str]]:
    """Yield everything in ``places`` in the shape of a reply token."""
    return (found for place in places for found in _SHAPE.finditer(place))


def _mac(plain: str, generation: int, nonce: str, secret: str) -> str:
    """Return the signature of a reply token's readable half."""
    revoked = f":{generation}" if generation else ""
    digest = hmac.digest(secret.encode(), f"pbem tag 2:{plain}:{nonce}{revoked}".encode(), hashlib.sha256)
    return base64.b32encode(digest[:10])[:10].decode().lower()
