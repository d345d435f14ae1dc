"""Frames: how a match looked after each entry, as what differs from the entry before, so that a page can replay it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from pbem.boards.svg import sprite_key
from rules.position import Chance, Position
from rules.view import BoardView, Cell

Frame: TypeAlias = Mapping[str, Any]
"""What a frame changes, ready for JSON; the first one, the opening, has it all.

``cells``: a list for each cell that looks different: its place in `BoardView.cells`, its sprite, and of a die its
numbers: on top, north, east, south, west. ``standing`` and ``captions``: the sentences below the board. ``roles``: the
role of each seat. ``to_act``: a seat, the name of a roll that comes next, or None after the end.
"""


class Film:
    """The frames of a match, the views that they show, and one cell for every sprite that is seen in them."""

    def __init__(self, positions: Sequence[Position[Any]]) -> None:
        self.frames: list[Frame] = []
        self.sprites: dict[str, Cell] = {}
        self.views: list[BoardView] = []
        shown: BoardView | None = None
        told: dict[str, Any] = {}
        for position in positions:
            view = position.view()
            now = {
                "standing": list(map(str, view.standing)),
                "captions": list(map(str, view.captions)),
                "roles": list(position.roles()),
                "to_act": _awaited(position),
            }
            frame = {key: value for key, value in now.items() if key not in told or told[key] != value}
            if cells := [self._show(place, cell) for place, cell in _changed(shown, view)]:
                frame["cells"] = cells
            self.frames.append(frame)
            self.views.append(view)
            shown, told = view, now

    def _show(self, place: int, cell: Cell) -> list[int | str]:
        """Return what is on a cell now, and note its sprite."""
        key = sprite_key(cell)
        if key:
            self.sprites.setdefault(key, cell)
        return [place, key, *((cell.die.top, *cell.die.sides) if cell.die else ())]


def _awaited(position: Position[Any]) -> int | str | None:
    """Return who is to act, or what is rolled next."""
    awaited = position.to_act
    return awaited.what if isinstance(awaited, Chance) else awaited


def _changed(before: BoardView | None, view: BoardView) -> Iterator[tuple[int, Cell]]:
    """Yield the cells that look different, with their places; of a first view those that are not empty."""
    if before is None:
        yield from ((place, cell) for place, cell in enumerate(view.cells) if sprite_key(cell))
        return
    for place, (old, new) in enumerate(zip(before.cells, view.cells, strict=True)):
        # Most cells stay as they are, and comparing their parts takes less time than to name their sprites.
        if old is new or (old.piece is new.piece and old.marks == new.marks and old.die == new.die):
            continue
        if sprite_key(old) != sprite_key(new) or old.die != new.die:
            yield place, new
