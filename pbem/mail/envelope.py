"""The envelope sender of a notice (VERP): a signed address of its own, to which only a bounce of that email comes."""

import base64
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass

from pbem.mail.headers import add_plus

# A reply token has three numbers and no letter before them, so neither shape is ever part of the other.
_SHAPE = re.compile(r"\+b(\d{1,10})\.([a-z2-7]{10})@", re.ASCII | re.IGNORECASE)
_MOST = 5


@dataclass(frozen=True, slots=True)
class EnvelopeToken:
    """The ``number`` of an outbound message as an address claims it, and the ``mac`` that is to prove it."""

    number: int
    mac: str

    def is_signed_for(self, recipient: str, secret: str) -> bool:
        """Return whether the service signed this for its message of that number to ``recipient``."""
        return hmac.compare_digest(self.mac, _mac(self.number, recipient, secret))


def envelope_sender(address: str, number: int, recipient: str, secret: str) -> str:
    """Return the envelope sender of the outbound message ``number`` to ``recipient``: ``games+b511.mac@domain``.

    The mac is ten letters of base32 (50 bits of HMAC-SHA-256). The domain stays that of ``address``, so that SPF and
    DMARC find the two aligned (RFC 7489, 3.1).
    """
    return add_plus(address, f"b{number}.{_mac(number, recipient, secret)}")


def find_envelope_tokens(places: Iterable[str]) -> list[EnvelopeToken]:
    """Return what the addresses in ``places`` claim, each once, the first few of them; letter case is ignored."""
    claimed = {
        EnvelopeToken(int(found[1]), found[2].lower()): None for place in places for found in _SHAPE.finditer(place)
    }
    return list(claimed)[:_MOST]


def _mac(number: int, recipient: str, secret: str) -> str:
    """Return the signature of a number; with the recipient in it, it is worth nothing for another email."""
    digest = hmac.digest(secret.encode(), f"pbem envelope 1:{number}:{recipient}".encode(), "sha256")
    return base64.b32encode(digest[:10])[:10].decode().lower()
