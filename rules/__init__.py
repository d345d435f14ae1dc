"""The rules of the games: pure, without randomness, time or I/O."""

from rules.core import (
    LEAVING,
    Chance,
    Entry,
    Outcome,
    Position,
    Prompt,
    Seat,
)
from rules.errors import AmbiguousMove, IllegalMove, InvalidMove, InvalidOption, InvalidRecord, RulesError
from rules.game import ORDER, VERSION, Game, Option, Value, advance, replay
from rules.games import GAMES
from rules.record import Record, read_record, write_record
from rules.view import BoardView, Cell, Die, Piece

__all__ = [
    "GAMES",
    "LEAVING",
    "ORDER",
    "VERSION",
    "AmbiguousMove",
    "BoardView",
    "Cell",
    "Chance",
    "Die",
    "Entry",
    "Game",
    "IllegalMove",
    "InvalidMove",
    "InvalidOption",
    "InvalidRecord",
    "Option",
    "Outcome",
    "Piece",
    "Position",
    "Prompt",
    "Record",
    "RulesError",
    "Seat",
    "Value",
    "advance",
    "read_record",
    "replay",
    "write_record",
]
