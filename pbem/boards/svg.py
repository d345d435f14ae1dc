"""Boards as SVG pictures for the archive, with a ground of their own, so that they show on dark and light pages."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import pairwise
from typing import Literal

from pbem.boards.colours import BOARD, CELL, GRID, GROUNDS, RIM, RING, TONES
from pbem.boards.geometry import halves, hex_ranks
from pbem.boards.signs import is_closed, lettered
from rules.view import BoardView, Cell, Form, Looks, Piece, Shape

_GROUND, _INK = BOARD
_SIDE = 20  # of a square, and from cell to cell of a row of hexagons
_DIE = 48  # the side of a cell that holds a die
_RISE = 17.32  # from row to row of hexagons
_HEXAGON = "l10 5.77v11.55l-10 5.77-10-5.77v-11.55z"  # from its top corner, 11.55 above the middle
_EDGE = 'stroke="#111" stroke-width=".8" stroke-linejoin="round"'

_Place = tuple[str, int, int, Literal["plain", "light", "dark"]]  # of a cell: name, column, row, ground
_Line = tuple[float, ...]  # how far to the right of its first cell each cell of a row of hexagons lies

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

_RINGS = {"last": 'r="9" stroke-width="2.2"', "earlier": 'r="9"', "emptied": 'r="7" stroke-dasharray="2 2"'}
"""The rings round what the last move touched: quiet ones but for the last piece that was placed."""

_NUMBERS = ((0, 0), (0, -14), (14, 0), (0, 14), (-14, 0))
"""Where the numbers of a die stand: on top, north, east, south, west."""


@dataclass(frozen=True)
class PictureWords:
    """What a picture says to those who do not see it: its ``title``, a ``description``, and what is on which cell."""

    title: str
    description: str
    cells: Mapping[str, str]


def svg_board(
    view: BoardView, words: PictureWords, others: Iterable[Cell] = (), numbers: Mapping[str, int] | None = None
) -> str:
    """Return the board as a picture.

    Pieces differ by their form and, unless black or white are enough, by their symbol. The last piece that was placed
    has a ring (a die a frame), those before it in the same move a thin one, what was emptied a dashed one; the winning
    line has diamonds. A closed cell shows a dash, as in text, instead of its name: what is drawn under it is covered.

    What lies on a cell is a sprite, drawn once and named by its key; below the board one element for each cell, in the
    order of ``view.cells``, says which. Sprites for ``others`` are drawn too, so that a script can show them. The
    sprite of a marked piece uses that of the bare one, if there is one.

    ``numbers`` stand on the pieces of their cells instead of symbols; rings are then those of the winning line.
    """
    letters = 9 if len(view.columns) <= 13 else 11  # a large board is shown smaller
    wide, high, grid, spots, rooms = _draw_grid(
        view.shape,
        view.looks,
        view.columns,
        view.rows,
        tuple([(cell.name, cell.column, cell.row, cell.ground) for cell in view.cells]),
    )
    symbols = {piece.key for piece in lettered(view)} if numbers is None else None
    found: dict[str, Cell] = {}
    for cell in (*view.cells, *others):
        if (cell.piece or cell.marks) and (key := sprite_key(cell)):
            found.setdefault(key, cell)
    sprites = [f'<g id="{_name(key)}"{_draw_sprite(view, cell, symbols, found)}</g>\n' for key, cell in found.items()]
    draw = _draw_die if view.looks == "dice" else _draw_use
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="{letters}" text-anchor="middle">\n'
        f"<title>{escape(words.title)}</title>\n"
        f"<desc>{escape(words.description)}</desc>\n"
        f"<defs>\n{''.join(sprites)}</defs>\n"
        f'<rect width="{wide:g}" height="{high:g}" rx="6" fill="{_GROUND}"/>\n'
        f"{grid}"
        '<g class="cells">\n'
    ]
    for cell, (x, y), room in zip(view.cells, spots, rooms, strict=True):
        if not (cell.piece or cell.marks or cell.die):
            parts.append(room)
            continue
        title = f"<title>{escape(words.cells[cell.name])}</title>" if cell.piece else ""
        parts.append(draw(cell, x, y, title))
    parts.append("</g>\n")
    parts += _draw_numbers(view, spots, numbers or {})
    parts.append("</svg>\n")
    return "".join(parts)


def _draw_numbers(view: BoardView, spots: Sequence[tuple[float, float]], numbers: Mapping[str, int]) -> Iterator[str]:
    """Yield the numbers of pieces, in the ink of each."""
    inks: dict[str, list[str]] = {}
    for cell, (x, y) in zip(view.cells, spots, strict=True):
        if cell.piece and cell.name in numbers:
            inks.setdefault(TONES[cell.piece.tone][1], []).append(_draw_text(x, y, str(numbers[cell.name])))
    for ink, texts in inks.items():
        yield f'<g fill="{ink}" font-size="8.5" letter-spacing="-.3">\n{"".join(texts)}</g>\n'


def sprite_key(cell: Cell) -> str:
    """Return what is drawn on a cell, in words: the key of its piece, and its marks; nothing for an empty cell."""
    parts = [cell.piece.key] if cell.piece else []
    parts += [mark for mark in ("last", "earlier", "line") if mark in cell.marks]
    return " ".join([*parts, "closed"] if is_closed(cell) else parts)


def _name(key: str) -> str:
    """Return the name of a sprite within its page."""
    return f"p-{escape(key.replace(' ', '-'))}"


@lru_cache(maxsize=256)  # there are fewer boards than that, whatever the number of matches
def _draw_grid(
    shape: Shape, looks: Looks, columns: tuple[str, ...], rows: tuple[str, ...], places: tuple[_Place, ...]
) -> tuple[float, float, str, tuple[tuple[float, float], ...], tuple[str, ...]]:
    """Return width and height of an empty board, the board with its coordinates, where each cell is, and what is there.

    That is the element of a cell without a piece.
    """
    cells = tuple(Cell(name, column, row, ground=ground) for name, column, row, ground in places)
    view = BoardView(columns, rows, cells, (), looks=looks, shape=shape)
    wide, high, grid, place = (_draw_hexagons if shape == "hex" else _draw_squares)(view)
    draw, spots = _draw_die if looks == "dice" else _draw_use, tuple(map(place, cells))
    return wide, high, grid, spots, tuple(draw(cell, *spot, "") for cell, spot in zip(cells, spots, strict=True))


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
    """Return width and height of a hex board, its cells, each with its name, and where cells are."""
    ranks = hex_ranks(view)
    left = min(halves(cells[0]) for cells in ranks.values())
    right = max(halves(cells[-1]) for cells in ranks.values())
    top = max(ranks)

    def place(cell: Cell) -> tuple[float, float]:
        return 10 * (halves(cell) - left) + 16, round((top - cell.row) * _RISE + 18, 2)

    lines: list[tuple[_Line, float, float]] = []
    names: list[str] = []
    for rank in ranks.values():  # written as one line of text: there are hundreds of names
        spots = [place(cell) for cell in rank]
        x, y = spots[0]
        lines.append((tuple(spot - x for spot, _ in spots), x, y))
        words = (f'<tspan x="{x:g}">{escape(cell.name)}</tspan>' for cell, (x, _) in zip(rank, spots, strict=True))
        names.append(f'<text y="{y:g}" dy=".35em">{"".join(words)}</text>\n')
    ground, ink = CELL
    numbers = {line: number for number, line in enumerate(sorted({line for line, _, _ in lines}))}
    uses = "".join(f'<use href="#line-{numbers[line]}" x="{x:g}" y="{y:g}"/>' for line, x, y in lines)
    shapes = f'<defs>{_draw_lines(numbers)}</defs><g fill="{ground}">{uses}</g>\n'
    wide, high = 10 * (right - left) + 32, round((top - min(ranks)) * _RISE) + 36
    return wide, high, f'{_group_shapes(shapes)}<g fill="{ink}" font-size="7">\n{"".join(names)}</g>\n', place


def _draw_lines(numbers: Mapping[_Line, int]) -> str:
    """Return lines of hexagons, named by their ``numbers``; one with just one cell more than another uses that one."""
    parts = []
    for line, number in numbers.items():
        if (shorter := numbers.get(line[:-1])) is not None:
            shape = f'<path d="M{line[-1]:g}-11.55{_HEXAGON}"/>'
            parts.append(f'<g id="line-{number}"><use href="#line-{shorter}"/>{shape}</g>')
        else:
            more = (f"m{right - left:g} 0{_HEXAGON}" for left, right in pairwise(line))
            parts.append(f'<path id="line-{number}" d="M0-11.55{_HEXAGON}{"".join(more)}"/>')
    return "".join(parts)


def _group_shapes(shapes: str) -> str:
    """Return shapes in the lines and the ground of the board, unless they have a ground of their own."""
    return f'<g fill="{_GROUND}" stroke="{_INK}" stroke-width=".8">\n{shapes}</g>\n'


def _draw_sprite(view: BoardView, cell: Cell, symbols: Container[str] | None, named: Container[str]) -> str:
    """Return what lies on a cell round the place 0, 0, behind the ``>`` of its group.

    ``symbols`` are the keys of the pieces that bear their symbols, None where all bear numbers, ``named`` those of all
    sprites. The numbers of a die are no part of its sprite, which says their colour.
    """
    if view.looks == "dice":
        return _draw_block(cell)
    piece = cell.piece
    if not piece:
        drawn = ""
    elif piece.key in named and piece.key != sprite_key(cell):
        drawn = f'<use href="#{_name(piece.key)}"/>'
    else:
        drawn = _draw_piece(piece, symbols or ())
    return f">{drawn}{_draw_marks(cell, symbols)}"


def _draw_piece(piece: Piece, symbols: Container[str]) -> str:
    """Return a piece without marks."""
    ground, ink = TONES[piece.tone]
    drawn = f'<g fill="{ground}" {_EDGE}>{_FORMS[piece.form]}</g>'
    if piece.key not in symbols:
        return drawn
    x, y = _LETTERS[piece.form]
    return f'{drawn}<g fill="{ink}" font-size="9" font-weight="bold">{_draw_text(x, y, piece.symbol)}</g>'


def _draw_marks(cell: Cell, symbols: Container[str] | None) -> str:
    """Return the marks of a cell."""
    if symbols is None:
        return f'<circle fill="none" stroke="{RING}" {_RINGS["last"]}/>' if "line" in cell.marks else ""
    parts = []
    piece, on_line = cell.piece, "line" in cell.marks
    ink = TONES[piece.tone][1] if piece else _INK
    if is_closed(cell):
        parts.append(f'<circle r="8" fill="{CELL[0]}"/><path d="M-2.5 0h5" stroke="{GRID}"/>')
    if on_line:  # round a symbol, not across it
        style = f'fill="{ink}"' if piece and piece.key not in symbols else f'fill="none" stroke="{ink}"'
        size = 4 if piece and piece.key not in symbols else 6
        parts.append(f'<path d="M0-{size}l{size} {size}-{size} {size}-{size}-{size}z" {style}/>')
    if "last" in cell.marks:
        kind = "earlier" if "earlier" in cell.marks else "last" if piece else "emptied"
        parts.append(f'<circle fill="none" stroke="{RING}" {_RINGS[kind]}/>')
    return "".join(parts)


def _draw_block(cell: Cell) -> str:
    """Return a die without its numbers, and the colour of these."""
    ground, ink = TONES[cell.piece.tone] if cell.piece else BOARD
    edge = f'stroke="{RING}" stroke-width="3"' if "last" in cell.marks else f'stroke="{RIM}" stroke-width=".8"'
    shape = '<rect x="-20" y="-20" width="40" height="40" rx="6"/>' if cell.piece else ""
    return f' fill="{ground}" {edge} data-ink="{ink}">{shape}'


def _draw_use(cell: Cell, x: float, y: float, title: str) -> str:
    """Return the element of a cell, with its sprite if there is one."""
    key = sprite_key(cell)
    sprite = f' href="#{_name(key)}"' if key else ""
    return f'<use x="{x:g}" y="{y:g}"{sprite}{f">{title}</use>" if title else "/>"}\n'


def _draw_die(cell: Cell, x: float, y: float, title: str) -> str:
    """Return the element of a cell for dice: a die seen from above, its sides folded out, or room for one."""
    numbers = ("",) * 5 if cell.die is None else (cell.die.top, *cell.die.sides)
    _, ink = TONES[cell.piece.tone] if cell.piece else BOARD
    top, *sides = (_draw_text(x, y, str(number)) for (x, y), number in zip(_NUMBERS, numbers, strict=True))
    return (
        f'<g transform="translate({x:g} {y:g})">{title}{_draw_use(cell, 0, 0, "")}'
        f'<g fill="{ink}" font-size="8"><g font-size="19" font-weight="bold">{top}</g>{"".join(sides)}</g></g>\n'
    )


def _draw_text(x: float, y: float, text: str) -> str:
    """Return ``text`` with its middle at a place of the picture."""
    return f'<text x="{x:g}" y="{y:g}" dy=".35em">{escape(text)}</text>\n'
