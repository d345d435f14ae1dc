"""Groups of stones on a grid, grown from one stone over bit masks."""

from collections.abc import Callable


def straight_group(stones: int, seed: int, stride: int) -> int:
    """Return the stones connected to ``seed`` by steps along edges."""
    found = seed
    while True:
        grown = (found | found << 1 | found >> 1 | found << stride | found >> stride) & stones
        if grown == found:
            return found
        found = grown


def diagonal_group(stones: int, seed: int, stride: int) -> int:
    """Return the stones connected to ``seed`` by steps along edges or corners."""
    found = seed
    while True:
        wide = found | found << 1 | found >> 1
        grown = (wide | wide << stride | wide >> stride) & stones
        if grown == found:
            return found
        found = grown


def thinned(group: int, wins: Callable[[int], int]) -> int:
    """Return a winning part of ``group`` that needs each of its stones, to be shown as the line.

    ``wins(stones)`` returns the winning group among ``stones``, or 0.
    """
    rest = group
    while rest:
        bit = rest & -rest
        group = wins(group ^ bit) or group
        rest = (rest ^ bit) & group
    return group
