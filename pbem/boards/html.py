"""Boards as HTML tables for email: few bytes, and legible also when styles are stripped.

What all cells share stands on the table, and is inherited. Cells end where the next begins, as HTML allows.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from html import escape

from pbem.boards.colours import STRONG, USUAL, Palette
from pbem.boards.geometry import halves, hex_letters, hex_ranks, ranks
from pbem.boards.legend import BOTH, BRACKETS, LAST, LINE, bracketed, is_closed, marks_legend, reading
from pbem.mail import ANSWER_LINK
from rules.view import BoardView, Cell, Mark

_FITTING = 12
"""Pixels: smaller letters in brackets belong to a board so wide that on a telephone they have to shrink with it."""

_BORDERS = {LAST: "solid #b3261e", LINE: "dashed #1b6ca8", BOTH: "double #b3261e"}

_EMPTY, _EMPTY_LINK = "&#183;", "."  # a dot at half height, in ASCII, and the same in a link, which is five bytes less

_NAME = "\0"  # stands for the name of a cell

_MOST_TITLED = 110
"""Links: where there are more, their titles would take too many bytes; headings of rows and columns name the cells."""

_CELLS_A_LINE = 5
"""So many links fit into a line of an email (RFC 5322, 2.1.1), unless their address is very long."""


@dataclass(frozen=True, eq=False)
class _Look:
    """How a board looks: its shades, and in pixels its cells, their letters, those in brackets, and text ``below``.

    ``drawn`` remembers cells that differ by their names alone.
    """

    shades: Palette
    size: int
    letters: int
    marked: int
    prose: int
    links: Set[str]
    below: Sequence[str]
    drawn: dict[tuple[str | None, frozenset[Mark], str, bool], list[str]] = field(default_factory=dict)


def html_board(
    view: BoardView, *, large: bool = False, links: Set[str] = frozenset(), below: Sequence[str] | None = None
) -> str:
    """Return the board as one table, which shrinks to a narrow screen, and a paragraph of what belongs to it.

    Each cell is titled with its name, unless it is one of very many links. A ``large`` board does not shrink: where
    it is too wide, it can be moved. Cells named in ``links`` open an answer; the page is to have a ``link_style``.
    ``below`` are the ``html_legend`` of the view, where they are known already.
    """
    look = _choose_look(view, large, links, html_legend(view) if below is None else below)
    if view.looks == "dice":
        edge = 48 if large else 28
        return _draw_table(view, look, look.size * len(view.columns) + 2 * edge, "", _dice_rows(view, look, edge))
    if view.shape == "hex":
        # Columns half a cell wide; the last letters and numbers stand out on the right.
        columns = 2 * len(view.columns) + 5
        grid = f'<colgroup span="{columns}" width="{100 / columns:.2f}%"></colgroup>\n'
        return _draw_table(view, look, look.size * columns // 2, grid, _hex_rows(view, look, columns))
    return _draw_table(view, look, look.size * (len(view.columns) + 2), "", _square_rows(view, look))


def link_style(view: BoardView, *, large: bool = False) -> str:
    """Return the style sheet for links on a board: they fill their cells, and look like cells without links.

    It lifts the dot of an empty cell to half height; any other link has a style of its own. Where style sheets are
    stripped, links are blue and underlined.
    """
    look = _choose_look(view, large)
    lift = look.letters // 2
    return (
        f"td a{{display:block;color:{look.shades.board[1]};text-decoration:none;"
        f"line-height:{look.size - lift}px;padding-bottom:{lift}px}}"
    )


def html_words(view: BoardView, below: Sequence[str]) -> str:
    """Return the words that ``html_board`` shows, in their order, as a quotation of it holds them; signs are left out.

    It is what a reader reads row by row, coordinates and pieces, and what stands ``below``.
    """
    if view.looks == "dice":
        rows = [
            " ".join([number, *(_die_words(cell) for cell in cells if cell and cell.piece), number])
            for number, cells in ranks(view)
        ]
        columns = " ".join(view.columns)
    elif view.shape == "hex":
        letters = hex_letters(view)
        rows = []
        for row, hexes in hex_ranks(view).items():
            ends = [view.columns[end.column] for end in letters.get(row, ())]
            stood = [cell.piece.symbol for cell in hexes if cell.piece]
            rows.append(" ".join([view.rows[row], *stood, *ends, view.rows[row]]))
        columns = ""
        rows.append(" ".join([view.columns[end.column] for end in letters[-1]]))
    else:
        rows = [
            " ".join([number, *[cell.piece.symbol for cell in cells if cell and cell.piece], number])
            for number, cells in ranks(view)
        ]
        columns = " ".join(view.columns)
    return "\n".join([columns, *rows, columns, *below])


def _die_words(cell: Cell) -> str:
    """Return what is read on a cell with a die, from its top to its bottom."""
    symbol = cell.piece.symbol if cell.piece else ""
    if cell.die is None:
        return symbol
    north, east, south, west = cell.die.sides
    return f"{north} {west} {symbol}{cell.die.top} {east} {south}"


def html_legend(view: BoardView) -> list[str]:
    """Return what stands below the board, line by line."""
    pieces = ", ".join([f"{piece.symbol} {piece.name}" for piece in view.pieces])
    lines = [*map(str, view.standing), pieces, marks_legend(view), reading(view), *map(str, view.captions)]
    return [line for line in lines if line]


def _choose_look(view: BoardView, large: bool, links: Set[str] = frozenset(), below: Sequence[str] = ()) -> _Look:
    """Return the look of a board: the fewer columns, the more pixels a cell."""
    columns = len(view.columns)
    if large:
        size, letters, marked = (56, 32, 26) if columns <= 9 else (44, 26, 21)
        if view.looks == "dice":
            size, letters = 132, 26
        return _Look(STRONG, size, letters, marked, 20, links, below)
    size, letters, marked = (28, 15, 12) if columns <= 13 else (23, 13, 11)
    if view.looks == "dice":
        size, letters = 76, 15
    elif view.shape == "hex" and columns <= 7:
        size, letters, marked = 38, 17, 15
    return _Look(USUAL, size, letters, marked, 14, links, below)


def _draw_table(view: BoardView, look: _Look, width: int, grid: str, rows: Iterator[str]) -> str:
    """Return the whole table, ``width`` pixels wide at most."""
    below = [escape(line) for line in look.below]
    standing = len(view.standing)
    below[:standing] = [f"<b>{line}</b>" for line in below[:standing]]
    large = look.shades is STRONG
    wide = f"width:{width}px" if large else f"width:100%;max-width:{width}px"
    # Lines are as high as cells, so that links fill them; dice have several lines.
    line = 1 if view.looks == "dice" else f"{look.size}px"
    ground, ink = look.shades.board
    table = (
        f'<table width="{width}" border="1" cellspacing="0" cellpadding="0" style="{wide};'
        f"table-layout:fixed;border-collapse:collapse;text-align:center;"
        f'font:bold {look.letters}px/{line} Arial,sans-serif;background:{ground};color:{ink}">\n'
        f"{grid}{''.join(rows)}</table>\n"
    )
    if large:
        table = f'<div style="overflow-x:auto">\n{table}</div>\n'
    legend = "<br>\n".join(below)
    return f'{table}<p style="font-size:{look.prose}px;line-height:1.4;margin-top:6px">{legend}</p>\n'


def _square_rows(view: BoardView, look: _Look) -> Iterator[str]:
    """Yield the rows of a square board."""
    row = f'<tr height="{look.size}">\n'
    for tag in ("<th scope=col>", "<td>"):
        edge = f"{row}<td>{_in_lines([tag + name for name in view.columns])}<td>\n"
        yield edge
        if tag == "<td>":
            return
        for number, cells in ranks(view):
            yield f"{row}<th scope=row>{number}{_in_lines(_draw_cells(cells, '', look))}<td>{number}\n"


def _hex_rows(view: BoardView, look: _Look, columns: int) -> Iterator[str]:
    """Yield the rows of a hex board: each cell takes two of the ``columns``, a row is shifted by one."""
    row = f'<tr align="center" height="{look.size}">\n'
    # Without borders the coordinates do not look like cells.
    outside = f' colspan="2" style="border:0;font-size:{look.marked}px">'
    letters, rows = hex_letters(view), hex_ranks(view)
    left = min(halves(cells[0]) for cells in rows.values()) - 2
    for number, cells in rows.items():
        label = outside + view.rows[number]
        ends = [f"<td{outside}\\{view.columns[end.column]}" for end in letters.get(number, ())]
        gap = columns - (halves(cells[-1]) + 4 + 2 * len(ends) - left)
        yield (
            f"{row}{_draw_gap(halves(cells[0]) - 2 - left)}<th scope=row{label}"
            f"{_in_lines(_draw_cells(cells, _TWO, look))}{''.join(ends)}<td{label}{_draw_gap(gap)}\n"
        )
    first, last = halves(letters[-1][0]) + 1, halves(letters[-1][-1]) + 1
    below = [f"<td{outside}\\{view.columns[end.column]}" for end in letters[-1]]
    yield f"{row}{_draw_gap(first - left)}{_in_lines(below)}{_draw_gap(columns - (last + 2 - left))}\n"


_TWO = ' colspan="2"'


def _dice_rows(view: BoardView, look: _Look, edge: int) -> Iterator[str]:
    """Yield the parts of the rows of a board of dice; the coordinates at the sides take ``edge`` pixels."""
    corner = f'<td width="{edge}">'
    row = f'<tr align="center" height="{edge - 4}">\n'
    above, beneath = ("".join([tag + name for name in view.columns]) for tag in ("<th scope=col>", "<td>"))
    yield f"{row}{corner}{above}{corner}\n"
    for number, cells in ranks(view):
        yield f'<tr align="center" height="{look.size - 4}">\n<th scope=row>{number}\n'
        for cell in cells:
            yield "<td>" if cell is None else _draw_die(cell, look)
        yield f"<td>{number}\n"
    yield f"{row}{corner}{beneath}{corner}\n"


def _draw_die(cell: Cell, look: _Look) -> str:
    """Return the cell of a board of dice; a die is a small table, and so has a ground of its own.

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
            f'<tr>\n<td align="center">{face}</table>\n'
        )
    title, content = f' title="{cell.name}"', f"{strip}{inside}{strip}"
    if cell.name in look.links and not cell.piece:
        title, content = "", _link_answer(cell.name, content, ink, look)
    small = 2 * look.letters // 3
    return f'<td{title} style="background:{ground};color:{ink};font-size:{small}px{border}">{content}\n'


def _in_lines(cells: Sequence[str]) -> str:
    """Return cells a few to a line."""
    count = _CELLS_A_LINE
    return "\n".join(["".join(cells[start : start + count]) for start in range(0, len(cells), count)])


def _draw_gap(columns: int) -> str:
    """Return an empty cell of the table, ``columns`` wide, where the board has none; an empty text for 0."""
    return f'<td colspan="{columns}" style="border:0">' if columns else ""


def _draw_cells(cells: Sequence[Cell | None], span: str, look: _Look) -> list[str]:
    """Return the cells of the table for ``cells``; None is a place where the board has none."""
    drawn, links, found = look.drawn, look.links, []
    for cell in cells:
        if cell is None:
            found.append("<td>")
            continue
        name, piece = cell.name, cell.piece
        kind = (piece.symbol if piece else None, cell.marks, cell.ground, name in links)
        if kind not in drawn:
            drawn[kind] = _draw_kind(cell, span, look).split(_NAME)
        found.append(name.join(drawn[kind]))
    return found


def _draw_kind(cell: Cell, span: str, look: _Look) -> str:
    """Return the cell of the table for a cell of this kind, ``_NAME`` in the place of its name."""
    symbol = "-" if is_closed(cell) else _EMPTY
    shade = look.shades.grounds[cell.ground]
    if cell.piece:
        symbol, shade = escape(cell.piece.symbol), look.shades.tones[cell.piece.tone]
    brackets = bracketed(cell.marks)
    before, after = BRACKETS[brackets]
    styles = [] if shade == look.shades.board else [f"background:{shade[0]};color:{shade[1]}"]
    if brackets:
        styles += [f"border:3px {_BORDERS[brackets]}", f"font-size:{look.marked}px"]
        if look.marked < _FITTING:
            styles.append(f"font-size:clamp(9px,3vw,{look.marked}px)")
    style = f' style="{";".join(styles)}"' if styles else ""
    content = f"{before}{symbol}{after}"
    if cell.name in look.links:  # a link has a title of its own, if any
        return f"<td{span}{style}>{_link_answer(_NAME, content, shade[1], look)}"
    return f'<td title="{_NAME}"{span}{style}>{content}'


def _link_answer(name: str, content: str, ink: str, look: _Look) -> str:
    """Return a link that opens an answer that plays there, and fills its cell."""
    title = f' title="{name}"' if len(look.links) <= _MOST_TITLED else ""
    if content == _EMPTY and ink == look.shades.board[1]:
        return f'<a {ANSWER_LINK}{name}"{title}>{_EMPTY_LINK}</a>'
    return f'<a {ANSWER_LINK}{name}"{title} style="color:{ink};line-height:{look.size}px;padding:0">{content}</a>'
