"""The workers: which processes work beside the one that serves, and when each was last seen."""

from datetime import datetime

from sqlalchemy import bindparam, update

from pbem.storage.gateway import Gateway, select_records
from pbem.storage.messages.records import WorkerRecord
from pbem.storage.tables import WORKER

_ALL = select_records(WORKER, WorkerRecord).order_by(WORKER.c.name)
_SEEN = update(WORKER).where(WORKER.c.name == bindparam("the_name"))


class Workers(Gateway):
    """The gateway to workers."""

    def all(self) -> list[WorkerRecord]:
        """Return all workers that have not ended, in the order of their names; some may have died."""
        return [WorkerRecord(**row._mapping) for row in self._rows(_ALL)]

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
