"""What others have published about games, to stand beside our figures: the one place to add a figure.

A figure is of one setting of a game. A note says why ours may differ, or what is not known of that; the page shows it
unless the figures agree.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.game import Value
from rules.phrase import mark


@dataclass(frozen=True, slots=True)
class Known:
    """One published figure: its ``value`` with its interval of 95 %, if it has one, or what it says in other ways."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    text: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Publication:
    """Figures of a game with these ``seats`` and ``options``, all others being as usual, and their source.

    The ``figures`` have the keys of `pbem.report.comparing.FIGURES`.
    """

    source: str
    seats: int
    options: Mapping[str, Value]
    figures: Mapping[str, Known]


_MACHINE = mark("Another machine and another program.")
_LENGTH = mark("Length hangs on how long players think; “Length and thinking time” shows how.")
_FOLLOWS = mark("It follows from the length: each step fills a cell, and leaves one choice less.")
_TAKERS = mark(
    "Where whoever takes wins nearly every game, this says who happens to take, and nothing about the sides."
)
_ONE_GAME = mark("Each figure is of one game alone, so chance decides.")
_SETTING = mark("How the published players searched is known in part only.")
_EFFECTIVE = mark(
    "The longer the search, the more steps are nearly as good as the best. How long the published one looked "
    "isn’t known."
)
_CODE = mark("Another program, in another language.")
_PERFT = mark("Counted as boards of stones alone, with “take” allowed at once.")

_ZIPLINE: Mapping[str, Known] = {
    "games": Known(1000),
    "representative": Known(text="64 steps"),
    "rules": Known(text="in full"),
    "code_bytes": Known(28692, note=_CODE),
    "code_reference": Known(10293, note=_CODE),
    "code_ratio": Known(2.79, note=_CODE),
    "playouts": Known(18698, note=_MACHINE),
    "reference_playouts": Known(1503986, note=_MACHINE),
    "speed_ratio": Known(80.43, note=_MACHINE),
    "random_rate": Known(23013, text="23,013 ± 93", note=_MACHINE),
    "random_nodes": Known(1974873, text="1,974,873 ± 7,454", note=_MACHINE),
    "flat_rate": Known(22525, text="22,525 ± 513", note=_MACHINE),
    "tree_rate": Known(22503, text="22,503 ± 235", note=_MACHINE),
    "random_length": Known(86, text="86 ± 26"),
    "flat_length": Known(73, text="73 ± 10", note=_SETTING),
    "tree_length": Known(78, text="78 ± 10", note=_SETTING),
    "length": Known(64.85, note=_LENGTH),
    "length_mode": Known(text="64", note=_LENGTH),
    "length_median": Known(64, note=_LENGTH),
    "branching": Known(137.76, note=_FOLLOWS),
    "complexity": Known(138.24, note=_FOLLOWS),
    "distinct": Known(171),
    "better": Known(79, note=_SETTING),
    "worse": Known(92, note=_SETTING),
    "perft_0": Known(1, note=_PERFT),
    "perft_1": Known(170, note=_PERFT),
    "perft_2": Known(14535, note=_PERFT),
    "perft_3": Known(818663, note=_PERFT),
    "solutions": Known(0, note=_PERFT),
    "first_wins": Known(50.40, 47.31, 53.49, note=_TAKERS),
    "second_wins": Known(49.60, 46.51, 52.69, note=_TAKERS),
    "draws": Known(0),
    "decisive": Known(100),
    "placed": Known(text="about 36", note=mark("Worked out from the published representative game.")),
    "mirror": Known(0),
    "across": Known(0),
    "upside": Known(0),
    "copy": Known(0),
    "middle": Known(0),
    "ladder_3_0": Known(66.35, 63.29, 69.28, note=_SETTING),
    "ladder_3_0_first": Known(51.00, note=_SETTING),
    "ladder_3_0_length": Known(84.35, note=_SETTING),
    "ladder_70_3": Known(57.50, 54.41, 60.53, note=_SETTING),
    "ladder_70_3_first": Known(51.10, note=_SETTING),
    "ladder_70_3_length": Known(83.23, note=_SETTING),
    "ladder_70_70": Known(50.80, 47.70, 53.89, note=_SETTING),
    "ladder_70_70_first": Known(50.20, note=_SETTING),
    "ladder_70_70_length": Known(82.95, note=_SETTING),
    "response": Known(5.71, note=_SETTING),
    "board_use": Known(37.69, note=_FOLLOWS),
    "lead_changes": Known(
        18, note=mark("The published figure is of one game. Ours is a mean of many, which differ by far more.")
    ),
    "critical": Known(1, note=_ONE_GAME),
    "effective_all_percent": Known(52.78, note=_EFFECTIVE),
    "effective_first_percent": Known(42.77, note=_EFFECTIVE),
    "effective_second_percent": Known(60.57, note=_EFFECTIVE),
    "effective_all_number": Known(75.52, note=_EFFECTIVE),
    "effective_first_number": Known(66.00, note=_EFFECTIVE),
    "effective_second_number": Known(82.92, note=_EFFECTIVE),
    "effective_all_space": Known(73.83, note=_EFFECTIVE),
    "effective_first_space": Known(27.00, note=_EFFECTIVE),
    "effective_second_space": Known(46.83, note=_EFFECTIVE),
    "good_all_percent": Known(52.88, note=_ONE_GAME),
    "good_first_percent": Known(78.26, note=_ONE_GAME),
    "good_second_percent": Known(33.13, note=_ONE_GAME),
    "good_all_number": Known(75.83, note=_ONE_GAME),
    "good_first_number": Known(108.79, note=_ONE_GAME),
    "good_second_number": Known(50.19, note=_ONE_GAME),
    "good_all_space": Known(73.14, note=_ONE_GAME),
    "good_first_space": Known(47.02, note=_ONE_GAME),
    "good_second_space": Known(26.12, note=_ONE_GAME),
    "hot": Known(71.88, note=_ONE_GAME),
    "momentum": Known(34.38, note=_ONE_GAME),
    "correction": Known(43.75, note=_ONE_GAME),
    "depth": Known(5.71, note=_ONE_GAME),
    "drama": Known(0, note=_ONE_GAME),
    "foulup": Known(51.56, note=_ONE_GAME),
    "surprising": Known(0, note=_ONE_GAME),
    "last_lead_change": Known(57.81, note=_ONE_GAME),
    "decisiveness": Known(3.12, note=_ONE_GAME),
    **dict.fromkeys(
        (
            "lengths",
            "choices_by_step",
            "new_positions",
            "ladder_chart",
            "heat",
            "material",
            "kinds",
            "best_values",
            "temperature",
            "opening_map",
        ),
        Known(text="chart"),
    ),
}

PUBLISHED: Mapping[str, Publication] = {
    "zipline": Publication(mark("the designers’ report on Pippinzip, computed with Ai Ai"), 2, {"size": 13}, _ZIPLINE)
}
"""By the key of the game."""
