"""Boards in email programs that force a dark look, in a real browser. Needs Debian's chromium."""

import io
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from PIL import Image

from pbem.boards.html import board_style
from pbem.boards.signs import NUMBERS
from rules.games import GAMES
from rules.view import BoardView, Tone
from tests.support.boards import board, drawn_html
from tests.support.browser import Browser, open_browser
from tests.support.inversions import INVERSIONS, force
from tests.support.walks import Case, walk

pytestmark = pytest.mark.slow("needs a browser")

_FOUND = """[...document.querySelectorAll("section")].map((board) => [...board.querySelectorAll(
  board.className === "dice" ? "table table tr:first-child td:first-child" : 'td[style^="background:"]')].map(cell => {
    const { left, top, width, height } = cell.getBoundingClientRect();
    const side = 2 * Math.floor((board.className === "dice" ? 0.5 : 0.31) * Math.min(width, height));
    return [Math.round(left + (width - side) / 2), Math.round(top + (height - side) / 2), side];
  }))"""
"""For each board where its pieces are, in the order in which they are read: a square that no ring meets; of a die it is
the corner with the letter of its owner."""

_WITH_SIGNS = "document.querySelectorAll('.k').forEach((cell) => (cell.style.color = '#fff'))"
"""Shows the signs on black stones, which hardly show by day."""

_STANDS_OUT = 40
"""So much lighter or darker, of 255, is what shows on a piece, even where it is thin."""


class _Sight(NamedTuple):
    """What shows on a piece whatever its colours, a bit for each pixel, and its hue, of 256."""

    shape: int
    hue: int

    def differs(self, other: "_Sight", tone: Tone) -> int:
        """Return how much it differs from a piece in a tone: in its shape, or from a coloured one in its hue."""
        if tone in ("black", "white"):
            return (self.shape ^ other.shape).bit_count()
        return min((self.hue - other.hue) % 256, (other.hue - self.hue) % 256)


class _Drawn(NamedTuple):
    """A board as it stands on the page."""

    view: BoardView
    html: str

    @property
    def tones(self) -> list[Tone]:
        """Whose the pieces are, in the order in which they are read."""
        return [cell.piece.tone for cell in self.view.cells if cell.piece]


def boards() -> Iterator[_Drawn]:
    """Yield each game's board half way, with numbers of moves, and at the end; the end also large, and as it is without
    the style sheet, which some programs drop. On one board both sides have a winning line and the last move."""
    views = [board("XOX.", "XO.O", "XO.O", "XOXO", last="a1 b1", line="a2 a3 b2 b3")]
    for key, game in GAMES.items():
        positions = walk(Case(key, game.seats[-1], ()), 11).positions
        yield _draw(_numbered(positions[len(positions) // 2].view()), f"{key}-half")
        views.append(positions[-1].view())
    for number, view in enumerate(views):
        yield _draw(view, f"end-{number}")
        yield _draw(view, f"large-{number}", large=True)
        yield _Drawn(view, drawn_html(view).replace(' id="board"', "", 1))


def _numbered(view: BoardView) -> BoardView:
    """Return a board on which every other piece bears the number of a move."""
    numbers = cycle([frozenset({number}) for number in NUMBERS[:3]])
    held = [cell for cell in view.cells if cell.piece][::2]
    marked = {cell.name: replace(cell, marks=cell.marks | next(numbers)) for cell in held}
    return replace(view, cells=tuple(marked.get(cell.name, cell) for cell in view.cells))


def _draw(view: BoardView, name: str, *, large: bool = False) -> _Drawn:
    """Return a board that is alone in having this name on its page, with its style sheet."""
    style = board_style(view, large=large).replace("#board", f"#{name}").replace("*.", f"#{name} .")
    return _Drawn(view, f"<style>{style}</style>{drawn_html(view, large=large).replace('board', name, 1)}")


def look(browser: Browser, places: list[list[list[int]]]) -> list[list[_Sight]]:
    """Return what there is to see of each piece of each board."""
    height = max(top + side for found in places for _, top, side in found) + 20
    picture = Image.open(io.BytesIO(browser.picture(height))).convert("RGB")
    light, hue = np.asarray(picture.convert("L"), dtype=np.int16), np.asarray(picture.convert("HSV"))[..., 0]
    sights = []
    for found in places:
        side = min([side for _, _, side in found], default=0)  # a pixel more or less
        squares = [(slice(top, top + side), slice(left, left + side)) for left, top, _ in found]
        sights.append([_Sight(_find_shape(light[square]), int(np.median(hue[square]))) for square in squares])
    return sights


def _find_shape(square: "np.ndarray[Any, np.dtype[np.int16]]") -> int:
    """Return which pixels differ from the most."""
    shape = np.abs(square - np.median(square)) >= _STANDS_OUT
    return int.from_bytes(np.packbits(shape).tobytes())


def test_every_piece_shows_its_side_however_colours_are_turned_over(tmp_path: Path) -> None:
    """No colour is needed for that: what shows on a piece is nearer to its own side by day than to any other side."""
    drawn, page = list(boards()), tmp_path / "page.html"
    sections = [f'<section class="{one.view.looks}">{one.html}</section>' for one in drawn]
    page.write_text(f'<meta charset="utf-8"><body style="margin:0">{"".join(sections)}', encoding="utf-8")
    with open_browser(tmp_path / "profile") as browser:
        browser.show(page, width=360, height=800)
        places = browser.evaluate(_FOUND)
        assert [len(found) for found in places] == [len(one.tones) for one in drawn]
        by_day = look(browser, places)
        browser.evaluate(_WITH_SIGNS)
        with_signs, turned = look(browser, places), {"not": by_day}
        for how in INVERSIONS:
            browser.show(page, width=360, height=800)
            browser.evaluate(force(how))
            turned[how] = look(browser, places)
    wrong = []
    for number, one in enumerate(drawn):
        known = set(zip(one.tones * 2, by_day[number] + with_signs[number], strict=True))
        for how, seen in turned.items():
            for tone, sight in zip(one.tones, seen[number], strict=True):
                far = {own: min(sight.differs(kind, own) for of, kind in known if of == own) for own in set(one.tones)}
                if [own for own, least in far.items() if least == min(far.values())] != [tone]:
                    wrong.append(f"{one.view.looks} {number}, turned over: {how}: {tone} is as far as {far}")
    assert not wrong, "\n".join(wrong)
