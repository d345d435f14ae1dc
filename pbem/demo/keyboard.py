"""Reads what is typed, or piped in, without keeping the event loop waiting."""

import asyncio
import os
import sys
from contextlib import suppress


class Keyboard:
    """Standard input, line by line; a thread that reads it could not be interrupted by Ctrl-C."""

    def __init__(self) -> None:
        try:
            self._file: int | None = sys.stdin.fileno()
        except (AttributeError, OSError, ValueError):  # closed, or replaced by something that is no file
            self._file = None
        self.echoes = self._file is not None and os.isatty(self._file)
        self._held = b""

    async def line(self) -> str | None:
        """Return the next line without its end; None at the end of the input."""
        while b"\n" not in self._held:
            chunk = await self._chunk()
            if not chunk:
                rest, self._held = self._held, b""
                return rest.decode(errors="replace") if rest else None
            self._held += chunk
        first, _, self._held = self._held.partition(b"\n")
        return first.decode(errors="replace").rstrip("\r")

    async def _chunk(self) -> bytes:
        """Return what there is to read, after waiting until there is something."""
        if self._file is None:
            return b""
        loop = asyncio.get_running_loop()
        readable = asyncio.Event()
        try:
            loop.add_reader(self._file, readable.set)
        except PermissionError:  # a plain file is always readable, and not to be watched
            return os.read(self._file, 65536)
        try:
            await readable.wait()
            with suppress(OSError):  # a terminal that has gone away
                return os.read(self._file, 65536)
            return b""
        finally:
            loop.remove_reader(self._file)
