"""The colours of boards and pieces; every ink is legible on its ground, in daylight as in dark mode."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rules.view import Tone

Shade = tuple[str, str]
"""A ground, and the ink on it."""

BOARD: Shade = ("#edb", "#542")

CELL: Shade = ("#f7efdc", "#6b5a3a")
"""An empty cell, and its name."""

GRID = "#857146"
"""Lines, and the dots that stand in for them."""

RING = "#d9261c"
"""Round what the last move touched."""

SIGNS = {"●": "#333", "○": "#767676", "◆": "#999", "◇": "#767676"}
SIGNS |= dict.fromkeys("❶❷❸❹❺❻❼❽❾", "#999") | dict.fromkeys("①②③④⑤⑥⑦⑧⑨", "#767676")
"""The inks of the signs of stones. That of a solid one hardly shows on black, unless a program turns it over; others
show on white and on black, so that they outlast whichever of ink and ground is turned over alone."""

RIM = "#666"
"""Round what is white, so that it stands out against the board."""

TONES: dict[Tone, Shade] = {
    "black": ("#222", "#fff"),
    "white": ("#fff", "#111"),
    "red": ("#8c1526", "#fff"),
    "blue": ("#14549c", "#fff"),
    "yellow": ("#ffdf55", "#111"),
    "clear": ("#d5f0f2", "#14549c"),
}

GROUNDS: dict[Literal["plain", "light", "dark"], Shade] = {
    "plain": CELL,
    "light": ("#f6e8c8", "#6b5a3a"),
    "dark": ("#c99f63", "#3a2a12"),
}


@dataclass(frozen=True, eq=False)
class Palette:
    """The shades of a board in HTML: of the table itself, of pieces by their tone, of cells by their ground."""

    board: Shade
    tones: Mapping[Tone, Shade]
    grounds: Mapping[Literal["plain", "light", "dark"], Shade]


USUAL = Palette(BOARD, TONES, GROUNDS)

STRONG = Palette(
    ("#fff3d6", "#000"),
    {
        "black": ("#000", "#fff"),
        "white": ("#fff", "#000"),
        "red": ("#8c1526", "#fff"),
        "blue": ("#0b3f7c", "#fff"),
        "yellow": ("#ffdf55", "#000"),
        "clear": ("#d5f0f2", "#000"),
    },
    {"plain": ("#fffaf0", "#000"), "light": ("#fff3d6", "#000"), "dark": ("#d3a869", "#000")},
)
"""For large boards: every ink differs from its ground by 7 to 1 at least."""
