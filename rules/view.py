"""A board as data: text, HTML, pictures and speech are drawn from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rules.phrase import Phrase

Mark = Literal["last", "earlier", "line", "closed", "proposed", "1", "2", "3", "4", "5", "6", "7", "8", "9"]
"""``last``: touched by the latest move; ``earlier`` besides: a piece that was placed before the last one of a move that
goes on step by step. ``line``: part of a completed winning line. ``closed``: empty, but not to be played on now.
No game sets the others. ``proposed``: empty, and a partner would like it to be played on. A number: of several moves
that are new to the reader, that of the one that put the piece there."""

Tone = Literal["black", "white", "red", "blue", "yellow", "clear"]
"""The colour of a piece, as people name it."""

Form = Literal["stone", "cube", "glass", "home"]
"""The form of a piece, for pictures."""

Shape = Literal["square", "hex"]
"""How cells lie: in a square grid, or in rows each half a cell to the side of the next."""

Looks = Literal["points", "cells", "dice"]
"""Whether pieces stand on the crossings of lines, inside cells, or are dice in large cells."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A kind of piece: ``symbol`` is one printable character, ``name`` its spoken name.

    ``plural`` is the name of several, if that is another word.
    """

    key: str
    symbol: str
    name: Phrase
    tone: Tone = "black"
    form: Form = "stone"
    plural: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Chains:
    """How pieces of one kind are connected, in a game about connections.

    ``word`` is the name of connected pieces ("chain"); ``steps`` lead from one to the next, for each kind of piece by
    its key: columns and rows, there and back. ``sides``: it counts which sides of the board a chain touches.
    """

    word: Phrase
    steps: tuple[tuple[str, tuple[tuple[int, int], ...]], ...]
    sides: bool = False


@dataclass(frozen=True, slots=True)
class Die:
    """A die on the board: the number on top, and those on its north, east, south and west side."""

    top: int
    sides: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of the board; ``column`` and ``row`` count from 0, from the bottom left.

    On a hex board its middle lies at ``column`` - ``row`` / 2 from the left. ``die`` shows the numbers of a piece
    that is a die; ``ground`` is the colour of the cell itself.
    """

    name: str
    column: int
    row: int
    piece: Piece | None = None
    marks: frozenset[Mark] = frozenset()
    die: Die | None = None
    ground: Literal["plain", "light", "dark"] = "plain"


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board to draw.

    ``cells`` come in reading order (top row first, each row from the left) and name every cell once;
    ``columns`` and ``rows`` are the coordinates along the edges, from the left and from the bottom;
    ``pieces`` is the legend; ``captions`` are sentences to stand below the board that explain it;
    ``standing`` are sentences on how things stand now, each to be a line of its own: stores, scores, what was rolled.
    ``spoken`` are the captions for those who listen, if they differ. ``choices`` are cells that the seat to act may
    choose, where that is not every empty cell, behind words that they complete: "Red may place a cube on".
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...]
    captions: tuple[Phrase, ...] = ()
    looks: Looks = "points"
    shape: Shape = "square"
    standing: tuple[Phrase, ...] = ()
    spoken: tuple[Phrase, ...] | None = None
    chains: Chains | None = None
    choices: tuple[tuple[Phrase, frozenset[str]], ...] = ()


def reading_order(places: Mapping[str, tuple[int, int]]) -> list[str]:
    """Return the names of cells, given their columns and rows, as `BoardView.cells` wants them."""
    return sorted(places, key=lambda name: (-places[name][1], places[name][0]))
