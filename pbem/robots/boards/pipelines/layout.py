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
    ROOM,
    SIDE,
    WIDTH,
    spread,
    steps,
)
from pbem.robots.compiled import Ints, compiled

_CANDIDATES, _ATTEMPTS = 8, 20
_HALF = 0xFFFFFFFF
_GROWTH = (0x9E3779B9, 0x7F4A7C15)
_FIRST, _SECOND = (0xBF58476D, 0x1CE4E5B9), (0x94D049BB, 0x133111EB)

_NEAREST, _CHOSEN = ROOM + WIDTH, ROOM + 2 * WIDTH

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
def _placed(tables: Ints, high: int, low: int, gap: int) -> tuple[int, int, int]:
    """Write glass, ``gap`` steps apart, to the room; returns its number and where the generator is then."""
    cells, count = tables[CELLS], 0
    for cell in range(cells):
        tables[ROOM + cell] = cell
        tables[_NEAREST + cell] = -1
    for last in range(cells - 1, 0, -1):
        low += _GROWTH[1]
        high = (high + _GROWTH[0] + (low >> 32)) & _HALF
        low &= _HALF
        upper, lower = _mixed((high, low))
        other = ((upper % (last + 1) << 32) + lower) % (last + 1)
        last, other = ROOM + last, ROOM + other
        tables[last], tables[other] = tables[other], tables[last]
    left = cells
    while count < tables[PIECES] and left > 0:
        best, farthest = -1, -1
        for place in range(min(left, _CANDIDATES)):
            cell = tables[ROOM + place]
            since = count - 1
            if tables[_NEAREST + cell] < 0:
                tables[_NEAREST + cell] = 2 + tables[SIDE] - steps(tables, cell, cells // 2)
                since = 0
            for glass in range(since, count):
                away = steps(tables, cell, tables[_CHOSEN + glass])
                tables[_NEAREST + cell] = min(tables[_NEAREST + cell], away)
            if tables[_NEAREST + cell] > farthest:
                best, farthest = cell, tables[_NEAREST + cell]
        tables[_CHOSEN + count] = best
        count += 1
        # What is too near to it goes; the others stay in their order.
        kept = 0
        for place in range(left):
            cell = tables[ROOM + place]
            if steps(tables, cell, best) >= gap:
                tables[ROOM + kept] = cell
                kept += 1
        left = kept
    return count, high, low


@compiled
def lay_out(tables: Ints, state: Ints, number: int) -> None:
    """Place the glass of the layout ``number``, 0…2^32-1."""
    high, low = 0, number
    for attempt in range(2 * _ATTEMPTS):
        count, high, low = _placed(tables, high, low, 3 if attempt < _ATTEMPTS else 2)
        if count == tables[PIECES]:
            break
    for place in range(_CHOSEN, _CHOSEN + tables[PIECES]):
        state[BOARD + tables[place]] += FREE
        spread(tables, state, tables[place], (1 << FREE_BESIDE) + (1 << GLASS_BESIDE))
    state[FREE_LEFT], state[LAID] = tables[PIECES], 1
