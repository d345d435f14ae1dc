"""Lets robots look back at the week of a contest: at a few of its matches, a seat at a time, beside everything else."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.clubs.week import Swing, choose_looked, list_looked, note_looked, saturday_before
from pbem.due.reviews import ReviewTurn, list_others, problem_of
from pbem.pipeline.act import Act
from pbem.ports import Review
from pbem.storage.due import SWING_DUE
from pbem.storage.transaction import Transaction

_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class SwingTurn:
    """The moves of a seat that a robot is to look back at, for the letter of a contest."""

    contest: int
    turn: ReviewTurn


def find_swing(tx: Transaction, now: datetime) -> SwingTurn | None:
    """Return what a robot is to look at next; a contest of which all was looked at is taken off the schedule.

    Raise DamagedRow.
    """
    while (number := tx.due.waiting_longest(SWING_DUE, now)) is not None:
        until = saturday_before(now)
        ended = [
            one
            for one in tx.contests.results(number)
            if one.over_at is not None and until - _WEEK < one.over_at <= until
        ]
        looked = list_looked(tx.contests.events(number), until)
        for chosen in choose_looked(ended):
            match = tx.matches.get(chosen)
            if match is None or match.outcome is None or match.private:
                continue
            for seat, player in enumerate(match.players):
                if (chosen, seat) not in looked and not player.robot:
                    others = list_others(match, tx.clocks.log(match.id), seat)
                    return SwingTurn(number, ReviewTurn(0, match.id, seat, problem_of(match, seat), others))
        tx.due.cancel(SWING_DUE, number)
    return None


def keep_swing(act: Act, swing: SwingTurn, strength: int, found: Review | None) -> None:
    """Keep what a robot of a strength has found about the moves of a seat; None where it came to no end."""
    turn, regret = swing.turn, found.regret if found else None
    kept = regret and Swing(turn.match, turn.seat, regret.ply, regret.move, regret.value, regret.better, regret.best)
    event = note_looked(turn.match, turn.seat, strength if found else 0, kept or None, act.now)
    act.tx.contests.add(swing.contest, event)


def drop_swing(tx: Transaction, number: int) -> None:
    """Take a contest off the schedule at whose week nobody can look back."""
    tx.due.cancel(SWING_DUE, number)
