"""Boards as pictures."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from pbem.boards.colours import RING
from pbem.boards.signs import lettered
from pbem.boards.svg import svg_board
from pbem.notices.sentences.boards import picture_words
from rules.phrase import verbatim
from rules.view import BoardView, Form, Mark, Piece, Tone
from tests.support.boards import BLACK, HEXAGONS, WHITE, board, dice, hexes
from tests.support.drawn import Picture
from tests.support.each import each


def drawn(view: BoardView) -> str:
    """Return the picture as a page has it."""
    return svg_board(view, picture_words(view))


def test_svg_is_well_formed_and_says_what_it_shows() -> None:
    """The picture stands by itself, has a title, and describes every stone to those who do not see it."""
    root = ElementTree.fromstring(drawn(board("XO", "X.", last="b2", line="a1 a2")))
    space = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{space}svg"
    assert root.get("viewBox") == "0 0 80 80"
    assert root.findtext(f"{space}title") == "Board, 2 by 2"
    assert (
        root.findtext(f"{space}desc") == "Black: a2 and a1. White: b2. The last move: b2. The winning line: a2 and a1."
    )


def test_svg_marks_by_shape() -> None:
    """The last move wears a ring and each stone of the winning line a diamond."""
    text = drawn(board("XO", "X.", last="b2", line="a1 a2"))
    picture = Picture(text)
    assert [cell.sprite.count('r="9"') for cell in picture.cells] == [0, 1, 0, 0]
    assert [cell.sprite.count("M0-4l4 4-4 4-4-4z") for cell in picture.cells] == [1, 0, 1, 0]


def test_a_move_that_goes_on_has_one_full_ring() -> None:
    """Round its last piece; those before it have thin ones, and what it emptied is dashed, without another mark."""
    view = board("XO", "X.")
    marks: dict[str, set[Mark]] = {"a2": {"last", "earlier"}, "b2": set(), "a1": {"last"}, "b1": {"last", "closed"}}
    cells = tuple(replace(cell, marks=frozenset(marks[cell.name])) for cell in view.cells)
    earlier, plain, last, emptied = (cell.sprite for cell in Picture(drawn(replace(view, cells=cells))).cells)
    assert [RING in sprite for sprite in (earlier, plain, last, emptied)] == [True, False, True, True]
    assert [sprite.count("2.2") for sprite in (earlier, last, emptied)] == [0, 1, 0]
    assert [sprite.count("dasharray") for sprite in (earlier, last, emptied)] == [0, 0, 1]


def test_svg_draws_each_sprite_once() -> None:
    """A board full of stones names what it draws, and holds what a script may show of other positions."""
    text = drawn(board("XXX", "OOO", "..."))
    assert text.count("<circle") == 2
    words = picture_words(board("...", "...", "..."))
    view = board("X..", "...", "...", last="a3")
    assert set(Picture(svg_board(board("...", "...", "..."), words, view.cells)).sprites) == {"p-black-last"}


def test_svg_follows_the_looks() -> None:
    """Stones stand on crossings or in squares, as the view asks."""
    view = board("..", "..")
    cells = BoardView(view.columns, view.rows, view.cells, view.pieces, looks="cells")
    assert drawn(view).count("h20M") + drawn(view).count("v-20") == 4
    assert drawn(cells).count("h20v20h-20z") == 4


@each("tone", ["red", "blue", "yellow", "clear"])
@each("form", ["stone", "cube", "glass", "home"])
def test_svg_messages_coloured_pieces(tone: Tone, form: Form) -> None:
    """A piece that is neither black nor white bears its symbol, so that its colour is never needed alone."""
    piece = Piece("kind", "Z", verbatim("Zoe’s"), tone, form)
    view = board("XOZ", "...", "...", pieces=(BLACK, WHITE, piece))
    assert ">Z</text>" in drawn(view)
    assert ">X</text>" not in drawn(view)
    assert lettered(view) == [piece]


def test_svg_messages_pieces_that_look_alike() -> None:
    """Two kinds of piece in the same colour and form bear their symbols."""
    view = board("XY", "..", pieces=(BLACK, Piece("other", "Y", verbatim("other"), "black")))
    assert all(f">{symbol}</text>" in drawn(view) for symbol in "XY")


def test_svg_of_a_hex_board() -> None:
    """Every cell is a hexagon that bears its name, in its place."""
    view = hexes(5, 7)
    root = ElementTree.fromstring(drawn(view))
    space = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{space}title") == "Board with 90 hexagons"
    places = {
        name.text: (float(name.get("x") or 0), float(line.get("y") or 0))
        for line in root.iter(f"{space}text")
        for name in line.iter(f"{space}tspan")
    }
    assert len(places) == len(view.cells)
    for cell in view.cells:
        x, y = places[cell.name]
        assert x == 10 * (2 * cell.column - cell.row + 4) + 16
        assert y == pytest.approx((10 - cell.row) * 17.32 + 18)


def test_svg_stays_within_its_picture() -> None:
    """No coordinate and no cell lies outside of the picture or close to its edge."""
    space = "{http://www.w3.org/2000/svg}"
    for short, long in HEXAGONS:
        root = ElementTree.fromstring(drawn(hexes(short, long)))
        _, _, wide, high = map(float, (root.get("viewBox") or "").split())
        for line in root.iter(f"{space}text"):
            assert 8 <= float(line.get("y") or 0) <= high - 6
            assert all(8 <= float(name.get("x") or 0) <= wide - 8 for name in line.iter(f"{space}tspan"))


def test_svg_of_dice_has_each_number_in_its_place() -> None:
    """The number on top is large in the middle, the others stand at their sides; the latest die has a frame."""
    root = ElementTree.fromstring(drawn(dice(last="b2")))
    space = "{http://www.w3.org/2000/svg}"
    found = {}
    cells = Picture(drawn(dice(last="b2"))).cells
    for group, cell in zip(root.findall(f".//{space}g[@transform]"), cells, strict=True):
        if (title := group.findtext(f"{space}title")) is not None:
            found[title] = {(text.get("x"), text.get("y")): text.text for text in group.iter(f"{space}text")}
            assert (RING in cell.sprite) == title.startswith("b2")
    assert found == {
        "a2: die of Light, top 4, north 1, east 2, south 6, west 5": {
            ("0", "0"): "4",
            ("0", "-14"): "1",
            ("14", "0"): "2",
            ("0", "14"): "6",
            ("-14", "0"): "5",
        },
        "b2: die of Dark, top 3, north 6, east 2, south 1, west 5": {
            ("0", "0"): "3",
            ("0", "-14"): "6",
            ("14", "0"): "2",
            ("0", "14"): "1",
            ("-14", "0"): "5",
        },
    }
    assert root.findtext(f"{space}desc") == ". ".join([*found, "The last move: b2."])


def test_svg_escapes_what_it_is_given() -> None:
    """A view cannot smuggle markup into a page."""
    text = drawn(board("<.", "..", pieces=(BLACK, WHITE, Piece("rude", "<", verbatim("<script>")))))
    assert "<script" not in text
    ElementTree.fromstring(text)
