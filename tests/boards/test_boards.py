"""Boards drawn from a view: as text, as an HTML table and as a picture."""

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem.boards import (
    WIDTH,
    html_board,
    lettered,
    marks_legend,
    picture_signs,
    svg_board,
    text_board,
)
from pbem.boards.colours import BOARD, GROUNDS, TONES
from rules import GAMES
from rules.board.hexagon import hexagon
from rules.notation import cell_name
from rules.view import BoardView, Cell, Die, Form, Mark, Piece, Tone, reading_order
from tests.archive.test_pages import match, page_of
from tests.support.diagrams import board_text

BLACK = Piece("black", "X", "black", "black")
WHITE = Piece("white", "O", "white", "white")
LIGHT = Piece("light", "L", "Light", "white")
DARK = Piece("dark", "D", "Dark", "black")

HEXAGONS = [(side, side) for side in range(2, 11)] + [(side, side + 1) for side in range(2, 8)]
HEXAGONS += [(short, short + 2) for short in range(2, 7)]
"""Short and long sides of every hex board that a game has."""

SAMPLE = """\
      a  b  c  d  e  f  g  h  i
  9   .  .  .  .  .  .  .  .  .   9
  8   .  .  .  O  .  .  .  .  .   8
  7   .  .  X  . (O) .  .  .  .   7
  6   .  .  X  O  .  .  O  .  .   6
  5   .  .  X  .  .  X  .  .  .   5
  4   .  O  X  .  .  .  .  .  .   4
  3   .  .  .  .  O  .  .  .  .   3
  2   .  .  .  .  .  .  .  .  .   2
  1   .  .  .  .  .  .  .  .  .   1
      a  b  c  d  e  f  g  h  i
"""


def board(
    *rows: str,
    last: str = "",
    line: str = "",
    captions: tuple[str, ...] = (),
    pieces: tuple[Piece, ...] = (BLACK, WHITE),
) -> BoardView:
    """Return the view of a board written top row first: ``.`` is an empty cell, a blank is no cell."""
    kinds = {piece.symbol: piece for piece in pieces}
    cells = []
    for row, text in zip(reversed(range(len(rows))), rows, strict=True):
        for column, symbol in enumerate(text):
            name = f"{chr(97 + column)}{row + 1}"
            marks: set[Mark] = set()
            if name in last.split():
                marks.add("last")
            if name in line.split():
                marks.add("line")
            if symbol != " ":
                cells.append(Cell(name, column, row, kinds.get(symbol), frozenset(marks)))
    columns = tuple(chr(97 + column) for column in range(len(rows[0])))
    numbers = tuple(str(row + 1) for row in range(len(rows)))
    return BoardView(columns, numbers, tuple(cells), pieces, captions)


def square(size: int) -> BoardView:
    """Return a board full of stones but for its diagonal, with every kind of mark."""
    places = range(size)
    rows = ("".join("." if row == column else "XO"[row % 2] for column in places) for row in places)
    return board(*rows, last="a1 b2", line="b2 c3")


def hexes(
    short: int,
    long: int,
    *,
    last: str = "",
    line: str = "",
    closed: str = "",
    pieces: dict[str, Piece] | None = None,
    standing: tuple[str, ...] = (),
) -> BoardView:
    """Return the view of a hex board; ``pieces`` by the names of their cells."""
    places, cells = hexagon(short, long).places, []
    for name in reading_order(places):
        marked: tuple[tuple[Mark, str], ...] = (("last", last), ("line", line), ("closed", closed))
        marks = frozenset(mark for mark, names in marked if name in names.split())
        cells.append(Cell(name, *places[name], (pieces or {}).get(name), marks))
    size = hexagon(short, long).size
    letters = tuple(cell_name(column, 0)[0] for column in range(size))
    kinds = tuple(dict.fromkeys((pieces or {}).values()))
    rows = tuple(str(row + 1) for row in range(size))
    return BoardView(letters, rows, tuple(cells), kinds, looks="cells", shape="hex", standing=standing)


def busy(short: int, long: int) -> BoardView:
    """Return a hex board on which every place is taken or closed, with marks of all kinds side by side."""
    names = reading_order(hexagon(short, long).places)
    last, line = " ".join(names[::2] + names[1::5]), " ".join(names[::3] + names[1::5])
    return hexes(
        short,
        long,
        last=last,
        line=line,
        closed=" ".join(names[::7]),
        pieces={name: (BLACK, WHITE)[place % 2] for place, name in enumerate(names) if place % 7},
    )


def dice(*, last: str = "", closed: str = "", standing: tuple[str, ...] = ()) -> BoardView:
    """Return a board of four cells, with two dice on it; a1 is dark."""
    stood = {"a2": (LIGHT, Die(4, (1, 2, 6, 5))), "b2": (DARK, Die(3, (6, 2, 1, 5)))}
    cells = []
    for name, column, row in (("a2", 0, 1), ("b2", 1, 1), ("a1", 0, 0), ("b1", 1, 0)):
        piece, die = stood.get(name, (None, None))
        marked: tuple[tuple[Mark, str], ...] = (("last", last), ("closed", closed))
        marks = frozenset(mark for mark, names in marked if name in names.split())
        cells.append(Cell(name, column, row, piece, marks, die, "light" if (column + row) % 2 else "dark"))
    return BoardView(("a", "b"), ("1", "2"), tuple(cells), (LIGHT, DARK), looks="dice", standing=standing)


def names_read(text: str) -> Iterator[str]:
    """Yield the name of every cell of a hex board drawn as text, as its labels tell it to a reader.

    The row is the number at the left. The column is found by going down to the right, half a cell a row, and from
    the lowest cell along its stroke.
    """
    rows = [re.fullmatch(r"( *)(\d+)(.*?)(\\ ?([a-z]) )?  ?(\d+)", line) for line in text.splitlines()]
    found = [row for row in rows if row]
    lines = text.splitlines()[: len(found) + 2]
    assert all(row[2] == row[6] for row in found)
    places = [[row.start(3) + place for place, sign in enumerate(row[3]) if sign not in " ()[]{}\\"] for row in found]
    half = (places[0][1] - places[0][0]) // 2
    for number, row in enumerate(places):
        for x in row:
            low, at = number, x
            while low + 1 < len(places) and at + half in places[low + 1]:
                low, at = low + 1, at + half
            assert lines[low + 1][at + 1] == "\\"
            letter = found[low + 1][5] if low + 1 < len(found) else lines[low + 2][at + half]
            yield f"{letter}{found[number][2]}"


def tree(view: BoardView) -> ElementTree.Element:
    """Return the HTML board of ``view``, which is as strict as XML but for its breaks and its blanks."""
    page = html_board(view).replace("<br>", "<br/>").replace("&nbsp;", "\u00a0")
    return ElementTree.fromstring(f"<div>{page}</div>")


def contrast(ground: str, ink: str) -> float:
    """Return how well ``ink`` is legible on ``ground``, as WCAG 2 defines it."""

    def light(colour: str) -> float:
        digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
        parts = (int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4))
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dim, bright = sorted((light(ground), light(ink)))
    return (bright + 0.05) / (dim + 0.05)


class Cells(HTMLParser):
    """Collects the cells of a table: attributes and text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.cells: list[tuple[dict[str, str | None], str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a cell, or note another element."""
        self.tags.append(tag)
        if tag in ("td", "th"):
            self.cells.append((dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        """Add text to the cell that is open."""
        if self.cells:
            attributes, text = self.cells[-1]
            self.cells[-1] = (attributes, text + data.strip())


def parsed(view: BoardView) -> Cells:
    """Return what the table of the HTML board of ``view`` is made of."""
    found = Cells()
    found.feed(html_board(view).partition("<p")[0])
    return found


def test_text_is_the_layout_of_a_notice() -> None:
    """A board in a letter has coordinates on four sides, three columns a cell, the last move in brackets."""
    view = board(
        ".........",
        "...O.....",
        "..X.O....",
        "..XO..O..",
        "..X..X...",
        ".OX......",
        "....O....",
        ".........",
        ".........",
        last="e7",
    )
    assert text_board(view) == SAMPLE


def test_text_marks_a_winning_line_and_says_how() -> None:
    """A winning line is bracketed otherwise than the last move, and one line below explains the brackets."""
    assert text_board(board("XO.", "XO.", "X..", last="a3", line="a1 a2 a3")) == (
        "      a  b  c\n"
        "  3  {X} O  .   3\n"
        "  2  [X] O  .   2\n"
        "  1  [X] .  .   1\n"
        "      a  b  c\n"
        "\n"
        "  ( ) the last move, [ ] the winning line, { } both\n"
    )


def test_text_needs_no_legend_without_a_line() -> None:
    """Nothing is explained as long as only the last move is marked."""
    assert "the last move" not in text_board(board("X.", "..", last="a2"))
    assert marks_legend(board("X.", "..")) == ""


def test_text_of_a_last_move_off_the_line() -> None:
    """The legend names just the brackets that occur."""
    view = board("XO", "X.", last="b2", line="a1 a2")
    assert text_board(view).endswith("\n\n  ( ) the last move, [ ] the winning line\n")


def test_text_of_a_large_board_lines_up() -> None:
    """Numbers of two digits stand right-aligned on both sides, and all cells stay below their letter."""
    lines = text_board(square(13)).splitlines()
    assert lines[0].index("m") == 7 + 12 * 3
    assert lines[1].startswith("  13   ")
    assert lines[1].endswith("   13")
    assert lines[5].startswith("   9   ")
    assert lines[5].endswith("    9")
    assert len({len(line) for line in lines[1:14]}) == 1


@pytest.mark.parametrize("size", range(2, 20))
def test_text_stays_within_a_message(size: int) -> None:
    """No line of a board is wider than 63 columns, 19×19 and long captions included."""
    view = board(*(["X" * size] * size), line="a1", captions=("word " * 40,))
    assert max(map(len, text_board(view).splitlines())) <= WIDTH == 63


def test_text_ends_with_the_captions() -> None:
    """What the view says below its board stands below it, a paragraph each."""
    text = text_board(board("..", "..", captions=("Black moves.", "White waits.")))
    assert text.endswith("a  b\n\nBlack moves.\n\nWhite waits.\n")


def test_places_without_a_cell_stay_blank() -> None:
    """A board that is no rectangle keeps its shape in every drawing."""
    view = board(" . ", "...", " . ")
    assert text_board(view).splitlines()[1:4] == [
        "  3      .      3",
        "  2   .  .  .   2",
        "  1      .      1",
    ]
    assert sorted(attributes["title"] or "" for attributes, _ in parsed(view).cells if "title" in attributes) == [
        "a2",
        "b1",
        "b2",
        "b3",
        "c2",
    ]
    assert svg_board(view).count("h20") == 2


def test_text_shows_closed_cells_and_says_so() -> None:
    """An empty cell that may not be played on is a dash, also when the last move took a piece off it."""
    view = board("X.", "..", last="a2 b2")
    marks: tuple[frozenset[Mark], ...] = (frozenset({"last"}), frozenset({"last", "closed"}), frozenset({"closed"}))
    marks = (*marks, frozenset())
    view = replace(view, cells=tuple(replace(cell, marks=those) for cell, those in zip(view.cells, marks, strict=True)))
    assert text_board(view) == (
        "      a  b\n  2  (X)(-)  2\n  1   -  .   1\n      a  b\n\n  ( ) the last move, - closed\n"
    )


def test_text_tells_how_things_stand_right_below_the_board() -> None:
    """Each sentence on how things stand begins a line, above the captions, and long ones are wrapped."""
    view = replace(board("..", "..", captions=("The rules.",)), standing=("Red has 2.", "Blue " + "has a lot " * 6))
    assert text_board(view).endswith(
        "a  b\n\nRed has 2.\nBlue has a lot has a lot has a lot has a lot has a lot has a\nlot\n\nThe rules.\n"
    )


def test_text_of_a_hex_board() -> None:
    """Each row begins half a cell further; a stroke leads from the lower end of each column to its letter."""
    view = hexes(2, 4, last="c4 d4", line="b3 d4", closed="a1 c1", pieces={"b3": BLACK, "c4": WHITE, "d4": BLACK})
    assert text_board(view) == (
        "        5  .   .  5\n"
        "      4 (O) {X}  .  4\n"
        "    3 [X]  .   .   .  3\n"
        "  2  .   .   .   .   .  2\n"
        "    1  -   .   -   .  \\ e  1\n"
        "        \\   \\   \\   \\\n"
        "         a   b   c   d\n"
        "\n"
        "  Letters go up to the left: the top row runs from d5 to e5.\n"
        "\n"
        "  ( ) the last move, [ ] the winning line, { } both, - closed\n"
    )


def test_text_of_a_large_hex_board() -> None:
    """Where there is one column between cells, neighbours with the same mark share their brackets."""
    stones = dict.fromkeys(("h15", "i15", "j15", "l15"), BLACK)
    lines = text_board(hexes(8, 8, last="h15 i15 l15", line="j15", pieces=stones)).splitlines()
    assert lines[0] == "        15 (X X[X].(X). . .  15"
    assert lines[7] == "  8  . . . . . . . . . . . . . . .  8"
    assert lines[8] == "   7  . . . . . . . . . . . . . . \\o  7"
    assert lines[14:17] == [
        "         1  . . . . . . . . \\i  1",
        "             \\ \\ \\ \\ \\ \\ \\ \\",
        "             a b c d e f g h",
    ]


@pytest.mark.parametrize(("short", "long"), HEXAGONS)
def test_the_name_of_every_hex_cell_can_be_read_off(short: int, long: int) -> None:
    """The row's number and the letter at the end of its column make the name of each cell, on a full board too."""
    for view in (hexes(short, long), busy(short, long)):
        assert list(names_read(text_board(view))) == [cell.name for cell in view.cells]


@pytest.mark.parametrize(("short", "long"), HEXAGONS)
def test_hex_boards_fit_into_a_message(short: int, long: int) -> None:
    """No line is wider than 63 columns; a column between cells is given up only where it must."""
    lines = text_board(busy(short, long)).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert ("\\   \\" in "".join(lines)) == (short + long <= 15)


def test_text_of_dice() -> None:
    """The owner and the number on top stand in the middle, the numbers of the sides on their sides."""
    assert text_board(dice(last="b2", standing=("Light’s store: 2.",))) == (
        "          a          b\n"
        "    +----------+----------+\n"
        "    |     1    |::   6  ::|\n"
        "  2 | 5  L4  2 | 5 (D3) 2 | 2\n"
        "    |     6    |::   1  ::|\n"
        "    +----------+----------+\n"
        "    |::      ::|          |\n"
        "  1 |          |          | 1\n"
        "    |::      ::|          |\n"
        "    +----------+----------+\n"
        "          a          b\n"
        "\n"
        "  On a die stand its owner’s letter and the number on top,\n"
        "  around them the numbers on its four sides. Cells with colons\n"
        "  are dark.\n"
        "\n"
        "Light’s store: 2.\n"
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
    rows = [[cell.text or "" for cell in row] for row in tree(hexes(2, 4)).iter("tr")]
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


@pytest.mark.parametrize("view", [hexes(4, 4), busy(5, 7), dice(last="a2")])
def test_html_leaves_no_colour_to_the_client(view: BoardView) -> None:
    """Every place that holds something has its ground and its ink, or stands in a table that has."""
    for row in tree(view).iter("tr"):
        for cell in row:
            if cell.get("title") or cell.tag == "th":
                assert re.match(r"background:#\w+;color:#\w+", cell.get("style") or "")
    for table in list(tree(view).iter("table"))[1:]:
        assert re.match(r"background:#\w+;color:#\w+", table.get("style") or "")


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


def test_html_sets_both_colours_of_every_cell() -> None:
    """No cell leaves its ground or its ink to the client, so that dark mode cannot hide either."""
    for attributes, _ in parsed(square(9)).cells:
        assert re.search(r"(?:^|;)background:#\w+;color:#\w+", attributes["style"] or "")


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
        attributes["title"]: attributes["style"] or ""
        for attributes, _ in parsed(square(9)).cells
        if "title" in attributes
    }
    assert "3px solid" in styles["a1"]
    assert "3px double" in styles["b2"]
    assert "3px dashed" in styles["c3"]
    assert "border" not in styles["d4"]


def test_html_is_small() -> None:
    """The usual board stays below 15,000 bytes and every line below the limit of mail."""
    text = html_board(square(13))
    assert len(text.encode()) < 15_000
    assert max(len(line.encode()) for line in text.splitlines()) < 990


def test_html_escapes_what_it_is_given() -> None:
    """A view cannot smuggle markup into a mail."""
    rude = Piece("rude", "<", '"<script>"')
    text = html_board(board("<.", "..", pieces=(rude,), captions=("<script>",)))
    assert "<script" not in text
    assert ">&lt;</td>" in text
    assert "&lt; &quot;&lt;script&gt;&quot;<br>\n&lt;script&gt;" in text


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


def test_the_archive_tells_how_things_stand(tmp_path: Path) -> None:
    """The page of a match says below the picture how things stand."""
    game = GAMES["snipsnip"]
    one = replace(match(), game=game, options=game.normalise({}))
    assert one.position.view().standing
    for sentence in one.position.view().standing:
        assert f"<p><strong>{sentence}</strong></p>" in page_of(one, tmp_path)


def test_playthroughs_draw_hex_boards() -> None:
    """The drawings of playthroughs have rows half a cell apart, and letters at the lower ends of columns."""
    view = hexes(2, 4, last="c4", line="b3", closed="a1", pieces={"b3": BLACK, "c4": WHITE})
    assert board_text(view).splitlines() == [
        "  5        .   .",
        "  4     (O)  .   .",
        "  3   [X]  .   .   .",
        "  2  .   .   .   .   .",
        "  1    -   .   .   .   e",
        "         a   b   c   d",
    ]


def test_playthroughs_draw_dice() -> None:
    """The drawings of playthroughs tell owner, top and the sides from north clockwise, and which cells are dark."""
    assert board_text(dice(last="b2")).splitlines() == [
        "  2  L4.1265  (D3:6215)",
        "  1  :         .",
        "     a         b",
    ]


def test_svg_escapes_what_it_is_given() -> None:
    """A view cannot smuggle markup into a page."""
    text = svg_board(board("<.", "..", pieces=(BLACK, WHITE, Piece("rude", "<", "<script>"))))
    assert "<script" not in text
    ElementTree.fromstring(text)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_game_can_be_drawn(key: str) -> None:
    """The opening board of every game has a drawing of each kind."""
    game = GAMES[key]
    view = game.begin(game.seats[0], {}).view()
    assert max(map(len, text_board(view).splitlines())) <= WIDTH
    assert html_board(view).count("title=") == len(view.cells)
    assert max(len(line.encode()) for line in html_board(view).splitlines()) <= 998
    ElementTree.fromstring(svg_board(view))


def test_brackets_shrink_with_a_wide_board() -> None:
    """On a telephone nineteen columns leave little room, and half a bracket would say nothing."""
    wide, narrow = (html_board(board(*["X" * size] * size, last="b2")) for size in (19, 9))
    assert "font-size:11px;font-size:clamp(9px,3vw,11px)" in wide
    assert "clamp" not in narrow


@pytest.mark.parametrize("large", [False, True])
def test_colour_says_nothing_alone(large: bool) -> None:
    """Without any style the table still tells pieces, the last move, the winning line and closed cells by signs."""
    view = hexes(3, 3, last="a1 b2", line="a1 c3", closed="a2", pieces={"a1": BLACK, "b2": WHITE, "c3": BLACK})
    bare = re.sub(r"<[^>]*>", "", html_board(view, large=large)).split()
    assert {"{X}", "(O)", "[X]", "-", "·"} <= set(bare)
