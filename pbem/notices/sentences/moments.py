"""Moments, days and lengths of time as one player reads them, in their own zone. Pure."""

from datetime import date, datetime, timedelta

from pbem.match import Calendar
from rules import Listed, Phrase, listed, mark, phrase, phrases

_WEEKDAYS = (
    mark("Monday"),
    mark("Tuesday"),
    mark("Wednesday"),
    mark("Thursday"),
    mark("Friday"),
    mark("Saturday"),
    mark("Sunday"),
)
_MONTHS = (
    mark("January"),
    mark("February"),
    mark("March"),
    mark("April"),
    mark("May"),
    mark("June"),
    mark("July"),
    mark("August"),
    mark("September"),
    mark("October"),
    mark("November"),
    mark("December"),
)
_TYPED_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_HOUR, _DAY = 3600, 86400
_IN_HOURS = 3 * _DAY
"""Below so many seconds the hours are said as well as the days."""


def say_moment(moment: datetime, calendar: Calendar) -> Phrase:
    """Return a moment as a player reads it: weekday, day, hour and zone, in their own zone."""
    local = moment.astimezone(calendar.tzinfo)
    return phrase("{day}, {time} ({zone})", day=say_day(local), time=f"{local:%H:%M}", zone=name_zone(calendar))


def say_span(start: datetime, end: datetime, calendar: Calendar) -> Phrase:
    """Return from when to when, in the zone of a player; the day is said once where it is one day."""
    first, last, zone = start.astimezone(calendar.tzinfo), end.astimezone(calendar.tzinfo), name_zone(calendar)
    begins, ends = f"{first:%H:%M}", f"{last:%H:%M}"
    if first.date() == last.date():
        return phrase(
            "on {day} from {begins} to {ends} ({zone})", day=say_day(first), begins=begins, ends=ends, zone=zone
        )
    return phrase(
        "from {first}, {begins}, to {last}, {ends} ({zone})",
        first=say_day(first),
        begins=begins,
        last=say_day(last),
        ends=ends,
        zone=zone,
    )


def say_day(day: date) -> Phrase:
    """Return a day: "Thursday, 26 November". The weekday tells the year, as nothing here is further off than one."""
    return phrase(
        "{weekday}, {day} {month}",
        weekday=phrase(_WEEKDAYS[day.weekday()]),
        day=day.day,
        month=phrase(_MONTHS[day.month - 1]),
    )


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
