"""Finds words that somebody nearly wrote. Pure."""

import unicodedata
from collections.abc import Iterable, Sequence

LONGEST = 300
"""Characters of a line that are looked at."""

_CYRILLIC = str.maketrans("авсенкмортху", "abcehkmoptxy")  # letters that look Latin


def fold(text: str) -> str:
    """Return the beginning of ``text`` in small letters, Latin where they look Latin."""
    return unicodedata.normalize("NFKC", text[:LONGEST]).lower().translate(_CYRILLIC)


def similar_word(word: str, words: Iterable[str]) -> str:
    """Return the first of ``words`` that ``word`` misses by a typo or two, or an empty text."""
    bare = fold(word).strip(" .,!?")
    return next((known for known in words if _is_near(bare, known)), "")


def _is_near(written: str, meant: str) -> bool:
    """Return whether a word misses another by no more than a typo in three letters, or two in six."""
    most = min(len(written), len(meant), 6) // 3
    return abs(len(written) - len(meant)) <= most and edits(written, meant) <= most  # each letter more is an edit


def edits(written: Sequence[str], meant: Sequence[str]) -> int:
    """Return how many letters were changed, left out, put in, or swapped with the next (Damerau's distance)."""
    above: list[int] = []
    row = list(range(len(written) + 1))
    for place, wanted in enumerate(meant):
        before, above, row = above, row, [place + 1]
        for number, letter in enumerate(written):
            least = min(above[number] + (letter != wanted), above[number + 1] + 1, row[number] + 1)
            if place and number and letter == meant[place - 1] and written[number - 1] == wanted:
                least = min(least, before[number - 1] + 1)
            row.append(least)
    return row[-1]
