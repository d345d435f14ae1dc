"""Finds the lines of a message that are quoted from our emails without a mark: by words in a row."""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import groupby
from typing import TypeAlias

# Letters that every charset has: the others suffer on the way.
_LETTER = re.compile(r"[A-Za-z0-9]")
_APART = bytes(code if _LETTER.match(chr(code)) else ord(" ") for code in range(256))
_GRAM = 4
SHORTEST = 5
"""Words: anything shorter is never taken for a quotation."""

_RUN = 8
"""So many words in a row, as one of our emails has them, are quoted: people write fewer."""

_FEW = 24
"""So few rows of words are looked for one by one; more are compared with all of an email's."""

_Gram: TypeAlias = tuple[str, ...]


def join_words(texts: Iterable[str]) -> str:
    """Return the words of an email's texts in the form that ``quoted_lines`` compares with.

    A single space stands between two words, before the first and behind the last, and ``|`` between two texts: what
    ends one and what begins the next never stand in a row.
    """
    parts = [" ".join(words) for words in map(words_of, texts) if len(words) >= _GRAM]
    return f" {' | '.join(parts)} " if parts else ""


def words_of(text: str) -> list[str]:
    """Return the words of a text, in lower case, without signs and letters that are not ASCII."""
    return text.lower().encode("ascii", "replace").translate(_APART).decode("ascii").split()


def has_words(text: str) -> bool:
    """Return whether there is anything in ``text`` to compare."""
    return _LETTER.search(text) is not None


def quoted_lines(lines: Sequence[str], marked: Sequence[bool], sent: Sequence[str]) -> frozenset[int]:
    """Return the numbers of the ``lines`` whose words stand in a row in our emails, as ``join_words`` returns them.

    It does not matter where lines break: email programs wrap anew. Lines ``marked`` as quoted count as neighbours, and
    need not be among those returned.

    A quotation without a mark may come damaged, or translated. A line within one, or some way below it, that may be a
    piece of it is taken for one.
    """
    if not any(sent):
        return frozenset()
    words: list[str] = []
    owners: list[int] = []
    last = max((number for number, is_marked in enumerate(marked) if not is_marked), default=0)
    for number, line in enumerate(lines):
        if number > last and len(owners) - bisect(owners, last) > _RUN:
            break  # only marked lines are left, and no run reaches as far from the lines above them
        found = words_of(line)
        words += found
        owners += [number] * len(found)
    known = _find_known(words, sent)
    ours = _mark_runs(words, owners, known)
    for start, end in _between_marks(owners, marked):
        # A tail that lost its mark goes on what stands above it. A move may only go on what stands below it, like the
        # example that it was taken from.
        if end - start < SHORTEST and known.isdisjoint(_grams(words[max(0, start - _GRAM + 1) : start + _GRAM - 1])):
            ours[start:end] = [False] * (end - start)
    known_in = {owner for owner, is_ours in zip(owners, ours, strict=True) if is_ours}
    written = {owner for owner, is_ours in zip(owners, ours, strict=True) if not is_ours}
    quoted = [number for number in sorted(known_in - written) if not marked[number]]
    if quoted:
        next_below = next((number for number in owners if number > quoted[-1]), None)
        near = {number for number in written if quoted[0] < number != next_below}
        pieces = {number for number in near if number in known_in and number < quoted[-1]}
        if near - pieces:
            vocabulary = {word for text in sent for word in text.split()}
            pieces |= {number for number in near - pieces if vocabulary.issuperset(words_of(lines[number]))}
        written -= pieces
    return frozenset(owners) - written


def _between_marks(owners: Sequence[int], marked: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield where the words of an unmarked line between two marked ones begin and end."""
    above, start = False, 0
    for owner, run in groupby(owners):
        end = start + sum(1 for _ in run)
        if above and not marked[owner] and end < len(owners) and marked[owners[end]]:
            yield start, end
        above, start = marked[owner], end


def _find_known(words: Sequence[str], sent: Iterable[str]) -> set[_Gram]:
    """Return those rows of a few ``words`` that stand in our emails; the likeliest email comes first."""
    known: set[_Gram] = set()
    unknown, texts = set(_grams(words)), iter(sent)
    while len(unknown) > _FEW and (text := next(texts, None)) is not None:
        found = unknown.intersection(_grams(text.split()))
        known |= found
        unknown -= found
    rest = "|".join(texts)
    return known.union(gram for gram in unknown if f" {' '.join(gram)} " in rest)


def _mark_runs(words: Sequence[str], owners: Sequence[int], known: Set[_Gram]) -> list[bool]:
    """Return for each word whether its run is long enough to be quoted; ``owners`` are the words' lines.

    A run by itself must be long: a move that the notice named may stand right beside a quotation. But nobody writes
    a few words of ours with a line break among them.
    """
    ours = [False] * len(words)
    for is_known, start, end in _runs(words, known):
        if is_known:
            broken = owners[start] != owners[end - 1] and sum(map(str.isalpha, words[start:end])) >= _GRAM
            if end - start >= (SHORTEST if broken else _RUN):
                ours[start:end] = [True] * (end - start)
    return ours


def _runs(words: Sequence[str], known: Set[_Gram]) -> Iterator[tuple[bool, int, int]]:
    """Yield whether words are known, and where they begin and end; those at the ends of a run belong to both."""
    place = 0
    for is_known, run in groupby(map(known.__contains__, _grams(words))):
        length = sum(1 for _ in run)
        yield is_known, place, place + length + _GRAM - 1
        place += length


def _grams(words: Sequence[str]) -> Iterable[_Gram]:
    """Yield every few words that follow each other."""
    return zip(*(words[offset:] for offset in range(_GRAM)), strict=False)
