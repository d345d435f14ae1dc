"""Phrases of email programs in the languages of the players, made into patterns."""

import re
from collections.abc import Callable

from pbem.reading.word_classes import load_phrases

_SPACELESS = "\u0e00"  # Thai, and the scripts of the Far East behind it


def match_phrases(name: str, fold: Callable[[str], str] = str.casefold) -> str:
    """Return a regular expression for the phrases of a list, folded as the text will be.

    A phrase ends where a word ends, unless its language sets no spaces. One that ends in a colon needs it, or no more
    text. ``*`` stands for the rest of a word.
    """
    return f"(?:{'|'.join(sorted(map(_match_phrase, map(fold, load_phrases(name, __package__))), reverse=True))})"


def _match_phrase(phrase: str) -> str:
    """Return a regular expression for one phrase."""
    words = re.escape(phrase.rstrip(":")).replace(r"\ ", " ?" if phrase[0] >= _SPACELESS else " ")
    if phrase.endswith(":"):
        return words.rstrip() + r"(?=\s?[:\-–—]|$)"
    return words.replace(r"\*", r"\w*") + ("" if phrase[-1] >= _SPACELESS or phrase[-1] == "*" else r"(?!\w)")
