"""Moments, days and lengths of time as one player reads them, in their own zone. Pure."""

from datetime import date, datetime, timedelta

from pbem.match.time.calendar import Calendar
from rules.phrase import Listed, Phrase, listed, mark, phrase, phrases

_WEEKDAYS = (
    *(mark("Monday"), mark("Tuesday"), mark("Wednesday"), mark("Thursday")),
    *(mark("Friday"), mark("Saturday"), mark("Sunday")),
)
_MONTHS = (
    *(mark("January"), mark("February"), mark("March"), mark("April")),
    *(mark("May"), mark("June"), mark("July"), mark("August")),
    *(mark("September"), mark("October"), mark("November"), mark("December")),
)
_TYPED_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_HOUR, _DAY = 3600, 86400
_MOST_APART, _MOST_OVER_NEW_YEAR = 300, 42
"""After so many days the year of a day is said, and after so many if it is another year."""

_IN_HOURS = 3 * _DAY
"""Below so many seconds the hours are said as well as the days."""


def say_moment(moment: datetime, calendar: Calendar, near: datetime | None = None) -> Phrase:
    """Return a moment as a player reads it ``near`` another: weekday, day, hour and zone, in their own zone."""
    local = moment.astimezone(calendar.tzinfo)
    return phrase("{day}, {time} ({zone})", day=say_day(local, near), time=_say_hour(local), zone=name_zone(calendar))


def say_short(moment: datetime, calendar: Calendar, near: datetime) -> Phrase:
    """Return a moment for a list whose readers know the zone: "4 December, 18:50"."""
    local = moment.astimezone(calendar.tzinfo)
    day, month, time = local.day, phrase(_MONTHS[local.month - 1]), _say_hour(local)
    if needs_year(local, near):
        return phrase("{day} {month} {year}, {time}", day=day, month=month, year=str(local.year), time=time)
    return phrase("{day} {month}, {time}", day=day, month=month, time=time)


def say_until(end: datetime, calendar: Calendar, near: datetime | None = None) -> Phrase:
    """Return until when something lasts that ends at a player's midnight more often than not: with a day they know."""
    if not ends_a_day(end, calendar):
        return say_moment(end, calendar, near)
    return phrase("the end of {day} ({zone})", day=say_day(last_day(end, calendar), near), zone=name_zone(calendar))


def say_span(start: datetime, end: datetime, calendar: Calendar, near: datetime | None = None) -> Phrase:
    """Return from when to when, in the zone of a player; the day is said once where it is one day."""
    first, last, zone = start.astimezone(calendar.tzinfo), end.astimezone(calendar.tzinfo), name_zone(calendar)
    begins, ends = _say_hour(first), _say_hour(last)
    if first.date() == last.date():
        return phrase(
            "on {day} from {begins} to {ends} ({zone})", day=say_day(first, near), begins=begins, ends=ends, zone=zone
        )
    return phrase(
        "from {first}, {begins}, to {last}, {ends} ({zone})",
        first=say_day(first, near),
        begins=begins,
        last=say_day(last, near),
        ends=ends,
        zone=zone,
    )


def say_day(day: date, near: date | None = None) -> Phrase:
    """Return a day as it is said ``near`` another one (None: the day itself): "Thursday, 26 November"."""
    weekday, month = phrase(_WEEKDAYS[day.weekday()]), phrase(_MONTHS[day.month - 1])
    if near is not None and needs_year(day, near):
        return phrase("{weekday}, {day} {month} {year}", weekday=weekday, day=day.day, month=month, year=str(day.year))
    return phrase("{weekday}, {day} {month}", weekday=weekday, day=day.day, month=month)


def _say_hour(local: datetime) -> str:
    """Return an hour with its minutes; ``strftime`` takes longer than all else of a moment."""
    return f"{local.hour:02}:{local.minute:02}"


def needs_year(day: date, near: date) -> bool:
    """Return whether the year of a day has to be said, to somebody who reads of it on a day ``near`` it.

    They take a day without a year for the next one, or the last, of that name: within some weeks over New Year rightly.
    """
    apart = abs(day.toordinal() - near.toordinal())
    return apart > _MOST_APART or (day.year != near.year and apart > _MOST_OVER_NEW_YEAR)


def name_zone(calendar: Calendar) -> str:
    """Return the city by which the zone of a player is known; UTC for none."""
    zone = calendar.zone if getattr(calendar.tzinfo, "key", "") else ""
    return zone.rpartition("/")[2].replace("_", " ") or "UTC"


def last_day(end: datetime, calendar: Calendar) -> date:
    """Return the last day before ``end``, in the zone of a calendar."""
    return (end - timedelta(seconds=1)).astimezone(calendar.tzinfo).date()


def ends_a_day(end: datetime, calendar: Calendar) -> bool:
    """Return whether ``end`` is a midnight in the zone of a calendar, so that the day before it says all."""
    local = end.astimezone(calendar.tzinfo)
    return local.hour == local.minute == 0


def type_day(day: date) -> str:
    """Return a day as players type it in a command: "17 aug"."""
    return f"{day.day} {_TYPED_MONTHS[day.month - 1]}"


def say_length(seconds: int) -> Phrase | Listed:
    """Return a length of time in days, and in hours where there are few days: "6 days", "1 day and 5 hours"."""
    if seconds < _HOUR:
        return phrase("less than an hour")
    if seconds >= _IN_HOURS:
        return _say_days((seconds + 2 * _HOUR) // _DAY)  # a reply some minutes later still reads the same
    days, hours = divmod((seconds + _HOUR // 2) // _HOUR, 24)
    parts = [_say_days(days)] if days else []
    if hours:
        parts.append(phrases("{count} hour", "{count} hours", hours))
    return listed(parts) if len(parts) > 1 else parts[0]


def _say_days(count: int) -> Phrase:
    """Return so many days."""
    return phrases("{count} day", "{count} days", count)
