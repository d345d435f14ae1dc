"""Every way in which the rules say no, each with a code.

RulesError (a ValueError; its text is one sentence for the player)
├── InvalidMove      the text is no move
├── AmbiguousMove    the text fits several moves
├── IllegalMove      a move that the rules forbid here
├── InvalidOption    an option, or a number of players, that the game does not have
└── InvalidRecord    a record that does not replay, or cannot be read
"""

from collections.abc import Mapping
from string import Formatter
from typing import Any, NamedTuple

Arguments = Mapping[str, str | int]
"""What a refusal is about, by name: ``cell``, ``count`` … as people are shown it."""


class Refusal(NamedTuple):
    """Why the rules say no: a stable code, a sentence for the player, and what the sentence is about."""

    code: str
    sentence: str
    arguments: Arguments


class RulesError(ValueError):
    """The rules say no; ``str(error)`` is one sentence that a player understands.

    ``code`` names the cause in snake_case and stays the same when the sentence is reworded or translated.
    ``arguments`` are what the sentence is about.
    """

    def __init__(self, code: str, sentence: str, arguments: Arguments | None = None) -> None:
        super().__init__(code, sentence, arguments)
        self.code = code
        self.arguments: Arguments = arguments or {}
        self._sentence = sentence

    def __str__(self) -> str:
        return self._sentence


class InvalidMove(RulesError):
    """The text is no move at all in this position."""


class AmbiguousMove(RulesError):
    """The text fits several moves; the sentence lists them."""


class IllegalMove(RulesError):
    """The text is a move, but the rules forbid it here."""


class InvalidOption(RulesError):
    """The game has no such option, value or number of players."""


class InvalidRecord(RulesError):
    """A record that cannot be read or replayed.

    ``line`` counts from 1 in a text, ``ply`` from 0 in a list of entries; what does not apply is None.
    """

    def __init__(
        self,
        code: str,
        sentence: str,
        arguments: Arguments | None = None,
        *,
        ply: int | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(code, sentence, arguments)
        self.ply = ply
        self.line = line


def quote(text: object, limit: int = 40) -> str:
    """Return ``text`` in quotation marks, on one line and cut to ``limit`` characters."""
    shown = str(text)[: 5 * limit]
    if not shown.isprintable():
        shown = "".join(letter if letter.isprintable() else " " for letter in shown)
    shown = " ".join(shown.split())
    return f"“{shown}”" if len(shown) <= limit else f"“{shown[: limit - 1].rstrip()}…”"


class _Quoting(Formatter):
    """Fills in a sentence; what stands as ``{text!q}`` comes in quotation marks."""

    def convert_field(self, value: Any, conversion: Any) -> Any:
        return quote(value) if conversion == "q" else super().convert_field(value, conversion)


def refusal(sentences: Mapping[str, str], code: str, **arguments: str | int) -> Refusal:
    """Return why the rules say no, by the sentence for ``code`` with ``arguments`` filled in; ``!q`` quotes one."""
    return Refusal(code, _Quoting().vformat(sentences[code], (), arguments), arguments)


def match_over(text: str) -> Refusal:
    """Return why nothing is played after the end."""
    return Refusal("match_over", f"The match is over, so {quote(text)} cannot be played any more.", {"text": text})


def roll_first(text: str) -> Refusal:
    """Return why nothing is played before a roll."""
    return Refusal("roll_first", f"{quote(text)} comes too early: a lot is to be drawn first.", {"text": text})


def not_present(word: str, seat: int) -> Refusal:
    """Return why ``seat``, counted from 0, cannot leave with ``word``: it is not there, or no longer."""
    sentence = f"{quote(word)} cannot be said for seat {seat + 1}: it is not in this match."
    return Refusal("seat_not_present", sentence, {"text": word, "seat": seat + 1})


def no_such_roll(value: int) -> Refusal:
    """Return why ``value`` is not the result of a roll that is awaited."""
    return Refusal("no_such_roll", f"No lot that can fall on {quote(value)} is to be drawn now.", {"value": value})
