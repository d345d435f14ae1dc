"""Time: what is left, until when, what happens then, and what has happened to a clock; as one player reads it. Pure."""

from datetime import datetime

from pbem.match import Calendar, LogEntry, Match, deadline_of
from rules import ENGLISH, Language, Phrase, Seat, mark, phrase

_DAYS = (
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


def say_moment(moment: datetime, calendar: Calendar) -> Phrase:
    """Return a moment as a player reads it: weekday, day, hour and zone, in their own zone."""
    local = moment.astimezone(calendar.tzinfo)
    return phrase(
        "{weekday}, {month} {day}, {time} ({zone})",
        weekday=phrase(_DAYS[local.weekday()]),
        day=local.day,
        month=phrase(_MONTHS[local.month - 1]),
        time=f"{local:%H:%M}",
        zone=calendar.zone or "UTC",
    )


def describe_time(match: Match, viewer: Seat, language: Language = ENGLISH) -> list[str]:
    """Return the time left for whoever is to act, and what happens then; nothing in a match without a clock."""
    clock = match.clock
    if clock is None or clock.seat is None or match.outcome:
        return []
    deadline = deadline_of(match, at=clock.turned_at)
    if deadline is None:
        return []
    until = say_moment(deadline, match.players[viewer].calendar)
    if clock.seat == viewer:
        return [phrase("You have until {until}.", until=until).said(language)]
    return [phrase("{name} has until {until}.", name=match.name(clock.seat), until=until).said(language)]


def describe_log(entry: LogEntry, match: Match, viewer: Seat, language: Language = ENGLISH) -> str:
    """Return what happened to a match beside its entries; an empty text where ``viewer`` need not know."""
    return f"{entry.kind} {entry.seat} {dict(entry.arguments)}"
