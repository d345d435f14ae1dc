"""The rules of the games: pure, without randomness, time or I/O."""

from rules.core import (
    LEAVING,
    Chance,
    Entry,
    Game,
    Option,
    Outcome,
    Position,
    Prompt,
    Seat,
    Value,
    advance,
    replay,
)
from rules.errors import AmbiguousMove, IllegalMove, InvalidMove, InvalidOption, InvalidRecord, RulesError
from rules.games import GAMES
from rules.record import Record, read_record, write_record
from rules.view import BoardView, Cell, Die, Piece

__all__ = [
    "GAMES",
    "LEAVING",
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
