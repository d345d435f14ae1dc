"""Yes or no: what a person answers to a question, in whatever words. Pure.

The answer is read clause by clause. A clause says yes or no by how it begins; courtesies, names and reasons around it
change nothing, and whatever hesitates, asks, or says the opposite makes it no answer that anybody may act on.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Literal, NamedTuple

from pbem.reading.phrase_lists import load_by_language

Meaning = Literal["yes", "no", ""]

_SPACELESS = "\u0e00"  # Thai, and the scripts of the Far East behind it
_MOST_LINES = 40  # a longer text is no answer
_LONGEST, _MOST_READ = 2000, 20_000  # characters, without and with what stands at the end of a message
_LONGEST_CONTACT = 200  # characters
_MOST_NAMES = 3
_LONGEST_ECHO, _LONGEST_EXCLAMATION = 3, 2  # words
_SHORT = 3  # letters: a hedge of so few is a word of some other language as well
_YES_SIGNS, _NO_SIGNS, _DOUBTING_SIGNS = (
    frozenset("👍👌✅✔☑🆗💯🙆🤝"),
    frozenset("👎❌✖✗🙅🚫⛔"),
    frozenset("🤔🤷😕❓❔⁉"),
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered: ``means`` is empty where it is not sure that anything was, or what.

    ``is_unclear``: it holds a yes or a no, and something else that keeps it from being one.
    ``called`` is what the writer wants to be called, if they say so. ``is_bare``: it is a word that can be nothing
    else, and courtesies around it.
    """

    means: Meaning = ""
    called: str = ""
    is_bare: bool = False
    is_unclear: bool = False


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause: its words in small letters and as they were written, its signs, and whether it asks.

    ``sentence`` is the number of the sentence that it stands in, ``begins`` whether that begins with it.
    """

    words: tuple[str, ...]
    written: tuple[str, ...]
    signs: frozenset[str]
    asks: bool
    sentence: int
    begins: bool
    ends_in_colon: bool  # as in what a calendar writes: ``Accepted: Lunch``


@dataclass(frozen=True, slots=True)
class _Said:
    """What a clause says: ``answered`` of its words, in one of these ``languages``; the others are ``small`` or not.

    ``named`` is what its writer says that they are called.
    """

    clause: _Clause
    means: Meaning
    languages: frozenset[str]
    answered: int
    is_small: bool
    is_unsure: bool
    named: str


class _Phrase(NamedTuple):
    """How a clause begins that is an answer."""

    means: Meaning
    languages: frozenset[str]


class _Hedge(NamedTuple):
    """What makes an answer none; ``asks``: at the beginning of a clause."""

    asks: bool
    languages: frozenset[str]


def read_answer(lines: Iterable[str], names: Collection[str] = ()) -> Answer:
    """Return what a message answers to a question that can be answered by yes or no.

    ``lines`` are its own lines, without what it quotes; ``names`` are those of the people whom it may address.
    """
    lines = list(lines)
    if sum(map(len, lines)) > _MOST_READ:
        return Answer()
    text = _without_signature(lines)
    if len(text) > _MOST_LINES or sum(map(len, text)) > _LONGEST:
        return Answer()
    known = frozenset(word for name in names for word in _words(name))
    said, languages = list[_Said](), frozenset[str]()
    for clause in _split(text):
        said.append(_judge(clause, known, languages))
        languages = (languages & said[-1].languages) or said[-1].languages or languages
    meant = {one.means for one in said} - {""}
    unclear = Answer(is_unclear=bool(meant))
    if len(meant) != 1 or any(one.is_unsure for one in said):
        return unclear
    (means,) = meant
    answers = {one.clause.sentence for one in said if one.means}
    for place, one in enumerate(said):
        within = one.clause.sentence in answers
        if _asks(said, place) or _hedges(one, _HEDGES, languages, within=within or means == "yes"):
            return unclear
        if means == "yes" and _hedges(one, _LIMITS, languages, within=within):
            return unclear
    if any(one.clause.sentence in answers and _leads_in(one) for one in takewhile(lambda one: not one.means, said)):
        return unclear
    if means == "yes" and any(map(_goes_on, pairwise(said))):
        return unclear
    called = next((one.named for one in said if one.named), "") if means == "yes" else ""
    return Answer(means, called, all(map(_is_bare, said)))


def _leads_in(said: _Said) -> bool:
    """Return whether a clause above the first answer says what that is an answer to: ``For this week, yes``."""
    return not said.is_small and not said.clause.asks and len(said.clause.words) > _LONGEST_EXCLAMATION


def _goes_on(pair: tuple[_Said, _Said]) -> bool:
    """Return whether a yes begins a sentence that says more, which may take it back: ``Yes, he would like that``."""
    one, following = pair
    says_more = not following.means and not following.is_small and not following.named
    return one.means == "yes" and says_more and not following.clause.begins


def _is_bare(said: _Said) -> bool:
    """Return whether a clause is a word that can be nothing else than an answer, or courtesies alone."""
    return said.is_small and (not said.answered or not _BARE.isdisjoint(said.clause.words))


def _asks(said: Sequence[_Said], place: int) -> bool:
    """Return whether a clause asks, and does not only repeat what was asked: ``A draw? Sure.``"""
    one, follows = said[place], said[place + 1 : place + 2]
    if not one.clause.asks:
        return False
    return one.means != "" or not follows or not follows[0].means or len(one.clause.words) > _LONGEST_ECHO


def _hedges(said: _Said, hedges: Mapping[str, _Hedge], languages: frozenset[str], *, within: bool = True) -> bool:
    """Return whether a clause holds a phrase that makes an answer none, and is not part of one.

    Only what its sentence begins with counts, unless ``within``. A word of few letters is one of many languages.
    """
    words = said.clause.words
    for start, word in enumerate(words):
        if word[:1] >= _SPACELESS:
            if any(hedge in word for hedge in hedges if hedge[0] >= _SPACELESS):
                return True
            continue
        for end in range(start + 1, min(len(words), start + _LONGEST_HEDGE) + 1):
            found = hedges.get(" ".join(words[start:end])) if end > said.answered else None
            if found is None or (not start and not within and not said.clause.begins) or (start and found.asks):
                continue
            is_short = end - start == 1 and len(word) <= _SHORT
            if (within or not start) and (not is_short or "English" in found.languages or found.languages & languages):
                return True
    return False


def _judge(clause: _Clause, known: Collection[str], languages: frozenset[str]) -> _Said:
    """Return what a clause says, in a message that has answered in one of these ``languages`` so far."""
    by_sign: Meaning = "yes" if clause.signs & _YES_SIGNS else "no" if clause.signs & _NO_SIGNS else ""
    unsure = bool(clause.signs & _DOUBTING_SIGNS) or any(map(_CELL.fullmatch, clause.words))  # a move says more
    means: Meaning = ""
    start = answered = first = 0
    spoken = frozenset[str]()
    while start < len(clause.words):
        begun = _begins(clause.words[start:], languages)
        if begun and not _is_part(clause, start, known, begun[1]):
            found, length = begun
            unsure |= means not in ("", found.means)
            means, spoken = found.means, spoken | found.languages
            start = answered = start + length
            first = first or answered
        elif _is_small(clause, start, known):
            start += 1
        else:
            break
    is_small = all(_is_small(clause, place, known) for place in range(answered, len(clause.words)))
    unsure |= not is_small and (bool(means) or (bool(clause.words) and clause.words[-1] in _NOES))
    unsure |= bool(clause.signs & _YES_SIGNS and clause.signs & _NO_SIGNS)
    unsure |= (bool(means and by_sign) and means != by_sign) or (bool(means) and clause.ends_in_colon)
    return _Said(clause, means or by_sign, spoken, answered, is_small, unsure, _name_in(clause, first, known))


def _is_part(clause: _Clause, start: int, known: Collection[str], length: int) -> bool:
    """Return whether several words that could be an answer are part of what somebody says: ``I do beg your pardon``."""
    follows = clause.words[start + length :]
    return length > 1 and bool(follows) and not _is_small(clause, start + length, known)


def _name_in(clause: _Clause, start: int, known: Collection[str]) -> str:
    """Return what the writer says that they are called, behind the answer in a clause or in one of its own."""
    said = " ".join(clause.written[start:])
    if found := _NAMING.match(said):
        name = said[found.end() :]
        return name if all(word[:1].isupper() for word in name.split()) and name.count(" ") < _MOST_NAMES else ""
    is_name = 0 < start < len(clause.words) and all(
        word not in _COURTESIES and word not in known and written[:1].isupper()
        for word, written in zip(clause.words[start:], clause.written[start:], strict=True)
    )
    return said if is_name else ""


def _is_small(clause: _Clause, place: int, known: Collection[str]) -> bool:
    """Return whether a word changes nothing of an answer: a courtesy, or a name."""
    word, written = clause.words[place], clause.written[place]
    is_name = place > 0 and written[:1].isupper() and not written[1:2].isupper()
    return word in _COURTESIES or word in known or is_name


def _begins(words: Sequence[str], languages: frozenset[str] = frozenset()) -> tuple[_Phrase, int] | None:
    """Return the longest phrase that says yes or no by which words begin, and how many of them it has.

    Once it is known in which ``languages`` somebody answers, words that answer in others are words like any.
    """
    if words and words[0][:1] >= _SPACELESS:  # one word is one clause there, and what follows may say the opposite
        return (found, 1) if (found := _ANSWERS.get(words[0])) else None
    for length in range(min(len(words), _LONGEST_PHRASE), 0, -1):
        found = _ANSWERS.get(" ".join(words[:length]))
        if found and (not languages or found.languages & languages):
            return found, length
    return None


def _split(text: Iterable[str]) -> Iterator[_Clause]:
    """Yield the clauses of a text that hold a word or a sign."""
    sentence, begins = 0, True
    for line in text:
        sentence, begins = sentence + 1, True
        for part in _CLAUSE.finditer(line):
            end = part["end"]
            written = tuple(_WORD.findall(_straight(part["text"])))
            signs = frozenset(char for char in part[0] if unicodedata.category(char) == "So" or char in _DOUBTING_SIGNS)
            if written or signs:
                words = tuple(word.casefold() for word in written)
                yield _Clause(words, written, signs, any(map(end.count, "?？¿;")), sentence, begins, ":" in end)
            if begins := any(map(end.count, ".!?…。！？")):
                sentence += 1


def _straight(text: str) -> str:
    """Return a text without the apostrophes that join words in many languages."""
    return _APOSTROPHES.sub("", text)


def _words(text: str) -> list[str]:
    """Return the words of a text in small letters."""
    return _WORD.findall(_straight(text).casefold())


_NAMING = re.compile(r"(?:as|my name is|im|i am|call me|its|this is|the name is|name is|name) (?=\w)", re.IGNORECASE)
_NOES = frozenset(["no", "non", "nein", "nee", "nej", "nei", "não", "nie", "ne", "nem", "nu", "нет", "hayır"])
_BARE = _NOES | {
    "yes",
    "y",
    "n",
    "yep",
    "nope",
    "ja",
    "oui",
    "sí",
    "si",
    "sì",
    "sim",
    "nao",
    "tak",
    "ano",
    "igen",
    "да",
}
_CELL = re.compile("[a-z][0-9]{1,2}")
_APOSTROPHES = re.compile("['’‘ʼ`´]")
_WORD = re.compile(r"[^\W_]+")
_CLAUSE = re.compile(r"(?P<text>[^.!?…:,;()。！？，、：；¿¡—–]+)(?P<end>[.!?…:,;()。！？，、：；¿¡—–\s]*)")


def _without_signature(lines: list[str]) -> list[str]:
    """Return the lines of a message without the name, the address and the disclaimer at its end."""
    paragraphs = _paragraphs(lines)
    kept = paragraphs[:1]
    for paragraph in paragraphs[1:]:
        if paragraph[0].startswith("--") or any(map(_is_contact, paragraph)) or _is_names(paragraph):
            break
        kept.append(paragraph)
    found = [line for paragraph in kept for line in paragraph]
    for place, line in enumerate(found):
        if place and (" ".join(_words(line)) in _CLOSINGS or line.startswith("--")):
            return found[:place]
    while len(found) > 1 and _is_contact(found[-1]):
        found.pop()
    return found


def _paragraphs(lines: Iterable[str]) -> list[list[str]]:
    """Return the paragraphs of a text, each as its lines."""
    found: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            found[-1].append(line.strip())
        elif found[-1]:
            found.append([])
    return [paragraph for paragraph in found if paragraph]


def _is_contact(line: str) -> bool:
    """Return whether a line tells how somebody is reached, or for whom an email is meant."""
    return _CONTACT.search(line[:_LONGEST_CONTACT]) is not None


def _is_names(paragraph: Sequence[str]) -> bool:
    """Return whether a paragraph has nothing but names: a person, what they are, and their company."""
    return all(
        len(words := _WORD.findall(line)) <= 6
        and not line.endswith(("!", "?", "."))
        and all(word[:1].isupper() or len(word) < 4 for word in words)
        and _begins(_words(line)) is None
        for line in paragraph
    )


_CONTACT = re.compile(
    r"\+?\(?\d[\d ()/.–-]{6,}\d|www\.|https?:|\S@\S+\.\w|\s\|\s|\b(?:tel|phone|fon|fax|mobile?|ext)\b[.: ]"
    r"|\b(?:gmbh|ltd|llc|inc|plc|corp|s\.?a\.?r\.?l|b\.v)\b|confidential|intended recipient|vertraulich|sent from my",
    re.IGNORECASE,
)


def _load(name: str) -> dict[str, set[str]]:
    """Return the phrases of a list as they are compared, each with the languages that have it."""
    found: dict[str, set[str]] = {}
    for language, phrases in load_by_language(__package__, name).items():
        for phrase in phrases:
            mark = " ?" if phrase.endswith("?") else ""
            found.setdefault(" ".join(_words(phrase)) + mark, set()).add(language)
    return found


def _load_hedges(name: str) -> Mapping[str, _Hedge]:
    """Return the phrases of a list; one that ends in a question mark asks."""
    return {
        phrase.removesuffix(" ?"): _Hedge(phrase.endswith("?"), frozenset(languages))
        for phrase, languages in _load(name).items()
    }


_ANSWERS = {
    phrase: _Phrase(means, frozenset(languages))
    for means in ("yes", "no")
    for phrase, languages in sorted(_load(means).items())
}
_LONGEST_PHRASE = max(phrase.count(" ") + 1 for phrase in _ANSWERS)
_HEDGES, _LIMITS = _load_hedges("hedging"), _load_hedges("limiting")
_LONGEST_HEDGE = max(phrase.count(" ") + 1 for phrase in (*_HEDGES, *_LIMITS))
_COURTESIES = frozenset(_load("courtesies"))
_CLOSINGS = frozenset(_load("closing"))
