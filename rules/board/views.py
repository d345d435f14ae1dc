"""Views of boards: the cells of each board are made once, since from view to view only what stands on them differs."""

from collections.abc import Hashable, Iterable, Sequence
from functools import cache
from typing import Protocol

from rules.board.square import Grid, bits_in
from rules.notation import cell_name
from rules.phrase import Phrase
from rules.view import BoardView, Cell, Chains, Mark, Piece, reading_order

_PLAIN: frozenset[Mark] = frozenset()
_CLOSED: frozenset[Mark] = frozenset({"closed"})


class Board(Hashable, Protocol):
    """One of the few boards that there are; ``bits`` gives the bit of a cell's name."""

    @property
    def bits(self) -> dict[str, int]:
        """The bit of each name."""


@cache
def axes(size: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the coordinates along the edges of a board with so many columns and rows."""
    return tuple(cell_name(column, 0)[0] for column in range(size)), tuple(str(row + 1) for row in range(size))


def draw_cells(
    board: Board, pieces: Iterable[tuple[Piece, int]], *, last: int, earlier: int = 0, line: int = 0, closed: int = 0
) -> tuple[Cell, ...]:
    """Return all cells of ``board`` in reading order, with each of ``pieces`` on its set, and the marks on theirs.

    ``closed`` are empty cells; ``earlier`` are some of the ``last``.
    """
    cells = dict(_cells(board, None, _PLAIN))
    for piece, marks, mask in ((None, _CLOSED, closed), *((piece, _PLAIN, mask) for piece, mask in pieces)):
        if mask:
            held = _cells(board, piece, marks)
            cells |= {bit: held[bit] for bit in bits_in(mask)}
    marked: tuple[tuple[Mark, int], ...] = (("last", last), ("earlier", earlier), ("line", line), ("closed", closed))
    for bit in bits_in(last | line):
        cell = cells[bit]
        marks = frozenset(mark for mark, mask in marked if mask & bit)
        cells[bit] = Cell(cell.name, cell.column, cell.row, cell.piece, marks)
    return tuple(cells.values())


@cache
def _cells(board: Board, piece: Piece | None, marks: frozenset[Mark]) -> dict[int, Cell]:
    """Return, in reading order, what each bit looks like with that piece and those marks."""
    places = {name: (ord(name[0]) - ord("a"), int(name[1:]) - 1) for name in board.bits}
    return {board.bits[name]: Cell(name, *places[name], piece, marks) for name in reading_order(places)}


def square_view(
    grid: Grid,
    stones: Sequence[tuple[Piece, int]],
    *,
    last: int,
    line: int,
    captions: tuple[Phrase, ...],
    inside: bool,
    chains: Chains,
) -> BoardView:
    """Return the view of ``stones`` on ``grid``; the sets ``last`` and ``line`` are marked.

    ``inside``: stones stand inside cells, not on the crossings of lines.
    """
    columns, rows = axes(grid.size)
    return BoardView(
        columns=columns,
        rows=rows,
        cells=draw_cells(grid, stones, last=last, line=line),
        pieces=tuple(piece for piece, _ in stones),
        captions=captions,
        looks="cells" if inside else "points",
        chains=chains,
    )
