"""Every way in which the rules say no, each with a code.

RulesError (a ValueError; its text is one sentence for the player)
├── InvalidMove      the text is no move
├── AmbiguousMove    the text fits several moves
├── IllegalMove      a move that the rules forbid here
├── InvalidOption    an option, or a number of players, that the game does not have
└── InvalidRecord    a record that does not replay, or cannot be read
"""

from collections.abc import Mapping
from typing import NamedTuple

from rules.phrase import Argument, Arguments, Phrase, phrase, verbatim
from rules.phrase import quote as quote


class Refusal(NamedTuple):
    """Why the rules say no: a stable code, a sentence for the player, and what the sentence is about."""

    code: str
    sentence: Phrase | str
    arguments: Arguments


class RulesError(ValueError):
    """The rules say no; ``str(error)`` is one sentence that a player understands.

    ``code`` names the cause in snake_case and stays the same when the ``sentence`` is reworded or translated.
    ``arguments`` are what the sentence is about.
    """

    def __init__(self, code: str, sentence: Phrase | str, arguments: Arguments | None = None) -> None:
        super().__init__(code, sentence, arguments)
        self.code = code
        self.sentence = sentence if isinstance(sentence, Phrase) else verbatim(sentence)
        about = dict(sentence.arguments) if isinstance(sentence, Phrase) else {}
        self.arguments: Arguments = about if arguments is None else arguments

    def __str__(self) -> str:
        return str(self.sentence)


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
        sentence: Phrase | str,
        arguments: Arguments | None = None,
        *,
        ply: int | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(code, sentence, arguments)
        self.ply = ply
        self.line = line


def refusal(sentences: Mapping[str, str], code: str, variant: str = "", /, **arguments: Argument) -> Refusal:
    """Return why the rules say no, by the sentence for ``code`` and what it is about.

    Where a code has several sentences, ``variant`` names the one meant: it stands under ``code:variant``.
    """
    return Refusal(code, phrase(sentences[f"{code}:{variant}" if variant else code], **arguments), arguments)


def match_over(text: str) -> Refusal:
    """Return why nothing is played after the end."""
    return Refusal("match_over", phrase("The match is over, so {text!q} can’t be played.", text=text), {"text": text})


def roll_first(text: str) -> Refusal:
    """Return why nothing is played before a roll."""
    return Refusal("roll_first", phrase("{text!q} comes too early: a roll comes first.", text=text), {"text": text})


def not_present(word: str, seat: int) -> Refusal:
    """Return why ``seat``, counted from 0, cannot leave with ``word``: it is not there, or no longer."""
    sentence = phrase("Seat {seat} isn’t in this match, so {text!q} changes nothing.", text=word, seat=seat + 1)
    return Refusal("seat_not_present", sentence, {"text": word, "seat": seat + 1})


def no_such_roll(value: int) -> Refusal:
    """Return why ``value`` is not the result of a roll that is awaited."""
    return Refusal("no_such_roll", phrase("No roll that could come up {value} is due.", value=value), {"value": value})
