"""The words of a board in HTML, as a quotation of it holds them."""

from collections.abc import Set

from pbem.boards.geometry import column_ends, hex_ranks, ranks
from pbem.boards.html_sizes import choose_sizes, kind_of, named_cells
from pbem.boards.signs import Signs, is_closed, marked_sign, shaped
from rules.view import BoardView, Cell, Piece


def html_words(view: BoardView, *, large: bool = False) -> str:
    """Return the words of ``html_board`` in their order, as a quotation of it holds them; signs may be missing."""
    kind, signs = kind_of(view), shaped(view, large=large)
    named = named_cells(view, choose_sizes(kind, len(view.columns), len(view.rows), large))
    across = " ".join(view.columns)
    if kind == "points":
        rows = [
            " ".join([_sign_of(cell, cell.piece, signs) for cell in cells if cell and cell.piece])
            for _, cells in ranks(view)
        ]
        numbered = [f"{number} {row} {number}" for number, row in zip(view.rows[::-1], rows, strict=True)]
        return "\n".join([across, *numbered, across])
    if kind == "hexes":
        ends = column_ends(view) if named is not None else {}
        rows = [
            " ".join([view.rows[row], *[_name(cell, signs, named) for cell in cells], *ends.get(row, ())])
            for row, cells in hex_ranks(view).items()
        ]
        return "\n".join(["", *rows, " ".join(ends.get(-1, ()))])
    rows = [
        " ".join([number, *[_die_words(cell, signs) for cell in cells if cell]])
        if kind == "dice"
        else " ".join([number, *[_name(cell, signs) for cell in cells if cell]])
        for number, cells in ranks(view)
    ]
    return "\n".join([across if kind == "dice" else "", *rows])


def _sign_of(cell: Cell, piece: Piece, signs: Signs) -> str:
    """Return the sign of a piece, as it is where no line is won."""
    return marked_sign(signs[piece.symbol], cell.marks - {"line"}) if cell.marks else signs[piece.symbol]


def _name(cell: Cell, signs: Signs, named: Set[str] | None = None) -> str:
    """Return what is read on a cell, one of those ``named`` or not."""
    if cell.piece:
        return _sign_of(cell, cell.piece, signs)
    return "" if is_closed(cell) or (named is not None and cell.name not in named) else cell.name


def _die_words(cell: Cell, signs: Signs) -> str:
    """Return what is read on a cell of a board of dice, from the top to the bottom."""
    if cell.die is None:
        return _name(cell, signs)
    north, east, south, west = cell.die.sides
    owner = _sign_of(cell, cell.piece, signs) if cell.piece else ""
    return f"{owner} {north} {west} {cell.die.top} {east} {south}"
