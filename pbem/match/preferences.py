"""A player's preferences, for all their matches: how boards are drawn, which emails come, and their page. Pure."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

from pbem.match.time.digest_times import is_digest

Display = Literal["plain", "unicode", "large", "html", "speech"]
"""A way to draw boards; ``html`` is the default."""

DISPLAYS: tuple[Display, ...] = get_args(Display)


Mails = Literal["all", "turns"]
"""Which notices a player wants: of everything that happens, or only when it is their turn and when a match is over."""

PreferenceName = Literal["display", "mails", "muted", "page", "digest", "letter"]

_NO_PAGE, _NO_LETTER = "nopage", "noletter"
_DIGEST = "digest="
_BETWEEN = "-"  # the day and the time of a digest: a word has no space
_MERGED = "merged="


@dataclass(frozen=True, slots=True)
class Preferences:
    """The preferences of one player; a ``muted`` player gets no email until they ask for it again, or move.

    ``page``: the archive has a page about them. ``digest`` is when one email with all boards that wait comes instead of
    single ones, "07:30" or "mon 07:30"; "" for single ones. ``letter``: they get the Sunday letter of their contests.
    """

    display: Display = "html"
    muted: bool = False
    mails: Mails = "all"
    page: bool = True
    digest: str = ""
    letter: bool = True

    def changed(self, name: PreferenceName, value: str | bool) -> "Preferences":
        """Return the preferences with another ``value`` for the field ``name``."""
        match name:
            case "muted":
                return replace(self, muted=bool(value))
            case "mails":
                return replace(self, mails="turns" if value == "turns" else "all")
            case "page":
                return replace(self, page=bool(value))
            case "letter":
                return replace(self, letter=bool(value))
            case "digest":
                return replace(self, digest=str(value) if is_digest(str(value)) else "")
        return replace(self, display=as_display(str(value)))

    @property
    def stored(self) -> str:
        """All but whether they are muted, as the database has it: the display, and words for what is not usual."""
        digest = f"{_DIGEST}{self.digest.replace(' ', _BETWEEN)}" if self.digest else ""
        switched = ("" if self.page else _NO_PAGE, "" if self.letter else _NO_LETTER)
        words = (self.display, "" if self.mails == "all" else "turns", *switched, digest)
        return " ".join(filter(None, words))


def read_preferences(stored: str, muted: bool) -> Preferences:
    """Return the preferences that were ``stored`` like that; defaults for what is not known."""
    display, *words = str(stored).split(" ")  # whatever a damaged row holds
    mails: Mails = "turns" if "turns" in words else "all"
    digest = next((word.removeprefix(_DIGEST).replace(_BETWEEN, " ") for word in words if word.startswith(_DIGEST)), "")
    digest = digest if is_digest(digest) else ""
    return Preferences(as_display(display), muted, mails, _NO_PAGE not in words, digest, _NO_LETTER not in words)


def merged_preferences(number: int) -> str:
    """Return what is stored instead of preferences of a player who turned out to be the one with that ``number``."""
    return f"{Preferences(page=False).stored} {_MERGED}{number}"


def read_merged(stored: str) -> int | None:
    """Return the number of the player whose this one turned out to be; None for anybody else."""
    found = str(stored).rpartition(" ")[2]
    number = found.removeprefix(_MERGED)
    return int(number) if found != number and number.isascii() and number.isdigit() else None


def as_display(stored: str) -> Display:
    """Return the display with this name; the default for any other text."""
    return next((display for display in DISPLAYS if display == stored), "html")
