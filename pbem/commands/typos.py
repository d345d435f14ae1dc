"""Measures how likely it is to write one thing and to mean another: keys that lie side by side, letters too many."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

FAR = 1.2
"""What differs more is no slip; one key, or one cell, beside the right one differs by 0.8 to 1."""

LONGEST = 300
"""Characters of a line that are looked at."""

_PARTED = re.compile(r"(?<![a-z0-9])([a-z])[\s,.:_–-]{1,3}([0-9]{1,2})(?![a-z0-9])")
_PIECE = re.compile(r"[0-9]+|[^\W\d_]+(?=[^\W\d_][0-9])|[^\W\d_]+")
_NUMERAL = re.compile(r"(?<=[a-z0-9])[oil](?=[0-9])|(?<=[0-9])[oil](?![^\W_])|(?<=\b[a-z])[il](?![^\W_])")
_NEGATED = re.compile(
    r"(?:\b(?:not|no|never|without|(?:any|every)thing but|nicht|nie|kein\w*|nein|pas|jamais|sauf|non|nunca|não|niet"
    r"|geen|ikke|inte|nem)\b|n['’]t\b)[^,;:.!?–—]*?(?=\b(?:but|sondern|mais|pero|and|und|et|y)\b|[,;:.!?–—]|$)",
    re.IGNORECASE,
)
_CYRILLIC = str.maketrans("авсенкмортху", "abcehkmoptxy")  # letters that look Latin
_KEYS = {
    key: (column + shift, row)
    for row, (keys, shift) in enumerate((("qwertyuiop", 0.0), ("asdfghjkl", 0.25), ("zxcvbnm", 0.75)))
    for column, key in enumerate(keys)
}
"""Where a key lies, in widths of a key."""


def fold(text: str) -> str:
    """Return the beginning of ``text`` in small letters, Latin where they look Latin, "d-4" and "d, 4" as "d4"."""
    small = unicodedata.normalize("NFKC", text[:LONGEST]).lower()
    return _PARTED.sub(r"\1\2", small.translate(_CYRILLIC))


def with_digits(line: str) -> str:
    """Return a plain line with digits for the letters that look like them, where a number may stand."""
    return _NUMERAL.sub(lambda found: "0" if found[0] == "o" else "1", line)


def split_negated(text: str) -> tuple[str, str]:
    """Return ``text`` without what its writer says that he does not want, and that: "e4, not d4" is "e4, "."""
    kept = text[:LONGEST]
    if len(kept.split()) < 2:
        return kept, ""  # "pas" alone is rather a slip
    return _NEGATED.sub(" ", kept).strip(), " ".join(_NEGATED.findall(kept))


@lru_cache(maxsize=4096)
def pieces(text: str) -> tuple[str, ...]:
    """Return runs of letters and runs of digits, the letter before a number by itself: ``x``, ``d``, ``12``."""
    return tuple(_PIECE.findall(text))


def similar_word(word: str, words: Iterable[str]) -> str:
    """Return the first of ``words`` that ``word`` misses by a slip or two, or an empty text."""
    bare = fold(word).strip(" .,!?")
    return next((known for known in words if _word_changed(bare, known) <= FAR), "")


@lru_cache(maxsize=8192)  # boards are alike
def difference(written: tuple[str, ...], meant: tuple[str, ...]) -> float:
    """Return how far runs of letters and digits are from those of a move; more than FAR may be any such number."""
    return _aligned(written, meant, _changed, _left_over, _left_out, 0.25)


def _changed(written: str, meant: str) -> float:
    """Return what it costs to take one run of letters or digits for another."""
    if written == meant:
        return 0.0
    if written.isdigit() != meant.isdigit():
        return 2.0
    return _number_changed(written, meant) if written.isdigit() else _word_changed(written, meant)


def _left_over(piece: str) -> float:
    """Return what it costs to pass over a run that was written."""
    return 1.0 if piece.isdigit() else 0.6 if len(piece) == 1 else 0.45


def _left_out(piece: str) -> float:
    """Return what it costs to put in a run that was not written: no whole word is ever put in."""
    return 1.0 if piece.isdigit() else 0.7 if len(piece) == 1 else 2.0


@lru_cache(maxsize=4096)
def _number_changed(written: str, meant: str) -> float:
    """Return how little likely it is to write one number, and to mean the other."""
    bare = written.lstrip("0")
    if bare == meant:
        return 0.1
    if written == meant * 2:
        return 0.45
    if bare and len(bare) <= 2 and abs(int(bare) - int(meant)) == 1:
        return 0.8
    return 0.9 if _letters_apart(written, meant) <= 1 and len(written + meant) > 2 else 2.0


@lru_cache(maxsize=4096)
def _word_changed(written: str, meant: str) -> float:
    """Return how little likely it is to write one word, or one column's letter, and to mean the other."""
    if written == meant * 2:
        return 0.45
    if len(written) == len(meant) == 1:
        return {0: 2.0, 1: 1.0, 2: 0.8}[(abs(ord(written) - ord(meant)) == 1) + _side_by_side(written, meant)]
    edits = _letters_apart(written, meant)
    return 0.6 * edits if edits <= min(len(written), len(meant)) // 3 else 2.0


def _side_by_side(one: str, other: str) -> bool:
    """Return whether two letters are neighbours on a keyboard."""
    if one not in _KEYS or other not in _KEYS:
        return False
    (across, up), (other_across, other_up) = _KEYS[one], _KEYS[other]
    return abs(across - other_across) <= 1 and abs(up - other_up) <= 1


def _letters_apart(one: str, other: str) -> float:
    """Return how many letters have to be changed, left out, put in, or swapped with the next."""
    return _aligned(one, other, lambda a, b: float(a != b), lambda _: 1.0, lambda _: 1.0, 1.0)


def _aligned(
    written: Sequence[str],
    meant: Sequence[str],
    changed: Callable[[str, str], float],
    left_over: Callable[[str], float],
    left_out: Callable[[str], float],
    swapped: float,
) -> float:
    """Return the least sum of what the single differences between two sequences cost (Damerau's distance).

    Where everything so far costs more than FAR by a whole, it is enough to say so.
    """
    above: list[float] = []
    row = [0.0]
    for piece in written:
        row.append(row[-1] + left_over(piece))
    for place, wanted in enumerate(meant):
        before, above, row = above, row, [row[0] + left_out(wanted)]
        for number, piece in enumerate(written):
            least = above[number] + changed(piece, wanted)
            least = min(least, above[number + 1] + left_out(wanted), row[number] + left_over(piece))
            if place and number and piece == meant[place - 1] and written[number - 1] == wanted:
                least = min(least, before[number - 1] + swapped)
            row.append(least)
        if min(row) > FAR + 1:
            return min(row)
    return row[-1]
