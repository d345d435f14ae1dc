"""The table of due things: what is done of each kind, once it has passed the gate."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.asking.afterthoughts import tell_afterthoughts
from pbem.asking.contests.challenges import answer_by, find_sinking, sink_idle
from pbem.asking.forgetting import drop_leftovers, forget
from pbem.asking.invitations import expire
from pbem.asking.seat_passing import pass_seat
from pbem.asking.votes import count_votes
from pbem.commands.families.planning import follow_plans
from pbem.commands.judge import automatic_decision
from pbem.due.clock import check_clock, find_time_over
from pbem.due.clubs.ratings import close_months
from pbem.due.digests import send_digest
from pbem.due.export import send_export
from pbem.due.gate import Gate
from pbem.due.league.season import tend_league
from pbem.due.letter.sending import send_letters
from pbem.due.needs import tell_needs
from pbem.due.opening import open_agreed
from pbem.due.reminders import remind
from pbem.due.restored import tell_restored
from pbem.due.schedule import find_vote_end
from pbem.due.unsending import release
from pbem.errors import DamagedMatch, DamagedRow
from pbem.pipeline.act import ROLLS_DUE, Act, cause_at
from pbem.pipeline.announce import announce
from pbem.pipeline.record import record
from pbem.ports import Dice
from pbem.storage.due import (
    AFTERTHOUGHTS_DUE,
    CLOCK_DUE,
    DIGEST_DUE,
    EXPORT_DUE,
    FIRST_ROLLS,
    FORGETTING_DUE,
    INVITATION_DUE,
    LADDER_DUE,
    LEAGUE_DUE,
    LEFTOVERS_DUE,
    LETTERS_DUE,
    NEEDS_DUE,
    OPENING_DUE,
    RATINGS_DUE,
    REMINDER_DUE,
    RESTORED_DUE,
    SEAT_BACK_DUE,
    SEAT_DUE,
    UNSEND_DUE,
    VOTE_DUE,
    DueThing,
)
from pbem.storage.transaction import Transaction
from rules.errors import quote


def do_due(act: Act, thing: DueThing, dice: Dice, gate: Gate) -> None:
    """Do one due thing that has passed the gate, and remove it from the schedule.

    One whose time has not come after all, since the service stood still meanwhile, is put off to it.
    Raise DamagedRow for one that cannot be done.
    """
    kind = KINDS.get(thing.kind)
    if kind is None:
        raise DamagedRow(f"{quote(thing.kind)} is nothing that this pbem can do.")
    thing = _postponed(act.tx, thing)
    moment = kind.moment(act.tx, thing.subject, act.now) if kind.moment else thing.at
    if moment and not gate.opens(thing.kind, moment):
        act.tx.due.schedule(thing.kind, thing.subject, moment, since=thing.since)
        return
    act.tx.due.cancel(thing.kind, thing.subject)  # it may schedule itself anew
    kind.do(act, thing.subject, dice)


def _postponed(tx: Transaction, thing: DueThing) -> DueThing:
    """Return a due thing as it is due by the outages that are known now.

    Nothing was lost so far of the time between ``since`` and ``at`` of what is returned.
    """
    if thing.since is None:
        return thing
    at = tx.heartbeats.served_by(thing.since, thing.at - thing.since)
    ends = (end for _, end in tx.heartbeats.outages_since(thing.since) if end <= at)
    return replace(thing, at=max(at, thing.at), since=max((thing.since, *ends)))


def _make_first_rolls(act: Act, number: int) -> None:
    """Make the first rolls of a match, since the time for player seeds is over."""
    match = act.tx.matches.get(number)
    if match is None:
        raise DamagedMatch(number, "its first rolls are due, and it is not there")
    decision = follow_plans(automatic_decision(match, act.now, seeds_over=True), act.now)
    act = act.because(ROLLS_DUE)
    record(act, decision)
    announce(act, decision, "")


def _end_vote(act: Act, number: int) -> None:
    """Play what has most votes, since no more count; without any, whoever has the seat decides alone."""
    match = act.tx.matches.get(number)
    if match is None:
        raise DamagedMatch(number, "votes on its move end, and it is not there")
    if match.outcome is None and (decision := count_votes(act, match)):
        decision = follow_plans(decision, act.now)
        act = act.because(cause_at("vote", act.now))
        record(act, decision)
        announce(act, decision, "")


def _find_vote_over(tx: Transaction, number: int, now: datetime) -> datetime | None:
    """Return when votes end on the move of a match; None for one without."""
    match = tx.matches.get(number)
    return find_vote_end(tx, match) if match and match.outcome is None else None


def _end_invitation(act: Act, number: int) -> None:
    """End an invitation that was not accepted in time; there is more for a challenge to who was away meanwhile."""
    invitation = act.tx.invitations.get(number)
    if invitation and invitation.kind == "challenge" and (until := answer_by(act.tx, invitation)) > act.now:
        act.tx.due.schedule(INVITATION_DUE, number, until)
        return
    decision, cause = expire(act.tx, number, act.now)
    act = act.because(cause)
    record(act, decision)
    announce(act, decision, "")


@dataclass(frozen=True)
class _Kind:
    """What is done of a kind of due thing, with the number of its subject, and by dice where it rolls.

    ``moment`` returns when that ends what somebody could do, None if it ends nothing; else it is when it is due.
    """

    do: Callable[[Act, int, Dice], object]
    moment: Callable[[Transaction, int, datetime], datetime | None] | None = None


def _without_dice(do: Callable[[Act, int], object]) -> _Kind:
    """Return a kind of due thing that rolls nothing."""
    return _Kind(lambda act, number, _: do(act, number))


KINDS: Mapping[str, _Kind] = {
    FIRST_ROLLS: _without_dice(_make_first_rolls),
    CLOCK_DUE: replace(_without_dice(check_clock), moment=find_time_over),
    VOTE_DUE: replace(_without_dice(_end_vote), moment=_find_vote_over),
    REMINDER_DUE: _without_dice(remind),
    FORGETTING_DUE: _without_dice(forget),
    LEFTOVERS_DUE: _without_dice(drop_leftovers),
    RESTORED_DUE: _without_dice(tell_restored),
    INVITATION_DUE: _without_dice(_end_invitation),
    OPENING_DUE: _Kind(open_agreed),
    LEAGUE_DUE: _Kind(tend_league),
    SEAT_DUE: _Kind(pass_seat),
    SEAT_BACK_DUE: _Kind(pass_seat),
    UNSEND_DUE: _without_dice(release),
    EXPORT_DUE: _without_dice(send_export),
    LADDER_DUE: replace(_without_dice(sink_idle), moment=find_sinking),
    DIGEST_DUE: _without_dice(send_digest),
    AFTERTHOUGHTS_DUE: _without_dice(tell_afterthoughts),
    NEEDS_DUE: _without_dice(tell_needs),
    RATINGS_DUE: _without_dice(close_months),
    LETTERS_DUE: _without_dice(send_letters),
}
"""Every kind of due thing but the thoughts of robots, which nobody does on the way of others."""
