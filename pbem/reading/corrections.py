"""Parts what somebody wrote where they change their mind, and from what they do not want. Pure."""

import re
from functools import cache

from pbem.reading.word_classes import load_classes, load_phrases
from pbem.reading.written_cells import written_cells

_LONGEST = 300  # characters of a line that are looked at
_SHORT = 8  # words
_WORD = re.compile(r"[^\W\d_]+")
_REPLACING = load_classes("replacing")
_NEGATED = re.compile(
    r"(?:\b(?:not|no|never|without|(?:any|every)thing but|nicht|nie|kein\w*|nein|pas|jamais|sauf|non|nunca|não|niet"
    r"|geen|ikke|inte|nem)\b|n['’]t\b)[^,;:.!?–—]*?(?=\b(?:but|sondern|mais|sino|pero|and|und|et|y)\b|[,;:.!?–—]|$)",
    re.IGNORECASE,
)


def split_negated(text: str) -> tuple[str, str]:
    """Return ``text`` without what its sender says they do not want, and that: "e4, not d4" is "e4, "."""
    kept = text[:_LONGEST]
    if len(kept.split()) < 2:
        return kept, ""  # "pas" alone is rather a typo
    return _NEGATED.sub(" ", kept).strip(), " ".join(_NEGATED.findall(kept))


def split_corrections(text: str) -> list[str]:
    """Return the parts of ``text`` between which its sender changes their mind: ``d4? no wait, e5`` has two.

    What stands in two of them must never be joined to one move.
    """
    return [part for part in _correction().split(text[:_LONGEST]) if part.strip(" ,;:.!-–—")]


def changes_mind(text: str) -> bool:
    """Return whether what stands between two moves says that the second is meant instead: ``, sorry,``."""
    return _correction().search(text) is not None


def replaces(text: str) -> bool:
    """Return whether a short line below a move wants a part of it to be another: ``Replace e3 by f3 please``."""
    words = _WORD.findall(text.lower())
    return len(words) <= _SHORT and not _REPLACING.isdisjoint(words) and bool(written_cells(text))


@cache
def _correction() -> re.Pattern[str]:
    """Return a pattern for a question mark, and for the words by which somebody corrects what stands before them."""
    changing = load_phrases("changing") - load_classes("alternatives") - load_classes("negations")
    phrases = changing.union(load_classes("noes"), *(load_phrases(name) for name in ("correcting", "taking_back")))
    words = "|".join(re.escape(phrase) for phrase in sorted(phrases, key=lambda phrase: (-len(phrase), phrase)))
    return re.compile(rf"[?？]|(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
