"""Where cells and coordinates of a board lie, for every way of drawing it."""

from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from operator import attrgetter

from rules.view import BoardView, Cell


def ranks(view: BoardView) -> Iterator[tuple[str, list[Cell | None]]]:
    """Yield the label and the cells of each row, the top one first; None where the board has no cell."""
    width, labels = len(view.columns), view.rows[::-1]
    if len(view.cells) == width * len(labels):
        for place, label in enumerate(labels):
            yield label, list(view.cells[place * width : (place + 1) * width])
        return
    places = {(cell.column, cell.row): cell for cell in view.cells}
    for row in reversed(range(len(labels))):
        yield view.rows[row], [places.get((column, row)) for column in range(width)]


def hex_ranks(view: BoardView) -> dict[int, list[Cell]]:
    """Return the cells of each row of a hex board, from the left, the top row first."""
    return {row: list(cells) for row, cells in groupby(view.cells, key=attrgetter("row"))}


def column_ends(view: BoardView) -> dict[int, list[str]]:
    """Return the names of columns of a hex board at their lower ends: behind a row, and those below the last row at -1.

    Columns run down to the right.
    """
    rows = hex_ranks(view)
    lowest, last = min(rows), {row: cells[-1].column for row, cells in rows.items()}
    ends = {row: [view.columns[last[row + 1]]] for row in rows if row + 1 in rows and last[row + 1] > last[row]}
    return ends | {-1: [view.columns[cell.column] for cell in rows[lowest]]}


def halves(cell: Cell) -> int:
    """Return where the middle of a cell of a hex board lies from the left, in half cells."""
    return 2 * cell.column - cell.row


def find_chains(cells: Iterable[Cell], steps: Collection[tuple[int, int]]) -> list[list[Cell]]:
    """Return ``cells`` in chains: groups connected by ``steps`` in either direction."""
    left = {(cell.column, cell.row): cell for cell in sorted(cells, key=attrgetter("column", "row"))}
    found = []
    while left:
        chain = [left.pop(next(iter(left)))]
        for cell in chain:  # which grows meanwhile
            for right, up in steps:
                for place in ((cell.column + right, cell.row + up), (cell.column - right, cell.row - up)):
                    if place in left:
                        chain.append(left.pop(place))
        found.append(chain)
    return found
