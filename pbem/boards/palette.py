"""The colours of boards and pieces; every ink is legible on its ground, in daylight as in dark mode."""

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
