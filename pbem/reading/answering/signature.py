"""Knows how people sign: a block at the end with a telephone number, a street, a web address, a company's footer."""

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

from pbem.reading.answering.phrases import CLOSINGS, LISTS
from pbem.reading.answering.text import SPACELESS, are_names, looks_like_names, plain_words, written_words
from pbem.reading.word_classes import load_phrases

_LONGEST = 200  # characters of a line
_LONGEST_NUMBERED = 12  # words of a line from a register
_LISTS = ("companies", "contact_labels", "registers", "streets")
_MOST_LINES = 40  # of a signature
_MANY = 2  # words in small letters that no signature has
_MOST_BESIDE = 6  # words of a line between two of a signature: ``Software engineer``

_TOP = r"com|org|net|info|eu|io|example|at|be|ch|cz|de|dk|es|fi|fr|gr|hu|it|jp|nl|no|pl|pt|ru|se|tr|ua|uk"
_WEB = re.compile(
    rf"<?(?:https?://|www\.)\S+|[^\s@]+@\S+\.\w+>?|(?<![\w@.])[\w-]+(?:\.[\w-]+)*\.(?:{_TOP})(?:/\S*)?(?![\w.])",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?:\+|\(0|\(\+|00?)[\d\s()/.–-]{5,}\d|(?<![\d/.-])(?:\(\d{3}\)\s?|\d{3}[\s.-])\d{3}[\s.-]\d{4}(?![\d/.-])"
)
"""A number that needs no word before it: moves begin with none of these, and have no three, three and four digits."""

_BETWEEN = re.compile(r"\s[|·•–—]\s|,\s")
"""What parts a signature of one line."""

_MAILBOX = re.compile(r"(?<!\S)[^\s@]+@\S+")
_PAGE = re.compile(r"(?<!\S)\S+\.\S+/[^\s>]\S*")

_DIGITS = re.compile(r"\+?\(?\d[\d\s()/.–-]{3,}\d")
_POSTAL = re.compile(
    r"\b(?:[A-Z]{1,3}[ -])?\d{4,6}(?:-\d{3,4})?\s[^\W\da-z]\w|\b\d{3} \d{2}\s[^\W\da-z]|\b\d{4}\s?[A-Z]{2}\b"
    r"|\b\d{2}-\d{3}\s\w|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b|\b[A-Z]{2} \d{5}\b|〒\d{3}"
)
_JOINING = frozenset(("de", "la", "le", "les", "du", "des", "der", "den", "die", "das", "di", "da", "do", "dos", "del"))
_JOINING |= frozenset(("van", "von", "vom", "zu", "zur", "zum", "am", "im", "in", "für", "of", "the", "for"))
_JOINING |= frozenset(("and", "und", "et", "e", "y", "i", "og", "och", "a", "ja"))
"""Words in small letters that stand in names, of places above all."""

_WORD = re.compile(r"[^\W\d_]+")
_RULER = re.compile(r"\W*")


def split_signature(
    lines: Sequence[str], means: Callable[[str], bool], speaks: Callable[[str], bool] = lambda line: False
) -> tuple[list[str], list[str]]:
    """Return the lines of a message, and those of the signature below them, if there is one with more than a name.

    A line that ``means`` a command or a move is no part of it; nor is the first one, nor what stands in a paragraph
    below one that ``speaks``: begins words for somebody.
    """
    last = _last_filled(lines, len(lines))
    top = next((place for place, line in enumerate(lines) if line), last) + 1
    start, found = len(lines), False
    for place in range(last, max(top, last - _MOST_LINES) - 1, -1):
        line = lines[place].strip()
        if not line:
            if found and not _ends_with_closing(lines, place):
                break
            continue
        contact = is_contact(line)
        inside = found and place > top and lines[place - 1] and _is_signed(lines[place - 1].strip())
        beside = inside and len(line) <= _LONGEST and len(line.split()) <= _MOST_BESIDE
        if not (contact or beside or _is_signed(line)) or means(line) or speaks(line):
            break
        start, found = place, found or contact
    if not found:
        return list(lines), []
    start = _below_spoken(lines, start, means, speaks)
    others = [_MAILBOX.sub(" ", line).strip(" |<>,") for line in lines[start:]]
    if not any(map(_is_signed, others)):  # what is shown to somebody is no signature
        others = [_PAGE.sub(" ", line).strip() for line in others]
    if not any(map(is_contact, others)):
        return list(lines), []  # a mailbox alone is mistyped rather, and withheld anyway
    return list(lines[: _last_filled(lines, start) + 1]), [line for line in lines[start:] if line.strip()]


def _below_spoken(lines: Sequence[str], start: int, means: Callable[[str], bool], speaks: Callable[[str], bool]) -> int:
    """Return the place of the first line from ``start`` on that goes on with no words for somebody above it."""
    for place in range(start - 1, max(-1, start - _MOST_LINES), -1):
        line = lines[place].strip()
        if not line:
            above = _last_filled(lines, place)
            if above < 0 or not lines[above].rstrip().endswith(":"):  # such words begin below the empty line
                return start
        elif speaks(line):
            empty = (below for below in range(start, len(lines)) if not lines[below].strip())
            return next(empty, len(lines) - 1) + 1
        elif len(line) <= _LONGEST and means(line):
            return start
    return start


@lru_cache(maxsize=512)  # who signs so does in every email
def is_contact(line: str) -> bool:
    """Return whether a line tells how or where somebody is reached, or whose company they are of, and no more.

    It is no sentence: ``My tel. is 01 234567`` or ``Meet me at 5 Main Street?`` tells somebody something.
    """
    if len(line) > _LONGEST or line.endswith(("?", "!")):
        return False
    first, *others = _BETWEEN.split(line)
    reached = [part for part in others if is_contact(part)]
    if reached and _is_name(first) and all(part[:1].isupper() or part in reached for part in others):
        return True
    if _is_prose(line):
        return False
    register = _pattern("registers").search(line)
    if register and (":" in line or any(map(str.isdigit, line))) and len(line.split()) <= _LONGEST_NUMBERED:
        return True
    company = _pattern("companies").search(line)
    if line.endswith(".") and not company:
        return False
    rest = _WEB.sub(" ", line)
    labelled = _pattern("contact_labels").sub(" ", rest)
    is_labelled = labelled != rest and _DIGITS.search(rest)
    numbered = (_DIGITS if is_labelled else _NUMBER).sub(" ", labelled)
    is_street = any(map(str.isdigit, line)) and (_pattern("streets").search(line) or _POSTAL.search(line))
    if not (rest != line or is_labelled or numbered != labelled or is_street or company):
        return False
    bare = _pattern("streets").sub(" ", _pattern("companies").sub(" ", numbered))
    return all(_may_be_named(word) for word in _WORD.findall(bare))


def _is_name(part: str) -> bool:
    """Return whether the first part of a signature of one line is a name: ``Ann Smith``, not ``Hi Bob``."""
    written = written_words(part)
    return are_names(written) and not any(len(word) > 1 and word.casefold() in LISTS.common for word in written)


def _is_prose(line: str) -> bool:
    """Return whether one look shows that a line says something: most lines of most messages do."""
    small = (word for word in line.split() if word.islower() and word.isalpha() and word not in _JOINING)
    return sum(word not in _known_words() for word in small) >= _MANY


@cache
def _known_words() -> frozenset[str]:
    """Return the words of the lists, by themselves."""
    return frozenset(word.strip("*.") for name in _LISTS for phrase in load_phrases(name) for word in phrase.split())


def _may_be_named(word: str) -> bool:
    """Return whether a word may stand in the name of a person, a place or a company; some scripts have no capitals."""
    return not word[0].islower() or word in _JOINING


def _is_signed(line: str) -> bool:
    """Return whether a line ends a message, is a name or what its bearer is, or a rule between the two."""
    if len(line) > _LONGEST:
        return False
    if _RULER.fullmatch(line) or _closes(line):
        return True
    return looks_like_names(line) and any(word[0].isupper() and len(word) > 1 for word in _WORD.findall(line))


def _closes(line: str) -> bool:
    """Return whether a line is ``Kind regards,``, perhaps with a name."""
    if len(line) > _LONGEST:
        return False
    words = plain_words(line)
    whole = CLOSINGS.match(words, 0) if words else 0
    return whole > 0 and all(_may_be_named(word) for word in _WORD.findall(line)[whole:])


def _ends_with_closing(lines: Sequence[str], place: int) -> bool:
    """Return whether the paragraph above an empty line ends a message: ``Best regards,``, with or without a name."""
    above = _last_filled(lines, place)
    while above > 0 and lines[above - 1].strip() and not _closes(lines[above]):
        above -= 1
    return above >= 0 and (_closes(lines[above]) or is_contact(lines[above]))


def _last_filled(lines: Sequence[str], end: int) -> int:
    """Return the place of the last line that is not empty before a place; -1 where there is none."""
    return next((place for place in range(end - 1, -1, -1) if lines[place].strip()), -1)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    """Return the pattern of the phrases of a list, which stand as words."""
    phrases = sorted(load_phrases(name), key=len, reverse=True)
    return re.compile("|".join(map(_phrase_pattern, phrases)), re.IGNORECASE)


def _phrase_pattern(phrase: str) -> str:
    """Return the pattern of a phrase; ``*`` is the rest of a word, whose language may set no spaces."""
    before = r"\w*" if phrase.startswith("*") else "" if phrase[0] >= SPACELESS else r"(?<!\w)"
    behind = "" if phrase[-1] >= SPACELESS or not phrase[-1].isalnum() else r"(?!\w)"
    return before + re.escape(phrase.strip("*")).replace(r"\ ", r"\s") + behind
