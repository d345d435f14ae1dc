"""Knows when words beside the clause of a move put the move in doubt, and when they are only a remark. Pure.

A remark may say anything, also "not" and "if": it speaks of the weather, or of the board. It is about the move where
it is as short as "No.", begins with "or" or "if", or has a word for deciding: sure, think, legal, wait.
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from pbem.reading.clauses import AND, LONGEST_LINE, Line, holds_move, split_clauses, split_sentences, words_of
from pbem.reading.tokens import Token, read_tokens
from pbem.reading.word_classes import load_classes
from pbem.reading.wording import Kind, Piece, split_pieces

_LONG_REMARK = 4  # words: a shorter one says too little to be about something else
_LONG_CONDITION = 6  # words
_MUCH_ELSE = 2  # unknown words
_NEGATIONS = load_classes("negations") | load_classes("denials") | load_classes("empty_denials")
_NOT = load_classes("not")
_ALTERNATIVES = load_classes("alternatives")
_CONDITIONS = load_classes("conditions")
_HARMLESS = _NEGATIONS | _CONDITIONS
_NOES = load_classes("noes")
_SORRY = load_classes("sorry")
_LET_ME = load_classes("let_me")
_ELSEWHERE = load_classes("elsewhere")
_CONTRASTS = load_classes("contrasts")
_REFUSALS = load_classes("refusals")
_OPENINGS = AND | _CONTRASTS | {"well", "hm", "hmm", "äh", "na", "ach", "oh"}


def is_unsettled(line: Line) -> bool:
    """Return whether a clause or a sentence without a move puts the move of the line in doubt."""
    if is_elsewhere(line):
        return True
    for start, end in split_sentences(line.tokens):
        if not holds_move(line.tokens, start, end):
            if not is_question(line, end) and unsettles(line, start, end):
                return True
            continue
        behind = False
        for left, right in split_clauses(line.tokens, start, end):
            if holds_move(line.tokens, left, right):
                behind = True
            elif unsettles(line, left, right, joined=True, behind=behind):
                return True
    return False


def is_retracting(text: str) -> bool:
    """Return whether a line of words takes back the move above it: ``No, sorry``, ``Wrong board, sorry``."""
    if len(text) > LONGEST_LINE:
        return False
    tokens = read_tokens(text.lower().replace("’", "'"))
    line = Line(text, tokens, split_pieces(tokens))
    return is_elsewhere(line) or any(
        _corrects(line, start, end) and not holds_move(tokens, start, end) for start, end in split_sentences(tokens)
    )


def unsettles(line: Line, start: int, end: int, *, joined: bool = False, behind: bool = False) -> bool:
    """Return whether the words from ``start`` to before ``end``, without a move, put a move beside them in doubt.

    ``joined`` if they share a sentence with it, ``behind`` if they stand behind it there.
    """
    signs = _found(line, start, end, "doubting")
    told = _found(line, start, end, "telling")
    words = _words(line, start, end)
    if _corrects(line, start, end) or (not (joined and not behind) and _postpones(words)):
        return True
    if not (signs or told):
        pending = any(map(is_pending, line.tokens[start:end]))
        return pending and line.unknown(start, end) <= _MUCH_ELSE + 1
    if _decides(line, start, end, words):
        return True
    opening = next((word for word in words if word not in _OPENINGS), "")
    if opening in _ALTERNATIVES or (not line.unknown(start, end) and not _ALTERNATIVES.isdisjoint(words)):
        return True
    if opening in _CONDITIONS or any(" ".join(words[:n]) in _CONDITIONS for n in (2, 3)):
        return joined or len(words) < _LONG_CONDITION
    if joined and signs and (not line.unknown(start, end) or (not behind and opening in _NOT)):
        return True
    denies = all(_NEGATIONS.issuperset(words_of(line, piece)) for piece in signs)
    if behind and told and len(words) <= _LONG_REMARK and opening in words_of(line, told[0]):
        return True
    if len(words) < _LONG_REMARK:
        says_little = not line.unknown(start, end) or not _REFUSALS.isdisjoint(words)
        return (says_little and (bool(signs) or behind)) if denies else True
    return joined and not all(_HARMLESS.issuperset(words_of(line, piece)) for piece in signs)


def asks(line: Line, start: int, end: int) -> bool:
    """Return whether a sentence asks about the move of another, and not after somebody's health."""
    if not is_question(line, end):
        return False
    words = _words(line, start, end)
    if _decides(line, start, end, words) or (words and words[0] in _ALTERNATIVES):
        return True
    if line.has("idioms", start, end) or holds_move(line.tokens, start, end):
        return False
    return len(words) < _LONG_REMARK and not line.unknown(start, end)


def is_question(line: Line, end: int) -> bool:
    """Return whether the sentence that ends before ``end`` has a question mark."""
    return any(sign in line.tokens[end - 1].text for sign in "?？")


def _corrects(line: Line, start: int, end: int) -> bool:
    """Return whether words begin like a correction: ``no, sorry``, ``no - the other one``."""
    first, second = (line.tokens[start], line.tokens[start + 1]) if end - start > 1 else (line.tokens[start], None)
    return first.text in _NOES and (second is None or second.kind in ("stop", "end") or second.text in _SORRY)


def _postpones(words: Sequence[str]) -> bool:
    """Return whether words ask for leave to do something first: ``let me do the sums again``."""
    return any({one, f"{one} {two}"} & _LET_ME for one, two in pairwise([*words, ""]))


def is_elsewhere(line: Line) -> bool:
    """Return whether a line speaks of another match."""
    words = [token.text if token.kind == "word" else "" for token in line.tokens]
    return any(" ".join(words[place : place + 2]) in _ELSEWHERE for place in range(len(words) - 1))


def _words(line: Line, start: int, end: int) -> Sequence[str]:
    """Return the words from ``start`` to before ``end``."""
    return [token.text for token in line.tokens[start:end] if token.kind in ("word", "far_east")]


def _decides(line: Line, start: int, end: int, words: Sequence[str]) -> bool:
    """Return whether words speak of deciding, and of little else."""
    deciding = [
        place
        for place in range(start, end)
        if line.tokens[place].text in words and is_deciding(line.tokens[place].text)
    ]
    if not deciding:
        return False
    known = sum(line.unknown(place, place + 1) for place in deciding)
    return line.unknown(start, end) - known < _MUCH_ELSE


def is_deciding(word: str) -> bool:
    """Return whether a word is one for deciding about a move: sure, think, legal, wait, in many languages."""
    return _beginnings("deciding").match(word) is not None


def is_pending(token: Token) -> bool:
    """Return whether a word says that a move is still to be decided: confirm, ponder, provisional."""
    return token.kind == "word" and _beginnings("pending").match(token.text) is not None


@cache
def _beginnings(name: str) -> re.Pattern[str]:
    """Return a pattern for how the words of a class begin; those that end with a point are whole."""
    stems = sorted(load_classes(name))
    return re.compile("|".join(f"{re.escape(stem[:-1])}$" if stem[-1] == "." else re.escape(stem) for stem in stems))


def _found(line: Line, start: int, end: int, kind: Kind) -> Sequence[Piece]:
    """Return the words and phrases of ``kind`` from ``start`` to before ``end``."""
    return [piece for piece in dict.fromkeys(line.pieces[start:end]) if piece is not None and kind in piece.kinds]
