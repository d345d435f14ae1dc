"""Where the glass of Pipelines stands, from one number, as the rules say: SplitMix64 in halves of 32 bits."""

from pbem.robots.boards.pipelines.ground import (
    BOARD,
    CELLS,
    FREE,
    FREE_BESIDE,
    FREE_LEFT,
    GLASS_BESIDE,
    LAID,
    PIECES,
    SIDE,
    Tables,
    spread,
)
from pbem.robots.compiled import Ints, compiled

_CANDIDATES, _ATTEMPTS = 8, 20
_HALF = 0xFFFFFFFF
_GROWTH = (0x9E3779B9, 0x7F4A7C15)
_FIRST, _SECOND = (0xBF58476D, 0x1CE4E5B9), (0x94D049BB, 0x133111EB)

_Word = tuple[int, int]
"""The upper and the lower half of a number of 64 bits."""


@compiled
def _times(word: _Word, by: _Word) -> _Word:
    """Return the product modulo 2^64; no number on the way reaches 2^63."""
    (high, low), (by_high, by_low) = word, by
    # Each half of one factor is multiplied by quarters of the other.
    upper = low * (by_low >> 16)
    lower = low * (by_low & 0xFFFF) + ((upper & 0xFFFF) << 16)
    crossed = high * (by_low & 0xFFFF) + ((high * (by_low >> 16) & 0xFFFF) << 16)
    crossed += low * (by_high & 0xFFFF) + ((low * (by_high >> 16) & 0xFFFF) << 16)
    return ((upper >> 16) + (lower >> 32) + crossed) & _HALF, lower & _HALF


@compiled
def _stirred(word: _Word, shift: int) -> _Word:
    """Return the number with itself, shifted down by less than 32 bits, added without carry."""
    high, low = word
    return high ^ (high >> shift), low ^ ((high << 32 - shift | low >> shift) & _HALF)


@compiled
def _mixed(state: _Word) -> _Word:
    """Return the value that SplitMix64 makes of its state."""
    return _stirred(_times(_stirred(_times(_stirred(state, 30), _FIRST), 27), _SECOND), 31)


@compiled
def _steps(right: int, up: int) -> int:
    """Return how many steps lie between two cells that are so many columns and rows apart."""
    return max(abs(right), abs(up), abs(right - up))


@compiled
def _placed(tables: Tables, high: int, low: int, gap: int) -> tuple[int, int, int]:
    """Write glass, ``gap`` steps apart, to the end of the room; returns its number and where the generator is then."""
    fixed, _, _, columns, rows, room = tables
    cells, middle = fixed[CELLS], fixed[SIDE] - 1
    nearest, chosen, count = cells, 2 * cells, 0
    for cell in range(cells):
        room[cell] = cell
        room[nearest + cell] = -1
    for last in range(cells - 1, 0, -1):
        low += _GROWTH[1]
        high = (high + _GROWTH[0] + (low >> 32)) & _HALF
        low &= _HALF
        upper, lower = _mixed((high, low))
        other = ((upper % (last + 1) << 32) + lower) % (last + 1)
        room[last], room[other] = room[other], room[last]
    left = cells
    while count < fixed[PIECES] and left > 0:
        best, farthest = -1, -1
        for place in range(min(left, _CANDIDATES)):
            cell = room[place]
            since = count - 1
            if room[nearest + cell] < 0:
                room[nearest + cell] = 3 + middle - _steps(columns[cell] - middle, rows[cell] - middle)
                since = 0
            for glass in range(since, count):
                other = room[chosen + glass]
                away = _steps(columns[cell] - columns[other], rows[cell] - rows[other])
                room[nearest + cell] = min(room[nearest + cell], away)
            if room[nearest + cell] > farthest:
                best, farthest = cell, room[nearest + cell]
        room[chosen + count] = best
        count += 1
        # What is too near to it goes; the others stay in their order.
        kept = 0
        for place in range(left):
            cell = room[place]
            if _steps(columns[cell] - columns[best], rows[cell] - rows[best]) >= gap:
                room[kept] = cell
                kept += 1
        left = kept
    return count, high, low


@compiled
def lay_out(tables: Tables, state: Ints, number: int) -> None:
    """Place the glass of the layout ``number``, 0…2^32-1."""
    fixed, room = tables[0], tables[5]
    high, low = 0, number
    for attempt in range(2 * _ATTEMPTS):
        count, high, low = _placed(tables, high, low, 3 if attempt < _ATTEMPTS else 2)
        if count == fixed[PIECES]:
            break
    for place in range(2 * fixed[CELLS], 2 * fixed[CELLS] + fixed[PIECES]):
        state[BOARD + room[place]] += FREE
        spread(tables, state, room[place], (1 << FREE_BESIDE) + (1 << GLASS_BESIDE))
    state[FREE_LEFT], state[LAID] = fixed[PIECES], 1
