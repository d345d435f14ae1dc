"""Boards as HTML tables for email: as large as a telephone allows, few bytes, and legible also without any style.

What tells pieces apart stands at each cell; ``board_style`` adds what is only beautiful: lines, round empty cells, and
links that fill their cells. Marks are borders, since some email programs drop shadows; lines are in the style sheet
alone, since one makes nonsense of gradients that stand at a cell. Programs that force a dark look turn colours over,
some all and some only light grounds: so no piece is told by its colour alone. Black stones are solid, white ones
hollow, others bear letters; the style sheet draws stones as images besides, which those programs leave as they are.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from itertools import repeat

from pbem.boards.colours import GRID, RIM, RING, SIGNS, STRONG, USUAL, Palette
from pbem.boards.geometry import column_ends, halves, hex_ranks, ranks
from pbem.boards.html_sizes import Drawn, Sizes, choose_sizes, kind_of, named_cells, width_of
from pbem.boards.signs import PROPOSED, Signs, is_closed, is_proposed, marked_sign, shaped
from pbem.mail.compose import ANSWER_LINK
from rules.view import BoardView, Cell, Form, Mark, Piece, Tone

NAME = "\0"
"""Stands for the name of a cell in ``HtmlWords.play``."""


_DOT = "&#183;"

_CELLS_A_LINE = 5
"""So many links fit into a line of an email (RFC 5322, 2.1.1), unless their address is very long."""


_RADII: dict[Form, str] = {"stone": "50%", "glass": "50%", "cube": "15%", "home": "50% 50% 15% 15%"}

_RIMMED = ("yellow", "clear")  # white stones have their rims from the style sheet, and others need none

_STONES: dict[Tone, str] = {"black": "k", "white": "w"}
"""The class of a stone, for the style sheet."""


@dataclass(frozen=True)
class HtmlWords:
    """What a board says to those who listen: its name, the ``caption``, and what links do: ``play`` with a NAME."""

    caption: str
    play: str


_LINK = re.compile(rf"<a {re.escape(ANSWER_LINK)}[^>]*>([^<]*)</a>")
"""A link on a cell, with what it shows."""


@dataclass(frozen=True, eq=False)
class _Look:
    """How a board looks, and its links; ``drawn`` remembers cells that differ by their names alone.

    ``named`` are the cells that bear their names while they are empty: None for all.
    """

    kind: Drawn
    shades: Palette
    sizes: Sizes
    signs: Signs
    play: str
    links: Set[str]
    named: Set[str] | None
    drawn: dict[tuple[str | None, frozenset[Mark], bool, bool], list[str]] = field(default_factory=dict)

    @property
    def large(self) -> bool:
        """Whether the board is for those who do not see well."""
        return self.shades is STRONG


def html_board(view: BoardView, words: HtmlWords, *, large: bool = False, links: Set[str] = frozenset()) -> str:
    """Return the board as one table, ``id="board"``, that fits a narrow screen; a ``large`` one is moved by itself.

    Cells named in ``links`` open an answer. Pieces without coordinates are titled with their cells.
    """
    kind = kind_of(view)
    sizes = choose_sizes(kind, len(view.columns), len(view.rows), large)
    look = _Look(
        kind, STRONG if large else USUAL, sizes, shaped(view, large=large), words.play, links, named_cells(view, sizes)
    )
    draw = {"points": _point_rows, "squares": _square_rows, "hexes": _hex_rows, "dice": _dice_rows}[kind]
    ground, ink = look.shades.board
    width = width_of(kind, len(view.columns), sizes)
    padding = "padding:4px 0;" if kind in ("hexes", "squares") else ""
    focus = ' tabindex="0"' if large else ""  # so that keys can move what is too wide
    return (
        f'<div{focus} style="overflow-x:auto">\n'
        f'<table aria-label="{escape(words.caption)}" id="board" width="{width}" cellspacing="0" cellpadding="0" '
        f'style="width:{width}px;table-layout:fixed;border-collapse:separate;text-align:center;-webkit-text-size-adjust:100%;'
        f"font:{sizes.names}px/{sizes.line}px Arial,sans-serif;background:{ground};color:{ink};{padding}"
        f'border-radius:8px">\n'
        f"{''.join(draw(view, look))}</table>\n</div>\n"
    )


def without_links(page: str) -> str:
    """Return a board of ``html_board`` as it is without any links."""
    return _LINK.sub(r"\1", page)


def board_style(view: BoardView, *, large: bool = False) -> str:
    """Return the style sheet of a board: lines, empty cells, links, a larger picture on a wide screen, dark mode."""
    return _draw_style(kind_of(view), len(view.columns), len(view.rows), large)


def is_cramped(view: BoardView, *, large: bool = False) -> bool:
    """Return whether cells are smaller than fingers should meet, on a phone."""
    return choose_sizes(kind_of(view), len(view.columns), len(view.rows), large).cramped


def html_piece(view: BoardView, piece: Piece, *, large: bool = False) -> str:
    """Return a piece as the board in HTML shows it, within a line of text: its sign in its own colours."""
    ground, ink = (STRONG if large else USUAL).tones[piece.tone]
    sign = shaped(view, large=large)[piece.symbol]
    radius, name = _RADII[piece.form], _class_of(piece)
    if view.looks == "dice":  # programs that force a dark look turn its colours over as those of the board
        radius, name = "14%", ""
    return (
        f'<b{name} style="background:{ground};color:{SIGNS.get(sign, ink)};border:1px solid {RIM};'
        f'border-radius:{radius};padding:0 3px">{escape(sign)}</b>'
    )


@lru_cache(maxsize=256)
def _draw_style(kind: Drawn, columns: int, rows: int, large: bool) -> str:
    """Return the style sheet of all boards of a kind and size."""
    sizes, shades = choose_sizes(kind, columns, rows, large), STRONG if large else USUAL
    width = width_of(kind, columns, sizes)
    inside = sizes.row - (2 if kind in ("hexes", "squares") else 0)  # without the rim
    rules = [
        f"#board a{{display:block;color:inherit;text-decoration:none;line-height:{inside}px}}",
        f"#board th{{font-weight:400;font-size:{sizes.labels}px}}",
    ]
    rim = f"*.k,*.w{{border-radius:50%}}\n#board .w{{border:1px solid {RIM}"
    if large:
        rules.append(f"{rim}}}")
    else:  # as images; of letters nothing would be left where inks are turned over and images are not
        ring = min(22, sizes.cell * 3 // 4)
        rules.append(f"{rim};font-size:{ring}px}}\n#board .k{{font-size:{sizes.letters}px}}")
        rules += [
            f"*.{name}{{background-image:{_fill(shades.tones[tone][0])}!important}}" for tone, name in _STONES.items()
        ]
    if kind == "points":
        rules += _draw_lines(shades.board[1] if large else GRID)
    elif kind != "dice":
        ground, ink = shades.grounds["plain"]
        radius = "50%" if kind == "hexes" else "15%"
        rules.append(
            f"#board td{{background:{ground};color:{ink};border:1px solid {shades.board[0]};border-radius:{radius}}}"
        )
        rules.append("#board .x{background:none;border:0}")
    rules.append("@media(prefers-color-scheme:dark){#board{filter:brightness(.88)}}")
    if not large:
        rules.append("@media(max-width:359px){#board{zoom:.88}}")
        if (zoom := min(544 / width, 1.5)) > 1.1:
            rules.append(f"@media(min-width:600px){{#board{{zoom:{zoom:.2f}}}}}")
    return "\n".join(rules)


def _draw_lines(colour: str) -> Iterator[str]:
    """Yield the rules for the lines of a board: two gradients a cell, of each a half at the edge."""
    line = _fill(colour)
    yield f"#board td{{background:50%/100% 1px {line} no-repeat,50%/1px 100% {line} no-repeat;color:{colour}}}"
    level = {"": ("100%", "50%"), "l": ("50%", "100%"), "r": ("50%", "0")}
    upright = {"": ("100%", "50%"), "t": ("50%", "100%"), "b": ("50%", "0")}
    for (above, (high, y)), (aside, (wide, x)) in (
        (row, column) for row in upright.items() for column in level.items()
    ):
        if name := above + aside:
            yield f"#board .{name}{{background-size:{wide} 1px,1px {high};background-position:{x} 50%,50% {y}}}"
    yield "#board .x{background:none}"


def _fill(colour: str) -> str:
    """Return an image of one colour."""
    return f"linear-gradient({colour},{colour})"


def _point_rows(view: BoardView, look: _Look) -> Iterator[str]:
    """Yield the rows of a board of crossings, with coordinates on all sides."""
    edge = look.sizes.edge
    corner = f"<td class=x width={edge}>"
    label = max(edge - 2, look.sizes.labels)
    for tag in (f"<th scope=col width={look.sizes.cell}>", "<th>"):
        names = _in_lines([tag + name for name in view.columns])
        yield f'<tr style="line-height:{label}px">\n{corner}{names}{corner}\n'
        if tag == "<th>":
            return
        last = len(view.rows) - 1
        for place, (number, cells) in enumerate(ranks(view)):
            above = "t" if place == 0 else "b" if place == last else ""
            drawn = _draw_cells(cells, "", look)
            if above:
                drawn[1:-1] = map(_move_to_edge, cells[1:-1], drawn[1:-1], repeat(above))
            drawn[0] = _move_to_edge(cells[0], drawn[0], f"{above}l")
            drawn[-1] = _move_to_edge(cells[-1], drawn[-1], f"{above}r")
            yield f"<tr height={look.sizes.row}>\n<th scope=row>{number}{_in_lines(drawn)}<th>{number}\n"


def _move_to_edge(cell: Cell | None, drawn: str, edge: str) -> str:
    """Return an empty cell as it is at an edge, where its lines end."""
    return drawn if cell is None or cell.piece else f"<td class={edge}{drawn.removeprefix('<td')}"


def _square_rows(view: BoardView, look: _Look) -> Iterator[str]:
    """Yield the rows of a board of squares, each named or taken."""
    yield _draw_widths([look.sizes.edge, *[look.sizes.cell] * len(view.columns)])
    for number, cells in ranks(view):
        drawn = _in_lines(_draw_cells(cells, "", look))
        yield f"<tr height={look.sizes.row}>\n<th scope=row>{number}{drawn}\n"


def _hex_rows(view: BoardView, look: _Look) -> Iterator[str]:
    """Yield the rows of a hex board: each cell takes two columns, a row is shifted by one; each is named or taken."""
    rows, ends = hex_ranks(view), column_ends(view) if look.named is not None else {}
    left = min(halves(cells[0]) for cells in rows.values()) - 1
    half = look.sizes.cell // 2
    yield _draw_widths([look.sizes.edge, *[half, look.sizes.cell - half] * len(view.columns)])
    for row, cells in rows.items():
        letters = [f"<th colspan=2>{name}" for name in ends.get(row, ())]
        drawn = _in_lines([*_draw_cells(cells, " colspan=2", look), *letters])
        gap = halves(cells[0]) - left
        label = f" colspan={gap} scope=row align=right>{view.rows[row]}&nbsp;"
        if gap == 1:
            label = f" scope=row>{view.rows[row]}"
        yield f"<tr height={look.sizes.row}>\n<th{label}{drawn}\n"
    if ends:
        letters = [f"<th colspan=2>{name}" for name in ends[-1]]
        yield f"<tr height={look.sizes.row}>\n<td class=x colspan={gap + 1}>{_in_lines(letters)}\n"


def _draw_widths(widths: Sequence[int]) -> str:
    """Return a row of no height that gives columns their widths."""
    cells = _in_lines([f"<th width={width}>" for width in widths])
    return f'<tr aria-hidden="true">{cells}\n'


def _dice_rows(view: BoardView, look: _Look) -> Iterator[str]:
    """Yield the parts of the rows of a board of dice."""
    names = "".join(f"<th scope=col width={look.sizes.cell}>{name}" for name in view.columns)
    yield f'<tr style="line-height:{look.sizes.edge}px">\n<td width={look.sizes.edge}>{names}\n'
    for number, cells in ranks(view):
        yield f"<tr height={look.sizes.cell}>\n<th scope=row>{number}\n"
        for cell in cells:
            yield "<td>" if cell is None else _draw_die(cell, look)


def _draw_die(cell: Cell, look: _Look) -> str:
    """Return the cell of a board of dice: what scores is large, what fights stands small at the sides.

    A die is a small table; the letter of its owner is in a corner.
    """
    ground, ink = look.shades.grounds[cell.ground]
    style = f"background:{ground};color:{ink}"
    last = "last" in cell.marks
    if cell.piece is None:
        proposed = is_proposed(cell)
        content = PROPOSED if proposed else "-" if is_closed(cell) else cell.name
        border = f";border:3px solid {RING}" if last else ""
        border = ";border:2px dashed;border-radius:50%;font-weight:bold" if proposed else border
        return f'<td style="{style}{border}">{_draw_link(cell, cell.name, content, look)}\n'
    paper, pen = look.shades.tones[cell.piece.tone]
    side = look.sizes.cell - 10
    border = f"{4 if last else 1}px solid {RING if last else RIM}"
    numbers = (str(cell.die.top), *map(str, cell.die.sides)) if cell.die else ("", "", "", "", "")
    top, north, east, south, west = numbers
    sign = escape(marked_sign(cell.piece.symbol, cell.marks - {"line"}))
    owner = f'<td style="font-size:{look.sizes.names - 3}px">{sign}'
    large = f'style="font:bold {look.sizes.letters}px/1 Arial,sans-serif"'
    return (
        f'<td style="{style}">\n<table role="presentation" align="center" cellspacing="0" cellpadding="0" '
        f'title="{cell.name}" style="width:{side}px;height:{side}px;table-layout:fixed;text-align:center;'
        f"font-size:{look.sizes.names}px;line-height:{side // 4}px;"
        f'background:{paper};color:{pen};border:{border};border-radius:14%">\n'
        f"<tr>{owner}<td>{north}<td>\n<tr><td>{west}<td {large}>{top}<td>{east}\n<tr><td><td>{south}<td>\n</table>\n"
    )


def _in_lines(cells: Sequence[str]) -> str:
    """Return cells a few to a line."""
    count = _CELLS_A_LINE
    return "\n".join(["".join(cells[start : start + count]) for start in range(0, len(cells), count)])


def _draw_cells(cells: Sequence[Cell | None], span: str, look: _Look) -> list[str]:
    """Return the cells of the table for ``cells``; None is a place where the board has none."""
    drawn, links, found = look.drawn, look.links, []
    all_named, named = look.named is None, look.named or ()
    for cell in cells:
        if cell is None:
            found.append("<td class=x>")
            continue
        name, piece = cell.name, cell.piece
        kind = (piece.symbol if piece else None, cell.marks, name in links, not piece and (all_named or name in named))
        if kind not in drawn:
            drawn[kind] = _draw_kind(cell, span, look).split(NAME)
        found.append(name.join(drawn[kind]))
    return found


def _is_named(name: str, look: _Look) -> bool:
    """Return whether a cell bears its name while it is empty."""
    return look.named is None or name in look.named


def _draw_kind(cell: Cell, span: str, look: _Look) -> str:
    """Return the cell of the table for a cell of this kind, NAME in the place of its name."""
    last = "last" in cell.marks
    if cell.piece is None:
        closed = is_closed(cell)
        proposed = is_proposed(cell)
        name = _DOT if look.kind == "points" else NAME if _is_named(cell.name, look) else "."
        content = PROPOSED if proposed else "-" if closed else name
        kind = " class=x" if closed and look.kind != "points" else ""
        ring = f' style="{_draw_ring(look, "dashed")};border-radius:50%"' if last else ""
        ring = ' style="border:2px dashed;border-radius:50%;font-weight:bold"' if proposed else ring
        return f"<td{kind}{span}{ring}>{_draw_link(cell, NAME, content, look)}"
    ground, ink = look.shades.tones[cell.piece.tone]
    sign = marked_sign(look.signs[cell.piece.symbol], cell.marks)
    styles, name = [f"background:{ground};color:{SIGNS.get(sign, ink)}"], _class_of(cell.piece)
    if not name:
        styles.append(f"border-radius:{_RADII[cell.piece.form]}")
    if last:
        styles.append(_draw_ring(look))
    elif cell.piece.tone in _RIMMED:
        styles.append(f"border:1px solid {RIM}")
    if sign not in SIGNS:
        styles.append(f"font-weight:bold;font-size:{look.sizes.letters if len(sign) == 1 else look.sizes.pairs}px")
    title = "" if look.kind == "points" else f" title={NAME}"  # coordinates name it
    return f'<td{name}{span}{title} style="{";".join(styles)}">{escape(sign)}'


def _class_of(piece: Piece) -> str:
    """Return the class of a stone, as an attribute; nothing for other pieces."""
    return f" class={_STONES[piece.tone]}" if piece.form == "stone" and piece.tone in _STONES else ""


def _draw_ring(look: _Look, line: str = "solid") -> str:
    """Return the style of what the last move touched; a gap tells the ring from a piece of a like colour."""
    return f"border:{2 if look.sizes.cell < 20 else 3}px {line} {RING};padding:1px;background-clip:content-box"


def _draw_link(cell: Cell, name: str, content: str, look: _Look) -> str:
    """Return ``content``, as a link that opens an answer that plays there where there is one."""
    if cell.name not in look.links:
        return content
    label = escape(look.play).replace(NAME, name)
    low = f' style="line-height:{look.sizes.line}px"' if "last" in cell.marks else ""
    return f'<a {ANSWER_LINK}{name}" aria-label="{label}"{low}>{content}</a>'
