"""What the texts of several games have in common: paragraphs, lists, shared sentences, versions for listeners."""

import re
from collections.abc import Iterable

from rules.phrase import Event, Phrase, phrase, quote, verbatim
from rules.phrase import listed as listed_names

_FOR_EYES = re.compile(r"⟦([^|⟧]*)(?:\|([^⟧]*))?⟧")

ORDER_BY_LOT = """
    Turns go round in the order in which the match was opened. With the option order at lot, a lot decides
    that order before anything else; seat 1 is then whoever comes first.
"""
"""A paragraph of the rules of games that do not roll the order of turns themselves."""


ORDER_ROLLED = phrase(
    "Players take turns in the order in which the match was opened. With the option order set to lot, a roll decides "
    "that order before anything else; seat 1 is then whoever goes first."
)
"""The same paragraph, to be said in any language."""


def designed_by(title: str, designers: Iterable[str]) -> Phrase:
    """Return who has made a game, as the last paragraph of its rules."""
    return phrase("{title} was designed by {designers}.", title=title, designers=listed_names(designers))


def left_story(winner: int, word: str) -> Event:
    """Return how the seat ``winner`` won because the other one left with ``word``, one of EXIT_WORDS."""
    if word == "resign":
        return Event(winner, phrase("Your opponent resigned."), phrase("The match ended by resignation."))
    return Event(winner, phrase("Your opponent ran out of time."), phrase("The match ended because time ran out."))


def paragraphs(text: str) -> str:
    """Return ``text`` with one line for each paragraph, and an empty line between two."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))


def verbatim_paragraphs(text: str) -> tuple[Phrase, ...]:
    """Return the paragraphs of ``text``."""
    return tuple(map(verbatim, text.split("\n\n")))


def visual(text: str) -> str:
    """Return a text for those who see the board: of ``⟦shown as X⟧`` and ``⟦visual|spoken⟧`` the first part."""
    return _FOR_EYES.sub(r"\1", text)


def spoken(text: str) -> str:
    """Return the same text for those who listen, without the signs of a drawn board."""
    return _FOR_EYES.sub(lambda found: found[2] or "", text)


def listed(words: Iterable[object], last: str = "and") -> str:
    """Return ``a``, ``a and b`` or ``a, b and c``; nothing for no words."""
    *most, final = [str(word) for word in words] or [""]
    return f"{', '.join(most)} {last} {final}" if most else final


def choice(moves: Iterable[str]) -> str:
    """Return moves in quotation marks, of which one is to be written."""
    return listed(map(quote, moves), "or")


def credit(title: str, designers: Iterable[str]) -> str:
    """Return who has made a game, as the last paragraph of its rules."""
    return f"{title} is a game by {listed(designers)}."


def left_last(word: str, who: str = "the other side") -> str:
    """Return why a match ended when ``who`` left with ``word``, one of EXIT_WORDS."""
    return f"{who} {'resigned' if word == 'resign' else 'ran out of time'}"


def within(word: str, text: str) -> str:
    """Return where ``word`` stands, to follow it in a sentence: nothing if it is the whole of ``text``."""
    return "" if word == text.strip().lower() else f", in {quote(text)},"
