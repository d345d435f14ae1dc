"""Knows when words beside the clause of a move put the move in doubt, and when they are only a remark. Pure.

A remark may say anything, also "not" and "if": it speaks of the weather, or of the board. It is about the move where
it is as short as "No.", begins with "or" or "if", or has a word for deciding: sure, think, legal, wait.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from pbem.reading import clauses
from pbem.reading.tokens import Token
from pbem.reading.word_classes import beginnings, load_classes
from pbem.reading.wording import Kind, Piece

_LONG_REMARK = 4  # words: a shorter one says too little to be about something else
_SHORT_REMARK = 9  # words: a longer one tells a story
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
_ELSEWHERE_FIRST = frozenset(phrase.split()[0] for phrase in _ELSEWHERE)
_CONTRASTS = load_classes("contrasts")
_REFUSALS = load_classes("refusals")
_REMAINING, _LATER_ON = load_classes("remaining"), load_classes("later_on")
_YET = load_classes("yet")
_UNTIL = _CONDITIONS | load_classes("until")
_MATCHES = load_classes("matches")
_AGAINST = load_classes("against")
_READERS = load_classes("second_person") | load_classes("pronouns_behind")
_OTHER_SUBJECTS = load_classes("third_persons") | load_classes("second_person") | {"they", "er"}
_UNDONE = frozenset(("hasn't", "haven't", "isn't", "aren't", "didn't", "hasnt", "havent", "has", "have", "hat", "hast"))
_TALK = re.compile(
    r"^\W*(?i:no)\W+(?:thank YOU\b|(?i:(?:thank you|thanks) for the (?:game|match)|you(?:['’]re| are) welcome))"
    r"|^\W*(?i:(?:(?:let['’]?s|just|we'll) )?wait and see|just you wait|think it over)\W*$"
)
"""What has words for denying or deciding, and is talk with the others all the same."""

_NEAR = 2  # words behind the one for a match
_OPENINGS = clauses.AND | _CONTRASTS | {"well", "hm", "hmm", "äh", "na", "ach", "oh"}


def is_unsettled(line: clauses.Line) -> bool:
    """Return whether a clause or a sentence without a move puts the move of the line in doubt."""
    if is_elsewhere(line):
        return True
    for start, end in clauses.split_sentences(line.tokens):
        if not clauses.holds_move(line.tokens, start, end):
            if not is_question(line, end) and unsettles(line, start, end):
                return True
            continue
        behind = False
        for left, right in clauses.split_clauses(line.tokens, start, end):
            if clauses.holds_move(line.tokens, left, right):
                behind = True
            elif unsettles(line, left, right, joined=True, behind=behind):
                return True
    return False


def is_retracting(text: str) -> bool:
    """Return whether a line of words takes back the move above it: ``No, sorry``, ``Wrong board``, ``(draft)``."""
    if len(text) > clauses.LONGEST_LINE:
        return False
    line = clauses.read_line(_TALK.sub("", text))
    tokens = line.tokens
    sentences = list(clauses.split_sentences(tokens))
    plain = [part for part in sentences if not clauses.holds_move(tokens, *part)]
    if is_elsewhere(line) or any(_corrects(line, *part) or _leaves_open(line, *part) for part in plain):
        return True
    parts = [clause for part in sentences for clause in clauses.split_clauses(tokens, *part)]
    return any(_waits(line, *clause) for clause in parts)


def _leaves_open(line: clauses.Line, start: int, end: int) -> bool:
    """Return whether a sentence below a move says that it is not decided yet: ``not sure though``.

    Who tells of the past, or judges, leaves nothing open: ``That was a good idea``.
    """
    deciding = any(is_pending(token) or is_deciding(token.text) for token in line.tokens[start:end])
    if not deciding or _tells_of_somebody(_words(line, start, end)):
        return False
    told = (" ".join(clauses.words_of(line, piece)) for piece in _found(line, start, end, "telling"))
    return _UNTIL.issuperset(told) and unsettles(line, start, end)


def _waits(line: clauses.Line, start: int, end: int) -> bool:
    """Return whether a clause below a move says not to make it: ``Bitte noch nicht ausführen``, ``don't roll``."""
    words = _words(line, start, end)
    if len(words) >= _SHORT_REMARK or _NEGATIONS.isdisjoint(words) or _tells_of_somebody(words):
        return False
    yet = sum(line.unknown(place, place + 1) for place in range(start, end) if line.tokens[place].text in _YET)
    postponed = not _YET.isdisjoint(words) and line.unknown(start, end) - yet < _MUCH_ELSE
    disowned = any(
        one in clauses.POSSESSIVES and two in clauses.GAME_NOUNS for one, two in pairwise(words)
    )  # "isn't my move"
    return postponed or disowned or clauses.holds_move(line.tokens, start, end)


def _tells_of_somebody(words: Sequence[str]) -> bool:
    """Return whether words tell what somebody else has not done: ``he hasn't seen it yet``."""
    subject = next((word for word in words if word not in _OPENINGS), "")
    return subject in _OTHER_SUBJECTS and not (_UNDONE.isdisjoint(words) or any(map(is_deciding, set(words) - _YET)))


def unsettles(line: clauses.Line, start: int, end: int, *, joined: bool = False, behind: bool = False) -> bool:
    """Return whether the words from ``start`` to before ``end``, without a move, put a move beside them in doubt.

    ``joined`` if they share a sentence with it, ``behind`` if they stand behind it there.
    """
    signs = _found(line, start, end, "doubting")
    told = _found(line, start, end, "telling")
    words = _words(line, start, end)
    if _corrects(line, start, end) or (not (joined and not behind) and _postpones(words)):
        return True
    if line.unknown(start, end) <= _MUCH_ELSE + 1 and any(map(is_pending, line.tokens[start:end])):
        return True
    if (leaves_rest(words) and (joined or words[0] != "more")) or (
        behind and _restricts(line, start, words, signs or told)
    ):
        return True
    if not (signs or told):
        return False
    if _decides(line, start, end, words):
        return True
    opening = next((word for word in words if word not in _OPENINGS), "")
    if opening in _ALTERNATIVES or (not line.unknown(start, end) and not _ALTERNATIVES.isdisjoint(words)):
        return True
    if opening in _CONDITIONS or any(" ".join(words[:n]) in _CONDITIONS for n in (2, 3)):
        return joined or len(words) < _LONG_CONDITION
    if joined and signs and (not line.unknown(start, end) or (not behind and opening in _NOT)):
        return True
    denies = all(_NEGATIONS.issuperset(clauses.words_of(line, piece)) for piece in signs)
    if behind and told and len(words) <= _LONG_REMARK and opening in clauses.words_of(line, told[0]):
        return True
    if len(words) < _LONG_REMARK:
        says_little = not line.unknown(start, end) or not _REFUSALS.isdisjoint(words)
        return (says_little and (bool(signs) or behind)) if denies else True
    return joined and not all(_HARMLESS.issuperset(clauses.words_of(line, piece)) for piece in signs)


def leaves_rest(words: Sequence[str]) -> bool:
    """Return whether words put a part of a turn off: ``the last one I still owe you``, ``rest to follow``."""
    return len(words) < _SHORT_REMARK and not (_REMAINING.isdisjoint(words) or _LATER_ON.isdisjoint(words))


def _restricts(line: clauses.Line, start: int, words: Sequence[str], signs: Sequence[Piece]) -> bool:
    """Return whether words behind a "but" doubt or put off what stands before it: ``d4 but which way``."""
    contrast = start and line.tokens[start - 1].text in _CONTRASTS
    deciding = any(map(is_deciding, words))
    return bool(contrast and (signs or deciding or not _LATER_ON.isdisjoint(words)))


def asks(line: clauses.Line, start: int, end: int) -> bool:
    """Return whether a sentence asks about the move of another, and not after somebody's health."""
    if not is_question(line, end):
        return False
    words = _words(line, start, end)
    if _decides(line, start, end, words) or (words and words[0] in _ALTERNATIVES):
        return True
    if line.has("idioms", start, end) or clauses.holds_move(line.tokens, start, end):
        return False
    return len(words) < _LONG_REMARK and not line.unknown(start, end)


def is_question(line: clauses.Line, end: int) -> bool:
    """Return whether the sentence that ends before ``end`` has a question mark."""
    return any(sign in line.tokens[end - 1].text for sign in "?？")


def _corrects(line: clauses.Line, start: int, end: int) -> bool:
    """Return whether words begin like a correction: ``no, sorry``, ``no - the other one``."""
    first, second = (line.tokens[start], line.tokens[start + 1]) if end - start > 1 else (line.tokens[start], None)
    return first.text in _NOES and (second is None or second.kind in ("stop", "end") or second.text in _SORRY)


def _postpones(words: Sequence[str]) -> bool:
    """Return whether words ask for leave to do something first: ``let me do the sums again``."""
    return any({one, f"{one} {two}"} & _LET_ME for one, two in pairwise([*words, ""]))


def is_elsewhere(line: clauses.Line) -> bool:
    """Return whether a line speaks of another match: ``wrong board``, ``In my match with Carl``."""
    words = [token.text.rpartition("'")[2] if token.kind == "word" else "" for token in line.tokens]
    if any(one in _ELSEWHERE_FIRST and f"{one} {two}" in _ELSEWHERE for one, two in pairwise(words)):
        return True
    named = (words[place + 1 : place + 4] for place, word in enumerate(words) if word in _MATCHES)
    return any(
        one in _AGAINST and two and two not in _READERS and place < _NEAR
        for following in named
        for place, (one, two) in enumerate(pairwise(following))
    )


def _words(line: clauses.Line, start: int, end: int) -> Sequence[str]:
    """Return the words from ``start`` to before ``end``."""
    return [token.text for token in line.tokens[start:end] if token.kind in ("word", "far_east")]


def _decides(line: clauses.Line, start: int, end: int, words: Sequence[str]) -> bool:
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


@lru_cache(maxsize=2048)
def is_deciding(word: str) -> bool:
    """Return whether a word is one for deciding about a move: sure, think, legal, wait, in many languages."""
    return beginnings("deciding").match(word)


def is_pending(token: Token) -> bool:
    """Return whether a word says that a move is still to be decided: confirm, ponder, provisional."""
    return token.kind == "word" and _is_pending(token.text)


@lru_cache(maxsize=2048)
def _is_pending(word: str) -> bool:
    """Return the same for a word."""
    return beginnings("pending").match(word)


def _found(line: clauses.Line, start: int, end: int, kind: Kind) -> Sequence[Piece]:
    """Return the words and phrases of ``kind`` from ``start`` to before ``end``."""
    return [piece for piece in dict.fromkeys(line.pieces[start:end]) if piece is not None and kind in piece.kinds]
