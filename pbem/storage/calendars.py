"""The calendar of a player in the columns of their row."""

import re
from datetime import date, datetime
from typing import Any

from pbem.match.time.calendar import Absence, Calendar
from pbem.reading.when.days import DateSpan

_ORDINARY = Calendar()
_KINDS = ("vacation", "automatic", "emergency")
_HOURS = re.compile(r"([01]?\d|2[0-3])-([01]?\d|2[0-3])", re.ASCII)


def write_calendar(calendar: Calendar) -> dict[str, Any]:
    """Return a calendar as the values of its columns."""
    absences = [[one.start.isoformat(), one.end.isoformat(), one.kind] for one in calendar.absences]
    remind = "" if calendar.remind is None else " ".join(map(str, calendar.remind)) or "none"
    return {
        "zone": calendar.zone,
        "absences": absences or None,
        "remind": remind,
        "quiet_hours": "-".join(map(str, calendar.quiet or ())),
        "automatic": calendar.automatic,
        "away": f"{calendar.away.first} {calendar.away.last}" if calendar.away else "",
    }


def read_calendar(
    zone: object, absences: object, remind: object, quiet_hours: object, automatic: object, away: object
) -> Calendar:
    """Return the calendar in these columns; a value that no pbem has written is passed over."""
    if not (zone or absences or remind or quiet_hours or away) and automatic:
        return _ORDINARY
    hours = _HOURS.fullmatch(str(quiet_hours))
    return Calendar(
        zone=zone if isinstance(zone, str) else "",
        absences=tuple(filter(None, map(_read_absence, absences if isinstance(absences, list) else ()))),
        remind=_read_steps(str(remind)),
        quiet=(int(hours[1]), int(hours[2])) if hours else None,
        automatic=bool(automatic),
        away=_read_days(str(away)),
    )


def _read_days(stored: str) -> DateSpan | None:
    """Return two days, or None for what is none."""
    try:
        first, last = map(date.fromisoformat, stored.split())
    except ValueError:
        return None
    return DateSpan(first, last)


def _read_steps(stored: str) -> tuple[int, ...] | None:
    """Return the seconds left at which a player is reminded; None for the default."""
    if stored == "none":
        return ()
    steps = tuple(int(step) for step in stored.split() if step.isascii() and step.isdigit() and len(step) < 9)
    return steps or None


def _read_absence(stored: Any) -> Absence | None:
    """Return one absence, or None for what is none."""
    try:
        start, end, kind = stored
        found = Absence(datetime.fromisoformat(start), datetime.fromisoformat(end), kind)
    except (TypeError, ValueError):
        return None
    return found if kind in _KINDS and found.start.tzinfo and found.end.tzinfo and found.start < found.end else None
