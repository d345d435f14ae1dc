"""What others have published about games, to stand beside our figures: the one place to add a figure.

A figure is of one setting of a game. ``note`` says why ours may differ, or what is not known of that; the page shows it
unless the figure lies in our interval. Without one, a difference that is more than chance is said to be unexplained.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.game import Value
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
            Figure(
                "search_length",
                64.85,
                mark(
                    "Unexplained: our search has hints of its own, and rates the auction otherwise; which of them does "
                    "it was not tried."
                ),
            ),
            Figure(
                "search_branching",
                137.76,
                mark(
                    "It goes with the length: each stone leaves one choice less, so that two steps more in a game are "
                    "one choice less in the mean."
                ),
            ),
            Figure(
                "board_use",
                37.69,
                mark("It goes with the length: nearly every step fills a cell, and ten of them are six of 100."),
            ),
            Figure(
                "response_distance",
                5.71,
                mark(
                    "Unexplained: our search has hints of its own, and how the published figure counts moves of two "
                    "stones is not known here."
                ),
            ),
            Figure("random_length", 86),
            Figure("playouts_per_second", 23013, mark("Another machine and another program.")),
        ),
    ),
}
"""By the key of the game."""
