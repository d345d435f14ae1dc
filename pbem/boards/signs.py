"""The signs on a board: what stands for a piece and for a mark, in text and in HTML."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from rules.view import BoardView, Cell, Form, Mark, Piece, Tone

Signs = Mapping[str, str]
"""The sign that is drawn for the symbol of a piece, where that is another, and for an empty cell, ``.``.

``box`` are the signs of the lines round dice: upright, level, and the corners and crossings, row by row.
"""

ASCII: Signs = {".": ".", "box": "|-+++++++++"}

_PICTURED: dict[tuple[Form, Tone], str] = {
    ("stone", "black"): "●",
    ("stone", "white"): "○",
    ("glass", "clear"): "◇",
}

_SHAPES: dict[Form, str] = {"stone": "", "cube": "", "glass": "★", "home": "⌂"}

PLAIN: frozenset[Mark] = frozenset()
LAST: frozenset[Mark] = frozenset({"last"})
LINE: frozenset[Mark] = frozenset({"line"})
BOTH = LAST | LINE

BRACKETS = {PLAIN: ("", ""), LAST: ("(", ")"), LINE: ("[", "]"), BOTH: ("{", "}")}

DIAMOND = "◆"
"""Stands on each piece of a winning line, in HTML and in pictures."""

_HOLLOW_DIAMOND = "◇"


NUMBERS: tuple[Mark, ...] = ("1", "2", "3", "4", "5", "6", "7", "8", "9")
"""The marks of moves that are new to the reader, where there are several."""

_NUMBERED = {"●": "❶❷❸❹❺❻❼❽❾", "○": "①②③④⑤⑥⑦⑧⑨"}
_RAISED = "¹²³⁴⁵⁶⁷⁸⁹"


def number_of(marks: frozenset[Mark]) -> Mark | None:
    """Return the number of the move that put a piece there, where pieces are numbered."""
    return next((number for number in NUMBERS if number in marks), None) if marks else None


def in_text(view: BoardView) -> BoardView:
    """Return a board as text shows it: where pieces are digits, no digit beside another tells which move was new."""
    if not any(piece.symbol.isdigit() for piece in view.pieces):
        return view
    cells = (replace(cell, marks=cell.marks.difference(NUMBERS)) if cell.marks else cell for cell in view.cells)
    return replace(view, cells=tuple(cells))


def marked_sign(sign: str, marks: frozenset[Mark]) -> str:
    """Return the sign in HTML of a piece with these marks; what was hollow stays so."""
    if "line" in marks:
        return {"●": DIAMOND, "○": _HOLLOW_DIAMOND}.get(sign, f"{DIAMOND}{sign}")
    if number := number_of(marks):
        place = NUMBERS.index(number)
        return _NUMBERED[sign][place] if sign in _NUMBERED else f"{sign}{_RAISED[place]}"
    return sign


def bracketed(marks: frozenset[Mark]) -> frozenset[Mark]:
    """Return those of ``marks`` that brackets show."""
    return marks & BOTH


PROPOSED = "?"
"""Stands on a free cell on which a partner would like a piece."""


def is_proposed(cell: Cell) -> bool:
    """Return whether a cell is drawn as proposed."""
    return "proposed" in cell.marks and cell.piece is None


def is_closed(cell: Cell) -> bool:
    """Return whether a cell is drawn as closed: a piece on it would hide that."""
    return "closed" in cell.marks and cell.piece is None


def lettered(view: BoardView) -> list[Piece]:
    """Return the pieces that bear their symbol in the picture: all whose form in black or white is not enough."""
    looks = Counter((piece.tone, piece.form) for piece in view.pieces)
    return [
        piece
        for piece in view.pieces
        if view.looks != "dice" and (piece.tone not in ("black", "white") or looks[piece.tone, piece.form] > 1)
    ]


def pictured(view: BoardView) -> Signs:
    """Return better signs than letters, each one column wide, for the pieces that they tell from all others."""
    lines = {".": "·", "box": "│─┌┬┐├┼┤└┴┘"}
    if view.looks == "dice":
        return lines  # a die shows its owner's letter
    looks = Counter(_PICTURED.get((piece.form, piece.tone)) for piece in view.pieces)
    found = {piece.symbol: _PICTURED.get((piece.form, piece.tone), "") for piece in view.pieces}
    return lines | {symbol: sign for symbol, sign in found.items() if looks[sign] == 1}


def shaped(view: BoardView, *, large: bool = False) -> Signs:
    """Return the signs of pieces in HTML: round stones, their letters if ``large``; of others form and letter."""
    signs = ASCII if large else pictured(view)
    found = {}
    for piece in view.pieces:
        letter = signs.get(piece.symbol, piece.symbol)
        shape = _SHAPES[piece.form]
        # Nobody's glass is told by its form alone: its letter is a star.
        found[piece.symbol] = shape + letter if letter == piece.symbol and letter.isalnum() else shape or letter
    return found
