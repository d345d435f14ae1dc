"""Hangs the pictures of matches on a wall of any size: as many as fit, each as large as there is room."""

from collections.abc import Iterable, Sequence
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
        known = {match.id: match for match in matches}
        # Running matches come before those that are over, and the newest change before older ones.
        ranked = sorted(known, key=lambda number: known[number].changed_at, reverse=True)
        running = {number for number in ranked if known[number].outcome is None}
        ranked.sort(key=lambda number: number not in running)
        shown = self._fitting([*(number for number in self._shown if number in known), *ranked], width, height)
        waiting = [number for number in ranked if number in running and number not in shown]
        if waiting and shown and now - self._latest >= _STAY:
            comes = min(waiting, key=lambda number: self._turned.get(number, 0.0))
            goes = min(shown, key=lambda number: (number in running, self._turned.get(number, 0.0)))
            order = [comes if number == goes else number for number in shown]
            if comes in (turned := self._fitting([comes, *order], width, height)):
                # What comes takes the place of what goes, unless it needs more room than that.
                in_place = self._fitting([*order, *ranked], width, height)
                shown = in_place if comes in in_place else self._fitting([*turned, *ranked], width, height)
        if changed := set(shown) ^ set(self._shown):
            self._latest = now
            self._turned |= dict.fromkeys(changed, now)
        self._shown = shown
        pictures = [self._drawn[number][1] for number in shown]
        columns = arranged(pictures, width, height) or []
        for place, number in enumerate(shown):
            larger = [*pictures[:place], self._drawn[number][2], *pictures[place + 1 :]]
            if found := arranged(larger, width, height):
                pictures, columns = larger, found
        return Hung(columns, len(known) - len(shown))

    def _fitting(self, order: Sequence[int], width: int, height: int) -> list[int]:
        """Return those matches that fit on the wall, when they are hung in that order."""
        hung: list[int] = []
        for number in dict.fromkeys(order):
            if arranged([self._drawn[other][1] for other in [*hung, number]], width, height):
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
