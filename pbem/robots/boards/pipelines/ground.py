"""What the state of a match of Pipelines consists of, and what stands on its cells.

Cells are numbered row by row from a1; one more, behind the last, is the wall that surrounds the board. A cell is one
number: in its lowest bits what stands there, then two flags, how many pieces of each seat it has beside it to build
from, how much glass that nobody controls, and how much glass at all. What counts beside the wall runs over, upwards.

Where the glass stands is drawn from one number, as the rules say: SplitMix64 in halves of 32 bits.
"""

from collections.abc import Sequence

from pbem.robots.compiled import Ints, array, compiled
from rules.board.hexagon import hexagon

SIDES = 6
SEATS = 3
WIDTH = 272  # of the largest board, with the wall

# What stands on a cell; to those with room for them a seat is added.
EMPTY, FREE, HELD, CUBE, HOME, WALL = 0, 1, 2, 5, 8, 15
KIND, FOUGHT_FOR, SEEN = 15, 16, 32
NEAR = 6  # the bits, three for each seat, of what it has beside a cell
FREE_BESIDE, GLASS_BESIDE = 15, 18
COUNT = 7  # a number in three bits

# The state: these numbers, those for each seat, the cells that wait for the end of a battle, and the board.
TURN, ROLLED, ALLOWANCE, LAID, GLASS, ATTACKER, DEFENDER, WON, LOST, SPINNER, DIE = range(11)
ROUNDS, QUIET, BUSY, RESULT, FREE_LEFT, FOUGHT, RESTING = range(11, 18)
HOMES, SHARES, GONE, REST, BOARD = 18, 21, 24, 27, 33
NOWHERE = -1

# What stays as it is: the number of cells, of seats and of glass, the length of a side, whether a seat may build on
# from glass that it has won in the same turn; the neighbours of each cell, the wall where there is none; the place of
# each cell in the order of names; its column; its row; and room to write into, which means nothing between two calls.
CELLS, PLAYERS, PIECES, SIDE, LENIENT = range(5)
BESIDE = 5
ORDER = BESIDE + SIDES * WIDTH
COLUMNS, ROWS, ROOM, FURTHER_ROOM = (ORDER + place * WIDTH for place in range(1, 5))
_END = FURTHER_ROOM + 4 * WIDTH


def names_of(side: int) -> tuple[str, ...]:
    """Return the names of the cells in the order of their numbers."""
    return tuple(hexagon(side, side).places)


def tables_of(side: int, seats: int, pieces: int, *, lenient: bool) -> Ints:
    """Return what functions over a board with sides of ``side`` cells take."""
    board, names = hexagon(side, side), names_of(side)
    numbers = {name: number for number, name in enumerate(names)}
    tables = [len(names), seats, pieces, side, int(lenient)] + [len(names)] * (SIDES * WIDTH)
    tables += [0] * (_END - len(tables))
    for name, number in numbers.items():
        for place, other in enumerate(board.beside[name]):
            tables[BESIDE + SIDES * number + place] = numbers[other]
        tables[COLUMNS + number], tables[ROWS + number] = board.places[name]
    for place, name in enumerate(sorted(names, key=lambda name: (name[0], int(name[1:])))):
        tables[ORDER + numbers[name]] = place
    return array(tables)


def opening(cells: int) -> Sequence[int]:
    """Return the state of a match that begins."""
    state = [0] * (BOARD + cells + 1)
    state[GLASS] = NOWHERE
    state[HOMES : HOMES + SEATS] = [NOWHERE] * SEATS
    state[BOARD + cells] = WALL
    return state


@compiled
def steps(tables: Ints, cell: int, other: int) -> int:
    """Return how many steps lie between two cells."""
    right, up = tables[COLUMNS + cell] - tables[COLUMNS + other], tables[ROWS + cell] - tables[ROWS + other]
    return max(abs(right), abs(up), abs(right - up))


@compiled
def spread(tables: Ints, state: Ints, cell: int, amount: int) -> None:
    """Add ``amount`` to the numbers of all cells beside ``cell``."""
    for place in range(BESIDE + SIDES * cell, BESIDE + SIDES * cell + SIDES):
        state[BOARD + tables[place]] += amount


@compiled
def gain(tables: Ints, state: Ints, seat: int, glass: int) -> None:
    """Let ``seat`` control ``glass``, which is nobody's."""
    state[BOARD + glass] += HELD + seat - FREE
    spread(tables, state, glass, (1 << NEAR + 3 * seat) - (1 << FREE_BESIDE))
    state[SHARES + seat] += 1
    state[FREE_LEFT] -= 1


@compiled
def lose(tables: Ints, state: Ints, seat: int, glass: int) -> None:
    """Let nobody control ``glass``, which ``seat`` does."""
    state[BOARD + glass] -= HELD + seat - FREE
    spread(tables, state, glass, (1 << FREE_BESIDE) - (1 << NEAR + 3 * seat))
    state[SHARES + seat] -= 1
    state[FREE_LEFT] += 1


@compiled
def build(tables: Ints, state: Ints, seat: int, cell: int, piece: int) -> None:
    """Put a cube or a home of ``seat`` on an empty cell."""
    state[BOARD + cell] += piece + seat
    spread(tables, state, cell, 1 << NEAR + 3 * seat)


@compiled
def clear(tables: Ints, state: Ints, seat: int, cell: int, piece: int) -> None:
    """Take a cube or a home of ``seat`` off its cell."""
    state[BOARD + cell] -= piece + seat
    spread(tables, state, cell, -(1 << NEAR + 3 * seat))


@compiled
def is_open(tables: Ints, state: Ints, seat: int, cell: int) -> bool:
    """Return whether ``seat`` may place a cube on ``cell``."""
    number = state[BOARD + cell]
    if number & KIND != EMPTY or (number >> NEAR + 3 * seat) & COUNT == 0:
        return False
    if state[FOUGHT] == 0 or (number >> GLASS_BESIDE) & COUNT == 0:
        return True
    for place in range(BESIDE + SIDES * cell, BESIDE + SIDES * cell + SIDES):
        other = state[BOARD + tables[place]]
        if other & FOUGHT_FOR and (tables[LENIENT] == 0 or other & KIND != HELD + seat):
            return False
    return True


@compiled
def may_be_home(state: Ints, cell: int) -> bool:
    """Return whether a home may be on ``cell``."""
    number = state[BOARD + cell]
    return number & KIND == EMPTY and (number >> GLASS_BESIDE) & COUNT == 0


@compiled
def meet(tables: Ints, state: Ints, seat: int, cube: int) -> int:
    """Let a cube take what glass is nobody's beside it; returns the glass that it attacks, the first by name."""
    attacked = NOWHERE
    for place in range(BESIDE + SIDES * cube, BESIDE + SIDES * cube + SIDES):
        other = tables[place]
        number = state[BOARD + other]
        kind = number & KIND
        if kind == FREE:
            gain(tables, state, seat, other)
            continue
        fights = HELD <= kind < HELD + SEATS and kind != HELD + seat and number & FOUGHT_FOR == 0
        if fights and (attacked == NOWHERE or tables[ORDER + other] < tables[ORDER + attacked]):
            attacked = other
    return attacked


@compiled
def cut(tables: Ints, state: Ints, seat: int, glass: int) -> None:
    """Remove what ``seat`` has lost at ``glass``: its cubes that reach it, and what then has no way to its home."""
    tables[ROOM] = glass
    done, count = 0, 1
    while done < count:
        start = BESIDE + SIDES * tables[ROOM + done]
        for place in range(start, start + SIDES):
            other = tables[place]
            if state[BOARD + other] & KIND == CUBE + seat:
                clear(tables, state, seat, other, CUBE)
                tables[ROOM + count] = other
                count += 1
        done += 1
    tables[ROOM] = state[HOMES + seat]
    done, count = 0, 1
    while done < count:
        start = BESIDE + SIDES * tables[ROOM + done]
        for place in range(start, start + SIDES):
            other = tables[place]
            number = state[BOARD + other]
            kind = number & KIND
            if (kind == CUBE + seat or kind == HELD + seat) and number & SEEN == 0:
                state[BOARD + other] += SEEN
                tables[ROOM + count] = other
                count += 1
        done += 1
    for cell in range(tables[CELLS]):
        number = state[BOARD + cell]
        kind = number & KIND
        if number & SEEN:
            state[BOARD + cell] -= SEEN
        elif kind == CUBE + seat:
            clear(tables, state, seat, cell, CUBE)
        elif kind == HELD + seat:
            lose(tables, state, seat, cell)


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
