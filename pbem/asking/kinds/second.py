"""What somebody answers who was asked to be a second; and what seconds answer to the boards that they get: a vote.

A vote is read as the move of the seat would be, by a match whose dice nobody knows. Their words reach their side alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbem.asking.limits import may_be_told, may_cause_more
from pbem.asking.seconds import may_vote
from pbem.asking.starting import enrolment, keep_off, unsettled, within_limits
from pbem.asking.votes import cast_vote, may_vote_now, tell_tally
from pbem.commands.asking_effects import AnswerSecond, AskForWhom, JoinSecond, LeaveSecond, Settle
from pbem.commands.catalogue import family_of
from pbem.commands.decision import Command, Decision, MatchDecision, Step
from pbem.commands.effects import AddComment, AddLog, Effect, Reply
from pbem.commands.families.account import Unsubscribe
from pbem.commands.families.info import Ask
from pbem.commands.families.play import FreeText
from pbem.commands.families.proposing import Propose
from pbem.commands.families.seconding import SecondOff
from pbem.commands.families.starting import read_answer
from pbem.commands.families.talk import Say
from pbem.commands.judge import judge
from pbem.commands.rejections import Discard, MoveRejected, NoCommand, Rejection, SeveralMoves, VoteRefused
from pbem.due.gate import is_too_late
from pbem.match.log import LogEntry
from pbem.match.match import Comment, Match, is_move
from pbem.match.player import Player
from pbem.match.question import Question
from pbem.match.voting import join_moves
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Origin
from pbem.pipeline.interpret import Reading, read_in_match
from pbem.reading.beside import is_courtesy
from pbem.reading.reason import because
from rules.position import Seat

_SHOWING = (Ask("show"), Ask("help"))
"""What a second may ask of the match: its board again, with the rules of a turn."""


def settle_second_offer(act: Act, origin: Origin, question: Question, reading: Reading) -> Decision | None:
    """Return the decision that follows from what somebody answered who was asked to be a second; None for anything
    else.
    """
    match, seat = _find_seat(act, question)
    player, said = origin.player, read_answer(reading.lines)
    if player is not None:
        means = reading.answer.means
        if not means or question.state != "open" or is_too_late(act.tx, question.asked_at, act.now):
            return None
    elif said is None:
        raise unsettled(act, question, "unclear")
    else:
        means = "yes" if said.word == "accept" else "no"
        if means == "no":
            return Decision((Step("no", (keep_off(origin.sender, act.site), Settle((question.id,), "no"))),))
    if means == "no":
        told = Reply("answer", (because("seat_declined"),))
        return Decision((Step("no", (Settle((question.id,), "no"), told)),))
    nobody = Player(0, "", origin.sender, frozenset())
    asks = match.players[seat].id == question.asker
    is_late = is_too_late(act.tx, question.asked_at, act.now)
    if is_late or question.state != "open" or not asks or not may_vote(act.tx, match, seat, player or nobody):
        raise unsettled(act, question, "seat_closed")
    effects: list[Effect] = [] if player else list(enrolment(act, origin, said.name if said else ""))
    effects += [Settle((question.id,), "yes"), JoinSecond(match.id, seat, origin.sender)]
    if not act.tx.seconds.ever(match.id, seat):  # the others are told once that more than one decides there
        effects.append(AddLog(LogEntry("seconded", seat)))
    return MatchDecision((Step("yes", tuple(effects)),), before=match, after=match)


def _find_seat(act: Act, question: Question) -> tuple[Match, Seat]:
    """Return the match and the seat that a question is about. Raise DamagedRow."""
    match = act.tx.matches.get(question.match or question.number("match"))
    if match is None or question.seat is None or question.seat >= len(match.players):
        raise question.damage
    return match, question.seat


def settle_second(act: Act, origin: Origin, question: Question, reading: Reading) -> Decision | None:
    """Return the decision that follows from a second’s answer to a board; None for what is about other things.

    Raise NotStarted where it is neither a vote nor words, or theirs no more to give.
    """
    match, seat = _find_seat(act, question)
    player = origin.player
    if player is None or not any(one.id == player.id for one in match.seconds_of(seat)):
        raise within_limits(act, question, VoteRefused("second_gone"))
    read = read_in_match(reading.lines, match)
    commands = [FreeText(one.text) if isinstance(one, Propose) else one for one in read.commands]
    commands = [one for one in commands if not (isinstance(one, FreeText) and is_courtesy(one.text))] or commands
    if any(one == SecondOff() or isinstance(one, Unsubscribe) for one in commands):
        left = AnswerSecond(question.id, player, (because("second_over", name=match.name(seat)),))
        leaving = LeaveSecond(match.id, seat, player, dismissed=False)
        return MatchDecision((Step("second off", (leaving, left)),), before=match, after=match)
    others = [one for one in commands if not isinstance(one, FreeText | Say)]
    if len(commands) == 1 and others and others[0] in _SHOWING:
        again = AnswerSecond(question.id, player)
        return MatchDecision((Step(str(others[0]), (again,)),), before=match, after=match)
    if others and all(family_of(one).scope != "match" for one in others):
        return None
    if others or any(isinstance(one, Say) and not one.to_side for one in commands):
        raise within_limits(act, question, VoteRefused("second_may_not", name=match.name(seat)))
    if match.outcome is not None:
        raise unsettled(act, question, "late")
    offered = question.texts("offered")
    if offered and reading.answer.means == "yes":
        commands = [FreeText(offered[0])]
    moves, words = _try(act, match, seat, player, question, commands)
    if moves and (question.number("turn") != match.turn or not may_vote_now(act.tx, match, seat)):
        raise within_limits(act, question, VoteRefused("vote_late"))
    if not moves and not words:
        raise within_limits(act, question, VoteRefused("vote_unclear"))
    if words and not _may_say_more(act, match.players[seat], player):
        if not moves:
            raise Discard("told enough")
        words = []
    said = tuple(AddComment(Comment(seat, match.ply, text, True, player.name, player.id)) for text in words)
    beside = (Step("team: …", said),) if said else ()
    if not moves:
        return MatchDecision(beside, before=match, after=match)
    decision = cast_vote(act, match, seat, player, join_moves(moves), beside)
    told = tell_tally(act.tx, decision)
    answer = AnswerSecond(question.id, player, told)
    return replace(decision, steps=(*decision.steps, Step("", (answer,)))) if told else decision


def _try(
    act: Act, match: Match, seat: Seat, player: Player, question: Question, commands: Sequence[Command]
) -> tuple[tuple[str, ...], list[str]]:
    """Return the moves and the words that a second wrote. Raise NotStarted for a move that the rules refuse.

    No secret is in the match by which it is tried: what would be rolled then tells nothing of what will be.
    """
    voters = tuple(player if other == seat else one for other, one in enumerate(match.players))
    blind = replace(match, secret="", seeds=(), players=voters, plans=(), clock=None, folded=match.position)
    try:
        decision = judge(blind, seat, match.ply, commands, now=act.now)
    except MoveRejected as why:
        raise within_limits(act, question, VoteRefused("vote_refused", why=why.error.sentence)) from why
    except SeveralMoves as why:
        raise within_limits(act, question, VoteRefused("vote_several")) from why
    except NoCommand as why:
        raise within_limits(act, question, VoteRefused("vote_unclear")) from why
    except (Rejection, Discard) as why:  # it is another’s turn
        raise within_limits(act, question, VoteRefused("vote_late")) from why
    entries = (effect.entry for effect in decision.appended)
    moves = tuple(entry.text for entry in entries if entry.seat == seat and is_move(entry))
    return moves, [text for text in _words_in(decision.effects) if text]


def _may_say_more(act: Act, captain: Player, player: Player) -> bool:
    """Return whether the words of a second may be passed on: neither they nor the seat’s player had enough of it."""
    return may_cause_more(act, player.email) and may_be_told(act.tx, captain.email, act.now)


def _words_in(effects: Iterable[Effect]) -> Iterable[str]:
    """Yield all words for others: of a second they are for their side alone."""
    for effect in effects:
        if isinstance(effect, AddComment):
            yield effect.comment.text
        elif isinstance(effect, AskForWhom):
            yield "\n".join(effect.lines)
