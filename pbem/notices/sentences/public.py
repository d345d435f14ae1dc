"""What anybody may read about the time of a match: who is to move until when, and what happened beside moves. Pure.

It names no address, and never says why somebody is away.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TypeAlias

from pbem.match.log import LogEntry, LogKind, read_moment
from pbem.match.match import Match
from pbem.match.summary import MatchSummary
from pbem.match.time.time_control import TimeControl
from pbem.match.timing import deadline_of
from pbem.notices.sentences.moments import last_day, needs_year
from rules.phrase import Listed, Phrase, listed, mark, phrase, phrases
from rules.position import Seat

_MONTHS = (
    mark("Jan"),
    mark("Feb"),
    mark("Mar"),
    mark("Apr"),
    mark("May"),
    mark("Jun"),
    mark("Jul"),
    mark("Aug"),
    mark("Sep"),
    mark("Oct"),
    mark("Nov"),
    mark("Dec"),
)

Moment: TypeAlias = date | datetime
"""A day, or a moment (UTC) to the minute."""


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence without its full stop, some of whose arguments are moments: a page marks these up.

    Years are written out as elsewhere for whoever reads of them ``near`` another moment.
    """

    message: str
    arguments: Mapping[str, str | Phrase | Listed | Moment]
    near: Moment

    def __str__(self) -> str:
        said = {name: self.say(value) if isinstance(value, date) else value for name, value in self.arguments.items()}
        return str(phrase(self.message).about(**said))

    def say(self, moment: Moment) -> Phrase:
        """Return one of its moments as people read it: 12 Nov, 14:00 UTC; of a day only the day."""
        at = moment.astimezone(UTC) if isinstance(moment, datetime) else moment
        day, month = at.day, phrase(_MONTHS[at.month - 1])
        if needs_year(at, self.near):
            said = phrase("{day} {month} {year}", day=day, month=month, year=at.year)
        else:
            said = phrase("{day} {month}", day=day, month=month)
        return phrase("{day}, {time} UTC", day=said, time=f"{at:%H:%M}") if isinstance(at, datetime) else said


def tell_turn(match: MatchSummary, now: datetime) -> Told | None:
    """Return who is to move in a match, since when and until when; None where it is nobody's turn."""
    seat, clock = match.standing.to_act, match.clock
    if seat is None:
        return None
    turned_at = (clock.turned_at if clock else None) or match.standing.changed_at
    told: dict[str, str | Moment] = {"name": match.name(seat), "since": turned_at.astimezone(UTC).date()}
    message = mark("{name} to move since {since}")
    if clock is None:
        return Told(message, told, turned_at)
    until = deadline_of(match)
    if clock.halted == "flagged":
        message = mark("{name} to move since {since}, out of time since {flagged}")
        told["flagged"] = clock.flagged_at or clock.halted_at or turned_at
    elif clock.pause and clock.pause[0] <= now < clock.pause[1]:
        told["end"] = clock.pause[1]
        message = mark("Paused until {end}; {name} to move since {since}")
        if until:
            message = mark("Paused until {end}; {name} to move since {since}, until {until}")
    elif clock.halted == "bounced":
        message = mark("{name} to move since {since}; waiting for an email to arrive")
    elif until:
        message = mark("{name} to move since {since}, until {until}")
    return Told(message, told | ({"until": until} if until else {}), turned_at)


def describe_control(control: TimeControl) -> Phrase:
    """Return how much time there is in a match."""
    start, increment, cap = map(_say_exactly, (control.start, control.increment, control.cap))
    free = control.weekends_free
    if control.start == control.increment == control.cap:
        said = phrase("{time} a move, weekends don’t count") if free else phrase("{time} a move")
    elif control.increment:
        said = phrase("{time}, and {more} more for each move, up to {most}")
        if free:
            said = phrase("{time}, and {more} more for each move, up to {most}, weekends don’t count")
    else:
        said = (
            phrase("{time} for the whole match, weekends don’t count") if free else phrase("{time} for the whole match")
        )
    return said.about(time=start, more=increment, most=cap)


def _say_exactly(seconds: int) -> Listed:
    """Return a length of time in days, hours and minutes, which nobody has rounded."""
    days, rest = divmod(seconds, 86400)
    hours, minutes = divmod(rest // 60, 60)
    parts = [
        phrases("{count} day", "{count} days", days) if days else None,
        phrases("{count} hour", "{count} hours", hours) if hours else None,
        phrases("{count} minute", "{count} minutes", minutes) if minutes or not (days or hours) else None,
    ]
    return listed(filter(None, parts))


def tell_log(log: Sequence[LogEntry], match: Match) -> list[tuple[LogEntry, Told]]:
    """Return what happened to a match beside its entries, oldest first, as far as it concerns everybody.

    Of days of absence that follow each other only the last is told.
    """
    found: list[tuple[LogEntry, Told]] = []
    for entry in log:
        told = _tell(entry, match)
        if told is None:
            continue
        if entry.kind == "automatic_day" and entry.arguments.get("again") and found:
            before = found[-1][0]
            if (before.kind, before.seat, before.ply) == (entry.kind, entry.seat, entry.ply):
                found.pop()
        found.append((entry, told))
    return found


_BY_PLAYER: dict[LogKind, str] = {
    "flagged": mark("{name}’s time is up"),
    "claimed": mark("{name} claimed the win on time"),
    "back": mark("{name} is back"),
    "draw_offered": mark("{name} offered a draw"),
    "draw_declined": mark("{name} declined the draw"),
    "undo_asked": mark("{name} asked to take a move back"),
    "undo_declined": mark("{name} declined to take moves back"),
    "stayed": mark("{name} plays on for good"),
    "taken_up": mark("{name} took the match up again"),
    "bounced": mark("An email to {name} came back, so the clock stopped"),
}
_BY_NOBODY: dict[LogKind, str] = {
    "put_away": mark("The match was put away, since nobody wrote"),
    "pause_ended": mark("The pause ended"),
    "time_control": mark("The operator changed the time control"),
    "draw_agreed": mark("The players agreed on a draw"),
    "adjudicated": mark("The operator adjudicated the match"),
    "reinstated": mark("The operator let the match go on"),
    "rewound": mark("The operator took moves back"),
    "restored": mark("The operator restored what had been taken back"),
}
_VOID = mark("The operator called the match off")
_NO_SHOW = mark("Nobody moved in time, so the match was called off")


def _tell(entry: LogEntry, match: Match) -> Told | None:
    """Return one thing that happened; None for what is private, or told elsewhere."""
    if entry.seat is not None and not 0 <= entry.seat < len(match.players):
        return None
    given, at = entry.arguments, entry.at or match.opened_at
    name = "" if entry.seat is None else match.name(entry.seat)
    if entry.kind == "given" and name:
        other = _waited_for(entry, match)
        told: dict[str, str | Listed] = {"name": name, "time": _say_exactly(_seconds(given))}
        if other is None:
            return Told(mark("{name} gave extra time: {time}"), told, at)
        return Told(mark("{name} gave {other} extra time: {time}"), told | {"other": match.name(other)}, at)
    if entry.kind == "extended":
        return _tell_extended(entry, match, at)
    if entry.kind == "replaced":
        return _tell_replaced(entry, match, at)
    if entry.kind == "paused":
        until = read_moment(given, "until")
        return Told(mark("The match is paused until {until}"), {"until": until}, at) if until else None
    if entry.kind in ("absent", "automatic_day") and name and entry.seat is not None:
        return _tell_absence(entry, match, entry.seat, at)
    if entry.kind == "rewound" and not given.get("moves", 1):
        return _tell_return(given.get("left"), match, at, given.get("by"))
    if entry.kind == "rewound" and entry.seat is not None:
        return Told(mark("Everyone agreed that {name} takes a move back"), {"name": name}, at)
    if entry.kind == "voided":
        return Told(_VOID if given.get("by") == "operator" else _NO_SHOW, {}, at)
    if entry.kind in _BY_PLAYER and name and not _is_private(entry, match):
        return Told(_BY_PLAYER[entry.kind], {"name": name}, at)
    return Told(_BY_NOBODY[entry.kind], {}, at) if entry.kind in _BY_NOBODY else None


def _tell_return(left: object, match: Match, at: datetime, by: object) -> Told | None:
    """Return whose seat is played again, since only that they ``left`` was taken back: ``by`` all, or the host."""
    seat, word = left[0] if isinstance(left, list) and left else (None, "")
    if type(seat) is not int or not 0 <= seat < len(match.players):
        return None
    message = mark("The operator took back that {name} ran out of time")
    if word == "resign":
        message = mark("The operator took back that {name} resigned")
    if by == "players":
        message = mark("Everyone agreed that the seat of {name} is played on")
    return Told(message, {"name": match.name(seat)}, at)


def _tell_extended(entry: LogEntry, match: Match, at: datetime) -> Told | None:
    """Return whose time the operator has changed."""
    seat, seconds = entry.arguments.get("seat"), _seconds(entry.arguments)
    if type(seat) is not int or not 0 <= seat < len(match.players):
        return None
    message = mark("The operator gave {name} extra time: {time}")
    if seconds < 0:
        message = mark("The operator took time from {name}: {time}")
    return Told(message, {"name": match.name(seat), "time": _say_exactly(abs(seconds))}, at)


def _tell_replaced(entry: LogEntry, match: Match, at: datetime) -> Told | None:
    """Return who plays instead of whom."""
    before, after = entry.arguments.get("before"), entry.arguments.get("after")
    if not isinstance(before, str) or not isinstance(after, str):
        return None
    return Told(mark("{after} plays on for {before}"), {"after": after, "before": before}, at)


def _tell_absence(entry: LogEntry, match: Match, seat: Seat, at: datetime) -> Told | None:
    """Return on which days somebody is away: the hour would tell where they live, and nobody needs to know why."""
    start, end = (
        read_moment(entry.arguments, "start"),
        read_moment(entry.arguments, "end") or read_moment(entry.arguments, "until"),
    )
    if end is None:
        return None
    calendar = match.players[seat].calendar
    told: dict[str, str | Moment] = {"name": match.name(seat), "last": last_day(end, calendar)}
    if start and start > at + timedelta(days=1):
        first = start.astimezone(calendar.tzinfo).date()
        return Told(mark("{name} is away from {first} to {last}"), told | {"first": first}, at)
    return Told(mark("{name} is away until {last}"), told, at)


def _is_private(entry: LogEntry, match: Match) -> bool:
    """Return whether others need not know: another address is tried, a question is asked again, or a move tells it."""
    last = match.record[entry.ply - 1] if 0 < entry.ply <= match.ply else None
    lost = entry.kind == "flagged" and last is not None and last.text == "timeout"
    return bool(entry.arguments.get("other") or entry.arguments.get("again")) or lost


def _waited_for(entry: LogEntry, match: Match) -> Seat | None:
    """Return whose turn it was when something happened; None if that is not known."""
    later = (one.seat for one in match.record[entry.ply :] if one.seat is not None)
    return next(later, match.to_act if isinstance(match.to_act, int) else None)


def _seconds(arguments: Mapping[str, object]) -> int:
    """Return the length of time in the arguments of an entry; 0 for none."""
    found = arguments.get("seconds")
    return found if isinstance(found, int) else 0
