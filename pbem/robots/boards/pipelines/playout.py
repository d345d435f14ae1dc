"""How a match of Pipelines is played to its end at random: each seat builds towards some glass that is near to it.

Cubes drawn by lot among all open cells lead nowhere: on a large board such a match takes its hundred rounds.
In the room of the tables, behind what `cut` needs, each seat has a list of cells that it can build from; cells that
are no longer its own are dropped when they are drawn. Then come the lengths of the lists, for each seat the glass that
it builds towards and its latest cube, and all the glass.
"""

from pbem.robots.board import OVER
from pbem.robots.boards.pipelines.course import actor, go_on, legal, next_turn, play, put, settle
from pbem.robots.boards.pipelines.ground import (
    ALLOWANCE,
    BOARD,
    CELLS,
    EMPTY,
    FOUGHT_FOR,
    FREE,
    GLASS,
    GLASS_BESIDE,
    HELD,
    HOME,
    HOMES,
    KIND,
    LAID,
    LOST,
    NOWHERE,
    PIECES,
    ROLLED,
    ROOMS,
    SEATS,
    SIDES,
    SPINNER,
    TURN,
    WON,
    Tables,
    is_open,
)
from pbem.robots.chance import below
from pbem.robots.compiled import Ints, compiled

_WORD = 1 << 16
_LENGTHS, _TARGETS, _TIPS, _ALL_GLASS = 0, 3, 6, 9
_HOSTILE = 16
_COMPARED, _DRAWN = 6, 2
_TRIES = 4


@compiled
def _steps(tables: Tables, cell: int, other: int) -> int:
    """Return how many steps lie between two cells."""
    right, up = tables[3][cell] - tables[3][other], tables[4][cell] - tables[4][other]
    return max(abs(right), abs(up), abs(right - up))


@compiled
def _owner(number: int) -> int:
    """Return the seat that can build from a cell, or NOWHERE."""
    kind = number & KIND
    if HELD <= kind < HOME + SEATS:
        return (kind - HELD) % SEATS
    return NOWHERE


@compiled
def _note(tables: Tables, seat: int, cell: int) -> None:
    """Remember that ``seat`` can build from ``cell``."""
    room, width = tables[5], tables[0][CELLS] + 1
    length = (ROOMS - 1) * width + _LENGTHS + seat
    if room[length] < width:
        room[(1 + seat) * width + room[length]] = cell
        room[length] += 1


@compiled
def _collect(tables: Tables, state: Ints) -> None:
    """Write the lists anew."""
    room, width = tables[5], tables[0][CELLS] + 1
    base = (ROOMS - 1) * width
    for seat in range(SEATS):
        room[base + _LENGTHS + seat] = 0
        room[base + _TARGETS + seat] = room[base + _TIPS + seat] = NOWHERE
    glass = base + _ALL_GLASS
    for cell in range(width - 1):
        number = state[BOARD + cell]
        if number & KIND == EMPTY:
            continue
        if FREE <= number & KIND < HELD + SEATS:
            room[glass] = cell
            glass += 1
        owner = _owner(number)
        if owner != NOWHERE:
            _note(tables, owner, cell)


@compiled
def _drawn(tables: Tables, state: Ints, random: Ints, seat: int) -> int:
    """Return a cell that ``seat`` can build from; its home is never lost."""
    room, width = tables[5], tables[0][CELLS] + 1
    length, start = (ROOMS - 1) * width + _LENGTHS + seat, (1 + seat) * width
    while room[length] > 0:
        place = start + below(random, room[length])
        if _owner(state[BOARD + room[place]]) == seat:
            return room[place]
        room[length] -= 1
        room[place] = room[start + room[length]]
    return state[HOMES + seat]


@compiled
def _is_wanted(state: Ints, seat: int, glass: int) -> bool:
    """Return whether ``glass`` can be taken, or fought for, by ``seat``."""
    number = state[BOARD + glass]
    return number & KIND == FREE or (number & KIND != HELD + seat and number & FOUGHT_FOR == 0)


@compiled
def _attacks(tables: Tables, state: Ints, seat: int, cell: int) -> bool:
    """Return whether there is glass of others beside an open cell."""
    if state[BOARD + cell] >> GLASS_BESIDE == 0:
        return False
    for place in range(SIDES * cell, SIDES * cell + SIDES):
        kind = state[BOARD + tables[1][place]] & KIND
        if HELD <= kind < HELD + SEATS and kind != HELD + seat:
            return True
    return False


@compiled
def _next_cube(tables: Tables, state: Ints, random: Ints, seat: int) -> int:
    """Return an open cell: towards the glass that ``seat`` builds towards, or any; NOWHERE if none is found."""
    beside, room, base = tables[1], tables[5], (ROOMS - 1) * (tables[0][CELLS] + 1)
    tip, target = room[base + _TIPS + seat], room[base + _TARGETS + seat]
    for attempt in range(_TRIES):
        if attempt > 0 or target == NOWHERE or not _is_wanted(state, seat, target):
            target, nearest, drawn = NOWHERE, 1 << 16, 0
            hostile = below(random, _HOSTILE) == 0
            start = below(random, tables[0][PIECES])
            for place in range(tables[0][PIECES]):
                glass = room[base + _ALL_GLASS + (start + place) % tables[0][PIECES]]
                if (state[BOARD + glass] & KIND != FREE) == hostile and _is_wanted(state, seat, glass):
                    for _ in range(_DRAWN):
                        cell = _drawn(tables, state, random, seat)
                        away = _steps(tables, cell, glass)
                        if away < nearest:
                            tip, target, nearest = cell, glass, away
                    drawn += 1
                    if drawn == _COMPARED:
                        break
            room[base + _TARGETS + seat] = target
        elif _owner(state[BOARD + tip]) != seat:
            continue
        if target == NOWHERE:
            continue
        # Glass that was freed may lie beside a cube already: then another beside it takes it.
        limit, found, chosen = max(2, _steps(tables, tip, target)), 0, NOWHERE
        peaceful = state[BOARD + target] & KIND == FREE
        for place in range(SIDES * tip, SIDES * tip + SIDES):
            cell = beside[place]
            if state[BOARD + cell] & KIND == EMPTY and _steps(tables, cell, target) < limit:
                if is_open(tables, state, seat, cell) and not (peaceful and _attacks(tables, state, seat, cell)):
                    found += 1
                    if found == 1 or below(random, found) == 0:
                        chosen = cell
        if chosen != NOWHERE:
            return chosen
    for _ in range(_TRIES):
        cell = beside[SIDES * _drawn(tables, state, random, seat) + below(random, SIDES)]
        if is_open(tables, state, seat, cell) and not _attacks(tables, state, seat, cell):
            return cell
    return NOWHERE


@compiled
def _build(tables: Tables, state: Ints, random: Ints) -> None:
    """Place one cube, or end the turn."""
    beside, room, seat = tables[1], tables[5], state[TURN]
    cell = _next_cube(tables, state, random, seat)
    if cell == NOWHERE:
        next_turn(tables, state, 0)
        return
    attacked = put(tables, state, cell)
    room[(ROOMS - 1) * (tables[0][CELLS] + 1) + _TIPS + seat] = cell
    _note(tables, seat, cell)
    if state[BOARD + cell] >> GLASS_BESIDE:
        for place in range(SIDES * cell, SIDES * cell + SIDES):
            if state[BOARD + beside[place]] & KIND == HELD + seat:
                _note(tables, seat, beside[place])
    go_on(tables, state, cell, attacked)


@compiled
def playout(tables: Tables, state: Ints, random: Ints, actions: Ints) -> None:
    """Play on to the end."""
    while actor(tables, state) != OVER and (not state[LAID] or state[HOMES + state[TURN]] == NOWHERE):
        if not state[LAID]:
            play(tables, state, below(random, _WORD) * _WORD + below(random, _WORD))
        else:
            play(tables, state, actions[below(random, legal(tables, state, actions))])
    _collect(tables, state)
    while actor(tables, state) != OVER:
        if state[GLASS] != NOWHERE:
            if state[SPINNER] + state[WON] + state[LOST] == 0:
                # Both have the same chance before anything is rolled.
                settle(tables, state, below(random, 2))
            else:
                play(tables, state, below(random, 6))
        elif state[ROLLED] == 0:
            state[ROLLED] = state[ALLOWANCE] = 1 + below(random, 6)
        else:
            _build(tables, state, random)
