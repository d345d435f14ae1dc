"""The search finds what is known: who takes the last of a heap wins, and each may take one to three."""

from dataclasses import replace

from pbem.robots.board import OVER, WHOLE, Board, Kernel, Opened
from pbem.robots.chance import below
from pbem.robots.compiled import Ints, array, compiled
from pbem.robots.thinking import Match, look, think


@compiled
def _legal(tables: Ints, state: Ints, actions: Ints) -> int:
    count = min(3, state[0])
    for place in range(count):
        actions[place] = place + 1
    return count


@compiled
def _play(tables: Ints, state: Ints, action: int) -> None:
    state[0] -= action
    state[1] = 1 - state[1]


@compiled
def _actor(tables: Ints, state: Ints) -> int:
    return state[1] if state[0] > 0 else OVER


@compiled
def _rewards(tables: Ints, state: Ints, rewards: Ints) -> None:
    rewards[state[1]] = 0
    rewards[1 - state[1]] = WHOLE


@compiled
def _playout(tables: Ints, state: Ints, random: Ints, actions: Ints) -> None:
    while state[0] > 0:
        _play(tables, state, 1 + below(random, min(3, state[0])))


HEAP = Board(
    Kernel(_legal, _play, _actor, _rewards, _playout),
    lambda seats, options: Opened(array([0]), array([int(options["heap"]), 0]), 3),
    lambda opened, state, text: (int(text),),
    lambda opened, state, actions: str(actions[0]),
    lambda opened, state, seat: None,
    (10, 100, 1000),
)


def _move(heap: int, seed: int = 1) -> str:
    opened = HEAP.start(2, {"heap": heap})
    assert opened
    return think(Match(HEAP, opened, opened.state, (0, 1)), 2000, seed).move


def test_it_leaves_a_multiple_of_four() -> None:
    """From any other heap there is one winning number, which is found."""
    assert [_move(heap) for heap in (2, 3, 5, 6, 7, 9)] == ["2", "3", "1", "2", "3", "1"]


def test_the_same_seed_thinks_the_same() -> None:
    """Every figure of it, and another seed another."""
    opened = HEAP.start(2, {"heap": 21})
    assert opened
    thoughts = [think(Match(HEAP, opened, opened.state, (0, 1)), 50, seed) for seed in (3, 3, 4)]
    assert thoughts[0] == thoughts[1] != thoughts[2]


def test_what_is_decided_is_proven_and_looked_at_no_longer() -> None:
    """From seven, leaving four wins for certain; from four nothing does, and the plain search is never as sure."""
    board = replace(HEAP, proving=True)
    for heap, value in ((7, 1000), (4, 0)):
        opened = board.start(2, {"heap": heap})
        assert opened
        proven, plain = (
            look(Match(board, opened, opened.state, (0, 1)), 2000, 1, proving=sure) for sure in (True, False)
        )
        assert (proven[0].value, proven[0].action == 3) == (value, heap == 7)
        assert sum(line.playouts for line in proven) < 2000 == sum(line.playouts for line in plain)
        assert 0 < plain[0].value < 1000
