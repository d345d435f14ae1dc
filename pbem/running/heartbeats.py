"""Heartbeats: when the service last sent and received, so that nobody loses time while it stands still.

They also show that the clock of the machine has jumped, which is doubted then.

How far the database has come is written beside it, too, so that a restored backup is noticed.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import parsedate_to_datetime

from pbem.due.doubts import doubt, hear, is_doubtful, note_began, reconsider, trust
from pbem.due.outages import (
    DOUBTED,
    LONGEST_PAUSE,
    RECEIVES,
    Unread,
    beat,
    is_amiss,
    is_beat_due,
    note_outages,
    set_right,
)
from pbem.due.restored import latest_beat, note_restored
from pbem.due.schedule import note_need
from pbem.ports import Clock, Fetched
from pbem.storage.database import Database
from pbem.storage.restorations import Landmark, read_landmark, write_landmark

_NEVER = datetime.min.replace(tzinfo=UTC)
_TRACE = 20_000  # bytes of an email that are looked at for the trace of its servers


class Heartbeats:
    """What notes heartbeats in ``database``; ``last`` are those that were known when it was looked at last."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._unread = Unread()
        self._is_told = False  # that the clock is doubted
        self._is_recognised = False  # the database has come as far as it ever did
        self.last: dict[str, datetime] = {}

    @property
    def is_doubted(self) -> bool:
        """Whether the clock of this machine was doubted when it was looked at last."""
        return DOUBTED in self.last

    def look(self, *, serves: bool = True) -> None:
        """Note that the service stood still, or that the clock jumped, before anything is judged by the clock.

        One that does not serve, but hands in an email or works beside the service, may run on another machine, whose
        clock has nothing to prove.
        """
        now, began = self._clock.now(), self._clock.began()
        self.recognise_database(now)
        with self._database.reading() as tx:
            self.last = tx.heartbeats.last()
        proves = self.is_doubted and serves
        self._is_told = self._is_told and self.is_doubted
        if not (proves or is_amiss(self.last, now)):
            return
        with self._database.transaction() as tx:
            if proves:
                reconsider(tx, self.last, now, began)
            elif serves and not self.is_doubted and is_doubtful(self.last, now, began):
                doubt(tx, now, began)
            if is_amiss(self.last, now):
                note_outages(tx, now)
            self.last = tx.heartbeats.last()  # set right, where they lay in the future

    def look_beside(self) -> None:
        """Do so beside the service, maybe on another machine."""
        self.look(serves=False)

    def hear(self, said: datetime, *, is_sure: bool) -> None:
        """Note what another's clock ``said`` just now, if ours is doubted; ``is_sure``: nobody can have forged it.

        What may have lain there for long says something only if it says the same.
        """
        now = self._clock.now()
        if self.is_doubted and (is_sure or abs(now - said) <= LONGEST_PAUSE):
            with self._database.transaction() as tx:
                hear(tx, tx.heartbeats.last(), now, self._clock.began(), said)

    def hear_from(self, messages: Iterable[Fetched]) -> None:
        """Note what our server's clock said when it took ``messages`` in, if ours is doubted."""
        if self.is_doubted:
            for said in filter(None, (taken_in_at(message.raw) for message in messages)):
                self.hear(said, is_sure=False)

    def tell_put_off(self) -> None:
        """Let the operator be told, once, that something waits since the clock is doubted."""
        if not self._is_told:
            with self._database.transaction() as tx:
                note_need(tx, self._clock.now(), urgent=True)
            self._is_told = True

    def trust(self) -> None:
        """Let the clock be right: its operator says so."""
        with self._database.transaction() as tx:
            trust(tx, self._clock.began())

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

    def beat(self, moments: Mapping[str, datetime]) -> None:
        """Note that the service sends, or receives, as of these moments."""
        if not any(is_beat_due(self.last.get(name), at) for name, at in moments.items()):
            return
        now, began = self._clock.now(), self._clock.began()
        with self._database.transaction() as tx:
            known = tx.heartbeats.last()
            if DOUBTED not in known and is_doubtful(known, now, began):  # it has jumped just now
                doubt(tx, now, began)
            elif DOUBTED not in known:
                note_began(tx, known, began)
            for name, at in moments.items():
                beat(tx, known, name, at)
        self.keep_landmark()

    def read_up_to(self, stored: datetime | None) -> Mapping[str, datetime]:
        """Return the heartbeat of reading: all that was stored by a moment is read, once it is processed, too.

        Nothing is to end while what could have prevented it waits: for a worker, or since a pipe stored it just now.
        """
        if not self._unread.is_known and not (stored and is_beat_due(self.last.get(RECEIVES), stored)):
            return {}
        with self._database.reading() as tx:
            read = self._unread.note(stored, tx.inbound.waiting())
        return {RECEIVES: read} if read else {}


def taken_in_at(raw: bytes) -> datetime | None:
    """Return when the last server took an email in, by its own clock: it writes above all that others can write."""
    trace = BytesHeaderParser(policy=compat32).parsebytes(raw[:_TRACE]).get("Received", "")
    try:
        said = parsedate_to_datetime(str(trace).rpartition(";")[2].strip())
        return said.astimezone(UTC) if said.tzinfo else None
    except (ValueError, OverflowError):
        return None
