"""Hexagonal boards of hexagons: names, places and neighbours of their cells."""

from dataclasses import dataclass, field
from functools import cache

from rules.notation import cell_name

_STEPS = ((-1, 0), (1, 0), (0, 1), (1, 1), (0, -1), (-1, -1))


@dataclass(frozen=True, slots=True)
class Hexagon:
    """A board whose sides are ``short`` and ``long`` cells by turns, a long one at the bottom; all may be equal.

    ``places`` gives column and row of each name, both from 0, the cells row by row from a1. Letters run along the
    rows, and up to the left: a cell's middle lies at column - row / 2 from the left. ``beside`` are the up to six
    cells that share an edge with a cell, in the order of ``places``.
    """

    short: int
    long: int
    places: dict[str, tuple[int, int]] = field(compare=False, repr=False)
    beside: dict[str, tuple[str, ...]] = field(compare=False, repr=False)

    @property
    def size(self) -> int:
        """The number of rows, and of cells in the longest row."""
        return self.short + self.long - 1


@cache
def hexagon(short: int, long: int) -> Hexagon:
    """Return the board with sides ``short`` ≤ ``long``; at most 26 rows, so that letters suffice."""
    size = short + long - 1
    places = {
        cell_name(column, row): (column, row)
        for row in range(size)
        for column in range(max(0, row - short + 1), min(long - 1 + row, size - 1) + 1)
    }
    names = {place: name for name, place in places.items()}
    beside = {
        name: tuple(
            names[place]
            for place in sorted(((column + right, row + up) for right, up in _STEPS), key=lambda place: place[::-1])
            if place in names
        )
        for name, (column, row) in places.items()
    }
    return Hexagon(short, long, places, beside)


def steps(start: tuple[int, int], end: tuple[int, int]) -> int:
    """Return how many steps from cell to cell lie between two places, column and row of each."""
    right, up = end[0] - start[0], end[1] - start[1]
    return max(abs(right), abs(up), abs(right - up))
