"""What one clause of an answer says: yes, no or neither, and whether it may stand beside a yes."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pbem.reading.answering.phrases import (
    COURTESIES,
    FILLERS,
    LISTS,
    NAME,
    PRAISE,
    Meaning,
    Phrase,
    is_about_it,
    is_harmless,
    is_harmless_phrase,
    is_small,
    is_turned,
    parts,
)
from pbem.reading.answering.text import DOUBTING_SIGNS, SPACELESS, Clause
from pbem.reading.word_classes import load_classes

_MOST_NAMES = 3
_YES_SIGNS, _NO_SIGNS = frozenset("👍👌✅✔☑🆗💯🙆🤝"), frozenset("👎❌✖✗🙅🚫⛔")


@dataclass(frozen=True)
class Said:
    """What a clause says: the ``answers`` by which it begins, each with the place of the word behind it.

    ``means`` is all that most messages are asked for, since they answer nothing. The rest is found when it is needed.
    """

    clause: Clause
    known: Collection[str]
    answers: Sequence[tuple[Phrase, int]]
    means: Meaning

    @property
    def answered(self) -> int:
        """How many of its words are an answer."""
        return self.answers[-1][1] if self.answers else 0

    @property
    def languages(self) -> frozenset[str]:
        """The languages in which it may answer."""
        return frozenset(language for one, _ in self.answers for language in one.languages)

    @property
    def is_explicit(self) -> bool:
        """Whether it says more than a bare word."""
        return any(end > 1 or not (one.leads or self.clause.words[0] in COURTESIES) for one, end in self.answers)

    @cached_property
    def is_small(self) -> bool:
        """Whether all other words change nothing."""
        return _are_small(self.clause, self.answered, self.known)

    @cached_property
    def is_harmless(self) -> bool:
        """Whether nothing in it can change a yes."""
        return self._is_harmless or bool(self.named)

    @cached_property
    def praises(self) -> bool:
        """Whether it says nothing but ``Good game!``"""
        return _is_praise(self.clause, self.known)

    @cached_property
    def is_about_it(self) -> bool:
        """Whether what it says besides is of the matter."""
        return (
            self.is_small
            or bool(self.named)
            or is_harmless_phrase(self.clause, self.known)
            or is_about_it(self.clause, self.answered, self.known)
        )

    @cached_property
    def is_unsure(self) -> bool:
        """Whether something in it speaks against what it seems to say."""
        phrase, by_sign = self._phrase, _meant_by_signs(self.clause)
        goes_on = phrase.leads and (self._is_harmless or _is_plain_no(phrase, self.clause))
        return (
            _is_doubted(self.clause)
            or len({one.means for one, _ in self.answers}) > 1
            or (bool(phrase.means) and (self.clause.ends_in_colon or by_sign not in ("", phrase.means)))
            or (
                not (self.is_small and self._is_harmless)
                and not goes_on
                and _sounds_like_an_answer(phrase, self.clause)
            )
        )

    @cached_property
    def named(self) -> str:
        """What its writer says that they are called."""
        return _name_in(self.clause, self.answers[0][1] if self.answers else 0, self.known)

    @property
    def _phrase(self) -> Phrase:
        return self.answers[-1][0] if self.answers else _NOTHING

    @cached_property
    def _is_harmless(self) -> bool:
        if self._phrase.means == "yes" and is_turned(self.clause, self.answered, self.known):
            return False
        may_be = self.is_small or not self.clause.ends_in_colon
        return may_be and is_harmless(self.clause, self.answered, self.known)


def judge(clause: Clause, known: Collection[str], languages: frozenset[str]) -> Said:
    """Return what a clause says, in a message that has answered in one of these ``languages`` so far."""
    answers = _answers_in(clause, known, languages)
    means = answers[-1][0].means if answers else ""
    return Said(clause, known, answers, means or _meant_by_signs(clause))


def _are_small(clause: Clause, start: int, known: Collection[str]) -> bool:
    """Return whether all words from some word on change nothing of an answer."""
    return all(is_small(clause, place, known) for place in range(start, len(clause.words)))


def _is_praise(clause: Clause, known: Collection[str]) -> bool:
    """Return whether a clause praises a game, and what follows are courtesies: ``Well played, Bob!``"""
    words = clause.words
    return bool(words) and any(_are_small(clause, end, known) for end in PRAISE.matches(words, 0))


def begins_with_but(clause: Clause) -> bool:
    """Return whether a clause is set against what stands above it."""
    return not _BUTS.isdisjoint(clause.words[:1])


def is_bare(said: Said) -> bool:
    """Return whether a clause is a word that can be nothing else than an answer, or courtesies alone."""
    return said.is_small and (not said.answered or not _BARE.isdisjoint(said.clause.words))


def _meant_by_signs(clause: Clause) -> Meaning:
    """Return what the emoji of a clause say."""
    return "yes" if clause.signs & _YES_SIGNS else "no" if clause.signs & _NO_SIGNS else ""


def _is_doubted(clause: Clause) -> bool:
    """Return whether a clause has signs of doubt, signs that contradict each other, or a move, which says more."""
    both = clause.signs & _YES_SIGNS and clause.signs & _NO_SIGNS
    return bool(clause.signs & DOUBTING_SIGNS or both) or any(map(CELL.fullmatch, clause.words))


def _sounds_like_an_answer(phrase: Phrase, clause: Clause) -> bool:
    """Return whether a clause that says more than an answer holds one: ``Yes to Dora``, ``That is a no``."""
    return bool(phrase.means) or not _NOES.isdisjoint(clause.words[-1:])


def _is_plain_no(phrase: Phrase, clause: Clause) -> bool:
    """Return whether a clause begins with a bare no, behind which any reason may follow without a comma."""
    return phrase.means == "no" and clause.words[0] in _NOES


def _answers_in(clause: Clause, known: Collection[str], languages: frozenset[str]) -> list[tuple[Phrase, int]]:
    """Return the answers by which a clause begins, each with the place of the word behind it."""
    if len(clause.words) > 1 and begins_with_but(clause) and " ".join(clause.words[:2]) not in LISTS.answers:
        against = [begun for begun in _begin(clause, 1, known, languages) if begun[0].means == "no"]
        if against:
            return against[:1]
    found = list[tuple[Phrase, int]]()
    whole = " ".join(clause.words)
    says_nothing = _is_praise(clause, known) or (whole not in LISTS.answers and is_harmless_phrase(clause, known))
    start = len(clause.words) if says_nothing else 0
    while start < len(clause.words):
        begun = next(_begin(clause, start, known, languages), None)
        if begun:
            found.append(begun)
            start = begun[1]
        elif is_small(clause, start, known) and not _is_part(clause, start):
            start += 1
        else:
            break
    return found


def _begin(
    clause: Clause, start: int, known: Collection[str], languages: frozenset[str]
) -> Iterator[tuple[Phrase, int]]:
    """Yield the phrases that say yes or no by which words begin, each with the place behind it, the longest first.

    Once it is known in which ``languages`` somebody answers, words that answer in others are words like any. Several
    words that could be an answer may be part of what somebody says: ``I do beg your pardon``.
    """
    words = clause.words
    if words[start][:1] >= SPACELESS:
        if begun := _begin_far_eastern(words, start):
            yield begun
        return
    called = [NAME if word in known else word for word in words]
    if called[start] not in LISTS.beginnings.lengths:
        return
    kept = _kept(called, start)
    said = [called[place] for place in kept]
    for count in LISTS.beginnings.matches(said, 0):
        found, end = LISTS.answers[" ".join(said[:count])], kept[count - 1] + 1
        if languages and not found.languages & languages:
            continue
        if count == 1 or _ends_well(clause, end, found, known):
            yield found, end


def _kept(words: Sequence[str], start: int) -> list[int]:
    """Return the places of words from some word on, as many as a phrase has, without those that only stress it."""
    places = range(start, min(len(words), start + 2 * LISTS.longest))
    return [
        place for place in places if place == start or words[place] not in FILLERS or words[place - 1] in _NEGATIONS
    ]


def _is_part(clause: Clause, start: int) -> bool:
    """Return whether several words that could be an answer begin there, and are none: ``It is not | a problem``."""
    return LISTS.beginnings.match(clause.words, start) > 1


def _ends_well(clause: Clause, end: int, found: Phrase, known: Collection[str]) -> bool:
    """Return whether an answer of several words is one with what follows it in its clause."""
    if _are_small(clause, end, known):
        return True
    if not found.leads or _is_plain_no(found, clause):
        return found.leads
    goes_on = found.means == "yes" and LISTS.beginnings.match(clause.words, end) > 0
    return goes_on or is_harmless(clause, end, known)


def _begin_far_eastern(words: Sequence[str], start: int) -> tuple[Phrase, int] | None:
    """Return the answer by which a word begins that is a clause there, if all of it is known and all answers agree."""
    said, answers = parts(words[start]), LISTS.answers
    found = [answers[part] for part in said if part in answers]
    return (found[0], start + 1) if said[:1] and said[0] in answers and len({one.means for one in found}) == 1 else None


def _name_in(clause: Clause, start: int, known: Collection[str]) -> str:
    """Return what the writer says that they are called, behind the answer in a clause or in one of its own."""
    said = " ".join(clause.written[start:])
    if found := _NAMING.match(said):
        name = said[found.end() :]
        return name if all(word[:1].isupper() for word in name.split()) and name.count(" ") < _MOST_NAMES else ""
    is_name = 0 < start < len(clause.words) and all(
        word not in COURTESIES and word not in known and written[:1].isupper()
        for word, written in zip(clause.words[start:], clause.written[start:], strict=True)
    )
    return said if is_name else ""


_NOTHING = Phrase("", frozenset(), leads=False)
_NAMING = re.compile(r"(?:as|my name is|im|i am|call me|its|this is|the name is|name is|name) (?=\w)", re.IGNORECASE)
_NOES = load_classes("noes_alone")
_NEGATIONS = load_classes("negating_answers")
_BUTS = load_classes("buts")
_BARE = _NOES | load_classes("answers_alone")
CELL = re.compile("[a-z][0-9]{1,2}")
