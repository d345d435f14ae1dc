"""Boards as SVG pictures for the archive, with a ground of their own, so that they show on dark and light pages."""

from collections.abc import Callable
from functools import lru_cache
from html import escape
from typing import Literal

from pbem.boards.colours import BOARD, GROUNDS, TONES
from pbem.boards.geometry import halves, hex_letters, hex_ranks
from pbem.boards.legend import cell_words, description, is_closed, lettered
from rules.view import BoardView, Cell, Form, Looks, Shape

_GROUND, _INK = BOARD
_SIDE = 20  # of a square, and from cell to cell of a row of hexagons
_DIE = 48  # the side of a cell that holds a die
_RISE = 17.32  # from row to row of hexagons
_HEXAGON = "l10 5.77v11.55l-10 5.77-10-5.77v-11.55z"  # from its top corner, 11.55 above the middle
_EDGE = 'stroke="#111" stroke-width=".8" stroke-linejoin="round"'

_Place = tuple[str, int, int, Literal["plain", "light", "dark"]]  # of a cell: name, column, row, ground

_FORMS: dict[Form, str] = {
    "stone": '<circle r="8.6"/>',
    "cube": '<path d="M-7-4l2.5-2.5h11v11l-2.5 2.5h-11z"/>'
    '<path d="M-7-4l2.5-2.5h11l-2.5 2.5z" fill="#fff" fill-opacity=".45"/>'
    '<path d="M4-4l2.5-2.5v11l-2.5 2.5z" fill="#000" fill-opacity=".3"/>',
    "glass": '<circle r="8.2"/><path d="M-5.8-2.4a6.3 6.3 0 0 1 4.4-3.7" fill="none" stroke="#fff" stroke-width="1.8" '
    'stroke-linecap="round"/>',
    "home": '<path d="M-7 7.2v-8l7-7.6 7 7.6v8z"/>',
}
"""Each form round the place 0, 0, in the ground of its tone."""

_LETTERS: dict[Form, tuple[float, float]] = {"stone": (0, 0), "cube": (-1.5, 1.5), "glass": (0, 0.4), "home": (0, 1.6)}
"""Where the symbol stands on each form."""


def svg_board(view: BoardView) -> str:
    """Return the board as a picture.

    Pieces differ by their form and, unless black or white are enough, by their symbol. The last move has a ring (a die
    a frame), the winning line diamonds; closed cells show a dash, as in text.
    """
    letters = 9 if len(view.columns) <= 13 else 11  # a large board is shown smaller
    wide, high, grid, spots = _draw_grid(
        view.shape,
        view.looks,
        view.columns,
        view.rows,
        tuple([(cell.name, cell.column, cell.row, cell.ground) for cell in view.cells]),
    )
    title = f"{len(view.columns)} by {len(view.rows)}"
    if len(view.cells) != len(view.columns) * len(view.rows):
        title = f"{len(view.cells)} {'hexagons' if view.shape == 'hex' else 'cells'}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="{letters}" text-anchor="middle">\n'
        f"<title>Board, {title}</title>\n"
        f"<desc>{escape(description(view))}</desc>\n"
        f'<rect width="{wide:g}" height="{high:g}" rx="6" fill="{_GROUND}"/>\n'
        f"{grid}"
    ]
    symbols = {piece.key for piece in lettered(view)}
    for cell, spot in zip(view.cells, spots, strict=True):
        if not (cell.piece or cell.marks or cell.die):
            continue
        if found := _draw_die(cell) if cell.die else _draw_piece(cell, symbols):
            parts.append(f'<g transform="translate({spot})">{found}</g>\n')
    parts.append("</svg>\n")
    return "".join(parts)


@lru_cache(maxsize=256)  # there are fewer boards than that, whatever the number of matches
def _draw_grid(
    shape: Shape, looks: Looks, columns: tuple[str, ...], rows: tuple[str, ...], places: tuple[_Place, ...]
) -> tuple[float, float, str, tuple[str, ...]]:
    """Return width and height of an empty board, the board with its coordinates, and where each cell is."""
    cells = tuple(Cell(name, column, row, ground=ground) for name, column, row, ground in places)
    view = BoardView(columns, rows, cells, (), looks=looks, shape=shape)
    wide, high, grid, place = (_draw_hexagons if shape == "hex" else _draw_squares)(view)
    return wide, high, grid, tuple(f"{x:g} {y:g}" for x, y in map(place, cells))


def _draw_squares(view: BoardView) -> tuple[float, float, str, Callable[[Cell], tuple[float, float]]]:
    """Return width and height of a square board, its lines with their coordinates, and where cells are."""
    side = _DIE if view.looks == "dice" else _SIDE
    wide, high = side * len(view.columns) + 40, side * len(view.rows) + 40
    half = side // 2

    def place(cell: Cell) -> tuple[int, int]:
        return side * cell.column + 20 + half, high - side * cell.row - 20 - half

    spots = {(cell.column, cell.row): place(cell) for cell in view.cells}
    if view.looks == "points":
        right = (f"M{x} {y}h20" for (column, row), (x, y) in spots.items() if (column + 1, row) in spots)
        up = (f"M{x} {y}v-20" for (column, row), (x, y) in spots.items() if (column, row + 1) in spots)
        lines = f'<path d="{"".join((*right, *up))}" fill="none"/>\n'
    elif view.looks == "cells":
        squares = "".join(f"M{x - 10} {y - 10}h20v20h-20z" for x, y in spots.values())
        lines = f'<path d="{squares}" fill="none"/>\n'
    else:
        lines = "".join(
            f'<path d="M{x - half} {y - half}h{side}v{side}h-{side}z" fill="{GROUNDS[cell.ground][0]}"/>\n'
            for cell, (x, y) in zip(view.cells, spots.values(), strict=True)
        )
    names = [
        _draw_text(side * number + 20 + half, y, name)
        for number, name in enumerate(view.columns)
        for y in (11, high - 9)
    ]
    names += [
        _draw_text(x, high - side * number - 20 - half, name)
        for number, name in enumerate(view.rows)
        for x in (11, wide - 11)
    ]
    return wide, high, f'{_group_shapes(lines)}<g fill="{_INK}">\n{"".join(names)}</g>\n', place


def _draw_hexagons(view: BoardView) -> tuple[float, float, str, Callable[[Cell], tuple[float, float]]]:
    """Return width and height of a hex board, its cells with their coordinates, and where cells are.

    Rows have their numbers on both sides; a stroke leads from the lower end of each column to its letter.
    """
    ranks, letters = hex_ranks(view), hex_letters(view)
    left = min(halves(cells[0]) for cells in ranks.values())
    top = max(ranks)
    right = max(halves(cells[-1]) + 2 * len(letters.get(row, ())) for row, cells in ranks.items())

    def place(cell: Cell) -> tuple[float, float]:
        return 10 * (halves(cell) - left) + 35, round((top - cell.row) * _RISE + 20, 2)

    cells: list[str] = []
    names: list[str] = []
    strokes: list[str] = []
    for row, rank in ranks.items():
        for cell in rank:
            x, y = place(cell)
            cells.append(f'<path d="M{x:g} {y - 11.55:g}{_HEXAGON}"><title>{escape(cell.name)}</title></path>\n')
        (first, y), (last, _) = place(rank[0]), place(rank[-1])
        names += (
            _draw_text(first - 20, y, view.rows[row]),
            _draw_text(last + 20 + 20 * len(letters.get(row, ())), y, view.rows[row]),
        )
    for ends in letters.values():
        for cell in ends:
            x, y = place(cell)
            strokes.append(f"M{x + 5.3:g} {y + 9.2:g}l2 3.46")
            names.append(_draw_text(x + 10, round(y + _RISE, 2), view.columns[cell.column]))
    lines = f'{"".join(cells)}<path d="{"".join(strokes)}"/>\n'
    wide, high = 10 * (right - left) + 70, round((top + 1 - min(ranks)) * _RISE) + 34
    return wide, high, f'{_group_shapes(lines)}<g fill="{_INK}">\n{"".join(names)}</g>\n', place


def _group_shapes(shapes: str) -> str:
    """Return shapes in the lines and the ground of the board, unless they have a ground of their own."""
    return f'<g fill="{_GROUND}" stroke="{_INK}" stroke-width=".8">\n{shapes}</g>\n'


def _draw_piece(cell: Cell, symbols: set[str]) -> str:
    """Return the piece on a cell, and its marks, round the place 0, 0.

    ``symbols`` are the keys of the pieces that bear their symbols.
    """
    parts = []
    has_symbol = cell.piece is not None and cell.piece.key in symbols
    if piece := cell.piece:
        ground, ink = TONES[piece.tone]
        shape = f"<title>{escape(cell_words(cell))}</title>{_FORMS[piece.form]}"
        parts.append(f'<g fill="{ground}" {_EDGE}>{shape}</g>')
        if has_symbol:
            x, y = _LETTERS[piece.form]
            parts.append(f'<g fill="{ink}" font-size="9" font-weight="bold">{_draw_text(x, y, piece.symbol)}</g>')
    elif is_closed(cell):
        parts.append(f'<path d="M-3 0h6" stroke="{_INK}" stroke-width="2"/>')
    if "line" in cell.marks:
        parts.append('<path d="M0-7l7 7-7 7-7-7z" fill="none" stroke="#2a8fe0" stroke-width="2"/>')
    if "last" in cell.marks:
        # Round a symbol, not across it.
        radius, red = (9.2, "#c5161d") if has_symbol else (3.4, "#e5484d")
        parts.append(f'<circle r="{radius}" fill="none" stroke="{red}" stroke-width="2"/>')
    return "".join(parts)


def _draw_die(cell: Cell) -> str:
    """Return a die seen from above, its sides folded out, round the place 0, 0."""
    assert cell.die
    ground, ink = TONES[cell.piece.tone] if cell.piece else BOARD
    places = ((0, -15), (15, 0), (0, 15), (-15, 0))
    sides = "".join(_draw_text(x, y, str(side)) for (x, y), side in zip(places, cell.die.sides, strict=True))
    top = _draw_text(0, 0, str(cell.die.top))
    frame = ""
    if "last" in cell.marks:
        frame = (
            '<path d="M-22-22h44v44h-44z" fill="none" stroke="#fff" stroke-width="4"/>'
            '<path d="M-22-22h44v44h-44z" fill="none" stroke="#d0212b" stroke-width="2.4"/>'
        )
    return (
        f"{frame}"
        f'<g fill="{ground}" {_EDGE}><title>{escape(cell_words(cell))}</title>'
        f'<rect x="-19" y="-19" width="38" height="38" rx="6"/>'
        f'<rect x="-11" y="-11" width="22" height="22" rx="3" fill="none" stroke="{ink}" stroke-opacity=".5"/></g>'
        f'<g fill="{ink}" font-size="8">{sides}<g font-size="17" font-weight="bold">{top}</g></g>'
    )


def _draw_text(x: float, y: float, text: str) -> str:
    """Return ``text`` with its middle at a place of the picture."""
    return f'<text x="{x:g}" y="{y:g}" dy=".35em">{escape(text)}</text>\n'
