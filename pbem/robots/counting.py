"""What lies on the cells after each step of a board, told apart by numbers: for counting boards, millions of them."""

from collections.abc import Callable
from random import Random
from typing import Any

from pbem.robots.board import KINDS, OVER, Kernel, State
from pbem.robots.compiled import Ints, array, bound


def _unbound(*_: Any) -> Any:
    """Stand for a function of a kernel where none is bound."""
    raise NotImplementedError


legal = play = actor = shown = _unbound


def counting(kernel: Kernel) -> Callable[..., int]:
    """Return what numbers the boards after each step, compiled if the kernel is.

    ``count(tables, state, keys, actions, cells, boards)`` writes the number of the board after each legal action, and
    one more bit at its end: whether the match is over then. It returns how many actions there are. ``keys`` are those
    of `keys_of`; the others are room to write into. Two boards have the same number by chance alone: of a million, in
    one of ten million cases.
    """
    assert kernel.shown
    known: dict[str, Callable[..., Any]] = {
        "legal": kernel.legal,
        "play": kernel.play,
        "actor": kernel.actor,
        "shown": kernel.shown,
    }
    return bound(_count, known, kernel.fast)


def keys_of(cells: int) -> Ints:
    """Return a random number for each kind of what can lie on each cell."""
    random = Random(cells)
    return array([random.getrandbits(61) << 1 for _ in range(cells * KINDS)])


def _count(tables: State, root: State, keys: Ints, actions: Ints, cells: Ints, boards: Ints) -> int:
    count: int = legal(tables, root, actions)
    state = root.copy()
    for place in range(count):
        state[:] = root[:]
        play(tables, state, actions[place])
        number = 0
        for cell in range(shown(tables, state, cells)):
            number ^= keys[KINDS * cell + cells[cell]]
        boards[place] = number + (1 if actor(tables, state) == OVER else 0)
    return count
