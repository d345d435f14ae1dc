"""What changes under a running service: the clock of the machine, and the file of the database."""

import asyncio
import logging
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.errors import ConfigError
from pbem.running import scheduler
from pbem.running.service import Service
from pbem.running.watchman import tell_systemd, watch_over
from pbem.settings.model import Settings
from pbem.storage.database import Database
from tests.support.fakes import FakeClock, FakeCourier, FakeDice, FakeMailbox

EVERY = 0.005
SOON = 5.0
"""Seconds after which something that should happen at once has not happened."""


class Wall:
    """A clock on the wall, which can be set: it goes as time passes, and ``by`` seconds ahead."""

    def __init__(self) -> None:
        self.by = 0.0
        self.read = asyncio.Event()

    def __call__(self) -> float:
        """Return what it says."""
        self.read.set()
        return asyncio.get_running_loop().time() + 1_000_000 + self.by

    async def set_by(self, seconds: float) -> None:
        """Set it on, or back, and wait until somebody has looked at it."""
        self.by += seconds
        for _ in range(2):
            self.read.clear()
            async with asyncio.timeout(SOON):
                await self.read.wait()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that is watched."""
    file = tmp_path / "pbem.db"
    file.write_bytes(b"the matches")
    return file


async def test_a_clock_that_is_set_back_is_noticed_and_told(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Each time, and never for one that is set on, or goes as it should: then nothing sleeps too long."""
    wall, told = Wall(), []
    watchman = asyncio.create_task(watch_over(file, lambda: told.append(wall.by), every=EVERY, clock=wall))
    for jump in (0, -3600, 0, 7200, 1, -10):
        await wall.set_by(jump)
    watchman.cancel()
    assert told == [-3600, 3591]
    assert [record.levelno for record in caplog.records] == 3 * [logging.WARNING]


def serving(blank_database: Path, directory: Path) -> Service:
    """Return a service with a database and a mailbox of its own."""
    file = directory / "pbem.db"
    shutil.copy(blank_database, file)
    settings = Settings(address="games@example.org", secret="a secret for this test", poll_seconds=3600)
    database = Database(f"sqlite:///{file}")
    return Service(settings, database, clock=FakeClock(), dice=FakeDice(), courier=FakeCourier(), mailbox=FakeMailbox())


def remove(file: Path) -> None:
    """Remove a file."""
    file.unlink()


def rename(file: Path) -> None:
    """Put a file out of the way."""
    file.rename(file.with_suffix(".old"))


def replace(file: Path) -> None:
    """Put a copy in the place of a file, as whoever restores a backup does."""
    shutil.copy(file, file.with_suffix(".copy"))
    file.with_suffix(".copy").rename(file)


@pytest.mark.parametrize("change", [remove, rename, replace])
async def test_a_database_that_is_replaced_or_removed_under_the_service_stops_it(
    change: Callable[[Path], None], blank_database: Path, tmp_path: Path
) -> None:
    """What it wrote would be lost, though every move is answered: it ends, with a code after which none restarts it."""
    service, file = serving(blank_database, tmp_path), tmp_path / "pbem.db"
    run = asyncio.create_task(scheduler.run(service, None, asyncio.Event(), look=EVERY))
    done, _ = await asyncio.wait({run}, timeout=0.1)
    assert not done, "as long as nothing happens it runs"
    change(file)
    with pytest.raises(ConfigError):
        await asyncio.wait_for(run, SOON)
    await service.close()


async def test_systemd_is_told_that_the_service_begins_goes_on_and_ends(
    blank_database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this order: a service that hangs is started anew, since it no longer says that it goes on."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        service, stop = serving(blank_database, tmp_path), asyncio.Event()
        run = asyncio.create_task(scheduler.run(service, None, stop, look=EVERY))
        told: list[str] = []
        async with asyncio.timeout(SOON):
            while "STOPPING=1" not in told:
                told.append((await asyncio.get_running_loop().sock_recv(systemd, 100)).decode())
                if len(told) == 4:
                    stop.set()
            await run
    assert sorted(told[:2]) == ["READY=1", "WATCHDOG=1"]
    assert set(told[2:-1]) == {"WATCHDOG=1"}
    assert told[-1] == "STOPPING=1"
    await service.close()


async def test_a_service_that_nobody_watches_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without systemd, and with a socket that is gone."""
    for name in ("", str(tmp_path / "gone"), "@gone"):
        monkeypatch.setenv("NOTIFY_SOCKET", name)
        tell_systemd("READY=1")


async def test_a_database_that_is_written_to_and_one_on_a_server_are_no_reason_to_stop(file: Path) -> None:
    """The same file, with other content, is what a database is."""
    watchmen = [asyncio.create_task(watch_over(one, lambda: None, every=EVERY)) for one in (file, None)]
    await asyncio.sleep(5 * EVERY)
    await asyncio.to_thread(file.write_bytes, b"the matches, and a move")
    await asyncio.sleep(5 * EVERY)
    assert not any(watchman.done() for watchman in watchmen)
    for watchman in watchmen:
        watchman.cancel()


HANGS = """
import asyncio, time
from pbem.running import watchman

watchman._HUNG_SECONDS = 0.1

async def main():
    asyncio.create_task(watchman.watch_over(None, print))
    await asyncio.sleep(0)
    time.sleep(20)

asyncio.run(main())
"""


def test_a_service_that_hangs_ends_and_writes_what_it_was_doing() -> None:
    """Also where no systemd would start it anew, as in a container; whatever else started it does."""
    run = subprocess.run([sys.executable, "-c", HANGS], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "in main" in run.stderr
