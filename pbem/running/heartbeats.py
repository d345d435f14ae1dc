"""Heartbeats: when the service last sent and received, so that nobody loses time while it stands still.

How far the database has come is written beside it, too, so that a restored backup is noticed.
"""

from datetime import UTC, datetime

from pbem.due.outages import RECEIVES, Unread, beat, is_amiss, is_beat_due, note_outages, set_right
from pbem.due.restored import latest_beat, note_restored
from pbem.ports import Clock
from pbem.storage.database import Database
from pbem.storage.restorations import Landmark, read_landmark, write_landmark

_NEVER = datetime.min.replace(tzinfo=UTC)


class Heartbeats:
    """What notes heartbeats in ``database``; ``last`` are those that were known when it was looked at last."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._unread = Unread()
        self._is_recognised = False  # the database has come as far as it ever did
        self.last: dict[str, datetime] = {}

    def look(self) -> None:
        """Note that the service stood still, if it did, before anything is judged by the clock."""
        now = self._clock.now()
        self.recognise_database(now)
        with self._database.reading() as tx:
            self.last = tx.heartbeats.last()
        if is_amiss(self.last, now):
            with self._database.transaction() as tx:
                note_outages(tx, now)
                self.last = tx.heartbeats.last()  # set right, where they lay in the future

    def recognise_database(self, now: datetime) -> None:
        """Note once that a backup was restored, if one was, before anything happens in the database."""
        landmark = read_landmark(self._database.file) if self._database.file and not self._is_recognised else None
        self._is_recognised = True
        if landmark is None:
            return
        with self._database.transaction() as tx:
            note_restored(tx, landmark, now)

    def keep_landmark(self) -> None:
        """Write how far the database has come, for whoever restores an earlier copy of it."""
        if self._database.file is None or self._database.may_be_undone:
            return
        with self._database.reading() as tx:
            beat_at, (match, player) = latest_beat(tx.heartbeats.last()), tx.restorations.highest()
        known = read_landmark(self._database.file) or Landmark(_NEVER, 0, 0)
        reached = Landmark(beat_at or known.at, max(match, known.match), max(player, known.player))
        if reached != known:
            write_landmark(self._database.file, reached)

    def set_right(self) -> None:
        """Set right what was stored while the clock of the machine was ahead: it was set back now."""
        now = self._clock.now()
        with self._database.transaction() as tx:
            set_right(tx, now, now)

    def beat(self, *names: str, at: datetime | None = None) -> None:
        """Note that the service sends, or receives."""
        at = at or self._clock.now()
        if any(is_beat_due(self.last.get(name), at) for name in names):
            with self._database.transaction() as tx:
                for name in names:
                    beat(tx, name, at)
            self.keep_landmark()

    def beat_when_read(self, stored: datetime | None) -> None:
        """Note that all that came in by ``stored`` was read; where workers read it, as soon as they have.

        A flag must not fall while the move that was made in time waits for a worker.
        """
        if self._database.is_shared:
            with self._database.reading() as tx:
                stored = self._unread.note(stored, tx.inbound.waiting())
        if stored:
            self.beat(RECEIVES, at=stored)
