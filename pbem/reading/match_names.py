"""Knows by what a line names the match that it is for: ``in match 11 I play d5``, ``11) d5``, ``d5 for #11``. Pure."""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass

from pbem.patterns import compile_later
from pbem.reading.clauses import AND, is_move, read_line
from pbem.reading.move_phrases import WORD_MOVES, undressed
from pbem.reading.remarks import is_elsewhere
from pbem.reading.tokens import may_hold_move
from pbem.reading.word_classes import load_classes, load_meanings


@dataclass(frozen=True, slots=True)
class MatchName:
    """The ``number`` of the match that a line names, and the ``rest`` of the line.

    ``heads``: it begins the line, so that all below is about that match, too. ``plain``: a number is all that it is.
    """

    number: int
    rest: str
    heads: bool = False
    plain: bool = False


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern for one of ``words``, the longest first."""
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))


_LONGEST = 200
"""Characters of a line that is looked through for what names a match, unless it begins with that."""

_SIGNS = r"[\s*_•(\[#<>\"'“”-]{0,9}"
_NUMBER = r"(\d{1,9})(?![\w.,:]?\d|\w)"
_ARTICLE = rf"(?:(?:{_any_of([*load_classes('definite_articles'), 'my', 'our'])})\s{{1,3}})?"
_BEFORE = rf"(?<!\w)(?:{_any_of(load_classes('before_matches'))})\s{{1,3}}{_ARTICLE}"
_NOUN = rf"(?<!\w)(?:{_any_of(load_classes('matches') | load_classes('boards'))})"
_CALLED = rf"(?:{_ARTICLE}{_NOUN}[\s.:]{{0,3}}(?:{_NOUN}[\s.:]{{0,3}}|no\s)?#?|#)\s?{_NUMBER}"
_AFTER = r"(?:[\s*_\])=→⇒>:;,/…–—-]|\.(?!\d)){1,9}"
_HEAD = compile_later(rf"{_SIGNS}(?:{_BEFORE})?{_CALLED}(?:{_AFTER}(.*))?", re.IGNORECASE | re.DOTALL)
_PLAIN_HEAD = compile_later(rf"{_SIGNS}{_NUMBER}{_AFTER}(\S.*)", re.DOTALL)
_ALONE = compile_later(rf"{_SIGNS}{_NUMBER}[\s*_\]):.]{{0,5}}")
_ANOTHER = compile_later(r"[\s,;]\d{1,9}[).\]]\s{1,3}\S")  # of a numbered list that stands on one line
_BARE_HEAD = compile_later(rf"{_SIGNS}{_BEFORE}{_NUMBER}(?:{_AFTER}(.*))?", re.IGNORECASE | re.DOTALL)
_WITHIN = compile_later(rf"[(\[]?(?:{_BEFORE})?{_CALLED}[)\]]?", re.IGNORECASE)
_BARE_TAIL = compile_later(
    rf"(.*\S)\s{{0,3}}(?:(?:{_BEFORE}|@\s?){_NUMBER}|[(\[]{_NUMBER}[)\]])[\s.!*_]{{0,9}}", re.I | re.S
)
_LEFT_OVER = " \t,;:–—-@"
_TITLE = compile_later(r"^[,\s]*[^\W\d_][\w ]{1,29} vs\.? [^:\d]{1,99}(?::\s*|$)")
_NUMERAL = _any_of(word for word in load_meanings("numerals") if len(word) > 2)
_OF_THESE = rf"(?:of (?:them|these)|ones?|{_NOUN})(?:e?[sn])?(?!\w)"
_WHICH = compile_later(
    rf"(?<!\w)(?:{_any_of(load_classes('which_one'))})\s{{0,3}}(?:{_OF_THESE}|[:=–—-])"
    rf"|{_NOUN}\s{{1,3}}(?:{_NUMERAL})(?!\w)|^\W{{0,3}}(?:m\d{{1,9}}|{_NUMERAL})\s?[):=–—-]"
    r"|(?<!\w)(?:against|vs\.?|versus|gegen|contre|contra|contro)\s{1,3}[^\W\d_]",
    re.IGNORECASE,
)
_SEMICOLON = compile_later(r"\s*;\s*")
_AND = compile_later(rf"\s*(?:[,&+]|(?<!\w)(?:{_any_of(AND)})(?!\w))\s*", re.IGNORECASE)


def name_match(line: str) -> MatchName | None:
    """Return the match that ``line`` names; None where it names none, or several."""
    if not any(map(str.isdigit, line)):
        return None
    if found := _HEAD.fullmatch(line):
        named = MatchName(int(found[1]), _TITLE.sub("", found[2] or ""), heads=True)
        return named if len(_numbers_in(line)) == 1 else None
    if found := _ALONE.fullmatch(line):
        return MatchName(int(found[1]), "", heads=True, plain=True)
    if found := _PLAIN_HEAD.fullmatch(line):
        if _ANOTHER.search(found[2]):
            return None
        return MatchName(int(found[1]), found[2], heads=True, plain=True)
    if len(line) > _LONGEST:
        return None
    if numbers := _numbers_in(line):
        rest = _WITHIN.sub("", line, count=1)
        return MatchName(numbers.pop(), _tidied(rest)) if len(numbers) == 1 else None
    if found := _BARE_HEAD.fullmatch(line):
        return MatchName(int(found[1]), found[2] or "", plain=True)
    if found := _BARE_TAIL.fullmatch(line):
        return MatchName(int(found[2] or found[3]), _tidied(found[1]), plain=True)
    return None


def split_by_match(line: str, listed: Container[int]) -> list[str]:
    """Return the parts of a line, each a move in another of the ``listed`` matches; the line where it's no such list.

    A comma or an "and" parts numbers only where it is said that they are those of matches: moves have numbers, too.
    """
    for separator in (_SEMICOLON, _AND):
        starts, ends, begin = list[int](), list[int](), 0
        for found in [*separator.finditer(line[:_LONGEST]), None]:
            named = name_match(line[begin : found.start() if found else None])
            if named and named.number in listed and holds_move(named.rest) and not (named.plain and separator is _AND):
                starts.append(begin)
            elif not starts:
                break
            ends.append(found.start() if found else len(line))
            begin = found.end() if found else 0
        if len(starts) > 1:
            stops = [max(end for end in ends if end <= start) for start in starts[1:]]
            return [line[start:stop] for start, stop in zip(starts, [*stops, len(line)], strict=True)]
    return [line]


def names_unclearly(line: str) -> bool:
    """Return whether ``line`` says which match it is for by other words than a number, or names several."""
    if len(line) > _LONGEST:
        return False
    listed = _PLAIN_HEAD.fullmatch(line)
    if listed and _ANOTHER.search(listed[2]):
        return True
    return len(_numbers_in(line)) > 1 or _WHICH.search(line) is not None or is_elsewhere(read_line(line))


def holds_move(text: str) -> bool:
    """Return whether a cell, or a word that is a move, stands in ``text``."""
    if is_word_move(text):
        return True
    folded = text[:_LONGEST].lower()
    return may_hold_move(folded) and any(map(is_move, read_line(folded).tokens))


def is_word_move(text: str) -> bool:
    """Return whether ``text`` is a move that is a word, and nothing else."""
    return undressed(text) in WORD_MOVES


def _numbers_in(line: str) -> set[int]:
    """Return the numbers of the matches that a line calls by more than a number."""
    return {int(found[1]) for found in _WITHIN.finditer(line[:_LONGEST])}


def _tidied(rest: str) -> str:
    """Return what is left of a line without the name of its match."""
    return re.sub(r"\s{2,}", " ", re.sub(r"\s+([,.!?;])", r"\1", rest)).strip(_LEFT_OVER)
