"""Knows what words around a move speak against playing it, by where they stand. Pure."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from pbem.reading import clauses
from pbem.reading.corrections import changes_mind
from pbem.reading.remarks import is_pending, is_question, leaves_rest
from pbem.reading.tokens import Token
from pbem.reading.word_classes import load_classes, load_meanings

ODD = re.compile(r"\b(?:e\.g|z\.\s?b|p\.\s?ex)\.|[\\<>=|{}$%^~`@/\[\]]|--|\w'(?!\w)|(?<!\w)'|(?<!\S)[:;=]['-]?[(/|]")
FEW = 4  # unknown words in the clause of a move
_FEW_BESIDE_A_SIDE, _FEW_BESIDE_A_WORD = 0, 0  # where the move is to take a side, or another word
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
_ALTERNATIVES = load_classes("alternatives")
_DEFINITE = load_classes("definite_articles")
_UNMADE = load_classes("unmade") | {"next", "after", "same"}
_OTHER_SUBJECTS = load_classes("other_subjects")
_HABITS = load_classes("habits")
_LATER = load_classes("later")
_COUNTS = frozenset(load_meanings("numerals")) - load_classes("articles") - {"one", "six"}

_NOW = load_classes("conclusions") | load_classes("now")
_THING = FIRST_PERSON | clauses.POSSESSIVES | clauses.GAME_NOUNS | _TO_ME | _COUNTS | _OWN_ALONE
"""Words that name the sender, or what is played with: ``Stick me on d4``, ``construct three cubes at``."""

_OWN_FORM = re.compile(r"\w{3}ing$|\w\w(?:o|ę|am|ám|ю|у)$")
"""How verbs end by which somebody says what they do, without a pronoun: Bidding, Aggiungo, Kładę."""

_FIRST_FORM = re.compile(r"\w\w(?:ę|ю|у|[aeiy]my|ем|им|ём)$")
"""The same in languages where few nouns end so: Lecimy, Беру."""

_THIRD_FORM = re.compile("[a-z]{3,}[^su]s")
"""How verbs end in English that say what somebody, or a cell, does."""


def is_sound(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether nothing that its clause says speaks against making the move of ``span``."""
    return not any(objects(line, span) for objects in _OBJECTIONS)


def _is_asked(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether its sentence is a question: ``d4?``."""
    return is_question(line, span.sentence[1])


def _is_doubted(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether its clause denies it, doubts it, or leaves it to be decided: ``not d4``, ``d4 provisionally``."""
    return line.has("doubting", *span.clause) or any(map(is_pending, line.tokens[slice(*span.clause)]))


def _is_of_others(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether its clause speaks of somebody else: ``you play d4``; not ``my stone goes to d4``."""
    left, right = span.clause
    return line.has("others", left, right) and not (_speaks_of_own(line, left, right) or _is_placed(line, span))


def _is_foreign_label(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether what stands before a colon announces no move of the sender's: ``Free points: d4``."""
    label = _label(line.tokens, span)
    return label is not None and line.tokens[span.first].kind == "cell" and not _is_own_label(line, *label)


def _is_drowned(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether too many unknown words stand around it: more than a verb and its frills."""
    most = _FEW_OF_OWN if any(token.text in FIRST_PERSON for token in line.tokens[span.clause[0] : span.first]) else FEW
    if _is_worded(line, span):
        most = _FEW_BESIDE_A_SIDE if line.tokens[span.first].text == "take" else _FEW_BESIDE_A_WORD
    return line.unknown(*span.clause) > most


def _is_label_itself(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether a move that is a word announces something: ``Set aside: 5``."""
    following = line.tokens[span.clause[1] : span.clause[1] + 2]
    colon = len(following) > 1 and following[0].text[0] in ":：" and following[1].kind != "stop"
    return colon and _is_worded(line, span)


def _is_done_by_others(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether something else does what a word says: ``That will pass``, ``Det ruller og går``."""
    before = [token.text for token in line.tokens[span.clause[0] : span.first]]
    return (
        _is_worded(line, span) and before[:1] != [] and before[0] in _OTHER_SUBJECTS and FIRST_PERSON.isdisjoint(before)
    )


def _is_infinitive(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether taking a side is only spoken of: ``to take black``."""
    before = line.tokens[span.first - 1] if span.first > span.clause[0] else None
    taking = _is_worded(line, span) and line.tokens[span.first].text.startswith("take")
    return taking and before is not None and before.text in _INFINITIVES and clauses.stands_alone(line, span.first - 1)


def _is_judged(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether something is said of it: ``d4 is strong``, ``the trouble is d4``; but not ``d4 it is``."""
    tokens, (left, right) = line.tokens, span.clause
    behind = (place for place in range(span.last, right) if tokens[place].text in _COPULAS)
    if any(clauses.stands_alone(line, place) for place in behind):
        return True
    copula = any(token.text in _COPULAS for token in tokens[left : span.first])
    return copula and bool(line.unknown(left, right))


def _is_told_to_you(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether the clause before it does nothing but call its reader: ``Toi, d7``."""
    left, start = span.clause[0], span.sentence[0]
    called = line.tokens[start:left]
    return 1 < len(called) < 4 and called[-1].kind == "stop" and called[-2].text in _SECOND_PERSON


def _is_place(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether a noun before a cell makes an address or a seat of it: ``at hall d4``, ``Ik zit op stoel d7``."""
    tokens, left, first = line.tokens, span.clause[0], span.first
    if first - left < 2 or tokens[first].kind != "cell":
        return False
    noun, piece = tokens[first - 1], line.pieces[first - 1]
    return (
        tokens[first - 2].text in _PLACES
        and piece is not None
        and bool(piece.unknown)
        and noun.text not in clauses.GAME_NOUNS
    )


def is_alternative(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether it is offered beside another: ``d4, or e5``."""
    for place in range(max(span.sentence[0], span.clause[0] - 1), span.first):
        text = line.tokens[place].text
        if text in _ALTERNATIVES and clauses.tells(line.pieces[place]) and (text != "of" or place == span.first - 1):
            return True
    return False


def _leaves_rest(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether words behind an "and" put the rest of the turn off: ``d4 e5 and the third later``."""
    behind = line.tokens[span.clause[1] : span.sentence[1]]
    return bool(behind) and behind[0].text in clauses.AND and leaves_rest([token.text for token in behind])


def _is_habit(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether its sentence says what is done always, or in another game: ``I play d4 every time we meet``."""
    return any(token.text in _HABITS for token in line.tokens[slice(*span.sentence)])


def _is_worded(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether a word is, or is in, the move."""
    return any(token.kind == "move" for token in line.tokens[span.first : span.last])


def _is_placed(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether a clause says where its sender places a stone, and by what: ``I'll sneak past it to d4``."""
    left, right = span.clause
    before = line.tokens[left : span.first]
    own = any(token.text in FIRST_PERSON or token.text in clauses.POSSESSIVES for token in before)
    placed = bool(before) and (before[-1].text in _PLACES or before[-1].text in _WITH)
    signs = (piece for piece in line.pieces[left:right] if piece is not None and "others" in piece.kinds)
    return own and placed and all(" ".join(clauses.words_of(line, piece)) in _LANDMARKS for piece in signs)


def _has_stray_letter(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether a letter stands in the sentence that no language knows as a word: half a cell, as in ``d4, e``."""
    return any(
        piece is not None and piece.unknown and token.kind == "word" and len(token.text) == 1
        for token, piece in zip(line.tokens[slice(*span.sentence)], line.pieces[slice(*span.sentence)], strict=True)
    )


def _is_named(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether an article makes a thing of a cell: ``the d4 thing``, ``auf der A3``; not ``I take the d4``."""
    left, right = span.clause
    article = line.tokens[span.first - 1].text if span.first > left else ""
    if article not in _DEFINITE or line.tokens[span.first].kind != "cell":
        return False
    following = line.pieces[span.last] if span.last < right else None
    if article != "the" or (following and following.unknown):
        return True
    return not following and not any(one.text in FIRST_PERSON for one in line.tokens[left:right])


def _is_unjoined(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether words between the parts of a move part them: ``from d4 to f5``; any word joins ``d4 plus f5``."""
    if any(
        one.kind == "cell" and other.text in _REACHING
        for one, other in zip(line.tokens[span.first :], line.tokens[span.first + 1 : span.last], strict=False)
    ):
        return True
    own = any(token.text in FIRST_PERSON for token in line.tokens[span.clause[0] : span.first])
    most, count = _FEW_BETWEEN_OWN if own or span.taking else _FEW_BETWEEN, 0
    for token, piece in zip(line.tokens[span.first : span.last], line.pieces[span.first : span.last], strict=True):
        count = 0 if piece is None and token.kind != "stop" else count + (piece.unknown if piece is not None else 0)
        if count > most or (token.kind == "move" and line.unknown(span.first, span.last)):
            return True
    return False


def _is_corrected(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether the sender changes their mind between its parts: ``d4, sorry, e5``."""
    return is_corrected(line, span.first, span.last)


def is_corrected(line: clauses.Line, first: int, last: int) -> bool:
    """Return whether the sender changes their mind between two moves: ``d4, sorry, e5``."""
    moves = [token for token in line.tokens[first:last] if clauses.is_move(token)]
    return len(moves) > 1 and changes_mind(line.text[moves[0].end : moves[-1].start])


def _compares(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether words between cells say what one does to the other, or that somebody else plays the first.

    ``d4 beats f5``, ``Pick d4 and I pick f5``.
    """
    if span.taking:
        return False
    cells = [place for place in range(span.first, span.last) if clauses.is_move(line.tokens[place])]
    between = range(cells[0] + 1, cells[-1])
    mine = any(token.text in FIRST_PERSON for token in line.tokens[span.sentence[0] : span.first])
    for place in between:
        token, piece = line.tokens[place], line.pieces[place]
        if piece is not None and piece.unknown and _THIRD_FORM.fullmatch(token.text):
            return True
        me = token.text in FIRST_PERSON and (
            token.text not in clauses.AND or line.tokens[place - 1].text in clauses.AND
        )
        if me and not mine and span.first > span.sentence[0]:
            return True
    return False


def _is_own_label(line: clauses.Line, start: int, end: int) -> bool:
    """Return whether what stands before a colon may announce a move of the sender's.

    A clause may; a short label must speak of nobody else, and name the sender or a number: ``Weak spot: d4``.
    """
    words = line.tokens[start:end]
    if len([word for word in words if word.kind == "word"]) >= _LONG_LABEL:
        averse = any(piece and piece.unknown and "others" in piece.kinds for piece in line.pieces[start:end])
        told = line.has("telling", start, end) and line.has("others", start, end)
        unmade = any(word.text in _UNMADE for word in words)
        return not (averse or told or unmade or words[0].text in _SECOND_PERSON)
    signs = [piece for piece in line.pieces[start:end] if piece is not None and "others" in piece.kinds]
    said = {word for piece in signs for word in clauses.words_of(line, piece)}
    if line.has("telling", start, end) or not said <= (
        _SOURCES | THIRD_PERSON if words and words[0].text in _DEICTICS else _SOURCES
    ):
        return False
    own = any(word.text in FIRST_PERSON | _COUNTS | _OWN_ALONE for word in words)
    own = own or (clauses.has_own_stone(words) and words[-1].text in clauses.GAME_NOUNS)
    own = own or any(word.text in _NOW for word in words) or bool(words and _FIRST_FORM.search(words[0].text))
    return not line.unknown(start, end) or own


def _is_governed(line: clauses.Line, span: clauses.Span) -> bool:
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


def _is_own(line: clauses.Line, left: int, place: int) -> bool:
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
    return clauses.has_own_stone(line.tokens[left : place + 4])


def _has_bleak_idiom(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether a phrase like "not bad" stands in the clause of a move, of which it speaks there."""
    found = {piece for piece in line.pieces[slice(*span.clause)] if piece is not None and "idioms" in piece.kinds}
    cell = line.tokens[span.first].kind == "cell"
    bleak = (_NEGATIONS, _DENIALS, _LATER) if cell else (_NEGATIONS, _DENIALS)
    return any(word in words for piece in found for word in clauses.words_of(line, piece) for words in bleak)


def _label(tokens: Sequence[Token], span: clauses.Span) -> tuple[int, int] | None:
    """Return what stands before a colon right before the clause of a move, None where no colon does."""
    left, start = span.clause[0], span.sentence[0]
    if left - 1 < start or tokens[left - 1].text[0] not in ":：":
        return None
    return start, left - 1


def _is_told(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether the clause of ``span`` tells of its move, or the one behind it goes on so: ``d4, was it``."""
    left, right = span.clause
    for place, piece in enumerate(line.pieces[left:right], left):
        before_cell = any(token.kind == "cell" for token in line.tokens[place + 1 : place + 2])
        ordered = len(span.cells) > 1 and before_cell and line.tokens[place].text in SEQUENCE
        if clauses.tells(piece) and not ordered:
            return True
    return False


def _speaks_of_own(line: clauses.Line, left: int, right: int) -> bool:
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
    in_turn = set(texts) <= THIRD_PERSON | SEQUENCE | clauses.AND and not SEQUENCE.isdisjoint(texts)
    own = clauses.has_own_stone(line.tokens[left:right]) and line.unknown(left, right) <= FEW
    return in_turn or own or (not line.unknown(left, right) and not clauses.POSSESSIVES.isdisjoint(texts))


_OBJECTIONS: tuple[Callable[[clauses.Line, clauses.Span], bool], ...] = (
    _is_asked,
    _is_doubted,
    _is_told,
    _is_habit,
    _leaves_rest,
    _is_of_others,
    _is_told_to_you,
    _has_stray_letter,
    _is_named,
    _is_place,
    _is_unjoined,
    _is_corrected,
    _compares,
    _is_foreign_label,
    _is_governed,
    _has_bleak_idiom,
    _is_drowned,
    _is_label_itself,
    _is_done_by_others,
    _is_infinitive,
    _is_judged,
)
"""What speaks against making a move, by what stands in its clause and its sentence; any of it is enough."""
