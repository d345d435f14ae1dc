"""Boards as HTML tables for email."""

import re
from dataclasses import replace
from html import unescape

import pytest

from pbem.boards import (
    html_board,
)
from pbem.boards.colours import BOARD, GROUNDS, TONES
from rules.view import BoardView, Piece
from tests.support.boards import (
    BLACK,
    HEXAGONS,
    WHITE,
    board,
    busy,
    contrast,
    dice,
    hexes,
    parsed,
    square,
    tree,
)


@pytest.mark.parametrize("view", [hexes(2, 4), busy(5, 7), busy(10, 10), dice(last="a2")])
def test_every_line_of_html_can_be_mailed(view: BoardView) -> None:
    """Mail allows lines of 998 octets; captions are lines of their own."""
    text = html_board(replace(view, captions=("é" * 400,) * 5, standing=("é" * 400,) * 5))
    assert max(len(line.encode()) for line in text.splitlines()) <= 998


@pytest.mark.parametrize(("short", "long"), HEXAGONS)
def test_html_of_a_hex_board_lies_half_a_cell_apart(short: int, long: int) -> None:
    """Every cell is two columns wide, named once, and in the columns that are its place; rows are equally long."""
    view = busy(short, long)
    places = {cell.name: 2 * cell.column - cell.row for cell in view.cells}
    widths, starts = set(), {}
    for row in tree(view).iter("tr"):
        at = 0
        for cell in row:
            if name := cell.get("title"):
                assert name not in starts
                assert cell.get("colspan") == "2"
                starts[name] = at
            at += int(cell.get("colspan", "1"))
        widths.add(at)
    assert list(starts) == list(places)
    assert len({starts[name] - place for name, place in places.items()}) == 1
    assert [group.get("span") for group in tree(view).iter("colgroup")] == [str(width) for width in widths]


def test_html_of_a_hex_board_leads_to_its_messages() -> None:
    """The letter of a column stands half a cell to the right below its last cell, behind a stroke."""
    rows = [[(cell.text or "").strip() for cell in row] for row in tree(hexes(2, 4)).iter("tr")]
    assert rows == [
        ["", "5", "·", "·", "5", ""],
        ["", "4", "·", "·", "·", "4", ""],
        ["", "3", "·", "·", "·", "·", "3", ""],
        ["2", "·", "·", "·", "·", "·", "2", ""],
        ["", "1", "·", "·", "·", "·", "\\e", "1"],
        ["", "\\a", "\\b", "\\c", "\\d", ""],
    ]


def test_html_of_dice_reads_without_colours() -> None:
    """A die says whose it is and which numbers it shows, and dark cells have colons, with all styles stripped."""
    cells = {cell.get("title"): cell for cell in tree(dice(last="b2", closed="b1")).iter("td") if cell.get("title")}
    words = {name: "".join(cell.itertext()).replace("\u00a0", " ").split() for name, cell in cells.items()}
    assert words == {
        "a2": ["1", "5", "L4", "2", "6"],
        "b2": ["::", "::", "6", "5", "(D3)", "2", "1", "::", "::"],
        "a1": ["::", "::", "::", "::"],
        "b1": ["-"],
    }
    assert "3px solid" in (cells["b2"].get("style") or "")


def test_html_tells_how_things_stand() -> None:
    """Right below the board stands, in bold, how things stand."""
    text = html_board(replace(board("..", ".."), standing=("Red has <2.", "Blue has 3.")))
    assert "<b>Red has &lt;2.</b><br>\n<b>Blue has 3.</b><br>\nX black" in text


@pytest.mark.parametrize("view", [hexes(4, 4), busy(5, 7), square(9), dice(last="a2")])
def test_html_leaves_no_colour_to_the_client(view: BoardView) -> None:
    """Every table has its ground and its ink; a cell never has another of these alone."""
    for table in tree(view).iter("table"):
        assert re.search(r"background:#\w+;color:#\w+", table.get("style") or "")
        for cell in (cell for row in table.iter("tr") for cell in row):
            style = cell.get("style") or ""
            assert ("background:" in style) == ("color:" in style)


@pytest.mark.parametrize(("ground", "ink"), [BOARD, *TONES.values(), *GROUNDS.values()])
def test_inks_are_legible(ground: str, ink: str) -> None:
    """Every symbol differs from its ground by the 4.5 to 1 that WCAG asks for."""
    assert contrast(ground, ink) >= 4.5


@pytest.mark.parametrize("size", [2, 9, 13, 19])
def test_html_names_every_cell_once(size: int) -> None:
    """Every cell of the board is titled with its name, once."""
    view = square(size)
    titles = [attributes["title"] for attributes, _ in parsed(view).cells if "title" in attributes]
    assert titles == [cell.name for cell in view.cells]


def test_html_reads_without_colours() -> None:
    """With all styles stripped the symbols and brackets still tell everything."""
    cells = [text for _, text in parsed(board("XO.", "XO.", "X..", last="a3", line="a1 a2 a3")).cells]
    edge = ["", "a", "b", "c", ""]
    assert cells[:5] == cells[20:] == edge
    assert cells[5:20] == ["3", "{X}", "O", "·", "3", "2", "[X]", "O", "·", "2", "1", "[X]", "·", "·", "1"]


def test_html_is_one_plain_table() -> None:
    """A mail gets a single table: no style sheets, no pictures, no scripts, no links to anywhere."""
    view = square(9)
    assert set(parsed(view).tags) == {"table", "tr", "td", "th"}
    assert html_board(view).count("<table") == 1
    assert "http" not in html_board(view)


def test_html_marks_have_thick_borders() -> None:
    """Marked cells differ by a thick border as well as by brackets, each kind by another."""
    styles = {
        attributes["title"]: attributes.get("style") or ""
        for attributes, _ in parsed(square(9)).cells
        if "title" in attributes
    }
    assert "3px solid" in styles["a1"]
    assert "3px double" in styles["b2"]
    assert "3px dashed" in styles["c3"]
    assert "border" not in styles["d4"]


def test_html_is_small() -> None:
    """The usual board stays below 11,000 bytes and every line below the limit of mail."""
    text = html_board(square(13))
    assert len(text.encode()) < 11_000
    assert max(len(line.encode()) for line in text.splitlines()) < 990


def test_html_escapes_what_it_is_given() -> None:
    """A view cannot smuggle markup into a mail."""
    rude = Piece("rude", "<", '"<script>"')
    text = html_board(board("<.", "..", pieces=(rude,), captions=("<script>",)))
    assert "<script" not in text
    assert ">&lt;<td" in text
    assert "&lt; &quot;&lt;script&gt;&quot;<br>\n&lt;script&gt;" in text


def test_brackets_shrink_with_a_wide_board() -> None:
    """On a telephone nineteen columns leave little room, and half a bracket would say nothing."""
    wide, narrow = (html_board(board(*["X" * size] * size, last="b2")) for size in (19, 9))
    assert "font-size:11px;font-size:clamp(9px,3vw,11px)" in wide
    assert "clamp" not in narrow


@pytest.mark.parametrize("large", [False, True])
def test_colour_says_nothing_alone(large: bool) -> None:
    """Without any style the table still tells pieces, the last move, the winning line and closed cells by signs."""
    view = hexes(3, 3, last="a1 b2", line="a1 c3", closed="a2", pieces={"a1": BLACK, "b2": WHITE, "c3": BLACK})
    bare = unescape(re.sub(r"<[^>]*>", " ", html_board(view, large=large))).split()
    assert {"{X}", "(O)", "[X]", "-", "·"} <= set(bare)
