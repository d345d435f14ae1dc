"""A player's calendar: their zone, absences and quiet hours, and the arithmetic on the time that counts. Pure.

Within, moments are whole seconds since 1970: plain numbers are compared and added ten times faster than dates.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from itertools import chain
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

from pbem.reading.when.days import DateSpan

Span: TypeAlias = tuple[datetime, datetime]
"""From the first moment up to, and without, the second; both aware."""

AbsenceKind = Literal["vacation", "automatic", "emergency"]
"""Asked for; taken by itself when time was up; or an emergency, which costs nothing of the allowance."""

_HOUR = 3600
_DAY = 24 * _HOUR
_WEEK = 7 * _DAY
_SINCE_MONDAY = 3 * _DAY  # 1 January 1970 was a Thursday
_END = int(datetime(9999, 12, 1, tzinfo=UTC).timestamp())  # a week is left that can be added
_FORGOTTEN = timedelta(days=400)  # longer than the year of the allowance, and the half year of an emergency


@dataclass(frozen=True, slots=True)
class Absence:
    """A player is away from ``start`` up to ``end``: aware, in UTC, whole seconds."""

    start: datetime
    end: datetime
    kind: AbsenceKind = "vacation"


@dataclass(frozen=True, slots=True)
class Calendar:
    """When one player has time, in all their matches.

    ``zone`` is an IANA name, empty for UTC; ``absences`` stand in order, as `absent` puts them. ``remind`` are the
    steps of reminders in seconds left: None for those that go with the pace of the match, none at all if empty.
    ``quiet`` are hours of the day in the zone, from the first up to the second, over midnight too. ``automatic``:
    a day of the allowance is taken when time is up. ``away`` are days on which an automatic reply said that the player
    is away: they are offered a vacation, and nothing else follows from it.
    """

    zone: str = ""
    absences: tuple[Absence, ...] = ()
    remind: tuple[int, ...] | None = None
    quiet: tuple[int, int] | None = None
    automatic: bool = True
    away: DateSpan | None = None

    @property
    def tzinfo(self) -> tzinfo:
        """The zone; UTC if it has no name, or one that is not known (any more)."""
        if not self.zone:
            return UTC
        try:
            return _load_zone(self.zone)
        except (KeyError, ValueError, OSError):  # no such name; no name at all; a directory
            return UTC

    def absent_at(self, moment: datetime) -> Absence | None:
        """Return the absence that runs at ``moment``, and of several the one that ends last."""
        running = [absence for absence in self.absences if absence.start <= moment < absence.end]
        return max(running, key=lambda absence: absence.end, default=None)


def counted(
    start: datetime, end: datetime, calendar: Calendar, *, weekends_free: bool, lost: Sequence[Span] = ()
) -> int:
    """Return how many seconds from ``start`` up to ``end`` count: those in no absence, lost span or free weekend.

    A weekend is all that the clock of the player's zone calls Saturday or Sunday.
    """
    if end <= start:
        return 0
    if not (weekends_free or lost or calendar.absences):
        return int((end - start).total_seconds())
    stretches = _stretches(_seconds(start), _seconds(end), calendar, weekends_free, lost)
    return sum(until - since for since, until in stretches)


def reach(
    start: datetime, seconds: int, calendar: Calendar, *, weekends_free: bool, lost: Sequence[Span] = ()
) -> datetime:
    """Return the earliest moment from ``start`` on at which so many ``seconds`` have counted, as `counted` does."""
    if seconds <= 0:
        return start
    if not (weekends_free or lost or calendar.absences):
        return start + timedelta(seconds=seconds)
    for since, until in _stretches(_seconds(start), _END, calendar, weekends_free, lost):
        if seconds <= until - since:
            return _moment(since + seconds)
        seconds -= until - since
    return _moment(_END)


def after_quiet(moment: datetime, calendar: Calendar) -> datetime:
    """Return ``moment``, or where it is in quiet hours the moment at which they end.

    That is a whole hour of the zone, or where daylight saving skips it the moment of the change.
    """
    if calendar.quiet is None:
        return moment
    first, last = (hour % 24 for hour in calendar.quiet)
    zone, at = calendar.tzinfo, _seconds(moment)
    while True:
        shift = _shift(zone, at)
        hour, past = divmod((at + shift) % _DAY, _HOUR)
        if (hour - first) % 24 >= (last - first) % 24:
            return moment if at == _seconds(moment) else _moment(at)
        ended = at + (last - hour) % 24 * _HOUR - past
        at = ended if _shift(zone, ended) == shift else _change(zone, at, ended)


def days_left(calendar: Calendar, allowance: int, now: datetime) -> int:
    """Return how many days of the yearly ``allowance`` are left in the year of ``now`` in the player's zone.

    Every vacation or automatic absence costs the whole days that it lasts in that year, begun ones included. An hour
    that daylight saving adds costs nobody a day.
    """
    zone = calendar.tzinfo
    year = now.astimezone(zone).year
    first, last = datetime(year, 1, 1, tzinfo=zone), datetime(year + 1, 1, 1, tzinfo=zone)
    spent = 0
    for absence in calendar.absences:
        start, end = max(absence.start, first.astimezone(UTC)), min(absence.end, last.astimezone(UTC))
        if absence.kind != "emergency" and start < end:
            on_the_wall = end.astimezone(zone).replace(tzinfo=None) - start.astimezone(zone).replace(tzinfo=None)
            spent += -(-min(end - start, on_the_wall) // timedelta(days=1))
    return max(0, allowance - spent)


def absent(calendar: Calendar, absence: Absence) -> Calendar:
    """Return the calendar with one more absence; one that does not end after it starts changes nothing.

    Absences of the allowance that overlap or meet become one, so that no moment costs twice: a vacation, unless all
    of them are automatic. So do emergencies, which stand beside the others.
    """
    if absence.end <= absence.start:
        return calendar
    free = absence.kind == "emergency"
    kept = []
    for other in calendar.absences:
        apart = other.end < absence.start or absence.end < other.start
        if apart or (other.kind == "emergency") != free:
            kept.append(other)
        else:
            kind: AbsenceKind = absence.kind if other.kind == absence.kind else "vacation"
            absence = Absence(min(absence.start, other.start), max(absence.end, other.end), kind)
    return replace(calendar, absences=_in_order([*kept, absence]))


def returned(calendar: Calendar, now: datetime) -> Calendar:
    """Return the calendar of a player who is back: what runs at ``now`` ends, what is to come is dropped."""
    begun = (absence for absence in calendar.absences if absence.start < now)
    ended = (replace(absence, end=now) if absence.end > now else absence for absence in begun)
    return replace(calendar, absences=tuple(ended))


def pruned(calendar: Calendar, now: datetime) -> Calendar:
    """Return the calendar without absences that ended so long ago that nothing depends on them any more."""
    return replace(calendar, absences=tuple(a for a in calendar.absences if now - a.end <= _FORGOTTEN))


def _stretches(
    start: int, end: int, calendar: Calendar, weekends_free: bool, lost: Iterable[Span]
) -> Iterator[tuple[int, int]]:
    """Yield from when to when time counts between ``start`` and ``end``, in order; nothing overlaps."""
    away = ((absence.start, absence.end) for absence in calendar.absences)
    taken = sorted((_seconds(first), _seconds(last)) for first, last in chain(away, lost) if first < last)
    zone = calendar.tzinfo
    for first, last in chain(taken, [(end, end)]):
        until = min(first, end)
        if start < until:
            if weekends_free:
                yield from _working_days(zone, start, until)
            else:
                yield start, until
        start = max(start, last)
        if start >= end:
            return


def _working_days(zone: tzinfo, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches from Monday to Friday between ``start`` and ``end``, week by week or up to a clock change."""
    shift = _shift(zone, start)
    while start < end:
        monday = start - (start + shift + _SINCE_MONDAY) % _WEEK
        until = min(monday + _WEEK, end)
        shift_then = _shift(zone, until)
        if shift_then != shift:
            until = _change(zone, start, until)
        saturday = min(monday + 5 * _DAY, until)
        if start < saturday:
            yield start, saturday
        start, shift = until, shift_then


def _change(zone: tzinfo, start: int, end: int) -> int:
    """Return the second at which clocks of the zone are changed, after ``start`` and not after ``end``.

    They differ at the two, which are at most a week apart: no zone changes its clocks there and back so soon.
    """
    shift = _shift(zone, start)
    while end - start > 1:
        middle = (start + end) // 2
        if _shift(zone, middle) == shift:
            start = middle
        else:
            end = middle
    return end


def _shift(zone: tzinfo, at: int) -> int:
    """Return by how many seconds clocks of the zone are ahead of UTC."""
    shift = datetime.fromtimestamp(at, zone).utcoffset()
    return shift.days * _DAY + shift.seconds if shift else 0


def _seconds(moment: datetime) -> int:
    """Return whole seconds since 1970."""
    return int(moment.timestamp())


def _moment(seconds: int) -> datetime:
    """Return the moment so many seconds after 1970."""
    return datetime.fromtimestamp(seconds, UTC)


def _in_order(absences: Iterable[Absence]) -> tuple[Absence, ...]:
    """Return absences by their start."""
    return tuple(sorted(absences, key=lambda absence: (absence.start, absence.end)))


@cache  # as many as there are zones; what fails is not kept
def _load_zone(name: str) -> ZoneInfo:
    """Return a zone. Raise KeyError, ValueError or OSError if there is none of that name."""
    return ZoneInfo(name)
