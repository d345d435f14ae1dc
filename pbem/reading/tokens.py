"""Reads the tokens of a line: cells however they are spelled, moves that are words in any language, the rest. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal, cast

from pbem.reading.word_classes import load_classes, load_meanings
from rules.games import GAMES

TokenKind = Literal["cell", "move", "number", "word", "far_east", "part", "stop", "end", "sign", "odd"]

FAR_EAST = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""A pattern for the letters of scripts that set no spaces."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a line from ``start`` to before ``end``; ``text`` is how a game reads it, in small letters.

    A ``part`` may belong to a move between cells: an x, north, use. A ``stop`` ends a clause, an ``end`` a sentence.
    """

    kind: TokenKind
    text: str
    start: int
    end: int


WORDS: Mapping[str, str] = {
    **{word: word for game in GAMES.values() for word in game.words},
    **{other: word for game in GAMES.values() for word, others in game.words.items() for other in others},
    **load_meanings("moves"),
}
"""The moves that are words, and words of many languages that mean them, by what a game reads."""

_CHOOSING = load_classes("choosing")
"""Verbs that take a side only if its colour follows."""

_OBJECTS = load_classes("objects")
_BEFORE_COLOURS = load_classes("before_colours")
_COURTESY = load_classes("courtesy")
_PARTICLES = load_classes("particles")
_RELATIVES = load_classes("relatives")
_MOST_BETWEEN = 2  # words between a verb and the colour that is taken
_TAKING = frozenset({word for word, move in WORDS.items() if move == "take"} - {"choose", "pick"})
_BESIDE_COLOURS = frozenset(["dice", "die", "side", "stones", "stone"])
_ARTICLES = load_classes("articles")
_COLOURS = load_meanings("colours")
_PARTS = load_meanings("parts")
_NUMERALS = load_meanings("numerals")
_STRICT = {"nothing", "skip"}
_LOOSE_MOVES = ("roll", "store", "pass")
_LETTERS = load_meanings("letters")
_PLAIN_NUMERALS = load_classes("plain_numerals")
_LOOSE = {
    **{word: move for word, move in WORDS.items() if move in _LOOSE_MOVES and word not in _STRICT},
    **load_meanings("loose"),
}
"""Verbs that are a move whatever stands behind them: no game has another use for them where they can be played."""

_ALONE_MOVES = {"pas": "pass"}
"""Words that are a move in one language, and something else inside a clause of another."""

_FOR_ME = load_classes("for_me")
_OTHER_SENSE = load_classes("other_sense")

_EDGE = rf"[^\W_{FAR_EAST}々ー]|[\u0300-\u036f]"  # letters, digits and accents, which make a longer word of it
_LETTERS_AS_WORDS = "eiouy"  # and, to, or, in some languages: "e due" is no cell
_NUMERAL = "|".join(sorted(_NUMERALS, key=len, reverse=True))
_LETTER = "|".join(sorted(_LETTERS, key=len, reverse=True))
_COLUMN = "(?:column|col|spalte|colonne|columna|colonna|coluna|kolom|kolumn|kolonne|kolumna|столбец)"
_ROW = "(?:row|line|zeile|reihe|ligne|rangée|fila|riga|linha|fileira|rij|rad|række|wiersz|rząd|ряд)"
_AS_IN = "(?:as in|like in|like|for|wie in|wie|comme|como|come|als in|som i|jak)"  # G as in golf, seven
_SPELLED = (
    rf"(?:{_COLUMN} [a-z],? (?:and )?{_ROW} |[a-z][ ,]+{_AS_IN} \w+[, ]+)(?:[0-9]{{1,2}}|{_NUMERAL})"
    rf"|{_ROW} (?:[0-9]{{1,2}}|{_NUMERAL}),? (?:and )?{_COLUMN} [a-z]"
    r"|\([a-z][,;] ?[0-9]{1,2}\)"
    rf"|(?:{_LETTER}|[b-z])[ -](?:{_NUMERAL})|(?:{_LETTER})[ -]?[0-9]{{1,2}}"
)
_SUFFIX = (
    "ra|re|be|ba|on|en|ön|ot|et|öt|nál|nél|an|na|[ey]e|[ya]a|[aeıiuü]|[yn][ıiuüae]|d[ae]|t[ae]"
    "|[aäeioöu]{2}n|[aäeiouyö]hen|han|ll[aeä]"
)
"""What Hungarian, Turkish and Finnish say behind a cell, after a hyphen, an apostrophe or a colon."""

_ALONE = re.compile(r"[^\w(]*([0-9]{1,2})[ .,/]([a-z])[^\w]*|[^\w(]*([a-z])[,;:/.] ?([0-9]{1,2})[^\w]*")
"""A line that is one cell and nothing else, its parts apart."""

_BARE_CELL = re.compile("(.)[ –-]*([0-9]{1,2}).*")
_TOKEN = re.compile(
    rf"(?<!{_EDGE})(?:(?P<spelled>{_SPELLED})"
    rf"|(?P<cell>[a-z](?:-| [–-] )?[0-9]{{1,2}}(?:[-':](?:{_SUFFIX}))?)"
    r"|(?P<taking>[a-z][0-9]{1,2}[x×:*][a-z][0-9]{1,2})"
    rf"|(?P<turned>[0-9]{{1,2}}-?[a-z]))(?!{_EDGE})"
    r"|(?P<number>[0-9]+(?:[.,:][0-9]+)*)"
    rf"|(?P<far_east>[{FAR_EAST}々ー]+)"
    r"|(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*'?)"
    r"|(?P<end>[.!?…。！？]+)"
    r"|(?P<stop>[,:;()\"“”„«»、，：；–—]|-+)"
    r"|(?P<odd>[\u2190-\u21ff\u2500-\u259f\w])|(?P<sign>\S)"
)


_MAY_HOLD = re.compile(
    rf"(?<![a-z])(?:(?:{_LETTER})[ -]?|[a-z](?:-| [–-] |[,;:/.] ?)?)[0-9]|[0-9][ .,/-]?[a-z](?![a-z])"
    rf"|(?<![^\W\d_{FAR_EAST}々ー])(?:{'|'.join(sorted({*WORDS, *_LOOSE, *_FOR_ME, *_ALONE_MOVES}))})(?![^\W\d_])"
    rf"|\b(?:{_LETTER}|[b-z])[ -](?:{_NUMERAL})\b|{_COLUMN}|\b[a-z][ ,]+{_AS_IN} "
)
"""Whatever ``_TOKEN`` or ``_ALONE`` may take for a cell, and whole words that are moves; no part of a longer word."""


def may_hold_move(line: str) -> bool:
    """Return whether a look at a line, in small letters, shows anything that may be a cell or another move."""
    return _MAY_HOLD.search(line) is not None


@lru_cache(maxsize=256)  # several readers look at the lines of a message
def read_tokens(line: str) -> tuple[Token, ...]:
    """Return the tokens of a line that is in small letters, its apostrophes straight."""
    tokens = list(_split(line))
    if any(token.text == "north" for token in tokens if token.kind == "part"):
        tokens = [
            Token("number", _NUMERALS[token.text], token.start, token.end)
            if token.kind == "word" and token.text in _NUMERALS and token.text not in _ARTICLES
            else token
            for token in tokens
        ]
    found = tuple(_with_word_moves(tokens))
    return found if any(token.kind in ("cell", "move") for token in found) else _with_taken_colour(found)


def _with_word_moves(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield ``tokens``, each verb that is a move by what follows it as that move, with the colour that it takes."""
    place, said = 0, ""
    while place < len(tokens):
        token, place = tokens[place], place + 1
        if token.kind in ("stop", "end"):
            said = ""
        if _takes_between(tokens, place - 1):
            if place < len(tokens) and tokens[place].text in _PARTICLES:
                place += 1
            yield Token("part", "x", token.start, tokens[place - 1].end)
            continue
        if token.text in _RELATIVES and place < len(tokens) and tokens[place].kind == "part":
            continue
        if token.text in _ALONE_MOVES and _stands_alone(tokens, place - 1):
            yield Token("move", _ALONE_MOVES[token.text], token.start, token.end)
            continue
        if moved := _loose_move(tokens, place - 1):
            move, place = moved
            if move != said:  # "set the die aside in my store" is one
                yield Token("move", move, token.start, tokens[place - 1].end)
            said = move
            continue
        if (
            token.kind != "word"
            or token.text not in WORDS
            or token.text in _LOOSE
            or token.text == "nothing"
            or _is_set_phrase(tokens, place)
        ):
            yield token
            continue
        end = place
        while end < min(place + _MOST_BETWEEN, len(tokens)) and tokens[end].text in _BEFORE_COLOURS:
            end += 1
        if end < len(tokens) and tokens[end].kind == "word" and (colour := _COLOURS.get(tokens[end].text)):
            yield Token("move", f"{WORDS[token.text]} {colour}", token.start, tokens[end].end)
            place = end + 1
        elif token.text not in _CHOOSING and (end == len(tokens) or _may_follow(tokens[end], end > place)):
            yield Token("move", WORDS[token.text], token.start, token.end)
        else:
            yield token


def _stands_alone(tokens: Sequence[Token], place: int) -> bool:
    """Return whether the word at ``place`` is a clause."""
    around = (*tokens[max(0, place - 1) : place], *tokens[place + 1 : place + 2])
    return all(token.kind in ("stop", "end") for token in around)


def _with_taken_colour(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return ``tokens`` with the colour that the sender asks for as a move: ``White for me``, ``I'll have black``."""
    for place, token in enumerate(tokens):
        colour = _COLOURS.get(token.text) if token.kind == "word" else None
        near = [other.text for other in tokens[max(0, place - 3) : place + 3]]
        if colour and any(f"{one} {two}" in _FOR_ME for one, two in pairwise(near)):
            return (*tokens[:place], Token("move", f"take {colour}", token.start, token.end), *tokens[place + 1 :])
    return tokens


def _loose_move(tokens: Sequence[Token], place: int) -> tuple[str, int] | None:
    """Return the move that the verb at ``place`` is, and where the words end that mean it, or None.

    In a clause with a cell it is a word like others: "store" in "use the 4 from my store on d4".
    """
    if tokens[place].kind != "word":
        return None
    for end in (place + 2, place + 1):
        texts = [token.text for token in tokens[place:end] if token.kind == "word"]
        if len(texts) == end - place and (move := _LOOSE.get(" ".join(texts))):
            break
    else:
        return None
    if end < len(tokens) and (tokens[end].text in _OTHER_SENSE or (move == "pass" and tokens[end].text == "me")):
        return None
    left, right = place, end
    while left and tokens[left - 1].kind not in ("stop", "end"):
        left -= 1
    while right < len(tokens) and tokens[right].kind not in ("stop", "end"):
        right += 1
    if move != "pass" and any(token.kind == "cell" for token in tokens[left:right]):
        return None
    return move, end


def _may_follow(token: Token, behind_article: bool) -> bool:
    """Return whether ``token`` may stand behind a verb that is a whole move, or an article behind it."""
    if token.kind == "number" or token.text in _NUMERALS or token.text in _BESIDE_COLOURS:
        return True
    if behind_article:
        return token.text in _COURTESY
    return token.kind in ("stop", "end", "far_east", "sign") or token.text in _OBJECTS


def _takes_between(tokens: Sequence[Token], place: int) -> bool:
    """Return whether the verb at ``place`` says that the cell before it takes the one behind it."""
    if tokens[place].text not in _TAKING or not any(token.kind == "cell" for token in tokens[:place]):
        return False
    return any(token.kind == "cell" for token in tokens[place + 1 : place + 4])


def _is_set_phrase(tokens: Sequence[Token], place: int) -> bool:
    """Return whether the verb before ``place`` is in a phrase that has nothing to do with the game."""
    following = [token.text for token in tokens[place : place + 2]]
    that = len(following) > 1 and tokens[place + 1].kind == "word"
    return following in (["it", "easy"], ["it", "from"]) or (following[:1] == ["that"] and not that)


def _split(line: str) -> Iterator[Token]:
    """Yield the tokens of a line, verbs as words."""
    if alone := _ALONE.fullmatch(line):
        yield Token("cell", (alone[2] or alone[3]) + (alone[1] or alone[4]), 0, len(line))
        return
    for found in _TOKEN.finditer(line):
        kind, text, start, end = found.lastgroup or "", found[0], found.start(), found.end()
        if (
            kind == "spelled"
            and text[0] in _LETTERS_AS_WORDS
            and text[1:2] == " "
            and text.count(" ") == 1
            and text[2:] not in _PLAIN_NUMERALS
        ):
            middle = start + 1
            yield Token("word", text[0], start, middle)
            yield Token("word", text[2:], middle + 1, end)
        elif kind == "spelled":
            yield Token("cell", _spelled(text), start, end)
        elif kind == "cell":
            yield Token("cell", _BARE_CELL.sub(r"\1\2", text), start, end)
        elif kind == "taking":
            yield Token("cell", re.sub("[×:*]", "x", text), start, end)
        elif kind == "turned":
            yield Token("cell", text[-1] + text[:-1].strip("-"), start, end)
        elif kind == "word" and text in _PARTS:
            yield Token("part", _PARTS[text], start, end)
        else:
            yield Token(cast(TokenKind, kind), text, start, end)


def _spelled(text: str) -> str:
    """Return the name of a cell that is spelled out."""
    letter = number = ""
    for word in re.findall(r"[^\W\d_]+|[0-9]+", text):
        if word.isdigit() or word in _NUMERALS:
            number = _NUMERALS.get(word, word)
        elif not letter and (word in _LETTERS or len(word) == 1):
            letter = _LETTERS.get(word, word)
    return letter + number
