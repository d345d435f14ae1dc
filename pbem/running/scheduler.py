"""The scheduler: ticks that poll, deliver, archive and drop old bytes, a watcher that hurries polls, pipe and LMTP."""

import asyncio
import fcntl
import logging
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.base import BaseTrigger

from pbem.errors import Busy, MailboxTaken, PbemError
from pbem.log.logbook import event
from pbem.pipeline.leaving import write_for_page
from pbem.ports import Fetched, Mailbox
from pbem.running.intake import open_intake
from pbem.running.lmtp import open_lmtp
from pbem.running.service import Service
from pbem.running.watchman import LOOK_SECONDS, tell_systemd, watch_over
from pbem.storage.database import lock_file
from pbem.transport.calls import post
from pbem.transport.door import open_door
from pbem.webhooks.calling import Calling, begin_calls

log = logging.getLogger("pbem")

DELIVER_SECONDS, ARCHIVE_SECONDS, DROP_SECONDS = 15, 60, 3600
SHARED_SECONDS = 1
"""So often is delivered what workers have queued, and looked whether any work: nobody else would tell of either."""

_RETRY_SECONDS, _LONGEST_DELAY = 30, 900
_WAIT_SECONDS = 300
_WATCH_AGAIN_SECONDS = 5
_GRACE_SECONDS, _LAST_SECONDS = 10, 2
"""For what is under way to end, and for noting what is stopped then: less than service managers allow in all."""

LOOK_AGAIN_SECONDS = 2
"""So often is looked whether a robot is to think, or a webhook to be called: nobody waits for it in this second."""


class Every(BaseTrigger):  # type: ignore[misc]  # the library has no types
    """Every so many seconds, from when it was time last: the library's own counts all that a clock leaps over."""

    def __init__(self, seconds: float) -> None:
        self._pause = timedelta(seconds=seconds)

    def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime:
        """Return when it is time again."""
        return now + self._pause


class Tick:
    """An action repeated every ``seconds``; after failures it waits longer and longer, up to a quarter of an hour.

    It is not repeated once it has found that another service reads the mailbox, and ``on_taken`` was called.
    """

    def __init__(
        self,
        scheduler: AsyncIOScheduler,
        name: str,
        seconds: float,
        action: Callable[[], Awaitable[object]],
        on_taken: Callable[[MailboxTaken], None] = lambda error: None,
    ) -> None:
        self._on_taken = on_taken
        self._scheduler, self._name, self._seconds, self._action = scheduler, name, seconds, action
        self._failures = 0
        self._again = self._ended = False
        self._idle = asyncio.Event()
        self._idle.set()
        scheduler.add_job(
            self._run,
            Every(seconds),
            id=name,
            next_run_time=datetime.now(UTC),
            misfire_grace_time=None,
            coalesce=True,
            # The library lets a run end a moment after the action, and would drop one that is hurried in between.
            max_instances=2,
        )

    def hurry(self) -> None:
        """Run the action now, or once more if it is running."""
        if not self._idle.is_set():
            self._again = True
        else:
            self._next_in(0)

    def wake(self) -> None:
        """Run the action now, unless it has failed: a login that was refused is not to be tried again and again."""
        if not self._failures:
            self.hurry()

    async def rest(self) -> None:
        """Wait until the action is not running."""
        await self._idle.wait()

    async def end(self) -> None:
        """Run the action no more, and wait until it has finished."""
        self._ended = True
        await self._idle.wait()

    async def _run(self) -> None:
        """Run the action, unless it is running, and postpone the next run after a failure."""
        if not self._idle.is_set():
            return
        self._idle.clear()
        self._again = True
        try:
            while self._again and not self._ended:
                self._again = False
                await self._action()
        except MailboxTaken as error:
            self._ended = True
            self._on_taken(error)
        except (PbemError, OSError) as error:
            self._postpone(str(error))
        except Exception:
            log.exception("%s: a bug", self._name, extra=event("bug", task=self._name))
            self._postpone("a bug, see above")
        else:
            if self._failures:
                log.info("%s works again", self._name, extra=event("works_again", task=self._name))
            self._failures = 0
        finally:
            self._idle.set()

    def _postpone(self, why: str) -> None:
        """Postpone the next run after a failure: for half a minute at most, then for longer and longer."""
        self._failures += 1
        # However rare the action is: an hour may lie between polls where the server announces messages.
        delay = delay_after(min(self._seconds, _RETRY_SECONDS), self._failures)
        log.warning(
            "%s: %s Trying again in %d seconds.", self._name, why, delay, extra=event("put_off", task=self._name)
        )
        self._next_in(delay)

    def _next_in(self, seconds: float) -> None:
        """Schedule the next run in so many seconds."""
        if not self._ended:
            self._scheduler.modify_job(self._name, next_run_time=datetime.now(UTC) + timedelta(seconds=seconds))


def unsubscribe(service: Service, hurry: Callable[[], None], url: str) -> None:
    """Store the email that unsubscribes whoever an email went to with this ``url`` in it, if one did."""
    with service.database.reading() as tx:
        raw = write_for_page(tx, service.site, url, service.clock.now())
    if raw:
        service.receive([Fetched(raw)])
        hurry()


def delay_after(seconds: float, failures: int) -> float:
    """Return the delay after so many failures in a row: it doubles each time, up to a limit."""
    return min(seconds * float(2 ** min(failures - 1, 20)), _LONGEST_DELAY)


async def run(
    service: Service,
    watch: Mailbox | None,
    stop: asyncio.Event,
    *,
    pause: float = _WATCH_AGAIN_SECONDS,
    look: float = LOOK_SECONDS,
    check_lock: Callable[[], None] = lambda: None,
) -> None:
    """Run the ticks until ``stop`` is set; running actions then get ten seconds to finish.

    ``watch`` is a second connection to the mailbox, on which the server announces new messages (IMAP IDLE,
    RFC 2177). When the connection fails, it is tried again after ``pause`` seconds. Every ``look`` seconds the
    watchman looks. Raise ConfigError when the file of the database is replaced or removed, or nothing can listen at
    ``lmtp_listen`` or ``unsubscribe_listen``; MailboxTaken when another service reads the mailbox; and what
    ``check_lock`` raises: another process may serve the database by now.
    """
    scheduler = AsyncIOScheduler(timezone=UTC)
    # The library warns of every tick that is due while the same tick runs, and reports interrupted ticks as errors.
    # Tick handles both cases itself.
    logging.getLogger("apscheduler").setLevel(logging.CRITICAL)
    taken: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def end_for(error: MailboxTaken) -> None:
        if not taken.done():
            taken.set_exception(error)

    async def process_and_deliver() -> None:
        if service.database.is_shared:
            await service.process_left()
        await service.deliver()
        if service.awaits_mail:
            poll.wake()

    often = SHARED_SECONDS if service.database.is_shared else DELIVER_SECONDS
    deliver = Tick(scheduler, "deliver", often, process_and_deliver)

    async def poll_and_deliver() -> None:
        try:
            await service.poll(deliver.wake)
        finally:
            deliver.hurry()

    async def tidy() -> None:
        await service.put_away_quiet()
        await service.drop_old_bytes()

    poll = Tick(scheduler, "poll", service.settings.poll_seconds, poll_and_deliver, end_for)
    ticks = [deliver, poll, Tick(scheduler, "drop", DROP_SECONDS, tidy)]

    async def write_archive() -> None:
        with suppress(TimeoutError):  # a server that does not answer holds it up no longer
            async with asyncio.timeout(_GRACE_SECONDS):
                await poll.rest()
                await deliver.rest()
        if await asyncio.to_thread(service.write_some_archive):
            archive.hurry()

    if service.settings.archive_dir:
        archive = Tick(scheduler, "archive", ARCHIVE_SECONDS, write_archive)
        ticks.append(archive)
    calls = list(_begin_calls(service))
    scheduler.start()
    beside = [asyncio.create_task(_repeat("robots", partial(_let_robot_move, service, deliver)))]
    beside += [asyncio.create_task(_repeat("webhooks", call)) for call in calls]
    beside += [asyncio.create_task(_watch(watch, poll, pause))] if watch else []

    def begin_anew() -> None:
        """The library waits for a time that the clock has said before, however long it takes to come again."""
        try:
            service.heartbeats.set_right()
        except PbemError as error:
            log.warning(
                "what was put off while the clock was wrong waits for its time: %s", error, extra=event("not_set_right")
            )
        for tick in ticks:
            tick.hurry()

    watchman = asyncio.create_task(watch_over(service.database.file, begin_anew, every=look, check_lock=check_lock))
    try:
        place = service.settings.unsubscribe_listen
        door = open_door(place, service.site, partial(unsubscribe, service, poll.hurry))
        async with open_intake(service, poll.hurry), open_lmtp(service, poll.hurry), door:
            tell_systemd("READY=1")
            stopped = asyncio.create_task(stop.wait())
            ended, _ = await asyncio.wait((stopped, watchman, taken), return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            for task in ended:
                task.result()
    finally:
        tell_systemd("STOPPING=1")
        for task in (watchman, *beside):
            task.cancel()
        for task in beside:
            with suppress(asyncio.CancelledError):
                await task
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE_SECONDS):
                await asyncio.gather(*(tick.end() for tick in ticks))
        scheduler.shutdown(wait=False)  # which stops what is under way
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_SECONDS):
                await asyncio.gather(*(tick.end() for tick in ticks))
        with suppress(PbemError):  # the next service reads everything then
            await asyncio.to_thread(service.keep_archive)
        if watch:
            await watch.close()


async def _watch(mailbox: Mailbox, poll: Tick, pause: float) -> None:
    """Hurry the poll when the server announces new messages, and when an announcement may have been missed."""
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
            if not isinstance(error, PbemError):  # the poll meets the same PbemError, and logs it
                log.exception("watch: a bug", extra=event("bug", task="watch"))
            failures += 1
            await asyncio.sleep(delay_after(pause, failures))


def _begin_calls(service: Service) -> Iterator[Callable[[], Awaitable[bool]]]:
    """Let the webhooks of the settings be those that there are; yield for each what makes its calls."""
    begin_calls(service.database, service.settings.webhooks, service.clock.now())
    for webhook in service.settings.webhooks:
        calling = Calling(webhook, service.database, service.site, service.clock, post)
        yield partial(_call_webhook, service, calling)


async def _call_webhook(service: Service, calling: Calling) -> bool:
    """Make the calls that wait for a webhook, once it is known that nobody else does; return whether any was made."""
    return service.is_ours and await calling.call()


async def _let_robot_move(service: Service, deliver: Tick) -> bool:
    """Let a robot move, and have the emails about it sent; return whether one did."""
    if moved := await service.let_robot_move():
        deliver.wake()
    return moved


async def _repeat(task: str, do: Callable[[], Awaitable[bool]]) -> None:
    """Do something again and again, at once as long as there is more to do.

    This is no tick: a thought may take minutes, and a call ten seconds. It is ended at once when the service ends, and
    begun anew with the next one, with the same result.
    """
    failures = 0
    while True:
        try:
            while await do():
                pass
            failures = 0
        except (PbemError, OSError) as error:
            failures += 1
            log.warning("%s: %s", task, error, extra=event("put_off", task=task))
        except Exception:
            failures += 1
            log.exception("%s: a bug", task, extra=event("bug", task=task))
        await asyncio.sleep(delay_after(LOOK_AGAIN_SECONDS, failures) if failures else LOOK_AGAIN_SECONDS)


def is_locked(database: Path) -> bool:
    """Return whether a scheduler serves an SQLite file now."""
    try:
        with open(lock_file(database)) as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


@contextmanager
def exclusive_lock(database: Path | None) -> Iterator[None]:
    """Lock an SQLite file against other schedulers; None: a database that is no file. Raise Busy if it is locked."""
    if database is None:
        yield
        return
    file = lock_file(database)
    # For its owner alone: whoever could open it could lock it too, and so keep the service from starting.
    with open(os.open(file, os.O_RDWR | os.O_CREAT, 0o600)) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Busy(f"Another “pbem run” serves this database already ({file} is locked).") from error
        yield
