"""Pictures of boards as PNG, for programs that show a link as a card: few of them take SVG.

They are drawn by resvg, which needs no browser; it comes with the extra ``pictures``, and without it there are none.
"""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pbem.archive.pages import write_if_changed
from pbem.mail.archive_paths import match_page

SIZE = (1200, 630)
"""Width and height in pixels, as Open Graph has it for a large card."""

_FONT = "DejaVu Sans"
_GROUND = "#fbf9f4"  # as of the pages
_EDGE = 15  # pixels round the board


class Previews:
    """Draws the boards that have changed since their last picture, the newest matches first.

    A picture takes a tenth of a second: as much as ten pages.
    """

    def __init__(self, *, can_draw: bool) -> None:
        self.can_draw = can_draw
        self._waiting: set[int] = set()

    def note(self, match: int) -> None:
        """Have the board of a match drawn."""
        if self.can_draw:
            self._waiting.add(match)

    def look(self, match: int, directory: Path) -> None:
        """Have the board of a match drawn if it is newer than what was drawn: a process may have been killed before."""
        if self.can_draw and not _is_drawn(match, directory):
            self._waiting.add(match)

    @property
    def waiting(self) -> int:
        """The number of boards that wait to be drawn."""
        return len(self._waiting)

    def write(self, directory: Path) -> Iterator[bool]:
        """Draw the boards that wait for it; yield of each picture whether it is new. Raises OSError."""
        for number in sorted(self._waiting, reverse=True):
            board, is_new = directory / match_page(number, "svg"), False
            if board.is_file():  # it may have gone since
                picture = directory / match_page(number, "png")
                is_new = write_if_changed(picture, draw(board.read_text("utf-8")))
                if not is_new:
                    os.utime(picture)  # as new as its board
            self._waiting.discard(number)
            yield is_new


def _is_drawn(match: int, directory: Path) -> bool:
    """Return whether the picture of a match was drawn after its board, if it has one."""
    try:
        board = os.stat(directory / match_page(match, "svg")).st_mtime_ns
    except FileNotFoundError:
        return True
    try:
        return os.stat(directory / match_page(match, "png")).st_mtime_ns >= board
    except FileNotFoundError:
        return False


@cache
def can_draw() -> bool:
    """Return whether pictures can be drawn here: resvg is there, and letters, which numbers on dice need, are drawn."""
    empty = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
    try:
        return draw(empty.format('<text y="8" font-family="sans-serif">5</text>')) != draw(empty.format(""))
    except ModuleNotFoundError:
        return False


def draw(board: str) -> bytes:
    """Return a board in SVG as a PNG of that ``SIZE``. Raise ModuleNotFoundError where nothing can draw it."""
    from resvg_py import svg_to_bytes

    wide, high = SIZE
    place = f'x="{_EDGE}" y="{_EDGE}" width="{wide - 2 * _EDGE}" height="{high - 2 * _EDGE}"'
    card = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}">'
        f'<rect width="100%" height="100%" fill="{_GROUND}"/>{board.replace("<svg ", f"<svg {place} ", 1)}</svg>'
    )
    return svg_to_bytes(svg_string=card, font_family=_FONT, sans_serif_family=_FONT)
