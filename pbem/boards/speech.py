"""Boards as sentences to be listened to: what changed, who holds what, what is closed, how things stand."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pbem.boards.signs import is_closed
from rules.prose import listed
from rules.view import BoardView, Cell, Piece

_WIDEST = 64  # columns of a sentence: each stands on one line of a mail
_SHORTEST_RUN = 3
_MOST_FREE = 24  # free cells: more than so many are counted, not named


@dataclass(frozen=True)
class Spoken:
    """A board as whole sentences, a line each: none begins with the name of a cell.

    ``held`` names every piece on the board once; ``board`` tells its size and what is free; ``standing`` and
    ``captions`` are the view's own.
    """

    changed: tuple[str, ...]
    held: tuple[str, ...]
    closed: tuple[str, ...]
    board: tuple[str, ...]
    standing: tuple[str, ...]
    captions: tuple[str, ...]

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """The sentences in the order in which they are said, those that belong together side by side."""
        groups = (self.changed, self.held, self.closed, self.board, self.standing, self.captions)
        return [group for group in groups if group]


def spoken_board(view: BoardView) -> Spoken:
    """Return the board in words."""
    return Spoken(
        tuple(_changed(view)),
        tuple(_held(view)) or ("Nothing is on the board.",),
        tuple(_naming("Closed now:", "Also closed:", [cell for cell in view.cells if is_closed(cell)])),
        tuple(_board(view)),
        view.standing,
        view.captions,
    )


def runs(cells: Iterable[Cell]) -> list[str]:
    """Return the names of ``cells``, each once, sorted; three or more in a row or a column as ``c3 to c6``."""
    left = {(cell.column, cell.row): cell for cell in cells}
    found: list[list[Cell]] = []
    while left:
        best = max((_run(left, place, step) for place in sorted(left) for step in ((0, 1), (1, 0))), key=len)
        if len(best) < _SHORTEST_RUN:
            break
        found.append(best)
        for cell in best:
            del left[cell.column, cell.row]
    found += [[cell] for cell in left.values()]
    found.sort(key=lambda run: (run[0].column, run[0].row))
    return [run[0].name if len(run) == 1 else f"{run[0].name} to {run[-1].name}" for run in found]


def _run(cells: dict[tuple[int, int], Cell], place: tuple[int, int], step: tuple[int, int]) -> list[Cell]:
    """Return the unbroken run of ``cells`` from ``place`` on; nothing unless it begins there."""
    if (place[0] - step[0], place[1] - step[1]) in cells:
        return []
    run = []
    while place in cells:
        run.append(cells[place])
        place = (place[0] + step[0], place[1] + step[1])
    return run


def _changed(view: BoardView) -> Iterator[str]:
    """Yield what the latest move touched, and the winning line."""
    touched = [cell for cell in view.cells if "last" in cell.marks]
    for piece in view.pieces:
        yield from _naming(
            f"The last move: {piece.name} on", f"The last move: {piece.name} also on", _with(touched, piece)
        )
    yield from _naming("Empty since the last move:", "Also empty since then:", _with(touched, None))
    yield from _naming("The winning line:", "Also in the winning line:", [c for c in view.cells if "line" in c.marks])


def _held(view: BoardView) -> Iterator[str]:
    """Yield who holds what, one kind of piece after the other."""
    for piece in view.pieces:
        mine = _with(view.cells, piece)
        verb = "holds" if piece.form == "stone" else "is on"
        name = piece.name[:1].upper() + piece.name[1:]
        if any(cell.die for cell in mine):
            yield f"{name} {verb} {len(mine)} {'die' if len(mine) == 1 else 'dice'}."
            yield from (_die(name, cell) for cell in sorted(mine, key=lambda cell: (cell.column, cell.row)))
        else:
            yield from _naming(f"{name} {verb}", f"{name} {'also holds' if verb == 'holds' else 'is also on'}", mine)


def _die(name: str, cell: Cell) -> str:
    """Return a die in words: what it shows on top, and on its sides."""
    assert cell.die
    north, east, south, west = cell.die.sides
    ground = "" if cell.ground == "plain" else f" ({cell.ground} cell)"
    return f"{name} on {cell.name}{ground}: top {cell.die.top}, north {north}, east {east}, south {south}, west {west}."


def _board(view: BoardView) -> Iterator[str]:
    """Yield how large the board is, and which cells are free."""
    free = [cell for cell in view.cells if cell.piece is None and not is_closed(cell)]
    shape = "hexagons" if view.shape == "hex" else "cells"
    if len(free) <= _MOST_FREE:
        grounds = list(dict.fromkeys(cell.ground for cell in free))
        for ground in sorted(grounds):
            colour = "" if ground == "plain" else f"{ground} "
            cells = [cell for cell in free if cell.ground == ground]
            yield from _naming(f"Free {colour}cells:", f"Also free {colour}cells:", cells)
    else:
        yield f"Free are {len(free)} of the {len(view.cells)} cells."
    across, up = (f"{names[0]} to {names[-1]}" for names in (view.columns, view.rows))
    yield f"The board has {len(view.cells)} {shape}: columns {across}, rows {up}."
    if view.shape == "hex" and (example := _neighbours(view)):
        yield example


def _neighbours(view: BoardView) -> str:
    """Return the neighbours of the first cell of a hex board that has six, as an example; nothing if none has."""
    names = {(cell.column, cell.row): cell.name for cell in view.cells}
    for column, row in sorted(names):
        around = [(-1, -1), (-1, 0), (0, -1), (0, 1), (1, 0), (1, 1)]
        found = [names[place] for x, y in around if (place := (column + x, row + y)) in names]
        if len(found) == len(around):
            return f"Cells touch like this: {names[column, row]} touches {listed(found)}."
    return ""


def _with(cells: Iterable[Cell], piece: Piece | None) -> list[Cell]:
    """Return those of ``cells`` that hold ``piece``."""
    return [cell for cell in cells if cell.piece == piece]


def _naming(first: str, further: str, cells: Sequence[Cell]) -> Iterator[str]:
    """Yield sentences that name ``cells``, as many as are needed for each to stay on one line."""
    names, opening = runs(cells), first
    while names:
        count = len(names)
        while count > 1 and len(f"{opening} {listed(names[:count])}.") > _WIDEST:
            count -= 1
        yield f"{opening} {listed(names[:count])}."
        names, opening = names[count:], further
