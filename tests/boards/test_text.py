"""Boards as text, in emails, the terminal and the drawings of playthroughs."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from pbem.boards.signs import ASCII, pictured
from pbem.boards.svg import svg_board
from pbem.boards.text import WIDTH, text_board
from pbem.commands.grammar import reads_as_command
from pbem.notices.sentences.boards import picture_words
from rules.games import GAMES
from rules.view import Mark
from tests.support.boards import BLACK, HEXAGONS, WHITE, board, busy, dice, drawn_html, hexes, names_read, square
from tests.support.diagrams import board_text
from tests.support.each import each
from tests.support.walks import Case, walk

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
    """A board has coordinates on four sides, three columns a cell, the last move in brackets."""
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


def test_text_marks_a_winning_line() -> None:
    """A winning line is bracketed otherwise than the last move."""
    assert text_board(board("XO.", "XO.", "X..", last="a3", line="a1 a2 a3")) == (
        "      a  b  c\n  3  {X} O  .   3\n  2  [X] O  .   2\n  1  [X] .  .   1\n      a  b  c\n"
    )


def test_text_of_a_large_board_lines_up() -> None:
    """Numbers of two digits stand right-aligned on both sides, and all cells stay below their letter."""
    lines = text_board(square(13)).splitlines()
    assert lines[0].index("m") == 7 + 12 * 3
    assert lines[1].startswith("  13   ")
    assert lines[1].endswith("   13")
    assert lines[5].startswith("   9   ")
    assert lines[5].endswith("    9")
    assert len({len(line) for line in lines[1:14]}) == 1


@each("size", range(2, 20))
def test_text_stays_within_a_message(size: int) -> None:
    """No line of a board is wider than 63 columns, 19×19 included."""
    assert max(map(len, text_board(board(*(["X" * size] * size), line="a1")).splitlines())) <= WIDTH == 63


def test_places_without_a_cell_stay_blank() -> None:
    """A board that is no rectangle keeps its shape."""
    assert text_board(board(" . ", "...", " . ")).splitlines()[1:4] == [
        "  3      .      3",
        "  2   .  .  .   2",
        "  1      .      1",
    ]


def test_text_shows_closed_cells() -> None:
    """An empty cell that may not be played on is a dash, also when the last move took a piece off it."""
    view = board("X.", "..", last="a2 b2")
    marks: tuple[frozenset[Mark], ...] = (frozenset({"last"}), frozenset({"last", "closed"}), frozenset({"closed"}))
    marks = (*marks, frozenset())
    view = replace(view, cells=tuple(replace(cell, marks=those) for cell, those in zip(view.cells, marks, strict=True)))
    assert text_board(view) == "      a  b\n  2  (X)(-)  2\n  1   -  .   1\n      a  b\n"


def test_text_of_a_hex_board() -> None:
    """Each row begins half a cell further, inside the outline of the board, and each empty cell is its name."""
    view = hexes(2, 4, last="c4 d4", line="b3 d4", closed="a1 c1", pieces={"b3": BLACK, "c4": WHITE, "d4": BLACK})
    assert text_board(view) == (
        "        / d5  e5  \\\n"
        "      / (O) {X} e4  \\\n"
        "    / [X] c3  d3  e3  \\\n"
        "  | a2  b2  c2  d2  e2  |\n"
        "    \\  -  b1   -  d1  /\n"
    )


def test_a_hex_board_that_is_too_wide_names_every_other_cell() -> None:
    """Names of three characters would touch: between two of them stands a dot; brackets may touch a name."""
    stones = dict.fromkeys(("k15", "l15", "n15"), BLACK)
    lines = text_board(hexes(10, 10, last="l15", line="n15", pieces=stones)).splitlines()
    assert lines[4].strip() == "/ f15 . h15 . j15 X (X)m15[X]o15 . q15 . s15 \\"
    assert lines[18].strip() == "\\ a1 b1 c1 d1 e1 f1 g1 h1 i1 j1  /"


@each("short, long", HEXAGONS)
def test_the_name_of_every_hex_cell_can_be_read_off(short: int, long: int) -> None:
    """It stands there; on the widest boards every dot has a named cell beside it, in its row."""
    view = hexes(short, long)
    names, text = [cell.name for cell in view.cells], text_board(view)
    if 4 * len(view.columns) + 3 <= WIDTH:
        assert names_read(text) == names
    else:
        assert "." in text
        assert " .  . " not in text
        cells = [name for line in text.splitlines() for name in re.findall(r"[a-z]\d+|\.", line)]
        assert all(shown in (name, ".") for shown, name in zip(cells, names, strict=True))


@each("short, long", HEXAGONS)
def test_hex_boards_fit_into_a_message(short: int, long: int) -> None:
    """No line is wider than 63 columns, and each cell stands half a cell beside those above it."""
    for view in (hexes(short, long), busy(short, long)):
        lines = text_board(view).splitlines()
        assert max(map(len, lines)) <= WIDTH
        assert len(lines) == len(view.rows)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "case",
    [
        Case(key, GAMES[key].seats[0], ((option.key, value),))
        for key, name in (("pipelines", "size"), ("snipsnip", "board"), ("zipline", "size"))
        for option in GAMES[key].options
        if option.key == name
        for value in option.values[:: len(option.values) // 3]
    ],
    ids=str,
)
def test_no_line_of_a_board_reads_as_a_command(case: Case) -> None:
    """A row of names is no move, in no position, with letters or better signs; it may come back without a mark."""
    positions = [position for position in walk(case, 5).positions if isinstance(position.to_act, int)]
    for position in positions[:: 1 + len(positions) // 12]:
        view = position.view()
        for signs in (ASCII, pictured(view)):
            for line in text_board(view, signs).splitlines():
                assert not reads_as_command(line, position), line


def test_text_of_dice() -> None:
    """The owner and the number on top stand in the middle, the numbers of the sides on their sides."""
    assert text_board(dice(last="b2")) == (
        "          a          b\n"
        "    +----------+----------+\n"
        "    |     1    |::   6  ::|\n"
        "  2 | 5  L4  2 | 5 (D3) 2 | 2\n"
        "    |     6    |::   1  ::|\n"
        "    +----------+----------+\n"
        "    |::      ::|          |\n"
        "  1 |    a1    |    b1    | 1\n"
        "    |::      ::|          |\n"
        "    +----------+----------+\n"
        "          a          b\n"
    )


@each("key", list(GAMES))
def test_what_is_proposed_is_seen_on_every_board(key: str) -> None:
    """A review marks the better move, and a partner theirs: a reader sees it in text and in HTML, in every game."""
    game = GAMES[key]
    view = game.start(game.seats[-1], game.normalise({})).view()
    free = view.cells[len(view.cells) // 2]
    assert free.piece is None
    cells = (replace(cell, marks=frozenset({"proposed"})) if cell is free else cell for cell in view.cells)
    marked = replace(view, cells=tuple(cells))
    assert "?" not in text_board(view)
    assert text_board(marked).count("?") == 1
    assert drawn_html(marked).count("dashed") == drawn_html(view).count("dashed") + 1


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


@each("key", sorted(GAMES))
def test_every_game_can_be_drawn(key: str) -> None:
    """The opening board of every game has a drawing of each kind."""
    game = GAMES[key]
    view = game.begin(game.seats[0], {}).view()
    assert max(map(len, text_board(view).splitlines())) <= WIDTH
    assert max(len(line.encode()) for line in drawn_html(view).splitlines()) <= 998
    ElementTree.fromstring(svg_board(view, picture_words(view)))
