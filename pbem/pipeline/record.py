"""Stage 6: record a decision; all that it changes of matches, players and addresses is written here."""

from dataclasses import replace
from datetime import datetime

from pbem.commands.decision import Decision, MatchDecision
from pbem.due.clubs.ratings import note_result
from pbem.due.league.entering import look_soon
from pbem.due.schedule import schedule_clock, schedule_robot, schedule_vote
from pbem.match.match import Match
from pbem.pipeline.act import Act
from pbem.pipeline.effects import EFFECTS
from pbem.storage.due import FIRST_ROLLS
from pbem.storage.transaction import Transaction


def record(act: Act, decision: Decision) -> None:
    """Write the effects of ``decision``. Raise Busy at the commit if another worker was faster.

    Replies and questions are not written here: they are announced, like all email.
    """
    if isinstance(decision, MatchDecision) and decision.seat is not None:
        writer = decision.before.players[decision.seat]
        if writer.calendar.away:  # they are back, or set it themselves
            act.tx.players.set_calendar(writer, replace(writer.calendar, away=None), act.now)
    for effect in decision.effects:
        if write := EFFECTS[type(effect)].write:
            write(act, decision, effect)
    if isinstance(decision, MatchDecision) and decision.changes_match:
        _record_match(act, decision)


def _record_match(act: Act, decision: MatchDecision) -> None:
    """Write the changes of a match. Its first rolls are due while they are awaited."""
    before, after = decision.before, decision.after
    log = [replace(entry, ply=after.ply, at=act.now) for entry in decision.log]
    act.tx.clocks.add_log(after.id, log, act.cause.inbound)
    if after.ruling != before.ruling:
        act.tx.matches.set_ruling(after)
    if after.agreements != before.agreements:
        act.tx.matches.set_agreements(after)
    if after.clock is not before.clock:
        _record_clock(act.tx, before, after, act.now)
    if after.robots != before.robots:
        act.tx.matches.set_robots(after)
    if after.rewound != before.rewound:
        act.tx.matches.outdate(before, after)
    if after.ply < before.ply:
        act.tx.matches.retract(before, after)
    elif any(entry.kind == "restored" for entry in log):
        act.tx.matches.restore(after.id)
    else:
        act.tx.matches.append(before, after.record[before.ply :], after.times[before.ply :], act.cause.inbound)
    act.tx.matches.add_comments(after, decision.comments, act.now, act.cause.inbound)
    if decision.seeded:
        act.tx.matches.set_seeds(after)
    act.tx.matches.touch(after, act.now)
    note_result(act.tx, before, after, act.now)
    if decision.ends_match:
        look_soon(act, after.id)
    if after.turn != before.turn or after.ruling != before.ruling:
        schedule_robot(act.tx, after, act.now)
        if after.seconds:
            schedule_vote(act.tx, after, act.now)
    if before.awaits_seeds and (after.outcome or not after.awaits_seeds):
        act.tx.due.cancel(FIRST_ROLLS, after.id)
    elif after.awaits_seeds and not before.awaits_seeds and after.rolls_due:
        act.tx.due.schedule(FIRST_ROLLS, after.id, after.rolls_due, since=min(act.now, after.rolls_due))


def _record_clock(tx: Transaction, before: Match, after: Match, now: datetime) -> None:
    """Store another clock of a match, and schedule what is due of it next."""
    if after.clock and before.clock and after.clock.control == before.clock.control:
        tx.clocks.save(after.id, after.clock, now)
    else:
        tx.clocks.remove(after.id)
        if after.clock:
            tx.clocks.add(after.id, after.clock, now)
    schedule_clock(tx, after, now)
