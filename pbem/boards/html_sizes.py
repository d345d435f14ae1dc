"""How large a board is in an email: as large as a telephone allows."""

from collections.abc import Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rules.view import BoardView, Shape

_ROOM = 344
"""Pixels: a telephone is 360 wide, and the page leaves 8 free on both sides."""


_LARGEST = 44  # pixels of a usual cell


_SMALLEST = 24  # pixels of a target that fingers meet (WCAG 2.2, 2.5.8); names of cells need as many


Drawn = Literal["points", "squares", "hexes", "dice"]


@dataclass(frozen=True)
class Sizes:
    """The pixels of a board: a cell, a row, letters on pieces, names of cells, coordinates, and the room for these."""

    cell: int
    row: int
    letters: int
    names: int
    labels: int
    edge: int

    @property
    def cramped(self) -> bool:
        """Whether cells are smaller than fingers should meet, and have no room for their names."""
        return min(self.cell, self.row) < _SMALLEST

    @property
    def pairs(self) -> int:
        """The height of two letters on a piece."""
        return min(self.names, self.cell // 2)

    @property
    def line(self) -> int:
        """The height of a line of text: it leaves room for the ring and the gap inside it."""
        return self.row - 8


def kind_of(view: BoardView) -> Drawn:
    """Return how a board is drawn."""
    if view.looks == "dice":
        return "dice"
    shape: Shape = view.shape
    return "hexes" if shape == "hex" else "points" if view.looks == "points" else "squares"


@lru_cache(maxsize=256)  # there are fewer boards
def choose_sizes(kind: Drawn, columns: int, rows: int, large: bool) -> Sizes:
    """Return the pixels of a board: the fewer columns, the more for a cell."""
    if kind == "dice":
        return Sizes(132, 132, 56, 26, 26, 34) if large else Sizes(82, 82, 30, 14, 12, 16)
    if large:
        cell, letters = (56, 32) if columns <= 9 else (44, 26)
        return Sizes(cell, cell, letters, 18 if kind != "points" else letters, 26, 36)
    # Only the widest rows of hexes leave no other room for their numbers.
    edge = (18 if columns <= 9 else 14) if kind == "points" else 6 if rows < 19 and kind == "hexes" else 13
    cell = min(_LARGEST, (_ROOM - (2 if kind == "points" else 1) * edge) // columns)
    names = 12 if cell >= 34 else 11
    return Sizes(cell, cell - cell // 16 if kind == "hexes" else cell, max(9, cell // 2 - 2), names, names, edge)


def named_cells(view: BoardView, sizes: Sizes) -> Set[str] | None:
    """Return the cells that bear their names while they are empty: None for all, or none, named along the rim.

    A row of those alone that can be played on would read as a move where a reply quotes it without a mark.
    """
    return frozenset() if view.shape == "hex" and sizes.cramped else None


def width_of(kind: Drawn, columns: int, sizes: Sizes) -> int:
    """Return the pixels of a whole table."""
    return columns * sizes.cell + (2 if kind == "points" else 1) * sizes.edge
