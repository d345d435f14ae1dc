"""Reads lines of a reply as moves, with the match at hand. Pure."""

from collections import deque
from collections.abc import Iterable
from typing import Any, Literal

from pbem.commands.decision import Command, MatchSituation
from pbem.commands.families.play import FreeText
from pbem.commands.families.time_words import speaks_of_time
from pbem.match.match import Match
from pbem.reading.clauses import compose, is_move
from pbem.reading.corrections import split_corrections, split_negated
from pbem.reading.move_phrases import corrects, is_sentence, looks_like_a_move
from pbem.reading.sentences import legal, read_sentence, scan_line
from pbem.reading.tokens import read_tokens
from pbem.reading.written_cells import is_only_cells
from rules.errors import AmbiguousMove, InvalidMove, RulesError
from rules.position import Position


def read_line(match: Match, text: str) -> Literal["words", "move"] | InvalidMove:
    """Return what a line is: words, a move (well-formed, legal or not), or (the error) a failed attempt at one."""
    if not text or is_sentence(text) or speaks_of_time(text):
        return "words"
    try:
        match.position.parse(text)
    except InvalidMove as error:
        return error if looks_like_a_move(text) else "words"
    except AmbiguousMove:
        return "move"
    except RulesError:
        return "move" if looks_like_a_move(text) else "words"
    return "move"


def find_move(
    situation: MatchSituation, command: FreeText, above: str, below: Iterable[Command], *, closed: bool
) -> FreeText | None:
    """Return a line of words as the move that it means, or None where it means none, or more than one can see.

    ``above`` is the unfinished sentence above it. Below a move, or above a line that is a move and nothing else, a long
    sentence is a remark, whatever it mentions. ``closed``: no move can be made, so that one need not be legal.
    """
    line = command.said
    if command.wrapped or not line or (situation.moves and corrects(line)) or speaks_of_time(line):
        return None
    position = situation.known.position
    if closed:
        found = next(((reading, reading.move) for reading in scan_line(line, above) if not reading.mentions), None)
    else:
        found = read_sentence(position, line, above)
    if found is None:
        return None
    reading, move = found
    if not reading.brief:
        below_is_move = any(
            isinstance(one, FreeText) and read_line(situation.known, one.text) == "move" for one in below
        )
        if situation.moves or below_is_move:
            return None
    mentions = reading.refused.union(reading.mentions)
    return FreeText(move or reading.move, written=line, beside=reading.said, mentions=mentions)


def join_steps(situation: MatchSituation, first: FreeText, below: deque[Command]) -> str:
    """Return the move that ``first`` is, with the lines right ``below`` that are steps of the same turn, taken away.

    Only all of them together count, where they are one legal turn and the first of them would end it, or is none.
    """
    if situation.moves or not below:
        return first.text
    match, texts, taken = situation.match, [first.text], 0
    for number, command in enumerate(below, 1):
        if not isinstance(command, FreeText) or command.wrapped or command.tail:
            break
        step = (
            command.text if not command.text or read_line(match, command.text) == "move" else _bare_step(command.said)
        )
        if step is None:
            break
        if step:
            texts.append(step)
            taken = number
    if len(texts) != len(set(texts)) or len(texts) == 1:
        return first.text
    alone, together = _following(match, first.text), _following(match, " ".join(texts))
    if together is None or (alone is not None and alone.to_act == situation.seat):
        return first.text
    for _ in range(taken):
        below.popleft()
    return " ".join(texts)


def _bare_step(line: str) -> str | None:
    """Return the move in a line that says nothing else, ``and then d4``, or None."""
    return next((reading.move for reading in scan_line(line) if reading.bare and not reading.said), None)


def _following(match: Match, text: str) -> Position[Any] | None:
    """Return the position after the move ``text``, or None if it cannot be made."""
    try:
        return match.position.play(match.position.parse(text))
    except RulesError:
        return None


def names_moves(line: FreeText) -> bool:
    """Return whether a line is a move among words, or nothing but cells: one of prose may mention any."""
    return bool(line.mentions) or (not line.tail and is_only_cells(line.said))


def changed_on(position: Position[Any], line: str) -> tuple[str, str] | None:
    """Return the last two moves between which the sender of a line changes their mind: ``d4? no wait, e5``; or None."""
    if sum(map(is_move, read_tokens(line.lower()))) < 2:
        return None
    parts = (compose(read_tokens(split_negated(part)[0].lower())) for part in split_corrections(line))
    moves = list(dict.fromkeys(move for part in parts if (move := legal(position, part))))
    return (moves[-2], moves[-1]) if len(moves) > 1 else None
