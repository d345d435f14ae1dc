"""Boards as text: for emails, the terminal and the archive."""

from functools import lru_cache
from textwrap import wrap

from pbem.boards.geometry import halves, hex_letters, hex_ranks, ranks
from pbem.boards.legend import ASCII, BRACKETS, PLAIN, Signs, bracketed, is_closed, marks_legend, reading
from rules.view import BoardView, Cell, Mark

WIDTH = 63
"""Columns that a text board may take: email programs wrap longer lines, and quote what they wrapped."""

_BOX = 10  # columns inside the box of a die
_MIDDLE = 5  # the column of the number on top


def text_board(view: BoardView, signs: Signs = ASCII) -> str:
    """Return the board as lines of at most WIDTH columns; below it how to read it, how things stand, captions."""
    if view.looks == "dice":
        indent, lines = "  ", _dice_lines(view, signs)
    elif view.shape == "hex":
        indent, lines = _hex_lines(view, signs)
    else:
        indent, lines = _square_lines(view, signs)
    if words := reading(view):
        lines += ["", *_wrap_words(words, indent)]
    if any("line" in cell.marks or is_closed(cell) for cell in view.cells if cell.marks):
        lines += ["", indent + marks_legend(view)]
    if view.standing:
        lines.append("")
        for sentence in map(str, view.standing):
            lines += wrap(sentence, WIDTH)
    for caption in map(str, view.captions):
        lines += ["", *_wrap_words(caption)]
    return "\n".join(lines) + "\n"


@lru_cache(maxsize=256)  # what explains a board is the same in all matches of a game
def _wrap_words(words: str, indent: str = "") -> tuple[str, ...]:
    """Return the lines of an explanation of the board."""
    return tuple(wrap(words, WIDTH, initial_indent=indent, subsequent_indent=indent))


def _square_lines(view: BoardView, signs: Signs) -> tuple[str, list[str]]:
    """Return the indent and the lines of a square board, three columns a cell."""
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
    return indent, lines


def _draw_square(cell: Cell, signs: Signs) -> str:
    """Return the three columns of a cell."""
    before, after = BRACKETS[bracketed(cell.marks)]
    return f"{before or ' '}{_choose_symbol(cell, signs)}{after or ' '}"


def _choose_symbol(cell: Cell, signs: Signs) -> str:
    """Return the one character that stands for a cell and what is on it."""
    if cell.piece:
        return signs.get(cell.piece.symbol, cell.piece.symbol)
    return "-" if is_closed(cell) else signs["."]


def _hex_lines(view: BoardView, signs: Signs) -> tuple[str, list[str]]:
    """Return the indent and the lines of a hex board, as roomy as the width allows."""
    longest = max(map(len, hex_ranks(view).values()))
    for half in (2, 1) if 4 * longest < WIDTH else (1,):
        lines = _slanted_lines(view, half, signs)
        widest = max(map(len, lines))
        if widest <= WIDTH:
            break
    indent = "  " if widest + 2 <= WIDTH else ""
    return indent, [indent + line if line else "" for line in lines]


def _slanted_lines(view: BoardView, half: int, signs: Signs) -> list[str]:
    """Return the lines of a hex board, ``half`` columns being half a cell.

    Each row has its number on both sides. A stroke leads from the lower end of each column to its letter.
    """
    letters = hex_letters(view)
    rows = []
    for row, cells in hex_ranks(view).items():
        label, line = view.rows[row], _place_cells(cells, half, signs)
        first, last = half * halves(cells[0]), half * halves(cells[-1])
        line |= enumerate(label, first - 2 - len(label))
        for end in letters.get(row, ()):
            line[last := half * halves(end) + 1] = "\\"
            line[last := last + half] = view.columns[end.column]
        line |= enumerate(label, last + 3)
        rows.append(line)
    strokes = {half * halves(cell) + 1: "\\" for cell in letters[-1]}
    rows += [strokes, {half * (halves(cell) + 1): view.columns[cell.column] for cell in letters[-1]}]
    left, right = min(map(min, rows)), max(map(max, rows))
    lines = []
    for line in rows:
        drawn = [" "] * (right + 1 - left)
        for x, char in line.items():
            drawn[x - left] = char
        lines.append("".join(drawn).rstrip())
    return lines


def _place_cells(cells: list[Cell], half: int, signs: Signs) -> dict[int, str]:
    """Return the characters of a row of cells by their places.

    Where cells have but one column between them, a run of cells with the same marks shares its brackets.
    """
    if not any(cell.marks for cell in cells):
        return {half * halves(cell): _choose_symbol(cell, signs) if cell.piece else signs["."] for cell in cells}
    line: dict[int, str] = {}
    shared = PLAIN
    for cell, following in zip(cells, [*cells[1:], None], strict=True):
        x, marks = half * halves(cell), bracketed(cell.marks)
        if marks and marks != shared:
            line[x - 1] = BRACKETS[marks][0]
        shared = marks if half == 1 and following and bracketed(following.marks) == marks else PLAIN
        line[x] = _choose_symbol(cell, signs)
        if marks and marks != shared:
            line[x + 1] = BRACKETS[marks][1]
    return line


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
    if cell.piece is None or cell.die is None:
        rim = corner + " " * (_BOX - 4) + corner
        symbol = cell.piece.symbol if cell.piece else "-" if is_closed(cell) else " "
        return rim, f"{before}{symbol}{after}".rjust(_MIDDLE + 2).ljust(_BOX), rim
    north, east, south, west = cell.die.sides
    above, below = (f"{corner}{number:>{_MIDDLE - 1}}".ljust(_BOX - 2) + corner for number in (north, south))
    return above, f" {west} {before}{cell.piece.symbol}{cell.die.top}{after} {east} ", below
