"""Boards as text, for tests: drawn from a view, and read into sets of stones."""

from rules import BoardView, Cell, Outcome, Position
from rules.core import Chance

_AROUND = {
    frozenset[str](): (" ", " "),
    frozenset({"last"}): ("(", ")"),
    frozenset({"line"}): ("[", "]"),
    frozenset({"last", "line"}): ("{", "}"),
}


def _cell_text(cell: Cell | None) -> str:
    if cell is None:
        return "   "
    before, after = _AROUND[frozenset(cell.marks)]
    return f"{before}{cell.piece.symbol if cell.piece else '.'}{after}"


def board_text(view: BoardView) -> str:
    """Return the board: ``(X)`` was touched last, ``[X]`` is on the winning line, ``{X}`` both."""
    cells = {(cell.column, cell.row): cell for cell in view.cells}
    lines = []
    for row in reversed(range(len(view.rows))):
        drawn = "".join(_cell_text(cells.get((column, row))) for column in range(len(view.columns)))
        lines.append(f"{view.rows[row]:>3} {drawn}".rstrip())
    lines.append("    " + "".join(f" {letter} " for letter in view.columns).rstrip())
    return "\n".join(lines)


def position_text(position: Position[object], before: Position[object] | None = None) -> str:
    """Return everything that is told about a position; what seats play for only if it is new since ``before``."""
    lines = [board_text(position.view()), *position.view().captions]
    for seat, role in enumerate(position.roles()):
        brief = position.brief(seat)
        if before is None or before.brief(seat) != brief:
            lines.append(f"seat {seat + 1} ({role or 'no role yet'}): {brief}")
    awaited, outcome = position.to_act, position.outcome()
    if isinstance(awaited, Chance):
        lines.append(f"lot: {awaited.what}, 1 to {awaited.faces}")
    elif awaited is not None:
        prompt = position.prompt()
        lines.append(f"seat {awaited + 1} replies with {prompt.what}, for example {prompt.example}")
    elif isinstance(outcome, Outcome):
        winners = " and ".join(f"seat {seat + 1}" for seat in sorted(outcome.winners))
        lines.append(f"{winners} won: {outcome.reason}")
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
