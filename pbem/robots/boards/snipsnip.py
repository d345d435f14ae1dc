"""SnipSnip for robots: for each cell it counts the patterns that close it, and it keeps a list of the free cells.

An action is the number of the cell to place a stone on; where several stones can be removed, the one chosen follows, as
the number of its cell behind those of all cells. A sole one goes with the placement.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from pbem.robots.board import ONE, OVER, WHOLE, Board, Kernel, Opened, State
from pbem.robots.chance import below, state_of
from pbem.robots.compiled import Ints, array, compiled
from rules.game import Value
from rules.games import GAMES
from rules.notation import cell_name
from rules.position import Seat

_TURN = 0  # the seat next to place, or to choose what to remove
_ENDED = 1  # 0 while the match goes on, 1 when the groups decide, and 2 more than the seat that has won by an exit
_FREE = 2  # how many cells are free
_RUN = 3  # how many positions are remembered, without misère
_HASH = 4  # of the board, relative to the first of them
_LATEST = 5  # the cell of the latest stone
_ABLE = 6  # how many stones can be removed by it, and then their cells, at most 8
_CELLS = 15
"""Where in a state the cells begin.

A cell is 1 or 2 with a stone of seat 0 or 1, else 0, and 4 more for each pattern that it is in the middle of: a free
one is 0. Behind the cells stand a border cell, which is never free nor anybody's; the free cells in any order; the
place of each cell among them; room for the stones of a group; and what is remembered.
"""

_BORDER = 3
_STONE = 3  # the bits of a cell that tell whose it is
_PATTERN = 4
_SEEN = 1 << 10
_REMEMBERED = 512
"""Positions in a row, each after a capture, within which a repetition is found.

In a million random matches on boards of every form there were never more than 25.
"""

_USUAL = 18  # the cells of the default board
_BUDGETS = (15, 150, 3000)
_WEIGHTS = ONE // 2, 50, ONE
"""With hints, 57 of 100 won on equi-2-4 at 300 playouts, 75 on hex-4 at 500, against none and (ONE, 0, 3 * ONE)."""

_GAME = GAMES["snipsnip"]
_DEFAULTS = _GAME.normalise({})

Step = tuple[int, int]
"""Columns and rows from one cell to another."""


class Tables(NamedTuple):
    """What stays as it is all through a match; cells are numbered from 0, and places in a state from `_CELLS`.

    ``around`` has three places for each neighbour of a cell: it, and both ends of the patterns with the cell at the
    other end and that neighbour in the middle; the border stands for one that is missing. Those of a cell go from its
    ``start`` to that of the next. ``linked`` are likewise, from ``links``, the places connected with a cell. ``keys``
    are the random numbers of a stone of either seat on each cell. ``at`` are column and row of each cell.
    """

    cells: int
    misere: int
    every_site: int
    start: Ints
    around: Ints
    links: Ints
    linked: Ints
    keys: Ints
    at: Ints


@compiled
def _close(tables: Tables, state: Ints, place: int) -> None:
    """Take a cell off the list of the free ones."""
    first = _CELLS + tables.cells + 1
    where = first + tables.cells - _CELLS
    state[_FREE] -= 1
    last = state[first + state[_FREE]]
    hole = state[where + place]
    state[first + hole] = last
    state[where + last] = hole


@compiled
def _put(tables: Tables, state: Ints, cell: int) -> None:
    """Place a stone of the seat to act, and list what it could remove."""
    own = state[_TURN] + 1
    other = 3 - own
    able, least = 0, 0 if tables.every_site else 1
    _close(tables, state, _CELLS + cell)
    state[_CELLS + cell] = own
    around = tables.around
    for at in range(tables.start[cell], tables.start[cell + 1], 3):
        made = 0
        if state[around[at + 1]] & _STONE == other:
            made = 1
        if state[around[at + 2]] & _STONE == other:
            made += 1
        if made >= least:
            place = around[at]
            value = state[place]
            if value == 0 and made > 0:
                _close(tables, state, place)
            value += made * _PATTERN
            state[place] = value
            if value & _STONE == other and value > _STONE:
                able += 1
                state[_ABLE + able] = place - _CELLS
    state[_ABLE] = able


@compiled
def _remove(tables: Tables, state: Ints, cell: int) -> None:
    """Remove a stone of the opponent of the seat to act; its cell stays closed by the pattern that captured it."""
    own = state[_TURN] + 1
    first = _CELLS + tables.cells + 1
    where = first + tables.cells - _CELLS
    state[_CELLS + cell] -= 3 - own
    around = tables.around
    for at in range(tables.start[cell], tables.start[cell + 1], 3):
        undone = 0
        if state[around[at + 1]] & _STONE == own:
            undone = 1
        if state[around[at + 2]] & _STONE == own:
            undone += 1
        if undone > 0:
            place = around[at]
            value = state[place] - undone * _PATTERN
            state[place] = value
            if value == 0:
                state[where + place] = state[_FREE]
                state[first + state[_FREE]] = place
                state[_FREE] += 1
    state[_ABLE] = 0


@compiled
def _repeated(tables: Tables, state: Ints, cell: int, removed: int) -> bool:
    """Remember the board after a turn without misère, and return whether it is there for the third time.

    The seats take turns, so it is the same player's move after every other turn. Only captures lead back.
    """
    if removed < 0:
        state[_HASH], state[_RUN] = 0, 1
        state[len(state) - _REMEMBERED] = 0
        return False
    own = state[_TURN]
    state[_HASH] ^= tables.keys[2 * cell + own] ^ tables.keys[2 * removed + 1 - own]
    first, now, run = len(state) - _REMEMBERED, state[_HASH], state[_RUN]
    before = 0
    for back in range(2, min(run, _REMEMBERED) + 1, 2):
        if state[first + (run - back) % _REMEMBERED] == now:
            before += 1
    state[first + run % _REMEMBERED] = now
    state[_RUN] = run + 1
    return before >= 2


@compiled
def _finish(tables: Tables, state: Ints, cell: int, removed: int) -> None:
    """End a turn that placed a stone on ``cell`` and ``removed`` another, or -1 for none."""
    over = state[_FREE] == 0
    if not tables.misere:
        over = _repeated(tables, state, cell, removed) or over
    if removed < 0 or not tables.misere:
        state[_TURN] = 1 - state[_TURN]
    if over:
        state[_ENDED] = 1


@compiled
def _legal(tables: Tables, state: Ints, actions: Ints) -> int:
    count = state[_ABLE]
    if count > 0:
        for place in range(count):
            actions[place] = tables.cells + state[_ABLE + 1 + place]
        return count
    count, first = state[_FREE], _CELLS + tables.cells + 1
    for place in range(count):
        actions[place] = state[first + place] - _CELLS
    return count


@compiled
def _play(tables: Tables, state: Ints, action: int) -> None:
    if action < tables.cells:
        _put(tables, state, action)
        if state[_ABLE] > 1:
            state[_LATEST] = action
            return
        removed = state[_ABLE + 1] if state[_ABLE] > 0 else -1
        cell = action
    else:
        cell, removed = state[_LATEST], action - tables.cells
    if removed >= 0:
        _remove(tables, state, removed)
    _finish(tables, state, cell, removed)


@compiled
def _playout(tables: Tables, state: Ints, random: Ints, actions: Ints) -> None:
    first = _CELLS + tables.cells + 1
    while state[_ENDED] == 0:
        able = state[_ABLE]
        if able == 0:
            state[_LATEST] = state[first + below(random, state[_FREE])] - _CELLS
            _put(tables, state, state[_LATEST])
            able = state[_ABLE]
        removed = -1
        if able > 0:
            removed = state[_ABLE + 1 + (below(random, able) if able > 1 else 0)]
            _remove(tables, state, removed)
        _finish(tables, state, state[_LATEST], removed)


@compiled
def _actor(tables: Tables, state: Ints) -> int:
    return OVER if state[_ENDED] else state[_TURN]


@compiled
def _played(tables: Tables, state: Ints, seat: int, action: int) -> bool:
    return action < tables.cells and state[_CELLS + action] & _STONE == seat + 1


@compiled
def _shown(tables: Tables, state: Ints, cells: Ints) -> int:
    for cell in range(tables.cells):
        cells[cell] = state[_CELLS + cell] & _STONE
    return tables.cells


@compiled
def _rewards(tables: Tables, state: Ints, rewards: Ints) -> None:
    winner = state[_ENDED] - 2
    if winner < 0:
        white, black = _largest(tables, state)
        winner = 1 - state[_TURN]
        if white != black:
            winner = 1 if (white > black) == (tables.misere == 1) else 0
    rewards[winner] = WHOLE
    rewards[1 - winner] = 0


@compiled
def _largest(tables: Tables, state: Ints) -> tuple[int, int]:
    """Return the sizes of the largest groups of both seats; all is as before then."""
    group = _CELLS + 1 + 3 * tables.cells
    white, black = 0, 0
    for seed in range(_CELLS, _CELLS + tables.cells):
        stone = state[seed] & (_SEEN | _STONE)
        if stone == 0 or stone >= _SEEN:
            continue
        state[group] = seed
        state[seed] += _SEEN
        size, done = 1, 0
        while done < size:
            cell = state[group + done] - _CELLS
            state[group + done] = 0
            done += 1
            for at in range(tables.links[cell], tables.links[cell + 1]):
                place = tables.linked[at]
                if state[place] & (_SEEN | _STONE) == stone:
                    state[group + size] = place
                    state[place] += _SEEN
                    size += 1
        if stone == 1:
            white = max(white, size)
        else:
            black = max(black, size)
    for place in range(_CELLS, _CELLS + tables.cells):
        state[place] &= _SEEN - 1
    return white, black


def _ends(steps: frozenset[Step], way: Step, diagonal: bool) -> list[Step]:
    """Return how far off the other ends are of the patterns with an end here and a step ``way`` in the middle."""
    right, up = way
    if not diagonal:
        return [(2 * right, 2 * up)]
    straight = {(2 * right, 2 * up) for right, up in steps}
    bent = {(right + onward, up + upward) for onward, upward in steps}
    return sorted(bent - steps - straight - {(0, 0)})


@cache
def _tables(board: str, capture: str, scoring: str, sites: str, misere: bool) -> Tables:
    """Return the tables of a match with these options; what is next to what is read from its first view."""
    views = [_GAME.begin(2, {"board": board, "scoring": scored}).view() for scored in ("groups", scoring)]
    cells = sorted(((cell.column, cell.row) for cell in views[0].cells), key=lambda at: at[::-1])
    places = {at: _CELLS + number for number, at in enumerate(cells)}
    border = _CELLS + len(cells)
    near, links = (
        frozenset(step for right, up in view.chains.steps[0][1] for step in ((right, up), (-right, -up)))
        for view in views
        if view.chains
    )
    start, around, first, linked = [0], list[int](), [0], list[int]()
    for column, row in cells:
        for right, up in sorted(near):
            if place := places.get((column + right, row + up)):
                ends = (
                    places.get((column + far, row + off))
                    for far, off in _ends(near, (right, up), capture == "diagonal")
                )
                one, other = (*(end for end in ends if end), border, border)[:2]
                around += [place, one, other]
        linked += [place for right, up in sorted(links) if (place := places.get((column + right, row + up)))]
        start.append(len(around))
        first.append(len(linked))
    random = array([state_of(len(cells))])
    keys = [below(random, 1 << 30) << 30 | below(random, 1 << 30) for _ in range(2 * len(cells))]
    tables = start, around, first, linked, keys, [part for at in cells for part in at]
    return Tables(len(cells), int(misere), int(sites == "all"), *(array(values) for values in tables))


def _start(seats: int, options: Mapping[str, Value]) -> Opened | None:
    if not options.keys() <= _DEFAULTS.keys():
        return None
    chosen = {**_DEFAULTS, **options}
    words = (str(chosen[key]) for key in ("board", "capture", "scoring", "capture_sites"))
    tables = _tables(*words, misere=bool(chosen["misere"]))
    count = tables.cells
    board = [0] * count + [_BORDER]
    listed, where = range(_CELLS, _CELLS + count), range(count)
    room = count + (0 if tables.misere else _REMEMBERED)
    state = [*[0] * _CELLS, *board, *listed, *where, *[0] * room]
    state[_FREE] = count
    return Opened(tables, array(state), count, max(1, count * count // _USUAL**2))


def _name(tables: Tables, cell: int) -> str:
    return cell_name(int(tables.at[2 * cell]), int(tables.at[2 * cell + 1]))


def _actions(opened: Opened, state: State, text: str) -> tuple[int, ...]:
    tables, after, actions = opened.tables, state.copy(), list[int]()
    cells = {_name(tables, cell): cell for cell in range(tables.cells)}
    for part in text.split():
        placed, _, removed = part.partition("x")
        actions.append(cells[placed])
        _play(tables, after, actions[-1])
        if after[_ABLE] > 0:
            actions.append(tables.cells + cells[removed])
            _play(tables, after, actions[-1])
    return tuple(actions)


def _text(opened: Opened, state: State, actions: Sequence[int]) -> str | None:
    """Return the part of a move that a stone and its removal make; it is a whole one to the rules."""
    tables, after, (cell, *chosen) = opened.tables, state.copy(), actions
    _put(tables, after, cell)
    able = [int(other) for other in after[_ABLE + 1 : _ABLE + 1 + after[_ABLE]]]
    if len(able) > 1 and not chosen:
        return None
    removed = [action - tables.cells for action in chosen] or able
    return "x".join(_name(tables, each) for each in (cell, *removed))


def _leave(opened: Opened, state: Ints, seat: Seat) -> None:
    state[_ENDED] = 2 + 1 - seat


def _passed(opened: Opened, state: Ints) -> Ints | None:
    if state[_ABLE] > 0:
        return None
    passed = array(state)
    passed[_TURN] = 1 - passed[_TURN]
    return passed


SNIPSNIP = Board(
    Kernel(_legal, _play, _actor, _rewards, _playout, played=_played, shown=_shown),
    _start,
    _actions,
    _text,
    _leave,
    _BUDGETS,
    _WEIGHTS,
    passed=_passed,
)
