"""What happened to a match beside its entries, as each player reads it: the table of the log, said to them. Pure."""

from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime, timedelta

from pbem.match.log import LogEntry, LogKind
from pbem.match.match import Match
from pbem.notices.sentences.log.happened import Happened, choose, fields_of
from pbem.notices.sentences.log.table import LOG_ROWS
from pbem.notices.sentences.moments import ends_a_day, last_day, say_day, say_length, say_moment, say_until, type_day
from rules.phrase import ENGLISH, Argument, Language, Phrase, phrase
from rules.position import Seat


def describe_log(
    entry: LogEntry, match: Match, viewer: Seat, at: datetime | None = None, language: Language = ENGLISH
) -> list[str]:
    """Return what happened to a match beside its entries, then what the reader may do; nothing they need not know.

    The first sentence can stand above the others by itself. ``at`` is when the reader is told.
    """
    told = _tell(Happened(entry, match, viewer, at or entry.at))
    return [said for sentence in told if (said := sentence.said(language))]


def is_told(entry: LogEntry, match: Match, viewer: Seat) -> bool:
    """Return whether ``viewer`` is told of an entry of the log at all; what they said of themselves was answered."""
    return (
        not (viewer == entry.seat and entry.kind in _OF_ONESELF)
        and next(_tell(Happened(entry, match, viewer, entry.at)), None) is not None
    )


def told_kinds(log: Collection[LogEntry], match: Match) -> frozenset[LogKind]:
    """Return what a notice that tells ``log`` says of whoever is to act, so that its time line does not repeat it."""
    return frozenset(
        entry.kind for entry in log if entry.kind in _OF_MATCH or (match.clock and entry.seat == match.clock.seat)
    )


def describe_renaming(
    match: Match, viewer: Seat, at: datetime | None = None, language: Language = ENGLISH
) -> list[str]:
    """Return which of the others has taken another name since the reader last moved, and lately."""
    renamed = [one for seat, one in enumerate(match.players) if seat != viewer and one.former_name]
    if not renamed:
        return []
    moved = [at for entry, at in zip(match.record, match.times, strict=True) if entry.seat == viewer]
    since = max(match.opened_at, *moved[-1:], *([at - _LATELY] if at else []))
    return [
        phrase("{before} now plays as {name}.", before=one.former_name, name=one.name).said(language)
        for one in renamed
        if one.renamed_at and one.renamed_at >= since
    ]


_LATELY = timedelta(days=30)

_OF_ONESELF = frozenset[LogKind](("absent", "back", "unsubscribed"))
"""What players say of themselves, in all their matches at once."""

_OF_MATCH = frozenset[LogKind](("pause_proposed", "pause_end_proposed", "paused"))
"""What concerns everybody, whoever did it."""


def _tell(happened: Happened) -> Iterator[Phrase]:
    """Yield what the reader is told; nothing of what only a player does, if none did it."""
    row = LOG_ROWS[happened.entry.kind]
    if not row.applies(happened) or (row.own is not row.others and happened.seat is None):
        return
    for said in choose(row.own if happened.viewer == happened.seat else row.others, happened):
        if isinstance(said, Phrase):
            yield said
        else:
            yield phrase(said).about(**{field: _FIELDS[field](happened) for field in fields_of(said)})


def _say_other(happened: Happened) -> str:
    """Return the name of whom a player acts with, or for: who asked, or else who is to act."""
    seat = happened.entry.arguments.get("by", happened.timed)
    return "" if seat is None else happened.match.name(seat)


def _end(happened: Happened) -> datetime:
    """Return until when something lasts of which the entry says so."""
    assert happened.end is not None
    return happened.end


def _say_last(happened: Happened) -> Phrase:
    """Return the last day of an absence; its last moment if it ends within a day where the player lives."""
    end, at = _end(happened), happened.at
    if ends_a_day(end, happened.theirs):
        return say_day(last_day(end, happened.theirs), at)
    return say_moment(end, happened.calendar, at)


def _say_first(happened: Happened) -> Phrase:
    """Return the first day of an absence, where the player lives."""
    assert happened.start is not None
    return say_day(happened.start.astimezone(happened.theirs.tzinfo).date(), happened.at)


_FIELDS: Mapping[str, Callable[[Happened], Argument]] = {
    "name": lambda happened: happened.name or "",
    "other": _say_other,
    "length": lambda happened: say_length(abs(happened.seconds)),
    "until": lambda happened: say_until(_end(happened), happened.calendar, happened.at),
    "first": _say_first,
    "last": _say_last,
    "day": lambda happened: type_day(last_day(_end(happened), happened.theirs)),
    "before": lambda happened: happened.entry.arguments["before"],
    "after": lambda happened: happened.entry.arguments["after"],
    "votes": lambda happened: happened.votes,
    "move": lambda happened: happened.entry.arguments.get("move", ""),
}
