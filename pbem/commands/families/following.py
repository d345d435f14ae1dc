"""What people write who want to follow a match that they don't play in; not part of any match. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

_LINES = 3  # among which the wish stands: a greeting may stand above it
_WISH = re.compile(
    r"(?:please )?(?:(?P<begin>watch|follow)|(?P<end>unwatch|unfollow|stop (?:watching|following)))"
    r"(?: (?:match |game )?(?:#|no )?(?P<match>\d{1,9}))?(?: (?:please|thanks|thank you))?",
    re.ASCII,
)
_MAY_HOLD = re.compile(r"watch|follow|forget me", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Watch:
    """The sender wants to follow the match of that number."""

    match: int

    def __str__(self) -> str:
        return f"watch {self.match}"


@dataclass(frozen=True, slots=True)
class Unwatch:
    """The sender no longer wants to follow a match; None: the one that they answer an email of, or else any."""

    match: int | None

    def __str__(self) -> str:
        return "unwatch" if self.match is None else f"unwatch {self.match}"


def may_hold_wish(text: str) -> bool:
    """Return whether it is worth the while to read ``text`` for such a wish, or for that to be forgotten."""
    return _MAY_HOLD.search(text) is not None


def read_wish(lines: Iterable[str]) -> Watch | Unwatch | None:
    """Return the first wish among the first lines that were written, a line of its own; None without any."""
    for line in islice((line for line in lines if line.strip()), _LINES):
        if not may_hold_wish(line):
            continue
        found = _WISH.fullmatch(re.sub(r"[\s,.!]+", " ", line[:80]).strip(" *_\"'“”").lower())
        if found and found["end"]:
            return Unwatch(int(found["match"]) if found["match"] else None)
        if found and found["match"]:
            return Watch(int(found["match"]))
    return None
