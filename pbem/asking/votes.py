"""Votes on the move of a seat: they are cast, counted, and what has most of them is played as if just mailed.

Nothing is rolled for a vote: what may follow from a move is seen when it has been played.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from pbem.asking.posting import enqueue_notices
from pbem.commands.asking_effects import AskForWhom, CastVote, EndVote
from pbem.commands.decision import MatchDecision, Step
from pbem.commands.effects import AddComment, AddLog, Append, Effect, ProposeMove, Reply, SetPlan, SetSeed
from pbem.commands.grammar import read_commands
from pbem.commands.judge import judge
from pbem.commands.rejections import Declined
from pbem.due.schedule import find_vote_end
from pbem.match.log import LogEntry
from pbem.match.match import Comment, Match, is_move
from pbem.match.player import Player
from pbem.match.voting import find_chosen, join_moves, list_votes, part_moves, say_votes
from pbem.notices.audience import present_notice
from pbem.notices.sentences.reasons import say
from pbem.pipeline.act import Act
from pbem.reading.reason import Reason, because
from pbem.storage.due import VOTE_DUE
from pbem.storage.transaction import Transaction
from rules.position import Seat

_ALONE = (Append, AddLog, SetSeed, SetPlan, ProposeMove)
"""Effects that count beside a move, and not beside a vote: they would tell the others of it, or be out of turn."""


def may_vote_now(tx: Transaction, match: Match, seat: Seat) -> bool:
    """Return whether votes count on the move of a seat: its turn is there, and its voting has not ended."""
    voted_on = match.outcome is None and match.to_act == seat and bool(match.seconds_of(seat))
    return voted_on and tx.due.is_scheduled(VOTE_DUE, match.id)


def as_vote(act: Act, decision: MatchDecision) -> MatchDecision:
    """Return what follows from a message of whoever has a seat: its move is a vote while votes count.

    Afterwards they decide alone, and the votes are told beside their move.
    """
    match, seat = decision.before, decision.seat
    if seat is None or match.outcome is not None or not match.seconds_of(seat):
        return decision
    decision = replace(decision, steps=tuple(map(_to_side, decision.steps)))
    entries = [effect.entry for effect in decision.appended]
    moves = tuple(entry.text for entry in entries if entry.seat == seat and is_move(entry))
    if not moves:
        return decision
    if not may_vote_now(act.tx, match, seat):
        votes = _present_votes(act.tx, match, seat)
        return replace(decision, steps=(*decision.steps, Step("", (_log(seat, votes),)))) if votes else decision
    steps = tuple(_beside_vote(match, seat, step) for step in decision.steps)
    captain = match.players[seat]
    cast = cast_vote(act, match, seat, captain, join_moves(moves), tuple(one for one in steps if one.effects), by=seat)
    given_up = any(isinstance(one, AddLog | SetPlan) and step.done for step in decision.steps for one in step.effects)
    asides = (*decision.asides, *((because("vote_alone"),) if given_up else ()))
    told = tell_tally(act.tx, cast)
    steps = (*cast.steps, Step("", (Reply("answer", told),))) if told else cast.steps
    return replace(cast, steps=steps, asides=asides)


def _to_side(step: Step) -> Step:
    """Return a step whose words are for the side alone, unless they stand behind ``say:``."""
    if step.done:
        return step
    effects = (
        AddComment(replace(one.comment, to_side=True)) if isinstance(one, AddComment) else one for one in step.effects
    )
    return replace(step, effects=tuple(effects))


def _beside_vote(match: Match, seat: Seat, step: Step) -> Step:
    """Return what counts of a step beside a vote; words of which it isn't sure for whom they are, are for the side."""
    effects = list[Effect]()
    for effect in step.effects:
        if isinstance(effect, AddComment):
            effects.append(AddComment(replace(effect.comment, ply=match.ply)))
        elif isinstance(effect, AskForWhom):
            effects.append(AddComment(Comment(seat, match.ply, "\n".join(effect.lines), to_side=True)))
        elif not isinstance(effect, _ALONE):
            effects.append(effect)
    return replace(step, effects=tuple(effects))


def cast_vote(
    act: Act,
    match: Match,
    seat: Seat,
    voter: Player,
    moves: str,
    beside: tuple[Step, ...] = (),
    *,
    by: Seat | None = None,
) -> MatchDecision:
    """Return the decision by which somebody votes. With the last vote that is missing, the move is played.

    The others are told who proposes a move first; they hear of no other vote of the same turn. ``by`` is the seat whose
    player does it, None for a second.
    """
    before = _present_votes(act.tx, match, seat)
    votes = {**before, voter.id: moves}
    steps = (Step(f"vote {moves}", (CastVote(match.id, match.turn, seat, voter, moves),)), *beside)
    if _awaited(match, seat, act.now) <= votes.keys():
        return _conclude(act, match, seat, votes, steps, by=by)
    if voter.id not in before and moves not in before.values():
        second, name = (None, "") if by is not None else (voter.id, voter.name)
        words = AddComment(Comment(seat, match.ply, f"propose {moves}", True, name, second))
        proposal = (ProposeMove(seat, moves, match.ply, voter.name),) if part_moves(moves) == [moves] else ()
        steps = (*steps, Step("", (words,)), Step("", proposal))
    return MatchDecision(steps, before=match, after=match, seat=by)


def _conclude(
    act: Act, match: Match, seat: Seat, votes: Mapping[int, str], steps: tuple[Step, ...], *, by: Seat | None
) -> MatchDecision:
    """Return the decision that votes lead to: the move that has most, or that the seat’s player decides alone."""
    chosen = find_chosen(votes, match.players[seat].id)
    try:
        played = judge(match, seat, match.ply, read_commands(part_moves(chosen)), now=act.now) if chosen else None
    except Declined:  # never: each vote was tried
        played = None
    if played is None or played.after.ply == match.ply:
        ended = Step("", (EndVote(match.id, seat),))
        return MatchDecision((*steps, ended), before=match, after=match, seat=by)
    return replace(played, steps=(*steps, *played.steps, Step("", (_log(seat, votes),))), asides=(), seat=by)


def count_votes(act: Act, match: Match) -> MatchDecision | None:
    """Return the decision that votes lead to when no more count; None without any: then nobody waits for them."""
    seat = match.to_act
    votes = _present_votes(act.tx, match, seat) if isinstance(seat, int) and match.seconds_of(seat) else {}
    return _conclude(act, match, seat, votes, (), by=None) if votes and isinstance(seat, int) else None


def tell_tally(tx: Transaction, decision: MatchDecision) -> tuple[Reason, ...]:
    """Return what a voter is told of a vote that does not end the voting yet, or ends it without a move."""
    vote = next((effect for effect in decision.effects if isinstance(effect, CastVote)), None)
    if vote is None or decision.appended or any(isinstance(effect, EndVote) for effect in decision.effects):
        return ()
    votes = {**_present_votes(tx, decision.before, vote.seat), vote.player.id: vote.moves}
    until = find_vote_end(tx, decision.before).isoformat()
    return (because("vote_cast", move=vote.moves, votes=say_votes(list_votes(votes)), until=until),)


def _present_votes(tx: Transaction, match: Match, seat: Seat) -> dict[int, str]:
    """Return the votes in the present turn of those who still vote on the moves of a seat."""
    voters = {match.players[seat].id, *(one.id for one in match.seconds_of(seat))}
    return {player: moves for player, moves in tx.seconds.votes(match.id, match.turn, seat).items() if player in voters}


def _awaited(match: Match, seat: Seat, now: datetime) -> set[int]:
    """Return whose votes are waited for: nobody’s who gets no email, or is away."""
    voters: Iterable[Player] = (match.players[seat], *match.seconds_of(seat))
    return {one.id for one in voters if not one.preferences.muted and one.calendar.absent_at(now) is None}


def _log(seat: Seat, votes: Mapping[int, str]) -> AddLog:
    """Return the effect by which the log keeps the votes; whose they were it does not say."""
    return AddLog(LogEntry("voted", seat, {"votes": [list(one) for one in list_votes(votes)]}))


def close_vote(act: Act, _: object, effect: EndVote) -> None:
    """Let votes count no more in this turn: whoever has the seat decides alone."""
    act.tx.due.cancel(VOTE_DUE, effect.match)


def ask_captain(act: Act, decision: MatchDecision, effect: EndVote) -> None:
    """Queue the email to whoever has the seat that asks for their decision."""
    match, seat = decision.after, effect.seat
    counted = list_votes(_present_votes(act.tx, match, seat))
    told = say(because("vote_tied", votes=say_votes(counted)), act.site.language)
    notice = present_notice("your_turn", match, seat, act.site.archive, (told,), act.site.language, now=act.now)
    enqueue_notices(act, match, [(seat, notice)])
