"""A worker: processes waiting messages beside the process that serves, on any machine, until it is told to stop."""

import logging
import os
import socket
from collections.abc import Iterator
from datetime import datetime, timedelta
from threading import Event

from pbem.errors import Busy, ConfigError
from pbem.log.logbook import event
from pbem.running.service import Service
from pbem.running.watchman import tell_systemd
from pbem.storage.database import Database
from pbem.storage.messages.lanes import Lanes

log = logging.getLogger("pbem")

LOOK_SECONDS = 0.2
"""So often a worker that has nothing to do looks whether a message waits."""

SEEN_EVERY = timedelta(seconds=15)
"""So often a worker notes that it is alive."""

_RETRY_SECONDS, _LONGEST_DELAY = 1, 30
_FORGOTTEN_AFTER = timedelta(days=1)

_ALONE = (
    "“pbem worker” needs a database on a PostgreSQL server: in a file of SQLite one process writes at a time, so that a"
    " second one would only wait for it. “pbem run” does everything there."
)


def require_server(database: Database) -> None:
    """Raise ConfigError for a database in a file, over which there are no workers."""
    if not database.is_shared:
        raise ConfigError(_ALONE)


def work(service: Service, stop: Event, *, name: str = "", look: float = LOOK_SECONDS) -> None:
    """Process what waits, in lanes that no other process has, until ``stop`` is set; the message under way is finished.

    While the database server is away, it is tried again. ``name`` is how the doctor calls this worker. The database is
    on a server, as ``require_server`` says.
    """
    this = _Worker(service, name or f"{socket.gethostname()}:{os.getpid()}")
    failures = 0
    while not stop.is_set():
        try:
            with service.database.lanes(working=True) as lanes:
                if failures:
                    log.info("worker works again", extra=event("works_again", task="worker"))
                failures = 0
                for _ in this.work_in(lanes, stop):
                    stop.wait(look)
                this.leave()
        except Busy as error:
            delay = min(_RETRY_SECONDS * 2**failures, _LONGEST_DELAY)
            failures = min(failures + 1, 10)
            log.warning("worker: %s Trying again in %d seconds.", error, delay, extra=event("put_off", task="worker"))
            tell_systemd("WATCHDOG=1")
            stop.wait(delay)


class _Worker:
    """What one worker has done so far, and when it last said so."""

    def __init__(self, service: Service, name: str) -> None:
        self._service, self._name = service, name
        self._started_at = service.clock.now()
        self._seen_at: datetime | None = None
        self._processed = 0

    def work_in(self, lanes: Lanes, stop: Event) -> Iterator[None]:
        """Process what waits, until ``stop`` is set; yield when nothing does."""
        while not stop.is_set():
            self._note_seen()
            for _ in self._service.processing.process_in(lanes):
                self._processed += 1
                self._note_seen()
                if stop.is_set():
                    return
            yield

    def leave(self) -> None:
        """Note that this worker has ended."""
        self._service.database.share(lambda tx: tx.workers.forget(self._name))

    def _note_seen(self) -> None:
        """Note that this worker is alive, if it is time; what nothing was seen of for a day is forgotten."""
        now = self._service.clock.now()
        tell_systemd("WATCHDOG=1")
        if self._seen_at is None:
            self._service.database.share(lambda tx: tx.workers.forget_before(now - _FORGOTTEN_AFTER))
        if self._seen_at is None or abs(now - self._seen_at) >= SEEN_EVERY:
            self._seen_at = now
            self._service.database.share(lambda tx: tx.workers.note(self._name, self._started_at, now, self._processed))
