"""Pip•Pip for robots: sixteen cells, two stores and the die in hand, as whole numbers.

The state: what stands on each cell, 0 or ``_standing``; who plays Light; the seat whose turn it is; the roll that comes
next; the die to place, and whether it came from the store, or, without one, the number just stored; the number of empty
cells; for each seat the number of dice in its store, and of each face; and how the match ended. A die from the store is
two actions: which, and where.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbem.robots.board import CHANCE, ONE, OVER, WHOLE, Board, Kernel, Opened, State
from pbem.robots.chance import below
from pbem.robots.compiled import Ints, array, compiled
from rules.game import Value
from rules.games import GAMES
from rules.position import Seat

_CELLS, _SIDES = 16, 4
_LIGHT, _TURN, _AWAITED, _HAND, _USED, _EMPTY, _STORES, _RESULT = 16, 17, 18, 19, 20, 21, 22, 36
_STORE = 7  # numbers for the store of a seat: how many dice, then how many of each face
_NOTHING, _COLOURS, _STARTER, _DIE = 0, 1, 2, 3  # rolls that come next
_GOING, _FULL_BOARD, _LEFT = 0, 1, 2  # results; with _LEFT + seat, that seat alone is left

_STORED_MOST = 3
_KEEP, _ROLL, _USE = 96, 97, 98  # actions; below _KEEP: 6 × cell + north - 1, and from _USE: that + the number - 1
_MOST = 6 * _CELLS + 2

_PLACING = re.compile(r"(?:use ([1-6]) )?([a-d][1-4]) n([1-6])")

_Tables = tuple[Ints, Ints, Ints, Ints, Ints]
"""Neighbours (north, east, south, west of each cell; -1 for none), the cells' colours (1 is light), the sides of a die
by its `_standing`, the sides that may face north, four for each number on top, and whether a die may be stored only to
be placed at once, which is as good as placing it and looks foolish."""


@compiled
def _standing(top: int, north: int, light: int) -> int:
    """Return the number of a die on the board: above 0, odd for Dark, even for Light."""
    return 1 + 2 * (6 * (top - 1) + north - 1) + light


@compiled
def _top(standing: int) -> int:
    """Return the number on top of a die on the board."""
    return (standing - 1) // 12 + 1


@compiled
def _may_roll(state: Ints, seat: int) -> bool:
    """Return whether ``seat``, without a die in hand, may roll one."""
    return state[_STORES + _STORE * seat] < min(_STORED_MOST, (state[_EMPTY] + 1) // 2)


@compiled
def _stores_for_more(state: Ints, seat: int) -> bool:
    """Return whether ``seat`` can do anything but place the die in hand once it has stored it."""
    store = _STORES + _STORE * seat
    return state[store] + 1 < min(_STORED_MOST, (state[_EMPTY] + 1) // 2) or state[store] > state[store + state[_HAND]]


@compiled
def _legal(tables: _Tables, state: Ints, actions: Ints) -> int:
    norths, seat, top, count = tables[3], state[_TURN], state[_HAND], 0
    if state[_AWAITED] != _NOTHING:
        count = 6 if state[_AWAITED] == _DIE else 2
        for face in range(count):
            actions[face] = face
        return count
    if top == 0:
        if _may_roll(state, seat):
            actions[0], count = _ROLL, 1
        store, stored = _STORES + _STORE * seat, state[_USED]
        if tables[4][0] or (count == 0 and state[store] == state[store + stored]):
            stored = 0
        for face in range(6):
            if state[store + 1 + face] > 0 and face + 1 != stored:
                actions[count] = _USE + face
                count += 1
        return count
    if state[_USED] == 0 and (tables[4][0] or _stores_for_more(state, seat)):
        actions[0], count = _KEEP, 1
    for cell in range(_CELLS):
        if state[cell] == 0:
            for turned in range(_SIDES):
                actions[count] = 6 * cell + norths[_SIDES * top + turned] - 1
                count += 1
    return count


@compiled
def _place(tables: _Tables, state: Ints, cell: int, north: int) -> None:
    """Place the die to be placed on an empty cell; the turn ends, or the match."""
    neighbours, _, sides, _, _ = tables
    seat = state[_TURN]
    light = 1 if state[_LIGHT] == seat else 0
    standing = _standing(state[_HAND], north, light)
    state[cell] = standing
    for side in range(_SIDES):
        other = neighbours[_SIDES * cell + side]
        if other >= 0:
            foe = state[other]
            # Of another colour, so one number is odd; and nothing, 0, is no foe.
            if foe > 0 and (foe ^ standing) & 1 and sides[_SIDES * standing + side] > sides[4 * foe + (side ^ 2)]:
                state[other] = foe + (1 if light else -1)
    state[_HAND] = state[_USED] = 0
    state[_EMPTY] -= 1
    state[_TURN] = 1 - seat
    if state[_EMPTY] == 0:
        state[_RESULT] = _FULL_BOARD
    elif state[_STORES + _STORE * (1 - seat)] == 0:
        state[_AWAITED] = _DIE


@compiled
def _play(tables: _Tables, state: Ints, action: int) -> None:
    awaited, store = state[_AWAITED], _STORES + _STORE * state[_TURN]
    if awaited == _DIE:
        state[_HAND], state[_USED], state[_AWAITED] = action + 1, 0, _NOTHING
    elif awaited == _COLOURS:
        state[_LIGHT], state[_AWAITED] = action, _STARTER
    elif awaited == _STARTER:
        state[_TURN] = state[_LIGHT] if action == 0 else 1 - state[_LIGHT]
        state[_AWAITED] = _DIE
    elif action < _KEEP:
        _place(tables, state, action // 6, action % 6 + 1)
    elif action == _KEEP:
        state[store] += 1
        state[store + state[_HAND]] += 1
        state[_HAND], state[_USED] = 0, state[_HAND]
    elif action == _ROLL:
        state[_AWAITED] = _DIE
    else:
        state[_HAND], state[_USED] = action - _USE + 1, 1
        state[store] -= 1
        state[store + state[_HAND]] -= 1


@compiled
def _actor(tables: _Tables, state: Ints) -> int:
    if state[_RESULT] != _GOING:
        return OVER
    return CHANCE if state[_AWAITED] != _NOTHING else state[_TURN]


@compiled
def _rewards(tables: _Tables, state: Ints, rewards: Ints) -> None:
    colours, lead = tables[1], 0
    if state[_RESULT] >= _LEFT:
        winner = state[_RESULT] - _LEFT
    else:
        for cell in range(_CELLS):
            standing = state[cell]
            light = 1 - (standing & 1)
            if light == colours[cell]:
                lead += _top(standing) if light else -_top(standing)
        winner = state[_LIGHT] if lead > 0 else 1 - state[_LIGHT]
        if lead == 0:
            rewards[0] = rewards[1] = WHOLE // 2
            return
    rewards[winner], rewards[1 - winner] = WHOLE, 0


@compiled
def _playout(tables: _Tables, state: Ints, random: Ints, actions: Ints) -> None:
    norths = tables[3]
    while state[_AWAITED] == _COLOURS or state[_AWAITED] == _STARTER:
        _play(tables, state, below(random, 2))
    free = 0
    for cell in range(_CELLS):
        if state[cell] == 0:
            actions[free] = cell
            free += 1
    while free > 0:
        seat = state[_TURN]
        store = _STORES + _STORE * seat
        if state[_AWAITED] == _DIE:
            state[_HAND], state[_USED], state[_AWAITED] = below(random, 6) + 1, 0, _NOTHING
        if state[_HAND] > 0:
            # All ways to go on are equally likely: every way to place the die, and to store it.
            chosen = below(random, _SIDES * free + 1 - state[_USED])
            if chosen == _SIDES * free:
                _play(tables, state, _KEEP)
                continue
            place = chosen // _SIDES
            cell = actions[place]
            free -= 1
            actions[place] = actions[free]
            _place(tables, state, cell, norths[_SIDES * state[_HAND] + chosen % _SIDES])
        else:
            dice = state[store]
            chosen = below(random, dice + (1 if _may_roll(state, seat) else 0))
            if chosen == dice:
                state[_AWAITED] = _DIE
                continue
            top = 0
            while chosen >= 0:
                top += 1
                chosen -= state[store + top]
            _play(tables, state, _USE + top - 1)


@compiled
def _shown(tables: _Tables, state: Ints, cells: Ints) -> int:
    for cell in range(_CELLS):
        cells[cell] = state[cell]
    return _CELLS


def _sides(top: int, north: int) -> tuple[int, int, int, int]:
    """Return the sides of a die from north on, clockwise; opposite ones sum to 7, and 1-2-3 run counter-clockwise."""
    for east in range(1, 7):
        seen = [min(face, 7 - face) for face in (top, north, east)]
        even = seen in ([1, 2, 3], [2, 3, 1], [3, 1, 2])
        if len(set(seen)) == 3 and even == (sum(face > 3 for face in (top, north, east)) % 2 == 1):
            return north, east, 7 - north, 7 - east
    raise ValueError(f"With {top} on top, {north} can't face north.")


def _norths(top: int) -> tuple[int, ...]:
    """Return the four numbers that may face north."""
    return tuple(north for north in range(1, 7) if north not in (top, 7 - top))


def _start(seats: int, options: Mapping[str, Value]) -> Opened | None:
    cells = {(cell.column, cell.row): cell for cell in GAMES["pippip"].start(seats, options).view().cells}
    places = [(column, row) for row in range(4) for column in range(4)]
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
    beside = [(column + right, row + up) for column, row in places for right, up in steps]
    sides = [0] * (_SIDES * (1 + 2 * 36))
    for top in range(1, 7):
        for north in _norths(top):
            for light in (0, 1):
                at = _SIDES * _standing(top, north, light)
                sides[at : at + _SIDES] = _sides(top, north)
    state = [0] * (_RESULT + 1)
    state[_AWAITED], state[_EMPTY] = _COLOURS, _CELLS
    tables = (
        array([places.index(place) if place in cells else -1 for place in beside]),
        array([int(cells[place].ground == "light") for place in places]),
        array(sides),
        array([0] * _SIDES + [north for top in range(1, 7) for north in _norths(top)]),
        array([0]),
    )
    return Opened(tables, array(state), _MOST)


def _start_first(seats: int, options: Mapping[str, Value]) -> Opened | None:
    """Open a match as robots saw it first: they stored dice only to place them, too."""
    opened = _start(seats, options)
    assert opened is not None
    return replace(opened, tables=(*opened.tables[:4], array([1])))


def _actions(opened: Opened, state: State, text: str) -> tuple[int, ...]:
    if text in ("store", "roll"):
        return (_KEEP if text == "store" else _ROLL,)
    found = _PLACING.fullmatch(text)
    assert found
    top, name, north = found.groups()
    cell = 4 * (int(name[1]) - 1) + "abcd".index(name[0])
    placing = 6 * cell + int(north) - 1
    return (_USE + int(top) - 1, placing) if top else (placing,)


def _text(opened: Opened, state: State, actions: Sequence[int]) -> str | None:
    last = actions[-1]
    if last >= _USE:
        return None
    if last >= _KEEP:
        return "store" if last == _KEEP else "roll"
    cell, north = divmod(last, 6)
    placing = f"{'abcd'[cell % 4]}{cell // 4 + 1} n{north + 1}"
    return f"use {actions[0] - _USE + 1} {placing}" if len(actions) > 1 else placing


def _leave(opened: Opened, state: State, seat: Seat) -> None:
    state[_RESULT] = _LEFT + 1 - seat


_FIRST = Board(
    Kernel(_legal, _play, _actor, _rewards, _playout, shown=_shown),
    _start_first,
    _actions,
    _text,
    _leave,
    budgets=(20, 200, 4000),
)
PIPPIP = replace(
    _FIRST,
    start=_start,
    budgets=(200, 1500, 100_000),
    weights=(ONE // 2, 0, 3 * ONE),
    proving=True,
    since=2,
    former=_FIRST,
)
