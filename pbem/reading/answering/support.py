"""What may stand beside a yes or a no without changing it: courtesies, names, and what harmless words can say.

Nobody can list all that takes a yes back, limits it or puts it off. So what follows a yes is not looked through for
that: its words have to be known as words by which this cannot be said, all of them in one language.
"""

from collections.abc import Collection, Iterator, Sequence

from pbem.reading.answering.phrases import (
    COMMON,
    COURTESIES,
    FAR_EASTERN,
    HARMLESS,
    NAME,
    RELEVANT,
    RISKS,
    TURNS,
    Lexicon,
)
from pbem.reading.answering.text import SPACELESS, Clause

_WITH_NAME, _LONGEST_ADDRESS = 2, 2  # words
_NO_RISKS = Lexicon(frozenset(), {})
_NOUNS_ARE_CAPITAL = "German"  # so that a capital letter makes no name


def is_small(clause: Clause, place: int, known: Collection[str]) -> bool:
    """Return whether a word changes nothing of an answer: a courtesy, or a name."""
    word = clause.words[place]
    return word in COURTESIES or word in known or _is_name(clause, place)


def is_harmless(clause: Clause, start: int, known: Collection[str]) -> bool:
    """Return whether what a clause says from some word on cannot change an answer."""
    if any(word[:1] >= SPACELESS for word in clause.words[start:]):
        return all(parts(word) for word in clause.words[start:] if word[:1] >= SPACELESS)
    return any(True for _ in _harmless_readings(clause, start, known))


def is_about_it(clause: Clause, start: int, known: Collection[str]) -> bool:
    """Return whether harmless words speak of what we ask about; in a language without a list of that, any do."""
    return any(
        language not in RELEVANT or any(RELEVANT[language].match(words, place) for place in range(len(words)))
        for language, words in _harmless_readings(clause, start, known)
    )


def _harmless_readings(clause: Clause, start: int, known: Collection[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the languages in which words are harmless, and what they are there with their names as such."""
    called = [NAME if word in known or word.removesuffix("s") in known else word for word in clause.words[start:]]
    likely = [NAME if _is_name(clause, start + place) else word for place, word in enumerate(called)]
    for language in HARMLESS:
        words = called if language == _NOUNS_ARE_CAPITAL else likely
        if _is_harmless_in(language, words):
            yield language, words


def is_turned(clause: Clause, place: int, known: Collection[str]) -> bool:
    """Return whether what stands around some place makes something else of what is said before: ``to play | on``."""
    words = [NAME if word in known or _is_name(clause, at) else word for at, word in enumerate(clause.words)]
    return any(start + TURNS.match(words, start) > place for start in range(place))


def is_harmless_phrase(clause: Clause, known: Collection[str]) -> bool:
    """Return whether a clause is nothing but a phrase that is known to change nothing."""
    said = " ".join(NAME if word in known else word for word in clause.words)
    return any(said in lexicon.phrases for lexicon in HARMLESS.values())


def parts(text: str) -> list[str]:
    """Return the phrases that a text without spaces consists of; none if some of it is unknown."""
    found, start = list[str](), 0
    while start < len(text):
        phrase = next(
            (
                text[start:end]
                for end in range(min(len(text), start + _LONGEST_PART), start, -1)
                if text[start:end] in FAR_EASTERN
            ),
            "",
        )
        if not phrase:
            return []
        found.append(phrase)
        start += len(phrase)
    return found


def _is_harmless_in(language: str, words: Sequence[str]) -> bool:
    """Return whether words are harmless as those of a language; the longer phrase says what is meant."""
    harmless, risks = HARMLESS[language], RISKS.get(language, _NO_RISKS)
    is_told = words[:1] == [NAME] and not (COURTESIES | {NAME}).issuperset(words)
    if is_told and harmless.match(words, 0) < _WITH_NAME:
        return False  # what somebody else does: Bob used my laptop
    place = 0
    while place < len(words):
        length = harmless.match(words, place)
        is_known = length or words[place] in COURTESIES or words[place] == NAME
        if not is_known or max(risks.match(words, place), TURNS.match(words, place)) > length:
            return False
        place += max(length, 1)
    return True


def _is_name(clause: Clause, place: int) -> bool:
    """Return whether a word is written as names are, and is none that means anything.

    Where a sentence begins, every word is written so; behind a comma none is: ``Yes, of course, Bob!``
    """
    written = clause.written[place]
    is_address = not clause.begins and len(clause.words) <= _LONGEST_ADDRESS
    is_capital = written[:1].isupper() and not written[1:2].isupper()
    return (place > 0 or is_address) and is_capital and clause.words[place] not in COMMON


_LONGEST_PART = max(map(len, FAR_EASTERN))
