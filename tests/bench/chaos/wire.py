"""A network between the service and one server, which delays, throttles, cuts, or swallows everything."""

import asyncio
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from tests.e2e.real.listener import Listener

_PIECE, _MORSEL = 65_536, 2_048  # bytes that are read, and that are passed on together
_RESET = struct.pack("ii", 1, 0)  # close with RST, and wait for nothing


@dataclass(eq=False)
class _Line:
    """A connection through the wire; ``dead``: whatever is said on it is swallowed, for ever, and nobody is told."""

    writers: list[asyncio.StreamWriter] = field(default_factory=list)
    dead: bool = False


class Wire(Listener):
    """Passes on what comes to its ``port`` to another port of loopback, and back.

    ``delay`` is the longest time in seconds that each piece takes, ``rate`` the bytes a second, None for no limit.
    While it is ``silent`` it takes connections, passes nothing on, and answers nothing.
    """

    def __init__(self, target: int, chance: Random) -> None:
        super().__init__()
        self._target, self._chance = target, chance
        self.delay, self.silent = 0.0, False
        self.rate: int | None = None
        self._lines: set[_Line] = set()

    def cut(self) -> None:
        """Reset all connections; new ones can be made."""
        for line in self._lines:
            for writer in line.writers:
                _reset(writer)

    def kill_lines(self) -> None:
        """Let nothing more come through on any present connection, and tell nobody."""
        for line in self._lines:
            line.dead = True

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on both ways, as the wire is at present."""
        line = _Line([writer], self.silent)
        self._lines.add(line)
        try:
            with suppress(OSError):
                await self._connect(line, reader, writer)
        finally:
            self._lines.discard(line)
            for one in line.writers:
                one.close()

    async def _connect(self, line: _Line, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on both ways until one side ends it; nothing of a dead line, until the caller gives up."""
        if line.dead:
            await self._pass_on(reader, writer, line)
            return
        answers, questions = await asyncio.open_connection("127.0.0.1", self._target)
        self._writers.append(questions)
        line.writers.append(questions)
        ways = [
            asyncio.ensure_future(self._pass_on(reader, questions, line)),
            asyncio.ensure_future(self._pass_on(answers, writer, line)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            if line.dead and not ways[0].done():  # the server's end: the caller does not hear of it
                await ways[0]
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, line: _Line) -> None:
        with suppress(OSError):
            while piece := await source.read(_PIECE):
                if self.delay:
                    await asyncio.sleep(self._chance.random() * self.delay)
                for start in range(0, len(piece), _MORSEL):
                    morsel = piece[start : start + _MORSEL]
                    if self.rate:
                        await asyncio.sleep(len(morsel) / self.rate)
                    if not line.dead:
                        target.write(morsel)
                        await target.drain()


def _reset(writer: asyncio.StreamWriter) -> None:
    """End a connection with RST, as a firewall does that has forgotten it."""
    found = writer.get_extra_info("socket")
    with suppress(OSError):
        if found is not None and found.fileno() >= 0:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.transport.abort()
