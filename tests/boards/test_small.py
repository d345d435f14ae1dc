"""Boards as small pictures."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from pbem.boards.colours import RING, TONES
from pbem.boards.small import small_board
from rules.phrase import verbatim
from rules.view import BoardView, Form, Piece
from tests.support.boards import BLACK, HEXAGONS, WHITE, board, dice, hexes
from tests.support.each import each
from tests.support.walks import Case, every_case, walk


def drawn(view: BoardView) -> ElementTree.Element:
    """Return the picture as a page reads it."""
    return ElementTree.fromstring(small_board(view))


def spots(root: ElementTree.Element, colour: str) -> set[tuple[int, int]]:
    """Return where dots of a colour are; of rings the left edge."""
    return {spot for path in root.iter("path") if path.get("stroke") == colour for spot in dots_of(path.get("d") or "")}


def dots_of(data: str) -> list[tuple[int, int]]:
    """Return where a path has dots: lines show one every 20, of other things only where they begin counts."""
    found, x, y = [], 0, 0
    for kind, first, second, length in re.findall(r"([Mm])(\d+) (\d+)(?:h(\d+))?", data):
        x, y = (int(first), int(second)) if kind == "M" else (x + int(first), y + int(second))
        found += [(x + further, y) for further in range(0, int(length or 1), 20)]
        x += int(length or 0)
    return found


def test_each_colour_is_one_path() -> None:
    """A stone is where its cell is, whatever the number of stones; nothing names a cell."""
    root = drawn(board("XO.", "XX."))
    assert root.get("viewBox") == "0 0 60 40"
    assert spots(root, TONES["black"][0]) == {(10, 10), (10, 30), (30, 30)}
    assert spots(root, TONES["white"][0]) == {(30, 10)}
    assert [path.get("stroke") for path in root.iter("path")].count(TONES["black"][0]) == 1
    assert not list(root.iter("text"))


def test_stones_side_by_side_are_one_line() -> None:
    """Dashes without length, as far apart as cells, show each of them; gaps and rows begin anew."""
    root = drawn(board("XX.XX", "X..X."))
    assert root.get("stroke-dasharray") == ".1 19.9"
    expected = {(10, 10), (30, 10), (70, 10), (90, 10), (10, 30), (70, 30)}
    assert spots(root, TONES["black"][0]) == expected
    (path,) = (path for path in root.iter("path") if path.get("stroke") == TONES["black"][0])
    assert (path.get("d") or "").count("h") == 4


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


@each("sides", HEXAGONS, ids=str)
def test_rows_of_hexagons_lie_half_a_cell_apart(sides: tuple[int, int]) -> None:
    """Every cell is drawn, and within the picture."""
    view = hexes(*sides)
    root = drawn(view)
    _, _, wide, high = map(float, (root.get("viewBox") or "").split())
    (path,) = root.iter("path")
    places = dots_of(path.get("d") or "")
    assert len(places) == len(set(places)) == len(view.cells)
    first = {row: min(x for x, y in places if y == row) for _, row in places}
    assert {abs(one - other) for one, other in pairwise(first[row] for row in sorted(first))} == {10}
    assert all(10 <= x <= wide - 10 and 10 <= y <= high - 10 for x, y in places)


@each("case", every_case(), ids=str)
def test_every_game_has_small_pictures(case: Case) -> None:
    """Small enough for a page of a hundred of them, to the end of a match."""
    text = small_board(walk(case, 1).positions[-1].view())
    ElementTree.fromstring(text)
    assert len(text) < 15_000


def test_a_board_with_two_kinds_of_stone() -> None:
    """Stones in black and white need no symbol, and marks of the winning line are in the other colour."""
    root = drawn(board("XO", "XO", line="a1 a2", pieces=(BLACK, WHITE)))
    assert spots(root, TONES["black"][1]) >= {(10, 10), (10, 30)}
