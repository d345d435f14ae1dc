"""Tells the sender of a rejected message what they may have meant, and what did not happen. Pure."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from pbem.advice.nearest import core_of, legal, nearest, nearest_wanted, split_negated
from pbem.advice.synonyms import keyword_meant, move_meant
from pbem.commands import (
    KEYWORDS,
    Command,
    FreeText,
    MoveRejected,
    OfferOpen,
    Rejection,
    Say,
    looks_like_a_move,
)
from pbem.match import Match
from rules import AmbiguousMove, Game, InvalidMove, Position, RulesError, Seat
from rules.errors import quote
from rules.text import listed

_Meant: TypeAlias = tuple[str, str, tuple[str, ...]]
"""Why nothing was done, what to write instead, and the moves that this proposes."""

_ANSWERED = frozenset({"move_rejected", "no_command", "several_moves"})
_MOST = 3  # suggestions
_MOST_TEXTS, _MOST_SEARCHED, _MOST_JOINED = 40, 6, 6  # lines
_WIDTH, _MOST_LINES, _MOST_ROWS = 58, 8, 3  # columns of a row, lines, rows of each
_LONGEST_SHOWN = 400  # characters of a line, more than its rows hold
_FEW = 4  # words: more are a sentence
_QUOTATION = re.compile(r"(?:(?<=[a-z]) )?“[^“”]{1,24}”|\bword [a-z]+")
_A_LOT_FIRST = " But a lot is drawn after "  # says what to send of several steps
_CELL = re.compile(r"[A-Za-z][0-9]{1,2}|[0-9]{1,2}[A-Za-z]")
_WRITE = "write “"  # so a sentence goes on that says what to write instead
_TIE = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class Advice:
    """Three sentences of a refusal, or empty texts.

    ``reason``: why nothing was done; ``meant``: what to write instead; ``undone``: what did not happen. ``offered`` are
    the moves and words, each a whole answer, that these propose.
    """

    reason: str
    meant: str
    undone: str
    offered: tuple[str, ...] = ()


def advice(match: Match, seat: Seat, rejection: Rejection, commands: Sequence[Command]) -> Advice:
    """Return what to tell ``seat``, whose ``commands`` met ``rejection``."""
    reason, meant = rejection.detail, ""
    offered = rejection.offered if isinstance(rejection, OfferOpen) else ()
    if rejection.kind in _ANSWERED:
        texts = list(_move_texts(commands))
        if word := keyword_meant(texts, awaits_seeds=match.awaits_seeds):
            # Why that is no move helps nobody who meant none.
            reason, meant = "", f"Did you mean {_name_word(word)}?"
            offered = (word,) if _is_offered(word) else ()
        elif match.to_act == seat:  # only the seat to act is shown moves
            reason, meant, offered = _about_moves(match, rejection, texts)
            if rejection.code == "retracted" and (move := legal(match.position, str(rejection.arguments["done"]))):
                offered = (move,)
    undone = _undone(rejection, commands)
    return Advice(tie_quotations(reason), tie_quotations(meant), tie_quotations(undone), offered)


def _name_word(word: str) -> str:
    """Return a word to write, as a sentence names it."""
    return f"the word “{word}”" if _is_offered(word) and " " not in word else f"“{word}”"


def _is_offered(word: str) -> bool:
    """Return whether a word is one of ours, and nothing in it is the sender's own."""
    return word in KEYWORDS or word == "ready" or word.startswith(("board ", "display "))


def tie_quotations(sentence: str) -> str:
    """Return ``sentence`` with short quotations unbroken, and beside the word before them, like words to write."""
    return _QUOTATION.sub(lambda found: found[0].replace(" ", _TIE), sentence)


def quote_lines(lines: Sequence[str], most: int = _MOST_LINES) -> tuple[str, ...]:
    """Return the first of somebody's own lines as rows that can be quoted, to be seen and mended."""
    # Each part between two ";" may be a move, and is one only where it begins a line: so it can be marked as none.
    parts = (part for line in lines for part in re.split(r"(?<=;)\s*", line, maxsplit=most) if part.strip())
    written = list(islice(parts, most + 1))
    rows = [row for part in written[:most] for row in _wrap_row(part)]
    return (*rows, "…") if len(written) > most else tuple(rows)


def _wrap_row(line: str) -> list[str]:
    """Return the beginning of a line in a few rows."""
    shown = line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]} …"
    return textwrap.wrap(shown, _WIDTH, max_lines=_MOST_ROWS, placeholder=" …")


def _move_texts(commands: Sequence[Command]) -> Iterator[str]:
    """Yield the first lines that may be moves."""
    lines = (command for command in commands if isinstance(command, FreeText))
    yield from islice((line.text for line in lines if line.text and not (line.wrapped or line.tail)), _MOST_TEXTS)


def _about_moves(match: Match, rejection: Rejection, texts: Sequence[str]) -> _Meant:
    """Return why nothing was played, and what to write instead."""
    position, detail = match.position, rejection.detail
    moves = [text for text in texts if looks_like_a_move(text)]
    together = legal(position, " ".join(moves)) if 1 < len(moves) <= _MOST_JOINED else ""
    if rejection.kind == "several_moves":
        named = (str(rejection.arguments.get(name, "")) for name in ("move", "other"))
        return *_about_several(detail, together), _offer(position, rejection, (together, *named))
    if together:
        return detail, f"If that is one turn, write “{together}” on one line.", (together,)
    if isinstance(rejection, MoveRejected) and rejection.text:
        for move in rejection.above:
            position = position.play(position.parse(move))
        after = f"After “{rejection.above[-1]}”: " if rejection.above else ""
        reason, meant, offered = _about_line(match.game, position, rejection.text, detail, after)
        # What is right after moves that were not made is an answer only together with them.
        whole = [legal(match.position, " ".join((*rejection.above, move))) for move in offered]
        return reason, meant, tuple(whole) if all(whole) else ()
    telling = [text for text in texts if len(text.split()) <= _FEW or any(map(str.isdigit, text))][:_MOST_SEARCHED]
    if len(telling) == 1:
        return _about_line(match.game, position, telling[0], detail)
    found = list(dict.fromkeys(move for text in telling for move in nearest_wanted(position, text, _MOST)))
    found = found if len(found) <= _MOST else []
    return _propose(found, " ".join(texts), detail)


def _offer(position: Position[Any], rejection: Rejection, texts: Sequence[str]) -> tuple[str, ...]:
    """Return what the answer to several moves proposes: none of them, unless all but an empty text can be played."""
    named = [text for text in texts if text]
    found = [text if text == "resign" else legal(position, text) for text in named]
    chosen = tuple(dict.fromkeys(found))
    return chosen if all(found) and len(chosen) > 1 and rejection.code != "roll_first" else ()


def _about_several(detail: str, together: str) -> tuple[str, str]:
    """Return what to say of several moves; ``together`` they may be one turn."""
    both, lot, first = detail.partition(_A_LOT_FIRST)
    if not together:
        return detail, "" if lot else "Please reply with the one you mean."
    mend = f"If that is one turn, write “{together}” on one line"
    if not lot:
        return both, f"{mend}; otherwise reply with the one you mean."
    return both, f"{mend}. If not, send {first.partition(':')[0]} alone: a lot is drawn after it."


def _about_line(game: Game, position: Position[Any], text: str, detail: str, after: str = "") -> _Meant:
    """Return why a line was refused, and what may have been meant by it; ``after`` names the move above it."""
    few = len(text.split()) <= _FEW
    if core_of(position, split_negated(text)[1]):
        if found := nearest_wanted(position, text, _MOST):
            return _propose(found, text, detail)
        detail = f"{quote(text)} says only what you do not want." if few else detail
        return detail, "Please write just the move that you do want, on a line of its own.", ()
    if same := legal(position, move_meant(text, game.words)):
        return detail, f"Did you mean “{same}”?", (same,)
    core = core_of(position, text)
    if core and core != text.lower() and (error := _refusal_of(position, core, bold=few)):
        # What stands around a move, "I play d4?", is less to blame than the move.
        detail, text = f"{after}{error}", core
        if isinstance(error, AmbiguousMove):
            return detail, "", ()
    return _propose(nearest(position, text, _MOST), text, detail)


def _refusal_of(position: Position[Any], text: str, *, bold: bool) -> RulesError | None:
    """Return what the rules have against ``text``, if it is nearly a move, or (``bold``) something like a cell."""
    try:
        position.play(position.parse(text))
    except InvalidMove as error:
        return error if (bold and _CELL.fullmatch(text)) or _WRITE in str(error) else None
    except RulesError as error:
        return error
    return None


def _propose(moves: Sequence[str], text: str, detail: str) -> _Meant:
    """Return ``detail``, and the moves that may have been meant by ``text``, in a sentence and by themselves."""
    sentence = _suggestion(moves, text, detail)
    told = re.findall("“([^”]+)”", detail.partition("rite ")[2])
    return detail, sentence, tuple(moves) if sentence or set(told) == set(moves) else ()


def _suggestion(moves: Sequence[str], text: str, detail: str) -> str:
    """Return the moves that may have been meant by ``text``, unless ``detail`` says already to write them."""
    _, _, told = detail.lower().partition("write ")
    if not moves or set(moves[0].split()) <= set(re.findall(r"\w+", told)):
        return ""
    written = " ".join(re.findall(r"\w+", text.lower()))
    choice = listed((f"“{move}”" for move in moves), "or")
    if all(re.search(rf"\b{re.escape(move)}\b", written) for move in moves):
        return f"If you mean {choice}, write just that on a line of its own."
    return f"Did you mean {choice}?"


def _undone(rejection: Rejection, commands: Sequence[Command]) -> str:
    """Return what did not happen: nothing of a message is carried out when a part of it cannot be."""
    above = rejection.above if isinstance(rejection, MoveRejected) else ()
    clauses = [] if rejection.kind == "stale_turn" else ["nothing has changed in the match"]
    if above:
        clauses.append(f"{listed(f'“{move}”' for move in above)} {'was' if len(above) == 1 else 'were'} not played")
    if rejection.kind != "no_command" and _has_comment(rejection, commands):
        clauses.append("your words were not passed on")
    *most, last = clauses or [""]
    sentence = f"{', '.join(most)}, and {last}" if most else last
    return f"{sentence[0].upper()}{sentence[1:]}." if sentence else ""


def _has_comment(rejection: Rejection, commands: Sequence[Command]) -> bool:
    """Return whether a message has words for others: announced ones, or some below a move.

    What stands above it is a greeting, and a name at the end is none.
    """
    if any(isinstance(command, Say) and command.text for command in commands):
        return True
    texts = list(_move_texts(commands))
    tried = rejection.text if isinstance(rejection, MoveRejected) else ""
    first = next((place for place, text in enumerate(texts) if text == tried or looks_like_a_move(text)), 0)
    return sum(len(text.split()) for text in texts[first + 1 :] if not looks_like_a_move(text)) > 3
