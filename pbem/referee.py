"""Carries out a letter's commands on a match: the one place where mail meets the rules. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from pbem.commands import (
    Boards,
    Command,
    Line,
    Nearly,
    Salt,
    Spoken,
    Word,
    Words,
    as_word,
    is_a_sentence,
    is_momentous,
    joined_remark,
    looks_like_a_move,
)
from pbem.doubts import for_everybody, refuse_correction, refuse_private, refuse_retraction
from pbem.lots import as_salt
from pbem.match import Match, Remark
from pbem.rulings import (
    AlreadyOver,
    Discard,
    MoveRejected,
    NoCommand,
    NotYourTurn,
    Rejection,
    SeveralMoves,
    StaleTurn,
)
from pbem.wishes import DISPLAYS, meant, wishing
from rules import AmbiguousMove, Chance, Entry, InvalidMove, RulesError, Seat
from rules.text import listed

Asked = Word | Literal["board", "display"]
"""What is sent to the writer because he asked for it: ``board`` with a new way to draw it, ``display`` in every way."""

_UNSUBSCRIBE = Words("unsubscribe")
_LONGEST_FAREWELL = 6  # words beside it: a greeting, a name


@dataclass(frozen=True)
class Verdict:
    """What a letter led to: the match after it, what was carried out, and what its writer must be told besides.

    ``before`` is the match as the writer knows it: after his last step, or before it if a lot or somebody else comes
    next; further lines of his are read as moves in it. ``moves`` and ``commands`` are canonical; ``asides`` are
    sentences for the writer.
    """

    match: Match
    seat: Seat
    before: Match
    moves: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    asked: frozenset[Asked] = frozenset()
    asides: tuple[str, ...] = ()


def judge(match: Match, seat: Seat, seen_ply: int, commands: Iterable[Command], *, now: datetime) -> Verdict:
    """Carry out what ``seat`` wrote in answer to the notice of ``seen_ply``.

    Everything in the letter is carried out, or nothing: then it raises a Rejection, or Discard for a move that
    was merely sent again.
    """
    closed = _why_closed(match, seat, seen_ply)
    verdict = Verdict(match, seat, match)
    words: list[str] = []
    doubts: list[MoveRejected] = []
    tails: list[str] = []
    heard = False
    asked_for = list(commands)
    if _UNSUBSCRIBE in asked_for:
        verdict, asked_for = _unsubscribing(verdict, asked_for)
    for number, command in enumerate(asked_for):
        if isinstance(command, Salt) and not verdict.match.awaits_salts:
            verdict = _salted_too_late(verdict, command)
            command = Line(command.line)
        if isinstance(command, Spoken):
            following = _speak(verdict, command)
            verdict, heard = following, len(following.remarks) > len(verdict.remarks)
        elif isinstance(command, Nearly):
            words.append(for_everybody(verdict.match, seat, command.text))
        elif isinstance(command, Words):
            verdict = _word(verdict, command.word, now)
        elif isinstance(command, Boards):
            verdict = _boards(verdict, command)
        elif isinstance(command, Salt):
            verdict = _salt(verdict, command)
            words.clear()
        elif (reading := _read(verdict.before, command.text)) != "move" and command.wrapped:
            verdict = _speak_on(verdict, command.said) if heard else verdict
        elif command.tail and (reading == "move" or is_momentous(command.text)):
            words.append(command.said)
            tails.append(command.text)
        elif reading == "words":
            words.append(command.said)
        elif match.awaits_salts and _answered(verdict):
            verdict = _too_early(verdict, command.text)
        elif isinstance(reading, InvalidMove):
            words.append(command.said)
            doubts.append(MoveRejected(str(reading), command.text))
        elif closed:
            raise _repeated(match, seat, seen_ply, asked_for[number:]) or closed
        else:
            verdict = _move(verdict, command.text, now)
            words.clear()  # what stands above a move is a greeting; what stands below it is for everybody
    if tails and not verdict.moves:
        raise closed or _unsure(tails[0], private=any(isinstance(command, Spoken) for command in asked_for))
    verdict = _without_silence(verdict)
    if not verdict.commands:
        raise _nothing_done(match, closed, words, doubts, verdict.asides)
    if doubts and not closed and set(verdict.commands).isdisjoint({*verdict.moves, "resign"}) and not verdict.asked:
        raise doubts[0]
    if verdict.moves or "resign" in verdict.commands:
        refuse_private(match, seat, words)
        refuse_correction(verdict.match, verdict.moves, words)
    if done := [command for command in verdict.commands if command in (*verdict.moves, "resign", "ready")]:
        refuse_retraction(done[-1], words)
    # Lots are drawn only now: nothing that they decide may decide how the rest of the letter is taken.
    verdict = _heard_again(verdict)
    return _with_words(replace(verdict, match=go_on(verdict.match, now)), words)


def _unsure(tail: str, *, private: bool) -> NoCommand:
    """Return the question about a line that may end the one above it; ``private``: that may be for a partner alone."""
    what = "what you want" if as_word(tail) else "your move"
    doubt = "I am not sure whether {} is " + f"{what}, or the end of the sentence above it."
    advice = f" If it is {what}, make it the first line."
    return NoCommand(doubt.format(f"“{tail}”") + advice, doubt.format("a line" if private else f"“{tail}”"))


def go_on(match: Match, now: datetime) -> Match:
    """Return the match with every lot drawn, and every move made that leaves no choice, up to a seat's decision.

    The first lot waits until every seat has answered whether it mixes in words, or until they had their time.
    """
    if match.awaits_salts and match.unsalted and match.lots_due and now < match.lots_due:
        return match
    while True:
        awaited = match.to_act
        if isinstance(awaited, Chance):
            match = match.after(Entry(None, str(match.lots.value(match.ply, awaited))), now)
        elif awaited is not None and (forced := match.position.forced()) is not None:
            match = match.after(Entry(awaited, str(forced)), now)
        else:
            return match


def _unsubscribing(verdict: Verdict, commands: list[Command]) -> tuple[Verdict, list[Command]]:
    """Return how to take a letter with the word unsubscribe in it, the last line of many a signature.

    It is a wish where little else was written, and no move; else it is left out, and its writer told.
    """
    lines = [command.text for command in commands if isinstance(command, Line)]
    moves = any(_read(verdict.match, line) != "words" for line in lines)
    if not moves and sum(len(line.split()) for line in lines) <= _LONGEST_FAREWELL:
        if Words("resume") in commands:
            raise NoCommand("You wrote “unsubscribe” and also “resume”: please reply with the one you mean.")
        return verdict, [command for command in commands if not isinstance(command, Line)]
    if moves:
        aside = "If you want no more mails, reply with the word unsubscribe and nothing else."
        verdict = replace(verdict, asides=(*verdict.asides, aside))
    return verdict, [command for command in commands if command != _UNSUBSCRIBE]


def _why_closed(match: Match, seat: Seat, seen_ply: int) -> Rejection | None:
    """Return the Rejection that a move of ``seat`` would earn whatever it is, or None when it is its turn."""
    if match.outcome is not None:
        return AlreadyOver()
    if seat in match.position.departed():
        return NotYourTurn("You have left this match.")
    if seen_ply != match.ply:
        return StaleTurn()
    if match.awaits_salts:
        return NotYourTurn("Lots are to be drawn first; then you are told whose turn it is.")
    return None if match.to_act == seat else NotYourTurn()


def _repeated(match: Match, seat: Seat, seen_ply: int, rest: list[Command]) -> Discard | Rejection | None:
    """Return how a letter ends whose move, the first of ``rest``, was played before in answer to the same notice.

    None when it was not. Mail programs send twice: that needs no answer, unless something more was said.
    """
    if match.record[seen_ply : seen_ply + 1] == ():
        return None
    played, move = match.record[seen_ply], rest[0]
    try:
        again = isinstance(move, Line) and str(match.at(seen_ply).position.parse(move.text)) == played.text
    except RulesError:
        again = False
    if played.seat != seat or not again:
        return None
    following = [entry.text for entry in match.record[seen_ply + 1 :] if entry.seat == seat]
    more = [command for command in rest[1:] if not isinstance(command, Line) or command.text]
    steps = [" ".join(command.text.lower().split()) for command in more if isinstance(command, Line)]
    if len(steps) == len(more) and steps == following[: len(steps)]:
        return Discard("a move sent again")
    return StaleTurn(f"Your move {played.text} was played already.") if match.outcome is None else None


def _nothing_done(
    match: Match, closed: Rejection | None, words: list[str], doubts: list[MoveRejected], asides: tuple[str, ...]
) -> Rejection:
    """Return the Rejection for a letter in which nothing could be carried out."""
    lines = [line for line in words if line]
    if len(lines) == 1 and len(lines[0].split()) <= 2 and not doubts and not closed:
        try:
            match.position.parse(lines[0])
        except RulesError as error:
            doubts = [MoveRejected(str(error), lines[0])]
    if doubts:
        return closed or doubts[0]
    return NoCommand(" ".join(asides))


def _read(match: Match, text: str) -> Literal["words", "move"] | InvalidMove:
    """Tell what a line is: words, a move (well-formed, legal or not), or (the error) a failed attempt at one."""
    if not text or is_a_sentence(text):
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


def _speak(verdict: Verdict, spoken: Spoken) -> Verdict:
    """Note words for the writer's side or for everybody."""
    if spoken.to_side and not verdict.match.partners(verdict.seat):
        aside = "You have no partner at present, so your team: line went to nobody."
        return replace(verdict, asides=(*verdict.asides, aside))
    remark = Remark(verdict.seat, verdict.match.ply, joined_remark([spoken.text]), spoken.to_side)
    command = f"{'team' if spoken.to_side else 'say'}: {spoken.text}".strip()
    return replace(verdict, remarks=(*verdict.remarks, remark), commands=(*verdict.commands, command))


def _speak_on(verdict: Verdict, text: str) -> Verdict:
    """Add the rest of a line that a mail program broke to the words noted last."""
    *others, last = verdict.remarks
    remark = replace(last, text=joined_remark([f"{last.text} {text}".strip()]))
    commands = (*verdict.commands[:-1], f"{verdict.commands[-1]} {text}")
    return replace(verdict, remarks=(*others, remark), commands=commands)


def _without_silence(verdict: Verdict) -> Verdict:
    """Leave out words for others that were announced, and then not said."""
    return replace(
        verdict,
        remarks=tuple(remark for remark in verdict.remarks if remark.text),
        commands=tuple(command for command in verdict.commands if command not in ("team:", "say:")),
    )


def _salt(verdict: Verdict, salt: Salt) -> Verdict:
    """Note whether the writer mixes words into the lots; new words replace those he sent before."""
    if verdict.seat in verdict.match.position.departed():
        raise NotYourTurn("You have left this match.")
    words = as_salt(salt.words or "")
    if salt.words is not None and not words:
        raise NoCommand(
            f"“{salt.line[:40]}” holds no words for the lots. Write salt and any words of your own behind it."
        )
    if salt.words is None and verdict.match.salts:
        words = verdict.match.salts[verdict.seat] or ""
    match = verdict.match.salted(verdict.seat, words)
    command = f"salt {words}" if words else "ready"
    return replace(verdict, match=match, commands=(*verdict.commands, command))


def _salted_too_late(verdict: Verdict, salt: Salt) -> Verdict:
    """Say why words for the lots cannot be mixed in any more; in a game without lots they are words like any."""
    if not verdict.match.rolls or salt.words is None or verdict.match.outcome:
        return verdict
    aside = "The first lot has been drawn, so that no words can be mixed in any more."
    return replace(verdict, asides=(*verdict.asides, aside))


def _answered(verdict: Verdict) -> bool:
    """Tell whether the letter holds an answer before the first lot."""
    return any(command == "ready" or command.startswith("salt ") for command in verdict.commands)


def _too_early(verdict: Verdict, text: str) -> Verdict:
    """Leave out a move beside such an answer: nobody is to act yet."""
    aside = f"I did not play “{text[:40]}”: lots are to be drawn first."
    return replace(verdict, asides=(*verdict.asides, aside))


def _word(verdict: Verdict, word: Word, now: datetime) -> Verdict:
    """Carry out one of the words that mean the same in every game."""
    if word == "resume" and not verdict.match.players[verdict.seat].quiet:
        return replace(verdict, asked=verdict.asked | {"show"}, commands=(*verdict.commands, word))
    if word != "resign":
        return replace(verdict, asked=verdict.asked | {word}, commands=(*verdict.commands, word))
    if verdict.moves:
        raise SeveralMoves(f"You wrote “{verdict.moves[-1]}” and also “resign”.")
    if verdict.match.outcome is not None:
        raise AlreadyOver()
    if verdict.seat in verdict.match.position.departed():
        raise NotYourTurn("You have left this match already.")
    following = verdict.match.after(Entry(verdict.seat, "resign"), now)
    return replace(verdict, match=following, commands=(*verdict.commands, "resign"))


def _boards(verdict: Verdict, wish: Boards) -> Verdict:
    """Note how the writer wants boards from now on, or that he wants to see every way to draw them."""
    display = meant(wish.word)
    if display is None:
        ways = listed((f"board {name}" for name in DISPLAYS), "or")
        aside = f"I know no boards as in “{wish.line[:40]}”: write {ways}, or display test to see them all."
        return replace(verdict, asides=(*verdict.asides, aside))
    if display == "test":
        return replace(verdict, asked=verdict.asked | {"display"}, commands=(*verdict.commands, "display test"))
    match = wishing(verdict.match, verdict.seat, display=display)
    commands = (*verdict.commands, f"board {display}")
    return replace(verdict, match=match, asked=verdict.asked | {"board"}, commands=commands)


def _heard_again(verdict: Verdict) -> Verdict:
    """Note whether the writer wants mails at all: whoever writes does, unless that is just what he says he does not."""
    quiet = "unsubscribe" in verdict.asked
    if verdict.match.players[verdict.seat].quiet == quiet:
        return verdict
    return replace(verdict, match=wishing(verdict.match, verdict.seat, quiet=quiet))


def _move(verdict: Verdict, text: str, now: datetime) -> Verdict:
    """Play one line; a further one counts only while the same seat is still to act, and no lot comes first."""
    match, seat = verdict.match, verdict.seat
    last = verdict.moves[-1] if verdict.moves else ""
    if match.to_act != seat:
        if last and _canonical(verdict.before, text) == last:
            return verdict  # the same move, written twice
        both = f"You wrote “{last or 'resign'}” and also “{text}”."
        if isinstance(match.to_act, Chance):
            both += f" But a lot is drawn after “{last}”: send it alone, and go on when you see what fell."
        raise SeveralMoves(both)
    try:
        move = str(match.position.parse(text))
        following = match.after(Entry(seat, move), now)
    except RulesError as error:
        if last and " ".join(text.lower().split()) == last:
            return verdict
        raise MoveRejected(f"After “{last}”: {error}" if last else str(error), text, verdict.moves) from error
    return replace(
        verdict,
        match=following,
        before=following if following.to_act == seat else match,
        moves=(*verdict.moves, move),
        commands=(*verdict.commands, move),
    )


def _canonical(match: Match, text: str) -> str:
    """Return ``text`` in the notation of the record where it can be read, else as it is."""
    try:
        return str(match.position.parse(text))
    except RulesError:
        return text


def _with_words(verdict: Verdict, words: list[str]) -> Verdict:
    """Add the words below the move as a remark for everybody, dated to the record as it now stands."""
    text = joined_remark(words)
    remarks = verdict.remarks
    if text and (verdict.moves or "resign" in verdict.commands or _answered(verdict)):
        remarks = (*remarks, Remark(verdict.seat, verdict.match.ply, text))
    elif len(text.split()) > 3 or any(map(looks_like_a_move, words)):  # not for a name below the letter
        aside = "Your other words were not passed on: begin a line with say: to send words without a move."
        verdict = replace(verdict, asides=(*verdict.asides, aside))
    return replace(verdict, remarks=tuple(replace(remark, ply=verdict.match.ply) for remark in remarks))
