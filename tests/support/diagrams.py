"""Boards as text, for tests: drawn from a view, and read into sets of stones."""

from rules.phrase import Event
from rules.position import Chance, Outcome, Position
from rules.view import BoardView, Cell

_AROUND = {
    frozenset[str](): (" ", " "),
    frozenset({"last"}): ("(", ")"),
    frozenset({"line"}): ("[", "]"),
    frozenset({"last", "line"}): ("{", "}"),
}


def _cell_text(cell: Cell | None) -> str:
    if cell is None:
        return "   "
    before, after = _AROUND[cell.marks - {"closed", "earlier"}]
    symbol = cell.piece.symbol if cell.piece else "-" if "closed" in cell.marks else "."
    return f"{before}{symbol}{after}"


def board_text(view: BoardView) -> str:
    """Return the board: ``(X)`` was touched last, ``[X]`` is on the winning line, ``{X}`` both, ``-`` is closed.

    On a hex board columns lean to the left; the letter of each stands at its lower end. A die is written
    ``L4:1265``: owner, top, north, east, south and west; a colon tells a dark cell, a dot a light one.
    """
    if view.looks == "dice":
        return _dice_text(view)
    if view.shape == "hex":
        return _hex_text(view)
    cells = {(cell.column, cell.row): cell for cell in view.cells}
    lines = []
    for row in reversed(range(len(view.rows))):
        drawn = "".join(_cell_text(cells.get((column, row))) for column in range(len(view.columns)))
        lines.append(f"{view.rows[row]:>3} {drawn}".rstrip())
    lines.append("    " + "".join(f" {letter} " for letter in view.columns).rstrip())
    return "\n".join(lines)


def _hex_text(view: BoardView) -> str:
    """Return a hex board: a cell takes four columns, a row begins two further than the one above it or below it."""
    ends = {cell.column: cell.row for cell in view.cells}  # the lowest of a column comes last
    left = min(2 * cell.column - cell.row for cell in view.cells)
    lines = []
    for row in (*reversed(range(len(view.rows))), -1):
        drawn = {cell.column: _cell_text(cell) for cell in view.cells if cell.row == row}
        drawn |= {column: f" {view.columns[column]} " for column, end in ends.items() if end == row + 1}
        first = min(drawn)
        indent = " " * (2 * (2 * first - row - left))
        label = view.rows[row] if row >= 0 else ""
        lines.append(f"{label:>3} {indent}{' '.join(drawn[column] for column in sorted(drawn))}".rstrip())
    return "\n".join(lines)


def _dice_text(view: BoardView) -> str:
    """Return a board of dice, one line a row."""
    cells = {(cell.column, cell.row): cell for cell in view.cells}
    lines = []
    for row in reversed(range(len(view.rows))):
        drawn = [_die_text(cells[column, row]) for column in range(len(view.columns))]
        lines.append(f"{view.rows[row]:>3} {''.join(drawn)}".rstrip())
    return "\n".join([*lines, "    " + "".join(f" {letter:<9}" for letter in view.columns).rstrip()])


def _die_text(cell: Cell) -> str:
    ground = ":" if cell.ground == "dark" else "."
    before, after = _AROUND[cell.marks - {"closed", "earlier"}]
    if cell.piece is None or cell.die is None:
        return f" {ground}".ljust(10)
    return f"{before}{cell.piece.symbol}{cell.die.top}{ground}{''.join(map(str, cell.die.sides))}{after}".ljust(10)


def event_text(event: Event) -> str:
    """Return what happened as everybody but the one who did it reads it; seats have no names here."""
    return str(event.others if event.seat is None else event.others.about(name=f"seat {event.seat + 1}"))


def position_text(position: Position[object], before: Position[object] | None = None) -> str:
    """Return all that is told about a position; captions and what seats play for only if new since ``before``."""
    view = position.view()
    lines = [board_text(view), *map(str, view.standing)]
    if before is None or before.view().captions != view.captions:
        lines += map(str, view.captions)
    for seat, role in enumerate(position.roles()):
        brief = position.objective(seat)
        if before is None or before.objective(seat) != brief:
            sentences = " ".join(str(part) for part in (brief.goal, brief.turn, brief.decisive) if part)
            lines.append(f"seat {seat + 1} ({role or 'no role yet'}): {sentences}")
    awaited, outcome = position.to_act, position.outcome()
    if isinstance(awaited, Chance):
        lines.append(f"lot: {awaited.what}, 1 to {awaited.faces}")
    elif awaited is not None:
        lines.append(f"seat {awaited + 1}: {position.prompt().instruction}")
    elif isinstance(outcome, Outcome):
        winners = " and ".join(f"seat {seat + 1}" for seat in sorted(outcome.winners))
        lines.append(f"{winners} won: {outcome.reason}")
        if outcome.story:
            lines.append(event_text(outcome.story))
    return "\n".join(lines)


def stones(diagram: str, symbol: str) -> list[str]:
    """Return the names of the cells with ``symbol`` in a diagram whose last line is row 1."""
    rows = [line.split() for line in diagram.strip().splitlines()]
    return [
        f"{chr(ord('a') + column)}{row + 1}"
        for row, cells in enumerate(reversed(rows))
        for column, cell in enumerate(cells)
        if cell == symbol
    ]
