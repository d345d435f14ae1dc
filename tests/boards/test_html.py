"""Boards as HTML tables for email."""

import re
from dataclasses import replace
from html import unescape

import pytest

from pbem.boards.colours import BOARD, CELL, GRID, GROUNDS, RIM, RING, TONES
from pbem.boards.html import board_style, is_cramped, without_links
from pbem.notices.sentences.boards import name_board
from rules.games import GAMES
from rules.view import BoardView, Piece
from tests.support.boards import (
    BLACK,
    HEXAGONS,
    WHITE,
    board,
    busy,
    contrast,
    dice,
    drawn_html,
    hexes,
    parsed,
    sentences,
    square,
    tree,
)
from tests.support.each import each
from tests.support.walks import Case, every_case, walk

ROOM = 344
"""Pixels of a telephone of 360 that a page leaves to a board."""


def width(view: BoardView) -> int:
    """Return the pixels that the board takes."""
    found = re.search(r'id="board" width="(\d+)"', drawn_html(view))
    assert found
    return int(found[1])


@each("view", [hexes(2, 4), busy(5, 7), busy(10, 10), square(19), dice(last="a2")])
def test_every_line_of_html_can_be_mailed(view: BoardView) -> None:
    """Mail allows lines of 998 octets."""
    text = drawn_html(view, links=frozenset(cell.name for cell in view.cells))
    assert max(len(line.encode()) for line in text.splitlines()) <= 998


@each("case", [Case(key, GAMES[key].seats[-1], ()) for key in GAMES], ids=str)
def test_a_board_fits_a_telephone(case: Case) -> None:
    """Nothing has to be moved sideways, whatever the game and the size of its board."""
    for option in case.game.options:
        for value in option.values if option.key in ("size", "board") else ():
            view = case.game.begin(case.seats, {option.key: value}).view()
            assert ROOM - 70 <= width(view) <= ROOM or len(view.columns) < 7
    assert width(case.begin().view()) <= ROOM


@each("view", [square(9), hexes(5, 5), hexes(7, 7), square(13), dice()])
def test_cells_are_large_enough_to_be_tapped(view: BoardView) -> None:
    """On the usual boards each cell is a target of 24 pixels or more, up and across (WCAG 2.2, 2.5.8)."""
    across = width(view) / (len(view.columns) + 1)
    high = [int(row) for row in re.findall(r"<tr height=(\d+)>", drawn_html(view))]
    assert across >= 22.5  # the coordinates are narrower than a cell
    assert min(high) >= 24
    line = re.search(r"line-height:(\d+)px", board_style(view))
    assert line
    assert int(line[1]) >= 23  # with the rim around it


@each("short, long", HEXAGONS)
def test_html_of_a_hex_board_lies_half_a_cell_apart(short: int, long: int) -> None:
    """Every cell is two columns wide and in the columns that are its place; it bears its name, or the rim has them."""
    view = hexes(short, long, pieces={hexes(short, long).cells[1].name: BLACK})
    names, starts, letters = [], [], {}
    for row in tree(view).iter("tr"):
        at = 0
        for cell in row:
            if cell.tag == "td" and cell.get("class") != "x":
                assert cell.get("colspan") == "2"
                names.append(cell.get("title") or (cell.text or "").strip())
                starts.append(at)
            elif (letter := (cell.text or "").strip()) and not cell.get("scope"):
                letters[letter] = at
            at += int(cell.get("colspan", "1"))
    places = [2 * cell.column - cell.row for cell in view.cells]
    (left,) = {start - place for start, place in zip(starts, places, strict=True)}
    lowest = {view.columns[cell.column]: cell for cell in view.cells}
    below = {name: 2 * cell.column - (cell.row - 1) + left for name, cell in lowest.items()}
    whole = [cell.name for cell in view.cells]
    assert (names, letters) in ((whole, {}), ([".", whole[1], *["."] * (len(whole) - 2)], below))
    assert bool(letters) == is_cramped(view)


def test_every_empty_cell_bears_its_name() -> None:
    """Where names have room; rows are numbered besides, and closed cells are no names to play on."""
    view = hexes(2, 4, closed="c3", pieces={"b2": BLACK, "d4": WHITE})
    rows = [[(cell.text or "").strip() for cell in row] for row in tree(view).iter("tr")][1:]
    assert [[text.strip("\xa0") for text in row] for row in rows] == [
        ["5", "d5", "e5"],
        ["4", "c4", "○", "e4"],
        ["3", "b3", "-", "d3", "e3"],
        ["2", "a2", "●", "c2", "d2", "e2"],
        ["1", "a1", "b1", "c1", "d1"],
    ]


def test_html_of_dice_reads_without_colours() -> None:
    """A die says whose it is and which numbers it shows; the number that scores is larger than those that fight."""
    root = tree(dice(last="b2", closed="b1"))
    dies = {table.get("title"): table for table in root.iter("table") if table.get("title")}
    words = {name: " ".join(" ".join(table.itertext()).split()) for name, table in dies.items()}
    assert words == {"a2": "L 1 5 4 2 6", "b2": "D 6 5 3 2 1"}
    for name, top in (("a2", "4"), ("b2", "3")):
        sizes = {cell.text: re.search(r"font:bold (\d+)px", cell.get("style") or "") for cell in dies[name].iter("td")}
        large = sizes[f"{top}"]
        assert large
        assert int(large[1]) >= 28
        assert sum(size is not None for size in sizes.values()) == 1
    assert "".join(root.itertext()).split()[-2:] == ["a1", "-"]
    assert RING in (dies["b2"].get("style") or "")
    assert RING not in (dies["a2"].get("style") or "")


@pytest.mark.parametrize("view", [hexes(4, 4), busy(5, 7), square(9), dice(last="a2")])
def test_html_leaves_no_colour_to_the_client(view: BoardView) -> None:
    """Every table has its ground and its ink; a cell never has another of these alone."""
    for table in tree(view).iter("table"):
        assert re.search(r"background:#\w+;color:#\w+", table.get("style") or "")
        for cell in (cell for row in table.iter("tr") for cell in row):
            style = cell.get("style") or ""
            assert ("background:" in style) == ("color:" in style.replace("border-color:", ""))
            assert not re.match(r"background:(#\w+);color:\1\b", style)  # what is hidden is taken for a sign of spam


@each("ground, ink", [BOARD, CELL, (BOARD[0], CELL[1]), *TONES.values(), *GROUNDS.values()])
def test_inks_are_legible(ground: str, ink: str) -> None:
    """Every symbol differs from its ground by the 4.5 to 1 that WCAG asks for."""
    assert contrast(ground, ink) >= 4.5


@each("mark", [GRID, RING, RIM, TONES["black"][0], TONES["red"][0], TONES["blue"][0]])
def test_marks_stand_out(mark: str) -> None:
    """Lines, the ring, and the edge of what is not dark by itself differ from the board by 3 to 1."""
    assert contrast(BOARD[0], mark) >= 3


def test_html_names_every_crossing_by_its_coordinates() -> None:
    """Headings of rows and columns name the points, which hold a stone or a dot."""
    cells = [text for _, text in parsed(board("XO.", "XO.", "X..", last="a3")).cells]
    edge = ["", "a", "b", "c", ""]
    assert cells[:5] == cells[20:] == edge
    assert cells[5:20] == ["3", "●", "○", "·", "3", "2", "●", "○", "·", "2", "1", "●", "·", "·", "1"]
    assert drawn_html(square(13)).count("scope=col") == drawn_html(square(13)).count("scope=row") == 13


def test_html_is_one_plain_table_with_a_name() -> None:
    """A mail gets a single table: no pictures, no scripts, no links to anywhere."""
    view = square(9)
    assert set(parsed(view).tags) == {"div", "table", "tr", "td", "th"}
    assert drawn_html(view).count("<table") == 1
    assert "http" not in drawn_html(view)
    assert [table.get("aria-label") for table in tree(view).iter("table")] == [str(name_board(view))]


def test_the_last_move_has_a_ring_and_the_line_diamonds() -> None:
    """Each mark is one and the same on every board, and needs no style sheet; a stone can have both."""
    line = board("XO.", "XO.", "X..", last="a3", line="a1 a2 a3")
    texts = [(text, RING in (attributes.get("style") or "")) for attributes, text in parsed(line).cells]
    assert [text for text in texts if text[0] in "◆●○" and text[0]] == [
        ("◆", True),
        ("○", False),
        ("◆", False),
        ("○", False),
        ("◆", False),
    ]
    for view in (hexes(3, 3, last="b2", pieces={"b2": BLACK}), hexes(3, 3, last="b2"), dice(last="b2")):
        assert drawn_html(view).count(RING) == 1


def test_lines_are_drawn_by_two_gradients_and_end_at_the_edge() -> None:
    """One cell has both lines, one at an edge half of one, one in a corner half of each; stones hide them."""
    page, style = drawn_html(board("...", ".X.", "...")), board_style(board("...", ".X.", "..."))
    assert re.findall(r"<td class=(t?b?[lr]?)[>\s]", page) == ["tl", "t", "tr", "l", "r", "bl", "b", "br"]
    assert style.count("1px 100% linear-gradient(") == style.count("100% 1px linear-gradient(") == 1
    assert "#board .tl{background-size:50% 1px,1px 50%;background-position:100% 50%,50% 100%}" in style
    assert "linear-gradient" not in page


def test_pieces_differ_by_form_and_letter() -> None:
    """A cube is square, glass is round and has a star, a home has a roof; letters tell whose it is."""
    kinds = [
        Piece("home", "1", sentences("Red’s home")[0], "red", "home"),
        Piece("cube", "r", sentences("Red’s cube")[0], "red", "cube"),
        Piece("glass", "R", sentences("Red’s glass")[0], "red", "glass"),
        Piece("free", "*", sentences("nobody’s glass")[0], "clear", "glass"),
    ]
    view = hexes(3, 3, pieces=dict(zip(("a1", "b1", "c1", "a2"), kinds, strict=True)))
    cells = {cell["title"]: (text, cell["style"] or "") for cell, text in parsed(view).cells if "title" in cell}
    assert {name: text for name, (text, _) in cells.items()} == {"a1": "⌂1", "b1": "r", "c1": "★R", "a2": "★"}
    radii = {re.search(r"border-radius:([^;]*)", style)[1] for _, style in cells.values()}  # type: ignore[index]
    assert len(radii) == 3


@pytest.mark.parametrize(("view", "most"), [(square(13), 15_000), (square(19), 31_000), (busy(10, 10), 40_000)])
def test_html_is_small(view: BoardView, most: int) -> None:
    """A board full of stones stays far below the 102 kB at which Gmail cuts an email."""
    assert len(drawn_html(view).encode()) < most


def test_html_escapes_what_it_is_given() -> None:
    """A view cannot smuggle markup into a mail."""
    rude = Piece("rude", "<", sentences('"<script>"')[0])
    text = drawn_html(board("<.", "..", pieces=(rude,)), large=True)
    assert ">&lt;<td" in text


@each("case", every_case(), ids=str)
@each("large", [False, True])
def test_a_board_without_its_links_is_the_board_that_never_had_any(case: Case, large: bool) -> None:
    """Readers who are not to act get the board of whoever is, without what only links need."""
    view = walk(case, 5).positions[-3].view()
    linked = drawn_html(view, large=large, links=frozenset(cell.name for cell in view.cells))
    assert linked.count("<a ")
    assert without_links(linked) == drawn_html(view, large=large)


def test_links_are_named_by_their_cells() -> None:
    """Whoever listens hears where a link plays; what is empty is a link, and what is taken is none."""
    for view in (board("X.", ".."), hexes(2, 2, pieces={"a1": BLACK}), dice()):
        empty = frozenset(cell.name for cell in view.cells if not cell.piece)
        page = drawn_html(view, links=empty)
        assert frozenset(re.findall(r'<a href="reply:(\w+)" aria-label="play \1">', page)) == empty
        assert page.count("<a ") == len(empty)


@pytest.mark.parametrize("large", [False, True])
def test_colour_says_nothing_alone(large: bool) -> None:
    """Without any style the table still tells pieces, the winning line and closed cells by signs."""
    view = hexes(3, 3, last="a1 b2", line="a1 c3", closed="a2", pieces={"a1": BLACK, "b2": WHITE, "c3": BLACK})
    bare = unescape(re.sub(r"<[^>]*>", " ", drawn_html(view, large=large))).split()
    assert ({"◆X", "O", "-", "b1"} if large else {"◆", "○", "-", "b1"}) <= set(bare)


def test_a_large_board_is_moved_by_itself() -> None:
    """The page stays where it is, and keys can move the board."""
    assert drawn_html(square(13), large=True).startswith('<div tabindex="0" style="overflow-x:auto">')


def test_a_style_sheet_is_small_and_has_a_dark_mode() -> None:
    """It fits into what Gmail keeps, holds no rule in a rule but of a screen, and darkens the board."""
    for view in (square(19), hexes(7, 7), dice(), replace(square(5), looks="cells")):
        for large in (False, True):
            style = board_style(view, large=large)
            assert len(style) < 2_000
            assert "prefers-color-scheme:dark" in style
            assert "<" not in style
