"""What the state of a match of Pipelines consists of, and what stands on its cells.

Cells are numbered row by row from a1; one more, behind the last, is the wall that surrounds the board. A cell is one
number: in its lowest bits what stands there, then two flags, how many pieces of each seat it has beside it to build
from, how much glass that nobody controls, and how much glass at all. What counts beside the wall runs over, upwards.
"""

from collections.abc import Sequence
from typing import TypeAlias

from pbem.robots.compiled import Ints, array, compiled
from rules.board.hexagon import hexagon

SIDES = 6
SEATS = 3
ROOMS = 5  # as many numbers as cells, so often, to write into

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
# from glass that it has won in the same turn.
CELLS, PLAYERS, PIECES, SIDE, LENIENT = range(5)

Tables: TypeAlias = tuple[Ints, Ints, Ints, Ints, Ints, Ints]
"""The numbers above; the neighbours of each cell, the wall where there is none; the place of each cell in the order of
names; its column; its row; and room to write into, whose content means nothing between two calls."""


def names_of(side: int) -> tuple[str, ...]:
    """Return the names of the cells in the order of their numbers."""
    return tuple(hexagon(side, side).places)


def tables_of(side: int, seats: int, pieces: int, *, lenient: bool) -> Tables:
    """Return what functions over a board with sides of ``side`` cells take."""
    board, names = hexagon(side, side), names_of(side)
    wall, places = len(names), list(board.places.values())
    numbers = {name: number for number, name in enumerate(names)}
    beside = [wall] * (SIDES * (wall + 1))
    for name, number in numbers.items():
        for place, other in enumerate(board.beside[name]):
            beside[SIDES * number + place] = numbers[other]
    order = {name: place for place, name in enumerate(sorted(names, key=lambda name: (name[0], int(name[1:]))))}
    return (
        array([wall, seats, pieces, side, int(lenient)]),
        array(beside),
        array([order[name] for name in names]),
        array([column for column, _ in places]),
        array([row for _, row in places]),
        array([0] * (ROOMS * (wall + 1))),
    )


def opening(cells: int) -> Sequence[int]:
    """Return the state of a match that begins."""
    state = [0] * (BOARD + cells + 1)
    state[GLASS] = NOWHERE
    state[HOMES : HOMES + SEATS] = [NOWHERE] * SEATS
    state[BOARD + cells] = WALL
    return state


@compiled
def spread(tables: Tables, state: Ints, cell: int, amount: int) -> None:
    """Add ``amount`` to the numbers of all cells beside ``cell``."""
    beside = tables[1]
    for place in range(SIDES * cell, SIDES * cell + SIDES):
        state[BOARD + beside[place]] += amount


@compiled
def gain(tables: Tables, state: Ints, seat: int, glass: int) -> None:
    """Let ``seat`` control ``glass``, which is nobody's."""
    state[BOARD + glass] += HELD + seat - FREE
    spread(tables, state, glass, (1 << NEAR + 3 * seat) - (1 << FREE_BESIDE))
    state[SHARES + seat] += 1
    state[FREE_LEFT] -= 1


@compiled
def lose(tables: Tables, state: Ints, seat: int, glass: int) -> None:
    """Let nobody control ``glass``, which ``seat`` does."""
    state[BOARD + glass] -= HELD + seat - FREE
    spread(tables, state, glass, (1 << FREE_BESIDE) - (1 << NEAR + 3 * seat))
    state[SHARES + seat] -= 1
    state[FREE_LEFT] += 1


@compiled
def build(tables: Tables, state: Ints, seat: int, cell: int, piece: int) -> None:
    """Put a cube or a home of ``seat`` on an empty cell."""
    state[BOARD + cell] += piece + seat
    spread(tables, state, cell, 1 << NEAR + 3 * seat)


@compiled
def clear(tables: Tables, state: Ints, seat: int, cell: int, piece: int) -> None:
    """Take a cube or a home of ``seat`` off its cell."""
    state[BOARD + cell] -= piece + seat
    spread(tables, state, cell, -(1 << NEAR + 3 * seat))


@compiled
def is_open(tables: Tables, state: Ints, seat: int, cell: int) -> bool:
    """Return whether ``seat`` may place a cube on ``cell``."""
    number = state[BOARD + cell]
    if number & KIND != EMPTY or (number >> NEAR + 3 * seat) & COUNT == 0:
        return False
    if state[FOUGHT] == 0 or (number >> GLASS_BESIDE) & COUNT == 0:
        return True
    for place in range(SIDES * cell, SIDES * cell + SIDES):
        other = state[BOARD + tables[1][place]]
        if other & FOUGHT_FOR and (tables[0][LENIENT] == 0 or other & KIND != HELD + seat):
            return False
    return True


@compiled
def may_be_home(state: Ints, cell: int) -> bool:
    """Return whether a home may be on ``cell``."""
    number = state[BOARD + cell]
    return number & KIND == EMPTY and (number >> GLASS_BESIDE) & COUNT == 0


@compiled
def meet(tables: Tables, state: Ints, seat: int, cube: int) -> int:
    """Let a cube take what glass is nobody's beside it; returns the glass that it attacks, the first by name."""
    attacked = NOWHERE
    for place in range(SIDES * cube, SIDES * cube + SIDES):
        other = tables[1][place]
        number = state[BOARD + other]
        kind = number & KIND
        if kind == FREE:
            gain(tables, state, seat, other)
        elif HELD <= kind < HELD + SEATS and kind != HELD + seat and number & FOUGHT_FOR == 0:
            if attacked == NOWHERE or tables[2][other] < tables[2][attacked]:
                attacked = other
    return attacked


@compiled
def cut(tables: Tables, state: Ints, seat: int, glass: int) -> None:
    """Remove what ``seat`` has lost at ``glass``: its cubes that reach it, and what then has no way to its home."""
    cells, beside, queue = tables[0][CELLS], tables[1], tables[5]
    queue[0] = glass
    done, count = 0, 1
    while done < count:
        for place in range(SIDES * queue[done], SIDES * queue[done] + SIDES):
            other = beside[place]
            if state[BOARD + other] & KIND == CUBE + seat:
                clear(tables, state, seat, other, CUBE)
                queue[count] = other
                count += 1
        done += 1
    queue[0] = state[HOMES + seat]
    done, count = 0, 1
    while done < count:
        for place in range(SIDES * queue[done], SIDES * queue[done] + SIDES):
            other = beside[place]
            number = state[BOARD + other]
            kind = number & KIND
            if (kind == CUBE + seat or kind == HELD + seat) and number & SEEN == 0:
                state[BOARD + other] += SEEN
                queue[count] = other
                count += 1
        done += 1
    for cell in range(cells):
        number = state[BOARD + cell]
        kind = number & KIND
        if number & SEEN:
            state[BOARD + cell] -= SEEN
        elif kind == CUBE + seat:
            clear(tables, state, seat, cell, CUBE)
        elif kind == HELD + seat:
            lose(tables, state, seat, cell)
