"""The phrases by which answers are read, by language, as their lists hold them.

In the lists, ``(a/b) c`` is short for ``a c | b c``, with ``(a/)`` the ``a`` may be missing, and ``@`` stands for a
name. A question mark behind a phrase says that it may be asked, or that it counts at the beginning of a clause alone.

Nobody can list all that takes a yes back, limits it or puts it off. So what follows a yes is not looked through for
that: its words have to be known as words by which this cannot be said, all of them in one language.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain, product
from typing import Literal, NamedTuple

from pbem.reading.answering.text import SPACELESS, Clause, plain_words
from pbem.reading.word_classes import load_list, load_phrases

Meaning = Literal["yes", "no", ""]

NAME = "@"
_CHOICE = re.compile(r"\(([^()]*)\)")
_ASKED = " ?"
_BETWEEN = str.maketrans("", "", " (/)")
_NAMED = re.compile(rf"(?<!\w){NAME}(?!\w)")


class Phrase(NamedTuple):
    """How a clause begins that is an answer; ``leads``: words may follow that are no answer by themselves."""

    means: Meaning
    languages: frozenset[str]
    leads: bool


class Hedge(NamedTuple):
    """What makes an answer none; ``asks``: at the beginning of a clause."""

    asks: bool
    languages: frozenset[str]


def _spell_out(phrase: str) -> Iterator[str]:
    """Return the phrases that a phrase is short for, one without choices for itself."""
    parts = _CHOICE.split(phrase)  # every second one is a choice
    return map("".join, product(*(part.split("/") if place % 2 else (part,) for place, part in enumerate(parts))))


def _compared(listed: str) -> Iterable[str]:
    """Return the phrases that a phrase is short for, as they are compared; most are spelled so already."""
    letters = (_NAMED.sub("", listed) if NAME in listed else listed).translate(_BETWEEN)
    if letters.islower() and letters.isalpha():
        plain = listed.casefold()
        return (plain,) if "(" not in plain else (" ".join(phrase.split()) for phrase in _spell_out(plain))
    return map(_compare, _spell_out(listed))


def _compare(phrase: str) -> str:
    """Return a phrase as it is compared."""
    words = (word for part in phrase.split() for word in ([NAME] if part == NAME else plain_words(part)))
    return " ".join(words) + (_ASKED if phrase.endswith("?") else "")


@cache
def _load(name: str) -> Mapping[str, frozenset[str]]:
    """Return the phrases of a list as they are compared, each with the languages that have it."""
    found: dict[str, frozenset[str]] = {}
    for language, phrases in load_list(name).items():
        own = frozenset((language,))  # one set for nearly all of them: there are tens of thousands
        for phrase in chain.from_iterable(map(_compared, phrases)):
            found[phrase] = found[phrase] | own if phrase in found else own
    return found


def _load_hedges(*names: str) -> Mapping[str, Hedge]:
    """Return the phrases of lists that make an answer none."""
    found: dict[str, Hedge] = {}
    for phrase, languages in (item for name in names for item in _load(name).items()):
        plain, asks = phrase.removesuffix(_ASKED), phrase.endswith(_ASKED)
        before = found.get(plain, Hedge(asks, frozenset()))
        found[plain] = Hedge(asks and before.asks, before.languages.union(languages))
    return found


class Lexicon(NamedTuple):
    """The phrases of a language, and how many words the longest has that begins with a word."""

    phrases: frozenset[str]
    lengths: Mapping[str, int]

    def match(self, words: Sequence[str], place: int) -> int:
        """Return how many words the longest phrase has that begins at some place."""
        return next(self.matches(words, place), 0)

    def matches(self, words: Sequence[str], place: int) -> Iterator[int]:
        """Yield how many words each phrase has that begins at some place, the longest first."""
        longest = min(self.lengths.get(words[place], 0), len(words) - place)
        return (count for count in range(longest, 0, -1) if " ".join(words[place : place + count]) in self.phrases)


def _lexicon(phrases: Collection[str]) -> Lexicon:
    """Return phrases as they are looked for."""
    lengths: dict[str, int] = {}
    for phrase in phrases:
        first = phrase.partition(" ")[0]
        lengths[first] = max(lengths.get(first, 0), phrase.count(" ") + 1)
    return Lexicon(frozenset(phrases), lengths)


def _by_language(listed: Mapping[str, Collection[str]]) -> Mapping[str, Lexicon]:
    """Return for each language the phrases that it has."""
    found: dict[str, set[str]] = {}
    for phrase, languages in listed.items():
        for language in languages:
            found.setdefault(language, set()).add(phrase)
    return {language: _lexicon(phrases) for language, phrases in found.items()}


class _Lists:
    """The lists of answers and of what stands beside them, each read when it is needed: few messages answer."""

    @cached_property
    def answers(self) -> Mapping[str, Phrase]:
        """The phrases by which a clause begins that is an answer."""
        found: dict[str, Phrase] = {}
        complete, alike = _load("complete"), cache(Phrase)
        for means in _MEANINGS:
            usual, leading = _load(means), _load(f"leading_{means}")
            both = {**usual, **{phrase: own | usual.get(phrase, own) for phrase, own in leading.items()}}
            for phrase, languages in sorted(both.items()):
                plain = phrase.removesuffix(_ASKED)
                leads = phrase in leading or (means == "yes" and " " in plain and phrase not in complete)
                found[plain] = alike(means, languages, leads)
        return found

    @cached_property
    def beginnings(self) -> Lexicon:
        """The same phrases, as they are looked for."""
        return _lexicon(self.answers)

    @cached_property
    def may_be_asked(self) -> frozenset[str]:
        """What asks nothing, though it is written as a question: ``Why not?``"""
        asked = (phrase for name in ("yes", "harmless") for phrase in _load(name) if phrase.endswith(_ASKED))
        return frozenset(phrase.removesuffix(_ASKED) for phrase in asked)

    @cached_property
    def hedges(self) -> Mapping[str, Hedge]:
        """What makes an answer none."""
        return _load_hedges("hedging")

    @cached_property
    def contrary(self) -> Mapping[str, Hedge]:
        """What turns a no around."""
        return _load_hedges("contrary")

    @cached_property
    def relevant(self) -> Mapping[str, Lexicon]:
        """What speaks of the matter, by language."""
        return _by_language(_load("relevant"))

    @cached_property
    def harmless(self) -> Mapping[str, Lexicon]:
        """What cannot change an answer, by language."""
        return _by_language({phrase.removesuffix(_ASKED): spoken for phrase, spoken in _load("harmless").items()})

    @cached_property
    def harmless_phrases(self) -> frozenset[str]:
        """The same in all languages."""
        return frozenset().union(*(lexicon.phrases for lexicon in self.harmless.values()))

    @cached_property
    def limits(self) -> Mapping[str, frozenset[str]]:
        """What limits an answer wherever it stands, with its languages."""
        hedges = _load_hedges("hedging", *_LIMITING).items()
        return {phrase: hedge.languages for phrase, hedge in hedges if not hedge.asks}

    @cached_property
    def risks(self) -> Mapping[str, Lexicon]:
        """The words among these, by language."""
        return _by_language({phrase: languages for phrase, languages in self.limits.items() if " " not in phrase})

    @cached_property
    def turns(self) -> Lexicon:
        """Words that limit together, which they do in any language."""
        return _lexicon([phrase for phrase in self.limits if " " in phrase])

    @cached_property
    def longest(self) -> int:
        """How many words the longest of these phrases has."""
        phrases = chain(self.answers, self.hedges, self.limits, self.harmless_phrases)
        return max(phrase.count(" ") for phrase in phrases) + 1

    @cached_property
    def common(self) -> frozenset[str]:
        """Words that are no names, however they are written: words of the lists, of which no phrase is spelled out."""
        listed = [phrase for name in _SAYING for phrase in load_phrases(name)]
        listed += [phrase for name in _LIMITING for phrase in load_phrases(name) if not phrase.endswith("?")]
        return frozenset(plain_words("\n".join(listed)))

    @cached_property
    def far_eastern(self) -> frozenset[str]:
        """The phrases of scripts that set no spaces."""
        phrases = chain(self.answers, COURTESIES, self.harmless_phrases)
        return frozenset(phrase for phrase in phrases if phrase >= SPACELESS)

    @cached_property
    def longest_part(self) -> int:
        """How many letters the longest of these has."""
        return max(map(len, self.far_eastern))


_MEANINGS: tuple[Literal["yes"], Literal["no"]] = ("yes", "no")
_LIMITING = ("limiting", "turning")
_SAYING = (*_MEANINGS, "leading_yes", "leading_no", "hedging", "harmless")
LISTS = _Lists()
PRAISE = _lexicon(_load("praising"))
CLOSINGS = _lexicon(_load("closing"))
FILLERS = frozenset(_load("fillers"))
COURTESIES = frozenset(_load("courtesies"))
WISHES = frozenset(_load("wishing"))

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
        language not in LISTS.relevant
        or any(LISTS.relevant[language].match(words, place) for place in range(len(words)))
        for language, words in _harmless_readings(clause, start, known)
    )


def _harmless_readings(clause: Clause, start: int, known: Collection[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the languages in which words are harmless, and what they are there with their names as such."""
    called = [NAME if word in known or word.removesuffix("s") in known else word for word in clause.words[start:]]
    likely = [NAME if _is_name(clause, start + place) else word for place, word in enumerate(called)]
    for language in LISTS.harmless:
        words = called if language == _NOUNS_ARE_CAPITAL else likely
        if _is_harmless_in(language, words):
            yield language, words


def is_turned(clause: Clause, place: int, known: Collection[str]) -> bool:
    """Return whether what stands around some place makes something else of what is said before: ``to play | on``."""
    words = [NAME if word in known or _is_name(clause, at) else word for at, word in enumerate(clause.words)]
    return any(start + LISTS.turns.match(words, start) > place for start in range(place))


def is_harmless_phrase(clause: Clause, known: Collection[str]) -> bool:
    """Return whether a clause is nothing but a phrase that is known to change nothing."""
    said = " ".join(NAME if word in known else word for word in clause.words)
    return said in LISTS.harmless_phrases


def parts(text: str) -> list[str]:
    """Return the phrases that a text without spaces consists of; none if some of it is unknown."""
    found, start = list[str](), 0
    while start < len(text):
        phrase = next(
            (
                text[start:end]
                for end in range(min(len(text), start + LISTS.longest_part), start, -1)
                if text[start:end] in LISTS.far_eastern
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
    harmless, risks = LISTS.harmless[language], LISTS.risks.get(language, _NO_RISKS)
    is_told = words[:1] == [NAME] and not (COURTESIES | {NAME}).issuperset(words)
    if is_told and harmless.match(words, 0) < _WITH_NAME:
        return False  # what somebody else does: Bob used my laptop
    place = 0
    while place < len(words):
        length = harmless.match(words, place)
        is_known = length or words[place] in COURTESIES or words[place] == NAME
        if not is_known or max(risks.match(words, place), LISTS.turns.match(words, place)) > length:
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
    return (place > 0 or is_address) and is_capital and clause.words[place] not in LISTS.common
