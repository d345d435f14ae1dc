"""Switches that several processes share: a file mapped into memory, read and set in no time, whoever has died."""

import mmap
from enum import IntEnum
from pathlib import Path
from typing import Self

_SIZE = 16


class Switch(IntEnum):
    """What can be set: a byte each, 0 where all is as usual.

    ``DEATH``: the number of the waypoint at which the service kills itself, counted from 1. ``OUTLET``: how the SMTP
    server behaves.
    """

    DEATH = 0
    OUTLET = 1


class Outlet(IntEnum):
    """How the SMTP server behaves: ``DIES`` once it has stored the next email, before it says so; ``GREYLISTS``."""

    SERVES = 0
    DIES = 1
    GREYLISTS = 2


class Switches:
    """The switches in a file, which ``make`` makes."""

    def __init__(self, file: Path) -> None:
        with file.open("r+b") as opened:
            self._bytes = mmap.mmap(opened.fileno(), _SIZE)

    @classmethod
    def make(cls, file: Path) -> Self:
        """Return switches in a new file, all of them 0."""
        file.write_bytes(bytes(_SIZE))
        return cls(file)

    def __getitem__(self, switch: Switch) -> int:
        return self._bytes[switch]

    def __setitem__(self, switch: Switch, value: int) -> None:
        self._bytes[switch] = value
