"""Boards as text: for emails, the terminal and the archive."""

from pbem.boards.geometry import halves, hex_ranks, ranks
from pbem.boards.signs import ASCII, BRACKETS, PROPOSED, Signs, bracketed, in_text, is_closed, is_proposed, number_of
from rules.view import BoardView, Cell, Mark

WIDTH = 63
"""Columns that a text board may take: email programs wrap longer lines, and quote what they wrapped."""

_BOX = 10  # columns inside the box of a die
_MIDDLE = 5  # the column of the number on top


def text_board(view: BoardView, signs: Signs = ASCII) -> str:
    """Return the board as lines of at most WIDTH columns, none of which a reader would take for a move."""
    view = in_text(view)
    if view.looks == "dice":
        lines = _dice_lines(view, signs)
    elif view.shape == "hex":
        lines = _hex_lines(view, signs)
    else:
        lines = _square_lines(view, signs)
    return "\n".join(lines) + "\n"


def _square_lines(view: BoardView, signs: Signs) -> list[str]:
    """Return the lines of a square board, three columns a cell."""
    digits = max(len(name) for name in view.rows)
    roomy = 3 * len(view.columns) + 2 * (digits + 4) <= WIDTH
    indent, gap = ("  ", "  ") if roomy else ("", " ")
    edge = (indent + " " * digits + gap + "".join(f"{name:^3}" for name in view.columns)).rstrip()
    lines = [edge]
    drawn: dict[tuple[str, frozenset[Mark]], str] = {}  # most cells are like others
    for number, cells in ranks(view):
        label, row = number.rjust(digits), []
        for cell in cells:
            if cell is None:
                row.append("   ")
                continue
            kind = cell.piece.symbol if cell.piece else "", cell.marks
            if kind not in drawn:
                drawn[kind] = _draw_square(cell, signs)
            row.append(drawn[kind])
        lines.append(f"{indent}{label}{gap}{''.join(row)}{gap}{label}")
    lines.append(edge)
    return lines


def _draw_square(cell: Cell, signs: Signs) -> str:
    """Return the three columns of a cell."""
    before, after = BRACKETS[bracketed(cell.marks)]
    before = number_of(cell.marks) or before
    return f"{before or ' '}{_choose_symbol(cell, signs)}{after or ' '}"


def _choose_symbol(cell: Cell, signs: Signs) -> str:
    """Return the one character that stands for a cell and what is on it."""
    if cell.piece:
        return signs.get(cell.piece.symbol, cell.piece.symbol)
    return PROPOSED if is_proposed(cell) else "-" if is_closed(cell) else signs["."]


def _hex_lines(view: BoardView, signs: Signs) -> list[str]:
    """Return the lines of a hex board inside its outline; each row begins half a cell further than its neighbours.

    Each empty cell is its name. On a board so wide that names would touch, every other one is a dot where need be.
    """
    rows = hex_ranks(view)
    longest = max(map(len, rows.values()))
    pitch = 4 if 4 * longest + 3 <= WIDTH else 3
    left = min(halves(cells[0]) for cells in rows.values())
    lines = []
    for row, cells in rows.items():
        indent = pitch * (halves(cells[0]) - left) // 2
        drawn = _draw_hexes(cells, signs, " " * (pitch - 3))
        before, after = _outline(cells, rows.get(row + 1, ()), rows.get(row - 1, ()))
        lines.append(f"{' ' * indent}{before} {drawn} {after}")
    spare = "  " if max(map(len, lines)) + 2 <= WIDTH else ""
    return [spare + line for line in lines]


def _draw_hexes(cells: list[Cell], signs: Signs, gap: str) -> str:
    """Return a row of cells, three columns each, with a ``gap`` between two of them."""
    drawn: list[str] = []
    for cell in cells:
        if cell.piece or cell.marks:
            drawn.append(_draw_square(cell, signs))
        elif gap or not drawn or not drawn[-1][-1].isdigit():
            drawn.append(cell.name.ljust(3))
        else:
            drawn.append(f" {signs['.']} ")
    return gap.join(drawn)


def _outline(cells: list[Cell], above: list[Cell] | tuple[()], below: list[Cell] | tuple[()]) -> tuple[str, str]:
    """Return the signs of the left and the right end of a row: which way the side of the board runs there."""
    ends = []
    for end in (0, -1):
        here = halves(cells[end])
        over = halves(above[end]) - here if above else 0
        under = halves(below[end]) - here if below else 0
        slope = (over - under) or 0
        ends.append("/" if slope > 0 else "\\" if slope < 0 else "|")
    return ends[0], ends[1]


def _dice_lines(view: BoardView, signs: Signs) -> list[str]:
    """Return the lines of a board of dice, each cell a box of three lines."""
    digits = max(len(name) for name in view.rows)
    blank = "  " + " " * digits + " "
    bar, dash, *corners = list(signs["box"])
    top, rule, bottom = (
        blank + left + between.join([dash * _BOX] * len(view.columns)) + right
        for left, between, right in zip(corners[::3], corners[1::3], corners[2::3], strict=True)
    )
    edge = (blank + "".join(name.rjust(_MIDDLE + 2).ljust(_BOX + 1) for name in view.columns)).rstrip()
    lines = [edge, top]
    for number, cells in ranks(view):
        above, middle, below = (bar.join(parts) for parts in zip(*map(_die_lines, cells), strict=True))
        label = number.rjust(digits)
        lines += (
            f"{blank}{bar}{above}{bar}",
            f"  {label} {bar}{middle}{bar} {label}",
            f"{blank}{bar}{below}{bar}",
            rule,
        )
    return [*lines[:-1], bottom, edge]


def _die_lines(cell: Cell | None) -> tuple[str, str, str]:
    """Return the three lines of a cell: a die's number on the north side; west, owner, top and east; south."""
    if cell is None:
        return " " * _BOX, " " * _BOX, " " * _BOX
    corner = "::" if cell.ground == "dark" else "  "
    before, after = (sign or " " for sign in BRACKETS[bracketed(cell.marks)])
    before = number_of(cell.marks) or before
    if cell.piece is None or cell.die is None:
        rim = corner + " " * (_BOX - 4) + corner
        empty = PROPOSED if is_proposed(cell) else "-" if is_closed(cell) else cell.name
        symbol = cell.piece.symbol if cell.piece else empty
        return rim, f"{before}{symbol}{after}".rjust(_MIDDLE + 2).ljust(_BOX), rim
    north, east, south, west = cell.die.sides
    above, below = (f"{corner}{number:>{_MIDDLE - 1}}".ljust(_BOX - 2) + corner for number in (north, south))
    return above, f" {west} {before}{cell.piece.symbol}{cell.die.top}{after} {east} ", below
