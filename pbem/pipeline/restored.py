"""A restored backup: it is found by the landmark beside the database, and the players are told how they stand again."""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta

from pbem.errors import DamagedMatch
from pbem.mail import Site
from pbem.pipeline.announce import announce_restored
from pbem.pipeline.heartbeat import RECEIVES, SENDS
from pbem.pipeline.record import Cause
from pbem.storage import Landmark, Restoration, Transaction

log = logging.getLogger("pbem")

_READ_AGAIN = timedelta(minutes=5)
"""In this time what came in after the copy was made is read from the mailbox again, before players are told."""


def latest_beat(heartbeats: Mapping[str, datetime]) -> datetime | None:
    """Return when the service last received or sent, by what the database says."""
    return max((heartbeats[name] for name in (RECEIVES, SENDS) if name in heartbeats), default=None)


def is_behind_landmark(heartbeats: Mapping[str, datetime], landmark: Landmark, now: datetime) -> bool:
    """Return whether a database is older than it was: it was restored. A landmark of a wrong clock says nothing."""
    last = latest_beat(heartbeats)
    return last is not None and last < landmark.at <= now


def note_restored(tx: Transaction, landmark: Landmark, now: datetime) -> None:
    """Keep that the database was restored, if it is not known, and schedule that the players are told."""
    state_at, (highest, _) = latest_beat(tx.heartbeats.last()), tx.restorations.highest()
    if state_at is None:
        return
    lost = (highest + 1, landmark.match) if landmark.match > highest else (None, None)
    if tx.restorations.note(Restoration(state_at, landmark.at, now, *lost), now + _READ_AGAIN):
        gone = f"; matches {lost[0]} to {lost[1]} are gone" if lost[0] else ""
        log.warning("the database was restored: it is of %s%s", state_at.isoformat(timespec="minutes"), gone)


def tell_restored(tx: Transaction, number: int, site: Site, now: datetime) -> None:
    """Tell the players of a match how it stands again."""
    found, match = tx.restorations.latest(), tx.matches.get(number)
    if match is None or found is None:
        raise DamagedMatch(number, "its players are to be told of a restored backup, and it is not there")
    if match.outcome is None:
        cause = Cause(f"restored {number} {found.known_at.isoformat()}")
        announce_restored(tx, match, found.state_at, site, cause, now)
