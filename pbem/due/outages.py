"""The heartbeat of the service: while it does not send and receive, no clock runs."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from pbem.due.schedule import ASK_AGAIN
from pbem.errors import DamagedRow
from pbem.log.logbook import event
from pbem.match.match import Match
from pbem.match.time.calendar import Span
from pbem.match.time.digest_times import next_digest
from pbem.storage.due import ASKED, DIGEST_DUE, NEEDS_DUE, RESTORED_DUE
from pbem.storage.transaction import Transaction

log = logging.getLogger("pbem")

RECEIVES, SENDS = "receives", "sends"
"""What has to work for clocks to run: all email that had come in by then was read, all that was due was sent."""

BEHIND = "behind"
"""No heartbeat, but kept beside them, and so over restarts: since when sending is behind, while it is.

It is from a failure of the server, or a refused login, until the server has taken or judged an email again.
"""

BEGAN = "began"
"""Nor this: when the monotonic time of this machine began, by its clock when that was last trusted."""

DOUBTED, DOUBTED_BEGAN, AGREED = "doubted", "doubted_began", "agreed"
"""While the clock is doubted: since when it has to prove right, when monotonic time began by it, and when another's
clock said the same."""

LONGEST_PAUSE = timedelta(hours=1)
"""Between two heartbeats: what is longer is an outage, and given back to everybody."""

LONGEST_DELAY = timedelta(hours=6)
"""No email waits longer for its next attempt."""

LONGEST_HELD = timedelta(days=3)
"""So long clocks wait for a message that the mail server doesn't hand out, and none does any longer past its time."""

_MOST_MARKS = 1000  # while so many wait to be read, later ones aren't noted
_BEAT_EVERY = timedelta(minutes=1)
_ONCE = timedelta(days=1)  # the operator is told once a day


def find_gaps(heartbeats: Mapping[str, datetime], now: datetime) -> dict[str, datetime]:
    """Return what has not worked for so long that it is an outage, and when it last did."""
    beats = ((name, last) for name, last in heartbeats.items() if name in (RECEIVES, SENDS))
    return {name: last for name, last in beats if now - last > LONGEST_PAUSE}


def latest_noted(heartbeats: Mapping[str, datetime], now: datetime) -> datetime:
    """Return the latest moment that was noted of what the service did; ``now`` if none was."""
    return max((at for name, at in heartbeats.items() if name not in (BEGAN, DOUBTED_BEGAN)), default=now)


def is_amiss(heartbeats: Mapping[str, datetime], now: datetime) -> bool:
    """Return whether there is something for ``note_outages`` to do."""
    return bool(find_gaps(heartbeats, now)) or _lies_ahead(heartbeats, now)


def _lies_ahead(heartbeats: Mapping[str, datetime], now: datetime) -> bool:
    """Return whether what was stored lies so far in the future that the clock of the machine was, or is, wrong."""
    return latest_noted(heartbeats, now) - now > LONGEST_PAUSE


def note_outages(tx: Transaction, now: datetime) -> None:
    """Store the time since the last heartbeat as an outage, as far as it has gone, if it is that long.

    What was stored while the clock of the machine was ahead is set right first: else no clock would run until then.
    """
    heartbeats = tx.heartbeats.last()
    if _lies_ahead(heartbeats, now):
        wrong = latest_noted(heartbeats, now).isoformat(timespec="minutes")
        log.warning(
            "the clock of this machine said %s before; what is stored of outages is set right",
            wrong,
            extra=event("clock_was_wrong"),
        )
        set_right(tx, now, now + LONGEST_DELAY)
    for name, last in find_gaps(tx.heartbeats.last(), now).items():
        if tx.heartbeats.extend_outage(last, now):
            log.warning(
                "no clock counts the time since %s: %s nothing",
                last.isoformat(timespec="minutes"),
                name,
                extra=event("outage"),
            )


def set_right(tx: Transaction, now: datetime, latest: datetime) -> None:
    """Let nothing stored lie in the future since the clock of the machine was wrong; it is ``now`` right.

    Emails put off to a time after ``latest`` are due at once.
    """
    tx.heartbeats.end_by(now, besides=(BEGAN, DOUBTED_BEGAN))
    tx.unread.end_by(now)
    tx.due.hasten_clocks(now, now + ASK_AGAIN)
    tx.due.restart(now)
    tx.due.hasten_all((*ASKED, RESTORED_DUE), now)
    tx.due.hasten_all((NEEDS_DUE,), now + _ONCE)
    for number in tx.due.waiting_after(DIGEST_DUE, now):
        _hasten_digest(tx, number, now)
    tx.outbound.hasten(now, latest)


def _hasten_digest(tx: Transaction, number: int, now: datetime) -> None:
    """Let a player have their next digest when it is next time for one."""
    with suppress(DamagedRow):  # what is done of it then tells of that
        player = tx.players.get(number)
        following = next_digest(player.preferences.digest, player.calendar, now) if player else None
        tx.due.hasten(DIGEST_DUE, number, following or now)


def is_beat_due(last: datetime | None, at: datetime) -> bool:
    """Return whether a heartbeat ``at`` a moment is to be written: not sooner than a minute after the ``last``."""
    return last is None or at - last >= _BEAT_EVERY


def beat(tx: Transaction, heartbeats: Mapping[str, datetime], name: str, at: datetime) -> None:
    """Note that the service receives, or sends, as of ``at``; written once a minute at most.

    It does not send while sending is behind.
    """
    last = heartbeats.get(name)
    if is_beat_due(last, at) and not (name == SENDS and BEHIND in heartbeats):
        if last is not None and at - last > LONGEST_PAUSE:
            tx.heartbeats.extend_outage(last, at)
        tx.heartbeats.beat(name, at)


class Unread:
    """What was stored and is not read yet."""

    def __init__(self) -> None:
        self._marks: list[tuple[datetime, int]] = []

    @property
    def is_known(self) -> bool:
        """Whether anything is."""
        return bool(self._marks)

    def note(self, stored: datetime | None, waiting: Sequence[int]) -> datetime | None:
        """Return the latest moment by which all that had come in was read, if that is news; None if it is not.

        By ``stored`` all was stored, if that is news; the messages ``waiting`` wait to be read now.
        """
        if stored and len(self._marks) < _MOST_MARKS:
            self._marks.append((stored, max(waiting, default=0)))
        first = min(waiting, default=None)
        read = [moment for moment, last in self._marks if first is None or last < first]
        self._marks = [mark for mark in self._marks if mark[0] not in read]
        return max(read, default=None)


def outages_during(match: Match, outages: Iterable[Span]) -> list[Span]:
    """Return the outages that a match has lived through: later ones change nothing about one that is over."""
    return [
        (start, end)
        for start, end in outages
        if match.opened_at < end and not (match.outcome and match.changed_at <= start)
    ]


def last_outage_end(tx: Transaction, since: datetime | None) -> datetime | None:
    """Return when the last outage ended, if that was after a moment."""
    outages = tx.heartbeats.outages_since(since) if since else ()
    return max((end for _, end in outages), default=None)


def find_unreceived(heartbeats: Mapping[str, datetime]) -> datetime | None:
    """Return since when nothing was received, if that was an outage by the time when emails were last sent."""
    last = heartbeats.get(RECEIVES)
    return last if last and heartbeats.get(SENDS, last) - last > LONGEST_PAUSE else None
