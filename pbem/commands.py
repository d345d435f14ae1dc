"""What the lines of a reply ask for, before the rules have looked at them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Word = Literal["resign", "help", "show"]

WORDS: tuple[Word, ...] = ("resign", "help", "show")
_PREFIXED = re.compile(r"(team|say)\s*:\s*(.*)", re.IGNORECASE | re.DOTALL)
_LONGEST_REMARK = 2000


@dataclass(frozen=True, slots=True)
class Words:
    """One of the words that mean the same in every game."""

    word: Word


@dataclass(frozen=True, slots=True)
class Spoken:
    """A line for others: to the writer's own side (``team: …``) or to everybody (``say: …``)."""

    text: str
    to_side: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A line that may be a move or a remark: the rules decide."""

    text: str


Command = Words | Spoken | Line


def read_commands(lines: Iterable[str]) -> list[Command]:
    """Return what each line asks for; ``;`` separates commands, but not inside words meant for others."""
    found: list[Command] = []
    for line in lines:
        if prefixed := _PREFIXED.fullmatch(line.strip()):
            found.append(Spoken(prefixed[2].strip(), prefixed[1].lower() == "team"))
            continue
        pieces = [piece.strip() for piece in line.split(";")]
        words = [as_word(piece) for piece in pieces]
        if len(pieces) > 1 and len(line) > 200:
            found.append(Line(line))
            continue
        found += [Words(word) if word else Line(piece) for word, piece in zip(words, pieces, strict=True)]
    return found


def as_word(text: str) -> Word | None:
    """Return the word that ``text`` consists of, or None: ``Resign.``, ``I resign``, ``HELP``."""
    bare = text.strip(" .!?*_\"'“”").lower().removeprefix("i ")
    return next((word for word in WORDS if bare == word), None)


def joined_remark(lines: Iterable[str]) -> str:
    """Return the lines of a remark as one text, empty lines at its ends removed, cut at 2,000 characters."""
    text = "\n".join(lines).strip("\n ")
    return text if len(text) <= _LONGEST_REMARK else text[: _LONGEST_REMARK - 1] + "…"
