"""How cells and moves are written, and how they are read: more forgivingly than they are written."""

import re
from dataclasses import dataclass
from typing import Any

from rules.errors import InvalidMove, Refusal, RulesError
from rules.phrase import phrase
from rules.position import Position

_SPACED = re.compile(r"(?<![a-z0-9])([a-z])(?:\s+|[.:_–-])(?=[0-9])")
_BETWEEN = re.compile(r"[\s,/+&–—-]+")
_NAMES = re.compile(r"(?:[a-z][0-9]+)+")
_NAME = re.compile(r"([a-z])0*([0-9]+)")
_TURNED = re.compile(r"(?<![^\s,;/])0*([1-9][0-9]?)([a-z])(?![^\s,;./])")


def cell_name(column: int, row: int) -> str:
    """Return the name of a cell, ``column`` and ``row`` counted from 0; no letter is skipped."""
    return f"{chr(ord('a') + column)}{row + 1}"


def read_words(text: str) -> tuple[str, ...]:
    """Split a line as people write it into cell names and other words, in lower case.

    Commas, slashes, dashes, "and" and nothing at all may stand between names: "D4-E5", "d4,e5", "d4e5".
    Within a name a space or a sign may: "d 4", "d-4".
    """
    text = _SPACED.sub(r"\1", text.lower().strip(" \t\r\n.!\"'“”"))
    words: list[str] = []
    for word in _BETWEEN.split(text):
        if _NAMES.fullmatch(word):
            words += [letter + number for letter, number in _NAME.findall(word)]
        elif word not in ("", "and"):
            words.append(word)
    return tuple(words)


def letters_first(text: str) -> str:
    """Return a line in lower case, with "d4" for each "4d" that is a word of its own."""
    return _TURNED.sub(r"\2\1", text.lower())


def suggest_instead(position: Position[Any], why: Refusal, better: str) -> InvalidMove:
    """Return the error for a line that was written wrongly, ``why``, and for which ``better`` was probably meant.

    Behind the sentence of ``why`` a second one says to write that, or why that won't do either.
    """
    try:
        better = str(move := position.parse(better))
        position.play(move)
    except RulesError as error:
        sentence = phrase("{first} {second}", first=why.sentence, second=error.sentence)
        return InvalidMove(why.code, sentence, {**why.arguments, "then": error.code})
    sentence = phrase("{first} Did you mean {write!q}?", first=why.sentence, write=better)
    return InvalidMove(why.code, sentence, {**why.arguments, "write": better})


def letter_first(position: Position[Any], text: str, word: str, better: str) -> InvalidMove:
    """Return the error for ``word``, such as "4d", in ``text``, for which ``better`` was probably meant."""
    sentence = phrase("{cell!q} is the wrong way round: the letter comes first.", cell=word)
    return suggest_instead(position, Refusal("letter_first", sentence, {"cell": word, "text": text}), better)


@dataclass(frozen=True, slots=True)
class Move:
    """The words of a turn: names of cells in the order of placing, or one word that is no cell."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.words)
