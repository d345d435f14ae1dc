"""What somebody writes above a move: what is more than a greeting, and does not lead to the move, is for the others."""

import re
from collections.abc import Sequence
from dataclasses import replace

from pbem.commands.decision import MatchSituation
from pbem.reading.answering.text import plain_words
from pbem.reading.clauses import GAME_NOUNS, LONGEST_LINE, read_line
from pbem.reading.move_phrases import looks_like_a_move
from pbem.reading.word_classes import load_classes

_GREETING = 3  # words
_LONGEST_LEAD, _LONGEST_LABEL = 5, 12  # words
_MOST_OF_LABEL = 2  # words that say something, in what ends in a colon
_GREETINGS = load_classes("greetings")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+")


def with_words_above(situation: MatchSituation) -> MatchSituation:
    """Return the situation below a move: the words so far stand above it."""
    return replace(situation, above=(*situation.above, *_said(situation.words)), words=(), beside=False)


def _said(lines: Sequence[str]) -> tuple[str, ...]:
    """Return what ``lines`` above a move say to everybody: nothing of a greeting, or of what leads to the move."""
    kept = list(lines)
    while kept and not (said := _without_lead(kept[-1])):
        kept.pop()
    if not kept or all(greets(line) or looks_like_a_move(line) for line in kept):
        return ()
    return (*kept[:-1], said)


def greets(line: str) -> bool:
    """Return whether a line above a move is empty, or a greeting, as far as its few words tell."""
    words = plain_words(line)
    first = words[0] if words else ""
    return len(words) < 2 or (len(words) <= _GREETING and (first in _GREETINGS or line.rstrip().endswith(",")))


def _without_lead(line: str) -> str:
    """Return the sentences of a line above a move, but for those at its end that lead to it: ``Nice! My move is``."""
    if len(line) > LONGEST_LINE:
        return line
    sentences = _SENTENCE.split(line.strip())
    while sentences and _leads_on(sentences[-1]):
        sentences.pop()
    return " ".join(sentences)


def _leads_on(sentence: str) -> bool:
    """Return whether a sentence is a label of the move below it, or announces it, and says nothing besides."""
    bare, words = sentence.rstrip(" *_"), set(plain_words(sentence))
    is_label, ends = bare.endswith((":", "：")), bare.endswith((".", "!", "?", "…"))
    if len(words) > (_LONGEST_LABEL if is_label else _LONGEST_LEAD) or (ends and words.isdisjoint(GAME_NOUNS)):
        return False
    read = read_line(sentence)
    return read.unknown(0, len(read.tokens)) <= (_MOST_OF_LABEL if is_label else 0)
