"""The secret that signs reply tokens: a new one, and whether one is easy to guess."""

import re
from functools import cache
from itertools import pairwise

# What stood as the secret in an example that was published: whoever has read it can sign.
_PUBLISHED = frozenset({"putsomethinglongandrandomhere"})
_SHORTEST_SECRET, _FEWEST_CHARACTERS = 16, 6
_IN_ORDER = ("qwertyuiopasdfghjklzxcvbnm", "qwertzuiopasdfghjklyxcvbnm", "azertyuiopqsdfghjklmwxcvbn")
_RUNS = (*_IN_ORDER, "abcdefghijklmnopqrstuvwxyz", "01234567890", "09876543210")
_SHORTEST_RUN, _FEWEST_OF_ITS_OWN = 4, 7
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "admin change default example games hello key letmein login master me my pass passwd password pbem please"
        " private secret secure server test token user welcome your",
    )
)
_YEAR = re.compile("(?:19|20)[0-9]{2}")
_MAKE_A_SECRET = (
    "python3 -c 'import secrets; print(secrets.token_urlsafe(32))' prints a new one (“pbem init” writes one by itself)"
)


def make_secret() -> str:
    """Return a new secret that nobody can guess."""
    import secrets

    return secrets.token_urlsafe(32)


def find_weakness(secret: str, address: str) -> str:
    """Return why ``secret`` is unfit for a service at ``address``, and what to do; an empty text if it is fit."""
    if len(secret) < _SHORTEST_SECRET:
        return f"it must have at least {_SHORTEST_SECRET} characters; {_MAKE_A_SECRET}"
    if _plain(secret) in _PUBLISHED:
        return f"it comes from an example that everyone can read; {_MAKE_A_SECRET}"
    if _is_guessable(secret) or _is_of_common_words(secret, address):
        return f"it is easy to guess; {_MAKE_A_SECRET}"
    return ""


def _is_guessable(secret: str) -> bool:
    """Return whether ``secret`` has few different characters, repeats itself, or runs along an alphabet or keyboard."""
    plain = re.sub(r"[\s._-]", "", secret.lower())
    steps = [ord(after) - ord(before) for before, after in pairwise(plain)]
    return (
        len(set(plain)) < _FEWEST_CHARACTERS
        or any(plain == (plain[:length] * len(plain))[: len(plain)] for length in range(1, len(plain) // 2 + 1))
        or sum(abs(step) <= 1 for step in steps) > len(steps) * 2 / 3
        or any(plain[:_SHORTEST_SECRET] in keys for keys in _IN_ORDER)
    )


def _is_of_common_words(secret: str, address: str) -> bool:
    """Return whether little is left of ``secret`` without common words, keyboard runs, years and our own address."""
    plain, common = _plain(secret), _find_common(address)
    lengths = sorted({*map(len, common)}, reverse=True)
    place = left = 0
    while place < len(plain):
        known = next((length for length in lengths if plain[place : place + length] in common), 0)
        known = known or (4 if _YEAR.match(plain, place) else 0)
        left += not known
        place += known or 1
    return left < _FEWEST_OF_ITS_OWN


@cache
def _find_common(address: str) -> frozenset[str]:
    """Return common words, those of ``address``, and keyboard runs: a pattern of them takes long to compile."""
    words = _COMMON | set(re.findall(r"[a-z0-9]{3,}", address))
    runs = {
        run[start : start + length]
        for run in _RUNS
        for length in range(_SHORTEST_RUN, len(run) + 1)
        for start in range(len(run) - length + 1)
    }
    return frozenset(words | runs)


def _plain(secret: str) -> str:
    """Return the letters and digits of ``secret``, in lower case."""
    return re.sub(r"[\W_]", "", secret.lower())
