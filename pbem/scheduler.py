"""Keeps the line moving: ticks that poll, deliver and write the archive, and a watcher that hears new mail at once."""

import asyncio
import fcntl
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from pbem.errors import Busy, PbemError
from pbem.ports import Mailbox
from pbem.service import Service

log = logging.getLogger("pbem")

DELIVER_SECONDS, ARCHIVE_SECONDS = 15, 60
_LONGEST_DELAY = 900
_WAIT_SECONDS = 300
_WATCH_AGAIN_SECONDS = 5
_GRACE_SECONDS = 10


class Tick:
    """Something done every ``seconds``; after a failure ever less often, up to every quarter of an hour."""

    def __init__(
        self, scheduler: AsyncIOScheduler, name: str, seconds: float, action: Callable[[], Awaitable[object]]
    ) -> None:
        self._scheduler, self._name, self._seconds, self._action = scheduler, name, seconds, action
        self._failures = 0
        self._again = self._ended = False
        self._idle = asyncio.Event()
        self._idle.set()
        scheduler.add_job(
            self._run,
            "interval",
            id=name,
            seconds=seconds,
            next_run_time=datetime.now(UTC),
            misfire_grace_time=None,
            coalesce=True,
            max_instances=1,
        )

    def hurry(self) -> None:
        """Let it be done now, or once more if it is being done just now."""
        if not self._idle.is_set():
            self._again = True
        else:
            self._next_in(0)

    async def end(self) -> None:
        """Let it be done no more, and wait while it is being done: an email half sent would be sent again."""
        self._ended = True
        await self._idle.wait()

    async def _run(self) -> None:
        """Do it, and note how it went."""
        self._idle.clear()
        self._again = True
        try:
            while self._again and not self._ended:
                self._again = False
                await self._action()
        except (PbemError, OSError) as error:
            self._put_off(str(error))
        except Exception:
            log.exception("%s: a bug", self._name)
            self._put_off("a bug, see above")
        else:
            if self._failures:
                log.info("%s works again", self._name)
            self._failures = 0
        finally:
            self._idle.set()

    def _put_off(self, why: str) -> None:
        """Wait longer than usual before the next time."""
        self._failures += 1
        delay = longer(self._seconds, self._failures)
        log.warning("%s: %s Trying again in %d seconds.", self._name, why, delay)
        self._next_in(delay)

    def _next_in(self, seconds: float) -> None:
        """Let the next time be in so many seconds."""
        if not self._ended:
            self._scheduler.modify_job(self._name, next_run_time=datetime.now(UTC) + timedelta(seconds=seconds))


def longer(seconds: float, failures: int) -> float:
    """Return how long to wait after so many failures in a row: twice as long each time, to a limit."""
    return min(seconds * float(2 ** min(failures - 1, 20)), max(_LONGEST_DELAY, seconds))


async def run(
    service: Service, watch: Mailbox | None, stop: asyncio.Event, *, pause: float = _WATCH_AGAIN_SECONDS
) -> None:
    """Run the ticks until ``stop`` is set; what is being done then is done to its end, for ten seconds at most.

    ``watch`` is a second connection to the mailbox, on which the server may announce new mail; when it fails, it
    is tried again after ``pause`` seconds.
    """
    scheduler = AsyncIOScheduler(timezone=UTC)
    # It warns of every tick that falls into a run of the same, and reports those cut short by the end as
    # errors; Tick knows what to do then.
    logging.getLogger("apscheduler").setLevel(logging.CRITICAL)
    deliver = Tick(scheduler, "deliver", DELIVER_SECONDS, service.deliver)

    async def poll_and_deliver() -> None:
        try:
            await service.poll()
        finally:
            deliver.hurry()

    poll = Tick(scheduler, "poll", service.settings.poll_seconds, poll_and_deliver)
    ticks = [deliver, poll]
    if service.settings.archive_dir:
        ticks.append(Tick(scheduler, "archive", ARCHIVE_SECONDS, lambda: asyncio.to_thread(service.write_archive)))
    scheduler.start()
    watching = asyncio.create_task(_watch(watch, poll, pause)) if watch else None
    try:
        await stop.wait()
    finally:
        if watching:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE_SECONDS):
                await asyncio.gather(*(tick.end() for tick in ticks))
        scheduler.shutdown(wait=False)
        if watch:
            await watch.close()


async def _watch(mailbox: Mailbox, poll: Tick, pause: float) -> None:
    """Hurry the poll whenever the server announces new mail, and whenever it may have done so unheard."""
    failures = 0
    while True:
        try:
            await mailbox.wait(0)
            poll.hurry()
            while True:
                if await mailbox.wait(_WAIT_SECONDS):
                    poll.hurry()
                failures = 0
        except Exception as error:
            if not isinstance(error, PbemError):  # of such trouble the poll itself reports
                log.exception("watch: a bug")
            failures += 1
            await asyncio.sleep(longer(pause, failures))


@contextmanager
def alone(database: Path | None) -> Iterator[None]:
    """Make sure that no other scheduler serves the same SQLite file (None: another database); raises Busy."""
    if database is None:
        yield
        return
    file = database.with_name(f"{database.name}.lock")
    with file.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Busy(f"Another “pbem run” serves this database already ({file} is locked).") from error
        yield
