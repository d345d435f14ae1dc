"""Finds the one move in a line of words, with the position at hand: no list of friendly phrases, one rule. Pure.

All tokens of a line that are moves or parts of moves are found. If together, in order, they are exactly one move, and
the other words hold no sign of a question, a negation, a condition, doubt, an alternative, a correction or a report,
that move is meant, and the other words are a comment. Signs are words of the closed classes of many languages
(``wording``): where they have to stand to count depends on the sign. A long line in none of these languages is left
alone. docs/reading.md tells it to players' hosts.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from pbem.commands.classes import load_classes, load_meanings
from pbem.commands.phrasing import MARK, is_doubtful, takes_back
from pbem.commands.spelling import Token, may_hold_move, read_tokens
from pbem.commands.wording import Kind, Piece, split_pieces
from rules import InvalidMove, Position, RulesError

_LONGEST = 400  # characters of a line that is looked through
_FEW, _FEW_BESIDE_A_WORD = 3, 1  # unknown words in the clause of a move, and of a move that is a word
_FEW_OF_OWN = 6  # unknown words in the clause of a move that its sender says to be theirs
_FEW_BETWEEN, _FEW_BETWEEN_OWN = 1, 3  # unknown words between two cells of a move
_FEWEST_KNOWN = 0.25  # of the words of a line with more unknown ones
_SHORTEST = min(len(phrase) for phrase in load_classes("giving_up") if phrase.isascii())  # characters of giving up
_MOST_MOVES = 24  # cells and other moves on a line

_SMILEY = re.compile(r"(?<!\S)(?:[:;=8][-^']?[)dpo3*]|\^\^|<3|xd)(?![^\s.,!])")
_ODD = re.compile(r"\b(?:e\.g|z\.\s?b|p\.\s?ex)\.|[\\<>=|{}$%^~`@/\[\]¿]|--|\w'(?!\w)|(?<!\w)'|(?<!\S)[:;=]['-]?[(/|]")
_NUMBERED = re.compile(r"^\s*[0-9]{1,3}[.)]\s+(?=\S)")
_GIVING_UP = load_classes("giving_up")
_GIVES_UP = re.compile("|".join(map(re.escape, sorted(_GIVING_UP))))
_GIVING_UP_WORDS = frozenset(max(reversed(phrase.split()), key=len) for phrase in _GIVING_UP)
_GIVING_UP_FAR_EAST = tuple(phrase for phrase in _GIVING_UP if phrase[0] > "\u3000")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_COPULAS = load_classes("copulas")
_NEGATIONS = load_classes("negations")
_DENIALS = load_classes("denials")
_ABOUT_IT = load_classes("about_it")
_CONTRASTS = load_classes("contrasts")
_ALTERNATIVES = load_classes("alternatives")
_REASONS = load_classes("reasons")
_PAST = load_classes("past")
_POSSESSIVES = load_classes("possessives")
_THIRD_PERSON = load_classes("third_person")
_LONG_REMARK = 4  # words
_AND = load_classes("and")
_INTENTIONS = load_classes("intentions")
_GREETINGS = load_classes("greetings")
_INFINITIVES = load_classes("infinitives")
_FIRST_PERSON = load_classes("first_person")
_SEQUENCE = load_classes("sequence")
_YOURS = load_classes("yours")
_RATHER_THAN = load_classes("rather_than")
_WELL_THEN = load_classes("well_then")
_REACHING = load_classes("reaching")
_DEICTICS = load_classes("deictics")
_TO_ME = load_classes("to_me")
_GAME_NOUNS = load_classes("game_nouns")
_SOURCES = load_classes("sources")
_CONCLUSIONS = load_classes("conclusions")
_EMPTY_DENIALS = load_classes("empty_denials")
_REFUSALS = load_classes("refusals")
_LATER = load_classes("later")
_COUNTS = frozenset(load_meanings("numerals")) - load_classes("articles") - {"one", "six"}

_OWN_FORM = re.compile(r"\w{3}ing$|\w\w(?:o|ę|am|ám|ю|у)$")
"""How verbs end by which somebody says what they do, without a pronoun: Bidding, Aggiungo, Kładę."""

_THIRD_FORM = re.compile("[a-z]{3,}[^su]s")
"""How verbs end in English that say what somebody, or a cell, does."""

_ARROW = re.compile(r"(?<=[0-9])( ?(?:[→⇒➔➡►▶+&]|[-–=]>) ?)(?=[a-z][0-9])")
_THOUGHT = re.compile(
    r"^\W*(?:after|following|nach|après|apr[eè]s|después de|tras|dopo|depois de|na|efter|etter|po|после)"
    r" [^,:.!?]{0,40}?\b(?:think|thinking|thought|consideration|überlegen|überlegung|nachdenken|réflexion|réfléchir"
    r"|pensar|pensarlo|riflessione|pensarci|nadenken|beraad|funderande|fundering|tænkning|namyśle|zastanowieniu|раздумий"
    r"|размышлений)\s?[,:]"
)
"""What somebody thought about before a move, and is done with."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a line, whatever the position: its ``move`` as a game may read it.

    ``said`` are the other words if they say anything. ``brief``: few unknown words stand on the line. ``bare``: none
    stand beside the move, so that it was meant even if it cannot be made. ``mentions`` are only spoken of: they must
    be cells that are taken or no moves at all. ``refused`` are cells that the sender does not want.
    """

    move: str
    said: str
    brief: bool
    bare: bool
    mentions: tuple[str, ...] = ()
    refused: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Line:
    """A line in tokens, with the piece of words that each token lies in; None for a token that is no word."""

    text: str
    tokens: tuple[Token, ...]
    pieces: tuple[Piece | None, ...]
    known: float

    def has(self, kind: Kind, start: int = 0, end: int | None = None) -> bool:
        """Return whether a word of ``kind`` stands among the tokens from ``start`` to before ``end``."""
        return any(piece is not None and kind in piece.kinds for piece in self.pieces[start:end])

    def unknown(self, start: int, end: int) -> int:
        """Return how many unknown words stand among these tokens."""
        return sum(piece.unknown for piece in dict.fromkeys(self.pieces[start:end]) if piece is not None)


@dataclass(frozen=True, slots=True)
class _Span:
    """The tokens of a move: from ``first`` to before ``last``, in a clause and a sentence of the line."""

    first: int
    last: int
    clause: tuple[int, int]
    sentence: tuple[int, int]
    moves: tuple[str, ...]
    cells: tuple[str, ...]


def read_sentence(position: Position[Any], line: str, above: str = "") -> tuple[Reading, str] | None:
    """Return how ``line`` is read in ``position``, and its move, canonical; None where it means none, or is in doubt.

    The move is empty where the line is bare, and its move cannot be made. ``above`` is the unfinished sentence that
    ``line`` may go on with.
    """
    found = [reading for reading in scan_line(line, above) if _fits(position, reading)]
    for reading in found:
        if move := legal(position, reading.move):
            return None if reading.refused.intersection(move.split()) else (reading, move)
    return next(((reading, "") for reading in found if reading.bare and _is_formed(position, reading.move)), None)


@lru_cache(maxsize=4096)  # most lines of our emails are the same in all of them
def scan_line(line: str, above: str = "") -> tuple[Reading, ...]:
    """Return the ways to read ``line``, the first that fits the position counts; none where no move can be meant."""
    if len(line) > _LONGEST or MARK in line:
        return ()
    text = line.lower().replace("’", "'").replace("‘", "'")
    if len(text) != len(line) or not may_hold_move(text):
        return ()
    for pattern in (_SMILEY, _NUMBERED, _THOUGHT, _ARROW):
        text = pattern.sub(lambda found: " " * len(found[0]), text, count=5)
    if _ODD.search(text) or is_doubtful(text.replace("?", " ").replace("？", " ")) or _gives_up(text):
        return ()
    if takes_back(text):
        return ()
    tokens, refused, denied = _without_refused(tuple(read_tokens(text)))
    if not 0 < sum(map(_is_move, tokens)) <= _MOST_MOVES or any(token.kind == "odd" for token in tokens):
        return ()
    if all(token.kind != "word" for token in tokens) and any(token.kind == "number" for token in tokens):
        return ()  # a row of our boards, or what the rules can read by themselves
    pieces, known = split_pieces(tokens)
    whole = _Line(line, tokens, pieces, known)
    stray = any(
        piece and piece.unknown and len(token.text) == 1 and token.kind == "word"
        for token, piece in zip(tokens, pieces, strict=True)
    )
    if stray or _is_in_doubt(whole) or _unknown_language(whole) or _leads_astray(above):
        return ()
    return tuple(replace(one, mentions=(*one.mentions, *denied)) for one in _readings(whole, refused))


def _readings(line: _Line, refused: frozenset[str]) -> Iterator[Reading]:
    """Yield the ways to read a line that holds a move somewhere."""
    sentences = list(_sentences(line.tokens))
    spans = [span for start, end in sentences if (span := _span(line, start, end))]
    if any(map(_asks_in(line), sentences)) or not spans:
        return
    if len(spans) == 1 and len(spans[0].cells) == 2 and (taking := _capture(line, spans[0], sentences)):
        yield from (_reading(line, [taking], text, refused) for text in taking.moves)
    sound = [span for span in spans if _is_sound(line, span, sentences)]
    if len({span.moves for span in spans}) == 1:
        if len(sound) == len(spans):
            for text in spans[0].moves:
                yield _reading(line, sound, text, refused)
    elif len(sound) == len(spans) and not any(line.unknown(*span.sentence) for span in spans):
        yield _reading(line, sound, ", ".join(span.moves[0] for span in spans), refused)
    else:
        for span in (sound[-1:] + sound[:1])[: 2 if len(sound) > 1 else 1]:
            others = [other for other in spans if other is not span]
            if all(line.unknown(*other.sentence) for other in others):
                mentions = tuple(cell for other in others for cell in other.cells)
                for text in span.moves:
                    yield _reading(line, [span], text, refused, mentions)


def _capture(line: _Line, span: _Span, sentences: Sequence[tuple[int, int]]) -> _Span | None:
    """Return ``span`` as one cell that takes the other, whichever; None where words speak against it.

    In a position at most one of them can: who is placed needs a free cell, who is taken stands on one.
    """
    cells = [place for place in range(span.first, span.last) if line.tokens[place].kind == "cell"]
    if len(cells) != len(span.cells):
        return None
    first, second = cells
    between = [token for token in line.tokens[first + 1 : second] if token.kind in ("word", "far_east")]
    after = [token for token in line.tokens[second + 1 : span.clause[1]] if token.kind in ("word", "far_east")]
    parts = [token for token in line.tokens[span.first : span.last] if token.kind in ("part", "number")]
    if any(part.text != "x" for part in parts) or not (between or after or parts):
        return None
    pieces = list(line.pieces)
    for place in range(first + 1, span.clause[1]):
        text = line.tokens[place].text
        if (text in _YOURS and second - 4 < place < second) or text in _THIRD_PERSON:
            pieces[place] = None
    plain = _Line(line.text, line.tokens, tuple(pieces), line.known)
    if not _is_sound(plain, span, sentences, taking=True):
        return None
    one, other = span.cells
    return replace(span, moves=(f"{one}x{other}", f"{other}x{one}"))


def _reading(
    line: _Line, spans: Sequence[_Span], move: str, refused: frozenset[str], mentions: tuple[str, ...] = ()
) -> Reading:
    """Return the reading of ``line`` whose move stands in ``spans``."""
    bare = all(_says_nothing_more(line, span) for span in spans)
    brief = line.unknown(0, len(line.tokens)) <= _FEW and not mentions
    return Reading(move, _said(line, spans, refused), brief, bare and brief, mentions, refused)


def _is_in_doubt(line: _Line) -> bool:
    """Return whether a word on the line denies or doubts: anywhere, but a mere "not" in a longer remark of its own."""
    for start, end in _sentences(line.tokens):
        signs = {piece for piece in line.pieces[start:end] if piece is not None and "doubting" in piece.kinds}
        if not signs:
            continue
        words = [token.text for token in line.tokens[start:end] if token.kind == "word"]
        if not any(map(_is_move, line.tokens[start:end])) and all(_denies_nothing(line, piece) for piece in signs):
            continue
        denied = {word for piece in signs for word in _texts(line, piece)}
        remark = len(words) > _LONG_REMARK and not any(map(_is_move, line.tokens[start:end]))
        if not (remark and denied <= _DENIALS and words[0] not in _DENIALS and _ABOUT_IT.isdisjoint(words)):
            return True
    return False


def _denies_nothing(line: _Line, piece: Piece) -> bool:
    """Return whether a sign only denies a thing that has nothing to do with a move: ``nothing personal``."""
    if piece.end - piece.start > 1 or line.tokens[piece.start].text not in _EMPTY_DENIALS:
        return False
    following = line.tokens[piece.end] if piece.end < len(line.tokens) else None
    if following is None or following.kind != "word" or following.text in _REFUSALS | _ABOUT_IT:
        return False
    behind = line.pieces[piece.end]
    return behind is not None and (bool(behind.unknown) or following.text == "more")


def _texts(line: _Line, piece: Piece) -> Iterator[str]:
    """Yield the words of ``piece``."""
    return (token.text for token in line.tokens[piece.start : piece.end])


def _says_nothing_more(line: _Line, span: _Span) -> bool:
    """Return whether the clause of a move is the move alone, or says no more than that its sender makes it."""
    words = [token for token in line.tokens[slice(*span.clause)] if token.kind in ("word", "far_east")]
    own = any(token.text in _FIRST_PERSON or token.text in _POSSESSIVES for token in words)
    joins = _AND | _SEQUENCE | _THIRD_PERSON | _GAME_NOUNS
    return not line.unknown(*span.clause) and (own or not words or all(word.text in joins for word in words))


def _sentences(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a line, each with the sign at its end.

    A dash or a bracket behind a move ends its sentence, too, where no other move follows: what follows is a remark.
    """
    start, last = 0, max((place for place, token in enumerate(tokens) if _is_move(token)), default=0)
    for place, token in enumerate(tokens):
        if token.kind == "end" or (place > last and _begins_remark(token)):
            yield start, place + 1
            start = place + 1
    if start < len(tokens):
        yield start, len(tokens)


def _span(line: _Line, start: int, end: int) -> _Span | None:
    """Return where the move stands in a sentence, and how it may be read, or None where there is none in it."""
    tokens = line.tokens
    own = [place for place in range(start, end) if _is_move(tokens[place])]
    if not own:
        return None
    left, right = own[0], own[-1] + 1
    while left > start and not _ends_clause(tokens[left - 1]):
        left -= 1
    while right < end and not (_ends_clause(tokens[right]) or tokens[right].text in _AND):
        right += 1
    parts = [
        place for place in range(start, end) if _is_move(tokens[place]) or tokens[place].kind in ("part", "number")
    ]
    first, last = parts[0], parts[-1] + 1
    whole = _compose(tokens[first:last])
    texts = [whole]
    apart = all(tokens[place].kind != "part" for place in parts)
    if apart and not any(tokens[place].kind == "number" for place in range(left, right)):
        cells = _compose([token for token in tokens[own[0] : own[-1] + 1] if token.kind != "number"])
        texts = list(dict.fromkeys([whole, cells]))
        first, last = (own[0], own[-1] + 1) if len(texts) > 1 else (first, last)
    clause = (min(left, first), max(right, last))
    if len(tokens) > len(own) > len({tokens[place].text for place in own}) and len(set(parts)) == len(own):
        texts.append(" ".join(dict.fromkeys(tokens[place].text for place in own)))  # "f three, that is f3"
    if whole[:1].isdigit():
        texts.append(f"use {whole}")  # "the 4 from my store goes to c2, 6 facing north"
    return _Span(first, last, clause, (start, end), tuple(texts), tuple(tokens[place].text for place in own))


def _is_sound(line: _Line, span: _Span, sentences: Sequence[tuple[int, int]], *, taking: bool = False) -> bool:
    """Return whether nothing that is said speaks against making the move of ``span``."""
    tokens, (left, right) = line.tokens, span.clause
    if _is_told(line, span) or (line.has("others", left, right) and not _speaks_of_own(line, left, right)):
        return False
    if not _joins(line, span) or (not taking and _compares(line, span)):
        return False
    label = _label(tokens, span)
    if label is not None and tokens[span.first].kind == "cell" and not _is_own_label(line, *label):
        return False  # "Free points: d4"
    if _is_governed(line, span) or _has_bleak_idiom(line, span):
        return False
    worded = any(token.kind == "move" for token in tokens[span.first : span.last])
    own = _FEW_OF_OWN if any(token.text in _FIRST_PERSON for token in tokens[left : span.first]) else _FEW
    if line.unknown(left, right) > (_FEW_BESIDE_A_WORD if worded else own):
        return False
    before = tokens[span.first - 1] if span.first > left else None
    if worded and before is not None and before.text in _INFINITIVES and _single(line, span.first - 1):
        return False
    if any(
        token.text in _COPULAS and _single(line, span.last + n) for n, token in enumerate(tokens[span.last : right])
    ):
        return False  # "d4 is strong"; but not "d4 it is"
    copula = any(token.text in _COPULAS for token in tokens[left : span.first])
    if copula and line.unknown(left, right):  # "the trouble is d4"
        return False
    following = [sentence for sentence in sentences if sentence[0] >= span.sentence[1]]
    return not any(_goes_on(line, start, end) for start, end in following)


def _joins(line: _Line, span: _Span) -> bool:
    """Return whether the words between the parts of a move may join them, whatever they are: ``d4 plus f5``.

    A verb of the third person says what one cell does to another: ``d4 beats f5``.
    """
    if any(
        one.kind == "cell" and other.text in _REACHING
        for one, other in zip(line.tokens[span.first :], line.tokens[span.first + 1 : span.last], strict=False)
    ):
        return False  # "from d4 to f5"
    own = any(token.text in _FIRST_PERSON for token in line.tokens[span.clause[0] : span.first])
    most, count = _FEW_BETWEEN_OWN if own else _FEW_BETWEEN, 0
    for token, piece in zip(line.tokens[span.first : span.last], line.pieces[span.first : span.last], strict=True):
        count = 0 if piece is None and token.kind != "stop" else count + (piece.unknown if piece is not None else 0)
        if count > most or (token.kind == "move" and line.unknown(span.first, span.last)):
            return False
    return True


def _compares(line: _Line, span: _Span) -> bool:
    """Return whether words between cells say what one does to the other, or that somebody else plays the first.

    ``d4 beats f5``, ``Pick d4 and I pick f5``.
    """
    between = range(span.first + 1, span.last)
    mine = any(token.text in _FIRST_PERSON for token in line.tokens[span.sentence[0] : span.first])
    for place in between:
        token, piece = line.tokens[place], line.pieces[place]
        if piece is not None and piece.unknown and _THIRD_FORM.fullmatch(token.text):
            return True
        me = token.text in _FIRST_PERSON and (token.text not in _AND or line.tokens[place - 1].text in _AND)
        if me and not mine and span.first > span.sentence[0]:
            return True
    return False


def _is_own_label(line: _Line, start: int, end: int) -> bool:
    """Return whether what stands before a colon may announce a move of the sender's."""
    words = line.tokens[start:end]
    signs = [piece for piece in line.pieces[start:end] if piece is not None and "others" in piece.kinds]
    said = {word for piece in signs for word in _texts(line, piece)}
    if not said <= (_SOURCES | _THIRD_PERSON if words and words[0].text in _DEICTICS else _SOURCES):
        return False
    own = any(word.text in _FIRST_PERSON | _COUNTS for word in words)
    own = own or (_has_own_stone(words) and words[-1].text in _GAME_NOUNS)
    return line.unknown(start, end) <= (_FEW if own else 0)


def _is_governed(line: _Line, span: _Span) -> bool:
    """Return whether an unknown word before a move, in its clause, may say what is not done with it: ``forget d4``.

    It says nothing bad behind "I'll" or a greeting; words with letters that no listed language lacks are few.
    """
    left, before = span.clause[0], line.tokens[span.clause[0] : span.first]
    if before and (before[0].text in _COPULAS or (before[0].text == "to" and len(before) > 1)):
        return True  # "is d4 good", "to play d4"
    texts = [token.text for token in before]
    if not _INTENTIONS.isdisjoint(texts) or any(f"{one} {two}" in _INTENTIONS for one, two in pairwise(texts)):
        return False
    for place, token in enumerate(before, left):
        piece = line.pieces[place]
        if piece is None or not piece.unknown or not token.text.isascii():
            continue
        greeted = place > left and line.tokens[place - 1].text in _GREETINGS
        said = place == left and _OWN_FORM.search(token.text) and (len(before) <= _FEW or token.text.endswith("ing"))
        if not (greeted or said or _is_own(line, left, place)):
            return True
    return False


def _is_own(line: _Line, left: int, place: int) -> bool:
    """Return whether what stands around an unknown word says that its sender does it: I, my next stone, two more.

    Or that its verb is said of the sender: ``Dropping anchor at``, ``Give me``.
    """
    before, following = line.tokens[left:place], line.tokens[place + 1 : place + 2]
    if line.tokens[place].text.startswith("j'"):
        return True
    if any(token.text in _FIRST_PERSON or token.text in _COUNTS for token in before):
        return True
    if any(token.text in _TO_ME for token in following) or (before and _OWN_FORM.search(before[0].text)):
        return True
    return _has_own_stone(line.tokens[left : place + 4])


def _has_own_stone(tokens: Sequence[Token]) -> bool:
    """Return whether a possessive of the first person stands before a word for what is played with: my last stone."""
    texts = [token.text for token in tokens]
    return any(
        text in _POSSESSIVES and not _GAME_NOUNS.isdisjoint(texts[place + 1 : place + 4])
        for place, text in enumerate(texts)
    )


def _has_bleak_idiom(line: _Line, span: _Span) -> bool:
    """Return whether a phrase like "not bad" stands in the clause of a move, of which it speaks there."""
    found = {piece for piece in line.pieces[slice(*span.clause)] if piece is not None and "idioms" in piece.kinds}
    cell = line.tokens[span.first].kind == "cell"
    bleak = (_NEGATIONS, _DENIALS, _LATER) if cell else (_NEGATIONS, _DENIALS)
    return any(word in words for piece in found for word in _texts(line, piece) for words in bleak)


def _label(tokens: Sequence[Token], span: _Span) -> tuple[int, int] | None:
    """Return what stands before a colon right before the clause of a move, None where no colon does."""
    left, start = span.clause[0], span.sentence[0]
    if left - 1 < start or tokens[left - 1].text[0] not in ":：":
        return None
    begin = left - 1
    while begin > start and not _ends_clause(tokens[begin - 1]):
        begin -= 1
    return begin, left - 1


def _is_told(line: _Line, span: _Span) -> bool:
    """Return whether the sentence of ``span`` tells of its move: in its clause, or before it, or shortly behind it.

    A longer clause behind a move is a remark about the past where it speaks of something else.
    """
    (start, end), (_, right) = span.sentence, span.clause
    for place, piece in enumerate(line.pieces[start:right], start):
        before_cell = any(token.kind == "cell" for token in line.tokens[place + 1 : place + 2])
        ordered = len(span.cells) > 1 and before_cell and line.tokens[place].text in _SEQUENCE
        if _tells(piece) and not ordered:
            return True
    remark = line.tokens[right:end]
    signs = [token.text for token, piece in zip(remark, line.pieces[right:end], strict=True) if _tells(piece)]
    words = [token for token in remark if token.kind == "word"]
    mine = any(token.text in _FIRST_PERSON for token in words)
    return bool(signs) and not (len(words) >= _LONG_REMARK and not mine and _PAST.issuperset(signs))


def _tells(piece: Piece | None) -> bool:
    """Return whether a word tells of a move."""
    return piece is not None and "telling" in piece.kinds


def _speaks_of_own(line: _Line, left: int, right: int) -> bool:
    """Return whether a clause says what the sender's own stone does: ``my stone goes to d4``."""
    signs = {
        token.text
        for token, piece in zip(line.tokens[left:right], line.pieces[left:right], strict=True)
        if piece is not None and "others" in piece.kinds
    }
    if not signs <= _THIRD_PERSON:
        return False
    texts = [token.text for token in line.tokens[left:right] if token.kind == "word"]
    in_turn = set(texts) <= _THIRD_PERSON | _SEQUENCE | _AND and not _SEQUENCE.isdisjoint(texts)
    own = _has_own_stone(line.tokens[left:right]) and line.unknown(left, right) <= _FEW
    return in_turn or own or (not line.unknown(left, right) and not _POSSESSIVES.isdisjoint(texts))


def _goes_on(line: _Line, start: int, end: int) -> bool:
    """Return whether a sentence goes on with the one before it: it begins ``Or …``, or is as short as ``I think``."""
    short = sum(token.kind == "word" for token in line.tokens[start:end]) < _LONG_REMARK
    return _tells(line.pieces[start]) or (short and line.has("telling", start, end))


def _looks_back(line: _Line, start: int, end: int) -> bool:
    """Return whether a sentence says how something was: ``that was brilliant``."""
    signs = [
        token.text for token, piece in zip(line.tokens[start:end], line.pieces[start:end], strict=True) if _tells(piece)
    ]
    return _PAST.issuperset(signs) and not _tells(line.pieces[start]) and not line.has("doubting", start, end)


def _single(line: _Line, place: int) -> bool:
    """Return whether the word at ``place`` is in no phrase."""
    piece = line.pieces[place]
    return piece is not None and piece.end - piece.start == 1


def _asks_in(line: _Line) -> Callable[[tuple[int, int]], bool]:
    """Return a function that says of a sentence whether it asks about the move, and not after somebody's health."""

    def asks(sentence: tuple[int, int]) -> bool:
        start, end = sentence
        if not any(sign in line.tokens[end - 1].text for sign in "?？"):
            return False
        if any(map(_is_move, line.tokens[start:end])):
            return True
        mine = any(token.text in _FIRST_PERSON for token in line.tokens[start:end])
        return not (line.has("idioms", start, end) or (line.has("others", start, end) and not mine))

    return asks


def _gives_up(text: str) -> bool:
    """Return whether a line, in small letters, may give the match up."""
    if not _GIVING_UP_WORDS.isdisjoint(_WORD.findall(text)) and _GIVES_UP.search(text):
        return True
    return not text.isascii() and any(phrase in text for phrase in _GIVING_UP_FAR_EAST)


def resigns_in(line: str) -> str | None:
    """Return the other words of a line that gives the match up in a sentence or clause of its own, else None."""
    if len(line) > _LONGEST or (len(line) < _SHORTEST and line.isascii()):
        return None
    text = line.lower().replace("’", "'")
    if not _gives_up(text) or len(text) != len(line):
        return None
    if MARK in line or _ODD.search(text) or is_doubtful(text):
        return None
    tokens = read_tokens(text)
    pieces, known = split_pieces(tokens)
    whole = _Line(line, tokens, pieces, known)
    if any(map(_is_move, tokens)) or _is_in_doubt(whole) or takes_back(text):
        return None
    for start, end in _sentences(tokens):
        for left, right in _clauses(tokens, start, end):
            while left < right - 1 and tokens[left].text in _WELL_THEN:
                left += 1
            while right > left + 2 and tokens[right - 1].text in _WELL_THEN:
                right -= 1
            words = " ".join(token.text for token in tokens[left:right])
            if words not in _GIVING_UP or (words == "resign" and left):
                continue
            others = _Line(line, tokens, (*pieces[:left], *([None] * (right - left)), *pieces[right:]), known)
            if any(others.has(kind, start, end) for kind in ("doubting", "telling")):
                return None
            if words == "resign" and others.has("others", start, end):
                return None
            if others.unknown(0, len(tokens)) > 2 * _FEW and known < _FEWEST_KNOWN:
                return None
            following = [sentence for sentence in _sentences(tokens) if sentence[0] >= end]
            if any(_goes_on(whole, *sentence) and not _looks_back(whole, *sentence) for sentence in following):
                return None
            before, after = (
                line[: tokens[left].start].strip(" ,;:-–—"),
                line[tokens[right - 1].end :].lstrip(" ,;:-–—.!"),
            )
            return f"{before} {after}".strip()
    return None


def _clauses(tokens: Sequence[Token], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the clauses of a sentence, without the signs between them."""
    left = start
    for place in range(start, end + 1):
        if place == end or _ends_clause(tokens[place]):
            if left < place:
                yield left, place
            left = place + 1


def _unknown_language(line: _Line) -> bool:
    """Return whether a line has many unknown words, and few that one language knows."""
    return line.unknown(0, len(line.tokens)) > _FEW and line.known < _FEWEST_KNOWN


def _leads_astray(above: str) -> bool:
    """Return whether an unfinished sentence says that what follows is no move."""
    if not above:
        return False
    tokens = tuple(read_tokens(above.lower().replace("’", "'")[-_LONGEST:]))
    pieces, known = split_pieces(tokens)
    line = _Line(above, tokens, pieces, known)
    start = list(_sentences(tokens))[-1][0] if tokens else 0
    return line.has("doubting", start) or line.has("telling", start)


def _without_refused(
    tokens: tuple[Token, ...],
) -> tuple[tuple[Token, ...], frozenset[str], tuple[str, ...]]:
    """Return the tokens without cells that are refused beside one that is wanted, these cells, and which are denied.

    ``g7, not h8``, ``not h8 but g7`` and ``g7 instead of h8`` are clear; ``not h8, g7`` is not. ``No h8 any more, so
    g7`` is, where h8 is denied: it cannot be played.
    """
    for place, token in enumerate(tokens[:-1]):
        if token.text not in _NEGATIONS and token.text != "no" and not _is_rather_than(tokens, place):
            continue
        if _is_rather_than(tokens, place):
            cells = [n for n in range(place + 2, min(place + 7, len(tokens))) if tokens[n].kind == "cell"]
            if cells and not any(one.kind in ("stop", "end") for one in tokens[place : cells[0]]):
                wanted = (*tokens[:place], *tokens[cells[0] + 1 :])
                if any(map(_is_move, tokens[:place])):
                    return wanted, frozenset({tokens[cells[0]].text}), ()
            continue
        if tokens[place + 1].kind != "cell":
            continue
        if denied := _denied(tokens, place):
            return tokens[:place] + tokens[denied:], frozenset({tokens[place + 1].text}), (tokens[place + 1].text,)
        if token.text not in _NEGATIONS:
            continue
        end = place + 2
        while end < len(tokens) and (
            tokens[end].kind == "cell" or (tokens[end].text in _ALTERNATIVES and tokens[end + 1 : end + 2] != ())
        ):
            end += 1
        rest = tokens[end:]
        turned = next((n for n, other in enumerate(rest[:2]) if other.text in _CONTRASTS), None)
        if turned is not None and any(map(_is_move, rest)):
            rest = rest[turned + 1 :]
        elif any(map(_is_move, rest)) or not any(map(_is_move, tokens[:place])):
            continue
        start = place - 1 if place and tokens[place - 1].text in _CONTRASTS else place
        refused = frozenset(other.text for other in tokens[place:end] if other.kind == "cell")
        return (*tokens[:start], *rest), refused, ()
    return tokens, frozenset(), ()


def _is_rather_than(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a phrase like "instead of" begins at ``place``."""
    texts = [token.text for token in tokens[place : place + 3]]
    return any(" ".join(texts[:n]) in _RATHER_THAN for n in (1, 2, 3))


def _denied(tokens: Sequence[Token], place: int) -> int:
    """Return where the clause ends that denies the cell behind ``place``, if another follows that concludes, else 0."""
    end = next((n for n in range(place + 2, len(tokens)) if _ends_clause(tokens[n])), 0)
    if not end or any(map(_is_move, tokens[:place])) or any(map(_is_move, tokens[place + 2 : end])):
        return 0
    concluded = any(
        one.kind in ("stop", "end") and other.text in _CONCLUSIONS
        for one, other in zip(tokens[end:], tokens[end + 1 :], strict=False)
    )
    return end + 1 if concluded else 0


def _compose(tokens: Sequence[Token]) -> str:
    """Return the parts of a move as a game reads them, what joins them left out."""
    found: list[str] = []
    for token in tokens:
        if token.kind == "move" and any(part.partition(" ")[0] == token.text for part in found):
            continue  # "I take white: take"
        if _is_move(token) or token.kind in ("part", "number"):
            found.append(token.text)
        elif token.kind == "stop" and token.text[0] in "-–—,:":
            found.append(token.text[0])
    return " ".join(found).replace(" ,", ",").replace(" - ", "-").strip(" ,-:")


def _said(line: _Line, spans: Sequence[_Span], refused: frozenset[str]) -> str:
    """Return the words of a line beside its move, or an empty text where they say nothing more."""
    kept: list[str] = []
    start = 0
    for span in spans:
        left, right = span.clause
        if line.unknown(left, right) or line.has("idioms", left, right):
            return line.text
        kept.append(line.text[start : line.tokens[left].start])
        start = line.tokens[right - 1].end
    kept.append(line.text[start:])
    speaking = (
        piece
        for span, piece in zip(line.tokens, line.pieces, strict=True)
        if piece is not None and "plain" not in piece.kinds and not _within(spans, line, span)
    )
    if next(speaking, None) is None:
        return ""
    if refused:
        return line.text
    parts = [kept[0].strip().rstrip(",;:-–—( "), *(part.strip().lstrip(",;:-–—.!…) ") for part in kept[1:])]
    rest = " ".join(part for part in parts if part)
    return rest.rstrip(")") if rest.count(")") > rest.count("(") else rest


def _within(spans: Sequence[_Span], line: _Line, token: Token) -> bool:
    """Return whether ``token`` stands in the clause of a move."""
    return any(line.tokens[span.clause[0]].start <= token.start < line.tokens[span.clause[1] - 1].end for span in spans)


def _begins_remark(token: Token) -> bool:
    """Return whether ``token`` is a dash or an opening bracket."""
    return token.kind == "stop" and token.text[0] in "-–—("


def _is_move(token: Token) -> bool:
    """Return whether ``token`` is a cell, or a move that is a word."""
    return token.kind in ("cell", "move")


def _ends_clause(token: Token) -> bool:
    """Return whether a clause ends at ``token``."""
    return token.kind in ("stop", "end", "sign") or token.text in _REASONS


def legal(position: Position[Any], text: str) -> str:
    """Return the canonical notation of ``text`` if it is a move that can be made, else an empty text."""
    try:
        move = position.parse(text)
        position.play(move)
    except RulesError:
        return ""
    return str(move)


def _is_formed(position: Position[Any], text: str) -> bool:
    """Return whether ``text`` is a move, though perhaps one that cannot be made, or names a cell off the board."""
    try:
        position.parse(text)
    except InvalidMove as error:
        return error.code == "cell_off_board"
    except RulesError:
        pass
    return True


def _fits(position: Position[Any], reading: Reading) -> bool:
    """Return whether all that ``reading`` takes as merely mentioned can be nothing else here."""
    for text in reading.mentions:
        try:
            position.play(position.parse(text))
        except RulesError as error:
            if error.code in _NO_MOVES:
                continue
        return False
    return True


_NO_MOVES = frozenset({"cell_occupied", "cell_off_board", "take_after_auction", "not_a_cell", "not_a_move"})
"""Codes of what cannot be a part of any turn now."""
