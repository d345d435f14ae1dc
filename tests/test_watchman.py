"""What changes under a running service: the clock of the machine, and the file of the database."""

import asyncio
import logging
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem import scheduler
from pbem.errors import ConfigError
from pbem.service import Service
from pbem.settings import Settings
from pbem.storage import Database
from pbem.watchman import watch_over
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
    file = tmp_path / "pbem.db"
    shutil.copy(blank_database, file)
    settings = Settings(address="games@example.org", secret="a secret for this test", poll_seconds=3600)
    service = Service(
        settings, Database(f"sqlite:///{file}"), clock=FakeClock(), dice=FakeDice(), courier=FakeCourier()
    )
    service.connect(mailbox=FakeMailbox())
    run = asyncio.create_task(scheduler.run(service, None, asyncio.Event(), look=EVERY))
    done, _ = await asyncio.wait({run}, timeout=0.1)
    assert not done, "as long as nothing happens it runs"
    change(file)
    with pytest.raises(ConfigError):
        await asyncio.wait_for(run, SOON)
    await service.close()


async def test_a_database_that_is_written_to_and_one_on_a_server_are_no_reason_to_stop(file: Path) -> None:
    """The same file, with other content, is what a database is."""
    watchmen = [asyncio.create_task(watch_over(one, lambda: None, every=EVERY)) for one in (file, None)]
    await asyncio.sleep(5 * EVERY)
    await asyncio.to_thread(file.write_bytes, b"the matches, and a move")
    await asyncio.sleep(5 * EVERY)
    assert not any(watchman.done() for watchman in watchmen)
    for watchman in watchmen:
        watchman.cancel()
