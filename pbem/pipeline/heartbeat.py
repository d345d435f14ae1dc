"""The heartbeat of the service: while it does not send and receive, no clock runs."""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta

from pbem.storage import Transaction

log = logging.getLogger("pbem")

RECEIVES, SENDS = "receives", "sends"
"""What has to work for clocks to run: all email that had come in by then was read, all that was due was sent."""

BEHIND = "behind"
"""No heartbeat, but kept beside them, and so over restarts: since when sending is behind, while it is.

It is from a failure of the server, or a refused login, until the server has taken or judged an email again.
"""

LONGEST_PAUSE = timedelta(hours=1)
"""Between two heartbeats: what is longer is an outage, and given back to everybody."""

_BEAT_EVERY = timedelta(minutes=1)


def find_gaps(heartbeats: Mapping[str, datetime], now: datetime) -> dict[str, datetime]:
    """Return what has not worked for so long that it is an outage, and when it last did."""
    return {name: last for name, last in heartbeats.items() if name != BEHIND and now - last > LONGEST_PAUSE}


def note_outages(tx: Transaction, now: datetime) -> None:
    """Store the time since the last heartbeat as an outage, as far as it has gone, if it is that long."""
    for name, last in find_gaps(tx.heartbeats.last(), now).items():
        if tx.heartbeats.extend_outage(last, now):
            log.warning("no clock counts the time since %s: %s nothing", last.isoformat(timespec="minutes"), name)


def is_beat_due(last: datetime | None, at: datetime) -> bool:
    """Return whether a heartbeat ``at`` a moment is to be written: not sooner than a minute after the ``last``."""
    return last is None or at - last >= _BEAT_EVERY


def beat(tx: Transaction, name: str, at: datetime) -> None:
    """Note that the service receives, or sends, as of ``at``; written once a minute at most.

    It does not send while sending is behind.
    """
    heartbeats = tx.heartbeats.last()
    last = heartbeats.get(name)
    if is_beat_due(last, at) and not (name == SENDS and BEHIND in heartbeats):
        if last is not None and at - last > LONGEST_PAUSE:
            tx.heartbeats.extend_outage(last, at)
        tx.heartbeats.beat(name, at)


def has_read_mail_of(tx: Transaction, moment: datetime) -> bool:
    """Return whether all email has been read that had come in by a moment."""
    last = tx.heartbeats.last().get(RECEIVES)
    return last is not None and last >= moment
