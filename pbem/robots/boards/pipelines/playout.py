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
    BESIDE,
    BOARD,
    CELLS,
    EMPTY,
    FOUGHT_FOR,
    FREE,
    FURTHER_ROOM,
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
    SEATS,
    SIDES,
    SPINNER,
    TURN,
    WIDTH,
    WON,
    is_open,
    steps,
)
from pbem.robots.chance import below
from pbem.robots.compiled import Ints, compiled

_WORD = 1 << 16
_LISTS = FURTHER_ROOM
_LENGTHS, _TARGETS, _TIPS, _ALL_GLASS = (_LISTS + SEATS * WIDTH + SEATS * place for place in range(4))
_HOSTILE = 16
_COMPARED, _DRAWN = 6, 2
_TRIES = 4


@compiled
def _owner(number: int) -> int:
    """Return the seat that can build from a cell, or NOWHERE."""
    kind = number & KIND
    if HELD <= kind < HOME + SEATS:
        return (kind - HELD) % SEATS
    return NOWHERE


@compiled
def _note(tables: Ints, seat: int, cell: int) -> None:
    """Remember that ``seat`` can build from ``cell``."""
    length = tables[_LENGTHS + seat]
    if length < WIDTH:
        tables[_LISTS + WIDTH * seat + length] = cell
        tables[_LENGTHS + seat] += 1


@compiled
def _collect(tables: Ints, state: Ints) -> None:
    """Write the lists anew."""
    for seat in range(SEATS):
        tables[_LENGTHS + seat] = 0
        tables[_TARGETS + seat] = tables[_TIPS + seat] = NOWHERE
    glass = _ALL_GLASS
    for cell in range(tables[CELLS]):
        number = state[BOARD + cell]
        if number & KIND == EMPTY:
            continue
        if FREE <= number & KIND < HELD + SEATS:
            tables[glass] = cell
            glass += 1
        owner = _owner(number)
        if owner != NOWHERE:
            _note(tables, owner, cell)


@compiled
def _drawn(tables: Ints, state: Ints, random: Ints, seat: int) -> int:
    """Return a cell that ``seat`` can build from; its home is never lost."""
    length, start = _LENGTHS + seat, _LISTS + WIDTH * seat
    while tables[length] > 0:
        place = start + below(random, tables[length])
        if _owner(state[BOARD + tables[place]]) == seat:
            return tables[place]
        tables[length] -= 1
        tables[place] = tables[start + tables[length]]
    return state[HOMES + seat]


@compiled
def _is_wanted(state: Ints, seat: int, glass: int) -> bool:
    """Return whether ``glass`` can be taken, or fought for, by ``seat``."""
    number = state[BOARD + glass]
    return number & KIND == FREE or (number & KIND != HELD + seat and number & FOUGHT_FOR == 0)


@compiled
def _attacks(tables: Ints, state: Ints, seat: int, cell: int) -> bool:
    """Return whether there is glass of others beside an open cell."""
    if state[BOARD + cell] >> GLASS_BESIDE == 0:
        return False
    for place in range(BESIDE + SIDES * cell, BESIDE + SIDES * cell + SIDES):
        kind = state[BOARD + tables[place]] & KIND
        if HELD <= kind < HELD + SEATS and kind != HELD + seat:
            return True
    return False


@compiled
def _next_cube(tables: Ints, state: Ints, random: Ints, seat: int) -> int:
    """Return an open cell: towards the glass that ``seat`` builds towards, or any; NOWHERE if none is found."""
    tip, target = tables[_TIPS + seat], tables[_TARGETS + seat]
    for attempt in range(_TRIES):
        if attempt > 0 or target == NOWHERE or not _is_wanted(state, seat, target):
            target, nearest, drawn = NOWHERE, 1 << 16, 0
            hostile = below(random, _HOSTILE) == 0
            start = below(random, tables[PIECES])
            for place in range(tables[PIECES]):
                glass = tables[_ALL_GLASS + (start + place) % tables[PIECES]]
                if (state[BOARD + glass] & KIND != FREE) == hostile and _is_wanted(state, seat, glass):
                    for _ in range(_DRAWN):
                        cell = _drawn(tables, state, random, seat)
                        away = steps(tables, cell, glass)
                        if away < nearest:
                            tip, target, nearest = cell, glass, away
                    drawn += 1
                    if drawn == _COMPARED:
                        break
            tables[_TARGETS + seat] = target
        elif _owner(state[BOARD + tip]) != seat:
            continue
        if target == NOWHERE:
            continue
        # Glass that was freed may lie beside a cube already: then another beside it takes it.
        limit, found, chosen = max(2, steps(tables, tip, target)), 0, NOWHERE
        peaceful = state[BOARD + target] & KIND == FREE
        for place in range(BESIDE + SIDES * tip, BESIDE + SIDES * tip + SIDES):
            cell = tables[place]
            if state[BOARD + cell] & KIND != EMPTY or steps(tables, cell, target) >= limit:
                continue
            if is_open(tables, state, seat, cell) and not (peaceful and _attacks(tables, state, seat, cell)):
                found += 1
                if found == 1 or below(random, found) == 0:
                    chosen = cell
        if chosen != NOWHERE:
            return chosen
    for _ in range(_TRIES):
        cell = tables[BESIDE + SIDES * _drawn(tables, state, random, seat) + below(random, SIDES)]
        if is_open(tables, state, seat, cell) and not _attacks(tables, state, seat, cell):
            return cell
    return NOWHERE


@compiled
def _build(tables: Ints, state: Ints, random: Ints) -> None:
    """Place one cube, or end the turn."""
    seat = state[TURN]
    cell = _next_cube(tables, state, random, seat)
    if cell == NOWHERE:
        next_turn(tables, state, 0)
        return
    attacked = put(tables, state, cell)
    tables[_TIPS + seat] = cell
    _note(tables, seat, cell)
    if state[BOARD + cell] >> GLASS_BESIDE:
        for place in range(BESIDE + SIDES * cell, BESIDE + SIDES * cell + SIDES):
            if state[BOARD + tables[place]] & KIND == HELD + seat:
                _note(tables, seat, tables[place])
    go_on(tables, state, cell, attacked)


@compiled
def playout(tables: Ints, state: Ints, random: Ints, actions: Ints) -> None:
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
