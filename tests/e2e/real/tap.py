"""A connection between us and a server that does something when so many bytes have come through."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType


class Tap:
    """Passes on what goes to ``port`` and what comes from there; ``async with`` opens and closes it."""

    def __init__(self, port: int) -> None:
        self._target = port
        self.port = 0
        self._limit = 0
        self._action: Callable[[], None] | None = None
        self._server: asyncio.Server | None = None
        self._talks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "Tap":
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

    def after(self, count: int, action: Callable[[], None]) -> None:
        """Do something, once, in the middle of what the server says when ``count`` more bytes have come from it."""
        self._limit, self._action = count, action

    def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._talk(reader, writer))
        self._talks.add(task)
        task.add_done_callback(self._talks.discard)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on both ways until one side ends it."""
        answers, questions = await asyncio.open_connection("127.0.0.1", self._target)
        ways = [self._pass_on(reader, questions), self._pass_on(answers, writer, counted=True)]
        tasks = [asyncio.ensure_future(way) for way in ways]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for end in (questions, writer):
                await closed(end)

    async def _pass_on(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, counted: bool = False
    ) -> None:
        with suppress(ConnectionError):
            while piece := await source.read(65_536):
                target.write(piece)
                await target.drain()
                self._limit -= len(piece) if counted else 0
                if counted and self._action and self._limit <= 0:
                    action, self._action = self._action, None
                    await asyncio.to_thread(action)


async def closed(writer: asyncio.StreamWriter) -> None:
    """End a connection, and wait until it has ended."""
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()
