"""An SMTP server in a process of its own that stores each email before it says 250, greylists, and dies when told to.

``python -m tests.bench.chaos.outlet PORT JOURNAL SWITCHES`` serves on that port of loopback until it is killed. The
journal is one file, to which emails are added: what a death left half written there was not acknowledged.
"""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from tests.bench.chaos.switches import Outlet, Switch, Switches

_END = b"\r\n.\r\n"
_HEAD = b"email "


class Journal:
    """The file that the server adds to, as others read it: ``new`` yields what is complete and was not yet read."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._read = 0

    def new(self) -> Iterator[tuple[str, bytes, float]]:
        """Yield the recipient and the bytes of each email stored since the last call, and when it was stored.

        That is in seconds, by a clock that only goes on and that all processes share.
        """
        with self._file.open("rb") as opened:
            opened.seek(self._read)
            for recipient, raw, at, end in _whole_records(opened):
                self._read = end
                yield recipient, raw, at


def repair(file: Path) -> int:
    """Cut off what a death left half written at the end of a journal; return the file, opened for adding."""
    file.touch()
    whole = 0
    with file.open("rb") as opened:
        for *_, end in _whole_records(opened):
            whole = end
    os.truncate(file, whole)
    return os.open(file, os.O_WRONLY | os.O_APPEND)


def _whole_records(opened: BinaryIO) -> Iterator[tuple[str, bytes, float, int]]:
    """Yield the recipient, the email and the time of each complete record of a journal, and where it ends."""
    while (head := opened.readline()).endswith(b"\n"):
        _, size, at, recipient = head.rstrip(b"\n").split(b" ", 3)
        raw = opened.read(int(size))
        if len(raw) < int(size):
            return
        yield recipient.decode(), raw, float(at), opened.tell()


class _Talk(asyncio.Protocol):
    """A conversation by SMTP (RFC 5321) with pipelining (RFC 2920)."""

    def __init__(self, journal: int, switches: Switches) -> None:
        self._journal, self._switches = journal, switches
        self._buffer, self._recipient, self._in_data = b"", b"", False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Greet."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(b"220 outlet ready\r\n")

    def data_received(self, data: bytes) -> None:
        """Answer every command and every email that has come in whole."""
        assert self._transport is not None
        self._buffer += data
        while (answer := self._take_email() if self._in_data else self._take_command()) is not None:
            self._transport.write(answer)
            if answer.startswith(b"221"):
                self._transport.close()

    def _take_command(self) -> bytes | None:
        """Return the answer to the next command; None if it has not come in whole."""
        line, end, rest = self._buffer.partition(b"\r\n")
        if not end:
            return None
        self._buffer = rest
        verb = line[:4].upper()
        if verb == b"EHLO":
            return b"250-outlet\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 100000000\r\n"
        if verb == b"RCPT":
            if self._switches[Switch.OUTLET] == Outlet.GREYLISTS:
                return b"451 4.7.1 Greylisted, come back later\r\n"
            self._recipient = line.partition(b"<")[2].partition(b">")[0]
        if verb == b"DATA":
            self._in_data = True
            return b"354 go on\r\n"
        return b"221 bye\r\n" if verb == b"QUIT" else b"250 ok\r\n"

    def _take_email(self) -> bytes | None:
        """Store the email that is being sent, and return the answer; None if it has not come in whole."""
        content, end, rest = self._buffer.partition(_END)
        if not end:
            return None
        self._buffer, self._in_data = rest, False
        raw = content.replace(b"\r\n..", b"\r\n.") + b"\r\n"
        os.write(self._journal, b"%s%d %.6f %s\n%s" % (_HEAD, len(raw), time.monotonic(), self._recipient, raw))
        os.fsync(self._journal)
        if self._switches[Switch.OUTLET] == Outlet.DIES:
            os.kill(os.getpid(), signal.SIGKILL)
        return b"250 stored\r\n"


async def _serve(port: int, journal: int, switches: Switches) -> None:
    """Serve on a port of loopback for ever."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Talk(journal, switches), "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1]), repair(Path(sys.argv[2])), Switches(Path(sys.argv[3]))))
