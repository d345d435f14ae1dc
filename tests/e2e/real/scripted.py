"""An SMTP server that says at each step what it was told to."""

import asyncio
from collections.abc import Mapping
from types import TracebackType

from tests.e2e.real.tap import closed

HANG_UP, SILENCE = "hang up", "silence"
"""Instead of an answer: the connection ends, or nothing is ever said."""

_USUAL = {
    "connect": "220 ready",
    "EHLO": "250-localhost\r\n250-AUTH PLAIN\r\n250 8BITMIME",
    "AUTH": "235 2.7.0 welcome",
    "MAIL": "250 2.1.0 fine",
    "RCPT": "250 2.1.5 fine",
    "DATA": "354 go on",
    "end": "250 2.0.0 taken",
    "RSET": "250 2.0.0 forgotten",
    "QUIT": "221 2.0.0 bye",
}
STEPS = ("connect", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "end")


class ScriptedServer:
    """Takes every mail, except that ``answers`` are what it says at these of the ``STEPS``."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        self.answers = dict(answers)
        self.heard: list[bytes] = []
        self.port = 0
        self._server: asyncio.Server | None = None
        self._talks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "ScriptedServer":
        self._server = await asyncio.start_server(self._meet, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)
        await self._server.wait_closed()

    def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._talk(reader, writer))
        self._talks.add(task)
        task.add_done_callback(self._talks.discard)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer line by line until somebody ends it; ``heard`` are the mails, whatever was answered to them."""
        step = "connect"
        try:
            while True:
                answer = self.answers.get(step, _USUAL.get(step, "502 5.5.2 what?"))
                if answer == HANG_UP:
                    break
                if answer != SILENCE:
                    writer.write(f"{answer}\r\n".encode())
                if step == "QUIT":
                    break
                if step == "DATA" and answer.startswith("354"):
                    self.heard.append(await reader.readuntil(b"\r\n.\r\n"))
                    step = "end"
                elif line := await reader.readline():
                    step = line.split()[0].decode().upper() if line.split() else ""
                else:
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            await closed(writer)
