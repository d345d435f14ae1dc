"""Hangs the pictures of matches on a wall of any size: as many as fit, each as large as there is room."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rich.table import Table
from rich.text import Text

from pbem.demo.drawing import Picture, large, small
from pbem.match import Match

_STAY = 4.0
"""Seconds after which one picture makes room for a match that waits."""
_GAP = 3  # columns between pictures


@dataclass
class Column:
    """Pictures one below the other, with an empty line between them."""

    pictures: list[Picture] = field(default_factory=list)

    @property
    def width(self) -> int:
        """The width of the widest picture."""
        return max((picture.width for picture in self.pictures), default=0)

    @property
    def height(self) -> int:
        """The lines down to where the next picture begins."""
        return sum(picture.height + 1 for picture in self.pictures)


@dataclass(frozen=True)
class Hung:
    """Pictures in columns, and how many matches there was no room for."""

    columns: list[Column]
    left_out: int

    @property
    def width(self) -> int:
        """The width of it all, 0 if there is nothing."""
        return _width(self.columns)

    def table(self) -> Table:
        """Return the pictures for the terminal."""
        grid = Table.grid(padding=(0, _GAP, 0, 0))
        for column in self.columns:
            grid.add_column(width=column.width, no_wrap=True)
        texts = ([Text("\n").join(picture.lines) for picture in column.pictures] for column in self.columns)
        grid.add_row(*(Text("\n\n").join(text) for text in texts))
        return grid


class Wall:
    """Remembers which matches hang where, so that the eye finds them again, and takes turns when there are too many."""

    def __init__(self) -> None:
        self._shown: list[int] = []
        self._turned: dict[int, float] = {}  # when each was hung up or taken down
        self._latest = 0.0
        self._drawn: dict[int, tuple[int, Picture, Picture]] = {}

    def hang(self, matches: Sequence[Match], width: int, height: int, now: float) -> Hung:
        """Return what hangs on a wall of that size at the time ``now``, in seconds."""
        for match in matches:
            if self._drawn.get(match.id, (-1,))[0] != match.ply:
                self._drawn[match.id] = (match.ply, small(match), large(match))
        over = {match.id: match.outcome is not None for match in matches}
        newest = [match.id for match in sorted(matches, key=lambda match: match.changed_at, reverse=True)]
        # Running matches come before those that are over.
        orders = tuple(
            sorted(order, key=over.__getitem__)
            for order in (newest, sorted(newest, key=lambda number: self._drawn[number][1].height))
        )
        wall = _Empty(width, height, {number: picture for number, (_, picture, _) in self._drawn.items()}, orders)
        shown = wall.filled([number for number in self._shown if number in over])
        if now - self._latest >= _STAY:
            shown = self._after_a_turn(shown, over, wall)
        if changed := set(shown) ^ set(self._shown):
            self._latest = now
            self._turned |= dict.fromkeys(changed, now)
        self._shown = shown
        return Hung(self._columns(width, height), len(over) - len(shown))

    def _after_a_turn(self, shown: list[int], over: Mapping[int, bool], wall: "_Empty") -> list[int]:
        """Return what hangs when the running match that has waited longest has come, if there is one."""
        waiting = [number for number in wall.orders[0] if not over[number] and number not in shown]
        if not waiting or not shown:
            return shown
        comes = min(waiting, key=lambda number: self._turned.get(number, 0.0))
        goes = min(shown, key=lambda number: (not over[number], self._turned.get(number, 0.0)))
        following = wall.filled([comes if number == goes else number for number in shown])
        if comes not in following:  # it needs more room than what goes leaves
            following = wall.filled([comes, *shown])
        return following if comes in following else shown

    def _columns(self, width: int, height: int) -> list[Column]:
        """Return the pictures of the matches shown, each large if all others fit all the same."""
        pictures = [self._drawn[number][1] for number in self._shown]
        columns = arranged(pictures, width, height) or []
        for place, number in enumerate(self._shown):
            larger = [*pictures[:place], self._drawn[number][2], *pictures[place + 1 :]]
            if found := arranged(larger, width, height):
                pictures, columns = larger, found
        return columns


@dataclass(frozen=True)
class _Empty:
    """An empty wall, the small picture of each match, and the orders in which they may be hung, the best one first."""

    width: int
    height: int
    pictures: Mapping[int, Picture]
    orders: tuple[list[int], ...]

    def filled(self, first: Sequence[int]) -> list[int]:
        """Return what fits: of ``first``, then of all others, by number if that does not leave out any of these."""
        kept = self.fitting(first)
        shown = max((self.fitting([*kept, *order]) for order in self.orders), key=len)
        by_number = [*kept, *sorted(set(shown).difference(kept))]
        return by_number if self.fitting(by_number) == by_number else shown

    def fitting(self, order: Iterable[int]) -> list[int]:
        """Return those matches that fit when they are hung in that order."""
        hung: list[int] = []
        for number in dict.fromkeys(order):
            if arranged([self.pictures[other] for other in [*hung, number]], self.width, self.height):
                hung.append(number)
        return hung


def arranged(pictures: Iterable[Picture], width: int, height: int) -> list[Column] | None:
    """Return all pictures in columns, each below others where it costs the least width; None if they do not fit."""
    columns: list[Column] = []
    for picture in pictures:
        free = [
            column
            for column in columns
            if column.height + picture.height <= height
            and _width(columns) + max(0, picture.width - column.width) <= width
        ]
        if not free:
            free = [Column()]
            columns += free
        min(free, key=lambda column: max(0, picture.width - column.width)).pictures.append(picture)
        if picture.height > height or _width(columns) > width:
            return None
    return columns


def _width(columns: Sequence[Column]) -> int:
    """Return how wide columns are together."""
    return sum(column.width for column in columns) + _GAP * max(len(columns) - 1, 0)
