"""A restored backup: it is found by the landmark beside the database, and the players are told how they stand again."""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta

from pbem.due.outages import RECEIVES, SENDS
from pbem.errors import DamagedMatch
from pbem.log.logbook import event
from pbem.pipeline.act import Act, Cause
from pbem.pipeline.announce import announce_restored
from pbem.storage.restorations import Landmark, Restoration
from pbem.storage.transaction import Transaction

log = logging.getLogger("pbem")

_READ_AGAIN = timedelta(minutes=5)
"""Players are told so long after the backup was found, and the mailbox was read again."""


def latest_beat(heartbeats: Mapping[str, datetime]) -> datetime | None:
    """Return when the service last received or sent, by what the database says."""
    return max((heartbeats[name] for name in (RECEIVES, SENDS) if name in heartbeats), default=None)


def note_restored(tx: Transaction, landmark: Landmark, now: datetime) -> None:
    """Keep that a backup was restored, if the database is behind the landmark, and schedule that players are told.

    A heartbeat of a landmark that has yet to come says nothing: the clock was wrong. New matches and players get no
    number that another one had.
    """
    state_at, (highest, _) = latest_beat(tx.heartbeats.last()), tx.restorations.highest()
    tx.restorations.begin_after(landmark.match, landmark.player)
    if state_at is None or not (state_at < landmark.at <= now or highest < landmark.match):
        return
    lost = (highest + 1, landmark.match) if landmark.match > highest else (None, None)
    tx.matches.drop_plans()  # they may have been cancelled since
    if tx.restorations.note(Restoration(state_at, landmark.at, now, *lost), now + _READ_AGAIN):
        gone = f"; matches {lost[0]} to {lost[1]} are gone" if lost[0] else ""
        log.warning(
            "the database was restored: it is of %s%s",
            state_at.isoformat(timespec="minutes"),
            gone,
            extra=event("restored"),
        )


def tell_restored(act: Act, number: int) -> None:
    """Tell the players of a match how it stands again."""
    found, match = act.tx.restorations.latest(), act.tx.matches.get(number)
    if match is None or found is None:
        raise DamagedMatch(number, "its players are to be told of a restored backup, and it is not there")
    if match.outcome is None:
        cause = Cause(f"restored {number} {found.known_at.isoformat()}")
        announce_restored(act.because(cause), match, found.state_at)
