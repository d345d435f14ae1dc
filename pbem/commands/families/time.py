"""The family of time: more of it, less of it, absences, and when a player is reminded of it. Pure."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from pbem.commands.decision import Family, HelpRow, Keyword, MatchSituation, Situation
from pbem.commands.effects import AddLog, Append, Effect, Reply, SetCalendar
from pbem.commands.families import time_words as words
from pbem.match.agreements import all_agree
from pbem.match.log import LogEntry
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.time.calendar import Absence, Calendar, absent, days_left, pruned, returned
from pbem.match.time.clock import LONGEST_PAUSE, Clock, Proposal
from pbem.match.timing import deadline_of, settle_clock, side_of, time_left
from pbem.reading.reason import Misread, Reason, because
from pbem.reading.when.lengths import read_quiet, read_steps, write_duration
from pbem.reading.when.spans import read_days
from pbem.reading.zones import read_zone
from rules.position import Entry, Seat

MOST_LEFT = 60
"""The most days that anybody’s time may be brought to by giving them more."""

EMERGENCY_DAYS, EMERGENCY_APART = 14, 182
"""How many days an emergency lasts, and after how many days there may be another."""

_DAY = timedelta(days=1)
_SAME_PAUSE = timedelta(days=2)
"""Two players who name the same pause from different days or zones mean one."""


def _give(situation: MatchSituation, command: words.Give | words.Wait, now: datetime) -> MatchSituation:
    """Give time to whoever is to act."""
    match, seat = situation.match, situation.seat
    clock, held = _waited_for(situation)
    if clock is None or held is None:
        return situation.told(_why_not_waiting(match))
    if command.seconds is None:
        if isinstance(command, words.Wait):
            return situation.answered(str(command), "waiting_on", name=match.name(held))
        return situation.told("time_unread", text=command.line, example="give 3d")
    if isinstance(command, words.Give) and _is_for_another(match, held, command.to):
        return situation.told("give_whose_turn", name=match.name(held))
    left = time_left(match, now) + command.seconds
    if left > MOST_LEFT * _DAY.total_seconds():
        return situation.told("give_at_most", most=MOST_LEFT)
    side = side_of(match, held)
    more = replace(settle_clock(match, now).with_bank(left, side), flagged_at=None, reminded=None)
    if clock.halted == "flagged":
        more = replace(more, halted="unsent", halted_at=None)  # it runs from the email that tells of it
    entry = LogEntry("given", seat, {"seconds": command.seconds})
    return situation.carried(f"give {write_duration(command.seconds)}", AddLog(entry), match=match.with_clock(more))


def _is_for_another(match: Match, held: Seat, to: str) -> bool:
    """Return whether ``to`` is the name of somebody else than ``held``, or their partners, to whom time is given."""
    names = {seat: match.name(seat).casefold().partition(" ")[0] for seat in range(len(match.players))}
    own = {names[seat] for seat in side_of(match, held)}
    return to.casefold() in set(names.values()) - own


def _claim(situation: MatchSituation, now: datetime) -> MatchSituation:
    """Let those leave the match whose time is up."""
    match, seat = situation.match, situation.seat
    clock, held = _waited_for(situation)
    if clock is None or held is None:
        return situation.told(_why_not_waiting(match))
    if clock.pause and clock.is_paused(now):
        return situation.told("paused_now", until=clock.pause[1].isoformat())
    if not may_claim(match, seat):
        code = "no_claims" if clock.halted == "flagged" else "not_flagged"
        until = None if clock.waits_for_email(now) else deadline_of(match, at=now)
        return situation.told(code, name=match.name(held), until=until.isoformat() if until else "")
    after, effects = match, list[Effect]()
    for member in (held, *sorted(set(side_of(match, held)) - {held})):
        if after.outcome is None and member not in after.position.departed():
            entry = Entry(member, "timeout")
            after = after.after(entry, now)
            effects.append(Append(entry, now))
    return situation.carried("claim", *effects, AddLog(LogEntry("claimed", seat)), match=after, known=after)


def may_claim(match: Match, seat: Seat) -> bool:
    """Return whether ``seat`` may let those leave the match whose time is up, but for a pause."""
    clock = match.clock
    if clock is None or clock.halted != "flagged" or clock.control.policy == "remind-only":
        return False
    return clock.seat is not None and match.outcome is None and _waits_for(match, seat, clock.seat)


def proposed_pause(match: Match) -> tuple[str, ...]:
    """Return the words by which a player agrees to the pause, or to its end, that is proposed; none without one."""
    proposal = match.clock.proposal if match.clock else None
    if proposal is None:
        return ()
    return ("pause off" if proposal.ends else f"pause until {proposal.until.date()}",)


def _pause(situation: MatchSituation, command: words.Pause | words.PauseUntil, now: datetime) -> MatchSituation:
    """Propose a pause, or agree to it; it begins when everybody has."""
    match, seat = situation.match, situation.seat
    if match.clock is None or match.outcome or seat in match.position.departed():
        return situation.told(_why_not_waiting(match))
    if isinstance(command, words.PauseUntil):
        calendar = _calendar_of(situation)
        days = read_days(command.text, _today(calendar, now))
        if isinstance(days, Misread):
            if days.code in ("dates_too_long", "dates_too_far"):
                return situation.told("pause_too_long", most=LONGEST_PAUSE)
            return situation.told(days.code, example="pause until 17 aug", **dict(days.arguments))
        until = _start_of(days.last + _DAY, calendar)
    elif not command.seconds:
        return situation.told("time_unread", text=command.line, example="pause 10d")
    else:
        until = now + timedelta(seconds=command.seconds)
    if until > now + (LONGEST_PAUSE + 1) * _DAY:
        return situation.told("pause_too_long", most=LONGEST_PAUSE)
    clock = match.clock
    known = clock.proposal
    if known and not known.ends and known.until > now and abs(known.until - until) <= _SAME_PAUSE:
        proposal = Proposal(known.until, tuple(sorted({*known.seats, seat})))
    else:
        proposal = Proposal(until.replace(microsecond=0), (seat,))
    at = {"until": proposal.until.isoformat()}
    if not all_agree(match.present - match.robot_seats, proposal.seats):
        changed = replace(clock, proposal=proposal)
        entry = LogEntry("pause_proposed", seat, at)
    else:
        changed = replace(settle_clock(match, now), pause=(now, proposal.until), proposal=None)
        entry = LogEntry("paused", seat, at)
    return situation.carried(str(command), AddLog(entry), match=match.with_clock(changed))


def _end_pause(situation: MatchSituation, now: datetime) -> MatchSituation:
    """Withdraw what the sender has proposed, or agreed to; else propose to end the pause that runs, or agree to it."""
    match, seat, clock = situation.match, situation.seat, situation.match.clock
    known = clock.proposal if clock and clock.proposal and clock.proposal.until > now else None
    if clock and known and not known.ends and seat in known.seats:
        changed = match.with_clock(replace(clock, proposal=None))
        return situation.carried("pause off", AddLog(LogEntry("pause_withdrawn", seat)), match=changed)
    runs = clock is not None and clock.is_paused(now)
    if not clock or not clock.pause or not runs or match.outcome or seat in match.position.departed():
        return situation.told("no_pause_proposed")
    agreed = known.seats if known and known.ends else ()
    if seat in agreed:
        return situation.told("pause_end_known", until=clock.pause[1].isoformat())
    start, until = clock.pause
    proposal = Proposal(until, tuple(sorted((*agreed, seat))), ends=True)
    if all_agree(match.present - match.robot_seats, proposal.seats):
        ended = replace(settle_clock(match, now), pause=(start, now), proposal=None)
        return situation.carried("pause off", AddLog(LogEntry("pause_ended", seat)), match=match.with_clock(ended))
    entry = LogEntry("pause_end_proposed", seat, {"until": until.isoformat()})
    return situation.carried("pause off", AddLog(entry), match=match.with_clock(replace(clock, proposal=proposal)))


def _vacation(situation: MatchSituation, command: words.Vacation, now: datetime) -> MatchSituation:
    """Let the sender be away on some days."""
    calendar = _calendar_of(situation)
    days = read_days(command.text, _today(calendar, now))
    if isinstance(days, Misread):
        return situation.told(days.code, example="vacation 3-17 aug", **dict(days.arguments))
    start, end = max(now, _start_of(days.first, calendar)), _start_of(days.last + _DAY, calendar)
    changed = absent(pruned(calendar, now), Absence(start, end))
    for year in range(days.first.year, days.last.year + 1):
        within = _start_of(date(year, 7, 1), calendar)
        # Asked with room for more than anybody has, the days that are spent show, however many they are.
        spent = 10_000 - days_left(changed, 10_000, within)
        if spent > situation.allowance:
            left = days_left(calendar, situation.allowance, within)
            code = "vacation_short" if left else "vacation_none_left"
            return situation.told(code, days=days.days, left=left, year=str(year))
    left = days_left(changed, situation.allowance, start)
    told = {"first": days.first.isoformat(), "last": days.last.isoformat(), "year": str(days.first.year)}
    said = because("vacation_set", days=days.days, left=left, **told)
    entry = LogEntry("absent", situation.seat, {"start": start.isoformat(), "end": end.isoformat(), "kind": "vacation"})
    return _set(situation, str(command), changed, said, entry)


def _emergency(situation: MatchSituation, now: datetime) -> MatchSituation:
    """Stop the sender’s clocks at once, without a question."""
    calendar = _calendar_of(situation)
    latest = max((one.start for one in calendar.absences if one.kind == "emergency"), default=None)
    if latest and now < latest + EMERGENCY_APART * _DAY:
        return situation.told("emergency_used", again=(latest + EMERGENCY_APART * _DAY).isoformat())
    until = now + EMERGENCY_DAYS * _DAY
    changed = absent(pruned(calendar, now), Absence(now, until, "emergency"))
    entry = LogEntry(
        "absent", situation.seat, {"start": now.isoformat(), "end": until.isoformat(), "kind": "emergency"}
    )
    return _set(situation, "emergency", changed, because("emergency_set", until=until.isoformat()), entry)


def _back(situation: MatchSituation, now: datetime) -> MatchSituation:
    """End the sender’s absence, and drop those to come."""
    calendar = _calendar_of(situation)
    changed = returned(calendar, now)
    if changed == calendar:
        return situation.told("not_away")
    if calendar.absent_at(now) is None:
        entry = LogEntry("back", situation.seat, {"cancelled": True})
        return _set(situation, "back", changed, because("vacation_cancelled"), entry)
    return _set(situation, "back", changed, because("back_done"), LogEntry("back", situation.seat))


def _zone(situation: MatchSituation, command: words.Zone) -> MatchSituation:
    """Say times in another zone from now on."""
    zone = read_zone(command.text)
    if isinstance(zone, Misread):
        return situation.told(zone.code, **dict(zone.arguments))
    changed = replace(_calendar_of(situation), zone="" if zone == "UTC" else zone)
    return _set(situation, str(command), changed, because("zone_set", zone=zone))


def _remind(situation: MatchSituation, command: words.Remind) -> MatchSituation:
    """Choose when reminders come."""
    steps = read_steps(command.text)
    if isinstance(steps, Misread):
        return situation.told(steps.code, **dict(steps.arguments))
    if steps == "default":
        return _set(situation, str(command), replace(_calendar_of(situation), remind=None), because("remind_default"))
    said = because("remind_set", steps=", ".join(map(write_duration, steps))) if steps else because("remind_off")
    return _set(situation, str(command), replace(_calendar_of(situation), remind=steps), said)


def _quiet(situation: MatchSituation, command: words.Quiet) -> MatchSituation:
    """Choose the hours in which no reminder comes."""
    hours = read_quiet(command.text)
    if isinstance(hours, Misread):
        return situation.told(hours.code, **dict(hours.arguments))
    if hours == "off":
        return _set(situation, str(command), replace(_calendar_of(situation), quiet=None), because("quiet_off"))
    said = because("quiet_set", start=hours[0], end=hours[1])
    return _set(situation, str(command), replace(_calendar_of(situation), quiet=hours), said)


def _automatic(situation: MatchSituation, command: words.AutoVacation) -> MatchSituation:
    """Choose whether days of vacation are used up when time is up."""
    changed = replace(_calendar_of(situation), automatic=command.on)
    return _set(situation, str(command), changed, because("auto_on" if command.on else "auto_off"))


_MATCH_ACTIONS: dict[type, Callable[[MatchSituation, Any, datetime], MatchSituation]] = {
    words.Give: _give,
    words.Wait: _give,
    words.Pause: _pause,
    words.PauseUntil: _pause,
    words.Claim: lambda situation, command, now: _claim(situation, now),
    words.PauseOff: lambda situation, command, now: _end_pause(situation, now),
    words.Vacation: _vacation,
    words.Emergency: lambda situation, command, now: _emergency(situation, now),
    words.Back: lambda situation, command, now: _back(situation, now),
    words.Zone: lambda situation, command, now: _zone(situation, command),
    words.Remind: lambda situation, command, now: _remind(situation, command),
    words.Quiet: lambda situation, command, now: _quiet(situation, command),
    words.AutoVacation: lambda situation, command, now: _automatic(situation, command),
}


def _apply(situation: MatchSituation, command: Any, now: datetime) -> MatchSituation:
    """Do what a command about time asks for, or say why not."""
    if isinstance(command, words.OF_CLOCKS) and not situation.clocked:
        return situation.told("no_clocks")
    return _MATCH_ACTIONS[type(command)](situation, command, now)


def _list_matches(situation: Situation, command: words.Status | words.Settings, now: datetime) -> Situation:
    """Send one email about all matches of the sender, or about what they have set for these."""
    return situation.carried(str(command), Reply("status" if command == words.Status() else "settings"))


def _set(
    situation: MatchSituation, done: str, calendar: Calendar, said: Reason, entry: LogEntry | None = None
) -> MatchSituation:
    """Return the situation with another calendar of the sender, and what they, and perhaps others, are told of it."""
    player, calendar = _player_of(situation), replace(calendar, away=None)
    match = situation.match
    plays = match.outcome is None and situation.seat not in match.position.departed()
    telling = (AddLog(entry),) if entry and plays else ()
    clock = match.clock
    if entry and entry.kind == "absent" and clock and clock.halted == "flagged" and clock.seat == situation.seat:
        situation = situation.told("flagged_anyway")
    return situation.carried(
        done,
        SetCalendar(player, calendar),
        *telling,
        Reply("answer", (said,)),
        match=match.with_player(replace(player, calendar=calendar)),
    )


def _waited_for(situation: MatchSituation) -> tuple[Clock | None, Seat | None]:
    """Return the clock of the match, and whom the sender waits for on it; None where they wait for nobody."""
    match, seat = situation.match, situation.seat
    clock = match.clock
    if clock is None or clock.seat is None or match.outcome or not _waits_for(match, seat, clock.seat):
        return clock, None
    return clock, clock.seat


def _waits_for(match: Match, seat: Seat, held: Seat) -> bool:
    """Return whether ``seat`` plays on, and not on the side of ``held``."""
    return seat not in match.position.departed() and seat not in side_of(match, held)


def _why_not_waiting(match: Match) -> str:
    """Return the code of why a command about somebody’s time does nothing."""
    if match.outcome:
        return "time_is_over"
    return "no_clock" if match.clock is None else "not_waiting"


def _player_of(situation: MatchSituation) -> Player:
    """Return the sender, with what they have set so far."""
    return situation.match.players[situation.seat]


def _calendar_of(situation: MatchSituation) -> Calendar:
    """Return the calendar of the sender."""
    return _player_of(situation).calendar


def _today(calendar: Calendar, now: datetime) -> date:
    """Return the day that it is in the zone of a calendar."""
    return now.astimezone(calendar.tzinfo).date()


def _start_of(day: date, calendar: Calendar) -> datetime:
    """Return when a day begins in the zone of a calendar, in UTC."""
    return datetime.combine(day, time(), calendar.tzinfo).astimezone(UTC)


def _has_clock(match: Match, seat: Seat) -> bool:
    """Return whether commands about time mean anything in a match."""
    return match.clock is not None


FAMILY = Family(
    name="time",
    topic="time",
    types=words.TIME_TYPES,
    parse=words.parse_time,
    apply=_apply,
    keywords=words.TIME_KEYWORDS,
    help=(
        HelpRow("vacation 3-17 aug", _has_clock),
        HelpRow("give 3d", _has_clock),
        HelpRow("pause 10d", _has_clock),
        HelpRow("remind 2d 12h", _has_clock),
        HelpRow("tz Europe/Lisbon", _has_clock),
    ),
)

STATUS = Family(
    name="status",
    topic="you",
    types=(words.Status, words.Settings),
    apply=_list_matches,
    keywords=(
        Keyword("status", words.Status()),
        *(Keyword(line, words.Settings()) for line in ("help settings", "settings")),
    ),
    help=(HelpRow("status"), HelpRow("help settings")),
    scope="player",
)
