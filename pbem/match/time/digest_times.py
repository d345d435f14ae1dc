"""The digest: one email at a time of day, or of a week, with all boards that wait for a player. Pure."""

import re
from datetime import UTC, datetime, time, timedelta

from pbem.match.time.calendar import Calendar

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""How the days of a digest are written and stored."""

_WHEN = re.compile(rf"(?:({'|'.join(WEEKDAYS)}) )?([01]\d|2[0-3]):([0-5]\d)", re.ASCII)


def is_digest(when: str) -> bool:
    """Return whether ``when`` is a time of a digest: ``07:30`` each day, ``mon 07:30`` each week."""
    return _WHEN.fullmatch(when) is not None


def next_digest(when: str, calendar: Calendar, after: datetime) -> datetime | None:
    """Return when the first digest is due after a moment (UTC), in the zone of its reader; None for no digest."""
    found = _WHEN.fullmatch(when)
    if found is None:
        return None
    zone, at = calendar.tzinfo, time(int(found[2]), int(found[3]))
    today = after.astimezone(zone).date()
    for days in range(9):
        day = today + timedelta(days=days)
        moment = datetime.combine(day, at, zone).astimezone(UTC)
        if moment > after and found[1] in (None, WEEKDAYS[day.weekday()]):
            return moment
    return None


def waits_for_digest(when: str, calendar: Calendar, deadline: datetime | None, now: datetime) -> bool:
    """Return whether a turn that begins now is told by the digest, though its time runs from now on.

    Not if less than half of the time until its ``deadline`` would be left then: nobody loses more by it.
    """
    at = next_digest(when, calendar, now)
    return at is not None and (deadline is None or at - now <= deadline - at)
