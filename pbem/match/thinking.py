"""How long each entry of a record was thought about: not in pauses, in outages, nor while its player was away. Pure."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import zip_longest

from pbem.match.log import LogEntry, read_moment
from pbem.match.match import Match
from pbem.match.time.calendar import Absence, Calendar, Span, counted
from rules.position import Seat

_DAY = timedelta(days=1)


def thinking_times(match: Match, log: Sequence[LogEntry], outages: Sequence[Span] = ()) -> list[int]:
    """Return for each entry of the record the seconds from the entry before it, or the opening, without absences.

    The ``log`` tells of absences and pauses; who was away when the match began has it in their calendar; ``outages``
    are those since the opening. Absences last whole days, as others read of them, in UTC: hours would tell a zone.
    """
    lost = [*outages, *_pauses(log)]
    away = [Calendar(absences=tuple(_absences(match, seat, log))) for seat in range(len(match.players))]
    moments = (match.opened_at, *match.times)
    times = []
    for entry, before, at in zip(match.record, moments, match.times, strict=False):
        calendar = Calendar() if entry.seat is None else away[entry.seat]
        met = [(start, end) for start, end in lost if start < at and before < end]
        times.append(counted(before, at, calendar, weekends_free=False, lost=met))
    return times


def _pauses(log: Sequence[LogEntry]) -> Iterator[Span]:
    """Yield from when to when the match was paused: a pause ends as it said, unless it was ended, or another begun."""
    ends = [entry for entry in log if entry.kind in ("paused", "pause_ended")]
    for entry, following in zip_longest(ends, ends[1:]):
        until = read_moment(entry.arguments, "until")
        if entry.kind == "paused" and entry.at and until:
            yield entry.at, min(until, following.at) if following and following.at else until


def _absences(match: Match, seat: Seat, log: Sequence[LogEntry]) -> Iterator[Absence]:
    """Yield when the player of a seat was away."""
    calendar = match.players[seat].calendar
    if not any(entry.kind == "replaced" and entry.arguments.get("seat") == seat for entry in log):
        for absence in calendar.absences:
            if absence.start < match.opened_at < absence.end:
                yield Absence(match.opened_at, _day_after(absence.end, calendar))
    own = [entry for entry in log if entry.seat == seat and entry.at]
    for number, entry in enumerate(own):
        end = read_moment(entry.arguments, "end") or read_moment(entry.arguments, "until")
        if entry.kind not in ("absent", "automatic_day") or end is None or entry.at is None:
            continue
        start = read_moment(entry.arguments, "start")
        begun = _midnight(start, calendar) if start and start > entry.at + _DAY else entry.at
        back = next((later.at for later in own[number:] if later.kind == "back" and later.at), None)
        over = _day_after(end, calendar)
        yield Absence(begun, min(over, back) if back else over)


def _midnight(moment: datetime, calendar: Calendar) -> datetime:
    """Return the beginning in UTC of what is the day of a moment in the zone of a calendar."""
    day = moment.astimezone(calendar.tzinfo)
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _day_after(end: datetime, calendar: Calendar) -> datetime:
    """Return the end in UTC of what is the last day before ``end`` in the zone of a calendar."""
    return _midnight(end - timedelta(seconds=1), calendar) + _DAY
