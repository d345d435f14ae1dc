"""The feed key: the name of a player's calendar feed, which nobody can guess and which follows from the host's secret.

A calendar fetches the file without a password, so whoever knows the key can read it. It gives nothing but reading: it
is no token, and no email with it counts for more. As with reply tokens, `new address` makes another one.
"""

import base64
import hmac
import re

_ANYWHERE = re.compile(
    r"(?:(?<=calendar/)|(?<=private/))[a-z2-7]{26}(?![a-z0-9])"
    r"|(?<![a-z0-9])[a-z2-7]{26}(?=\.(?:ics|html|txt|json|atom))",
    re.ASCII | re.IGNORECASE,
)


def feed_key(player: int, generation: int, secret: str) -> str:
    """Return the key of the feed of a player: 26 letters of base32, 128 bits of HMAC-SHA-256.

    ``generation`` counts how often they have revoked their reply tokens. Raise ValueError for an empty ``secret``.
    """
    if not secret:
        raise ValueError("without a secret anybody could make the key")
    digest = hmac.digest(secret.encode(), f"pbem feed 1:{player}:{generation}".encode(), "sha256")
    return base64.b32encode(digest[:16]).decode().rstrip("=").lower()


def without_feed_keys(text: str) -> str:
    """Return ``text`` without keys in addresses of feeds and private matches: who quotes an email would show all."""
    return _ANYWHERE.sub("…", text)
