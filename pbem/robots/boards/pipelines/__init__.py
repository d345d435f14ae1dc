"""Pipelines for robots.

An action is a home, a cube, the end of the turn, or the result of a roll. Robots name cells until one attacks, and what
comes after that once it is fought; of a line that was written whole, cells behind the attack are actions as well.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbem.robots.board import ONE, Board, Kernel, Opened, State
from pbem.robots.boards.pipelines import course
from pbem.robots.boards.pipelines.ground import CELLS, GLASS, HOMES, NOWHERE, SIDE, TURN, names_of, opening, tables_of
from pbem.robots.boards.pipelines.playout import playout
from pbem.robots.compiled import array
from rules.game import VERSION, Value
from rules.position import Seat

_GLASS = {7: 9, 8: 15, 10: 27}
_PASS = "pass"


def _start(seats: int, options: Mapping[str, Value]) -> Opened | None:
    side = int(options["size"])
    tables = tables_of(side, seats, _GLASS[side], lenient=options[VERSION] != 1)
    cells = tables[CELLS]
    return Opened(tables, array(opening(cells)), cells + 1)


def _names(opened: Opened) -> tuple[str, ...]:
    """Return the names of the cells in the order of their numbers."""
    return names_of(int(opened.tables[SIDE]))


def _goes_on(opened: Opened, state: State, seat: Seat) -> bool:
    """Return whether ``seat`` is still to act, so that its line can go on."""
    return course.actor(opened.tables, state) == seat


def _actions(opened: Opened, state: State, text: str) -> tuple[int, ...]:
    names, trial, seat = _names(opened), state.copy(), int(state[TURN])
    homing, found = state[HOMES + seat] == NOWHERE, list[int]()
    for name in () if text == _PASS else text.split():
        cell = names.index(name)
        found.append(cell if trial[GLASS] == NOWHERE else len(names) + 1 + cell)
        course.play(opened.tables, trial, found[-1])
    return (*found, len(names)) if not homing and _goes_on(opened, trial, seat) else tuple(found)


def _text(opened: Opened, state: State, actions: Sequence[int]) -> str | None:
    names, trial, seat = _names(opened), state.copy(), int(state[TURN])
    words = [names[action % (len(names) + 1)] for action in actions if action != len(names)]
    homing = state[HOMES + seat] == NOWHERE
    for action in actions:
        course.play(opened.tables, trial, action)
    if not homing and _goes_on(opened, trial, seat) and actions[-1] != len(names):
        return None
    return " ".join(words) or _PASS


def _leave(opened: Opened, state: State, seat: Seat) -> None:
    course.without(opened.tables, state, seat)


_FIRST = Board(
    Kernel(course.legal, course.play, course.actor, course.rewards, playout, played=course.played, shown=course.shown),
    _start,
    _actions,
    _text,
    _leave,
    budgets=(10, 100, 1000),
    weights=(ONE // 2, 50, 3 * ONE),
)
_SECOND = replace(_FIRST, budgets=(10, 100, 3000), since=2, former=_FIRST)
PIPELINES = replace(_SECOND, budgets=(10, 400, 8000), since=3, former=_SECOND)
