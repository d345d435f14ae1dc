"""What the texts of several games have in common: shared paragraphs of the rules, endings, and lists."""

from collections.abc import Iterable

from rules.phrase import Event, Phrase, phrase
from rules.phrase import listed as listed_names

ORDER_ROLLED = phrase(
    "Players take turns in the order in which they were named when the match was opened. If it was opened with the"
    " option order=lot, a roll decides that order before anything else."
)
"""A paragraph of the rules of games that do not roll the order of turns themselves."""


def designed_by(title: str, designers: Iterable[str]) -> Phrase:
    """Return who has made a game, as the last paragraph of its rules."""
    return phrase("{title} was designed by {designers}.", title=title, designers=listed_names(designers))


def left_story(winner: int, word: str) -> Event:
    """Return how the seat ``winner`` won because the other one left with ``word``, one of EXIT_WORDS."""
    if word == "resign":
        return Event(winner, phrase("Your opponent resigned."), phrase("The match ended by resignation."))
    return Event(winner, phrase("Your opponent ran out of time."), phrase("The match ended because time ran out."))


def listed(words: Iterable[object], last: str = "and") -> str:
    """Return ``a``, ``a and b`` or ``a, b and c``; nothing for no words."""
    *most, final = [str(word) for word in words] or [""]
    return f"{', '.join(most)} {last} {final}" if most else final


def left_last(word: str, who: str = "the other side") -> str:
    """Return why a match ended when ``who`` left with ``word``, one of EXIT_WORDS."""
    return f"{who} {'resigned' if word == 'resign' else 'ran out of time'}"
