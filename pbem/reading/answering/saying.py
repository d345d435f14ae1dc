"""What one clause of an answer says: yes, no or neither, and whether it may stand beside a yes."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from pbem.reading.answering.phrases import (
    ANSWERS,
    COURTESIES,
    FILLERS,
    LONGEST,
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


@dataclass(frozen=True, slots=True)
class Said:
    """What a clause says: ``answered`` of its words, in one of these ``languages``; the others are ``small`` or not.

    ``is_harmless``: nothing in it can change a yes. ``praises``: it says nothing but ``Good game!``
    ``is_explicit``: it says more than a bare word.
    ``is_about_it``: what it says besides is of the matter. ``named`` is what its writer says that they are called.
    """

    clause: Clause
    means: Meaning
    languages: frozenset[str]
    answered: int
    is_small: bool
    is_harmless: bool
    praises: bool
    is_explicit: bool
    is_about_it: bool
    is_unsure: bool
    named: str


def judge(clause: Clause, known: Collection[str], languages: frozenset[str]) -> Said:
    """Return what a clause says, in a message that has answered in one of these ``languages`` so far."""
    found = _answers_in(clause, known, languages)
    phrase, answered = found[-1] if found else (_NOTHING, 0)
    small = all(is_small(clause, place, known) for place in range(answered, len(clause.words)))
    turned = phrase.means == "yes" and is_turned(clause, answered, known)
    harmless = not turned and (small or not clause.ends_in_colon) and is_harmless(clause, answered, known)
    goes_on = phrase.leads and (harmless or _is_plain_no(phrase, clause))
    by_sign = _meant_by_signs(clause)
    named = _name_in(clause, found[0][1] if found else 0, known)
    return Said(
        clause=clause,
        means=phrase.means or by_sign,
        languages=frozenset(language for one, _ in found for language in one.languages),
        answered=answered,
        is_small=small,
        is_harmless=harmless or bool(named),
        praises=_is_praise(clause, known),
        is_explicit=any(end > 1 or not (one.leads or clause.words[0] in COURTESIES) for one, end in found),
        is_about_it=small or bool(named) or is_harmless_phrase(clause, known) or is_about_it(clause, answered, known),
        is_unsure=_is_doubted(clause)
        or len({one.means for one, _ in found}) > 1
        or (bool(phrase.means) and (clause.ends_in_colon or by_sign not in ("", phrase.means)))
        or (not (small and harmless) and not goes_on and _sounds_like_an_answer(phrase, clause)),
        named=named,
    )


def _is_praise(clause: Clause, known: Collection[str]) -> bool:
    """Return whether a clause praises a game, and what follows are courtesies: ``Well played, Bob!``"""
    words = clause.words
    ends = range(1, min(len(words), LONGEST) + 1)
    return any(
        " ".join(words[:end]) in PRAISE and all(is_small(clause, place, known) for place in range(end, len(words)))
        for end in ends
    )


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
    return bool(clause.signs & DOUBTING_SIGNS or both) or any(map(_CELL.fullmatch, clause.words))


def _sounds_like_an_answer(phrase: Phrase, clause: Clause) -> bool:
    """Return whether a clause that says more than an answer holds one: ``Yes to Dora``, ``That is a no``."""
    return bool(phrase.means) or not _NOES.isdisjoint(clause.words[-1:])


def _is_plain_no(phrase: Phrase, clause: Clause) -> bool:
    """Return whether a clause begins with a bare no, behind which any reason may follow without a comma."""
    return phrase.means == "no" and clause.words[0] in _NOES


def _answers_in(clause: Clause, known: Collection[str], languages: frozenset[str]) -> list[tuple[Phrase, int]]:
    """Return the answers by which a clause begins, each with the place of the word behind it."""
    if len(clause.words) > 1 and begins_with_but(clause) and " ".join(clause.words[:2]) not in ANSWERS:
        against = [begun for begun in _begin(clause, 1, known, languages) if begun[0].means == "no"]
        if against:
            return against[:1]
    found = list[tuple[Phrase, int]]()
    whole = " ".join(clause.words)
    says_nothing = _is_praise(clause, known) or (whole not in ANSWERS and is_harmless_phrase(clause, known))
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
    kept = _kept(called, start)
    for count in range(min(len(kept), LONGEST), 0, -1):
        found, end = ANSWERS.get(" ".join(called[place] for place in kept[:count])), kept[count - 1] + 1
        if found is None or (languages and not found.languages & languages):
            continue
        if count == 1 or _ends_well(clause, end, found, known):
            yield found, end


def _kept(words: Sequence[str], start: int) -> list[int]:
    """Return the places of words from some word on, as many as a phrase has, without those that only stress it."""
    places = range(start, min(len(words), start + 2 * LONGEST))
    return [
        place for place in places if place == start or words[place] not in FILLERS or words[place - 1] in _NEGATIONS
    ]


def _is_part(clause: Clause, start: int) -> bool:
    """Return whether several words that could be an answer begin there, and are none: ``It is not | a problem``."""
    ends = range(start + 2, min(len(clause.words), start + LONGEST) + 1)
    return any(" ".join(clause.words[start:end]) in ANSWERS for end in ends)


def _ends_well(clause: Clause, end: int, found: Phrase, known: Collection[str]) -> bool:
    """Return whether an answer of several words is one with what follows it in its clause."""
    if all(is_small(clause, place, known) for place in range(end, len(clause.words))):
        return True
    if not found.leads or _is_plain_no(found, clause):
        return found.leads
    ends = range(end + 1, min(len(clause.words), end + LONGEST) + 1)
    goes_on = found.means == "yes" and any(" ".join(clause.words[end:last]) in ANSWERS for last in ends)
    return goes_on or is_harmless(clause, end, known)


def _begin_far_eastern(words: Sequence[str], start: int) -> tuple[Phrase, int] | None:
    """Return the answer by which a word begins that is a clause there, if all of it is known and all answers agree."""
    said = parts(words[start])
    found = [ANSWERS[part] for part in said if part in ANSWERS]
    return (found[0], start + 1) if said[:1] and said[0] in ANSWERS and len({one.means for one in found}) == 1 else None


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
_CELL = re.compile("[a-z][0-9]{1,2}")
