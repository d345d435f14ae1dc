"""What becomes of a match when the time of whoever is to act may be over."""

from dataclasses import replace
from datetime import datetime, timedelta

from pbem.asking.asked_again import announce_present
from pbem.commands.decision import MatchDecision, Step
from pbem.commands.effects import AddLog, Append, Effect, SetCalendar
from pbem.commands.families.planning import follow_plans
from pbem.commands.putting_away import QUIET
from pbem.due.schedule import find_end, schedule_clock
from pbem.due.unsending import held_at
from pbem.errors import DamagedMatch
from pbem.match.endings import Ruling
from pbem.match.log import LogEntry
from pbem.match.match import Match, advance_automatically
from pbem.match.time.calendar import Absence, absent, days_left, pruned
from pbem.match.time.clock import UNREACHABLE, Clock
from pbem.match.timing import calendar_of, deadline_of, pass_clock, policy_of, side_of
from pbem.pipeline.act import Act, cause_at
from pbem.pipeline.announce import announce
from pbem.pipeline.record import record
from pbem.storage.due import CLOCK_DUE
from pbem.storage.transaction import Transaction
from rules.position import Entry, Seat

_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)
_UNTIL_IT_IS_CARRIED_OUT = timedelta(minutes=5)


def check_clock(act: Act, number: int) -> None:
    """Do what is due of the clock of a match, and schedule what is due next."""
    match = act.tx.matches.get(number)
    if match is None:
        raise DamagedMatch(number, "its clock is due, and it is not there")
    clock = match.clock
    if clock is None or clock.seat is None or match.outcome:
        return
    if _waits_for_address(act.tx, clock, act.now):
        _handle_bounce(act, match, clock.seat)
    elif clock.halted == "flagged":
        if clock.flagged_at and act.now < clock.flagged_at + QUIET:
            tell(act, match, LogEntry("flagged", clock.seat, {"again": True}))
        schedule_clock(act.tx, match, act.now)
    elif clock.halted == "unsent":
        if match.players[clock.seat].preferences.muted:
            match = match.with_clock(replace(clock, since=act.now, halted=""))
            act.tx.clocks.save(number, _clock_of(match), act.now)
        elif not act.tx.outbound.is_waiting(number, clock.seat, _written_since(clock, act.now)):
            # What came back, they can read.
            announce_present(act.because(cause_at("again", act.now)), match, clock.seat)
        schedule_clock(act.tx, match, act.now)
    elif (deadline := deadline_of(match)) and act.now < deadline:
        schedule_clock(act.tx, match, act.now)
    elif deadline and held_at(act.tx, match, clock.seat):
        act.tx.due.schedule(CLOCK_DUE, number, act.now + _UNTIL_IT_IS_CARRIED_OUT)
    else:
        _end_time(act, match, clock.seat, deadline or act.now)


def find_time_over(tx: Transaction, number: int, now: datetime) -> datetime | None:
    """Return since when the time is over of whoever is to act in a match; None while it isn't, or no clock runs."""
    match = tx.matches.get(number)
    clock = match.clock if match else None
    if match is None or clock is None or clock.seat is None or match.outcome:
        return None
    if clock.halted in ("flagged", "unsent") or _waits_for_address(tx, clock, now):
        return None
    deadline = find_end(tx, match)
    return deadline if deadline and deadline <= now else None


def _waits_for_address(tx: Transaction, clock: Clock, now: datetime) -> bool:
    """Return whether a clock stands since an email came back, and its player may yet be reached."""
    if clock.halted != "bounced":
        return False
    return clock.halted_at is None or now < tx.heartbeats.served_by(clock.halted_at, UNREACHABLE)


def _written_since(clock: Clock, now: datetime) -> datetime:
    """Return since when the email of a turn can have been written."""
    if clock.turned_at and clock.turned_at <= now:
        return clock.turned_at
    return now - _HOUR  # the clock of the machine was ahead: its emails are dated when it was set right


def _end_time(act: Act, match: Match, seat: Seat, deadline: datetime) -> None:
    """Do what follows when the time of ``seat`` is over: since ``deadline``, and no message came by then."""
    absence = calendar_of(match).absent_at(deadline)
    if absence and act.now < absence.end:  # which began just then
        waiting = _waiting_until(match, seat, absence.end)
        act.tx.clocks.save(match.id, _clock_of(waiting), act.now)
        schedule_clock(act.tx, waiting, act.now)
        return
    act = act.because(cause_at("flag", act.now))
    decision = follow_plans(flag_decision(match, seat, deadline, act.site.vacation_days, act.now), act.now)
    record(act, decision)
    announce(act, decision, "")


def flag_decision(match: Match, seat: Seat, deadline: datetime, allowance: int, now: datetime) -> MatchDecision:
    """Return what follows when the time of ``seat`` is over since ``deadline``; pure.

    Nobody loses a match in which nobody has moved; a day of vacation is used up first, of so many in a year, but for
    nothing: not where nobody loses on time.
    """
    clock, calendar = match.clock, calendar_of(match)
    assert clock is not None
    if not match.has_begun:
        ruling = Ruling("void", reason="no_show", at=now)
        return _decided(match, pass_clock(match, replace(match, ruling=ruling), now), LogEntry("voided", None))
    spends = clock.halted != "bounced" and clock.control.policy != "remind-only"
    if spends and calendar.automatic and (left := days_left(calendar, allowance, now)) > 0:
        start = deadline if now - deadline < _HOUR else now
        again = any(one.kind == "automatic" and one.end == start for one in calendar.absences)
        day = Absence(start, start + _DAY, "automatic")
        used = {"until": day.end.isoformat(), "left": left - 1, "again": again}
        change = SetCalendar(match.players[seat], absent(pruned(calendar, now), day))
        return _decided(match, _waiting_until(match, seat, day.end), LogEntry("automatic_day", seat, used), change)
    side = (seat, *sorted(set(side_of(match, seat)) - {seat}))
    policy = policy_of(match, seat)
    if policy == "forfeit":
        return timeout_decision(match, side, LogEntry("flagged", seat), now)
    if policy == "partner" and len(side) > 1:
        return timeout_decision(match, (seat,), LogEntry("flagged", seat), now)
    stopped = replace(
        clock.with_bank(0, side), since=None, halted="flagged", halted_at=now, flagged_at=deadline, reminded=None
    )
    return _decided(match, match.with_clock(stopped), LogEntry("flagged", seat))


def _waiting_until(match: Match, seat: Seat, end: datetime) -> Match:
    """Return the match in which ``seat`` has nothing left, and an absence that goes on until ``end``."""
    clock = replace(_clock_of(match).with_bank(0, side_of(match, seat)), since=end)
    return match.with_clock(clock)


def _clock_of(match: Match) -> Clock:
    """Return the clock of a match that has one."""
    assert match.clock is not None
    return match.clock


def timeout_decision(match: Match, seats: tuple[Seat, ...], entry: LogEntry, now: datetime) -> MatchDecision:
    """Return the decision by which ``seats`` leave a match, since their time is over; pure."""
    after = match
    for seat in seats:
        if after.outcome is None and seat not in after.position.departed():
            after = after.after(Entry(seat, "timeout"), now)
    after = advance_automatically(after, now)
    return _decided(match, pass_clock(match, after, now), entry)


def _decided(before: Match, after: Match, entry: LogEntry, *effects: Effect) -> MatchDecision:
    """Return the decision that brings ``before`` to ``after``, with what is told of it."""
    entries = zip(after.record[before.ply :], after.times[before.ply :], strict=True)
    appended = tuple(Append(one, at) for one, at in entries)
    return MatchDecision((Step("", (*appended, *effects, AddLog(entry))),), before=before, after=after)


def tell(act: Act, match: Match, entry: LogEntry) -> None:
    """Record and announce something that changes nothing in the match itself."""
    act = act.because(cause_at(entry.kind, act.now))
    decision = _decided(match, match, entry)
    record(act, decision)
    announce(act, decision, "")


def _came_back(entry: LogEntry) -> bool:
    """Return whether an entry says that an email came back."""
    return entry.kind == "bounced" and not entry.arguments.get("again")


def _handle_bounce(act: Act, match: Match, seat: Seat) -> None:
    """Try another address of a player whose email came back, once in a turn; then tell the others."""
    clock, player = match.clock, match.players[seat]
    assert clock is not None
    since = clock.turned_at or act.now
    told = [one for one in act.tx.clocks.log(match.id) if _came_back(one) and one.at and one.at >= since]
    others = sorted(player.emails - {player.email})
    if not told and others:
        waiting = match.with_clock(replace(clock, halted="unsent", halted_at=None))
        act.tx.clocks.add_log(match.id, [LogEntry("bounced", seat, {"other": True}, match.ply, act.now)], None)
        act.tx.clocks.save(match.id, _clock_of(waiting), act.now)
        announce_present(act.because(cause_at("bounced", act.now)), waiting, seat, to=others[0])
        schedule_clock(act.tx, waiting, act.now)
        return
    if not any(not one.arguments.get("other") for one in told):
        tell(act, match, LogEntry("bounced", seat))
    schedule_clock(act.tx, match, act.now)
