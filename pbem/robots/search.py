"""The search of all robots: UCT with rolls as chance nodes, in whole numbers only.

Kocsis and Szepesvári, Bandit based Monte-Carlo planning (2006). A node keeps the visits, and the sum of the rewards of
whoever chose it. Square roots and logarithms come from tables of whole numbers, so that every machine chooses alike.
"""

from collections.abc import Callable
from functools import cache
from math import isqrt
from typing import Any

from pbem.robots.board import CHANCE, CUT, ONE, OVER, WHOLE, Kernel, State, Weights
from pbem.robots.chance import below
from pbem.robots.compiled import Ints, array, bound, compiled, pure

_VISITS = 1 << 14
_LOG_OF_TWO = 726817  # in units of 2^-20

Tree = tuple[Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints]
"""First child, number of children, visits, sum of rewards, action, actor, hints, their sum, and who wins for certain:
one number a node in each.

A hint is a playout in which the action was played later by the same seat. Who wins for certain, however the others
play, has a bit for each seat; it is 0 where nothing is proven (Winands, Björnsson and Saito, Monte-Carlo tree search
solver, 2008).
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


legal = play = actor = outcome = playout = estimate = played = draw = choose = settles = won = _unbound


def searching(kernel: Kernel) -> Callable[..., int]:
    """Return the search over ``kernel``, compiled if the kernel is.

    ``search(tables, root, playouts, weights, proving, random, tree, scratch)`` grows ``tree``, all zeros before, from
    the state ``root`` and returns the number of its nodes. ``tables`` are those of the board, and ``roots()`` and
    ``logarithms()``. Children of node n are the ``count[n]`` nodes from ``first[n]``; the root is node 0.
    ``weights`` and ``proving`` are those of the board.
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
        "settles": _settles if kernel.fast else pure(_settles),
        "played": kernel.played or (_never if kernel.fast else pure(_never)),
    }
    known["estimate"] = kernel.estimate or bound(_by_playout, known, kernel.fast)
    return bound(_search, known, kernel.fast)


def sighting(kernel: Kernel) -> Callable[..., int]:
    """Return what looks for a win at once, compiled if the kernel is.

    ``sight(tables, state, pairs, actions, following, rewards)`` is an action with which the seat to act wins, or with
    ``pairs`` can win by one more of the same turn; -1 if there is none. The last three are arrays to write into.
    """
    known: dict[str, Callable[..., Any]] = {
        "legal": kernel.legal,
        "play": kernel.play,
        "actor": kernel.actor,
        "outcome": kernel.rewards,
    }
    known["won"] = bound(_won, known, kernel.fast)
    return bound(_sight, known, kernel.fast)


def _won(tables: State, state: State, seat: int, rewards: Ints) -> bool:
    if actor(tables, state) != OVER:
        return False
    outcome(tables, state, rewards)
    return rewards[seat] == WHOLE


def _sight(tables: State, root: State, pairs: bool, actions: Ints, following: Ints, rewards: Ints) -> int:
    seat, count = actor(tables, root), legal(tables, root, actions)
    state, further = root.copy(), root.copy()
    for place in range(count):
        state[:] = root[:]
        play(tables, state, actions[place])
        if won(tables, state, seat, rewards):
            return actions[place]
    for place in range(count if pairs else 0):
        state[:] = root[:]
        play(tables, state, actions[place])
        if actor(tables, state) == seat:
            for other in range(legal(tables, state, following)):
                further[:] = state[:]
                play(tables, further, following[other])
                if won(tables, further, seat, rewards):
                    return actions[place]
    return -1


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
    """Return the child of the highest score, leaving out those that are lost for certain."""
    first, count, visits, total, _, _, hints, hinted_total, proven = tree
    exploration, trust, urgency = weights
    bits, left = 0, visits[node]
    while left > 1:
        left >>= 1
        bits += 1
    weight = exploration * logarithms[bits]
    chosen, highest = first[node], -1
    for child in range(first[node], first[node] + count[node]):
        if proven[child] > 0:
            continue
        seen, value = visits[child], total[child]
        if trust > 0 and hints[child] > 0:
            # What came of the action when it was played later counts like a few visits.
            if hints[child] <= trust:
                value += hinted_total[child]
                seen += hints[child]
            else:
                value += hinted_total[child] * trust // hints[child]
                seen += trust
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


@compiled
def _settles(node: int, child: int, tree: Tree) -> bool:
    """Note who wins for certain at ``node`` if that follows from one of its children; return whether it does."""
    first, count, _, _, _, actors, _, _, proven = tree
    winners, who = proven[child], actors[node]
    if who == CHANCE or not winners >> who & 1:
        for other in range(first[node], first[node] + count[node]):
            if proven[other] != winners:
                return False
    proven[node] = winners
    return True


def _search(
    tables: tuple[State, Ints, Ints],
    root: State,
    playouts: int,
    weights: Weights,
    proving: bool,
    random: Ints,
    tree: Tree,
    scratch: tuple[Ints, Ints, Ints],
) -> int:
    first, count, visits, total, action, actors, hints, hinted_total, proven = tree
    fixed, roots, logarithms = tables
    actions, rewards, path = scratch
    trust, used = weights[1], 1
    state = root.copy()
    for _ in range(playouts):
        if proven[0] > 0:
            break
        state[:] = root[:]
        node, depth, who = 0, 1, 0
        path[0] = 0
        while proven[node] == 0:
            if count[node] == 0:
                who = actor(fixed, state)
                # A leaf grows children at its second visit.
                if who in (OVER, CUT) or (node > 0 and visits[node] == 0):
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
        if proven[node] == 0:
            estimate(fixed, state, random, actions, rewards)
            if proving and count[node] == 0 and who == OVER:
                for seat in range(len(rewards)):
                    proven[node] |= (rewards[seat] == WHOLE) << seat
        else:
            for seat in range(len(rewards)):
                rewards[seat] = WHOLE * (proven[node] >> seat & 1)
        if proven[node] > 0:
            place = depth - 2
            while place >= 0 and settles(path[place], path[place + 1], tree):
                place -= 1
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
