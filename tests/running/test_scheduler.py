"""The ticks go on whatever happens in one of them, and only one scheduler serves a database file."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import partial
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import Self

import pytest
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from pbem.errors import Busy, LoginRefused, MailboxLost
from pbem.ports import Batch, Cursor
from pbem.running import scheduler
from pbem.running.scheduler import Every, Tick, delay_after, exclusive_lock
from pbem.running.service import Service
from pbem.settings.model import Settings
from pbem.storage.database import Database
from pbem.storage.messages.records import InboundRecord
from tests.support.chosen import changed
from tests.support.fakes import FakeClock, FakeCourier, FakeDice, FakeMailbox

LETTER = b"From: ann@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nhello\r\n"
SOON = 5.0
"""Seconds after which something that should happen at once has not happened."""


class Deed:
    """Something a tick does: counts how often, fails as it is told, and can take its time."""

    def __init__(self, *failures: Exception | None) -> None:
        self.count = 0
        self._failures = list(failures)
        self.may_end = asyncio.Event()
        self.may_end.set()
        self._done = asyncio.Condition()

    async def __call__(self) -> None:
        """Do it once."""
        self.count += 1
        async with self._done:
            self._done.notify_all()
        await self.may_end.wait()
        if self._failures and (failure := self._failures.pop(0)):
            raise failure

    async def reaches(self, count: int) -> None:
        """Wait until it has been begun so often."""
        async with asyncio.timeout(SOON), self._done:
            await self._done.wait_for(lambda: self.count >= count)


class WatchedMailbox(FakeMailbox):
    """A mailbox that announces what is put into it."""

    def __init__(self) -> None:
        super().__init__()
        self.news = asyncio.Event()
        self.lost: list[Exception] = []
        self.waits = 0

    async def wait(self, seconds: float) -> bool:
        """Return once something has been put in, or raise the next loss."""
        self.waits += 1
        if self.lost:
            raise self.lost.pop(0)
        if not seconds:
            return False
        await self.news.wait()
        self.news.clear()
        return True


class ClosedMailbox(FakeMailbox):
    """A mailbox on a server that does not let us in."""

    async def batches(self, cursor: Cursor | None, since: date | None) -> AsyncIterator[Batch]:
        """Refuse the login."""
        raise LoginRefused("No.")
        yield  # what makes this a generator

    async def wait(self, seconds: float) -> bool:
        """Refuse the login."""
        raise LoginRefused("No.")


class SlowCourier(FakeCourier):
    """A courier that has begun, and waits until it may end."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.may_end = asyncio.Event(), asyncio.Event()

    async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
        """Carry an email once that is allowed."""
        self.begun.set()
        await self.may_end.wait()
        return await super().send(sender, recipient, raw, plain=plain)


class RefusingCourier(FakeCourier):
    """A courier on a server that does not let us in; it counts how often that was tried."""

    tried = 0

    async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
        """Refuse the login."""
        self.tried += 1
        raise LoginRefused("No.")


def processed(service: Service, status: str) -> list[InboundRecord]:
    """Return the messages that ended with a status."""
    with service.database.reading() as tx:
        return tx.inbound.latest(status=status)


async def until(reached: Callable[[], bool]) -> None:
    """Wait until something is so, looking often; fail when it does not come about."""
    async with asyncio.timeout(SOON):
        while not reached():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.005)


@asynccontextmanager
async def serving(service: Service, watch: FakeMailbox) -> AsyncIterator[None]:
    """Run the scheduler, stop it as a signal does, and close the service."""
    stop = asyncio.Event()
    run = asyncio.create_task(scheduler.run(service, watch, stop, pause=0.01))
    try:
        yield
    finally:
        stop.set()
        await asyncio.wait_for(run, SOON)
        await service.close()


@asynccontextmanager
async def running() -> AsyncIterator[Callable[[float, Callable[[], Awaitable[object]]], Tick]]:
    """Run a scheduler, and yield what adds a tick to it."""
    clockwork = AsyncIOScheduler(timezone="UTC")
    clockwork.start()
    logging.getLogger("apscheduler").setLevel(logging.ERROR)

    def tick(seconds: float, action: Callable[[], Awaitable[object]]) -> Tick:
        return Tick(clockwork, f"tick {len(clockwork.get_jobs())}", seconds, action)

    try:
        yield tick
    finally:
        clockwork.shutdown(wait=False)


@pytest.fixture
def service(tmp_path: Path) -> Service:
    """Build a service with a mailbox that announces, over a fresh database."""
    database = Database(f"sqlite:///{tmp_path}/pbem.db")
    database.upgrade()
    settings = Settings(address="games@example.org", secret="a secret for this test", poll_seconds=3600)
    return Service(settings, database, clock=FakeClock(), dice=FakeDice(), courier=FakeCourier())


async def test_a_tick_is_done_at_once_and_then_again_and_again() -> None:
    """A tick does not wait for its first interval to pass."""
    async with running() as tick:
        deed = Deed()
        tick(0.01, deed)
        await deed.reaches(3)


async def test_a_tick_that_fails_is_tried_again_later_each_time(caplog: pytest.LogCaptureFixture) -> None:
    """After each failure a tick waits twice as long, says so, and goes back to its pace once it works."""
    async with running() as tick:
        deed = Deed(MailboxLost("Gone."), MailboxLost("Gone."), OSError("No space."), None)
        with caplog.at_level(logging.INFO, "pbem"):
            tick(0.01, deed)
            await deed.reaches(6)
    assert [
        record.args[2] for record in caplog.records if isinstance(record.args, tuple) and len(record.args) == 3
    ] == [
        0.01,
        0.02,
        0.04,
    ]
    assert "works again" in caplog.messages[-1]
    assert not any(record.exc_info for record in caplog.records), "an expected failure needs no traceback"


def test_the_wait_doubles_up_to_a_quarter_of_an_hour() -> None:
    """Ever longer, but never so long that nobody would notice a server that is back."""
    assert [delay_after(15, failures) for failures in (1, 2, 3, 7, 8, 1000)] == [15, 30, 60, 900, 900, 900]


async def test_a_rare_tick_that_fails_is_tried_again_soon(caplog: pytest.LogCaptureFixture) -> None:
    """With an hour between polls, a mailbox that was away for a moment is not left alone for an hour."""
    async with running() as tick:
        deed = Deed(MailboxLost("Gone."))
        tick(3600, deed)
        await until(lambda: bool(caplog.messages))
    assert caplog.messages == ["tick 0: Gone. Trying again in 30 seconds."]


async def test_a_bug_in_one_tick_does_not_stop_it_or_the_others(caplog: pytest.LogCaptureFixture) -> None:
    """What nobody foresaw is logged with its traceback, and everything goes on."""
    async with running() as tick:
        buggy, sound = Deed(ZeroDivisionError("one"), KeyError("two")), Deed()
        tick(0.01, buggy)
        tick(0.01, sound)
        await buggy.reaches(3)
        count = sound.count
        await sound.reaches(count + 2)
    assert {record.exc_info[0] for record in caplog.records if record.exc_info} == {ZeroDivisionError, KeyError}


async def test_a_tick_that_is_hurried_is_done_now() -> None:
    """Nobody waits for the interval when there is something to do."""
    async with running() as tick:
        deed = Deed()
        hurried = tick(3600, deed)
        await deed.reaches(1)
        await asyncio.sleep(0)
        hurried.hurry()
        await deed.reaches(2)


async def test_a_tick_that_is_hurried_while_it_runs_is_done_once_more() -> None:
    """However often it is hurried meanwhile: what came in since it began is not overlooked, and not done twice."""
    async with running() as tick:
        deed = Deed()
        deed.may_end.clear()
        hurried = tick(3600, deed)
        await deed.reaches(1)
        for _ in range(3):
            hurried.hurry()
        assert deed.count == 1
        deed.may_end.set()
        await deed.reaches(2)
        for _ in range(10):
            await asyncio.sleep(0)
        assert deed.count == 2


async def test_a_tick_hurried_into_a_failure_still_is_tried_again() -> None:
    """A failure during the run that was hurried does not lose the hurry."""
    async with running() as tick:
        deed = Deed(MailboxLost("Gone."))
        deed.may_end.clear()
        hurried = tick(0.05, deed)
        await deed.reaches(1)
        hurried.hurry()
        deed.may_end.set()
        await deed.reaches(2)


async def test_a_tick_goes_on_when_the_clock_of_the_machine_was_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """By an hour: the library alone would wait until the clock says again what it has said before."""

    class Wall(datetime):
        """A clock on the wall that goes ``slow`` by so much."""

        slow = timedelta()

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            """Return what it says."""
            return super().now(tz) - cls.slow

    monkeypatch.setattr("apscheduler.schedulers.base.datetime", Wall)
    monkeypatch.setattr("pbem.running.scheduler.datetime", Wall)
    async with running() as tick:
        deed = Deed()
        set_right = tick(0.01, deed)
        await deed.reaches(2)
        Wall.slow = timedelta(hours=1)
        await asyncio.sleep(0.05)
        count = deed.count
        await asyncio.sleep(0.05)
        assert deed.count == count, "this is what the library does"
        set_right.hurry()
        await deed.reaches(count + 3)


async def test_mail_that_is_announced_is_polled_and_answered_at_once(service: Service) -> None:
    """With an hour between polls, a message that the server announces is settled and answered within moments."""
    mailbox, courier = WatchedMailbox(), FakeCourier()
    service.connect(mailbox=mailbox, courier=courier)
    await service.poll()  # the first look at a mailbox leaves alone what is in it
    async with serving(service, mailbox):
        await until(lambda: mailbox.waits >= 2)
        mailbox.put(LETTER)
        mailbox.news.set()
        await until(lambda: bool(courier.carried))
    assert [recipient for recipient, _ in courier.carried] == ["ann@example.org"]


async def test_a_watch_that_is_lost_is_taken_up_again(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    """For want of a connection or by a bug, the watch fails; it goes on, and hears the next message."""
    mailbox, courier = WatchedMailbox(), FakeCourier()
    mailbox.lost = [MailboxLost("Gone."), LoginRefused("No."), RuntimeError("a bug")]
    service.connect(mailbox=mailbox, courier=courier)
    await service.poll()
    async with serving(service, mailbox):
        await until(lambda: mailbox.waits >= 5)
        mailbox.put(LETTER)
        mailbox.news.set()
        await until(lambda: bool(courier.carried))
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [RuntimeError]


async def test_a_wrong_password_is_not_tried_for_every_message(service: Service) -> None:
    """While many messages are processed one after the other, a login that was refused is not tried for each of them."""
    mailbox, courier = WatchedMailbox(), RefusingCourier()
    service.connect(mailbox=mailbox, courier=courier)
    await service.poll()
    async with serving(service, mailbox):
        await until(lambda: mailbox.waits >= 2)
        for number in range(1, 31):
            mailbox.put(LETTER.replace(b"ann", b"ann%d" % number).replace(b"<1", b"<%d" % number))
        mailbox.news.set()
        await until(lambda: not processed(service, "received") and len(processed(service, "rejected")) == 30)
    assert 1 <= courier.tried <= 3


async def test_emails_are_delivered_though_the_mailbox_cannot_be_read(service: Service) -> None:
    """An email server that lets us send but not read does not keep notices from going out."""
    mailbox, courier = ClosedMailbox(), FakeCourier()
    service.connect(mailbox=mailbox, courier=courier)
    service.open("pipline", ["ann@example.org", "bob@example.org"], {})
    async with serving(service, mailbox):
        await until(lambda: len(courier.carried) == 2)


async def test_emails_are_delivered_though_the_archive_cannot_be_written(
    service: Service, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A full disk, or a directory of somebody else, is told in one line of the log, and keeps no notice back."""
    mailbox, courier = WatchedMailbox(), FakeCourier()
    service.settings.archive_dir = str(tmp_path / "pbem.db")  # no directory
    service.connect(mailbox=mailbox, courier=courier)
    async with serving(service, mailbox):
        await until(lambda: "can’t be written" in caplog.text)
        service.open("pipline", ["ann@example.org", "bob@example.org"], {})
        mailbox.messages.append(LETTER)
        mailbox.news.set()
        await until(lambda: len(courier.carried) >= 2)
    (told,) = [record.getMessage() for record in caplog.records if "archive" in record.getMessage()]
    assert told.startswith("archive: The archive in")
    assert told.endswith("can’t be written: Not a directory. Trying again in 30 seconds.")


async def test_old_bytes_are_dropped_while_the_service_runs(service: Service) -> None:
    """Nobody has to remember it, with a mailbox or behind a pipe alone."""
    service.open("pipline", ["ann@example.org", "bob@example.org"], {})
    await service.deliver()
    assert isinstance(service.clock, FakeClock)
    service.clock.advance(timedelta(days=service.settings.keep_outbound_days))

    def dropped() -> bool:
        with service.database.reading() as tx:
            return not any(email.kept for email in tx.outbound.latest())

    assert not dropped()
    stop = asyncio.Event()
    run = asyncio.create_task(scheduler.run(service, None, stop))
    await until(dropped)
    stop.set()
    await asyncio.wait_for(run, SOON)
    await service.close()


class Archiving(Service):
    """A service with much to write to its archive; while each slice is written, the server announces a message."""

    slices, polls = 3, 0
    said: list[str]
    news: Callable[[], object]
    polled: Event

    async def poll(self, on_receipt: Callable[[], None] = lambda: None) -> int:
        """Take a while, as the answer of a server does."""
        self.polls += 1
        if self.polls == 1:  # at the start
            return 0
        self.said.append("mail comes")
        self.polled.set()
        await asyncio.sleep(0.05)
        self.said.append("mail is read")
        return 0

    def write_some_archive(self, seconds: float = 1) -> bool:
        """Write a slice that ends when the message is being read."""
        self.said.append("slice")
        self.polled.clear()
        self.news()
        self.polled.wait(SOON)
        return self.said.count("slice") < self.slices


async def test_mail_is_read_between_the_slices_of_an_archive(service: Service, tmp_path: Path) -> None:
    """A first build takes minutes: what arrives meanwhile waits for a slice of it, and the next one for the mail."""
    settings = changed(service.settings, archive_dir=str(tmp_path))
    busy = Archiving(settings, service.database, clock=FakeClock(), dice=FakeDice(), courier=FakeCourier())
    watch, loop = WatchedMailbox(), asyncio.get_running_loop()
    busy.connect(mailbox=FakeMailbox())
    busy.said, busy.polled, busy.news = [], Event(), partial(loop.call_soon_threadsafe, watch.news.set)
    async with serving(busy, watch):
        await until(lambda: busy.said.count("slice") == busy.slices and busy.said[-1] == "mail is read")
    following = set(pairwise(busy.said))
    assert ("slice", "slice") not in following
    assert ("mail comes", "slice") not in following


async def test_a_mail_that_is_being_sent_at_the_end_is_sent_to_the_end(service: Service) -> None:
    """Told to stop, the service finishes the email it has begun, so that it is not sent a second time later."""
    courier = SlowCourier()
    service.connect(mailbox=FakeMailbox(), courier=courier)
    service.open("pipline", ["ann@example.org", "bob@example.org"], {})
    stop = asyncio.Event()
    run = asyncio.create_task(scheduler.run(service, None, stop))
    await until(courier.begun.is_set)
    stop.set()
    await asyncio.sleep(0)
    courier.may_end.set()
    await asyncio.wait_for(run, SOON)
    with service.database.reading() as tx:
        assert {mail.status for mail in tx.outbound.latest()} == {"sent"}
    await service.close()


def test_a_second_run_on_the_same_file_is_refused(tmp_path: Path) -> None:
    """Two schedulers would send everything twice, so the second is told of the first."""
    file = tmp_path / "pbem.db"
    with (
        exclusive_lock(file),
        pytest.raises(Busy, match="Another “pbem run” serves this database already"),
        exclusive_lock(file),
    ):
        pytest.fail("two at once")
    with exclusive_lock(file), exclusive_lock(tmp_path / "other.db"), exclusive_lock(None), exclusive_lock(None):
        pass


@pytest.mark.slow("starts an interpreter")
def test_the_lock_is_free_after_its_holder_was_killed(tmp_path: Path) -> None:
    """Nobody has to remove a lock file by hand after a crash."""
    file = tmp_path / "pbem.db"
    code = (
        "import pathlib, sys; from pbem.running.scheduler import exclusive_lock\n"
        "with exclusive_lock(pathlib.Path(sys.argv[1])): print('held', flush=True); input()"
    )
    with ExitStack() as cleaning:
        holder = subprocess.Popen(
            [sys.executable, "-c", code, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        cleaning.callback(holder.communicate)
        cleaning.callback(holder.kill)
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(Busy), exclusive_lock(file):
            pytest.fail("two at once")
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait(10)
        with exclusive_lock(file):
            pass


def test_a_clock_that_leaps_over_years_brings_one_run() -> None:
    """As where a machine without a battery learns the time after the start: not one for each second since 1970."""
    started = datetime(1970, 1, 1, tzinfo=UTC)
    job = AsyncIOScheduler(timezone=UTC).add_job(print, Every(1), next_run_time=started)
    assert job._get_run_times(datetime(2026, 11, 29, tzinfo=UTC)) == [started]
