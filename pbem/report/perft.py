"""How many boards there are within so many steps of a game's beginning: what programmers call perft, but by boards.

Boards differ in what lies on their cells: not in whose turn it is, nor in who has which role. One that can be reached
in several ways counts once, and so does one that is reached again later. Rolls are no steps; all their results count.
"""

from collections.abc import Iterator
from functools import cache, reduce
from operator import xor

from pbem.report.course import Found
from pbem.report.plan import Plan
from pbem.robots.board import CHANCE, KINDS, OVER
from pbem.robots.compiled import FAST
from pbem.robots.counting import counting, keys_of
from pbem.robots.thinking import Match, follow

_MOST, _MOST_PLAIN = 5_000_000, 50_000
"""No depth is begun that would take more steps than this; the second is for boards that aren't compiled."""

_counting = cache(counting)


def perft(plan: Plan, deepest: int = 20) -> list[Found]:
    """Return the numbers of boards, and of those that end the game, for each depth that can be counted."""
    match = follow(plan.game, plan.seats, plan.options, ())
    kernel, opened = match.board.kernel, match.opened
    begun = match.cells()
    keys, room = keys_of(len(begun)), [match.ints(opened.most) for _ in range(3)]
    boards = {reduce(xor, (int(keys[KINDS * cell + kind]) for cell, kind in enumerate(begun)))}
    wins, tried, found = set[int](), 1, [{"depth": 0, "boards": 1, "wins": 0}]
    for depth in range(1, deepest + 1):
        before, tried = tried, 0
        for leaf in _leaves(match, depth - 1):
            count = _counting(kernel)(opened.tables, leaf.state, keys, *room)
            numbers = list(map(int, room[-1][:count]))
            tried += count
            boards.update(number & ~1 for number in numbers)
            wins.update(number for number in numbers if number & 1)
        if not tried:
            break
        found.append({"depth": depth, "boards": len(boards), "wins": len(wins)})
        if tried * tried > before * (_MOST if FAST and kernel.fast else _MOST_PLAIN):
            break
    return found


def _leaves(match: Match, depth: int) -> Iterator[Match]:
    """Yield the matches after so many steps in which somebody is to act."""
    if match.actor == OVER:
        return
    if depth == 0 and match.actor != CHANCE:
        yield match
        return
    left = depth if match.actor == CHANCE else depth - 1
    for action in match.legal():
        after = match.copy()
        after.play(action)
        yield from _leaves(after, left)
