"""Boards as sentences to listen to: what moved, how things stand, who holds what, which cells can be chosen. Pure."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pbem.boards.geometry import find_chains
from pbem.boards.signs import NUMBERS, is_closed, is_proposed
from pbem.notices.sentences import boards as sentences
from pbem.notices.sentences.boards import Sentences
from rules.phrase import ENGLISH, Language, Phrase, listed
from rules.view import BoardView, Cell, Chains, Piece

_WIDEST = 64  # columns of a sentence: each stands on one line of an email
_SHORTEST_RUN = 3
_MOST_FREE = 24  # free cells that are named; more are counted
_MOST_CHOICES = 40  # cells to choose from that are named: they matter more than free ones
_MOST_TOUCHED = 3  # cells of a move whose surroundings are described

_HEX = ((-1, -1), (-1, 0), (0, -1), (0, 1), (1, 0), (1, 1))
_SQUARE = (*_HEX, (-1, 1), (1, -1))
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


def spoken_board(view: BoardView, language: Language = ENGLISH) -> Spoken:
    """Return the board in words."""

    def say(phrases: Iterable[Phrase]) -> tuple[str, ...]:
        return tuple([sentences.capital(phrase.said(language)) for phrase in phrases])

    closed = [cell for cell in view.cells if is_closed(cell)]
    return Spoken(
        say(_describe_changes(view, language)),
        say(_describe_surroundings(view, language)),
        say(view.standing),
        say(_describe_pieces(view, language)) or say([sentences.tell_nothing()]),
        say(_name_cells(sentences.tell_closed(), closed, language)),
        say(_describe_choices(view, language)),
        say(_describe_board(view, language)),
        say(view.captions if view.spoken is None else view.spoken),
    )


def runs(cells: Iterable[Cell]) -> list[str | Phrase]:
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
    return [run[0].name if len(run) == 1 else sentences.name_run(run[0].name, run[-1].name) for run in found]


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


def _describe_changes(view: BoardView, language: Language) -> Iterator[Phrase]:
    """Yield the cells of the latest move, and the winning line."""
    for number in NUMBERS:
        new = [cell for cell in view.cells if number in cell.marks and "last" not in cell.marks]
        for piece in view.pieces if new else ():
            mine = _cells_with(new, piece)
            yield from _name_cells(sentences.tell_numbered(_name_pieces(piece, len(mine)), number), mine, language)
    touched = [cell for cell in view.cells if "last" in cell.marks]
    for piece in view.pieces:
        mine = _cells_with(touched, piece)
        yield from _name_cells(sentences.tell_last(_name_pieces(piece, len(mine))), mine, language)
    yield from _name_cells(sentences.tell_emptied(), _cells_with(touched, None), language)
    yield from _name_cells(sentences.tell_proposed(), list(filter(is_proposed, view.cells)), language)
    yield from _name_cells(sentences.tell_line(), [cell for cell in view.cells if "line" in cell.marks], language)


def _describe_surroundings(view: BoardView, language: Language) -> Iterator[Phrase]:
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
            yield from _name_cells(sentences.tell_beside(middle.name, piece.name), _cells_with(found, piece), language)
        empty = _cells_with(found, None)
        open_cells = [cell for cell in empty if not is_closed(cell)]
        yield from _name_cells(sentences.tell_beside(middle.name, "free"), open_cells, language)
        closed = [cell for cell in empty if is_closed(cell)]
        yield from _name_cells(sentences.tell_beside(middle.name, "closed"), closed, language)


def _describe_pieces(view: BoardView, language: Language) -> Iterator[Phrase]:
    """Yield who holds what, holder by holder, which means colour by colour."""
    tones = [piece.tone for piece in view.pieces]
    for piece in sorted(view.pieces, key=lambda piece: tones.index(piece.tone)):
        mine = _cells_with(view.cells, piece)
        name = _name_pieces(piece, len(mine))
        if any(cell.die for cell in mine):
            yield sentences.tell_dice(name, len(mine))
            yield from (sentences.tell_die(name, cell) for cell in sorted(mine, key=_sort_key))
        elif view.chains and mine:
            yield from _describe_chains(view, name, view.chains, mine, language)
        elif piece.form == "stone":
            yield from _name_cells(sentences.tell_stones(name), mine, language)
        else:
            several = piece.plural is not None and name == piece.plural != piece.name
            yield from _name_cells(sentences.tell_pieces(name, several=several), mine, language)


def _describe_chains(
    view: BoardView, name: Phrase, chains: Chains, mine: Sequence[Cell], language: Language
) -> Iterator[Phrase]:
    """Yield the chains of the stones ``mine``, all of one kind, the longest first, then the single stones."""
    steps = dict(chains.steps)[mine[0].piece.key if mine[0].piece else ""]
    found = sorted(find_chains(mine, steps), key=len, reverse=True)
    if 1 < len(found) < len(mine):
        yield sentences.tell_chains(chains.word, name, len(mine), len(found))
    for chain in found:
        if len(chain) > 1:
            yield from _name_cells(sentences.tell_chain(chains.word, name, len(chain)), chain, language)
            if chains.sides and (sides := _touched_sides(view, chain)):
                yield sentences.tell_sides(chains.word, sides)
    alone = [cell for chain in found if len(chain) == 1 for cell in chain]
    told = sentences.tell_stones(name) if len(alone) == len(mine) else sentences.tell_singles(name, len(alone))
    yield from _name_cells(told, alone, language)


def _touched_sides(view: BoardView, chain: Iterable[Cell]) -> list[str]:
    """Return the sides of the board that a chain touches."""
    columns, rows = {cell.column for cell in chain}, {cell.row for cell in chain}
    right, top = len(view.columns) - 1, len(view.rows) - 1
    touched = {"left": 0 in columns, "right": right in columns, "bottom": 0 in rows, "top": top in rows}
    return [side for side, holds in touched.items() if holds]


def _describe_choices(view: BoardView, language: Language) -> Iterator[Phrase]:
    """Yield the cells that may be chosen; where there are too many to remember, their number."""
    for words, names in view.choices:
        cells = [cell for cell in view.cells if cell.name in names]
        if len(cells) > _MOST_CHOICES:
            yield sentences.count_choices(words, len(cells))
        else:
            yield from _name_cells(sentences.tell_choices(words), cells, language)


def _describe_board(view: BoardView, language: Language) -> Iterator[Phrase]:
    """Yield the size of the board, and its free cells."""
    free = [cell for cell in view.cells if cell.piece is None and not is_closed(cell)]
    if len(free) <= _MOST_FREE:
        for ground in sorted({cell.ground for cell in free}):
            cells = [cell for cell in free if cell.ground == ground]
            yield from _name_cells(sentences.tell_free(view, ground, len(cells)), cells, language)
        yield from _describe_facing(view, free)
    elif len(free) < len(view.cells):
        yield sentences.count_free(view, len(free))
    yield sentences.tell_size(view)
    if view.shape == "hex":
        yield from _describe_neighbours(view)


def _describe_facing(view: BoardView, free: Iterable[Cell]) -> Iterator[Phrase]:
    """Yield, for each free cell, the numbers that the dice beside it turn towards it."""
    places = {_sort_key(cell): cell for cell in view.cells}
    for cell in sorted(free, key=_sort_key):
        shown = []
        for side, (right, up) in enumerate(_ASIDE):
            other = places.get((cell.column + right, cell.row + up))
            if other and other.die and other.piece:
                shown.append((side, other.piece.name, other.die.sides[side - 2]))
        if shown:
            yield sentences.tell_facing(cell.name, shown)


def _describe_neighbours(view: BoardView) -> Iterator[Phrase]:
    """Yield the neighbours of the first cell of a hex board that has six, as an example."""
    places = {_sort_key(cell): cell for cell in view.cells}
    for _, cell in sorted(places.items()):
        found = [other.name for other in _cells_around(places, cell, _HEX)]
        if len(found) == len(_HEX):
            yield sentences.tell_neighbours(cell.name, found)
            return


def _cells_around(places: Mapping[tuple[int, int], Cell], middle: Cell, steps: Iterable[tuple[int, int]]) -> list[Cell]:
    """Return the cells that are one of ``steps`` away from ``middle``."""
    found = ((middle.column + right, middle.row + up) for right, up in steps)
    return [places[place] for place in found if place in places]


def _name_pieces(piece: Piece, count: int) -> Phrase:
    """Return the name of a piece, in the plural for more than one."""
    return piece.plural if piece.plural and count > 1 else piece.name


def _sort_key(cell: Cell) -> tuple[int, int]:
    """Return the place of a cell, to sort by: column by column, as names are sorted."""
    return cell.column, cell.row


def _cells_with(cells: Iterable[Cell], piece: Piece | None) -> list[Cell]:
    """Return those of ``cells`` that hold ``piece``."""
    return [cell for cell in cells if cell.piece == piece]


def _name_cells(told: Sentences, cells: Sequence[Cell], language: Language) -> Iterator[Phrase]:
    """Yield sentences that name ``cells``, as many as are needed for each to stay on one line."""
    names, (sentence, further) = runs(cells), told
    while names:
        count = len(names)
        while count > 1 and len(sentence.about(cells=listed(names[:count])).said(language)) > _WIDEST:
            count -= 1
        yield sentence.about(cells=listed(names[:count]))
        names, sentence = names[count:], further
