"""The colours of boards and pieces; every ink is legible on its ground, in daylight as in dark mode."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rules.view import Tone

Shade = tuple[str, str]
"""A ground, and the ink on it."""

BOARD: Shade = ("#edb", "#542")

TONES: dict[Tone, Shade] = {
    "black": ("#222", "#fff"),
    "white": ("#fff", "#111"),
    "red": ("#b3202a", "#fff"),
    "blue": ("#14549c", "#fff"),
    "yellow": ("#ffd21f", "#111"),
    "clear": ("#d5f0f2", "#111"),
}

GROUNDS: dict[Literal["plain", "light", "dark"], Shade] = {
    "plain": BOARD,
    "light": ("#f6e8c8", "#542"),
    "dark": ("#8a5a33", "#fff"),
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
        "red": ("#98121b", "#fff"),
        "blue": ("#0b3f7c", "#fff"),
        "yellow": ("#ffd21f", "#000"),
        "clear": ("#d5f0f2", "#000"),
    },
    {"plain": ("#fff3d6", "#000"), "light": ("#fff3d6", "#000"), "dark": ("#5a3413", "#fff")},
)
"""For large boards: every ink differs from its ground by 7 to 1 at least."""
