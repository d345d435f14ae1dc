"""Board views as tests write them, and readers of their drawings."""

import re
from collections.abc import Set
from html.parser import HTMLParser
from typing import ClassVar
from xml.etree import ElementTree

from pbem.boards.html import html_board
from pbem.match.match import Match
from pbem.notices.board_block import renderings_of
from pbem.notices.sentences.boards import html_words
from pbem.notices.sentences.story import list_new
from rules.board.hexagon import hexagon
from rules.notation import cell_name
from rules.phrase import Phrase, verbatim
from rules.position import Seat
from rules.view import BoardView, Cell, Die, Mark, Piece, reading_order

BLACK = Piece("black", "X", verbatim("black"), "black")

WHITE = Piece("white", "O", verbatim("white"), "white")

LIGHT = Piece("light", "L", verbatim("Light"), "white")

DARK = Piece("dark", "D", verbatim("Dark"), "black")

HEXAGONS = [(side, side) for side in range(2, 11)] + [(side, side + 1) for side in range(2, 8)]
HEXAGONS += [(short, short + 2) for short in range(2, 7)]
"""Short and long sides of every hex board that a game has."""


def sentences(*texts: str) -> tuple[Phrase, ...]:
    """Return what a view says."""
    return tuple(map(verbatim, texts))


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
    return BoardView(columns, numbers, tuple(cells), pieces, sentences(*captions))


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
    return BoardView(letters, rows, tuple(cells), kinds, looks="cells", shape="hex", standing=sentences(*standing))


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
    return BoardView(("a", "b"), ("1", "2"), tuple(cells), (LIGHT, DARK), looks="dice", standing=sentences(*standing))


def names_read(text: str) -> list[str]:
    """Return the names that stand in a board drawn as text, in order."""
    return re.findall(r"[a-z]\d+", text)


class Tree(HTMLParser):
    """Builds a tree of HTML, ending cells and rows where HTML lets them end by themselves."""

    ENDED_BY: ClassVar = {"td": ("td", "th"), "th": ("td", "th"), "tr": ("td", "th", "tr"), "table": ("td", "th", "tr")}

    def __init__(self, page: str) -> None:
        super().__init__()
        self.root = ElementTree.Element("div")
        self.above = [self.root]
        self.feed(page)
        assert self.above == [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        if tag != "table":
            self.end(*self.ENDED_BY.get(tag, ()))
        element = ElementTree.SubElement(self.above[-1], tag, {name: value or "" for name, value in attrs})
        if tag != "br":
            self.above.append(element)

    def handle_endtag(self, tag: str) -> None:
        """Close an element, which is the innermost open one but for cells and rows."""
        self.end(*self.ENDED_BY.get(tag, ()))
        assert self.above.pop().tag == tag

    def end(self, *tags: str) -> None:
        """Close what ends by itself."""
        while self.above[-1].tag in tags:
            self.above.pop()

    def handle_data(self, data: str) -> None:
        """Add text."""
        element = self.above[-1]
        if len(element):
            element[-1].tail = (element[-1].tail or "") + data
        else:
            element.text = (element.text or "") + data


def drawn_html(view: BoardView, *, large: bool = False, links: Set[str] = frozenset()) -> str:
    """Return the board as it stands in an email."""
    return html_board(view, html_words(view), large=large, links=links)


def tree(view: BoardView) -> ElementTree.Element:
    """Return the HTML board of ``view`` as a tree."""
    return Tree(drawn_html(view)).root


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
    found.feed(drawn_html(view))
    return found


def view_of(match: Match, seat: Seat) -> BoardView:
    """Return the board of a match as it is drawn for a seat that is told what is new."""
    new = [match.record[ply].text for ply in list_new(match, seat)] if seat not in match.position.departed() else []
    return renderings_of(match.position, new=new).view
