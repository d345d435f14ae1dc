"""A player's preferences about email, for all their matches: how boards are drawn, and which come. Pure."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

Display = Literal["plain", "unicode", "large", "html", "speech"]
"""A way to draw boards; ``html`` is the default."""

DISPLAYS: tuple[Display, ...] = get_args(Display)


Mails = Literal["all", "turns"]
"""Which notices a player wants: of everything that happens, or only when it is their turn and when a match is over."""

PreferenceName = Literal["display", "mails", "muted"]


@dataclass(frozen=True, slots=True)
class Preferences:
    """The preferences of one player; a ``muted`` player gets no email until they ask for it again, or move."""

    display: Display = "html"
    muted: bool = False
    mails: Mails = "all"

    def changed(self, name: PreferenceName, value: str | bool) -> "Preferences":
        """Return the preferences with another ``value`` for the field ``name``."""
        match name:
            case "muted":
                return replace(self, muted=bool(value))
            case "mails":
                return replace(self, mails="turns" if value == "turns" else "all")
        return replace(self, display=as_display(str(value)))

    @property
    def stored(self) -> str:
        """How emails are to be, in the words of the database: the display, and ``turns`` behind it."""
        return self.display if self.mails == "all" else f"{self.display} turns"


def read_preferences(stored: str, muted: bool) -> Preferences:
    """Return the preferences that were ``stored`` like that; defaults for what is not known."""
    display, _, mails = str(stored).partition(" ")  # whatever a damaged row holds
    return Preferences(as_display(display), muted, "turns" if mails == "turns" else "all")


def as_display(stored: str) -> Display:
    """Return the display with this name; the default for any other text."""
    return next((display for display in DISPLAYS if display == stored), "html")
