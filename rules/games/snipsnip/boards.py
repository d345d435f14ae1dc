"""The 28 boards of SnipSnip: their cells as bits, and what lies between two cells that are two steps apart."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

from rules.board.hexagon import hexagon
from rules.board.square import bits_in
from rules.notation import cell_name

Span = tuple[int, tuple[tuple[int, int], ...]]
"""Two cells two steps apart: how far up the one is shifted from the other, and, for each middle cell, by how much
the lower one is to be shifted up and down to get there."""

_SQUARE = ((1, 0), (0, 1))
_HEX = (*_SQUARE, (1, 1))
_DIAMOND = (*_HEX, (-1, 1))

KEYS = (
    *(f"hex-{side}" for side in range(3, 8)),
    *(f"hex-{side}-{side + 1}" for side in range(2, 8)),
    *(f"equi-{side}-{side + 2}" for side in range(2, 7)),
    *(f"square-{side}" for side in range(4, 11)),
    *(f"diamond-{side}" for side in range(3, 8)),
)
"""What the option ``board`` can be set to."""


@dataclass(frozen=True, slots=True)
class Board:
    """A board; a set of its cells is a number with one bit for each.

    Between the rows there are two bits that are no cell, so that a shift by two columns never runs into the next
    row. ``size`` is the number of rows, and of columns. ``places`` gives column and row of each name, row by row from
    a1, ``bits`` its bit, ``names`` the name of a bit. ``near`` are the shifts up to neighbours, ``far`` those to the
    cells in the diagonal relation; ``straight`` and ``diagonal`` are the spans of the two ways to capture.
    """

    key: str
    size: int = field(compare=False, repr=False)
    places: dict[str, tuple[int, int]] = field(compare=False, repr=False)
    bits: dict[str, int] = field(compare=False, repr=False)
    names: dict[int, str] = field(compare=False, repr=False)
    every: int = field(compare=False, repr=False)
    near: tuple[int, ...] = field(compare=False, repr=False)
    far: tuple[int, ...] = field(compare=False, repr=False)
    straight: tuple[Span, ...] = field(compare=False, repr=False)
    diagonal: tuple[Span, ...] = field(compare=False, repr=False)

    @property
    def hexagonal(self) -> bool:
        """Whether the cells are hexagons."""
        return self.key.startswith(("hex", "equi"))

    def listed(self, mask: int) -> list[str]:
        """Return the names of the cells of ``mask``, row by row from a1."""
        return [self.names[bit] for bit in bits_in(mask)]

    def step(self, shift: int) -> tuple[int, int]:
        """Return the columns and the rows of one of the shifts ``near`` and ``far``."""
        stride = self.size + 2
        rows = (shift + stride // 2) // stride
        return shift - rows * stride, rows

    def row(self, number: str) -> list[str]:
        """Return the cells of the row ``number``, as names have it, from the left; none if there is no such row."""
        return [cell for cell in self.places if cell[1:] == number]

    def ends(self, spans: Iterable[Span], some: int, others: int, bit: int) -> tuple[str, str]:
        """Return two cells, one of ``some`` and one of ``others``, that have ``bit`` among their middles."""
        return next(
            (self.names[one], self.names[other])
            for one in bits_in(some)
            for other in bits_in(others)
            if middles(spans, one, other) & bit
        )


def middles(spans: Iterable[Span], some: int, others: int) -> int:
    """Return all middles of ``spans`` with one end in ``some`` and one in ``others``, on the board or beside it."""
    found = 0
    for across, between in spans:
        pairs = some & others >> across | others & some >> across
        if pairs:
            for up, down in between:
                found |= pairs << up >> down
    return found


def catchers(spans: Iterable[Span], others: int) -> int:
    """Return all cells from which ``spans`` lead to one of ``others`` with another of them in the middle."""
    found = 0
    for across, between in spans:
        for up, down in between:
            inside = others << down >> up  # from the middle back to the lower end
            found |= others >> across & inside | (others & inside) << across
    return found


def around(shifts: Iterable[int], mask: int) -> int:
    """Return the cells beside those of ``mask``, on the board or off it, by ``shifts`` up and down."""
    found = 0
    for shift in shifts:
        found |= mask << shift | mask >> shift
    return found


def group(shifts: Iterable[int], stones: int, seed: int) -> int:
    """Return the stones connected to ``seed``, one of them, by ``shifts`` up and down."""
    found = fresh = seed
    while fresh:
        fresh = around(shifts, fresh) & stones & ~found
        found |= fresh
    return found


def largest(shifts: Iterable[int], stones: int) -> int:
    """Return the size of the largest group among ``stones``, 0 if there is none."""
    most, rest = 0, stones
    while rest.bit_count() > most:
        found = group(shifts, rest, rest & -rest)
        rest ^= found
        most = max(most, found.bit_count())
    return most


@cache
def board(key: str) -> Board:
    """Return the board of one of KEYS."""
    kind, *numbers = key.split("-")
    steps: Iterable[tuple[int, int]]
    short, long = int(numbers[0]), int(numbers[-1])
    if kind == "square":
        steps, found = _SQUARE, [(column, row) for row in range(long) for column in range(long)]
    elif kind == "diamond":
        width = range(1 - long, long)
        found = [(x + long - 1, y + long - 1) for y in width for x in width if abs(x) + abs(y) < long]
        steps = _DIAMOND
    else:
        steps, found = _HEX, list(hexagon(short, long).places.values())
    size = 1 + max(row for _, row in found)
    stride = size + 2
    places = {cell_name(column, row): (column, row) for column, row in found}
    bits = {name: 1 << row * stride + column for name, (column, row) in places.items()}
    straight, diagonal = _spans(steps, stride)
    return Board(
        key=key,
        size=size,
        places=places,
        bits=bits,
        names={bit: name for name, bit in bits.items()},
        every=sum(bits.values()),
        near=tuple(row * stride + column for column, row in steps),
        far=tuple(across for across, _ in diagonal),
        straight=straight,
        diagonal=diagonal,
    )


def _spans(upward: Iterable[tuple[int, int]], stride: int) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the straight and the diagonal spans of a grid with steps ``upward`` and back, column and row of each.

    Diagonal are two steps that lead neither to a neighbour nor straight on; all ways there are counted.
    """
    steps = {(sign * right, sign * up) for right, up in upward for sign in (1, -1)}
    doubled = {(2 * right, 2 * up): {(right, up)} for right, up in steps}
    bent: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for one in steps:
        for other in steps:
            end = one[0] + other[0], one[1] + other[1]
            if end != (0, 0) and end not in steps and end not in doubled:
                bent.setdefault(end, set()).update((one, other))

    def shift(step: tuple[int, int]) -> int:
        return step[1] * stride + step[0]

    straight, diagonal = (
        tuple(
            (shift(end), tuple((max(0, way), max(0, -way)) for way in sorted(map(shift, between))))
            for end, between in sorted(ends.items())
            if shift(end) > 0
        )
        for ends in (doubled, bent)
    )
    return straight, diagonal
