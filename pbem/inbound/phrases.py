"""Phrases of email programs in the languages of the players, made into patterns."""

import re
from collections.abc import Callable

from pbem.reading.phrase_lists import load_phrases

_SPACELESS = "\u0e00"  # Thai, and the scripts of the Far East behind it


def match_phrases(name: str, fold: Callable[[str], str] = str.casefold) -> str:
    """Return a regular expression for the phrases of a list, folded as the text will be.

    A phrase ends where a word ends, unless its language sets no spaces. One that ends in a colon needs it, or no more
    text. ``*`` stands for the rest of a word.
    """
    return f"(?:{'|'.join(sorted(map(_match_phrase, map(fold, load_phrases(__package__, name))), reverse=True))})"


def answer_in(line: str) -> str:
    """Return ``yes`` or ``no`` if ``line`` says just that, in any language, and does not ask; else an empty text."""
    if _ASKS.search(line):
        return ""
    words = _words_of(line)
    return "yes" if words in _YES else "no" if words in _NO else ""


def is_closing(line: str) -> bool:
    """Return whether ``line`` only ends a message, as “Cheers,” does, in any language."""
    return not _ASKS.search(line) and _words_of(line) in _CLOSINGS


def _words_of(line: str) -> str:
    """Return the words of a line alone, in lower case."""
    return " ".join(re.findall(r"\w+", line.lower()))


def _match_phrase(phrase: str) -> str:
    """Return a regular expression for one phrase."""
    words = re.escape(phrase.rstrip(":")).replace(r"\ ", " ?" if phrase[0] >= _SPACELESS else " ")
    if phrase.endswith(":"):
        return words.rstrip() + r"(?=\s?[:\-–—]|$)"
    return words.replace(r"\*", r"\w*") + ("" if phrase[-1] >= _SPACELESS or phrase[-1] == "*" else r"(?!\w)")


_ASKS = re.compile("[?¿？]")
_YES, _NO = load_phrases(__package__, "yes"), load_phrases(__package__, "no")
_CLOSINGS = load_phrases(__package__, "closing")
