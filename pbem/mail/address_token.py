"""The address token: what the reader of an address may answer, signed for that address alone.

They are asked whose it is, or whether they want to follow a match; or they follow one, and may end that.
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable
from typing import Literal

AddressPurpose = Literal["adr", "wat", "fol", "sit"]
"""What an address token is for: ``adr`` whose an address is, ``wat`` whether it is to follow a match, ``fol`` it does,
``sit`` whether its player takes a seat that they are offered.

The number is that of the held message in the first case, that of the offer in the last, else that of the match.
"""

_SHAPE = re.compile(r"(?<![\w.])(adr|wat|fol|sit)\.(\d{1,10})\.([a-z2-7]{16})(?![a-z0-9])", re.ASCII | re.IGNORECASE)
_ANYWHERE = re.compile(r"(?:adr|wat|fol|sit|dig)\.\d{1,10}\.[a-z2-7]{16}(?![a-z0-9])", re.ASCII | re.IGNORECASE)
_LABELS: dict[AddressPurpose, str] = {"adr": "address", "wat": "watch", "fol": "follow", "sit": "seat"}


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


def without_address_tokens(text: str) -> str:
    """Return ``text`` without anything in the shape of an address token, or of a digest token."""
    return _ANYWHERE.sub("…", text)


def _mac(number: int, address: str, secret: str, purpose: AddressPurpose) -> str:
    """Return the signature of a number for an address, and for one purpose."""
    signed = f"pbem {_LABELS[purpose]} 1:{number}:{address.lower()}"
    digest = hmac.new(secret.encode(), signed.encode(), hashlib.sha256).digest()
    return base64.b32encode(digest[:10]).decode().lower()
