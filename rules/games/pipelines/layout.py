"""The hexagon of Pipelines as bit masks, and where its glass stands.

The layout follows from one number, in whole-number arithmetic alone, and never changes: records rest on it.

1. A SplitMix64 generator starts at the number: its state grows by 0x9E3779B97F4A7C15 modulo 2**64, and each
   value is the state, mixed as `_mixed` does.
2. The cells, row by row from a1, are put into a new order by Fisher and Yates: for i from the last index down
   to 1, cell i changes places with cell (next value modulo i + 1).
3. Glass is placed one by one. Candidates are the first `CANDIDATES` cells in that order that are at least 3
   steps from all glass; the one farthest from its nearest glass is taken, of equals the first. The edge of the
   board counts like glass 3 steps from the outermost cells, so that glass does not crowd there.
4. Where no candidate is left too early, steps 2 and 3 are done again, the generator going on, up to `ATTEMPTS`
   times in all; after that glass may be 2 steps apart.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import islice

from rules.board.hexagon import Hexagon, hexagon, steps
from rules.board.square import bits_in
from rules.notation import cell_name

CANDIDATES = 8
ATTEMPTS = 20
_WORD = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Hex:
    """A hexagonal board whose sets of cells are numbers with one bit for each cell.

    ``order`` are all bits, row by row from a1; ``bits`` gives the bit of a name, ``names`` the name of a bit,
    ``beside`` the cells next to a bit. Each row ends in one bit that is no cell, so that shifts do not wrap.
    """

    hexagon: Hexagon
    stride: int = field(compare=False, repr=False)
    bits: dict[str, int] = field(compare=False, repr=False)
    names: dict[int, str] = field(compare=False, repr=False)
    beside: dict[int, int] = field(compare=False, repr=False)
    order: tuple[int, ...] = field(compare=False, repr=False)
    every: int = field(compare=False, repr=False)

    def around(self, mask: int) -> int:
        """Return the cells of ``mask`` and all cells next to them."""
        step = self.stride
        wide = mask | mask << 1 | mask >> 1 | mask << step | mask >> step | mask << step + 1 | mask >> step + 1
        return wide & self.every

    def joined(self, seed: int, within: int) -> int:
        """Return the cells of ``within`` that hang together with those of ``seed``, which lie in it."""
        found = seed
        while (grown := self.around(found) & within) != found:
            found = grown
        return found

    def listed(self, mask: int) -> list[str]:
        """Return the names of the cells of ``mask`` in their order: by letter, then by number."""
        return sorted((self.names[bit] for bit in bits_in(mask)), key=lambda name: (name[0], int(name[1:])))

    def draw(self, mask: int, pick: Callable[[int], int]) -> int:
        """Return one bit of ``mask``, which is not 0; ``pick(n)`` chooses a number in 0…n-1."""
        found = bits_in(mask)
        return found[pick(len(found))]

    def path(self, start: int, within: int, goal: int) -> list[int]:
        """Return the cells of a shortest way from ``start``, itself left out, through ``within`` to ``goal``.

        Empty if there is none.
        """
        return next(self.paths(start, within, [goal]))

    def paths(self, start: int, within: int, goals: Iterable[int]) -> Iterator[list[int]]:
        """Yield for each of ``goals`` what ``path`` returns: all ways begin alike."""
        layers, seen = [start], start
        for goal in goals:
            wanted = goal & within
            last = next((place for place, layer in enumerate(layers) if layer & wanted), 0)
            while not layers[last] & wanted and (edge := self.around(layers[-1]) & within & ~seen):
                layers.append(edge)
                seen |= edge
                last = len(layers) - 1
            yield self._traced(layers[: last + 1], wanted)

    def _traced(self, layers: Sequence[int], goal: int) -> list[int]:
        """Return a way through one cell of each of ``layers`` but the first, its last in ``goal``; empty for none."""
        ends = layers[-1] & goal
        if not ends:
            return []
        way = [ends & -ends]
        for layer in layers[-2:0:-1]:
            before = self.beside[way[-1]] & layer
            way.append(before & -before)
        return way[::-1]

    def row_ends(self, word: str) -> tuple[str, str] | None:
        """Return the first and the last cell of the row that a name outside the board is of; None if there is none."""
        row = int(word[1:][:9]) - 1
        columns = [column for column, other in self.hexagon.places.values() if other == row]
        return (cell_name(min(columns), row), cell_name(max(columns), row)) if columns else None


@cache
def hex_board(side: int) -> Hex:
    """Return the regular hexagon with ``side`` cells along each side, 2 ≤ side ≤ 13."""
    board = hexagon(side, side)
    stride = board.size + 1
    bits = {name: 1 << row * stride + column for name, (column, row) in board.places.items()}
    return Hex(
        hexagon=board,
        stride=stride,
        bits=bits,
        names={bit: name for name, bit in bits.items()},
        beside={bits[name]: sum(bits[other] for other in others) for name, others in board.beside.items()},
        order=tuple(bits.values()),
        every=sum(bits.values()),
    )


@lru_cache(maxsize=256)
def glass_cells(side: int, count: int, number: int) -> tuple[str, ...]:
    """Return the cells of ``count`` glass pieces in the order of placing, for a number in 0…2**32-1.

    Raises ValueError where they do not fit on the board two steps apart.
    """
    hexes, values = hex_board(side), _mixed(number)
    for gap in (3, 2):
        for _ in range(ATTEMPTS):
            if len(chosen := _placed(hexes, count, gap, values)) == count:
                return chosen
    raise ValueError(f"{count} glass pieces do not fit on a hexagon with side {side}.")


def _mixed(number: int) -> Iterator[int]:
    """Yield the values of SplitMix64, started at ``number``."""
    state = number
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _WORD
        value = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & _WORD
        value = ((value ^ value >> 27) * 0x94D049BB133111EB) & _WORD
        yield value ^ value >> 31


def _placed(hexes: Hex, count: int, gap: int, values: Iterator[int]) -> tuple[str, ...]:
    """Place up to ``count`` pieces at least ``gap`` steps apart, as steps 2 and 3 above say."""
    order, places = list(hexes.bits.items()), hexes.hexagon.places
    for last in range(len(order) - 1, 0, -1):
        other = next(values) % (last + 1)
        order[last], order[other] = order[other], order[last]
    radius = hexes.hexagon.short - 1
    nearest: dict[str, int] = {}  # of those that have been candidates, kept up to date
    chosen: list[str] = []
    crowded = 0
    while len(chosen) < count:
        candidates = list(islice((name for name, bit in order if not bit & crowded), CANDIDATES))
        if not candidates:
            break
        for name in candidates:
            place, fresh = places[name], chosen[-1:]
            if name not in nearest:
                nearest[name], fresh = 3 + radius - steps(place, (radius, radius)), chosen
            for glass in fresh:
                nearest[name] = min(nearest[name], steps(place, places[glass]))
        chosen.append(max(candidates, key=nearest.__getitem__))
        near = hexes.bits[chosen[-1]]
        for _ in range(gap - 1):
            near = hexes.around(near)
        crowded |= near
    return tuple(chosen)
