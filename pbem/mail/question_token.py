"""The question token: it proves that somebody reads an email of ours that asked them something outside a seat."""

import base64
import hashlib
import hmac
import re
from collections.abc import Callable, Iterable
from itertools import takewhile

_SHAPE = re.compile(r"(?<![\w.])q\.(\d{1,10})\.([a-z2-7]{16})(?![a-z0-9])", re.ASCII | re.IGNORECASE)
_ANYWHERE = re.compile(r"(?:q|dig)\.\d{1,10}\.[a-z2-7]{16}(?![a-z0-9])", re.ASCII | re.IGNORECASE)
_MOST = 3
"""Questions that are looked up for a message: whoever names many must not have them all read."""


def sign_question_token(number: int, stamp: str, secret: str) -> str:
    """Return ``q.number.mac``; the mac is sixteen letters of base32 (80 bits).

    The ``stamp`` says of the question what no other has: a number alone comes again where a backup is restored.
    """
    return f"q.{number}.{_mac(stamp, secret)}"


def find_question_token(places: Iterable[str], secret: str, stamp_of: Callable[[int], str]) -> int | None:
    """Return the number in the first token in ``places`` that was signed with the stamp of that number, "" for none."""
    stamps: dict[int, str] = {}
    for place in places:
        for found in _SHAPE.finditer(place):
            number = int(found[1])
            if number not in stamps:
                if len(stamps) == _MOST:
                    continue
                stamps[number] = stamp_of(number)
            if stamps[number] and hmac.compare_digest(found[2].lower(), _mac(stamps[number], secret)):
                return number
    return None


def before_question(places: Iterable[str]) -> list[str]:
    """Return the ``places`` before the first with what looks like a question token.

    An email that asks something about a match goes on with a conversation about it, so reply tokens stand behind.
    """
    return [*takewhile(lambda place: not _SHAPE.search(place), places)]


def without_question_tokens(text: str) -> str:
    """Return ``text`` without anything in the shape of a question token, or of a digest token."""
    return _ANYWHERE.sub("…", text)


def _mac(stamp: str, secret: str) -> str:
    """Return the signature of a stamp."""
    digest = hmac.digest(secret.encode(), f"pbem question 1:{stamp}".encode(), hashlib.sha256)
    return base64.b32encode(digest[:10]).decode().lower()
