"""What others have published about games, to stand beside our figures: the one place to add a figure.

A figure is of one setting of a game. ``note`` says why ours differs, if that is known; without one, a difference that
is more than chance is said to be unexplained.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rules import Value
from rules.phrase import mark


@dataclass(frozen=True, slots=True)
class Figure:
    """One published number: which ``measure`` it is (`pbem.report.measures.FIGURES`), its ``value``, and a note."""

    measure: str
    value: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class Publication:
    """Figures of a game with these ``seats`` and ``options``, all others being as usual, and their source."""

    source: str
    seats: int
    options: Mapping[str, Value]
    figures: tuple[Figure, ...]


PUBLISHED: Mapping[str, Publication] = {
    "zipline": Publication(
        mark("the designers’ report on Pippinzip, computed with Ai Ai"),
        2,
        {"size": 13},
        (
            Figure("search_length", 64.85),
            Figure("search_branching", 137.76),
            Figure("board_use", 37.69),
            Figure("response_distance", 5.71),
            Figure("random_length", 86),
            Figure("playouts_per_second", 23013),
        ),
    ),
}
"""By the key of the game."""
