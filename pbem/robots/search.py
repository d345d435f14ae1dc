"""The search of all robots: UCT with rolls as chance nodes, in whole numbers only.

Kocsis and Szepesvári, Bandit based Monte-Carlo planning (2006). A node keeps the visits, and the sum of the rewards of
whoever chose it. Square roots and logarithms come from tables of whole numbers, so that every machine chooses alike.
"""

from collections.abc import Callable
from functools import cache
from math import isqrt
from typing import Any

from pbem.robots.board import CHANCE, ONE, OVER, WHOLE, Kernel, State, Weights
from pbem.robots.chance import below
from pbem.robots.compiled import Ints, array, bound, compiled, pure

_VISITS = 1 << 14
_LOG_OF_TWO = 726817  # in units of 2^-20

Tree = tuple[Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints]
"""First child, number of children, visits, sum of rewards, action, actor, hints, their sum: one number a node in each.

A hint is a playout in which the action was played later by the same seat.
"""


@cache
def roots() -> Ints:
    """Return 2^20 / √visits for 0…2^14-1 visits; that of more is half the root of a quarter."""
    return array([0] + [isqrt((1 << 40) // visits) for visits in range(1, _VISITS)])


@cache
def logarithms() -> Ints:
    """Return √(ln 2^bits) in units of 2^-10 for 0…63 bits."""
    return array([isqrt(bits * _LOG_OF_TWO) for bits in range(64)])


def _unbound(*_: Any) -> Any:
    """Stand for a function of a kernel where none is bound."""
    raise NotImplementedError


legal = play = actor = outcome = playout = estimate = played = draw = choose = _unbound


def searching(kernel: Kernel) -> Callable[..., int]:
    """Return the search over ``kernel``, compiled if the kernel is.

    ``search(tables, root, playouts, weights, random, tree, scratch)`` grows ``tree``, all zeros before, from the
    state ``root`` and returns the number of its nodes. ``tables`` are those of the board, and ``roots()`` and
    ``logarithms()``. Children of node n are the ``count[n]`` nodes from ``first[n]``; the root is node 0.
    ``weights`` are those of the board.
    ``scratch`` are three arrays to write into: for actions, for the rewards of the seats, and for a path.
    """
    known: dict[str, Callable[..., Any]] = {
        "legal": kernel.legal,
        "play": kernel.play,
        "actor": kernel.actor,
        "playout": kernel.playout,
        "outcome": kernel.rewards,
        "draw": below if kernel.fast else pure(below),
        "choose": _best if kernel.fast else pure(_best),
        "played": kernel.played or (_never if kernel.fast else pure(_never)),
    }
    known["estimate"] = kernel.estimate or bound(_by_playout, known, kernel.fast)
    return bound(_search, known, kernel.fast)


@compiled
def _never(tables: State, state: State, seat: int, action: int) -> bool:
    return False


def _by_playout(tables: State, state: State, random: Ints, actions: Ints, rewards: Ints) -> None:
    """Write what one playout comes to."""
    if actor(tables, state) != OVER:
        playout(tables, state, random, actions)
    outcome(tables, state, rewards)


@compiled
def _best(node: int, weights: Weights, tree: Tree, roots: Ints, logarithms: Ints) -> int:
    """Return the child of the highest score."""
    first, count, visits, total, _, _, hints, hinted_total = tree
    exploration, trust, urgency = weights
    bits, left = 0, visits[node]
    while left > 1:
        left >>= 1
        bits += 1
    weight = exploration * logarithms[bits]
    chosen, highest = first[node], -1
    for child in range(first[node], first[node] + count[node]):
        seen, value = visits[child], total[child]
        if trust > 0 and hints[child] > 0:
            # What came of the action when it was played later counts like a few visits.
            extra = min(trust, hints[child])
            value += hinted_total[child] * extra // hints[child]
            seen += extra
        score = urgency
        if seen > 0:
            score = value * ONE // (seen * WHOLE)
            halvings = 0
            while seen >= _VISITS:
                seen >>= 2
                halvings += 1
            score += weight * (roots[seen] >> halvings) >> 30
        if score > highest:
            chosen, highest = child, score
    return chosen


def _search(
    tables: tuple[State, Ints, Ints],
    root: State,
    playouts: int,
    weights: Weights,
    random: Ints,
    tree: Tree,
    scratch: tuple[Ints, Ints, Ints],
) -> int:
    first, count, visits, total, action, actors, hints, hinted_total = tree
    fixed, roots, logarithms = tables
    actions, rewards, path = scratch
    trust, used = weights[1], 1
    state = root.copy()
    for _ in range(playouts):
        state[:] = root[:]
        node, depth = 0, 1
        path[0] = 0
        while True:
            if count[node] == 0:
                # A leaf grows children at its second visit.
                if node > 0 and visits[node] == 0:
                    break
                who = actor(fixed, state)
                if who == OVER:
                    break
                children = legal(fixed, state, actions)
                if used + children > len(first) or depth == len(path):
                    break
                first[node], count[node], actors[node] = used, children, who
                for place in range(children):
                    # Shuffled on the way, since of equals the first is tried.
                    other = draw(random, place + 1)
                    action[used + place] = action[used + other]
                    action[used + other] = actions[place]
                used += children
            if actors[node] == CHANCE:
                node = first[node] + draw(random, count[node])
            else:
                node = choose(node, weights, tree, roots, logarithms)
            play(fixed, state, action[node])
            path[depth] = node
            depth += 1
            if depth == len(path):
                break
        estimate(fixed, state, random, actions, rewards)
        visits[0] += 1
        for place in range(1, depth):
            visits[path[place]] += 1
            chooser = actors[path[place - 1]]
            if chooser != CHANCE:
                total[path[place]] += rewards[chooser]
        if trust > 0:
            for place in range(depth):
                node = path[place]
                who = actors[node]
                for child in range(first[node], first[node] + count[node]):
                    hint = int(played(fixed, state, who, action[child]))  # without a branch that nobody foresees
                    hints[child] += hint
                    hinted_total[child] += hint * rewards[who]
    return used
