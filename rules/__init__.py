"""The rules of the games: pure, without randomness, time or I/O.

What stands here is the contract. Besides, `rules.text`, `rules.errors`, `rules.view`, `rules.notation` and
`rules.board` may be imported from outside; `rules.games.<game>` is private to its folder and its tests.
"""

from rules.errors import AmbiguousMove, IllegalMove, InvalidMove, InvalidOption, InvalidRecord, RulesError
from rules.game import ORDER, VERSION, Game, Option, Value, advance, replay
from rules.games import GAMES
from rules.phrase import (
    ENGLISH,
    Argument,
    Arguments,
    Event,
    Language,
    Listed,
    Phrase,
    listed,
    mark,
    marks,
    phrase,
    phrases,
    verbatim,
)
from rules.position import EXIT_WORDS, Chance, Choice, Entry, Objective, Outcome, Position, Prompt, Seat
from rules.record import Record, read_record, write_record
from rules.view import BoardView, Cell, Die, Piece

__all__ = [
    "ENGLISH",
    "EXIT_WORDS",
    "GAMES",
    "ORDER",
    "VERSION",
    "AmbiguousMove",
    "Argument",
    "Arguments",
    "BoardView",
    "Cell",
    "Chance",
    "Choice",
    "Die",
    "Entry",
    "Event",
    "Game",
    "IllegalMove",
    "InvalidMove",
    "InvalidOption",
    "InvalidRecord",
    "Language",
    "Listed",
    "Objective",
    "Option",
    "Outcome",
    "Phrase",
    "Piece",
    "Position",
    "Prompt",
    "Record",
    "RulesError",
    "Seat",
    "Value",
    "advance",
    "listed",
    "mark",
    "marks",
    "phrase",
    "phrases",
    "read_record",
    "replay",
    "verbatim",
    "write_record",
]
