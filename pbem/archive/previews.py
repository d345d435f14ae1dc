"""Cards of matches as PNG, for programs that show a link as one: few of them take SVG.

They are drawn by resvg, which needs no browser; it comes with the extra ``pictures``, and without it there are none.
"""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pbem.archive.cards import FONT
from pbem.archive.pages import write_if_changed
from pbem.mail.archive_paths import match_page


class Previews:
    """Draws the cards that have changed since their last picture, the newest matches first.

    A picture takes a tenth of a second: as much as ten pages.
    """

    def __init__(self, *, can_draw: bool) -> None:
        self.can_draw = can_draw
        self._waiting: set[int] = set()

    def note(self, match: int) -> None:
        """Have the card of a match drawn."""
        if self.can_draw:
            self._waiting.add(match)

    def look(self, match: int, directory: Path) -> None:
        """Have the card of a match drawn if it is newer than what was drawn: a process may have been killed before."""
        if self.can_draw and not _is_drawn(match, directory):
            self._waiting.add(match)

    @property
    def waiting(self) -> int:
        """The number of cards that wait to be drawn."""
        return len(self._waiting)

    def write(self, directory: Path) -> Iterator[bool]:
        """Draw the cards that wait for it; yield of each picture whether it is new. Raises OSError."""
        for number in sorted(self._waiting, reverse=True):
            card, is_new = directory / match_page(number, "svg"), False
            if card.is_file():  # it may have gone since
                picture = directory / match_page(number, "png")
                is_new = write_if_changed(picture, draw(card.read_text("utf-8")))
                if not is_new:
                    os.utime(picture)  # as new as its card
            self._waiting.discard(number)
            yield is_new


def _is_drawn(match: int, directory: Path) -> bool:
    """Return whether the picture of a match was drawn after its card, if it has one."""
    try:
        card = os.stat(directory / match_page(match, "svg")).st_mtime_ns
    except FileNotFoundError:
        return True
    try:
        return os.stat(directory / match_page(match, "png")).st_mtime_ns >= card
    except FileNotFoundError:
        return False


@cache
def can_draw() -> bool:
    """Return whether pictures can be drawn here: resvg is there, and letters, which numbers on dice need, are drawn."""
    empty = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{}</svg>'
    try:
        return draw(empty.format('<text y="8" font-family="sans-serif">5</text>')) != draw(empty.format(""))
    except ModuleNotFoundError:
        return False


def draw(card: str) -> bytes:
    """Return a picture in SVG as a PNG of its size. Raise ModuleNotFoundError where nothing can draw it."""
    from resvg_py import svg_to_bytes

    return svg_to_bytes(svg_string=card, font_family=FONT, sans_serif_family=FONT)
