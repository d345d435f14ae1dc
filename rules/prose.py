"""Small help with the texts that games tell to players."""

import re
from collections.abc import Iterable

_FOR_EYES = re.compile(r"⟦([^|⟧]*)(?:\|([^⟧]*))?⟧")


def paragraphs(text: str) -> str:
    """Return ``text`` with one line for each paragraph, and an empty line between two."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))


def credit(title: str, designers: Iterable[str]) -> str:
    """Return who has made a game, as the last paragraph of its rules."""
    return f"{title} is a game by {listed(designers)}."


ORDER_BY_LOT = """
    Turns go round in the order in which the match was opened. With the option order at lot, a lot decides
    that order before anything else; seat 1 is then whoever comes first.
"""
"""A paragraph of the rules of games that do not draw the order of turns themselves."""


def seen(text: str) -> str:
    """Return a text as people read it who see the board: of ``⟦shown as X⟧`` and ``⟦seen|heard⟧`` the first."""
    return _FOR_EYES.sub(r"\1", text)


def heard(text: str) -> str:
    """Return the same for those who listen, and to whom a sign on the board means nothing."""
    return _FOR_EYES.sub(lambda found: found[2] or "", text)


def listed(words: Iterable[object], last: str = "and") -> str:
    """Return ``a``, ``a and b`` or ``a, b and c``; nothing for no words."""
    *most, final = [str(word) for word in words] or [""]
    return f"{', '.join(most)} {last} {final}" if most else final
