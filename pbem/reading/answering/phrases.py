"""The phrases by which answers are read, by language, as their lists hold them.

In the lists, ``(a/b) c`` is short for ``a c | b c``, with ``(a/)`` the ``a`` may be missing, and ``@`` stands for a
name. A question mark behind a phrase says that it may be asked, or that it counts at the beginning of a clause alone.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Literal, NamedTuple

from pbem.reading.answering.text import SPACELESS, plain_words
from pbem.reading.phrase_lists import load_by_language

Meaning = Literal["yes", "no", ""]

NAME = "@"
_CHOICE = re.compile(r"\(([^()]*)\)")
_ASKED = " ?"


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
    """Yield the phrases that a phrase with choices is short for."""
    found = _CHOICE.search(phrase)
    if found is None:
        yield phrase
        return
    for choice in found[1].split("/"):
        yield from _spell_out(phrase[: found.start()] + choice + phrase[found.end() :])


def _compared(phrase: str) -> str:
    """Return a phrase as it is compared; most are spelled so already."""
    if phrase.islower() and phrase.replace(" ", "").isalpha():
        return " ".join(phrase.casefold().split())
    words = (word for part in phrase.split() for word in ([NAME] if part == NAME else plain_words(part)))
    return " ".join(words) + (_ASKED if phrase.endswith("?") else "")


@cache
def _load(name: str) -> Mapping[str, Collection[str]]:
    """Return the phrases of a list as they are compared, each with the languages that have it."""
    found: dict[str, set[str]] = {}
    for language, phrases in load_by_language("pbem.reading", name).items():
        for phrase in (phrase for listed in phrases for phrase in _spell_out(listed)):
            found.setdefault(_compared(phrase), set()).add(language)
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
        longest = min(self.lengths.get(words[place], 0), len(words) - place)
        return next(
            (count for count in range(longest, 0, -1) if " ".join(words[place : place + count]) in self.phrases), 0
        )


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


def _load_answers() -> Mapping[str, Phrase]:
    """Return the phrases by which a clause begins that is an answer."""
    found: dict[str, Phrase] = {}
    complete = _load("complete")
    for means in _MEANINGS:
        usual, leading = _load(means), _load(f"leading_{means}")
        for phrase in sorted({*usual, *leading}):
            plain = phrase.removesuffix(_ASKED)
            languages = frozenset((*usual.get(phrase, ()), *leading.get(phrase, ())))
            leads = phrase in leading or (means == "yes" and " " in plain and phrase not in complete)
            found[plain] = Phrase(means, languages, leads)
    return found


_MEANINGS: tuple[Literal["yes"], Literal["no"]] = ("yes", "no")
ANSWERS = _load_answers()
MAY_BE_ASKED = frozenset(
    phrase.removesuffix(_ASKED) for name in ("yes", "harmless") for phrase in _load(name) if phrase.endswith(_ASKED)
)
"""What asks nothing, though it is written as a question: ``Why not?``"""

HEDGES = _load_hedges("hedging")
CONTRARY = _load_hedges("contrary")
PRAISE = frozenset(_load("praising"))
RELEVANT = _by_language(_load("relevant"))
FILLERS = frozenset(_load("fillers"))
WISHES = frozenset(_load("wishing"))
COURTESIES = frozenset(_load("courtesies"))
CLOSINGS = frozenset(_load("closing"))
HARMLESS = _by_language({phrase.removesuffix(_ASKED): spoken for phrase, spoken in _load("harmless").items()})
_LIMITS = {
    phrase: hedge.languages
    for phrase, hedge in _load_hedges("hedging", "limiting", "turning").items()
    if not hedge.asks
}
RISKS = _by_language({phrase: languages for phrase, languages in _LIMITS.items() if " " not in phrase})
TURNS = _lexicon([phrase for phrase in _LIMITS if " " in phrase])
"""Words that limit together, which they do in any language."""

_LEXICONS = (*HARMLESS.values(), TURNS)
LONGEST = max(count for lexicon in (_lexicon(ANSWERS), *_LEXICONS) for count in lexicon.lengths.values())
COMMON = frozenset(
    word
    for phrases in (ANSWERS, HEDGES, _LIMITS, *(lexicon.phrases for lexicon in HARMLESS.values()))
    for phrase in phrases
    for word in phrase.split()
)
"""Words that are no names, however they are written."""

FAR_EASTERN = frozenset(
    phrase
    for phrases in (ANSWERS, COURTESIES, *(one.phrases for one in HARMLESS.values()))
    for phrase in phrases
    if phrase and phrase[0] >= SPACELESS
)
