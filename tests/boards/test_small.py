"""Boards as small pictures."""

import re
from xml.etree import ElementTree

import pytest

from pbem.boards import small_board
from pbem.boards.colours import RING, TONES
from rules import verbatim
from rules.view import BoardView, Form, Piece
from tests.support.boards import BLACK, HEXAGONS, WHITE, board, dice, hexes
from tests.support.walks import Case, every_case, walk


def drawn(view: BoardView) -> ElementTree.Element:
    """Return the picture as a page reads it."""
    return ElementTree.fromstring(small_board(view))


def spots(root: ElementTree.Element, colour: str) -> set[tuple[float, float]]:
    """Return where dots of a colour are; of square ones the left edge."""
    return {
        (float(x), float(y))
        for path in root.iter("path")
        if path.get("stroke") == colour
        for x, y in re.findall(r"M([-\d.]+) (\d+)", path.get("d") or "")
    }


def test_each_colour_is_one_path() -> None:
    """A stone is where its cell is, whatever the number of stones; nothing names a cell."""
    root = drawn(board("XO.", "XX."))
    assert root.get("viewBox") == "0 0 60 40"
    assert spots(root, TONES["black"][0]) == {(10, 10), (10, 30), (30, 30)}
    assert spots(root, TONES["white"][0]) == {(30, 10)}
    assert [path.get("stroke") for path in root.iter("path")].count(TONES["black"][0]) == 1
    assert not list(root.iter("text"))


def test_those_who_listen_pass_it_over() -> None:
    """It has no words of its own: what stands beside it says whose turn it is."""
    assert drawn(board("X.", "..")).get("aria-hidden") == "true"


def test_the_last_move_has_a_ring() -> None:
    """So has an empty cell that the move touched; a die has a frame."""
    assert len(spots(drawn(board("XO", "X.", last="b2 b1")), RING)) == 2
    assert len(spots(drawn(dice(last="b2")), RING)) == 1


@pytest.mark.parametrize("form", ["stone", "cube", "glass", "home"])
def test_what_colour_alone_would_tell_bears_its_symbol(form: Form) -> None:
    """As in the large picture; a sign of the rules cannot smuggle markup into a page."""
    text = next(drawn(board("X<", "..", pieces=(BLACK, Piece("p", "<", verbatim("p"), "red", form)))).iter("text"))
    assert (text.text, text.get("x"), text.get("y")) == ("<", "30", "14")


def test_a_die_shows_its_top() -> None:
    """The other numbers are in the large picture."""
    assert {text.text for text in drawn(dice()).iter("text")} == {"4", "3"}


@pytest.mark.parametrize("sides", HEXAGONS, ids=str)
def test_rows_of_hexagons_lie_half_a_cell_apart(sides: tuple[int, int]) -> None:
    """Every cell is drawn, and within the picture."""
    view = hexes(*sides)
    root = drawn(view)
    _, _, wide, high = map(float, (root.get("viewBox") or "").split())
    (path,) = (path for path in root.iter("path") if (path.get("d") or "").count("M") == len(view.cells))
    places = [(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h\.1", path.get("d") or "")]
    assert len(set(places)) == len(view.cells)
    assert all(10 <= x <= wide - 10 and 10 <= y <= high - 10 for x, y in places)


@pytest.mark.parametrize("case", every_case(), ids=str)
def test_every_game_has_small_pictures(case: Case) -> None:
    """Small enough for a page of a hundred of them, to the end of a match."""
    text = small_board(walk(case, 1).positions[-1].view())
    ElementTree.fromstring(text)
    assert len(text) < 15_000


def test_a_board_with_two_kinds_of_stone() -> None:
    """Stones in black and white need no symbol, and marks of the winning line are in the other colour."""
    root = drawn(board("XO", "XO", line="a1 a2", pieces=(BLACK, WHITE)))
    assert spots(root, TONES["black"][1]) >= {(10, 10), (10, 30)}
