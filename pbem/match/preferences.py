"""What a player prefers about email, in all their matches: how boards are drawn, and whether any is sent. Pure."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

Display = Literal["plain", "unicode", "large", "html", "speech"]
"""A way to draw boards; ``html`` is the usual one."""

DISPLAYS: tuple[Display, ...] = get_args(Display)

DISPLAY_MEANINGS: dict[Display, str] = {
    "plain": "plain text alone, with letters for the pieces",
    "unicode": "round stones in the text, and a coloured board where your mail program shows one",
    "large": "a coloured board with large cells and strong colours, and letters in the text",
    "html": "a coloured board where your mail program shows one, and letters in the text",
    "speech": "no drawing, but sentences to listen to: what changed, and who holds what",
}
"""What each display brings, worded to follow a colon."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """How one player wants email; ``muted`` players get none until they write again."""

    display: Display = "html"
    muted: bool = False

    def changed(self, name: Literal["display", "muted"], value: str | bool) -> "Preferences":
        """Return them with another ``value`` for the field ``name``."""
        return replace(self, muted=bool(value)) if name == "muted" else replace(self, display=as_display(str(value)))


def as_display(stored: str) -> Display:
    """Return the display of that name; the usual one for any other text."""
    return next((display for display in DISPLAYS if display == stored), "html")
