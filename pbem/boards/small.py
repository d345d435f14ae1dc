"""Boards as small pictures for lists of matches: one path for each colour, no coordinates, few bytes.

Cells lie 20 apart. Pieces that stand side by side are one line of dashes of next to no length: their round or square
ends are what shows, so that a row of them takes no more bytes than one.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from html import escape
from itertools import count
from math import sqrt
from typing import NamedTuple

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
# On paper nothing would show of a dash without any length.
_STROKES = 'fill="none" stroke-linecap="round" stroke-dasharray=".1 19.9"'
_WHOLE = 'stroke-dasharray="none"'
_LEGIBLE = 150  # cells: on larger boards, a dozen of which stand side by side, symbols are a few pixels high


def small_boards(views: Sequence[BoardView]) -> list[str]:
    """Return pictures of one match for one page: what the first one has drawn of the empty board, the others use.

    How lines are drawn is said once, in the style of what they stand in.
    """
    spots = _find_spots(views[0]) if views else []
    return [_draw_board(view, spots, number) for number, view in enumerate(views)]


def small_board(view: BoardView) -> str:
    """Return the board as a small picture without words, hidden from those who listen: words belong beside it.

    Pieces that colour and form do not tell apart bear their symbols, dice the numbers on top; the last piece has a
    ring, a cell that was emptied and the winning line have dots, closed cells a dash.
    """
    return _draw_board(view, _find_spots(view))


class SmallFilm(NamedTuple):
    """A small board with some positions before the present one, which a script shows one after the other."""

    ground: str
    past: str
    present: str

    @property
    def still(self) -> str:
        """The present position alone."""
        return f"{self.ground}{self.present}</svg>"

    @property
    def moving(self) -> str:
        """All positions, of which a page shows only the present one until a script says otherwise."""
        return f"{self.ground}{self.past}{self.present}</svg>" if self.past else self.still


def small_film(views: Sequence[BoardView]) -> SmallFilm:
    """Return the last of these positions as a ``small_board``, and those before it behind it."""
    spots = _find_spots(views[-1])
    drawn = ["".join(_draw_position(view, spots)) for view in views]
    past = "".join(f'<g class="past">{position}</g>' for position in drawn[:-1])
    return SmallFilm(f"{_open(spots)}{_draw_empty(views[-1], spots)}", past, f"<g>{drawn[-1]}</g>")


def _open(spots: Sequence[_Spot]) -> str:
    """Return the beginning of a small board with cells on ``spots``."""
    wide, high = _measure(spots)
    return f'<svg class="small" viewBox="0 0 {wide} {high}" aria-hidden="true" {_STROKES}>{_draw_plate(spots)}'


def _measure(spots: Sequence[_Spot]) -> _Spot:
    """Return width and height of a small board with cells on ``spots``."""
    return max(x for x, _ in spots) + 10, max(y for _, y in spots) + 10


def _draw_plate(spots: Sequence[_Spot]) -> str:
    """Return what a board with cells on ``spots`` is drawn upon."""
    wide, high = _measure(spots)
    return f'<rect width="{wide}" height="{high}" rx="6" fill="{BOARD[0]}"/>'


def _draw_board(view: BoardView, spots: Sequence[_Spot], number: int | None = None) -> str:
    """Return a small board with its cells on ``spots``.

    With a ``number`` it is one of several on a page, of which the first one is 0.
    """
    if number is None:
        return f"{_open(spots)}{_draw_empty(view, spots)}{''.join(_draw_position(view, spots))}</svg>"
    wide, high = _measure(spots)
    ground = '<use href="#small"/>' if number else f'<g id="small">{_draw_plate(spots)}{_draw_empty(view, spots)}</g>'
    drawn = "".join(_draw_position(view, spots, number))
    return f'<svg viewBox="0 0 {wide} {high}" aria-hidden="true">{ground}{drawn}</svg>'


def _draw_empty(view: BoardView, spots: Sequence[_Spot]) -> str:
    """Return the empty board with its cells on ``spots``."""
    return "".join(_draw_ground(view, list(zip(view.cells, spots, strict=True))))


def _draw_position(view: BoardView, spots: Sequence[_Spot], number: int | None = None) -> Iterator[str]:
    """Yield what lies on a small board with its cells on ``spots``; with a ``number`` it is one of several."""
    placed = [(cell, spot) for cell, spot in zip(view.cells, spots, strict=True) if cell.piece or cell.marks]
    yield from _draw_pieces(placed, "" if number is None else f"s{number}-")
    last = [(cell, spot) for cell, spot in placed if "last" in cell.marks and not cell.die]
    yield _draw_rings([spot for cell, spot in last if cell.piece and "earlier" not in cell.marks])
    yield _dots([spot for cell, spot in last if not cell.piece], RING, 4)
    if number is None or len(spots) <= _LEGIBLE:
        yield from _draw_symbols(view, placed)


def heat_board(view: BoardView, shares: Mapping[str, float], words: PictureWords) -> str:
    """Return an empty board with a dot on each cell, the larger the higher its share, from 0 to 1."""
    placed = list(zip(view.cells, _find_spots(view), strict=True))
    wide, high = (max(ends) + 10 for ends in zip(*(spot for _, spot in placed), strict=True))
    by_size = defaultdict(list)
    for cell, spot in placed:
        by_size[round(18 * sqrt(shares.get(cell.name, 0)))].append(spot)
    parts = [
        f'<svg class="heat" viewBox="0 0 {wide} {high}" role="img" {_STROKES}>',
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
        yield f'<path d="{"".join((*right, *down))}" stroke="{GRID}" {_WHOLE}/>'
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
    """Yield all pieces, one path for each colour and form, with their rims below, and what marks them and closed cells.

    With a ``name`` to begin theirs with, paths are named, and written once for rim and colour.
    """
    pieces, line = defaultdict(list), defaultdict(list)
    for cell, spot in placed:
        if cell.piece:
            square = bool(cell.die) or cell.piece.form in ("cube", "home")
            pieces[TONES[cell.piece.tone][0], square].append((cell, spot))
        if "line" in cell.marks:
            line[TONES[cell.piece.tone][1] if cell.piece else BOARD[1]].append(spot)
    rims, faces, last = [], [], []
    for number, ((colour, square), found) in enumerate(pieces.items()):
        points = _points([spot for _, spot in found], square=square)
        rims.append(f'<path id="{name}{number}" {points}/>' if name else f"<path {points}/>")
        faces.append(
            f'<use href="#{name}{number}" stroke="{colour}"/>' if name else f'<path {points} stroke="{colour}"/>'
        )
        last += [spot for cell, spot in found if cell.die and "last" in cell.marks]
    if pieces:
        yield f'<g stroke="{RIM}" stroke-width="{_PIECE + 1}">{"".join(rims)}</g>'
        yield _dots(last, RING, _PIECE + 2, square=True)
        yield f'<g stroke-width="{_PIECE - 1}">{"".join(faces)}</g>'
    for colour, found_on in line.items():
        yield _dots(found_on, colour, 6)
    if closed := [(x - 3, y) for cell, (x, y) in placed if is_closed(cell) and "last" not in cell.marks]:
        yield f'<path {_points(closed, tail=6)} stroke="{GRID}" stroke-width="2" stroke-dasharray="6 14"/>'


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
    """Return a ring round each of some places, in one path: an arc that ends next to where it began."""
    rings = "".join(f"M{x - 8} {y}a8 8 0 1 1 0 .1z" for x, y in spots)
    return f'<path d="{rings}" stroke="{RING}" stroke-width="3" {_WHOLE}/>' if spots else ""


def _dots(spots: Sequence[_Spot], colour: str, across: int, *, square: bool = False) -> str:
    """Return a dot at each of some places, in one path; nothing if there is none."""
    if not spots:
        return ""
    return f'<path {_points(spots, square=square)} stroke="{colour}" stroke-width="{across}"/>'


def _points(spots: Sequence[_Spot], *, square: bool = False, tail: int = 1) -> str:
    """Return the attributes of a path with a dot at each of some places: a line for each run of neighbours in a row.

    A line goes a little beyond its last dot (``tail``), so that no rounding leaves that one out; the next one in its
    row begins so far from there.
    """
    left = set(spots)
    parts: list[str] = []
    end, row = 0, -1
    for x, y in sorted(spots, key=lambda spot: spot[::-1]):
        if (x - _SIDE, y) in left:
            continue
        more = next(more for more in count(1) if (x + more * _SIDE, y) not in left) - 1
        parts.append(f"m{x - end} 0" if y == row else f"M{x} {y}")
        parts.append(f"h{more * _SIDE + tail}")
        end, row = x + more * _SIDE + tail, y
    cap = ' stroke-linecap="square"' if square else ""
    return f'd="{"".join(parts)}"{cap}'
