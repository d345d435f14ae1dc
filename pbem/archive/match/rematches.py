"""Which matches the same players have played, so that the page of each leads to the one before and the one after."""

from bisect import bisect, insort
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple


class Neighbours(NamedTuple):
    """The numbers of the matches of the same players before and after one; 0 where there is none."""

    earlier: int = 0
    later: int = 0


class Rematches:
    """The matches of each circle of players, whatever seats they had, in the order of their numbers."""

    def __init__(self) -> None:
        self._circles: dict[int, frozenset[int]] = {}
        self._matches: dict[frozenset[int], list[int]] = defaultdict(list)

    def note(self, match: int, players: Iterable[int]) -> set[int]:
        """Note who plays a match; return the matches whose neighbours are others now."""
        circle, before = frozenset(players), self._circles.get(match)
        if circle == before:
            return set()
        changed = {match}
        if before is not None:  # a seat passed to somebody else
            changed |= {*self.beside(match)}
            self._matches[before].remove(match)
        self._circles[match] = circle
        insort(self._matches[circle], match)
        return (changed | {*self.beside(match)}) - {0}

    @property
    def players(self) -> set[int]:
        """Who plays any of them."""
        return set().union(*self._matches)

    def beside(self, match: int) -> Neighbours:
        """Return the neighbours of a match; none of one that is not known."""
        found = self._matches.get(self._circles.get(match, frozenset()), [])
        place = bisect(found, match) - 1
        if place < 0 or found[place] != match:
            return Neighbours()
        return Neighbours(found[place - 1] if place else 0, found[place + 1] if place + 1 < len(found) else 0)
