"""What has happened in a match that a webhook was not told of yet: the next event, one after the other. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pbem.match.log import LogEntry
from pbem.match.match import Match
from pbem.storage.webhooks import Told

MOST_MOVES = 50
"""Moves of one match that wait for a webhook; of more it is told the latest."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a match at a time (UTC), when it had ``ply`` entries, the event's own among them.

    ``epoch`` is how often the match was reopened before, as far as that leads here: with ``kind`` and ``ply`` it tells
    the event from all others of the match. After it, somebody was ``told`` so much; ``skipped`` moves they never are.
    """

    kind: Literal["opened", "moved", "over", "reopened"]
    ply: int
    epoch: int
    at: datetime
    told: Told
    skipped: int = 0


def find_event(match: Match, log: Sequence[LogEntry], told: Told | None, since: datetime) -> Event | None:
    """Return the next event of a match for somebody who was told so much of it; None: nothing yet, or nothing more.

    Of what happened before ``since`` they are told nothing, unless the match has been opened since.
    """
    reopenings = [entry for entry in log if entry.kind in ("rewound", "reinstated")]
    if told is None:
        if match.opened_at >= since:
            return Event("opened", 0, 0, match.opened_at, Told())
        told = _tell_before(match, reopenings, since)
    if told.reopened < len(reopenings):
        one, number = reopenings[told.reopened], told.reopened + 1
        after = Told(min(told.ply, one.ply), False, number)
        return Event("reopened", one.ply, number, one.at or match.changed_at, after)
    waiting = [ply for ply in range(told.ply, match.ply) if match.record[ply].seat is not None]
    if waiting:
        skipped = max(0, len(waiting) - MOST_MOVES)
        ply = waiting[skipped]
        taken_back = (number for number, one in enumerate(reopenings, 1) if one.kind == "rewound" and one.ply <= ply)
        after = Told(ply + 1, told.over, told.reopened)
        return Event("moved", ply + 1, max(taken_back, default=0), match.times[ply], after, skipped)
    if match.outcome and not told.over:
        return Event("over", match.ply, len(reopenings), match.changed_at, tell_all(match, log))
    return None


def tell_all(match: Match, log: Sequence[LogEntry]) -> Told:
    """Return how far somebody was told of a match who was told everything."""
    return Told(match.ply, match.outcome is not None, sum(one.kind in ("rewound", "reinstated") for one in log))


def _tell_before(match: Match, reopenings: Sequence[LogEntry], since: datetime) -> Told:
    """Return what had happened in a match before a time, and is nothing new to anybody."""
    over = match.outcome is not None and match.changed_at < since
    early = sum((one.at or since) < since for one in reopenings)
    return Told(sum(at < since for at in match.times), over, early)
