"""What a player can wish for about his mail: how boards are drawn, and whether he gets any at all. Pure."""

from dataclasses import replace
from difflib import get_close_matches
from typing import Literal, get_args

from pbem.match import Match
from rules import Seat

Display = Literal["plain", "unicode", "large", "html", "speech"]
"""A way to get boards; ``html`` is the usual one."""

Wish = Display | Literal["test"]
"""What a player can write behind ``board``; ``test`` brings one of each."""

DISPLAYS: tuple[Display, ...] = get_args(Display)

MEANINGS: dict[Display, str] = {
    "plain": "plain text alone, with letters for the pieces",
    "unicode": "round stones in the text, and a coloured board where your mail program shows one",
    "large": "a coloured board with large cells and strong colours, and letters in the text",
    "html": "a coloured board where your mail program shows one, and letters in the text",
    "speech": "no drawing, but sentences to listen to: what changed, and who holds what",
}
"""What each of them brings, to follow a colon."""

_OTHER_WORDS: dict[str, Wish] = {
    "test": "test",
    "text": "plain",
    "ascii": "plain",
    "big": "large",
    "colour": "html",
    "color": "html",
    "normal": "html",
    "usual": "html",
    "default": "html",
    "spoken": "speech",
    "voice": "speech",
    "all": "test",
}


def meant(word: str) -> Wish | None:
    """Return the wish that somebody has who writes ``word``, slips of the keyboard included; None for another word."""
    known: dict[str, Wish] = {display: display for display in DISPLAYS}
    known.update(_OTHER_WORDS)
    found = get_close_matches(word.lower()[:20], known, 1, 0.75)
    return known[found[0]] if found else None


def display_of(match: Match, seat: Seat) -> Display:
    """Return how the player at ``seat`` wants boards; the usual way unless he has said otherwise."""
    wished = match.players[seat].display
    return next((display for display in DISPLAYS if display == wished), "html")


def wishing(match: Match, seat: Seat, *, display: Display | None = None, quiet: bool | None = None) -> Match:
    """Return the match with what the player at ``seat`` wishes from now on; None leaves a wish as it was."""
    player = match.players[seat]
    player = replace(
        player, display=player.display if display is None else display, quiet=player.quiet if quiet is None else quiet
    )
    following = replace(match, players=(*match.players[:seat], player, *match.players[seat + 1 :]))
    following.__dict__["position"] = match.position  # spares replaying the whole record
    return following
