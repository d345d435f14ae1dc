"""Sensible stones to suggest in Pipline and Zipline: quick rules of thumb over sets of points, no search."""

from collections.abc import Iterator
from functools import cache
from itertools import islice

from rules.board.groups import diagonal_group, straight_group
from rules.board.square import Grid


@cache
def _from_middle(grid: Grid) -> tuple[int, ...]:
    """Return all points of a board, the nearest to its middle first."""
    middle = (grid.size - 1) / 2
    away = {bit: (number % grid.size - middle, number // grid.size - middle) for number, bit in enumerate(grid.order)}
    return tuple(sorted(grid.order, key=lambda bit: away[bit][0] ** 2 + away[bit][1] ** 2))


def _middlemost(grid: Grid, mask: int) -> int:
    """Return the bit of ``mask`` that is nearest to the middle of the board, 0 if there is none."""
    return next((bit for bit in _from_middle(grid) if bit & mask), 0)


def _around(grid: Grid, mask: int) -> int:
    """Return the points of ``mask`` and those beside them, diagonally too."""
    wide = mask | mask << 1 | mask >> 1
    return (wide | wide << grid.stride | wide >> grid.stride) & grid.every


def spread(grid: Grid, free: int, own: int, count: int, skipped: int) -> tuple[str, ...]:
    """Return up to ``count`` points near the middle, apart from each other and from ``own`` stones.

    The first ``skipped`` of such points are left out.
    """
    found = list[int]()
    open_points = free & ~_around(grid, own) or free
    while open_points and len(found) < skipped + count:
        found.append(_middlemost(grid, open_points))
        open_points &= ~_around(grid, _around(grid, found[-1]))
    return tuple(grid.names[bit] for bit in found[skipped:])


def route(grid: Grid, own: int, empty: int, start: int, goal: int, *, diagonal: bool) -> list[int]:
    """Return the points of all shortest ways to join two sides, in order from ``start``: one set for each stone needed.

    Nothing if there is no way left, or none needed.
    """
    back = _layers(grid, own, empty, goal, diagonal=diagonal)
    ends = next(back, 0)
    there = list[int]()
    for layer in _layers(grid, own, empty, start, diagonal=diagonal):
        there.append(layer)
        if layer & ends:
            rest = [ends, *islice(back, len(there) - 1)]
            return [one & other for one, other in zip(there, reversed(rest), strict=True)]
    return []


def _layers(grid: Grid, own: int, empty: int, start: int, *, diagonal: bool) -> Iterator[int]:
    """Yield the empty points that the first, second, third … stone on a way from ``start`` can stand on."""
    grow = diagonal_group if diagonal else straight_group
    reached = grow(own, own & start, grid.stride)
    rest, edge = empty, start
    while True:
        beside = _around(grid, reached) if diagonal else _straight(grid, reached)
        fresh = (edge | beside) & rest
        if not fresh:
            return
        yield fresh
        rest ^= fresh
        reached |= grow(own | fresh, fresh, grid.stride)
        edge = 0


def _straight(grid: Grid, mask: int) -> int:
    """Return the points that share an edge with one of ``mask``."""
    return (mask << 1 | mask >> 1 | mask << grid.stride | mask >> grid.stride) & grid.every


def routes(grid: Grid, own: int, empty: int, *, diagonal: bool) -> list[list[int]]:
    """Return the shortest ways from left to right and from bottom to top, the shorter first; fewer if there are not."""
    across = route(grid, own, empty, grid.left, grid.right, diagonal=diagonal)
    upward = route(grid, own, empty, grid.bottom, grid.top, diagonal=diagonal)
    return sorted(filter(None, (across, upward)), key=len)


def pairs(grid: Grid, black: int, white: int, free: int, *, apart: bool) -> Iterator[tuple[str, ...]]:
    """Yield two points each for black: on its own shortest ways, on white's, on one of each, near the middle."""
    empty = grid.every & ~(black | white)
    own, foes = routes(grid, black, empty, diagonal=False), routes(grid, white, empty, diagonal=True)
    ways = [(one, other) for one in own[:1] for other in (one, *foes[-1:])]
    ways += [(way, way) for way in (*foes[-1:], *own[1:], [free])]
    if own and foes and len(foes[-1]) <= len(own[0]):
        ways[:2] = ways[1::-1]  # white is as near to its goal: block first
    for one, other in ways:
        first = _middlemost(grid, sum(one) & free)
        closed = first | grid.beside[first] if apart and first else first
        if first and (second := _middlemost(grid, sum(other) & free & ~closed)):
            yield grid.names[first], grid.names[second]
