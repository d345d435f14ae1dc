"""Boards as sentences to listen to: the last move, the standing, who holds what, and which cells can be chosen."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pbem.boards.legend import capital, is_closed
from rules.text import listed
from rules.view import BoardView, Cell, Chains, Piece

_WIDEST = 64  # columns of a sentence: each stands on one line of an email
_SHORTEST_RUN = 3
_MOST_FREE = 24  # free cells that are named; more are counted
_MOST_CHOICES = 40  # cells to choose from that are named: they matter more than free ones
_MOST_TOUCHED = 3  # cells of a move whose surroundings are described

_HEX = ((-1, -1), (-1, 0), (0, -1), (0, 1), (1, 0), (1, 1))
_SQUARE = (*_HEX, (-1, 1), (1, -1))
_SIDES = ("north", "east", "south", "west")
_ASIDE = ((0, 1), (1, 0), (0, -1), (-1, 0))


@dataclass(frozen=True)
class Spoken:
    """A board as whole sentences, a line each: none begins with the name of a cell.

    ``near`` is what lies round the last move; ``held`` names every piece on the board once; ``choices`` are the
    cells that one may choose; ``board`` tells its size and what is free; ``standing`` and ``captions`` are the view's.
    """

    changed: tuple[str, ...]
    near: tuple[str, ...]
    standing: tuple[str, ...]
    held: tuple[str, ...]
    closed: tuple[str, ...]
    choices: tuple[str, ...]
    board: tuple[str, ...]
    captions: tuple[str, ...]

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """The sentences in the order in which they are said, those that belong together side by side."""
        groups = (
            (*self.changed, *self.near),
            self.standing,
            self.held,
            (*self.closed, *self.choices, *self.board),
            self.captions,
        )
        return [group for group in groups if group]


def spoken_board(view: BoardView) -> Spoken:
    """Return the board in words."""
    return Spoken(
        tuple(_describe_changes(view)),
        tuple(_describe_surroundings(view)),
        tuple(map(str, view.standing)),
        tuple(_describe_pieces(view)) or ("Nothing is on the board.",),
        tuple(_name_cells("Closed now:", "Also closed:", [cell for cell in view.cells if is_closed(cell)])),
        tuple(_describe_choices(view)),
        tuple(_describe_board(view)),
        tuple(map(str, view.captions if view.spoken is None else view.spoken)),
    )


def runs(cells: Iterable[Cell]) -> list[str]:
    """Return the names of ``cells``, each once, sorted; three or more in a row or a column as ``c3 to c6``."""
    left = {_sort_key(cell): cell for cell in sorted(cells, key=_sort_key)}
    found: list[list[Cell]] = []
    steps = ((0, 1), (1, 0)) if len(left) >= _SHORTEST_RUN else ()
    possible = [run for step in steps for place in left if (run := _find_run(left, place, step))]
    while possible:
        best = min(possible, key=lambda run: (-len(run), _sort_key(run[0]), run[0].column != run[1].column))
        found.append(best)
        for cell in best:
            del left[_sort_key(cell)]
        possible = [rest for run in possible for rest in _split_run(run, left)]
    found += [[cell] for cell in left.values()]
    found.sort(key=lambda run: _sort_key(run[0]))
    return [run[0].name if len(run) == 1 else f"{run[0].name} to {run[-1].name}" for run in found]


def _find_run(cells: Mapping[tuple[int, int], Cell], place: tuple[int, int], step: tuple[int, int]) -> list[Cell]:
    """Return the unbroken run of ``cells`` from ``place`` on; nothing unless it begins there and is long enough."""
    if (place[0] - step[0], place[1] - step[1]) in cells:
        return []
    run = []
    while place in cells:
        run.append(cells[place])
        place = (place[0] + step[0], place[1] + step[1])
    return run if len(run) >= _SHORTEST_RUN else []


def _split_run(run: Sequence[Cell], left: Collection[tuple[int, int]]) -> Iterator[list[Cell]]:
    """Yield what can still be a run of a run of which only those cells are ``left``."""
    for whole, rest in groupby(run, key=lambda cell: _sort_key(cell) in left):
        cells = list(rest)
        if whole and len(cells) >= _SHORTEST_RUN:
            yield cells


def _describe_changes(view: BoardView) -> Iterator[str]:
    """Yield the cells of the latest move, and the winning line."""
    touched = [cell for cell in view.cells if "last" in cell.marks]
    for piece in view.pieces:
        mine = _cells_with(touched, piece)
        name = _name_pieces(piece, len(mine))
        yield from _name_cells(f"The last move: {name} on", f"The last move: {name} also on", mine)
    yield from _name_cells("Empty since the last move:", "Also empty since then:", _cells_with(touched, None))
    yield from _name_cells(
        "The winning line:", "Also in the winning line:", [c for c in view.cells if "line" in c.marks]
    )


def _describe_surroundings(view: BoardView) -> Iterator[str]:
    """Yield the neighbours of the stones of the latest move, where chains count and a free cell is left."""
    touched = [cell for cell in view.cells if "last" in cell.marks and cell.piece]
    free = [cell for cell in view.cells if not (cell.piece or is_closed(cell))]
    won = any("line" in cell.marks for cell in view.cells)
    if len(touched) > _MOST_TOUCHED or won or not (view.chains and free):
        return
    places = {(cell.column, cell.row): cell for cell in view.cells}
    for middle in sorted(touched, key=_sort_key):
        found = _cells_around(places, middle, _HEX if view.shape == "hex" else _SQUARE)
        for piece in view.pieces:
            words = f"Beside {middle.name}: {piece.name} on"
            yield from _name_cells(words, words, _cells_with(found, piece))
        for closed, words in ((False, "free"), (True, "closed")):
            opening = f"Beside {middle.name}: {words}"
            yield from _name_cells(opening, opening, [c for c in _cells_with(found, None) if is_closed(c) == closed])


def _describe_pieces(view: BoardView) -> Iterator[str]:
    """Yield who holds what, holder by holder, which means colour by colour."""
    tones = [piece.tone for piece in view.pieces]
    for piece in sorted(view.pieces, key=lambda piece: tones.index(piece.tone)):
        mine = _cells_with(view.cells, piece)
        name = capital(_name_pieces(piece, len(mine)))
        if any(cell.die for cell in mine):
            yield f"{name} holds {len(mine)} {'die' if len(mine) == 1 else 'dice'}."
            yield from (_describe_die(name, cell) for cell in sorted(mine, key=_sort_key))
        elif view.chains and mine:
            yield from _describe_chains(view, name, view.chains, mine)
        elif piece.form == "stone":
            yield from _name_cells(f"{name} holds", f"{name} also holds", mine)
        else:
            verb = "is" if _name_pieces(piece, len(mine)) == str(piece.name) else "are"
            yield from _name_cells(f"{name} {verb} on", f"{name} {verb} also on", mine)


def _describe_chains(view: BoardView, name: str, chains: Chains, mine: Sequence[Cell]) -> Iterator[str]:
    """Yield the chains of the stones ``mine``, all of one kind, the longest first, then the single stones."""
    steps = dict(chains.steps)[mine[0].piece.key if mine[0].piece else ""]
    found = sorted(_find_chains(mine, steps), key=len, reverse=True)
    if 1 < len(found) < len(mine):
        yield f"{name} has {len(mine)} stones in {len(found)} {chains.word}s."
    for chain in found:
        if len(chain) > 1:
            opening = f"{name} {chains.word} of {len(chain)}"
            yield from _name_cells(f"{opening}:", f"Also in this {chains.word}:", chain)
            if chains.sides and (sides := _name_sides(view, chain)):
                yield f"This {chains.word} touches {sides}."
    alone = [cell for chain in found if len(chain) == 1 for cell in chain]
    if len(alone) == len(mine):
        yield from _name_cells(f"{name} holds", f"{name} also holds", alone)
    else:
        stones = "stones" if len(alone) > 1 else "stone"
        yield from _name_cells(f"{name} single {stones}:", f"{name} further single stones:", alone)


def _find_chains(cells: Iterable[Cell], steps: Collection[tuple[int, int]]) -> list[list[Cell]]:
    """Return ``cells`` in chains: groups connected by ``steps`` in either direction."""
    left = {_sort_key(cell): cell for cell in sorted(cells, key=_sort_key)}
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


def _name_sides(view: BoardView, chain: Iterable[Cell]) -> str:
    """Return the sides of the board that a chain touches: ``the left and the top side``; empty for none."""
    columns, rows = {cell.column for cell in chain}, {cell.row for cell in chain}
    right, top = len(view.columns) - 1, len(view.rows) - 1
    touched = {"left": 0 in columns, "right": right in columns, "bottom": 0 in rows, "top": top in rows}
    names = [f"the {side}" for side, holds in touched.items() if holds]
    return f"{listed(names)} side" if names else ""


def _describe_die(name: str, cell: Cell) -> str:
    """Return a die in words: the number on top, and those on its sides."""
    assert cell.die
    north, east, south, west = cell.die.sides
    ground = "" if cell.ground == "plain" else f", {cell.ground}"
    return f"{name} on {cell.name}{ground}: top {cell.die.top}, north {north}, east {east}, south {south}, west {west}."


def _describe_choices(view: BoardView) -> Iterator[str]:
    """Yield the cells that may be chosen; where there are too many to remember, their number."""
    for words, names in view.choices:
        cells = [cell for cell in view.cells if cell.name in names]
        if len(cells) > _MOST_CHOICES:
            yield f"{words} {len(cells)} cells."
        else:
            yield from _name_cells(str(words), "Also on", cells)


def _describe_board(view: BoardView) -> Iterator[str]:
    """Yield the size of the board, and its free cells."""
    free = [cell for cell in view.cells if cell.piece is None and not is_closed(cell)]
    shape = "points" if view.looks == "points" else "hexagons" if view.shape == "hex" else "cells"
    thing = "points" if view.looks == "points" else "cells"
    if len(free) <= _MOST_FREE:
        for ground in sorted({cell.ground for cell in free}):
            colour = "" if ground == "plain" else f"{ground} "
            cells = [cell for cell in free if cell.ground == ground]
            things = thing if len(cells) > 1 else thing.removesuffix("s")
            yield from _name_cells(f"Free {colour}{things}:", f"Also free {colour}{thing}:", cells)
        yield from _describe_facing(view, free)
    elif len(free) < len(view.cells):
        yield f"{len(free)} of the {len(view.cells)} {thing} are free."
    across, up = (f"{names[0]} to {names[-1]}" for names in (view.columns, view.rows))
    yield f"The board has {len(view.cells)} {shape}: columns {across}, rows {up}."
    if view.shape == "hex" and (example := _describe_neighbours(view)):
        yield example


def _describe_facing(view: BoardView, free: Iterable[Cell]) -> Iterator[str]:
    """Yield, for each free cell, the numbers that the dice beside it turn towards it."""
    places = {_sort_key(cell): cell for cell in view.cells}
    for cell in sorted(free, key=_sort_key):
        shown = []
        for side, (name, (right, up)) in enumerate(zip(_SIDES, _ASIDE, strict=True)):
            other = places.get((cell.column + right, cell.row + up))
            if other and other.die and other.piece:
                shown.append(f"{name} {other.piece.name} {other.die.sides[side - 2]}")
        if shown:
            yield f"Facing {cell.name}: {', '.join(shown)}."


def _describe_neighbours(view: BoardView) -> str:
    """Return the neighbours of the first cell of a hex board that has six, as an example; nothing if none has."""
    places = {_sort_key(cell): cell for cell in view.cells}
    for _, cell in sorted(places.items()):
        found = [other.name for other in _cells_around(places, cell, _HEX)]
        if len(found) == len(_HEX):
            return f"Cells touch like this: {cell.name} touches {listed(found)}."
    return ""


def _cells_around(places: Mapping[tuple[int, int], Cell], middle: Cell, steps: Iterable[tuple[int, int]]) -> list[Cell]:
    """Return the cells that are one of ``steps`` away from ``middle``."""
    found = ((middle.column + right, middle.row + up) for right, up in steps)
    return [places[place] for place in found if place in places]


def _name_pieces(piece: Piece, count: int) -> str:
    """Return the name of a piece, in the plural for more than one."""
    return str(piece.plural if piece.plural and count > 1 else piece.name)


def _sort_key(cell: Cell) -> tuple[int, int]:
    """Return the place of a cell, to sort by: column by column, as names are sorted."""
    return cell.column, cell.row


def _cells_with(cells: Iterable[Cell], piece: Piece | None) -> list[Cell]:
    """Return those of ``cells`` that hold ``piece``."""
    return [cell for cell in cells if cell.piece == piece]


def _name_cells(first: str, further: str, cells: Sequence[Cell]) -> Iterator[str]:
    """Yield sentences that name ``cells``, as many as are needed for each to stay on one line."""
    names, opening = runs(cells), first
    while names:
        count = len(names)
        while count > 1 and len(f"{opening} {listed(names[:count])}.") > _WIDEST:
            count -= 1
        yield f"{opening} {listed(names[:count])}."
        names, opening = names[count:], further
