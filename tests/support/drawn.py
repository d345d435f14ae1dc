"""Boards that were drawn as pictures, read back: what lies on each cell."""

from typing import NamedTuple
from xml.etree import ElementTree

_SPACE = "{http://www.w3.org/2000/svg}"


class Drawn(NamedTuple):
    """What is to see on a cell: its sprite, as it is drawn, and the numbers of a die, the one on top first."""

    sprite: str
    numbers: tuple[str, ...]


class Picture:
    """A picture of a board, cell by cell in reading order."""

    def __init__(self, svg: str) -> None:
        root = ElementTree.fromstring(svg)
        groups = {group.get("id", ""): group for group in root.iterfind(f"{_SPACE}defs/{_SPACE}g")}
        for group in groups.values():
            for place, part in enumerate(group):
                if part.tag == f"{_SPACE}use":  # the piece without its marks
                    group[place : place + 1] = list(groups[part.get("href", "")[1:]])
        self.sprites = {name: ElementTree.tostring(group, encoding="unicode").strip() for name, group in groups.items()}
        (cells,) = root.iterfind(f"{_SPACE}g[@class='cells']")
        self.cells = [self._read(cell) for cell in cells]

    def _read(self, cell: ElementTree.Element) -> Drawn:
        """Return what is on a cell."""
        use = cell if cell.tag == f"{_SPACE}use" else next(cell.iter(f"{_SPACE}use"))
        numbers = tuple(text.text or "" for text in cell.iter(f"{_SPACE}text"))
        return Drawn(self.sprites[name[1:]] if (name := use.get("href")) else "", numbers)
