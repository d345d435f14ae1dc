"""Strikes names and comments out of what replies may quote of our emails, in the form of ``join_words``; pure."""

from collections.abc import Iterable, Sequence, Set

from pbem.inbound.unmarked_quotes import words_of

_FEWEST = 3
"""Words of a comment in a row that are taken for it: where texts are joined, so many of its words may be left alone."""

_STRUCK = "|"  # where words are left out


def strike_out(quotable: str, names: Iterable[str], comments: Iterable[str]) -> str:
    """Return ``quotable`` without the words of ``names``, and without ``comments`` or any three words of one in a row.

    What stands around them is recognised in a reply as before. The text of an email that no reply is compared with may
    be as it was written.
    """
    words = quotable.split() if quotable.startswith(" ") else words_of(quotable)
    called = {part for name in names for part in words_of(name)}
    struck = {place for place, word in enumerate(words) if word in called}
    for length, rows in _rows_of(comments).items():
        for start in range(len(words) - length + 1):
            if tuple(words[start : start + length]) in rows:
                struck.update(range(start, start + length))
    if not struck:
        return quotable
    left = [
        _STRUCK if place in struck else word for place, word in enumerate(words) if not {place - 1, place} <= struck
    ]
    return f" {' '.join(left)} "


def _rows_of(comments: Iterable[str]) -> dict[int, Set[Sequence[str]]]:
    """Return the rows of words that give a comment away, by their length: a short comment is one row."""
    found: dict[int, set[Sequence[str]]] = {}
    for comment in comments:
        words = words_of(comment)
        length = min(len(words), _FEWEST)
        for start in range(len(words) - length + 1 if length else 0):
            found.setdefault(length, set()).add(tuple(words[start : start + length]))
    return dict(found)
