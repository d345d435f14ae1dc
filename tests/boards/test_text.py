"""Boards as text, in emails, the terminal and the drawings of playthroughs."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from pbem.boards import (
    WIDTH,
    html_board,
    marks_legend,
    svg_board,
    text_board,
)
from rules import GAMES
from rules.view import Mark
from tests.support.boards import BLACK, HEXAGONS, WHITE, board, busy, dice, hexes, names_read, parsed, square
from tests.support.diagrams import board_text

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


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_game_can_be_drawn(key: str) -> None:
    """The opening board of every game has a drawing of each kind."""
    game = GAMES[key]
    view = game.begin(game.seats[0], {}).view()
    assert max(map(len, text_board(view).splitlines())) <= WIDTH
    assert html_board(view).count("title=") == len(view.cells)
    assert max(len(line.encode()) for line in html_board(view).splitlines()) <= 998
    ElementTree.fromstring(svg_board(view))
