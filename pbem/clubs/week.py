"""A week of a contest, as the Sunday letter tells of it: when it ends, and what of it is worth showing. Pure.

Nothing of it depends on when it is looked at: whoever makes a letter again finds the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, TypeVar

from pbem.clubs.contest import ContestEvent, ContestResult
from pbem.match.time.calendar import Calendar, after_quiet
from pbem.match.time.digest_times import next_digest
from rules.position import Seat

LOOKED = "looked"
"""The kind of the event that a robot has looked back at the moves of a seat; it changes nothing in a contest."""

_SUNDAY = "sun 09:00"
_DAYS = timedelta(days=1)
_LATEST = timedelta(days=1)
_AROUND = 3  # places above somebody, who can be challenged, and as many below
_WORDS = range(3, 61)
"""So many words a comment has that is shown to others: less says little, and more is a letter of its own."""

_LONGEST, _MOST_LINES = 400, 5  # characters, and lines
_MOST_LOOKED = 3  # matches of a contest in a week: robots have other things to think about
_PLAYED = 2  # moves of each side
_LEAST = 4  # moves of a match of which there is something to see

Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class Week:
    """A week up to the Sunday ``day``, as somebody's zone has it; ``until`` belongs to it, ``since`` does not."""

    since: datetime
    until: datetime
    day: date

    def holds(self, at: datetime | None) -> bool:
        """Return whether a moment lies in it."""
        return at is not None and self.since < at <= self.until


@dataclass(frozen=True, slots=True)
class Saying:
    """What a player wrote to everybody in a match of a contest, after ``ply`` entries of it."""

    match: int
    seat: Seat
    ply: int
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Swing:
    """The move of a match that cost most, with a ``better`` one: chances to win in per mille after either."""

    match: int
    seat: Seat
    ply: int
    move: str
    value: int
    better: str
    best: int

    @property
    def loss(self) -> int:
        """What the move cost, in per mille."""
        return self.best - self.value


def week_before(now: datetime, calendar: Calendar) -> Week:
    """Return the last week that is over in the zone of a calendar."""
    until = since = _next_sunday(calendar, now - 15 * _DAYS)
    while (following := _next_sunday(calendar, until)) <= now:
        since, until = until, following
    return Week(since, until, until.astimezone(calendar.tzinfo).date())


def letter_at(week: Week, calendar: Calendar) -> datetime:
    """Return when somebody gets the letter about a week: on Sunday morning, unless they want quiet."""
    return after_quiet(week.until, calendar)


def is_letter_due(week: Week, calendar: Calendar, now: datetime) -> bool:
    """Return whether it is time for the letter about a week, and not too late: yesterday's news are none."""
    at = letter_at(week, calendar)
    return at <= now < at + _LATEST


def next_letter(now: datetime, calendar: Calendar) -> datetime:
    """Return when somebody gets the next letter."""
    at = letter_at(week_before(now, calendar), calendar)
    return at if at > now else after_quiet(_next_sunday(calendar, now), calendar)


def saturday_before(now: datetime) -> datetime:
    """Return when robots have last begun to look back at a week: as it is Saturday in UTC."""
    day = now.astimezone(UTC)
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return midnight - (day.weekday() - 5) % 7 * _DAYS


def _next_sunday(calendar: Calendar, after: datetime) -> datetime:
    """Return the next hour of letters in the zone of a calendar."""
    found = next_digest(_SUNDAY, calendar, after)
    assert found is not None  # there is one each week
    return found


def list_ended(results: Iterable[ContestResult], week: Week) -> list[int]:
    """Return the numbers of the matches that ended in a week and count, in the order of their ends."""
    ended = [(one.over_at, one.place.match) for one in results if not one.void and week.holds(one.over_at)]
    return [match for _, match in sorted(ended, key=lambda one: (str(one[0]), one[1])) if match is not None]


def list_running(results: Iterable[ContestResult], week: Week) -> list[int]:
    """Return the numbers of the matches that were open at the end of a week, and are now."""
    return [
        one.place.match
        for one in results
        if one.place.match is not None and one.over_at is None and one.opened_at and one.opened_at <= week.until
    ]


def stood_until(result: ContestResult, moment: datetime) -> bool:
    """Return whether a match was over by a moment."""
    return result.over_at is not None and result.over_at <= moment


def choose_sayings(sayings: Iterable[Saying], moves: dict[int, int]) -> list[Saying]:
    """Return the best comment of each match, the best one first.

    That is the one with most words which is short enough to be read by others. Of two matches whose comments are as
    long the one with more ``moves`` comes first, then the older one.
    """
    best = dict[int, Saying]()
    for one in sorted(sayings, key=lambda one: (-len(one.text.split()), one.at, one.seat)):
        short = len(one.text) <= _LONGEST and len(one.text.splitlines()) <= _MOST_LINES
        if short and len(one.text.split()) in _WORDS:
            best.setdefault(one.match, one)
    return sorted(best.values(), key=lambda one: (-len(one.text.split()), -moves.get(one.match, 0), one.match))


def choose_unsaid(ended: Iterable[int], moves: dict[int, int]) -> list[int]:
    """Return the matches that are shown where nobody has said anything: those that were played, the longest first."""
    played = (match for match in ended if moves.get(match, 0) >= _LEAST)
    return sorted(played, key=lambda match: (-moves[match], match))


def choose_looked(ended: Sequence[ContestResult]) -> list[int]:
    """Return the matches of a week at which robots look back: the longest that were played, a few."""
    played = [
        (-one.standing.moves_made, one.place.match)
        for one in ended
        if one.place.match is not None
        and one.standing is not None
        and not one.void
        and one.standing.moves_made >= _PLAYED * len(one.standing.roles)
    ]
    return [match for _, match in sorted(played)[:_MOST_LOOKED]]


def note_looked(match: int, seat: Seat, strength: int, swing: Swing | None, now: datetime) -> ContestEvent:
    """Return the event that a robot of a strength has looked at the moves of a seat, and what it has found.

    A strength of 0: it came to no end.
    """
    told: dict[str, Any] = {"match": match, "seat": seat, "strength": strength}
    if swing:
        told |= {"ply": swing.ply, "move": swing.move, "value": swing.value}
        told |= {"better": swing.better, "best": swing.best}
    return ContestEvent(now, LOOKED, arguments=told)


def list_looked(events: Iterable[ContestEvent], since: datetime) -> set[tuple[int, Seat]]:
    """Return the matches and seats that robots have looked at since a moment."""
    return {
        (event.arguments.get("match", 0), event.arguments.get("seat", 0))
        for event in events
        if event.kind == LOOKED and event.at >= since
    }


def rank_swings(events: Iterable[ContestEvent], week: Week) -> list[Swing]:
    """Return what robots have found in a week, the greatest swing first."""
    kept = (event for event in events if event.kind == LOOKED and event.undone_at is None)
    told = [event.arguments for event in kept if week.holds(event.at)]
    names = ("match", "seat", "ply", "move", "value", "better", "best")
    found = [Swing(**{name: one[name] for name in names}) for one in told if all(name in one for name in names)]
    return sorted(found, key=lambda one: (-one.loss, one.match, one.seat))


def show_around(lines: Sequence[Line], place: int) -> list[Line]:
    """Return the lines of a ladder around a place, counted from 1, and its first."""
    first = max(0, min(place - 1 - _AROUND, len(lines) - 2 * _AROUND - 1))
    near = list(lines[first : first + 2 * _AROUND + 1])
    return near if not first else [lines[0], *near]
