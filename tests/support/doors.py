"""A service to which emails are handed through a socket: what the tests of LMTP and of the pipe share."""

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from pbem.running import scheduler
from pbem.running.service import Service
from pbem.settings.model import Settings
from pbem.storage.database import Database
from tests.support.fakes import FakeClock, FakeCourier, FakeDice

RAW = b"From: stranger@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nhello\r\n"
SOON = 10.0
"""Seconds after which something that should happen at once has not happened."""


def make_service(
    directory: Path,
    blank_database: Path,
    on_waypoint: Callable[[str], None] = lambda waypoint: None,
    lmtp_listen: str = "",
) -> Service:
    """Return a service over the database in a directory, which is put there blank where there is none."""
    file = directory / "pbem.db"
    if not file.exists():
        shutil.copy(blank_database, file)
    settings = Settings(address="games@example.org", secret="a secret for this test", lmtp_listen=lmtp_listen)
    database = Database(f"sqlite:///{file}")
    return Service(settings, database, clock=FakeClock(), dice=FakeDice(), on_waypoint=on_waypoint)


async def until(reached: Callable[[], bool]) -> None:
    """Wait until something is so, looking often; fail when it does not come about."""
    async with asyncio.timeout(SOON):
        while not reached():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.005)


async def mode_of_socket(listening: AbstractAsyncContextManager[object], path: str) -> int:
    """Return the mode of the socket that is at ``path`` meanwhile, made where no umask takes anything from it."""
    mask = os.umask(0)
    try:
        async with listening:
            mode = os.stat(path).st_mode
            assert os.umask(0) == 0  # as it was
    finally:
        os.umask(mask)
    return mode


async def recipients_of_run(service: Service, path: str, hand: Callable[[], Awaitable[object]]) -> list[str]:
    """Return to whom the running service writes after what ``hand`` hands over, once its socket is at ``path``."""
    courier = FakeCourier()
    service.connect(courier=courier)
    stop = asyncio.Event()
    run = asyncio.create_task(scheduler.run(service, None, stop))
    await until(lambda: os.path.lexists(path))
    await hand()
    await until(lambda: bool(courier.carried))
    stop.set()
    await asyncio.wait_for(run, SOON)
    return [recipient for recipient, _ in courier.carried]
