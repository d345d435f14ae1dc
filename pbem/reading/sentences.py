"""Finds the one move in a line of words, with the position at hand: no list of friendly phrases, one rule. Pure.

All tokens of a line that are moves or parts of moves are found. If together, in order, they are exactly one move, and
the other words hold no sign of a question, a negation, a condition, doubt, an alternative, a correction or a report,
that move is meant, and the other words are a comment. Signs are words of the closed classes of many languages
(``wording``): where they have to stand to count depends on the sign. A long line in none of these languages is left
alone. docs/reading.md tells it to players' hosts.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pbem.reading import clauses, objections
from pbem.reading.beside import SMILEY, said_beside
from pbem.reading.headings import leads_astray
from pbem.reading.move_phrases import MARK, is_doubtful, takes_back
from pbem.reading.refused_cells import without_refused
from pbem.reading.remarks import asks, is_unsettled
from pbem.reading.resigning import gives_up
from pbem.reading.tokens import may_hold_move, read_tokens
from pbem.reading.word_classes import load_classes
from pbem.reading.wording import split_pieces
from rules.errors import InvalidMove, RulesError
from rules.position import Position

_MOST_MOVES = 24  # cells and other moves on a line
_LATIN = {"а": "a", "е": "e", "к": "k"}
_CYRILLIC = re.compile(r"(?<!\w)[аек](?=[0-9]{1,2}(?!\w))")  # letters for a cell, typed on a keyboard for Russian
_NUMBERED = re.compile(r"^\s*[0-9]{1,3}[.)]\s+(?=\S)")
_YOURS = load_classes("yours")
_REQUEST = re.compile(
    r"\b(?:could|can|would|will) you (?:please |kindly )?(?=(?:put|place|play|add|move|set|stick|pop)\b"
    r"[^?]* (?:me|my|mine)\b)"
    r"|\b(?:kannst|könntest) du (?=[^?]*\b(?:mich|mir|mein\w*)\b)|\b(?:kun|kan|wil) je (?=[^?]*\b(?:mij|mijn|me)\b)"
    r"|(?<=\b)(?:peux|pourrais)-tu (?=[^?]*\b(?:me|mon|ma|moi)\b)|\b(?:puedes|podrías) (?=[^?]*\b(?:me|mi)\b)"
)
"""Asks the program, politely, to make the sender's move."""

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

    ``said`` are other words as they were written, if they say anything. ``brief``: few unknown words stand on the
    line. ``bare``: none stand beside the move, so that it was meant even if it cannot be made. ``mentions`` are only
    spoken of: they must be cells that are taken or no moves at all. ``refused`` are cells that the sender does not
    want.
    """

    move: str
    said: str
    brief: bool
    bare: bool
    mentions: tuple[str, ...] = ()
    refused: frozenset[str] = frozenset()


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
    if len(line) > clauses.LONGEST_LINE or MARK in line:
        return ()
    text = _CYRILLIC.sub(lambda found: _LATIN[found[0]], line.lower().replace("’", "'").replace("‘", "'"))
    if len(text) != len(line) or not may_hold_move(text):
        return ()
    if _REQUEST.search(text):
        text = _REQUEST.sub(lambda found: " " * len(found[0]), text).replace("?", ".")
    for pattern in (SMILEY, _NUMBERED, _THOUGHT, _ARROW):
        text = pattern.sub(lambda found: " " * len(found[0]), text, count=5)
    if objections.ODD.search(text) or is_doubtful(text.replace("?", " ").replace("？", " ")) or gives_up(text):
        return ()
    if takes_back(text):
        return ()
    written = read_tokens(text)
    tokens, refused, denied = without_refused(written)
    if not 0 < sum(map(clauses.is_move, tokens)) <= _MOST_MOVES or any(token.kind == "odd" for token in tokens):
        return ()
    if all(token.kind in ("cell", "number", "stop", "end", "sign") for token in tokens) and any(
        token.kind == "number" for token in tokens
    ):
        return ()  # a row of our boards, or what the rules can read by themselves
    whole = clauses.Line(line, tokens, clauses.read_line(text).pieces if tokens is written else split_pieces(tokens))
    if is_unsettled(whole) or leads_astray(above):
        return ()
    return tuple(replace(one, mentions=(*one.mentions, *denied)) for one in _readings(whole, refused))


def _readings(line: clauses.Line, refused: frozenset[str]) -> Iterator[Reading]:
    """Yield the ways to read a line that holds a move somewhere."""
    sentences = list(clauses.split_sentences(line.tokens))
    if any(asks(line, start, end) for start, end in sentences):
        return
    spans = [span for start, end in sentences if (span := clauses.find_span(line, start, end))]
    yield from _readings_of(line, spans, refused)
    for span in spans:
        parts = [replace(part, sentence=span.sentence) for part in _spans_of_clauses(line, *span.sentence)]
        if len(parts) > 1:
            yield from _readings_of(
                line, [part for other in spans for part in (parts if other is span else [other])], refused
            )


def _spans_of_clauses(line: clauses.Line, start: int, end: int) -> Iterator[clauses.Span]:
    """Yield the moves of the clauses of a sentence, each by itself; cells in a row, with no word between, are one."""
    first = None
    parts = [
        clause for clause in clauses.split_clauses(line.tokens, start, end) if clauses.holds_move(line.tokens, *clause)
    ]
    for number, (left, right) in enumerate(parts):
        first = left if first is None else first
        following = parts[number + 1] if number + 1 < len(parts) else None
        if following is None or not _is_row(line, (left, right), following):
            if span := clauses.find_span(line, first, right):
                yield span
            first = None


def _is_row(line: clauses.Line, clause: tuple[int, int], following: tuple[int, int]) -> bool:
    """Return whether no word stands between the cells of two clauses: ``d4, e5 and f6``."""
    last = max(place for place in range(*clause) if clauses.is_move(line.tokens[place]))
    first = min(place for place in range(*following) if clauses.is_move(line.tokens[place]))
    return all(token.kind in ("stop", "sign") or token.text in clauses.AND for token in line.tokens[last + 1 : first])


def _readings_of(line: clauses.Line, spans: Sequence[clauses.Span], refused: frozenset[str]) -> Iterator[Reading]:
    """Yield the ways to read a line whose moves stand in ``spans``: one of them is meant, or together they are one."""
    if len(spans) == 1 and len(spans[0].cells) == 2 and (taking := _capture(line, spans[0])):
        yield from (_reading(line, [taking], text, refused) for text in taking.moves)
    sound = [span for span in spans if objections.is_sound(line, span)]
    if len({span.moves for span in spans}) == 1:
        if len(sound) == len(spans):
            for text in spans[0].moves:
                yield _reading(line, sound, text, refused)
    elif (
        len(sound) == len(spans)
        and not any(line.unknown(*span.sentence) for span in spans)
        and not objections.is_corrected(line, spans[0].first, spans[-1].last)
    ):
        yield _reading(line, sound, ", ".join(span.moves[0] for span in spans), refused)
    else:
        for span in (sound[-1:] + sound[:1])[: 2 if len(sound) > 1 else 1]:
            others = [other for other in spans if other is not span]
            if any(objections.is_alternative(line, other) or _limits(line, other, span) for other in others):
                continue
            if all(_is_aside(line, other, span) or other not in sound for other in others):
                mentions = tuple(cell for other in others for cell in other.cells)
                for text in span.moves:
                    yield _reading(line, [span], text, refused, mentions)


def _limits(line: clauses.Line, other: clauses.Span, span: clauses.Span) -> bool:
    """Return whether ``other`` is spoken of behind a move, in doubt: ``d4 but only if e5 is free``."""
    return other.sentence == span.sentence and other.first > span.last and line.has("doubting", *other.clause)


def _is_aside(line: clauses.Line, other: clauses.Span, span: clauses.Span) -> bool:
    """Return whether unknown words stand around ``other``: in its clause, or its sentence if ``span`` has another."""
    return bool(line.unknown(*(other.clause if other.sentence == span.sentence else other.sentence)))


def _capture(line: clauses.Line, span: clauses.Span) -> clauses.Span | None:
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
        if (text in _YOURS and second - 4 < place < second) or text in objections.THIRD_PERSON:
            pieces[place] = None
    plain = clauses.Line(line.text, line.tokens, tuple(pieces))
    if not objections.is_sound(plain, replace(span, taking=True)):
        return None
    one, other = span.cells
    return replace(span, moves=(f"{one}x{other}", f"{other}x{one}"))


def _reading(
    line: clauses.Line,
    spans: Sequence[clauses.Span],
    move: str,
    refused: frozenset[str],
    mentions: tuple[str, ...] = (),
) -> Reading:
    """Return the reading of ``line`` whose move stands in ``spans``."""
    bare = all(_says_nothing_more(line, span) for span in spans)
    brief = line.unknown(0, len(line.tokens)) <= objections.FEW and not mentions
    return Reading(move, said_beside(line, spans, refused), brief, bare and brief, mentions, refused)


def _says_nothing_more(line: clauses.Line, span: clauses.Span) -> bool:
    """Return whether the clause of a move is the move alone, or says no more than that its sender makes it."""
    words = [token for token in line.tokens[slice(*span.clause)] if token.kind in ("word", "far_east")]
    own = any(token.text in objections.FIRST_PERSON or token.text in clauses.POSSESSIVES for token in words)
    joins = clauses.AND | objections.SEQUENCE | objections.THIRD_PERSON | clauses.GAME_NOUNS
    return not line.unknown(*span.clause) and (own or not words or all(word.text in joins for word in words))


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
