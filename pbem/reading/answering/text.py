"""The clauses of an answer, and its end: what a person typed, without greetings to nobody, names and disclaimers."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

SPACELESS = "\u0e00"  # Thai, and the scripts of the Far East behind it
DOUBTING_SIGNS = frozenset("🤔🤷😕❓❔⁉🙄😒🤨🧐😐🤥🤡")

_SETTING_AGAINST = frozenset(["but", "aber", "maar", "pero", "mutta", "но", "але", "αλλά"])  # and are nothing else
_MOST_NAMES, _MOST_IN_LINE = 4, 6  # words
_GREEK = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")
_EMOTICON = re.compile(r"[:;=]['’]?-?[)(DPpOo|*3]+(?!\w)|\b[xX]D+\b|<3|\^\^|\(:")
_APOSTROPHES = re.compile("['’‘ʼ`´]")
_WORD = re.compile(r"[^\W_]+")
_CLAUSE = re.compile(r"(?P<text>[^.!?…:,;()。！？，、：；¿¡—–]+)(?P<end>[.!?…:,;()。！？，、：；¿¡—–\s]*)")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: its words in small letters and as they were written, its signs, and whether it asks.

    ``sentence`` is the number of the sentence that it stands in, ``begins`` whether that begins with it.
    """

    words: tuple[str, ...]
    written: tuple[str, ...]
    signs: frozenset[str]
    asks: bool
    sentence: int
    begins: bool
    ends_in_colon: bool = False  # as in what a calendar writes: ``Accepted: Lunch``


def split(text: Iterable[str]) -> Iterator[Clause]:
    """Yield the clauses of a text that hold a word or a sign."""
    sentence, begins = 0, True
    for line in text:
        sentence, begins = sentence + 1, True
        marks = "?？¿;" if _GREEK.search(line) else "?？¿"
        for part in _CLAUSE.finditer(_EMOTICON.sub(" ", line)):
            end = part["end"]
            written = tuple(written_words(part["text"]))
            signs = frozenset[str]() if part[0].isascii() else frozenset(filter(_is_sign, part[0]))
            *before, last = _apart(written) if written else [written]
            for piece in before:
                yield Clause(_small(piece), piece, frozenset(), asks=False, sentence=sentence, begins=begins)
                begins = False
            if last or signs:
                asks, colon = any(map(end.count, marks)), ":" in end
                yield Clause(
                    _small(last), last, signs, asks=asks, sentence=sentence, begins=begins, ends_in_colon=colon
                )
            if begins := any(map(end.count, ".!?…。！？")):
                sentence += 1


def _is_sign(char: str) -> bool:
    """Return whether a character is a picture, or says that somebody doubts."""
    return unicodedata.category(char) == "So" or char in DOUBTING_SIGNS


def _apart(written: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield what words say and what they set against it: ``I would love to | but I have no time``."""
    start = 0
    for place, word in enumerate(written):
        if place and word.casefold() in _SETTING_AGAINST:
            yield tuple(written[start:place])
            start = place
    yield tuple(written[start:])


def _small(words: Iterable[str]) -> tuple[str, ...]:
    """Return words in small letters."""
    return tuple(word.casefold() for word in words)


def written_words(text: str) -> list[str]:
    """Return the words of a text; apostrophes join words in many languages, and are left out."""
    return _WORD.findall(_APOSTROPHES.sub("", text))


def plain_words(text: str) -> list[str]:
    """Return the words of a text in small letters."""
    return written_words(text.casefold())


def paragraphs(lines: Iterable[str]) -> list[list[str]]:
    """Return the paragraphs of a text, each as its lines."""
    found: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            found[-1].append(line.strip())
        elif found[-1]:
            found.append([])
    return [paragraph for paragraph in found if paragraph]


def looks_like_names(line: str) -> bool:
    """Return whether a line may hold nothing but names: a person, what they are, or their company."""
    words = _WORD.findall(line)
    is_short = len(words) <= _MOST_IN_LINE and not line.endswith(("!", "?", "."))
    return is_short and all(word[:1].isupper() or len(word) < 4 for word in words)


def are_names(written: Sequence[str]) -> bool:
    """Return whether a few words are written as names are."""
    return 0 < len(written) <= _MOST_NAMES and all(word[:1].isupper() for word in written)
