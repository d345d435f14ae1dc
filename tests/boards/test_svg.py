"""Boards as pictures."""

from xml.etree import ElementTree

import pytest

from pbem.boards import (
    lettered,
    picture_signs,
    svg_board,
)
from rules.view import BoardView, Form, Piece, Tone
from tests.support.boards import BLACK, HEXAGONS, WHITE, board, busy, dice, hexes


def test_svg_is_well_formed_and_says_what_it_shows() -> None:
    """The picture stands by itself, has a title, and describes every stone to those who do not see it."""
    root = ElementTree.fromstring(svg_board(board("XO", "X.", last="b2", line="a1 a2")))
    space = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{space}svg"
    assert root.get("viewBox") == "0 0 80 80"
    assert root.findtext(f"{space}title") == "Board, 2 by 2"
    assert root.findtext(f"{space}desc") == "Black: a2, a1. White: b2. The last move: b2. The winning line: a2, a1."


def test_svg_marks_by_shape() -> None:
    """The last move wears a ring and each stone of the winning line a diamond."""
    text = svg_board(board("XO", "X.", last="b2", line="a1 a2"))
    assert text.count('r="3.4"') == 1
    assert text.count("l7 7-7 7-7-7z") == 2


def test_svg_follows_the_looks() -> None:
    """Stones stand on crossings or in squares, as the view asks."""
    view = board("..", "..")
    cells = BoardView(view.columns, view.rows, view.cells, view.pieces, looks="cells")
    assert svg_board(view).count("h20M") + svg_board(view).count("v-20") == 4
    assert svg_board(cells).count("h20v20h-20z") == 4


@pytest.mark.parametrize("tone", ["red", "blue", "yellow", "clear"])
@pytest.mark.parametrize("form", ["stone", "cube", "glass", "home"])
def test_svg_messages_coloured_pieces(tone: Tone, form: Form) -> None:
    """A piece that is neither black nor white bears its symbol, so that its colour is never needed alone."""
    piece = Piece("kind", "Z", "Zoe’s", tone, form)
    view = board("XOZ", "...", "...", pieces=(BLACK, WHITE, piece))
    assert ">Z</text>" in svg_board(view)
    assert ">X</text>" not in svg_board(view)
    assert lettered(view) == [piece]


def test_svg_messages_pieces_that_look_alike() -> None:
    """Two kinds of piece in the same colour and form bear their symbols."""
    view = board("XY", "..", pieces=(BLACK, Piece("other", "Y", "other", "black")))
    assert all(f">{symbol}</text>" in svg_board(view) for symbol in "XY")


def test_svg_of_a_hex_board() -> None:
    """Every cell is a hexagon that bears its name, in its place; rows have two numbers, columns a letter."""
    view = busy(5, 7)
    root = ElementTree.fromstring(svg_board(view))
    space = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{space}title") == "Board, 90 hexagons"
    starts = {
        path.findtext(f"{space}title"): (path.get("d") or "").split("l")[0].removeprefix("M").split()
        for path in root.iter(f"{space}path")
        if path.find(f"{space}title") is not None
    }
    for cell in view.cells:
        x, y = map(float, starts[cell.name])
        assert x == 10 * (2 * cell.column - cell.row + 4) + 35
        assert y == pytest.approx((10 - cell.row) * 17.32 + 8.45)
    written = [text.text or "" for text in root.iter(f"{space}text")]
    assert sorted(written) == sorted([*view.columns, *view.rows, *view.rows])


def test_svg_stays_within_its_picture() -> None:
    """No coordinate and no cell lies outside of the picture or close to its edge."""
    space = "{http://www.w3.org/2000/svg}"
    for short, long in HEXAGONS:
        root = ElementTree.fromstring(svg_board(hexes(short, long)))
        _, _, wide, high = map(float, (root.get("viewBox") or "").split())
        for text in root.iter(f"{space}text"):
            assert 8 <= float(text.get("x") or 0) <= wide - 8
            assert 8 <= float(text.get("y") or 0) <= high - 6


def test_svg_of_dice_has_each_number_in_its_place() -> None:
    """The number on top is large in the middle, the others stand at their sides; the latest die has a frame."""
    root = ElementTree.fromstring(svg_board(dice(last="b2")))
    space = "{http://www.w3.org/2000/svg}"
    found = {}
    for group in root.findall(f"{space}g[@transform]"):
        title = next(group.iter(f"{space}title")).text or ""
        found[title] = {(text.get("x"), text.get("y")): text.text for text in group.iter(f"{space}text")}
        assert (len(list(group.iter(f"{space}path"))) > 0) == title.startswith("b2")
    assert found == {
        "a2: die of Light, top 4, north 1, east 2, south 6, west 5": {
            ("0", "0"): "4",
            ("0", "-15"): "1",
            ("15", "0"): "2",
            ("0", "15"): "6",
            ("-15", "0"): "5",
        },
        "b2: die of Dark, top 3, north 6, east 2, south 1, west 5": {
            ("0", "0"): "3",
            ("0", "-15"): "6",
            ("15", "0"): "2",
            ("0", "15"): "1",
            ("-15", "0"): "5",
        },
    }
    assert root.findtext(f"{space}desc") == ". ".join([*found, "The last move: b2", "The winning line: none."])


def test_the_signs_of_a_picture_are_explained() -> None:
    """What occurs in the picture is said beside it, and nothing else."""
    assert picture_signs(board("X.", "..")) == []
    assert picture_signs(board("X.", "X.", last="a1", line="a1 a2")) == [
        "ring: the last move",
        "diamonds: the winning line",
    ]
    assert picture_signs(hexes(2, 2, closed="a1")) == ["dashes: closed"]
    assert picture_signs(dice(last="a2")) == [
        "frame: the last move",
        "large: the number on top of a die, small: those on its sides",
    ]


def test_svg_escapes_what_it_is_given() -> None:
    """A view cannot smuggle markup into a page."""
    text = svg_board(board("<.", "..", pieces=(BLACK, WHITE, Piece("rude", "<", "<script>"))))
    assert "<script" not in text
    ElementTree.fromstring(text)
