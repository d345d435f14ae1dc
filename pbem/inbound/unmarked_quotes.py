"""Finds the lines of a message that are quoted from our emails without a mark: by words in a row."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

# Letters that every charset has: the others suffer on the way.
_WORD = re.compile(r"[A-Za-z0-9]+")
_GRAM = 4
SHORTEST = 5
"""Words: anything shorter is never taken for a quotation."""

_RUN = 8
"""So many words in a row, as one of our emails has them, are quoted: people write fewer."""

Grams = frozenset[tuple[str, ...]]


def grams_of(texts: Iterable[str]) -> Grams:
    """Return every few words in a row of ``texts``."""
    return frozenset(gram for text in texts for gram in _grams(words_of(text)))


def words_of(text: str) -> list[str]:
    """Return the words of a text, in lower case, without signs and letters that are not ASCII."""
    return _WORD.findall(text.lower())


def has_words(text: str) -> bool:
    """Return whether there is anything in ``text`` to compare."""
    return _WORD.search(text) is not None


def quoted_lines(lines: Sequence[str], marked: Sequence[bool], known: Grams) -> frozenset[int]:
    """Return the numbers of the ``lines`` whose words stand in a row in our emails, as ``known`` says.

    It does not matter where lines break: email programs wrap anew. Lines ``marked`` as quoted count as neighbours.

    A quotation without a mark may come damaged, or translated. A line within one, or some way below it, that may be a
    piece of it is taken for one.
    """
    if not known:
        return frozenset()
    words: list[str] = []
    owners: list[int] = []
    for number, line in enumerate(lines):
        found = words_of(line)
        words += found
        owners += [number] * len(found)
    ours = _mark_runs(words, owners, known)
    known_in = {owner for owner, is_ours in zip(owners, ours, strict=True) if is_ours}
    written = {owner for owner, is_ours in zip(owners, ours, strict=True) if not is_ours}
    quoted = [number for number in sorted(known_in - written) if not marked[number]]
    if quoted:
        vocabulary = {word for gram in known for word in gram}
        next_below = next((number for number in owners if number > quoted[-1]), None)
        written -= {
            number
            for number in written
            if quoted[0] < number != next_below
            and ((number in known_in and number < quoted[-1]) or vocabulary.issuperset(words_of(lines[number])))
        }
    return frozenset(owners) - written


def _mark_runs(words: Sequence[str], owners: Sequence[int], known: Grams) -> list[bool]:
    """Return for each word whether its run is long enough to be quoted; ``owners`` are the words' lines.

    A run by itself must be long: a move that the notice named may stand right beside a quotation. But nobody writes
    a few words of ours with a line break among them.
    """
    ours = [False] * len(words)
    place = 0
    for is_known, run in groupby(gram in known for gram in _grams(words)):
        length = sum(1 for _ in run)
        if is_known:
            end = place + length + _GRAM - 1
            broken = owners[place] != owners[end - 1] and sum(map(str.isalpha, words[place:end])) >= _GRAM
            if end - place >= (SHORTEST if broken else _RUN):
                ours[place:end] = [True] * (end - place)
        place += length
    return ours


def _grams(words: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """Yield every few words that follow each other."""
    return zip(*(words[offset:] for offset in range(_GRAM)), strict=False)
