"""The search of all robots: UCT with rolls as chance nodes, in whole numbers only.

Kocsis and Szepesvári, Bandit based Monte-Carlo planning (2006). A node keeps the visits, and the sum of the rewards of
whoever chose it. Square roots and logarithms come from tables of whole numbers, so that every machine chooses alike.
"""

from collections.abc import Callable
from functools import cache
from math import isqrt

from pbem.robots.board import CHANCE, OVER, WHOLE, Kernel, State
from pbem.robots.chance import below
from pbem.robots.compiled import Ints, array, compiled, pure

ONE = 1 << 16
"""The share of one win in the units of scores."""

_VISITS = 1 << 14
_LOG_OF_TWO = 726817  # in units of 2^-20

Tree = tuple[Ints, Ints, Ints, Ints, Ints, Ints]
"""First child, number of children, visits, sum of rewards, action, actor: one number a node in each."""


@cache
def roots() -> Ints:
    """Return 2^20 / √visits for 0…2^14-1 visits; that of more is half the root of a quarter."""
    return array([0] + [isqrt((1 << 40) // visits) for visits in range(1, _VISITS)])


@cache
def logarithms() -> Ints:
    """Return √(ln 2^bits) in units of 2^-10 for 0…63 bits."""
    return array([isqrt(bits * _LOG_OF_TWO) for bits in range(64)])


def searching(kernel: Kernel) -> Callable[..., int]:
    """Return the search over ``kernel``, compiled if the kernel is.

    ``search(tables, root, playouts, exploration, random, tree, scratch)`` grows ``tree``, all zeros before, from the
    state ``root`` and returns the number of its nodes. ``tables`` are those of the board, and ``roots()`` and
    ``logarithms()``. Children of node n are the ``count[n]`` nodes from ``first[n]``; the root is node 0.
    ``exploration`` is the weight of what has been tried little, in ONE. ``scratch`` are three arrays to write into:
    for actions, for the rewards of the seats, and for a path.
    """
    legal, play, actor, reward, playout = kernel.legal, kernel.play, kernel.actor, kernel.rewards, kernel.playout
    draw = below if kernel.fast else pure(below)

    def best(node: int, exploration: int, tree: Tree, roots: Ints, logarithms: Ints) -> int:
        """Return the child to try: each once, in order, then that of the highest score."""
        first, count, visits, total, _, _ = tree
        start, children = first[node], count[node]
        if visits[start + children - 1] == 0:
            child = start
            while visits[child] > 0:
                child += 1
            return child
        bits, left = 0, visits[node]
        while left > 1:
            left >>= 1
            bits += 1
        weight = exploration * logarithms[bits]
        chosen, highest = start, -1
        for child in range(start, start + children):
            seen, halvings = visits[child], 0
            while seen >= _VISITS:
                seen >>= 2
                halvings += 1
            score = total[child] * ONE // (visits[child] * WHOLE) + (weight * (roots[seen] >> halvings) >> 30)
            if score > highest:
                chosen, highest = child, score
        return chosen

    choose = compiled(best) if kernel.fast else best

    def search(
        tables: tuple[State, Ints, Ints],
        root: State,
        playouts: int,
        exploration: int,
        random: Ints,
        tree: Tree,
        scratch: tuple[Ints, Ints, Ints],
    ) -> int:
        first, count, visits, total, action, actors = tree
        fixed, roots, logarithms = tables
        actions, rewards, path = scratch
        used = 1
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
                        # Shuffled on the way, since the first visits go in order.
                        other = draw(random, place + 1)
                        action[used + place] = action[used + other]
                        action[used + other] = actions[place]
                        count[used + place] = visits[used + place] = total[used + place] = 0
                    used += children
                if actors[node] == CHANCE:
                    node = first[node] + draw(random, count[node])
                else:
                    node = choose(node, exploration, tree, roots, logarithms)
                play(fixed, state, action[node])
                path[depth] = node
                depth += 1
                if depth == len(path):
                    break
            if actor(fixed, state) != OVER:
                playout(fixed, state, random, actions)
            reward(fixed, state, rewards)
            visits[0] += 1
            for place in range(1, depth):
                visits[path[place]] += 1
                chooser = actors[path[place - 1]]
                if chooser != CHANCE:
                    total[path[place]] += rewards[chooser]
        return used

    return compiled(search) if kernel.fast else search
