"""Boards as HTML tables for mail: inline styles alone, legible also when they are stripped."""

from collections.abc import Iterator
from functools import lru_cache
from html import escape

from pbem.boards.palette import BOARD, GROUNDS, TONES, Shade
from pbem.boards.places import halves, hex_letters, hex_ranks, ranks
from pbem.boards.signs import BOTH, BRACKETS, LAST, LINE, bracketed, is_closed, marks_legend, reading
from rules.view import BoardView, Cell, Mark

_BORDERS = {LAST: "solid #b3261e", LINE: "dashed #1b6ca8", BOTH: "double #b3261e"}


def html_board(view: BoardView) -> str:
    """Return the board as one table, which shrinks to a narrow screen, and a paragraph of what belongs to it.

    Each cell is titled with its name and stands on a line of its own, because mail limits how long lines are.
    """
    if view.looks == "dice":
        return _table(view, 76 * len(view.columns) + 56, 15, "", _dice(view))
    size, letters, marked = (28, 15, 12) if len(view.columns) <= 13 else (23, 13, 11)
    if view.shape == "hex":
        if len(view.columns) <= 7:
            size, letters, marked = 38, 17, 15
        # Columns half a cell wide; the last letters and numbers stand out on the right.
        columns = 2 * len(view.columns) + 5
        grid = f'<colgroup span="{columns}" width="{100 / columns:.2f}%"></colgroup>\n'
        return _table(view, size * columns // 2, letters, grid, _hexagons(view, columns, size, marked))
    return _table(view, size * (len(view.columns) + 2), letters, "", _squares(view, size, marked))


def _table(view: BoardView, width: int, letters: int, grid: str, rows: Iterator[str]) -> str:
    """Return the whole table, ``width`` pixels wide at most; ``letters``: their size in pixels."""
    lines = [
        *(f"<b>{escape(sentence)}</b>" for sentence in view.standing),
        escape(", ".join(f"{piece.symbol} {piece.name}" for piece in view.pieces)),
        *map(escape, (marks_legend(view), reading(view), *view.captions)),
    ]
    below = "<br>\n".join(line for line in lines if line)
    return (
        f'<table width="{width}" border="1" cellspacing="0" cellpadding="0" style="width:100%;'
        f"max-width:{width}px;table-layout:fixed;border-collapse:collapse;text-align:center;"
        f'font:bold {letters}px/1 Arial,sans-serif">\n'
        f"{grid}{''.join(rows)}</table>\n"
        f'<p style="font:14px/1.4 sans-serif;margin-top:6px">{below}</p>\n'
    )


def _squares(view: BoardView, size: int, marked: int) -> Iterator[str]:
    """Yield the parts of the rows of a square board."""
    row = f'<tr style="height:{size}px">\n'
    above, beneath = (
        "".join(_label(name, tag) for name in ("", *view.columns, "")) for tag in ('th scope="col"', "td")
    )
    yield f"{row}{above}</tr>\n"
    for number, cells in ranks(view):
        yield row
        yield _label(number, 'th scope="row"')
        for cell in cells:
            yield _label("", "td") if cell is None else _cell(cell, "", marked)
        yield _label(number, "td")
        yield "</tr>\n"
    yield f"{row}{beneath}</tr>\n"


def _hexagons(view: BoardView, columns: int, size: int, marked: int) -> Iterator[str]:
    """Yield the parts of the rows of a hex board: each cell takes two of the ``columns``, a row is shifted by one."""
    row = f'<tr align="center" style="height:{size}px">\n'
    # Without borders the coordinates do not look like cells.
    outside = f";border:0;font-size:{marked}px"
    letters = hex_letters(view)
    left = min(halves(cells[0]) for cells in hex_ranks(view).values()) - 2
    for number, cells in hex_ranks(view).items():
        ends = letters.get(number, ())
        yield row
        yield _space(halves(cells[0]) - 2 - left)
        yield _label(view.rows[number], 'th scope="row" colspan="2"', outside)
        for cell in cells:
            yield _cell(cell, ' colspan="2"', marked)
        for end in ends:
            yield _label(f"\\{view.columns[end.column]}", 'td colspan="2"', outside)
        yield _label(view.rows[number], 'td colspan="2"', outside)
        yield _space(columns - (halves(cells[-1]) + 4 + 2 * len(ends) - left))
        yield "</tr>\n"
    first, last = halves(letters[-1][0]) + 1, halves(letters[-1][-1]) + 1
    yield row
    yield _space(first - left)
    for end in letters[-1]:
        yield _label(f"\\{view.columns[end.column]}", 'td colspan="2"', outside)
    yield _space(columns - (last + 2 - left))
    yield "</tr>\n"


def _dice(view: BoardView) -> Iterator[str]:
    """Yield the parts of the rows of a board of dice; the coordinates at the sides take less room."""
    corner = _label("", 'td width="28"')
    above, beneath = ("".join(_label(name, tag) for name in view.columns) for tag in ('th scope="col"', "td"))
    row = '<tr align="center" style="height:24px">\n'
    yield f"{row}{corner}{above}{corner}</tr>\n"
    for number, cells in ranks(view):
        yield '<tr align="center" style="height:72px">\n'
        yield _label(number, 'th scope="row"')
        for cell in cells:
            yield _label("", "td") if cell is None else _die(cell)
        yield _label(number, "td")
        yield "</tr>\n"
    yield f"{row}{corner}{beneath}{corner}</tr>\n"


def _die(cell: Cell) -> str:
    """Return a cell with the die on it, which is a small table so as to have a ground of its own.

    The strips above and below it, as high on every cell, tell dark cells by colons.
    """
    ground, ink = GROUNDS[cell.ground]
    brackets = bracketed(cell.marks)
    before, after = BRACKETS[brackets]
    border = f";border:3px {_BORDERS[brackets]}" if brackets else ""
    strip = ("::" + 6 * "&nbsp;" + "::") if cell.ground == "dark" else "&nbsp;"
    inside = f"<br>{before}{'-' if is_closed(cell) else '&nbsp;'}{after}<br>\n"
    if cell.piece:
        symbol, (paper, pen) = escape(cell.piece.symbol), TONES[cell.piece.tone]
        face = f"{before}{symbol}{after}"
        if cell.die:
            north, east, south, west = cell.die.sides
            face = f"{north}<br>\n{west}&nbsp;{before}{symbol}{cell.die.top}{after}&nbsp;{east}<br>\n{south}"
        inside = (
            f'<table role="presentation" align="center" width="86%" cellspacing="0" cellpadding="1" '
            f'style="background:{paper};color:{pen};border:1px solid #111;text-align:center;'
            f'font:bold 14px/1.2 Arial,sans-serif">'
            f'<tr>\n<td align="center">{face}</td></tr></table>\n'
        )
    return (
        f'<td title="{escape(cell.name)}" style="background:{ground};color:{ink};font-size:10px{border}">'
        f"{strip}{inside}{strip}</td>\n"
    )


def _cell(cell: Cell, span: str, marked: int) -> str:
    """Return the cell of the table for a cell of the board; ``marked``: the size of letters in brackets."""
    if cell.piece:
        return _drawn(cell.name, cell.piece.symbol, TONES[cell.piece.tone], cell.marks, span, marked)
    return _drawn(cell.name, "-" if is_closed(cell) else "·", GROUNDS[cell.ground], cell.marks, span, marked)


@lru_cache(maxsize=256)
def _label(text: str, tag: str, style: str = "") -> str:
    """Return a cell of the table that holds a coordinate."""
    ground, ink = BOARD
    return f'<{tag} style="background:{ground};color:{ink}{style}">{escape(text)}</{tag[:2]}>\n'


@lru_cache(maxsize=64)
def _space(columns: int) -> str:
    """Return a cell of the table where the board has none, over a number of columns; nothing for 0."""
    return f'<td colspan="{columns}" style="background:{BOARD[0]};color:{BOARD[1]};border:0"></td>\n' if columns else ""


@lru_cache(maxsize=8192)
def _drawn(name: str, symbol: str, shade: Shade, marks: frozenset[Mark], span: str, letters: int) -> str:
    """Return a cell of the table for a cell of the board; ``letters``: their size in pixels in brackets."""
    brackets = bracketed(marks)
    before, after = BRACKETS[brackets]
    border = f";border:3px {_BORDERS[brackets]};font-size:{letters}px" if brackets else ""
    return (
        f'<td title="{escape(name)}"{span} style="background:{shade[0]};color:{shade[1]}{border}">'
        f"{before}{escape(symbol)}{after}</td>\n"
    )
