"""The turns of robots: what the next one is to think about, and its move, decided and recorded like anybody's.

What is due of a robot is never done on the way of anything else: ``robot_turns`` lets it think, one at a time.
"""

import logging
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.commands.decision import MatchDecision, Step
from pbem.commands.effects import Append
from pbem.commands.families.agreement import Agree
from pbem.commands.families.planning import follow_plans
from pbem.commands.families.play import FreeText
from pbem.commands.judge import judge
from pbem.due.needs import note_undone
from pbem.log.logbook import event
from pbem.match.agreements import all_agree
from pbem.match.match import Match, advance_automatically
from pbem.match.timing import pass_clock
from pbem.pipeline.act import Act, Cause
from pbem.pipeline.announce import announce
from pbem.pipeline.record import record
from pbem.ports import Answer, Dice, Problem
from pbem.storage.due import ROBOT_DUE
from pbem.storage.transaction import Transaction
from rules.position import Entry, Seat

log = logging.getLogger("pbem")

_DRAWN_BELOW = 450
"""A robot agrees to a draw where it hopes for less than so many thousandths of a win."""


@dataclass(frozen=True, slots=True)
class RobotTurn:
    """The turn of a robot in a match: its number tells it from all others, also where entries were taken back.

    Without a ``problem`` everybody else has left but robots, and it gives up: nobody wants to see how that would end.
    """

    match: int
    turn: int
    seat: Seat
    problem: Problem | None


def find_robot_turn(tx: Transaction, now: datetime) -> RobotTurn | None:
    """Return the turn of the robot that has waited longest; what is none any more is taken off the schedule.

    Raise DamagedMatch.
    """
    while (number := tx.due.waiting_longest(ROBOT_DUE, now)) is not None:
        match = tx.matches.get(number)
        seat = match.awaited_robot if match else None
        if match is not None and seat is not None:
            # One that only stands in doesn't throw away what is its player's.
            alone = match.present <= match.robot_seats - tx.seat_offers.lent_in(number)
            return RobotTurn(number, match.turn, seat, None if alone else _problem_of(match, seat))
        tx.due.cancel(ROBOT_DUE, number)
    return None


def play_robot_turn(act: Act, turn: RobotTurn, answer: Answer | None) -> bool:
    """Record and announce what a robot has thought; return whether the match has gone no other way meanwhile.

    Without an ``answer`` it gives up.

    Raise Rejection or Discard for a move that the rules do not allow: a bug.
    """
    match = act.tx.matches.get(turn.match)
    if match is None or match.turn != turn.turn or match.awaited_robot != turn.seat:
        return False
    decision = _decide(match, turn.seat, answer, act.now) if answer else _give_up(match, turn.seat, act.now)
    decision = follow_plans(decision, act.now)
    cause = Cause(f"robot {turn.turn}")
    act = act.because(cause)
    act.tx.due.cancel(ROBOT_DUE, turn.match)  # recording may schedule it anew
    record(act, decision)
    announce(act, decision, "")
    return True


def _decide(match: Match, seat: Seat, answer: Answer, now: datetime) -> MatchDecision:
    """Return the decision of a robot: its move, or its yes to a draw that everybody else wants."""
    offer = match.open_agreement
    agrees = offer is not None and offer.kind == "draw" and all_agree(match.present - {seat}, offer.agreed)
    said = Agree("draw") if agrees and answer.value < _DRAWN_BELOW else FreeText(answer.move)
    return judge(match, seat, match.ply, (said,), now=now)


def _give_up(match: Match, seat: Seat, now: datetime) -> MatchDecision:
    """Return the decision by which a robot leaves a match."""
    after = advance_automatically(match.after(Entry(seat, "resign"), now), now)
    entries = zip(after.record[match.ply :], after.times[match.ply :], strict=True)
    effects = tuple(Append(entry, at) for entry, at in entries)
    return MatchDecision((Step("", effects),), before=match, after=pass_clock(match, after, now))


def put_off_robot_turn(act: Act, number: int, why: str) -> None:
    """Let a robot think again in an hour, since it came to no end; the operator is told."""
    log.error("the robot in match %d has no move: %s", number, why, extra=event("robot_failed", match=number))
    note_undone(act.tx, ROBOT_DUE, number, why, act.now)


def seal_thoughts(decision: MatchDecision, dice: Dice) -> MatchDecision:
    """Return a decision about a match with a secret that thoughts of its robots follow from, if it needs one."""
    after = decision.after
    if after.secret or not after.robots:
        return decision
    return replace(decision, after=replace(after, secret=dice.secret(), folded=after.position))


def _problem_of(match: Match, seat: Seat) -> Problem:
    """Return what the robot at ``seat`` is to think about: nothing of the secret, but for the seed of this turn."""
    return Problem(
        match.game.key,
        len(match.players),
        dict(match.options),
        tuple((entry.seat, entry.text) for entry in match.record),
        match.players[seat].robot,
        match.robot_seed(seat),
    )
