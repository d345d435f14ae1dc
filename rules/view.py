"""What there is to see of a position, as data: text, HTML, pictures and speech are drawn from it."""

from dataclasses import dataclass
from typing import Literal

Mark = Literal["last", "line"]
"""``last``: touched by the latest move. ``line``: part of a completed winning line."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A kind of piece: ``symbol`` is one printable character, ``name`` what one calls it aloud."""

    key: str
    symbol: str
    name: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of the board; ``column`` and ``row`` count from 0, from the bottom left."""

    name: str
    column: int
    row: int
    piece: Piece | None = None
    marks: frozenset[Mark] = frozenset()


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board to draw.

    ``cells`` come in reading order (top row first, each row from the left) and name every cell once;
    ``columns`` and ``rows`` are the coordinates along the edges, from the left and from the bottom;
    ``pieces`` is the legend; ``captions`` are sentences to stand below the board;
    ``looks`` says whether pieces stand on the crossings of lines or inside cells.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...]
    captions: tuple[str, ...] = ()
    looks: Literal["points", "cells"] = "points"
