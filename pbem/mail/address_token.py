"""The address token: what the reader of an address may answer, signed for that address alone.

They are asked whose it is, or whether they want to follow a match; or they follow one, and may end that; or they are
invited to a match, or asked for one.
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Callable, Iterable
from typing import Literal

AddressPurpose = Literal["adr", "wat", "fol", "inv", "ask", "sit", "own"]
"""What an address token is for: ``adr`` whose an address is, ``wat`` whether it is to follow a match, ``fol`` it does,
``inv`` an invitation, ``ask`` what its reader asked for about starting matches, or is asked whether they did, ``sit``
whether its player takes a seat that they are offered, ``own`` somebody else has the seat of its player until a day.

The number is that of the held message in the first case, of the match in the next two, of the invitation, of the
message that asked, and of the offer in the last two. ``inv``, ``ask``, ``sit`` and ``own`` also cover a *stamp*, so
that no token serves for what has got the same number since.
"""

_SHAPE = re.compile(
    r"(?<![\w.])(adr|wat|fol|inv|ask|sit|own)\.(\d{1,10})\.([a-z2-7]{16})(?![a-z0-9])", re.ASCII | re.IGNORECASE
)
_ANYWHERE = re.compile(
    r"(?:adr|wat|fol|inv|ask|sit|own|dig)\.\d{1,10}\.[a-z2-7]{16}(?![a-z0-9])", re.ASCII | re.IGNORECASE
)
_LABELS: dict[AddressPurpose, str] = {
    "adr": "address",
    "wat": "watch",
    "fol": "follow",
    "inv": "invitation",
    "ask": "asked",
    "sit": "seat",
    "own": "own seat",
}
_MOST_STAMPS = 3
"""Numbers of a message for which a stamp is looked up: whoever names many must not have them all read."""


def sign_address_token(number: int, address: str, secret: str, purpose: AddressPurpose = "adr") -> str:
    """Return ``purpose.number.mac`` for the reader of ``address``; the mac is sixteen letters of base32 (80 bits).

    It proves no seat: a reply token has other parts, and its mac another label, as those of the other purposes have.
    """
    return f"{purpose}.{number}.{_mac(number, address, secret, purpose)}"


def find_address_token(places: Iterable[str], address: str, secret: str, purpose: AddressPurpose = "adr") -> int | None:
    """Return the number in the first token for ``purpose`` in ``places`` that was signed for ``address``."""
    for place in places:
        for found in _SHAPE.finditer(place):
            if found[1].lower() == purpose and hmac.compare_digest(
                found[3].lower(), _mac(int(found[2]), address, secret, purpose)
            ):
                return int(found[2])
    return None


def find_stamped_token(
    places: Iterable[str],
    addresses: Iterable[str],
    secret: str,
    purpose: AddressPurpose,
    stamp_of: Callable[[int], str],
) -> int | None:
    """Return the number in the first token for ``purpose`` that was signed for one of ``addresses``, with its stamp."""
    numbers: dict[int, str] = {}
    own = tuple(addresses)
    for place in places:
        for found in _SHAPE.finditer(place):
            number = int(found[2])
            if found[1].lower() != purpose or (number not in numbers and len(numbers) == _MOST_STAMPS):
                continue
            stamp = numbers[number] if number in numbers else numbers.setdefault(number, stamp_of(number))
            if stamp and any(
                hmac.compare_digest(found[3].lower(), _mac(number, f"{address} {stamp}", secret, purpose))
                for address in own
            ):
                return number
    return None


def mailbox_mark(mailbox: str, secret: str) -> str:
    """Return what stands for a mailbox where its address is not to be kept: nobody without the secret can test one."""
    return hmac.new(secret.encode(), f"pbem mailbox 1:{mailbox}".encode(), hashlib.sha256).hexdigest()[:32]


def without_address_tokens(text: str) -> str:
    """Return ``text`` without anything in the shape of an address token, or of a digest token."""
    return _ANYWHERE.sub("…", text)


def _mac(number: int, address: str, secret: str, purpose: AddressPurpose) -> str:
    """Return the signature of a number for an address, and for one purpose."""
    signed = f"pbem {_LABELS[purpose]} 1:{number}:{address.lower()}"
    digest = hmac.new(secret.encode(), signed.encode(), hashlib.sha256).digest()
    return base64.b32encode(digest[:10]).decode().lower()
