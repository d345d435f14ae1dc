"""The watchman: what may change under a running service, and shows in no error: the machine's clock, and the file.

It also tells systemd, if that has started the service, that it is alive (sd_notify(3)).
"""

import asyncio
import faulthandler
import logging
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path

from pbem.errors import ConfigError
from pbem.log.logbook import event

log = logging.getLogger("pbem")

LOOK_SECONDS = 5
_HUNG_SECONDS = 300  # as in deploy/pbem.service, for those whom no systemd starts anew
_STDERR = 2
_JUMP = 2  # seconds by which the clock may differ from the time that has passed: more than any clock drifts


async def watch_over(
    file: Path | None,
    on_set_back: Callable[[], None],
    *,
    every: float = LOOK_SECONDS,
    clock: Callable[[], float] = time.time,
    check_lock: Callable[[], None] = lambda: None,
) -> None:
    """Look ``every`` so many seconds whether all is as before, until cancelled.

    ``file``: the SQLite file that the service writes; None for a database on a server. Raise ConfigError when another
    file stands in its place, or none: what is written since then would be lost. ``on_set_back`` is called when
    ``clock`` (seconds since 1970) has gone back. When something keeps the event loop from going on for five minutes,
    the process writes what it was doing, and ends with exit code 1. ``check_lock`` raises Busy when another may serve
    the database by now.
    """
    served = _identify(file)
    passed = asyncio.get_running_loop().time
    ahead = clock() - passed()
    try:
        while True:
            tell_systemd("WATCHDOG=1")
            faulthandler.dump_traceback_later(_HUNG_SECONDS, file=_STDERR, exit=True)
            await asyncio.sleep(every)
            if _identify(file) != served:
                raise ConfigError(_say_what_happened(file))
            await asyncio.to_thread(check_lock)
            jump = clock() - passed() - ahead
            if abs(jump) > _JUMP:
                log.warning(
                    "the clock of this machine was set %s by %d seconds",
                    "on" if jump > 0 else "back",
                    abs(jump),
                    extra=event("clock_set", seconds=round(jump)),
                )
                ahead += jump
                if jump < 0:
                    on_set_back()
    finally:
        faulthandler.cancel_dump_traceback_later()


def tell_systemd(state: str) -> None:
    """Send a state, such as ``READY=1``, to the socket that NOTIFY_SOCKET names; nothing happens where none does."""
    name = os.environ.get("NOTIFY_SOCKET", "")
    if not name:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        try:
            sender.sendto(state.encode(), "\0" + name[1:] if name.startswith("@") else name)
        except OSError as error:
            log.debug("NOTIFY_SOCKET takes nothing: %s", error, extra=event("systemd_deaf"))


def _identify(file: Path | None) -> tuple[int, int] | None:
    """Return what tells a file from every other (device and inode); None where there is no file."""
    try:
        stat = file.stat() if file else None
    except FileNotFoundError:
        return None
    return (stat.st_dev, stat.st_ino) if stat else None


def _say_what_happened(file: Path | None) -> str:
    """Return the sentence for a database that is no longer the one that was opened."""
    what = "another file has taken its place" if file and file.exists() else "it was removed or renamed"
    return (
        f"The database {file} isn't the one that this service opened: {what}. The service has stopped, since what it"
        " wrote would be lost. Put the right file there, and start it again."
    )
