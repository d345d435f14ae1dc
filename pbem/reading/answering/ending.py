"""What stands around an answer: the greeting above it; the name, the address and the disclaimer at its end."""

import re
from collections.abc import Collection, Sequence

from pbem.reading.answering.phrases import CLOSINGS, LISTS
from pbem.reading.answering.signature import is_contact
from pbem.reading.answering.text import are_names, looks_like_names, paragraphs, plain_words, written_words

_END_OF_SENTENCE = re.compile(r"[.!)]\s+")
_SHORTEST_NAME, _SHORTEST_SHORT = 2, 3  # letters of a name, and of one that is made shorter


def without_ending(lines: Sequence[str], known: Collection[str]) -> list[str]:
    """Return the lines of a message without the name, the address and the disclaimer at its end."""
    found = paragraphs(lines)
    kept = found[:1]
    for paragraph in found[1:]:
        if paragraph[0].startswith("--") or any(map(is_contact, paragraph)) or all(map(_is_names, paragraph)):
            break
        kept.append(paragraph)
    text = [line for paragraph in kept for line in paragraph]
    for place, line in enumerate(text):
        if place and (line.startswith("--") or closes(line, known)):
            return text[:place]
    while len(text) > 1 and (is_contact(text[-1]) or _signs(text[-1], known)):
        text.pop()
    return [*text[:-1], *(_without_name(line, known) for line in text[-1:])]


def _without_name(line: str, known: Collection[str]) -> str:
    """Return the last line without the greeting or the name at its end: ``Yes, gladly. Kind regards, Ann``."""
    ends = [found.end() for found in _END_OF_SENTENCE.finditer(line)]
    return next((line[:end] for end in ends if closes(line[end:], known) or _signs(line[end:], known)), line)


def _is_names(line: str) -> bool:
    """Return whether a line of the last paragraphs is part of a signature, and says nothing."""
    words = plain_words(line)
    begins = any(" ".join(words[:count]) in LISTS.answers for count in range(1, min(len(words), LISTS.longest) + 1))
    return looks_like_names(line) and not begins and not any(word in LISTS.hedges for word in words)


def closes(line: str, known: Collection[str] = ()) -> bool:
    """Return whether a line only ends a message: ``Kind regards, Ann``. ``Thanks, but not before Monday`` does not.

    A ``known`` name may be a word, too: ``Best, Dan`` in Dutch.
    """
    written = written_words(line)
    words = plain_words(line)
    closings = CLOSINGS.matches(words, 0) if words else ()
    return any(
        count == len(words) or _are_unknown(written[count:]) or are_known(words[count:], known) for count in closings
    )


def are_known(words: Sequence[str], known: Collection[str]) -> bool:
    """Return whether all words, in small letters, are known names, or what people make of these: ``dan m`` of both."""
    begin = (any(name.startswith(word) for name in known) for word in words)
    return any(word in known or len(word) >= _SHORTEST_SHORT for word in words) and all(begin)


def _signs(line: str, known: Collection[str]) -> bool:
    """Return whether the last line is a name; nobody puts a full stop behind one."""
    words = plain_words(line)
    is_unknown = not line.rstrip().endswith((".", "!", "?")) and _are_unknown(written_words(line))
    return are_known(words, known) or (bool(words) and is_unknown)


def _are_unknown(written: Sequence[str]) -> bool:
    """Return whether words are written as names are, and are none that mean anything."""
    return are_names(written) and all(
        word.casefold() not in LISTS.common and len(word) >= _SHORTEST_NAME for word in written
    )
