"""What somebody writes above a move: what is more than a greeting, and does not lead to the move, is for the others."""

from collections.abc import Sequence
from dataclasses import replace

from pbem.commands.decision import MatchSituation
from pbem.reading.answering.text import plain_words
from pbem.reading.beside import without_lead
from pbem.reading.move_phrases import looks_like_a_move, wants_back
from pbem.reading.word_classes import load_classes

_GREETING = 3  # words
_GREETINGS = load_classes("greetings")


def with_words_above(situation: MatchSituation) -> MatchSituation:
    """Return the situation below a move: the words so far stand above it."""
    return replace(situation, above=(*situation.above, *_said(situation.words)), words=(), beside=False)


def _said(lines: Sequence[str]) -> tuple[str, ...]:
    """Return what ``lines`` above a move say to everybody: nothing of a greeting, or of what leads to the move."""
    kept = list(lines)
    while kept and not (said := without_lead(kept[-1])):
        kept.pop()
    if all((greets(line) or looks_like_a_move(line)) and not wants_back(line) for line in kept):
        return ()
    return (*kept[:-1], said)


def greets(line: str) -> bool:
    """Return whether a line above a move is empty, or a greeting, as far as its few words tell."""
    words = plain_words(line)
    first = words[0] if words else ""
    return len(words) < 2 or (len(words) <= _GREETING and (first in _GREETINGS or line.rstrip().endswith(",")))
