"""Boards drawn from a view: as text, as an HTML table and as a picture."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from pbem.boards import WIDTH, html_board, marks_legend, svg_board, text_board
from rules import GAMES
from rules.view import BoardView, Cell, Mark, Piece

BLACK = Piece("black", "X", "black")
WHITE = Piece("white", "O", "white")

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
    """Return what the HTML board of ``view`` is made of."""
    found = Cells()
    found.feed(html_board(view))
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
def test_text_stays_within_a_letter(size: int) -> None:
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
    assert set(parsed(view).tags) == {"table", "caption", "br", "tr", "td", "th"}
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
    assert "&lt; &quot;&lt;script&gt;&quot;<br>&lt;script&gt;" in text


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


def test_svg_letters_further_kinds_of_pieces() -> None:
    """A third kind of piece bears its symbol, since only two can be told apart as dark and light."""
    text = svg_board(board("XOZ", "...", "...", pieces=(BLACK, WHITE, Piece("glass", "Z", "glass"))))
    assert ">Z</text>" in text
    assert ">X</text>" not in text


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
    ElementTree.fromstring(svg_board(view))
