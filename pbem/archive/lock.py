"""One process at a time writes the archive: else the page that one has read long ago would replace a newer one."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.archive.pages import make_directory
from pbem.errors import Busy

_LOCK = ".lock"
_BUILDING = b"building\n"
_WAIT = 5.0  # seconds: most passes take less
_AGAIN = 0.05  # seconds


@contextmanager
def building(directory: Path, wait: float = _WAIT) -> Iterator[bool]:
    """Let nobody else write to the archive meanwhile; tell whether whoever wrote last was stopped before the end.

    The directory is made as needed. Raises OSError, and Busy after that many seconds in which another process writes.
    """
    make_directory(directory)
    # For its owner alone: whoever could open it could lock it too.
    with open(os.open(directory / _LOCK, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0) as file:
        _lock(file.fileno(), directory, wait)
        was_stopped = bool(file.read())
        file.seek(0)
        file.write(_BUILDING)
        yield was_stopped
        file.truncate(0)


def _lock(file: int, directory: Path, wait: float) -> None:
    """Lock a file."""
    until = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > until:
                raise Busy(f"Another process writes the archive in {directory}: try again when it’s done.") from None
            time.sleep(_AGAIN)
