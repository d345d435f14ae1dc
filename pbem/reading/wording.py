"""Knows the closed classes of words by language: which say nothing beside a move, deny, doubt, or tell of it. Pure.

A friendly word may be any word, so none are listed. Listed are the words a language has few of: pronouns, negations,
conjunctions, question words, auxiliaries, the verbs of playing. What a line says about its move is decided by these.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from pbem.reading.tokens import WORDS, Token
from pbem.reading.word_classes import Beginnings, any_beginning, load_classes, load_list, load_meanings, load_phrases

Kind = Literal["plain", "idioms", "doubting", "telling", "others"]
KINDS: tuple[Kind, ...] = ("plain", "idioms", "doubting", "telling", "others")
"""``plain`` words say nothing more, ``idioms`` are harmless phrases; the other three keep a move from being played."""

_LONGEST = 5  # words of a phrase
_LONG_WORD = 6  # letters of scripts without spaces that are about a word
_SIGNS: tuple[Kind, ...] = ("doubting", "telling", "others")
_STRONG = frozenset({"no", "o"})
"""Denials and alternatives in some languages that are articles in others: where none prevails, they count."""

_SMALL = frozenset({"Finnish", "Hungarian", "Romanian", "Turkish", "Greek", "Indonesian and Vietnamese", "Ukrainian"})
"""Languages of which too few words are listed to know a long sentence by."""

_FAR_EAST_SIGNS = re.compile(
    "どう|思[うっい]|考え|迷|ない|ません|なかった|じゃ|では?な|か$|かな|もし|たら|なら|たぶん|多分|やっぱり|やはり|または|より|でも|だけど|"
    "不|没|沒|别|別|勿|吗|嗎|呢|如果|要是|还是|還是|或|可能|也许|也許|应该|應該|想|你|"
    "안(?: |$)|않|못|아니|만약|다면|라면|까$|까요|나요|아마|또는|혹은|대신|당신|어때|고민"
)


_PAST_FORM = re.compile(
    r"\w{3}(?:[^e]ed|ade|ades|[^cdr]é|aste|iste|aron|ieron|ais|ait|aient|aba|aban|ía|ían|ías"
    r"|avo|ava|evo|eva|ivo|rebbe|erei|irei)$"
    r"|\w\w(?:[aiy]ł|[aiy]łam|[aiy]łem|[aiy]ła|[аияеыу]л|[аияеыу]ла|[аияеыу]ли)$"
)
"""A pattern for how words of several languages end that tell what was done."""

_OTHERS_NEUTRAL = frozenset[str]().union(*map(load_classes, ("sequence", "this_time", "game_nouns", "directions")))
"""Words for the order of steps, for now, and for what is played with."""

_WISHES = re.compile("你好|祝你好运|祝你好運|祝你|谢谢你|謝謝你|到你了|轮到你|輪到你")


@dataclass(frozen=True, slots=True)
class Piece:
    """A word or a phrase on a line: the tokens from ``start`` to before ``end``.

    ``kinds`` are those that it counts for; ``unknown`` is for how many unknown words it stands.
    """

    start: int
    end: int
    kinds: frozenset[Kind]
    unknown: int = 0


def split_pieces(tokens: Sequence[Token]) -> tuple[Piece | None, ...]:
    """Return for each token the word or phrase in which it lies.

    A word that is harmless in one language and a sign in another counts as the
    language says of which more words are on the line.
    """
    words = [token.text if token.kind == "word" else "" for token in tokens]
    found = list(_phrases(words))
    score: dict[str, int] = {}
    for start, end, uses in found:
        for language in {language for language, _ in uses}:
            score[language] = score.get(language, 0) + end - start
    pieces: list[Piece | None] = [None] * len(tokens)
    for start, end, uses in found:
        piece = Piece(start, end, *(_kinds(words[start], uses, score), 0) if uses else _unlisted(words[start]))
        pieces[start:end] = [piece] * (end - start)
    for place, token in enumerate(tokens):
        if token.kind == "far_east":
            pieces[place] = _far_east_piece(place, token.text)
    return tuple(pieces)


@lru_cache(maxsize=2048)
def _unlisted(word: str) -> tuple[frozenset[Kind], int]:
    """Return what a word in no list counts for, by its form, and for how many unknown words it stands."""
    if word in _neutral():
        return frozenset({"plain"}), 0
    return (
        (frozenset({"others"}), 1)
        if _averse().match(word.rpartition("'")[2]) or _PAST_FORM.search(word)
        else (frozenset(), 1)
    )


@cache
def _neutral() -> frozenset[str]:
    """Return the words for colours and numbers, and the moves that are words."""
    return frozenset({*load_meanings("colours"), *load_meanings("numerals"), *_OTHERS_NEUTRAL, *WORDS})


@cache
def _averse() -> Beginnings:
    """Return how words begin that speak of a cell otherwise than by making a move there."""
    return any_beginning(load_phrases("aversions"))


def is_listed(word: str) -> bool:
    """Return whether a word, in small letters, is one of a closed class of some language: ``is``, ``your``."""
    return word in _uses()


def is_secret(line: str, *, among_partners: bool = True) -> bool:
    """Return whether a line, in small letters, says that somebody must not know of it, or plans with a partner."""
    words = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)*", line.replace("’", "'"))
    phrases = (" ".join(words[at : at + n]) for at in range(len(words)) for n in range(1, _LONGEST + 1))
    known = _secrets() | _plans() if among_partners else _secrets()
    return not known.isdisjoint(phrases) or any(sign in line for sign in ("内緒", "秘密", "비밀"))


@cache
def _secrets() -> frozenset[str]:
    """Return the phrases that say so."""
    return load_phrases("secret")


@cache
def _plans() -> frozenset[str]:
    """Return the phrases by which somebody plans something with a partner."""
    return load_phrases("planning_with")


def _far_east_piece(place: int, word: str) -> Piece:
    """Return what a word in a script without spaces counts for, and for how many unknown words it stands."""
    if _FAR_EAST_SIGNS.search(_WISHES.sub("", word)):
        return Piece(place, place + 1, frozenset({"doubting"}))
    left = _far_east_plain().sub("", word)
    return Piece(place, place + 1, frozenset() if left else frozenset({"plain"}), -(-len(left) // _LONG_WORD))


def _kinds(word: str, uses: Sequence[tuple[str, Kind]], score: Mapping[str, int]) -> frozenset[Kind]:
    """Return the kinds that a phrase with these ``uses``, whose first word is ``word``, counts for."""
    harmless = {language for language, kind in uses if kind not in _SIGNS}
    most = max((score[language] for language in harmless), default=0) + (word not in _STRONG)
    kinds: set[Kind] = {kind for language, kind in uses if language in harmless and kind not in _SIGNS}
    for language, kind in uses:
        if kind in _SIGNS and language not in harmless and (not harmless or score[language] >= most):
            if language in _SMALL and len(word) <= 3 and max(score.values()) > score[language] + (not harmless):
                continue
            kinds.add(kind)
    return frozenset(kinds)


def _phrases(words: Sequence[str]) -> Iterator[tuple[int, int, Sequence[tuple[str, Kind]]]]:
    """Yield the longest known phrases one after the other, and the words between them, with their uses."""
    known, longest, start = _uses(), _lengths(), 0
    while start < len(words):
        if not words[start]:
            start += 1
            continue
        most = longest.get(words[start], 1)
        for end in range(min(start + most, len(words)), start, -1):
            uses = known.get(" ".join(words[start:end]), ()) or (end == start + 1 and _part_uses(words[start]))
            if uses:
                break
        yield start, end, uses or ()
        start = end


def _part_uses(word: str) -> Sequence[tuple[str, Kind]]:
    """Return the uses of a word with an apostrophe by its parts: ``n'est``, ``hasn't``."""
    if "'" not in word:
        return ()
    if word.endswith("n't"):
        return (("English", "doubting"),)
    before, _, after = word.partition("'")
    return (*_uses().get(f"{before}'", ()), *_uses()[after]) if after in _uses() else ()


@cache
def _uses() -> Mapping[str, tuple[tuple[str, Kind], ...]]:
    """Return every phrase of the lists, with the languages and kinds in which it counts."""
    found: dict[str, list[tuple[str, Kind]]] = {}
    for kind in KINDS:
        for language, phrases in load_list(kind).items():
            for phrase in phrases:
                found.setdefault(phrase, []).append((language, kind))
    for phrase in _OTHERS_NEUTRAL:
        if " " in phrase:
            found.setdefault(phrase, []).append(("", "plain"))
    return {phrase: tuple(dict.fromkeys(uses)) for phrase, uses in found.items()}


@cache
def _lengths() -> Mapping[str, int]:
    """Return how many words the longest phrase has that begins with a word."""
    found: dict[str, int] = {}
    for phrase in _uses():
        words = phrase.split()
        found[words[0]] = max(found.get(words[0], 1), min(len(words), _LONGEST))
    return found


@cache
def _far_east_plain() -> re.Pattern[str]:
    """Return a pattern for the plain phrases of scripts without spaces, the longest first."""
    phrases = [phrase for phrase, uses in _uses().items() if ("Far East", "plain") in uses]
    return re.compile("|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True)))
