"""Finds in a line of words that its sender gives the match up. Pure."""

import re

from pbem.reading.clauses import LONGEST_LINE, Line, is_move, read_line, split_clauses, split_sentences
from pbem.reading.move_phrases import MARK, is_doubtful, takes_back
from pbem.reading.objections import ODD
from pbem.reading.remarks import asks, unsettles
from pbem.reading.word_classes import load_classes

_SHORTEST = min(len(phrase) for phrase in load_classes("giving_up") if phrase.isascii())  # characters of giving up
_GIVING_UP = load_classes("giving_up")
_GIVES_UP = re.compile("|".join(map(re.escape, sorted(_GIVING_UP))))
_GIVING_UP_WORDS = frozenset(max(reversed(phrase.split()), key=len) for phrase in _GIVING_UP)
_GIVING_UP_FAR_EAST = tuple(phrase for phrase in _GIVING_UP if phrase[0] > "\u3000")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_WELL_THEN = load_classes("well_then")


def gives_up(text: str) -> bool:
    """Return whether a line, in small letters, may give the match up."""
    if not _GIVING_UP_WORDS.isdisjoint(_WORD.findall(text)) and _GIVES_UP.search(text):
        return True
    return not text.isascii() and any(phrase in text for phrase in _GIVING_UP_FAR_EAST)


def resigns_in(line: str) -> str | None:
    """Return the other words of a line that gives the match up in a sentence or clause of its own, else None."""
    if len(line) > LONGEST_LINE or (len(line) < _SHORTEST and line.isascii()):
        return None
    text = line.lower().replace("’", "'")
    if not gives_up(text) or len(text) != len(line):
        return None
    if MARK in line or ODD.search(text) or is_doubtful(text.replace("?", " ")):
        return None
    whole = read_line(text)
    tokens = whole.tokens
    if any(map(is_move, tokens)) or takes_back(text):
        return None
    for start, end in split_sentences(tokens):
        for left, right in split_clauses(tokens, start, end):
            while left < right - 1 and tokens[left].text in _WELL_THEN:
                left += 1
            while right > left + 2 and tokens[right - 1].text in _WELL_THEN:
                right -= 1
            words = " ".join(token.text for token in tokens[left:right])
            if words not in _GIVING_UP or (words == "resign" and left):
                continue
            if _is_unsettled(whole, left, right) or (words == "resign" and whole.has("others", start, end)):
                return None
            before, after = (
                line[: tokens[left].start].strip(" ,;:-–—"),
                line[tokens[right - 1].end :].lstrip(" ,;:-–—.!"),
            )
            return f"{before} {after}".strip()
    return None


def _is_unsettled(line: Line, start: int, end: int) -> bool:
    """Return whether anything on ``line`` beside the clause that gives up puts it in doubt."""
    for first, last in split_sentences(line.tokens):
        same = first <= start < last
        if any(sign in line.tokens[last - 1].text for sign in "?？") and (same or asks(line, first, last)):
            return True
        if not same:
            if unsettles(line, first, last):
                return True
            continue
        for left, right in split_clauses(line.tokens, first, last):
            if not left <= start < right and unsettles(line, left, right, joined=True, behind=left >= end):
                return True
            if left <= start < right and any(
                line.has(kind, *side) for kind in ("doubting", "telling") for side in ((left, start), (end, right))
            ):
                return True
    return False
