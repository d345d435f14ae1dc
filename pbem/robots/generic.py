"""A board for any game, over the positions of its rules: slow, and the measure of the fast ones.

The state is a list of one position, which is never changed itself. An action is the place of a move among the legal
ones, of which the first ``_MOST`` are searched, or the result of a roll less one. Tables are the other moves that were
played, numbered on from ``_MOST``.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import Any

from pbem.robots.board import CHANCE, OVER, WHOLE, Board, Kernel, Opened
from pbem.robots.chance import below
from pbem.robots.compiled import Ints, pure
from rules.game import Value
from rules.games import GAMES
from rules.position import Chance, Position, Seat

_MOST = 1000
_BUDGETS = (20, 100, 500)
_below = pure(below)


@lru_cache(maxsize=4096)
def _moves(position: Position[Any]) -> tuple[Any, ...]:
    """Return the moves that are searched."""
    return tuple(islice(position.legal_moves(), _MOST))


def _move(others: list[Any], position: Position[Any], action: int) -> Any:
    """Return the move that an action is."""
    return _moves(position)[action] if action < _MOST else others[action - _MOST]


def _legal(tables: object, state: list[Position[Any]], actions: Ints) -> int:
    awaited = state[0].to_act
    count = awaited.faces if isinstance(awaited, Chance) else len(_moves(state[0]))
    actions[:count] = range(count)
    return count


def _play(others: list[Any], state: list[Position[Any]], action: int) -> None:
    position = state[0]
    rolled = isinstance(position.to_act, Chance)
    state[0] = position.roll(action + 1) if rolled else position.play(_move(others, position, action))


def _actor(tables: object, state: list[Position[Any]]) -> int:
    awaited = state[0].to_act
    return OVER if awaited is None else CHANCE if isinstance(awaited, Chance) else awaited


def _rewards(tables: object, state: list[Position[Any]], rewards: Ints) -> None:
    position = state[0]
    outcome = position.outcome()
    assert outcome is not None
    sides = {position.side(seat) for seat in outcome.winners}
    for seat in range(len(position.roles())):
        rewards[seat] = WHOLE // len(sides) if seat in outcome.winners else 0


def _playout(tables: object, state: list[Position[Any]], random: Ints, actions: Ints) -> None:
    position = state[0]
    while (awaited := position.to_act) is not None:
        if isinstance(awaited, Chance):
            position = position.roll(1 + _below(random, awaited.faces))
        else:
            position = position.play(position.any_move(lambda count: _below(random, count)))
    state[0] = position


def _shown(tables: object, state: list[Position[Any]], cells: Ints) -> int:
    view = state[0].view()
    kinds = {piece.key: number + 1 for number, piece in enumerate(view.pieces)}
    shown = [kinds[cell.piece.key] if cell.piece else 0 for cell in view.cells]
    cells[: len(shown)] = shown
    return len(shown)


def _actions(opened: Opened, state: list[Position[Any]], text: str) -> tuple[int, ...]:
    move, searched, others = state[0].parse(text), _moves(state[0]), opened.tables
    if move in searched:
        return (searched.index(move),)
    if move not in others:
        others.append(move)
    return (_MOST + others.index(move),)


def _text(opened: Opened, state: list[Position[Any]], actions: Sequence[int]) -> str | None:
    return str(_move(opened.tables, state[0], actions[0]))


def _leave(opened: Opened, state: list[Position[Any]], seat: Seat) -> None:
    state[0] = state[0].leave(seat, "resign")


@cache
def generic(key: str) -> Board:
    """Return the board for the game ``key`` of the rules."""

    def start(seats: int, options: Mapping[str, Value]) -> Opened:
        return Opened([], [GAMES[key].start(seats, options)], _MOST)

    return Board(
        Kernel(_legal, _play, _actor, _rewards, _playout, fast=False, shown=_shown),
        start,
        _actions,
        _text,
        _leave,
        _BUDGETS,
    )
