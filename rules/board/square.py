"""A square grid of cells named a1, b1 … with bit masks, so that sets of cells are plain whole numbers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from rules.notation import cell_name


def bits_in(mask: int) -> list[int]:
    """Return the bits that are set in ``mask``, each as a number, the lowest first: cells row by row from a1."""
    found = []
    while mask:
        bit = mask & -mask
        found.append(bit)
        mask ^= bit
    return found


@dataclass(frozen=True, slots=True)
class Grid:
    """A board of ``size`` × ``size`` cells; a set of cells is a number with one bit for each.

    Every row ends in one bit that is no cell, so that a shift by one never runs into the next row.
    ``order`` are all bits, row by row from a1; ``bits`` gives the bit of a name, ``names`` the name of a bit,
    ``beside`` the cells that share an edge with a bit. ``every``, ``left`` … ``inner`` are sets of cells.
    """

    size: int
    stride: int = field(compare=False, repr=False)
    bits: dict[str, int] = field(compare=False, repr=False)
    names: dict[int, str] = field(compare=False, repr=False)
    order: tuple[int, ...] = field(compare=False, repr=False)
    beside: dict[int, int] = field(compare=False, repr=False)
    every: int = field(compare=False, repr=False)
    left: int = field(compare=False, repr=False)
    right: int = field(compare=False, repr=False)
    bottom: int = field(compare=False, repr=False)
    top: int = field(compare=False, repr=False)
    inner: int = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.size}×{self.size} board"

    def draw(self, mask: int, pick: Callable[[int], int]) -> int:
        """Return one bit of ``mask``, which is not 0; ``pick(n)`` chooses a number in 0…n-1."""
        # As long as most cells are in the mask, trying is faster than listing them.
        for _ in range(6):
            bit = self.order[pick(len(self.order))]
            if bit & mask:
                return bit
        listed = bits_in(mask)
        return listed[pick(len(listed))]

    def from_central(self, mask: int, turn: int) -> list[int]:
        """Return the bits of ``mask``, from one that is near the middle if possible on; ``turn`` varies it."""
        inside = bits_in(mask & self.inner)
        outside = bits_in(mask & ~self.inner)
        first = inside or outside
        begin = (len(first) // 2 + 5 * turn) % len(first) if first else 0
        return [*first[begin:], *first[:begin], *(outside if inside else ())]


@cache
def square(size: int) -> Grid:
    """Return the grid of ``size`` × ``size`` cells, 1 ≤ size ≤ 26."""
    stride = size + 1
    places = [(column, row) for row in range(size) for column in range(size)]
    bits = {cell_name(column, row): 1 << row * stride + column for column, row in places}
    every = sum(bits.values())
    bottom = (1 << size) - 1
    left = sum(1 << row * stride for row in range(size))
    margin = range(size // 4, size - size // 4)
    return Grid(
        size=size,
        stride=stride,
        bits=bits,
        names={bit: name for name, bit in bits.items()},
        order=tuple(bits.values()),
        beside={bit: (bit << 1 | bit >> 1 | bit << stride | bit >> stride) & every for bit in bits.values()},
        every=every,
        left=left,
        right=left << size - 1,
        bottom=bottom,
        top=bottom << (size - 1) * stride,
        inner=sum(bits[cell_name(column, row)] for column in margin for row in margin),
    )
