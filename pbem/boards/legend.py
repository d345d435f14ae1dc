"""The signs on a board, and the words below it that explain them."""

from collections import Counter, defaultdict
from collections.abc import Mapping

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

PLAIN: frozenset[Mark] = frozenset()
LAST: frozenset[Mark] = frozenset({"last"})
LINE: frozenset[Mark] = frozenset({"line"})
BOTH = LAST | LINE

BRACKETS = {PLAIN: ("", ""), LAST: ("(", ")"), LINE: ("[", "]"), BOTH: ("{", "}")}

_DIE = "On a die stand its owner’s letter and the number on top, around them the numbers on its four sides."


def bracketed(marks: frozenset[Mark]) -> frozenset[Mark]:
    """Return those of ``marks`` that brackets show."""
    return marks & BOTH


def marks_legend(view: BoardView) -> str:
    """Return in words what the brackets and dashes on the board mean; empty when there are none."""
    found = set(map(bracketed, {cell.marks for cell in view.cells}))
    meanings = {LAST: "the last move", LINE: "the winning line", BOTH: "both"}
    # “Both” needs the words for each, even where each occurs only on cells that are both.
    shown = set(meanings) if BOTH in found else found
    words = [f"{' '.join(BRACKETS[marks])} {meaning}" for marks, meaning in meanings.items() if marks in shown]
    return ", ".join([*words, "- closed"] if any(is_closed(cell) for cell in view.cells if cell.marks) else words)


def is_closed(cell: Cell) -> bool:
    """Return whether a cell is drawn as closed: a piece on it would hide that."""
    return "closed" in cell.marks and cell.piece is None


def reading(view: BoardView) -> str:
    """Return how to read a board of dice or hexagons; an empty text for other boards, which explain themselves."""
    if view.looks == "dice":
        dark = any(cell.ground == "dark" for cell in view.cells)
        return f"{_DIE} Cells with colons are dark." if dark else _DIE
    if view.shape == "hex" and view.cells:
        top = [cell.name for cell in view.cells if cell.row == view.cells[0].row]
        run = f"is {top[0]}" if len(top) == 1 else f"runs from {top[0]} to {top[-1]}"
        return f"Letters go up to the left: the top row {run}."
    return ""


def picture_signs(view: BoardView) -> list[str]:
    """Return what each sign in the picture means, as far as it occurs: "ring: the last move"."""
    words: dict[Mark, str] = {
        "last": f"{'frame' if view.looks == 'dice' else 'ring'}: the last move",
        "line": "diamonds: the winning line",
    }
    marked = [cell for cell in view.cells if cell.marks]
    signs = [meaning for mark, meaning in words.items() if any(mark in cell.marks for cell in marked)]
    if any(map(is_closed, marked)):
        signs.append("dashes: closed")
    if any(cell.die for cell in view.cells):
        signs.append("large: the number on top of a die, small: those on its sides")
    return signs


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


def description(view: BoardView) -> str:
    """Return what the picture shows, for those who do not see it."""
    if view.looks == "dice":
        sentences = [f"{cell_words(cell)}." for cell in view.cells if cell.piece]
        groups = []
    else:
        sentences = []
        on = defaultdict(list)
        for cell in view.cells:
            if cell.piece:
                on[cell.piece.key].append(cell.name)
        groups = [(str(piece.name), on[piece.key]) for piece in view.pieces]
    marked = [cell for cell in view.cells if cell.marks]
    groups += [
        (words, [cell.name for cell in marked if mark in cell.marks])
        for words, mark in (("the last move", "last"), ("the winning line", "line"))
    ]
    if closed := [cell.name for cell in marked if is_closed(cell)]:
        groups.append(("closed", closed))
    return " ".join([*sentences, *(f"{capital(words)}: {', '.join(names) or 'none'}." for words, names in groups)])


def cell_words(cell: Cell) -> str:
    """Return what is on a cell: "b3: die of Light, top 4, north 1, east 2, south 6, west 5"."""
    name = str(cell.piece.name) if cell.piece else "empty"
    if cell.die is None:
        return f"{cell.name}: {name}"
    sides = zip(("north", "east", "south", "west"), cell.die.sides, strict=True)
    return f"{cell.name}: die of {name}, top {cell.die.top}, {', '.join(f'{side} {number}' for side, number in sides)}"


def capital(words: str) -> str:
    """Return ``words`` with a capital at their beginning."""
    return words[:1].upper() + words[1:]
