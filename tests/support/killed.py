"""Processes that write an archive, and are killed while they do: between two of their steps, or within a file."""

import os
import resource
import signal
import sys
from collections.abc import Callable
from datetime import datetime
from multiprocessing import get_context

from pbem.running.service import Service
from pbem.settings.model import Settings
from tests.support.club import make_club
from tests.support.fakes import FakeClock

_CONTEXT = get_context("forkserver")  # which has no threads that a child would miss
_CONTEXT.set_forkserver_preload([__name__])

_CHANGING = frozenset({"os.rename", "os.remove", "os.chmod", "os.mkdir"})
"""Events of the interpreter (see its table of audit events) with which files change, beside that of opening one."""


def publish_all(service: Service) -> None:
    """Write the archive, pass after pass until nothing is left to do."""
    while service.write_archive():
        pass


def build(settings: Settings, at: datetime, step: int, size: int = 0) -> int:
    """Build an archive at a time in a process of its own; return minus the signal that killed it, or 0 if none did.

    It is killed before change number ``step`` to the directory, counted from 1; where a ``size`` is given, within the
    first file with more bytes that it writes from then on.
    """
    process = _CONTEXT.Process(target=_build, args=(settings, at, step, size))
    process.start()
    process.join()
    assert process.exitcode is not None
    return process.exitcode


def _build(settings: Settings, at: datetime, step: int, size: int) -> None:
    """Build an archive, and be killed."""
    sys.addaudithook(_killer(settings.archive_dir, step, size))
    club = make_club(settings, clock=FakeClock(at))
    publish_all(club.service)


def _killer(directory: str, step: int, size: int) -> Callable[[str, tuple[object, ...]], None]:
    """Return what ends this process at change number ``step`` to a directory, or within a file after that."""
    left = step

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if not _changes(event, arguments) or not str(arguments[0]).startswith(directory):
            return
        left -= 1
        if left == 0 and size:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it, and the write would merely fail
        elif left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return watch


def _changes(event: str, arguments: tuple[object, ...]) -> bool:
    """Return whether an event changes a file."""
    if event != "open":
        return event in _CHANGING
    flags = arguments[2]
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR))
