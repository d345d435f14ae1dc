"""What the words around a move say to the others: a remark is passed on whole, as it was written, or not at all. Pure.

What says nothing by itself is no remark: what leads to the move, ``my move:``, what only softens it, ``of course`` or
``I hope``, and a farewell.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from pbem.reading.answering.ending import are_known, closes
from pbem.reading.answering.phrases import COURTESIES, FILLERS
from pbem.reading.answering.text import plain_words
from pbem.reading.clauses import AND, GAME_NOUNS, LONGEST_LINE, TURNS, Line, Span, is_move, read_line
from pbem.reading.move_phrases import wants_back
from pbem.reading.word_classes import beginnings, load_classes

SMILEY = re.compile(r"(?<!\S)(?:[:;=8][-^'o]?[)dpo3*]|\^\^|<3|xd)(?![^\s.,!)])")
"""A smiley in a line in small letters."""

_LONGEST_LEAD, _LONGEST_LABEL = 5, 12  # words
_MOST_OF_LABEL = 2  # words that say something, in what ends in a colon
_SENTENCE = re.compile(r"(?<=[.!?…])\s+")
_SEPARATORS = ",;:-–—.!…)、，。"
_SOFTENING = FILLERS | load_classes("softening")
_LONGEST_SOFTENING = 4  # words
_LINES_OF_FAREWELL = 2


def said_beside(line: Line, spans: Sequence[Span], refused: Collection[str]) -> str:
    """Return what a line says whose move stands in ``spans``: one piece of it, or all; "" where nothing is said.

    ``refused`` are cells that the sender does not want, and says so.
    """
    starts = [line.tokens[span.clause[0]].start for span in spans]
    ends = [line.tokens[span.clause[1] - 1].end for span in spans]
    if any(_says_more(line, span) for span in spans):
        return line.text
    around = zip([0, *ends], [*starts, len(line.text)], strict=True)
    said = [part for part in around if _says_something(line, *part)]
    if not said:
        return ""
    (left, right), *others = said
    part = line.text[left:right].strip()
    part = _trimmed_start(part) if left else part
    part = _trimmed_end(part) if right < len(line.text) else part
    return line.text if others or refused or _leans(part) else part


def without_lead(text: str) -> str:
    """Return the sentences of a line above a move, but for those that lead to it: ``Nice! My move is``.

    What is too long to look through leads nowhere, nor does what asks for a move to be taken back.
    """
    if len(text) > LONGEST_LINE or wants_back(text):
        return text
    sentences = _SENTENCE.split(text.strip())
    while sentences and _leads_on(sentences[-1]):
        sentences.pop()
    return " ".join(sentences)


def takes_leave(lines: Sequence[str], names: Collection[str]) -> bool:
    """Return whether lines are a farewell, or one of these ``names`` (words in small letters), and say nothing."""
    if all(_takes_leave(line, names) for line in lines):
        return True
    filled = [line for line in lines if line]
    return len(filled) == _LINES_OF_FAREWELL and _takes_leave(" ".join(filled), names)  # “Cheers”, and a short name


def is_courtesy(line: str) -> bool:
    """Return whether a line is nothing but a farewell, thanks or a greeting: whoever writes it tries no move."""
    return closes(line) or COURTESIES.issuperset(plain_words(line))


def _takes_leave(line: str, names: Collection[str]) -> bool:
    """Return whether a line is a farewell or a name, or empty; thanks and wishes are words for somebody."""
    words = plain_words(line)
    if not words or are_known(words, names):
        return True
    return closes(line, names) and not any(map(beginnings("wishing_well").match, words))


def _leads_on(sentence: str) -> bool:
    """Return whether a sentence is a label of the move below it, or announces it, and says nothing besides."""
    bare, words = sentence.rstrip(" *_"), set(plain_words(sentence))
    is_label, ends = bare.endswith((":", "：")), bare.endswith((".", "!", "?", "…"))
    if not words or len(words) > (_LONGEST_LABEL if is_label else _LONGEST_LEAD):
        return False
    if ends and words.isdisjoint(GAME_NOUNS):
        return False
    read = read_line(sentence)
    return read.unknown(0, len(read.tokens)) <= (_MOST_OF_LABEL if is_label else 0)


def _says_more(line: Line, span: Span) -> bool:
    """Return whether the clause of a move has words that say something besides it."""
    left, right = span.clause
    if not (line.unknown(left, right) or line.has("idioms", left, right)):
        return False
    return _says_something(line, line.tokens[left].start, line.tokens[right - 1].end)


def _says_something(line: Line, left: int, right: int) -> bool:
    """Return whether any word between two characters of a line is neither part of a move nor empty or softening."""
    words = [
        (token.text, piece)
        for token, piece in zip(line.tokens, line.pieces, strict=True)
        if left <= token.start < right and token.kind in ("word", "far_east") and not is_move(token)
    ]
    softened = _softened([word for word, _ in words])
    return any(
        piece is not None and "plain" not in piece.kinds and not soft
        for (_, piece), soft in zip(words, softened, strict=True)
    )


def _softened(words: Sequence[str]) -> Iterator[bool]:
    """Yield for each word whether it stands in a phrase that only softens: ``I hope``."""
    place = 0
    while place < len(words):
        most = min(_LONGEST_SOFTENING, len(words) - place)
        found = next((n for n in range(most, 0, -1) if " ".join(words[place : place + n]) in _SOFTENING), 0)
        yield from [found > 0] * max(found, 1)
        place += max(found, 1)


def _leans(part: str) -> bool:
    """Return whether a part of a sentence says nothing by itself: ``because I like it``, ``and good luck``."""
    first = plain_words(part)[:1]
    return bool(first) and first[0] in TURNS | AND


def _trimmed_start(part: str) -> str:
    """Return what stands behind a move, without the signs between the two; smileys stay."""
    part = part.strip()
    while part[:1] and part[0] in _SEPARATORS and not SMILEY.match(part.lower()):
        part = part[1:].lstrip()
    return part


def _trimmed_end(part: str) -> str:
    """Return what stands before a move, without the signs between the two."""
    part = part.strip()
    while part[-1:] and part[-1] in ",;:-–—(" and not SMILEY.fullmatch(part.lower().split()[-1]):
        part = part[:-1].rstrip()
    return part
