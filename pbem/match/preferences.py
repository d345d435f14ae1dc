"""A player's preferences about email, for all their matches: the display of boards, and muting. Pure."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

Display = Literal["plain", "unicode", "large", "html", "speech"]
"""A way to draw boards; ``html`` is the default."""

DISPLAYS: tuple[Display, ...] = get_args(Display)

DISPLAY_MEANINGS: dict[Display, str] = {
    "plain": "plain text alone, with letters for the pieces",
    "unicode": "round stones in the text, and a coloured board where your mail program shows one",
    "large": "a coloured board with large cells and strong colours, and letters in the text",
    "html": "a coloured board where your mail program shows one, and letters in the text",
    "speech": "no drawing, but sentences to listen to: what changed, and who holds what",
}
"""A description of each display, worded to follow a colon."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """The preferences of one player; a ``muted`` player gets no email until they write again."""

    display: Display = "html"
    muted: bool = False

    def changed(self, name: Literal["display", "muted"], value: str | bool) -> "Preferences":
        """Return the preferences with another ``value`` for the field ``name``."""
        return replace(self, muted=bool(value)) if name == "muted" else replace(self, display=as_display(str(value)))


def as_display(stored: str) -> Display:
    """Return the display with this name; the default for any other text."""
    return next((display for display in DISPLAYS if display == stored), "html")
