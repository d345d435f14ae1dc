"""Says, to whoever wrote a letter that was not carried out, what he may have meant and what did not happen. Pure."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pbem.commands import WORDS, Command, Line, Spoken, looks_like_a_move, read_commands
from pbem.match import Match
from pbem.nearest import legal, nearest, understood
from pbem.rulings import Rejection
from pbem.slips import similar
from rules import RulesError, Seat
from rules.core import Position
from rules.prose import listed

_ANSWERED = frozenset({"move_rejected", "no_command", "several_moves"})
_MOST = 3  # suggestions
_MOST_TEXTS, _MOST_SEARCHED, _MOST_JOINED = 40, 6, 6  # lines
_WIDTH, _MOST_LINES, _MOST_ROWS = 58, 8, 3  # columns of a row, lines, rows of each
_LONGEST_WORD = 20
_QUOTATION = re.compile(r"(?:(?<=[a-z]) )?“[^“”]{1,24}”")
_A_LOT_FIRST = "a lot is drawn"  # says what to send of several steps
_TIE = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class Advice:
    """What a refusal says besides its reason: ``meant`` is what to write instead, ``undone`` what did not happen.

    Both are sentences, or empty.
    """

    meant: str
    undone: str


@dataclass(frozen=True, slots=True)
class _Refused:
    """The line at which a letter failed: the position it was read in, and the moves above it, legal but not made."""

    position: Position[Any]
    text: str
    above: tuple[str, ...] = ()


def advice(match: Match, seat: Seat, rejection: Rejection, lines: Sequence[str]) -> Advice:
    """Return what to tell ``seat``, whose letter with these ``lines`` was answered with ``rejection``."""
    commands = read_commands(lines)
    refused = _refused(match, seat, commands, rejection.detail)
    meant = ""
    if rejection.kind in _ANSWERED:
        meant = _meant(match, seat, rejection, commands, refused)
    return Advice(meant, _undone(rejection.kind, commands, refused))


def tied(sentence: str) -> str:
    """Return ``sentence`` with short quotations unbroken, and beside the word before them."""
    return _QUOTATION.sub(lambda found: found[0].replace(" ", _TIE), sentence)


def again(lines: Sequence[str], most: int = _MOST_LINES) -> tuple[str, ...]:
    """Return the first of somebody's own lines as rows that can be quoted, for him to see and to mend."""
    written = [line for line in lines if line.strip()]
    rows = [
        row for line in written[:most] for row in textwrap.wrap(line, _WIDTH, max_lines=_MOST_ROWS, placeholder=" …")
    ]
    return (*rows, "…") if len(written) > most else tuple(rows)


def _refused(match: Match, seat: Seat, commands: Sequence[Command], detail: str) -> _Refused | None:
    """Return the line of which the rules said ``detail``; None where that is no sentence of theirs."""
    position = match.position
    above: tuple[str, ...] = ()
    for text in _texts(commands):
        try:
            move = position.parse(text)
            following = position.play(move)
        except RulesError as error:
            if detail.endswith(str(error)):
                return _Refused(position, text, above)
            continue
        if following.to_act != seat:
            break
        position, above = following, (*above, str(move))
    return None


def _texts(commands: Sequence[Command]) -> Iterator[str]:
    """Yield the first lines that may be moves."""
    lines = (command for command in commands if isinstance(command, Line))
    yield from islice((line.text for line in lines if line.text and not (line.wrapped or line.tail)), _MOST_TEXTS)


def _meant(
    match: Match, seat: Seat, rejection: Rejection, commands: Sequence[Command], refused: _Refused | None
) -> str:
    """Return what to write instead; moves are named only to the seat to act."""
    texts = list(_texts(commands))
    if word := _miswritten(texts, ready=match.awaits_salts):
        return f"Did you mean the word “{word}”?"
    if match.to_act != seat:
        return ""
    moves = [text for text in texts if looks_like_a_move(text)]
    together = legal(match.position, " ".join(moves)) if 1 < len(moves) <= _MOST_JOINED else ""
    which = rejection.kind == "several_moves" and _A_LOT_FIRST not in rejection.detail
    if together:
        other = "; otherwise reply with the one you mean" if which else ""
        return tied(f"If that is one turn, write “{together}” on one line{other}.")
    if rejection.kind == "several_moves":
        return "Please reply with the one you mean." if which else ""
    if refused:
        return _correction(refused, rejection.detail)
    telling = [text for text in texts if len(text.split()) <= 4 or any(map(str.isdigit, text))][:_MOST_SEARCHED]
    found = dict.fromkeys(move for text in telling for move in nearest(match.position, text, _MOST))
    return _suggestion(list(found), " ".join(texts), rejection.detail) if len(found) <= _MOST else ""


def _correction(refused: _Refused, detail: str) -> str:
    """Return what may have been meant by a line, or at least what could be read of it."""
    if close := nearest(refused.position, refused.text, _MOST):
        return _suggestion(close, refused.text, detail)
    known, unknown = understood(refused.position, refused.text)
    if not known or not 0 < len(unknown) <= _LONGEST_WORD:
        return ""
    return f"I could read {listed(f'“{word}”' for word in known)}, but not “{unknown}”."


def _suggestion(moves: Sequence[str], text: str, detail: str) -> str:
    """Return the moves that may have been meant by ``text``, unless ``detail`` says already to write them."""
    _, _, told = detail.partition("write ")
    if not moves or set(_words(moves[0])) <= set(_words(told)):
        return ""
    written = " ".join(_words(text))
    choice = listed((f"“{move}”" for move in moves), "or")
    if all(re.search(rf"\b{re.escape(move)}\b", written) for move in moves):
        return tied(f"If you mean {choice}, write just that on a line of its own.")
    return tied(f"Did you mean {choice}?")


def _words(text: str) -> list[str]:
    """Return the words of a text, in small letters and without signs."""
    return re.findall(r"\w+", text.lower())


def _miswritten(texts: Sequence[str], *, ready: bool) -> str:
    """Return the word of ours that the only line of a letter misses by a slip, or an empty text."""
    if len(texts) != 1 or any(char.isspace() or char.isdigit() for char in texts[0]):
        return ""
    return similar(texts[0], (*WORDS, "ready") if ready else WORDS)


def _undone(kind: str, commands: Sequence[Command], refused: _Refused | None) -> str:
    """Return what did not happen: nothing of a letter is carried out when a part of it cannot be."""
    above = refused.above if refused else ()
    clauses = [] if kind == "stale_turn" else ["nothing has changed in the match"]
    if above:
        clauses.append(f"{listed(f'“{move}”' for move in above)} {'was' if len(above) == 1 else 'were'} not played")
    others = [text for text in _texts(commands) if not looks_like_a_move(text)]
    said = any(isinstance(command, Spoken) for command in commands) or sum(len(text.split()) for text in others) > 3
    if said and kind != "no_command":
        clauses.append("your words were not passed on")
    *most, last = clauses or [""]
    sentence = f"{', '.join(most)}, and {last}" if most else last
    return tied(f"{sentence[0].upper()}{sentence[1:]}.") if sentence else ""
