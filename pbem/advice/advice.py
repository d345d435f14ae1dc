"""Tells the sender of a rejected message what they may have meant, and what did not happen. Pure."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from pbem.advice.nearest import core_of, nearest, nearest_wanted
from pbem.advice.synonyms import hinted, keyword_meant, move_meant, wants_time
from pbem.commands.catalogue import KEYWORDS
from pbem.commands.decision import Command
from pbem.commands.families.agreement import Oops
from pbem.commands.families.play import FreeText
from pbem.commands.families.talk import Say
from pbem.commands.rejections import MoveRejected, OfferOpen, Rejection, Resigning
from pbem.match.match import Match
from pbem.reading.corrections import split_corrections, split_negated
from pbem.reading.move_phrases import looks_like_a_move
from pbem.reading.reason import Reason, because
from pbem.reading.sentences import legal
from rules.errors import AmbiguousMove, InvalidMove, RulesError
from rules.game import Game
from rules.phrase import listed
from rules.position import Position, Seat

_ANSWERED = frozenset({"move_rejected", "no_command", "several_moves"})
_MOST = 3  # suggestions
_MOST_TEXTS, _MOST_SEARCHED, _MOST_JOINED = 40, 6, 6  # lines
_WIDTH, _MOST_LINES, _MOST_ROWS = 58, 8, 3  # columns of a row, lines, rows of each
_LONGEST_SHOWN = 400  # characters of a line, more than its rows hold
_FEW = 4  # words: more are a sentence
_CELL = re.compile(r"[A-Za-z][0-9]{1,2}|[0-9]{1,2}[A-Za-z]")
_LONGEST_SLIP = 2  # letters: so few may be a cell without its number
_UNKNOWN_WORDS = ("not_a_cell", "not_a_move")  # the codes of games for what has nothing of a move
_OF_PLAY = frozenset({"resign", "ready", "draw", "undo"})
"""Words that mean nothing after the end of a match, when people speak of it."""
_WRITE = "write"  # the argument of a refusal that says what to write instead


@dataclass(frozen=True, slots=True)
class Advice:
    """What to tell the sender of a rejected message, besides what the rejection itself says.

    ``why``: why nothing was done, where that is not what the rejection says; ``after``: the move above the one that was
    refused; ``meant``: what to write instead; ``undone``: what did not happen. ``offered`` are the moves and words,
    each a whole answer, that ``meant`` proposes. ``no_move``: the sender meant none, so why it is none helps nobody.
    """

    why: Reason | RulesError | None = None
    after: str = ""
    meant: Reason | None = None
    undone: tuple[Reason, ...] = ()
    offered: tuple[str, ...] = ()
    no_move: bool = False


def advice(match: Match, seat: Seat, rejection: Rejection, commands: Sequence[Command]) -> Advice:
    """Return what to tell ``seat``, whose ``commands`` met ``rejection``."""
    advised = Advice(offered=rejection.offered if isinstance(rejection, OfferOpen | Resigning) else ())
    if rejection.kind in _ANSWERED:
        texts = list(_move_texts(commands))
        over = match.outcome is not None
        words = keyword_meant(texts, awaits_seeds=match.awaits_seeds, moves=match.game.words)
        word = "" if any(map(looks_like_a_move, texts)) else hinted(texts, over=over)
        muted = match.players[seat].preferences.muted and not any(map(looks_like_a_move, texts))
        if muted and word != "forget me":
            advised = Advice(meant=because("to_resume"), no_move=True)
        elif words and not (over and words in _OF_PLAY):
            offered = (words,) if _is_offered(words) else ()
            advised = Advice(meant=because("did_you_mean", choices=listed([words])), offered=offered, no_move=True)
        elif wants_time(texts) and not over:
            advised = Advice(because("more_time" if match.clock else "time_enough"), no_move=True)
        elif word:
            advised = Advice(meant=because("no_undo" if word == "undo" else "to_ask", command=word), no_move=True)
        elif match.to_act == seat:  # only the seat to act is shown moves
            advised = _about_moves(match, rejection, texts, oops=Oops() in commands)
            if rejection.code == "retracted" and (move := legal(match.position, str(rejection.arguments["done"]))):
                advised = replace(advised, offered=(move,))
    elif rejection.kind in ("stale_turn", "set_back"):
        advised = _about_stale_move(match, seat, rejection, list(_move_texts(commands)))
    above = rejection.above[-1] if isinstance(rejection, MoveRejected) and rejection.above else ""
    undone = (*advised.undone, *_undone(rejection, commands))
    return replace(advised, after=above, undone=undone)


def _is_offered(word: str) -> bool:
    """Return whether a word is one of ours, and nothing in it is the sender's own."""
    return word in KEYWORDS or word == "ready" or word.startswith(("board ", "display "))


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


def _about_moves(match: Match, rejection: Rejection, texts: Sequence[str], *, oops: bool) -> Advice:
    """Return why nothing was played, and what to write instead; ``oops``: a move was taken back by that word."""
    position = match.position
    moves = [text for text in texts if looks_like_a_move(text)]
    if oops or _corrects_between(texts, moves):
        moves = []  # they are no one turn
    together = legal(position, " ".join(moves)) if 1 < len(moves) <= _MOST_JOINED else ""
    if rejection.kind == "several_moves":
        named = (str(rejection.arguments.get(name, "")) for name in ("move", "other"))
        return replace(_about_several(rejection, together), offered=_offer(position, rejection, (together, *named)))
    if together:
        return Advice(meant=because("one_turn", together=together), offered=(together,))
    if isinstance(rejection, MoveRejected) and rejection.text:
        if (refused := _refusal_of_turn(position, rejection, moves)) is not None:
            return replace(_about_line(match.game, position, " ".join(moves), refused), why=refused)
        for move in rejection.above:
            position = position.play(position.parse(move))
        advised = _about_line(match.game, position, rejection.text, rejection.error)
        # What is right after moves that were not made is an answer only together with them.
        whole = [legal(match.position, " ".join((*rejection.above, move))) for move in advised.offered]
        if not advised.meant and not advised.why and _is_no_move(rejection):
            return Advice(because("not_understood", line=rejection.text), meant=because("ask_help"), no_move=True)
        return replace(advised, offered=tuple(whole) if all(whole) else ())
    telling = [text for text in texts if len(text.split()) <= _FEW or any(map(str.isdigit, text))][:_MOST_SEARCHED]
    if len(telling) == 1:
        return _about_line(match.game, position, telling[0])
    found = list(dict.fromkeys(move for text in telling for move in nearest_wanted(position, text, _MOST)))
    return _propose(found, " ".join(texts)) if len(found) <= _MOST else Advice()


def _corrects_between(texts: Sequence[str], moves: Sequence[str]) -> bool:
    """Return whether a line from the first to the last of ``moves`` changes what stands above it: ``no, e5``."""
    if len(moves) < 2:
        return False
    first, last = texts.index(moves[0]), len(texts) - [*reversed(texts)].index(moves[-1])
    return any(split_corrections(text) != [text] for text in texts[first:last])


def _is_no_move(rejection: MoveRejected) -> bool:
    """Return whether what was refused is just words, none of them one that its game knows: ``undo``, ``thanks all``."""
    words = re.findall(r"\w+", rejection.text)
    only_words = all(word.isalpha() for word in words) and any(len(word) > _LONGEST_SLIP for word in words)
    return only_words and not rejection.above and rejection.code in _UNKNOWN_WORDS


def _about_stale_move(match: Match, seat: Seat, rejection: Rejection, texts: Sequence[str]) -> Advice:
    """Return that a move was not played since the match went on, and offer it where it can be played even so."""
    if rejection.code != rejection.kind:  # it was played before
        return Advice()
    moves = [text for text in texts if looks_like_a_move(text) or legal(match.position, text)][:_MOST_JOINED]
    if not moves or any(len(move) > _WIDTH for move in moves):
        return Advice(undone=(because("move_not_played"),))
    move = legal(match.position, " ".join(moves)) if match.to_act == seat else ""
    undone = because("not_played", count=len(moves), moves=listed(moves))
    return Advice(undone=(undone,), offered=(move,) if move else ())


def _offer(position: Position[Any], rejection: Rejection, texts: Sequence[str]) -> tuple[str, ...]:
    """Return what the answer to several moves proposes: none of them, unless all but an empty text can be played."""
    found = [text if text == "resign" else legal(position, text) for text in texts if text]
    chosen = tuple(dict.fromkeys(found))
    return chosen if all(found) and len(chosen) > 1 and rejection.code != "roll_first" else ()


def _about_several(rejection: Rejection, together: str) -> Advice:
    """Return what to say of several moves; ``together`` they may be one turn."""
    if not together:
        return Advice(meant=None if rejection.code == "roll_first" else because("send_one"))
    if rejection.code != "roll_first":
        return Advice(meant=because("one_turn_or_one", together=together))
    move, other = rejection.arguments["move"], rejection.arguments["other"]
    both = because(rejection.kind, move=move, other=other)
    return Advice(both, meant=because("one_turn_or_roll", together=together, move=move))


def _about_line(game: Game, position: Position[Any], text: str, error: RulesError | None = None) -> Advice:
    """Return why a line was refused, where that is not ``error``, and what may have been meant by it."""
    few = len(text.split()) <= _FEW
    if core_of(position, split_negated(text)[1]):
        if found := nearest_wanted(position, text, _MOST):
            return Advice(
                _suggestion(found, text) or because("did_you_mean", choices=listed(found, "or")), offered=found
            )
        return Advice(because("only_unwanted", line=text) if few else None, meant=because("send_wanted"))
    if same := legal(position, move_meant(text, game.words)):
        return Advice(meant=because("did_you_mean", choices=listed([same], "or")), offered=(same,))
    core = core_of(position, text)
    inner = _refusal_of(position, core, bold=few) if core and core != text.lower() else None
    if inner is not None:  # what stands around a move, "I play d4?", is less to blame than the move
        if isinstance(inner, AmbiguousMove):
            return Advice(inner)
        error, text = inner, core
    proposed = _propose(nearest(position, text, _MOST), text, error)
    if inner is None and error and proposed.meant and _blames_a_word(error, text):
        return Advice(proposed.meant, offered=proposed.offered)
    return replace(proposed, why=inner)


def _blames_a_word(error: RulesError, text: str) -> bool:
    """Return whether the rules only have against a line that it holds a word: ``d4 or e5``."""
    blamed = (str(value) for value in error.arguments.values())
    return error.code in _UNKNOWN_WORDS and len(text.split()) > 1 and any(map(_is_word, blamed))


def _is_word(text: str) -> bool:
    """Return whether a text is one word, and can't be a cell without its number."""
    return text.isalpha() and len(text) > 1


def _refusal_of_turn(position: Position[Any], rejection: MoveRejected, moves: Sequence[str]) -> RulesError | None:
    """Return what the rules have against lines that can only be meant as one turn; None if they need not be.

    The first of them can begin a turn of several cells, and is none by itself.
    """
    begins = rejection.text == moves[0] if moves else False
    if not begins or rejection.above or not 1 < len(moves) <= _MOST_JOINED:
        return None
    return (
        _refusal_of(position, " ".join(moves), bold=True)
        if core_of(position, moves[0]) in position.first_cells()
        else None
    )


def _refusal_of(position: Position[Any], text: str, *, bold: bool) -> RulesError | None:
    """Return what the rules have against ``text``, if it is nearly a move, or (``bold``) something like a cell."""
    try:
        position.play(position.parse(text))
    except InvalidMove as error:
        return error if (bold and _CELL.fullmatch(text)) or _WRITE in error.arguments else None
    except RulesError as error:
        return error
    return None


def _propose(moves: Sequence[str], text: str, error: RulesError | None = None) -> Advice:
    """Return the moves that may have been meant by ``text``, in a sentence, ours or that of ``error``."""
    meant = _suggestion(moves, text, error)
    told = str(error.arguments.get(_WRITE, "")) if error else ""
    return Advice(meant=meant, offered=tuple(moves) if meant or [told] == list(moves) else ())


def _suggestion(moves: Sequence[str], text: str, error: RulesError | None = None) -> Reason | None:
    """Return the moves that may have been meant by ``text``, unless ``error`` says already to write them."""
    told = str(error.arguments.get(_WRITE, "")).lower() if error else ""
    if not moves or set(moves[0].split()) <= set(re.findall(r"\w+", told)):
        return None
    written = " ".join(re.findall(r"\w+", text.lower()))
    said = all(re.search(rf"\b{re.escape(move)}\b", written) for move in moves)
    return because("write_just_that" if said else "did_you_mean", choices=listed(moves, "or"))


def _undone(rejection: Rejection, commands: Sequence[Command]) -> Iterator[Reason]:
    """Yield what did not happen: nothing of a message is carried out when a part of it cannot be."""
    if rejection.kind not in ("stale_turn", "set_back", "already_over"):  # they say what came of it
        above = rejection.above if isinstance(rejection, MoveRejected) else ()
        if above:
            yield because("not_played", count=len(above), moves=listed(above))
        else:
            yield because("nothing_changed")
    if rejection.kind != "no_command" and _has_comment(rejection, commands):
        yield because("words_not_passed")


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
