"""Boards as small pictures for lists of matches: one path for each colour, no coordinates, few bytes.

Cells lie 20 apart. A piece is a line without length: its round or square end is what shows.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from html import escape
from itertools import count
from math import sqrt

from pbem.boards.colours import BOARD, CELL, GRID, GROUNDS, RIM, RING, TONES
from pbem.boards.geometry import halves, hex_ranks
from pbem.boards.signs import is_closed, lettered
from pbem.boards.svg import PictureWords
from rules.view import BoardView, Cell

_Spot = tuple[int, int]
_Placed = tuple[Cell, _Spot]

_SIDE = 20
_RISE = 17  # from row to row of hexagons
_PIECE = 17  # across
_LEGIBLE = 150  # cells: on larger boards, a dozen of which stand side by side, symbols are a few pixels high


def small_boards(views: Sequence[BoardView]) -> list[str]:
    """Return pictures of one match for one page: what the first one has drawn of the empty board, the others use."""
    spots = _find_spots(views[0]) if views else []
    return [_draw_board(view, spots, number) for number, view in enumerate(views)]


def small_board(view: BoardView) -> str:
    """Return the board as a small picture without words, hidden from those who listen: words belong beside it.

    Pieces that colour and form do not tell apart bear their symbols, dice the numbers on top; the last move has a
    ring, the winning line dots, closed cells a dash.
    """
    return _draw_board(view, _find_spots(view))


def _draw_board(view: BoardView, spots: Sequence[_Spot], number: int | None = None) -> str:
    """Return a small board with its cells on ``spots``.

    With a ``number`` it is one of several on a page, of which the first one is 0.
    """
    ground = (
        '<use href="#small-0"/>' if number else "".join(_draw_ground(view, list(zip(view.cells, spots, strict=True))))
    )
    wide, high = (max(ends) + 10 for ends in zip(*spots, strict=True))
    placed = [(cell, spot) for cell, spot in zip(view.cells, spots, strict=True) if cell.piece or cell.marks]
    parts = [
        f'<svg class="small" viewBox="0 0 {wide} {high}" aria-hidden="true" stroke-linecap="round" fill="none">',
        f'<rect width="{wide}" height="{high}" rx="6" fill="{BOARD[0]}"/>',
        f'<g id="small-0">{ground}</g>' if number == 0 else ground,
        *_draw_pieces(placed, "" if number is None else f"small-{number}-"),
        _draw_rings([spot for cell, spot in placed if "last" in cell.marks and not cell.die]),
        *([] if number is not None and len(spots) > _LEGIBLE else _draw_symbols(view, placed)),
        "</svg>",
    ]
    return "".join(parts)


def heat_board(view: BoardView, shares: Mapping[str, float], words: PictureWords) -> str:
    """Return an empty board with a dot on each cell, the larger the higher its share, from 0 to 1."""
    placed = list(zip(view.cells, _find_spots(view), strict=True))
    wide, high = (max(ends) + 10 for ends in zip(*(spot for _, spot in placed), strict=True))
    by_size = defaultdict(list)
    for cell, spot in placed:
        by_size[round(18 * sqrt(shares.get(cell.name, 0)))].append(spot)
    parts = [
        f'<svg class="heat" viewBox="0 0 {wide} {high}" role="img" stroke-linecap="round" fill="none">',
        f"<title>{escape(words.title)}</title><desc>{escape(words.description)}</desc>",
        f'<rect width="{wide}" height="{high}" rx="6" fill="{BOARD[0]}"/>',
        *_draw_ground(view, placed),
        *(_dots(spots, BOARD[1], across) for across, spots in sorted(by_size.items()) if across),
        "</svg>",
    ]
    return "".join(parts)


def _find_spots(view: BoardView) -> list[_Spot]:
    """Return where the middle of each cell lies."""
    top = max(cell.row for cell in view.cells)
    if view.shape != "hex":
        return [(_SIDE * cell.column + 10, _SIDE * (top - cell.row) + 10) for cell in view.cells]
    left = min(halves(cells[0]) for cells in hex_ranks(view).values())
    return [(10 * (halves(cell) - left) + 10, _RISE * (top - cell.row) + 10) for cell in view.cells]


def _draw_ground(view: BoardView, placed: Sequence[_Placed]) -> Iterator[str]:
    """Yield the empty board: lines, round cells, or squares in the colours of their grounds."""
    if view.looks == "points":
        spots = {spot for _, spot in placed}
        right = (f"M{x} {y}h{length}" for x, y, length in _find_lines(spots, _SIDE, 0))
        down = (f"M{x} {y}v{length}" for x, y, length in _find_lines(spots, 0, _SIDE))
        yield f'<path d="{"".join((*right, *down))}" stroke="{GRID}"/>'
        return
    by_colour = defaultdict(list)
    for cell, spot in placed:
        by_colour[GROUNDS[cell.ground][0] if view.looks == "dice" else CELL[0]].append(spot)
    for colour, spots_of in by_colour.items():
        yield _dots(spots_of, colour, 19 if view.looks == "dice" else 18, square=view.shape != "hex")


def _find_lines(spots: Set[_Spot], right: int, down: int) -> Iterator[tuple[int, int, int]]:
    """Yield where lines through neighbouring spots begin, going this far to each next one, and how long they are."""
    for x, y in sorted(spots):
        if (x - right, y - down) not in spots:
            steps = next(steps for steps in count(1) if (x + steps * right, y + steps * down) not in spots) - 1
            if steps:
                yield x, y, steps * _SIDE


def _draw_pieces(placed: Sequence[_Placed], name: str) -> Iterator[str]:
    """Yield all pieces, one path for each colour and form with a rim below it, and what marks them and closed cells.

    With a ``name`` to begin theirs with, paths are named and drawn once for rim and colour.
    """
    pieces, line = defaultdict(list), defaultdict(list)
    for cell, spot in placed:
        if cell.piece:
            square = bool(cell.die) or cell.piece.form in ("cube", "home")
            pieces[TONES[cell.piece.tone][0], square].append((cell, spot))
        if "line" in cell.marks:
            line[TONES[cell.piece.tone][1] if cell.piece else BOARD[1]].append(spot)
    for (colour, square), found in pieces.items():
        spots, last = [spot for _, spot in found], [spot for cell, spot in found if cell.die and "last" in cell.marks]
        rim, face = _draw_faces(spots, colour, square, name)
        yield from (rim, _dots(last, RING, _PIECE + 2, square=square), face)
    for colour, found_on in line.items():
        yield _dots(found_on, colour, 6)
    if closed := "".join(f"M{x - 3} {y}h6" for cell, (x, y) in placed if is_closed(cell)):
        yield f'<path d="{closed}" stroke="{BOARD[1]}" stroke-width="2"/>'


def _draw_faces(spots: Sequence[_Spot], colour: str, square: bool, name: str) -> tuple[str, str]:
    """Return the rims and the faces of pieces; with a ``name`` their places are written once, and used twice."""
    shades = (RIM, _PIECE + 1), (colour, _PIECE - 1)
    if not name:
        rim, face = (_dots(spots, ink, across, square=square) for ink, across in shades)
        return rim, face
    name += colour[1:] + ("-square" if square else "")
    cap = ' stroke-linecap="square"' if square else ""
    rim, face = (f'<use href="#{name}" stroke="{ink}" stroke-width="{across}"/>' for ink, across in shades)
    return f'<path id="{name}" d="{_points(spots)}"{cap}/>{rim}', face


def _draw_symbols(view: BoardView, placed: Sequence[_Placed]) -> Iterator[str]:
    """Yield one line of text for each ink: each of its characters has a place of its own."""
    symbols = {piece.key for piece in lettered(view)}
    texts: dict[str, list[tuple[str, _Spot]]] = defaultdict(list)
    for cell, spot in placed:
        if cell.piece and (cell.die or (cell.piece.key in symbols and "line" not in cell.marks)):
            texts[TONES[cell.piece.tone][1]].append((str(cell.die.top) if cell.die else cell.piece.symbol, spot))
    for ink, found in texts.items():
        xs, ys = " ".join(str(x) for _, (x, _) in found), " ".join(str(y + 4) for _, (_, y) in found)
        yield (
            f'<text x="{xs}" y="{ys}" fill="{ink}" font-family="system-ui,sans-serif" font-size="12" '
            f'text-anchor="middle">{escape("".join(sign for sign, _ in found))}</text>'
        )


def _draw_rings(spots: Sequence[_Spot]) -> str:
    """Return a ring round each of some places, in one path."""
    rings = "".join(f"M{x - 8} {y}a8 8 0 1 0 16 0a8 8 0 1 0-16 0" for x, y in spots)
    return f'<path d="{rings}" stroke="{RING}" stroke-width="3"/>' if spots else ""


def _dots(spots: Sequence[_Spot], colour: str, across: int, *, square: bool = False) -> str:
    """Return a dot at each of some places, in one path; nothing if there is none."""
    if not spots:
        return ""
    cap = ' stroke-linecap="square"' if square else ""
    return f'<path d="{_points(spots)}" stroke="{colour}" stroke-width="{across}"{cap}/>'


def _points(spots: Sequence[_Spot]) -> str:
    """Return lines without length, of which only the ends show."""
    return "".join(f"M{x} {y}h0" for x, y in spots)
