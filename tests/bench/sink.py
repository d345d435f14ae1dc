"""An SMTP server in a process of its own that takes every email, so that only our side of sending is measured.

``python -m tests.bench.sink`` writes its port on a line, then answers every line on standard input with all emails
taken since the last one.
"""

import asyncio
import pickle
import subprocess
import sys
from contextlib import suppress
from typing import BinaryIO

from pbem.transport.smtp import SmtpCourier

_END = b"\r\n.\r\n"


class Sink:
    """The server, from the side of the one who started it."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.bench.sink"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._orders, self._answers = self._process.stdin, self._process.stdout
        self.port = int(self._answers.readline())

    @property
    def courier(self) -> SmtpCourier:
        """What carries emails to it."""
        return SmtpCourier(f"smtp://127.0.0.1:{self.port}")

    def collect(self) -> list[tuple[str, bytes]]:
        """Return all emails taken since the last call, with their recipients, in the order in which they came."""
        self._orders.write(b"collect\n")
        self._orders.flush()
        taken: list[tuple[str, bytes]] = pickle.load(self._answers)
        return taken

    def end(self) -> None:
        """End the server."""
        self._orders.close()
        self._answers.close()
        self._process.wait()


class _Talk(asyncio.Protocol):
    """A conversation by SMTP (RFC 5321) with pipelining (RFC 2920); nothing is ever refused."""

    def __init__(self, taken: list[tuple[str, bytes]]) -> None:
        self._taken = taken
        self._buffer = b""
        self._recipient = ""
        self._in_data = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Greet."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(b"220 sink ready\r\n")

    def data_received(self, data: bytes) -> None:
        """Answer every command and every email that has come in whole."""
        assert self._transport is not None
        self._buffer += data
        answers = []
        while (answer := self._take_email() if self._in_data else self._take_command()) is not None:
            answers.append(answer)
        if answers:
            self._transport.write(b"".join(answers))
        if b"221 bye\r\n" in answers:
            self._transport.close()

    def _take_command(self) -> bytes | None:
        """Return the answer to the next command; None if it has not come in whole."""
        line, end, rest = self._buffer.partition(b"\r\n")
        if not end:
            return None
        self._buffer = rest
        verb = line[:4].upper()
        if verb == b"EHLO":
            return b"250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE 100000000\r\n"
        if verb == b"RCPT":
            self._recipient = line.partition(b"<")[2].partition(b">")[0].decode()
        if verb == b"DATA":
            self._in_data = True
            return b"354 go on\r\n"
        return b"221 bye\r\n" if verb == b"QUIT" else b"250 ok\r\n"

    def _take_email(self) -> bytes | None:
        """Return the answer to the email that is being sent; None if it has not come in whole."""
        content, end, rest = self._buffer.partition(_END)
        if not end:
            return None
        self._buffer, self._in_data = rest, False
        self._taken.append((self._recipient, content.replace(b"\r\n..", b"\r\n.") + b"\r\n"))
        return b"250 taken\r\n"


async def _serve(orders: BinaryIO, answers: BinaryIO) -> None:
    """Serve on a free port of loopback, until standard input ends."""
    taken: list[tuple[str, bytes]] = []
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Talk(taken), "127.0.0.1", 0)
    answers.write(b"%d\n" % server.sockets[0].getsockname()[1])
    answers.flush()
    while await loop.run_in_executor(None, orders.readline):
        pickle.dump(taken, answers)
        answers.flush()
        taken.clear()
    server.close()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(sys.stdin.buffer, sys.stdout.buffer))
