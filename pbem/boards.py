"""Draws a board view as text, as an HTML table for mail and as an SVG picture for the archive."""

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from textwrap import wrap

from rules.view import BoardView, Cell, Mark

WIDTH = 63
"""Columns a text board may take: mail clients wrap, and quote, what is longer."""

_PLAIN: frozenset[Mark] = frozenset()
_LAST: frozenset[Mark] = frozenset({"last"})
_LINE: frozenset[Mark] = frozenset({"line"})
_BOTH = _LAST | _LINE

_BRACKETS = {_PLAIN: ("", ""), _LAST: ("(", ")"), _LINE: ("[", "]"), _BOTH: ("{", "}")}
_BORDERS = {_LAST: "solid #b3261e", _LINE: "dashed #1b6ca8", _BOTH: "double #b3261e"}
# Ground and ink of the first, second … kind of piece; dark and light lead, since they differ without colour.
_SHADES = (("#222", "#fff"), ("#fff", "#111"), ("#8c1d18", "#fff"), ("#0b4f8a", "#fff"), ("#c9c9c9", "#111"))
_BOARD = ("#edb", "#542")


def text_board(view: BoardView) -> str:
    """Return the board as lines of at most WIDTH columns, its captions and what its brackets mean below."""
    digits = max(len(name) for name in view.rows)
    roomy = 3 * len(view.columns) + 2 * (digits + 4) <= WIDTH
    indent, gap = ("  ", "  ") if roomy else ("", " ")
    edge = (indent + " " * digits + gap + "".join(f"{name:^3}" for name in view.columns)).rstrip()
    lines = [edge]
    for number, cells in _ranks(view):
        label = number.rjust(digits)
        lines.append(f"{indent}{label}{gap}{''.join(map(_text_cell, cells))}{gap}{label}")
    lines.append(edge)
    if any("line" in cell.marks for cell in view.cells):
        lines += ["", indent + marks_legend(view)]
    for caption in view.captions:
        lines += ["", *wrap(caption, WIDTH)]
    return "\n".join(lines) + "\n"


def html_board(view: BoardView) -> str:
    """Return the board as one table for mail: inline styles alone, legible also when they are stripped.

    It shrinks to a narrow screen. Each cell is titled with its name and stands on a line of its own, because
    mail limits how long lines are.
    """
    size, letters, marked = (28, 15, 12) if len(view.columns) <= 13 else (23, 13, 11)
    width = size * (len(view.columns) + 2)
    shades = _shades(view)
    below = [
        ", ".join(f"{piece.symbol} {piece.name}" for piece in view.pieces),
        marks_legend(view),
        *view.captions,
    ]
    above, beneath = (
        "".join(_html_label(name, tag) for name in ("", *view.columns, "")) for tag in ('th scope="col"', "td")
    )
    row = f'<tr style="height:{size}px">\n'
    parts = [
        f'<table width="{width}" border="1" cellspacing="0" cellpadding="0" style="width:100%;'
        f"max-width:{width}px;table-layout:fixed;border-collapse:collapse;text-align:center;"
        f'font:bold {letters}px/1 Arial,sans-serif">\n'
        f'<caption style="caption-side:bottom;text-align:left;font:14px/1.4 sans-serif;padding-top:6px">'
        f"{'<br>'.join(escape(line) for line in below if line)}</caption>\n",
        f"{row}{above}</tr>\n",
    ]
    for number, cells in _ranks(view):
        parts += (row, _html_label(number, 'th scope="row"'))
        for cell in cells:
            if cell is None:
                parts.append(_html_label("", "td"))
            elif cell.piece is None:
                parts.append(_html_cell(cell.name, "·", _BOARD, cell.marks, marked))
            else:
                parts.append(_html_cell(cell.name, cell.piece.symbol, shades[cell.piece.key], cell.marks, marked))
        parts += (_html_label(number, "td"), "</tr>\n")
    parts.append(f"{row}{beneath}</tr>\n</table>\n")
    return "".join(parts)


def marks_legend(view: BoardView) -> str:
    """Return in words what the brackets on the board mean; empty when there are none."""
    found = {cell.marks for cell in view.cells}
    meanings = {_LAST: "the last move", _LINE: "the winning line", _BOTH: "both"}
    # “Both” leans on the words for each, though each may occur only on cells that are both.
    shown = set(meanings) if _BOTH in found else found
    return ", ".join(f"{' '.join(_BRACKETS[marks])} {words}" for marks, words in meanings.items() if marks in shown)


def svg_board(view: BoardView) -> str:
    """Return the board as a picture on a ground of its own, which shows on a dark page as on a light one.

    The last move wears a ring, the winning line diamonds.
    """
    ground, ink = _BOARD
    letters = 9 if len(view.columns) <= 13 else 11  # a large board is shown smaller
    wide, high = 20 * len(view.columns) + 40, 20 * len(view.rows) + 40
    shades = _shades(view)
    spots = {(cell.column, cell.row): (20 * cell.column + 30, high - 20 * cell.row - 30) for cell in view.cells}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="{letters}" text-anchor="middle">\n'
        f"<title>Board, {len(view.columns)} by {len(view.rows)}</title>\n"
        f"<desc>{escape(_description(view))}</desc>\n"
        f'<rect width="{wide}" height="{high}" rx="6" fill="{ground}"/>\n'
        f'<path d="{_grid(view, spots)}" fill="none" stroke="{ink}" stroke-width=".8"/>\n'
        f'<g fill="{ink}">\n'
    ]
    for number, name in enumerate(view.columns):
        parts += (_svg_text(20 * number + 30, y, name) for y in (11, high - 9))
    for number, name in enumerate(view.rows):
        parts += (_svg_text(x, high - 20 * number - 30, name) for x in (11, wide - 11))
    parts.append("</g>\n")
    for cell in view.cells:
        x, y = spots[cell.column, cell.row]
        if cell.piece:
            fill, stroke = shades[cell.piece.key]
            parts.append(
                f'<circle cx="{x}" cy="{y}" r="8.6" fill="{fill}" stroke="#111" stroke-width=".8">'
                f"<title>{escape(cell.name)}: {escape(cell.piece.name)}</title></circle>\n"
            )
            if fill not in (_SHADES[0][0], _SHADES[1][0]):
                parts.append(f'<g fill="{stroke}">{_svg_text(x, y, cell.piece.symbol)}</g>\n')
        if "line" in cell.marks:
            parts.append(f'<path d="M{x} {y - 7}l7 7-7 7-7-7z" fill="none" stroke="#2a8fe0" stroke-width="2"/>\n')
        if "last" in cell.marks:
            parts.append(f'<circle cx="{x}" cy="{y}" r="3.4" fill="none" stroke="#e5484d" stroke-width="2"/>\n')
    parts.append("</svg>\n")
    return "".join(parts)


def _ranks(view: BoardView) -> Iterator[tuple[str, list[Cell | None]]]:
    """Yield the label and the cells of each row, the top one first; None where the board has no cell."""
    places = {(cell.column, cell.row): cell for cell in view.cells}
    columns = range(len(view.columns))
    for row in reversed(range(len(view.rows))):
        yield view.rows[row], [places.get((column, row)) for column in columns]


def _shades(view: BoardView) -> dict[str, tuple[str, str]]:
    """Return ground and ink for each piece by its key."""
    return {piece.key: _SHADES[number % len(_SHADES)] for number, piece in enumerate(view.pieces)}


def _text_cell(cell: Cell | None) -> str:
    """Return the three columns of a cell."""
    if cell is None:
        return "   "
    before, after = _BRACKETS[cell.marks]
    return f"{before or ' '}{cell.piece.symbol if cell.piece else '.'}{after or ' '}"


@lru_cache(maxsize=256)
def _html_label(text: str, tag: str) -> str:
    """Return a cell of the table that holds a coordinate."""
    ground, ink = _BOARD
    return f'<{tag} style="background:{ground};color:{ink}">{escape(text)}</{tag[:2]}>\n'


@lru_cache(maxsize=8192)
def _html_cell(name: str, symbol: str, shade: tuple[str, str], marks: frozenset[Mark], letters: int) -> str:
    """Return a cell of the table for a cell of the board; ``letters``: their size in pixels in brackets."""
    before, after = _BRACKETS[marks]
    border = f";border:3px {_BORDERS[marks]};font-size:{letters}px" if marks else ""
    return (
        f'<td title="{escape(name)}" style="background:{shade[0]};color:{shade[1]}{border}">'
        f"{before}{escape(symbol)}{after}</td>\n"
    )


def _grid(view: BoardView, spots: dict[tuple[int, int], tuple[int, int]]) -> str:
    """Return the path of the lines that join neighbouring points, or of the squares round the cells."""
    if view.looks == "cells":
        return "".join(f"M{x - 10} {y - 10}h20v20h-20z" for x, y in spots.values())
    right = (f"M{x} {y}h20" for (column, row), (x, y) in spots.items() if (column + 1, row) in spots)
    up = (f"M{x} {y}v-20" for (column, row), (x, y) in spots.items() if (column, row + 1) in spots)
    return "".join((*right, *up))


def _svg_text(x: int, y: int, text: str) -> str:
    """Return ``text`` with its middle at a place of the picture."""
    return f'<text x="{x}" y="{y}" dy=".35em">{escape(text)}</text>\n'


def _description(view: BoardView) -> str:
    """Return what the picture shows, for those who do not see it."""
    groups = [(piece.name, [cell.name for cell in view.cells if cell.piece == piece]) for piece in view.pieces]
    groups += [
        (words, [cell.name for cell in view.cells if mark in cell.marks])
        for words, mark in (("the last move", "last"), ("the winning line", "line"))
    ]
    return " ".join(f"{words.capitalize()}: {', '.join(names) or 'none'}." for words, names in groups)
