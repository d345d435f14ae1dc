"""Knows what words around a move speak against playing it, by where they stand. Pure."""

import re
from collections.abc import Sequence
from itertools import pairwise

from pbem.reading.clauses import (
    AND,
    GAME_NOUNS,
    LONGEST_LINE,
    POSSESSIVES,
    Line,
    Span,
    has_own_stone,
    is_move,
    split_sentences,
    stands_alone,
    tells,
    words_of,
)
from pbem.reading.remarks import is_elsewhere, is_pending, is_question
from pbem.reading.tokens import Token, read_tokens
from pbem.reading.word_classes import load_classes, load_meanings
from pbem.reading.wording import split_pieces

ODD = re.compile(r"\b(?:e\.g|z\.\s?b|p\.\s?ex)\.|[\\<>=|{}$%^~`@/\[\]]|--|\w'(?!\w)|(?<!\w)'|(?<!\S)[:;=]['-]?[(/|]")
FEW = 4  # unknown words in the clause of a move
_FEW_BESIDE_A_SIDE, _FEW_BESIDE_A_WORD = 1, 0  # where the move is to take a side, or another word
_FEW_OF_OWN = 8  # unknown words in the clause of a move that its sender says to be theirs
_FEW_BETWEEN, _FEW_BETWEEN_OWN = 1, 3  # unknown words between two cells of a move
_COPULAS = load_classes("copulas")
_NEGATIONS = load_classes("negations")
_DENIALS = load_classes("denials")
THIRD_PERSON = load_classes("third_person")
_LONG_LABEL = 5  # words: what is as long is a clause
_INTENTIONS = load_classes("intentions")
_GREETINGS = load_classes("greetings")
_INFINITIVES = load_classes("infinitives")
FIRST_PERSON = load_classes("first_person")
SEQUENCE = load_classes("sequence")
_REACHING = load_classes("reaching")
_DEICTICS = load_classes("deictics")
_TO_ME = load_classes("to_me")
_PLACES = load_classes("places")
_DOING = frozenset({"play", "place", "put", "go", "move", "take", "set", "build"})
_WITH = frozenset({"with", "mit", "con", "avec", "med", "met", "com"})
_LANDMARKS = load_classes("landmarks")
_SECOND_PERSON = load_classes("second_person")
_OWN_ALONE = load_classes("own_alone")
_SOURCES = load_classes("sources")
_LATER = load_classes("later")
_COUNTS = frozenset(load_meanings("numerals")) - load_classes("articles") - {"one", "six"}

_NOW = load_classes("conclusions") | load_classes("now")
_THING = FIRST_PERSON | POSSESSIVES | GAME_NOUNS | _TO_ME | _COUNTS | _OWN_ALONE
"""Words that name the sender, or what is played with: ``Stick me on d4``, ``construct three cubes at``."""

_OWN_FORM = re.compile(r"\w{3}ing$|\w\w(?:o|ę|am|ám|ю|у)$")
"""How verbs end by which somebody says what they do, without a pronoun: Bidding, Aggiungo, Kładę."""

_FIRST_FORM = re.compile(r"\w\w(?:ę|ю|у|[aeiy]my|ем|им|ём)$")
"""The same in languages where few nouns end so: Lecimy, Беру."""

_THIRD_FORM = re.compile("[a-z]{3,}[^su]s")
"""How verbs end in English that say what somebody, or a cell, does."""


def is_sound(line: Line, span: Span, *, taking: bool = False) -> bool:
    """Return whether nothing that its clause says speaks against making the move of ``span``."""
    tokens, (left, right) = line.tokens, span.clause
    if (
        is_question(line, span.sentence[1])
        or line.has("doubting", left, right)
        or any(map(is_pending, tokens[left:right]))
        or _is_told(line, span)
        or (line.has("others", left, right) and not (_speaks_of_own(line, left, right) or _is_placed(line, span)))
    ):
        return False
    if (
        _has_stray_letter(line, span)
        or _is_named(line, span)
        or not _joins(line, span, taking=taking)
        or (not taking and _compares(line, span))
    ):
        return False
    label = _label(tokens, span)
    if label is not None and tokens[span.first].kind == "cell" and not _is_own_label(line, *label):
        return False  # "Free points: d4"
    if _is_governed(line, span) or _has_bleak_idiom(line, span):
        return False
    worded = any(token.kind == "move" for token in tokens[span.first : span.last])
    own = _FEW_OF_OWN if any(token.text in FIRST_PERSON for token in tokens[left : span.first]) else FEW
    taking_side = worded and tokens[span.first].text.startswith("take")
    if worded:
        own = _FEW_BESIDE_A_SIDE if tokens[span.first].text == "take" else _FEW_BESIDE_A_WORD
    if line.unknown(left, right) > own:
        return False
    if worded and right + 1 < len(tokens) and tokens[right].text[0] in ":：" and tokens[right + 1].kind != "stop":
        return False  # "Set aside: 5"
    before = tokens[span.first - 1] if span.first > left else None
    if taking_side and before is not None and before.text in _INFINITIVES and stands_alone(line, span.first - 1):
        return False
    if any(
        token.text in _COPULAS and stands_alone(line, span.last + n)
        for n, token in enumerate(tokens[span.last : right])
    ):
        return False  # "d4 is strong"; but not "d4 it is"
    copula = any(token.text in _COPULAS for token in tokens[left : span.first])
    return not (copula and line.unknown(left, right))  # "the trouble is d4"


def _is_placed(line: Line, span: Span) -> bool:
    """Return whether a clause says where its sender places a stone, and by what: ``I'll sneak past it to d4``."""
    left, right = span.clause
    before = line.tokens[left : span.first]
    own = any(token.text in FIRST_PERSON or token.text in POSSESSIVES for token in before)
    placed = bool(before) and (before[-1].text in _PLACES or before[-1].text in _WITH)
    signs = (piece for piece in line.pieces[left:right] if piece is not None and "others" in piece.kinds)
    return own and placed and all(" ".join(words_of(line, piece)) in _LANDMARKS for piece in signs)


def _has_stray_letter(line: Line, span: Span) -> bool:
    """Return whether a letter stands in the sentence that no language knows as a word: half a cell, as in ``d4, e``."""
    return any(
        piece is not None and piece.unknown and token.kind == "word" and len(token.text) == 1
        for token, piece in zip(line.tokens[slice(*span.sentence)], line.pieces[slice(*span.sentence)], strict=True)
    )


def _is_named(line: Line, span: Span) -> bool:
    """Return whether an article makes a thing of a cell, and no "I" a move of it: ``the d4 thing``, ``on the A7``."""
    left, right = span.clause
    if span.first == left or line.tokens[span.first - 1].text != "the" or line.tokens[span.first].kind != "cell":
        return False
    following = line.pieces[span.last] if span.last < right else None
    return (
        bool(following.unknown) if following else not any(one.text in FIRST_PERSON for one in line.tokens[left:right])
    )


def _joins(line: Line, span: Span, *, taking: bool) -> bool:
    """Return whether the words between the parts of a move may join them, whatever they are: ``d4 plus f5``.

    A verb of the third person says what one cell does to another: ``d4 beats f5``.
    """
    if any(
        one.kind == "cell" and other.text in _REACHING
        for one, other in zip(line.tokens[span.first :], line.tokens[span.first + 1 : span.last], strict=False)
    ):
        return False  # "from d4 to f5"
    own = any(token.text in FIRST_PERSON for token in line.tokens[span.clause[0] : span.first])
    most, count = _FEW_BETWEEN_OWN if own or taking else _FEW_BETWEEN, 0
    for token, piece in zip(line.tokens[span.first : span.last], line.pieces[span.first : span.last], strict=True):
        count = 0 if piece is None and token.kind != "stop" else count + (piece.unknown if piece is not None else 0)
        if count > most or (token.kind == "move" and line.unknown(span.first, span.last)):
            return False
    return True


def _compares(line: Line, span: Span) -> bool:
    """Return whether words between cells say what one does to the other, or that somebody else plays the first.

    ``d4 beats f5``, ``Pick d4 and I pick f5``.
    """
    cells = [place for place in range(span.first, span.last) if is_move(line.tokens[place])]
    between = range(cells[0] + 1, cells[-1])
    mine = any(token.text in FIRST_PERSON for token in line.tokens[span.sentence[0] : span.first])
    for place in between:
        token, piece = line.tokens[place], line.pieces[place]
        if piece is not None and piece.unknown and _THIRD_FORM.fullmatch(token.text):
            return True
        me = token.text in FIRST_PERSON and (token.text not in AND or line.tokens[place - 1].text in AND)
        if me and not mine and span.first > span.sentence[0]:
            return True
    return False


def _is_own_label(line: Line, start: int, end: int) -> bool:
    """Return whether what stands before a colon may announce a move of the sender's.

    A clause may; a short label must speak of nobody else, and name the sender or a number: ``Weak spot: d4``.
    """
    words = line.tokens[start:end]
    if len([word for word in words if word.kind == "word"]) >= _LONG_LABEL:
        averse = any(piece and piece.unknown and "others" in piece.kinds for piece in line.pieces[start:end])
        told = line.has("telling", start, end) and line.has("others", start, end)
        return not (averse or told or words[0].text in _SECOND_PERSON)
    signs = [piece for piece in line.pieces[start:end] if piece is not None and "others" in piece.kinds]
    said = {word for piece in signs for word in words_of(line, piece)}
    if line.has("telling", start, end) or not said <= (
        _SOURCES | THIRD_PERSON if words and words[0].text in _DEICTICS else _SOURCES
    ):
        return False
    own = any(word.text in FIRST_PERSON | _COUNTS | _OWN_ALONE for word in words)
    own = own or (has_own_stone(words) and words[-1].text in GAME_NOUNS)
    own = own or any(word.text in _NOW for word in words) or bool(words and _FIRST_FORM.search(words[0].text))
    return not line.unknown(start, end) or own


def _is_governed(line: Line, span: Span) -> bool:
    """Return whether an unknown word before a move, in its clause, may say what is not done with it: ``forget d4``.

    It says nothing bad behind "I'll" or a greeting; words with letters that no listed language lacks are few.
    """
    left, before = span.clause[0], line.tokens[span.clause[0] : span.first]
    if before and (before[0].text in _COPULAS or (before[0].text == "to" and before[1:2] and before[1].text in _DOING)):
        return True  # "is d4 good", "to play d4"
    texts = [token.text for token in before]
    if not _INTENTIONS.isdisjoint(texts) or any(f"{one} {two}" in _INTENTIONS for one, two in pairwise(texts)):
        return False
    if before and before[-1].text in _PLACES and not _THING.isdisjoint(texts):
        return False
    for place, token in enumerate(before, left):
        piece = line.pieces[place]
        if piece is None or not piece.unknown or not token.text.isascii():
            continue
        greeted = place > left and line.tokens[place - 1].text in _GREETINGS
        said = place == left and _OWN_FORM.search(token.text) and (len(before) <= FEW or token.text.endswith("ing"))
        if not (greeted or said or _is_own(line, left, place)):
            return True
    return False


def _is_own(line: Line, left: int, place: int) -> bool:
    """Return whether what stands around an unknown word says that its sender does it: I, my next stone, two more.

    Or that its verb is said of the sender: ``Dropping anchor at``, ``Give me``.
    """
    before, following = line.tokens[left:place], line.tokens[place + 1 : place + 2]
    if line.tokens[place].text.startswith("j'"):
        return True
    if any(token.text in FIRST_PERSON or token.text in _COUNTS for token in before):
        return True
    if any(token.text in _TO_ME for token in following) or (before and _OWN_FORM.search(before[0].text)):
        return True
    return has_own_stone(line.tokens[left : place + 4])


def _has_bleak_idiom(line: Line, span: Span) -> bool:
    """Return whether a phrase like "not bad" stands in the clause of a move, of which it speaks there."""
    found = {piece for piece in line.pieces[slice(*span.clause)] if piece is not None and "idioms" in piece.kinds}
    cell = line.tokens[span.first].kind == "cell"
    bleak = (_NEGATIONS, _DENIALS, _LATER) if cell else (_NEGATIONS, _DENIALS)
    return any(word in words for piece in found for word in words_of(line, piece) for words in bleak)


def _label(tokens: Sequence[Token], span: Span) -> tuple[int, int] | None:
    """Return what stands before a colon right before the clause of a move, None where no colon does."""
    left, start = span.clause[0], span.sentence[0]
    if left - 1 < start or tokens[left - 1].text[0] not in ":：":
        return None
    return start, left - 1


def _is_told(line: Line, span: Span) -> bool:
    """Return whether the clause of ``span`` tells of its move, or the one behind it goes on so: ``d4, was it``."""
    left, right = span.clause
    for place, piece in enumerate(line.pieces[left:right], left):
        before_cell = any(token.kind == "cell" for token in line.tokens[place + 1 : place + 2])
        ordered = len(span.cells) > 1 and before_cell and line.tokens[place].text in SEQUENCE
        if tells(piece) and not ordered:
            return True
    return False


def _speaks_of_own(line: Line, left: int, right: int) -> bool:
    """Return whether a clause says what the sender's own stone does: ``my stone goes to d4``."""
    tokens = line.tokens[left:right]
    if any(token.text == "north" for token in tokens) and any(token.kind == "number" for token in tokens):
        listed = {
            token.text
            for token, piece in zip(tokens, line.pieces[left:right], strict=True)
            if piece is not None and "others" in piece.kinds and not piece.unknown
        }
        return listed <= THIRD_PERSON  # a die: who else turns it?
    signs = {
        token.text
        for token, piece in zip(line.tokens[left:right], line.pieces[left:right], strict=True)
        if piece is not None and "others" in piece.kinds
    }
    if not signs <= THIRD_PERSON:
        return False
    texts = [token.text for token in line.tokens[left:right] if token.kind == "word"]
    if any(token.kind == "number" for token in line.tokens[left:right]):
        return True  # a die: "the six goes to d4"
    in_turn = set(texts) <= THIRD_PERSON | SEQUENCE | AND and not SEQUENCE.isdisjoint(texts)
    own = has_own_stone(line.tokens[left:right]) and line.unknown(left, right) <= FEW
    return in_turn or own or (not line.unknown(left, right) and not POSSESSIVES.isdisjoint(texts))


def heads_other(above: str) -> bool:
    """Return whether a line with a colon says that the move below is not meant: ``For the other game:``."""
    if not above.endswith((":", "：")):
        return False
    tokens = read_tokens(above.lower().replace("’", "'")[-LONGEST_LINE:])
    line = Line(above, tokens, split_pieces(tokens))
    start, end = list(split_sentences(tokens))[-1]
    averse = any(piece and piece.unknown and "others" in piece.kinds for piece in line.pieces[start:end])
    return is_elsewhere(line) or averse or line.has("telling", start, end) or line.has("doubting", start, end)


def leads_astray(above: str) -> bool:
    """Return whether an unfinished sentence says that what follows is no move."""
    if not above:
        return False
    tokens = tuple(read_tokens(above.lower().replace("’", "'")[-LONGEST_LINE:]))
    line = Line(above, tokens, split_pieces(tokens))
    start = list(split_sentences(tokens))[-1][0] if tokens else 0
    return line.has("doubting", start) or line.has("telling", start)
