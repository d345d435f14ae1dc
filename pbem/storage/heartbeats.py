"""The heartbeat of the service, the outages that its gaps were, and the workers, each with when it was last seen."""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta

from sqlalchemy import bindparam, func, select, update

from pbem.match.time.calendar import Calendar, Span, counted, reach
from pbem.storage.gateway import Gateway, select_records
from pbem.storage.messages.records import WorkerRecord
from pbem.storage.statement import Statement
from pbem.storage.tables import HEARTBEAT, OUTAGE, WORKER

OUTAGE_END = "outage"
"""No heartbeat, but read with them: until when the outage goes on, so far, that ends last."""

_ALWAYS, _LONG_AGO = Calendar(), datetime(1970, 1, 1, tzinfo=UTC)
_LAST = Statement(
    select(HEARTBEAT.c.name, HEARTBEAT.c.at, select(func.max(OUTAGE.c.end_at)).scalar_subquery().label(OUTAGE_END))
)
_BEAT = Statement(update(HEARTBEAT).where(HEARTBEAT.c.name == bindparam("the_name")))
_SINCE = Statement(
    select(OUTAGE.c.start_at, OUTAGE.c.end_at).where(OUTAGE.c.end_at > bindparam("moment")).order_by(OUTAGE.c.end_at)
)
_WORKERS = select_records(WORKER, WorkerRecord).order_by(WORKER.c.name)
_SEEN = update(WORKER).where(WORKER.c.name == bindparam("the_name"))


class Heartbeats(Gateway):
    """The gateway to heartbeats and outages."""

    def last(self) -> dict[str, datetime]:
        """Return when each thing last worked, by its name; with OUTAGE_END, if there was ever an outage."""
        found: dict[str, datetime] = {}
        for name, at, end in self._rows(_LAST):
            found |= {name: at} | ({OUTAGE_END: end} if end else {})
        return found

    def beat(self, name: str, at: datetime) -> None:
        """Note that the thing of that name worked at ``at``."""
        if not self._write(_BEAT, the_name=name, at=at):
            self._write(HEARTBEAT.insert(), name=name, at=at)

    def forget(self, name: str) -> None:
        """Remove what was noted under a name."""
        self._write(HEARTBEAT.delete().where(HEARTBEAT.c.name == name))

    def end_by(self, now: datetime, besides: Collection[str]) -> None:
        """Let no heartbeat but some, and no outage, lie in the future; what began later never was."""
        self._set(HEARTBEAT, HEARTBEAT.c.at > now, HEARTBEAT.c.name.not_in(besides), at=now)
        self._write(OUTAGE.delete().where(OUTAGE.c.start_at >= now))
        self._set(OUTAGE, OUTAGE.c.end_at > now, end_at=now)

    def extend_outage(self, start: datetime, end: datetime) -> bool:
        """Store a time that no clock counts; return False where one with that start is merely longer now."""
        if self._set(OUTAGE, OUTAGE.c.start_at == start, end_at=end):
            return False
        self._write(OUTAGE.insert(), start_at=start, end_at=end)
        return True

    def outages_since(self, moment: datetime) -> tuple[Span, ...]:
        """Return the outages that ended after a moment, in the order of their ends."""
        return tuple((start, end) for start, end in self._rows(_SINCE, moment=moment))

    def served(self, start: datetime, end: datetime) -> timedelta:
        """Return how long the service worked between two moments."""
        return timedelta(seconds=counted(start, end, _ALWAYS, weekends_free=False, lost=self.outages_since(start)))

    def served_by(self, start: datetime, span: timedelta) -> datetime:
        """Return when the service had, or will have, worked for so long since a moment, as far as is known."""
        lost = self.outages_since(start)
        return reach(start, int(span.total_seconds()), _ALWAYS, weekends_free=False, lost=lost)

    def served_since(self, span: timedelta, end: datetime) -> datetime:
        """Return since when the service had worked for so long at a moment; long ago for a moment long ago."""
        if end < _LONG_AGO:
            return end
        start = end - span
        while (missing := span - self.served(start, end)) > timedelta(seconds=1):
            start -= missing
        return start


class Workers(Gateway):
    """The gateway to workers."""

    def all(self) -> list[WorkerRecord]:
        """Return all workers that have not ended, in the order of their names; some may have died."""
        return [WorkerRecord(**row._mapping) for row in self._rows(_WORKERS)]

    def note(self, name: str, started_at: datetime, seen_at: datetime, processed: int) -> None:
        """Note that a worker is alive."""
        if not self._write(_SEEN, the_name=name, seen_at=seen_at, processed=processed):
            self._write(WORKER.insert(), name=name, started_at=started_at, seen_at=seen_at, processed=processed)

    def forget(self, name: str) -> None:
        """Remove a worker, which ends."""
        self._write(WORKER.delete().where(WORKER.c.name == name))

    def forget_before(self, moment: datetime) -> None:
        """Remove the workers that nothing was seen of since then."""
        self._write(WORKER.delete().where(WORKER.c.seen_at < moment))
