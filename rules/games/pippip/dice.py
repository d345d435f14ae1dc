"""The dice and the chessboard of Pip•Pip: how a die can stand, which neighbours it takes over, what it scores."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rules.notation import cell_name
from rules.phrase import Phrase, phrase
from rules.view import BoardView, Cell, Die, Piece, reading_order

RINGS = {1: (5, 3, 2, 4), 2: (1, 3, 6, 4), 3: (1, 5, 6, 2), 4: (1, 2, 6, 5), 5: (1, 4, 6, 3), 6: (2, 3, 5, 4)}
"""The sides of a die by the number on top, clockwise as seen from above."""

DICE = {
    top: {
        north: Die(top, (north, ring[turned - 3], ring[turned - 2], ring[turned - 1]))
        for turned, north in enumerate(ring)
    }
    for top, ring in RINGS.items()
}
"""The die with a number on top and a number facing north: all 24 ways in which it can stand."""

LIGHT = Piece(key="light", symbol="L", name=phrase("Light"), tone="white")
DARK = Piece(key="dark", symbol="D", name=phrase("Dark"), tone="black")

_COLUMNS, _ROWS = tuple("abcd"), tuple("1234")
_PLACES = tuple((column, row) for row in range(len(_ROWS)) for column in range(len(_COLUMNS)))

CELLS = tuple(cell_name(column, row) for column, row in _PLACES)
"""The cells, row by row from a1; a board has its dice in the same order."""

NUMBERS = {name: number for number, name in enumerate(CELLS)}
"""The place of each cell in that order."""

ON_LIGHT = tuple((column + row) % 2 == 1 for column, row in _PLACES)
"""Whether a cell is light, by its number."""

_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
BESIDE = tuple(
    tuple(
        (_PLACES.index((column + right, row + up)), side)
        for side, (right, up) in enumerate(_STEPS)
        if (column + right, row + up) in _PLACES
    )
    for column, row in _PLACES
)
"""The neighbours of a cell, by its number, each with the side that faces it: 0 north, 1 east, 2 south, 3 west."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A die on the board and its colour, which is its owner's."""

    light: bool
    die: Die


Board = Sequence[Standing | None]
"""What stands on each cell, in the order of CELLS."""


def taken(board: Board, light: bool, cell: int, die: Die) -> list[tuple[int, Die]]:
    """Return the cells, with their dice, that ``die`` of one colour takes over when it is placed on ``cell``."""
    return [
        (other, stood.die)
        for other, side in BESIDE[cell]
        if (stood := board[other]) and stood.light != light and die.sides[side] > stood.die.sides[(side + 2) % 4]
    ]


class Worth(NamedTuple):
    """What a placement is worth, and how the die stands: ``gain`` is what the score gains at once."""

    gain: int
    scores: bool
    defence: int
    cell: int
    north: int


def ranked(board: Board, light: bool, top: int, cells: Collection[int] = ()) -> list[Worth]:
    """Return the ways in which a die with ``top`` can be placed, the best first.

    Without ``cells``, which are empty ones, it is the best way on each empty cell.
    """
    if cells:
        found = sorted((worth for cell in cells for worth in _worths(board, light, cell, top)), reverse=True)
    else:
        free = [cell for cell, stood in enumerate(board) if not stood]
        found = sorted((max(_worths(board, light, cell, top)) for cell in free), reverse=True)
    return [Worth(*worth) for worth in found]


def best(board: Board, light: bool, top: int) -> Worth:
    """Return the placement of a die with ``top`` that gains most in the score."""
    free = [cell for cell, stood in enumerate(board) if not stood]
    return Worth(*max(worth for cell in free for worth in _worths(board, light, cell, top)))


def _worths(board: Board, light: bool, cell: int, top: int) -> Iterator[tuple[int, bool, int, int, int]]:
    """Yield, for each way in which a die with ``top`` can stand on ``cell``, the parts of its `Worth`.

    A die taken over is lost to one side or won for the other, whichever cell it stands on, so each gains its top.
    """
    scores, beside = ON_LIGHT[cell] == light, [(side, board[other]) for other, side in BESIDE[cell]]
    foes = [
        (side, stood.die.sides[(side + 2) % 4], stood.die.top)
        for side, stood in beside
        if stood and stood.light != light
    ]
    bare = [side for side, stood in beside if not stood]
    for north, die in DICE[top].items():
        gain, defence = top * scores, 0
        for side, weaker, its in foes:
            if die.sides[side] > weaker:
                gain += its
        for side in bare:
            defence += die.sides[side]
        yield gain, scores, defence, cell, north


def score(board: Board) -> tuple[int, int]:
    """Return what Light and Dark score: the tops of their dice on cells of their own colour."""
    tops = [
        (stood.light, stood.die.top) for stood, on in zip(board, ON_LIGHT, strict=True) if stood and stood.light == on
    ]
    return sum(top for light, top in tops if light), sum(top for light, top in tops if not light)


def board_view(
    board: Board, latest: Collection[str], *, captions: tuple[Phrase, ...], standing: tuple[Phrase, ...]
) -> BoardView:
    """Return the view of ``board``; the dice on ``latest`` are marked."""
    cells = []
    for name in reading_order(dict(zip(CELLS, _PLACES, strict=True))):
        number = NUMBERS[name]
        stood = board[number]
        cells.append(
            Cell(
                name,
                *_PLACES[number],
                piece=(LIGHT if stood.light else DARK) if stood else None,
                marks=frozenset({"last"} if name in latest else ()),
                die=stood.die if stood else None,
                ground="light" if ON_LIGHT[number] else "dark",
            )
        )
    return BoardView(
        _COLUMNS,
        _ROWS,
        tuple(cells),
        (LIGHT, DARK),
        captions=captions,
        looks="dice",
        standing=standing,
    )
