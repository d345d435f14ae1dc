"""What a robot needs of a game: a board that can be changed in place, and the way between its actions and moves.

A *state* is a flat array of whole numbers. An *action* is the number of a step that is chosen or rolled at once: one
stone, "take", the end of a bid, a face of a die. A move of the rules is one action or several of the same seat.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pbem.robots.compiled import Ints
from rules.game import Value
from rules.position import Seat

OVER = -1
"""What ``actor`` says when the match is over."""

CHANCE = -2
"""What ``actor`` says when a roll comes next."""

CUT = -3
"""What ``actor`` says where a search ends before the match does."""

WHOLE = 60
"""What a win is worth; winners that share it each have an equal part, and one who loses 0."""

KINDS = 1 << 7
"""More than there are kinds of what can lie on a cell."""

ONE = 1 << 16
"""The share of one win in the units of weights."""

Weights: TypeAlias = tuple[int, int, int]
"""How the search weighs actions: that of having been tried little, in ONE; the visits that hints count for, at most;
and what an action without visits and hints counts for, in ONE: above 2 it is tried before all others."""

State: TypeAlias = Any
"""`Ints`, but for a board over positions of the rules."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """The functions that a search calls; compiled ones, or all of them plain Python.

    Each takes ``tables`` first, what stays as it is all through a match. ``legal(tables, state, actions)`` writes
    the actions that are legal now, or the equally likely results of the roll, and returns their number.
    ``play(tables, state, action)`` changes ``state``. ``actor(tables, state)`` is the seat to act, CHANCE or OVER.
    ``rewards(tables, state, rewards)`` writes each seat's part of WHOLE in a match that is over.
    ``playout(tables, state, random, actions)`` plays on to the end at random, rolls included; ``random`` is a state of
    `chance.below`, and ``actions`` room to write into.

    The search rates a state by ``estimate(tables, state, random, actions, rewards)``, which may change ``state`` and
    writes what each seat can expect, in WHOLE; without it by one playout. ``played(tables, state, seat, action)`` says
    whether ``seat`` played ``action`` in the playout that led to ``state``; if it is given, such playouts count as
    hints on what the action is worth now: for games where a move is good now if it is good later.

    ``shown(tables, state, cells)`` writes what lies on each cell, a number below KINDS that is 0 for nothing, and
    returns how many cells there are; ``cells`` has room for as many as can ever be legal.
    """

    legal: Callable[[State, State, Ints], int]
    play: Callable[[State, State, int], None]
    actor: Callable[[State, State], int]
    rewards: Callable[[State, State, Ints], None]
    playout: Callable[[State, State, Ints, Ints], None]
    fast: bool = True
    estimate: Callable[[State, State, Ints, Ints, Ints], None] | None = None
    played: Callable[[State, State, int, int], bool] | None = None
    shown: Callable[[State, State, Ints], int] | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """A match as it begins: what ``kernel`` takes, and the ``most`` actions that can ever be legal at once.

    On a board larger than usual, ``scale`` times the playouts of a strength are made.
    """

    tables: State
    state: State
    most: int
    scale: int = 1


@dataclass(frozen=True, slots=True)
class Board:
    """How robots see one game.

    ``start(seats, options)`` opens a match, or returns None for options that this board doesn't know; the generic board
    is then used. ``actions(opened, state, text)`` splits a move of the rules in canonical notation.
    ``text(opened, state, actions)`` is the way back: the move that the actions since ``state`` make, or None while
    more must follow. ``leave(opened, state, seat)`` changes ``state`` to what it is after ``seat`` left. Neither of the
    others changes ``state``. ``budgets`` are the playouts for an action at each strength, from 1.
    ``weights`` are for the search to choose by; if it is ``proving``, an end that it reaches proves what leads there.
    ``rooted(opened, state)``, if it is given, returns the state as a search from it begins, and the playouts that it
    needs at least. Such a search may end before the match does, where ``kernel.estimate`` knows better than playouts.
    ``passed(opened, state)``, if it is given, returns the state as it is if the seat to act did nothing, which the
    rules may not allow; None where that means nothing.

    Robots think so ``since`` a version of theirs, as `thinking.versions_of` counts; ``former`` is the board as they saw
    it before, with which old records are thought again.
    """

    kernel: Kernel
    start: Callable[[int, Mapping[str, Value]], Opened | None]
    actions: Callable[[Opened, State, str], tuple[int, ...]]
    text: Callable[[Opened, State, Sequence[int]], str | None]
    leave: Callable[[Opened, State, Seat], None]
    budgets: tuple[int, ...]
    weights: Weights = (ONE, 0, 3 * ONE)
    rooted: Callable[[Opened, State], tuple[State, int]] | None = None
    since: int = 1
    former: "Board | None" = None
    proving: bool = False
    passed: Callable[[Opened, State], State | None] | None = None
