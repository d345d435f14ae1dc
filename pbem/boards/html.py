"""Boards as HTML tables for email: inline styles alone, legible also when they are stripped."""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from pbem.boards.colours import STRONG, USUAL, Palette, Shade
from pbem.boards.geometry import halves, hex_letters, hex_ranks, ranks
from pbem.boards.legend import BOTH, BRACKETS, LAST, LINE, bracketed, is_closed, marks_legend, reading
from pbem.mail import ANSWER_LINK
from rules.view import BoardView, Cell, Mark

_FITTING = 12
"""Pixels: smaller letters in brackets belong to a board so wide that on a telephone they have to shrink with it."""

_BORDERS = {LAST: "solid #b3261e", LINE: "dashed #1b6ca8", BOTH: "double #b3261e"}


@dataclass(frozen=True, eq=False)
class _Look:
    """How a board looks: its shades, and in pixels its cells, their letters, those in brackets, and text below."""

    shades: Palette
    size: int
    letters: int
    marked: int
    prose: int
    links: Set[str]


def html_board(view: BoardView, *, large: bool = False, links: Set[str] = frozenset()) -> str:
    """Return the board as one table, which shrinks to a narrow screen, and a paragraph of what belongs to it.

    Each cell is titled with its name and has a line of its own: emails limit lines (RFC 5322, 2.1.1). A
    ``large`` board does not shrink: where it is too wide, it can be moved. Cells named in ``links`` open an answer.
    """
    look = _choose_look(view, large, links)
    if view.looks == "dice":
        edge = 48 if large else 28
        return _draw_table(view, look, look.size * len(view.columns) + 2 * edge, "", _dice_rows(view, look, edge))
    if view.shape == "hex":
        # Columns half a cell wide; the last letters and numbers stand out on the right.
        columns = 2 * len(view.columns) + 5
        grid = f'<colgroup span="{columns}" width="{100 / columns:.2f}%"></colgroup>\n'
        return _draw_table(view, look, look.size * columns // 2, grid, _hex_rows(view, look, columns))
    return _draw_table(view, look, look.size * (len(view.columns) + 2), "", _square_rows(view, look))


def _choose_look(view: BoardView, large: bool, links: Set[str]) -> _Look:
    """Return the look of a board: the fewer columns, the more pixels a cell."""
    columns = len(view.columns)
    if large:
        size, letters, marked = (56, 32, 26) if columns <= 9 else (44, 26, 21)
        if view.looks == "dice":
            size, letters = 132, 26
        return _Look(STRONG, size, letters, marked, 20, links)
    size, letters, marked = (28, 15, 12) if columns <= 13 else (23, 13, 11)
    if view.looks == "dice":
        size, letters = 76, 15
    elif view.shape == "hex" and columns <= 7:
        size, letters, marked = 38, 17, 15
    return _Look(USUAL, size, letters, marked, 14, links)


def _draw_table(view: BoardView, look: _Look, width: int, grid: str, rows: Iterator[str]) -> str:
    """Return the whole table, ``width`` pixels wide at most."""
    lines = [
        *(f"<b>{escape(sentence)}</b>" for sentence in view.standing),
        escape(", ".join(f"{piece.symbol} {piece.name}" for piece in view.pieces)),
        *map(escape, (marks_legend(view), reading(view), *view.captions)),
    ]
    below = "<br>\n".join(line for line in lines if line)
    large = look.shades is STRONG
    wide = f"width:{width}px" if large else f"width:100%;max-width:{width}px"
    table = (
        f'<table width="{width}" border="1" cellspacing="0" cellpadding="0" style="{wide};'
        f"table-layout:fixed;border-collapse:collapse;text-align:center;"
        f'font:bold {look.letters}px/1 Arial,sans-serif">\n'
        f"{grid}{''.join(rows)}</table>\n"
    )
    if large:
        table = f'<div style="overflow-x:auto">\n{table}</div>\n'
    return f'{table}<p style="font-size:{look.prose}px;line-height:1.4;margin-top:6px">{below}</p>\n'


def _row_style(look: _Look) -> str:
    """Return the style of a row; where cells are links, lines are as high as cells, so that links fill them."""
    return f"height:{look.size}px" + (f";line-height:{look.size}px" if look.links else "")


def _square_rows(view: BoardView, look: _Look) -> Iterator[str]:
    """Yield the parts of the rows of a square board."""
    row = f'<tr style="{_row_style(look)}">\n'
    board = look.shades.board
    above, beneath = (
        "".join([_draw_label(name, tag, board) for name in ("", *view.columns, "")]) for tag in ('th scope="col"', "td")
    )
    yield f"{row}{above}</tr>\n"
    for number, cells in ranks(view):
        drawn = [_draw_label("", "td", board) if cell is None else _draw_cell(cell, "", look) for cell in cells]
        side = _draw_label(number, "td", board)
        yield "".join([row, _draw_label(number, 'th scope="row"', board), *drawn, side, "</tr>\n"])
    yield f"{row}{beneath}</tr>\n"


def _hex_rows(view: BoardView, look: _Look, columns: int) -> Iterator[str]:
    """Yield the parts of the rows of a hex board: each cell takes two of the ``columns``, a row is shifted by one."""
    row = f'<tr align="center" style="{_row_style(look)}">\n'
    board = look.shades.board
    # Without borders the coordinates do not look like cells.
    outside = f";border:0;font-size:{look.marked}px"
    letters = hex_letters(view)
    left = min(halves(cells[0]) for cells in hex_ranks(view).values()) - 2
    for number, cells in hex_ranks(view).items():
        ends = letters.get(number, ())
        yield row
        yield _draw_gap(halves(cells[0]) - 2 - left, board)
        yield _draw_label(view.rows[number], 'th scope="row" colspan="2"', board, outside)
        for cell in cells:
            yield _draw_cell(cell, ' colspan="2"', look)
        for end in ends:
            yield _draw_label(f"\\{view.columns[end.column]}", 'td colspan="2"', board, outside)
        yield _draw_label(view.rows[number], 'td colspan="2"', board, outside)
        yield _draw_gap(columns - (halves(cells[-1]) + 4 + 2 * len(ends) - left), board)
        yield "</tr>\n"
    first, last = halves(letters[-1][0]) + 1, halves(letters[-1][-1]) + 1
    yield row
    yield _draw_gap(first - left, board)
    for end in letters[-1]:
        yield _draw_label(f"\\{view.columns[end.column]}", 'td colspan="2"', board, outside)
    yield _draw_gap(columns - (last + 2 - left), board)
    yield "</tr>\n"


def _dice_rows(view: BoardView, look: _Look, edge: int) -> Iterator[str]:
    """Yield the parts of the rows of a board of dice; the coordinates at the sides take ``edge`` pixels."""
    board = look.shades.board
    corner = _draw_label("", f'td width="{edge}"', board)
    above, beneath = (
        "".join([_draw_label(name, tag, board) for name in view.columns]) for tag in ('th scope="col"', "td")
    )
    row = f'<tr align="center" style="height:{edge - 4}px">\n'
    yield f"{row}{corner}{above}{corner}</tr>\n"
    for number, cells in ranks(view):
        yield f'<tr align="center" style="height:{look.size - 4}px">\n'
        yield _draw_label(number, 'th scope="row"', board)
        for cell in cells:
            yield _draw_label("", "td", board) if cell is None else _draw_die(cell, look)
        yield _draw_label(number, "td", board)
        yield "</tr>\n"
    yield f"{row}{corner}{beneath}{corner}</tr>\n"


def _draw_die(cell: Cell, look: _Look) -> str:
    """Return a cell of a board of dice; a die is a small table, and so has a ground of its own.

    The strips above and below it are as high on every cell; colons in them mark a dark cell.
    """
    ground, ink = look.shades.grounds[cell.ground]
    brackets = bracketed(cell.marks)
    before, after = BRACKETS[brackets]
    border = f";border:3px {_BORDERS[brackets]}" if brackets else ""
    strip = ("::" + 6 * "&nbsp;" + "::") if cell.ground == "dark" else "&nbsp;"
    inside = f"<br>{before}{'-' if is_closed(cell) else '&nbsp;'}{after}<br>\n"
    if cell.piece:
        symbol, (paper, pen) = escape(cell.piece.symbol), look.shades.tones[cell.piece.tone]
        face = f"{before}{symbol}{after}"
        if cell.die:
            north, east, south, west = cell.die.sides
            face = f"{north}<br>\n{west}&nbsp;{before}{symbol}{cell.die.top}{after}&nbsp;{east}<br>\n{south}"
        inside = (
            f'<table role="presentation" align="center" width="86%" cellspacing="0" cellpadding="1" '
            f'style="background:{paper};color:{pen};border:1px solid #111;text-align:center;'
            f'font:bold {look.letters - 1}px/1.2 Arial,sans-serif">'
            f'<tr>\n<td align="center">{face}</td></tr></table>\n'
        )
    title, content = f' title="{escape(cell.name)}"', f"{strip}{inside}{strip}"
    if cell.name in look.links and not cell.piece:
        title, content = "", _link_answer(escape(cell.name), content, ink)
    small = 2 * look.letters // 3
    return f'<td{title} style="background:{ground};color:{ink};font-size:{small}px{border}">{content}</td>\n'


def _draw_cell(cell: Cell, span: str, look: _Look) -> str:
    """Return the cell of the table for ``cell``."""
    if cell.piece:
        symbol, shade = cell.piece.symbol, look.shades.tones[cell.piece.tone]
    else:
        symbol, shade = "-" if is_closed(cell) else "·", look.shades.grounds[cell.ground]
    return _draw_filled(cell.name, symbol, shade, cell.marks, span, look.marked, cell.name in look.links)


@lru_cache(maxsize=1024)
def _draw_label(text: str, tag: str, shade: Shade, style: str = "") -> str:
    """Return a cell of the table that holds a coordinate."""
    return f'<{tag} style="background:{shade[0]};color:{shade[1]}{style}">{escape(text)}</{tag[:2]}>\n'


@lru_cache(maxsize=256)
def _draw_gap(columns: int, shade: Shade) -> str:
    """Return an empty cell of the table, ``columns`` wide, where the board has none; an empty text for 0."""
    return f'<td colspan="{columns}" style="background:{shade[0]};color:{shade[1]};border:0"></td>\n' if columns else ""


@lru_cache(maxsize=16384)
def _draw_filled(
    name: str, symbol: str, shade: Shade, marks: frozenset[Mark], span: str, letters: int, link: bool
) -> str:
    """Return the cell of the table for a cell of the board that shows ``symbol``.

    ``letters`` is their size in brackets, in pixels; ``link``: whether a click opens an answer.
    """
    brackets = bracketed(marks)
    before, after = BRACKETS[brackets]
    border = f";border:3px {_BORDERS[brackets]};font-size:{letters}px" if brackets else ""
    if brackets and letters < _FITTING:
        border += f";font-size:clamp(9px,3vw,{letters}px)"
    content, title = f"{before}{escape(symbol)}{after}", f' title="{escape(name)}"'
    if link:  # a link has a title of its own
        content, title = _link_answer(escape(name), content, shade[1]), ""
    return f'<td{title}{span} style="background:{shade[0]};color:{shade[1]}{border}">{content}</td>\n'


def _link_answer(name: str, content: str, ink: str) -> str:
    """Return a link that fills its cell, looks like any other, and opens an answer that plays there."""
    style = f"display:block;color:{ink};text-decoration:none"
    return f'<a {ANSWER_LINK}{name}" title="play {name}" style="{style}">{content}</a>'
