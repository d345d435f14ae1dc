"""What anybody may read about the time of a match: who is to move until when, and what happened beside moves. Pure.

It names no address, and never says why somebody is away.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TypeAlias

from pbem.match.log import LogEntry
from pbem.match.match import Match
from pbem.match.summary import MatchSummary
from pbem.match.time.time_control import TimeControl
from pbem.match.timing import deadline_of
from pbem.notices.sentences.log.happened import Happened, choose, fields_of
from pbem.notices.sentences.moments import last_day, needs_year
from rules.phrase import Listed, Phrase, listed, mark, phrase, phrases

_MONTHS = (
    *(mark("Jan"), mark("Feb"), mark("Mar"), mark("Apr"), mark("May"), mark("Jun")),
    *(mark("Jul"), mark("Aug"), mark("Sep"), mark("Oct"), mark("Nov"), mark("Dec")),
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
    elif clock.pause and clock.is_paused(now):
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


def _tell(entry: LogEntry, match: Match) -> Told | None:
    """Return one thing that happened; None for what is private, told elsewhere, or not to be made out."""
    # Most of whoever tells how a match stands tells nothing of its log, which takes the whole grammar to be told.
    from pbem.notices.sentences.log.table import LOG_ROWS

    happened = Happened(entry, match, at=entry.at or match.opened_at)
    message = "".join(map(str, choose(LOG_ROWS[entry.kind].page, happened)))
    told = {field: _FIELDS[field](happened) for field in fields_of(message)}
    known = {field: value for field, value in told.items() if value}
    return Told(message, known, happened.at or match.opened_at) if message and len(known) == len(told) else None


def _name_mover(happened: Happened) -> str:
    """Return the name of whoever was to act."""
    return "" if happened.mover is None else happened.match.name_then(happened.mover, happened.entry.at)


def _text(key: str) -> Callable[[Happened], str]:
    """Return what finds a text among the arguments of an entry; an empty one for anything else."""
    return lambda it: value if isinstance(value := it.entry.arguments.get(key), str) else ""


_FIELDS: Mapping[str, Callable[[Happened], str | Listed | Moment | None]] = {
    "name": lambda it: it.name,
    "other": _name_mover,
    "time": lambda it: _say_exactly(abs(it.seconds)),
    "until": lambda it: it.end,
    "first": lambda it: it.start.astimezone(it.theirs.tzinfo).date() if it.start and it.name else None,
    "last": lambda it: last_day(it.end, it.theirs) if it.end and it.name else None,
    "before": _text("before"),
    "after": _text("after"),
    "votes": lambda it: it.votes,
}
"""Of an absence only days are told: the hour would tell where somebody lives, and nobody needs to know why."""
