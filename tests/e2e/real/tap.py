"""A connection between us and a server that does something when so many bytes have come through."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType


class Tap:
    """Passes on what goes to ``port`` and what comes from there, which it counts in ``passed``."""

    def __init__(self, port: int) -> None:
        self._target = port
        self.port = self.passed = 0
        self._limit: int | None = None
        self._action: Callable[[], None] = lambda: None
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> "Tap":
        self._server = await asyncio.start_server(self._talk, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    def after(self, count: int, action: Callable[[], None]) -> None:
        """Do something, once, in the middle of what the server says when ``count`` more bytes have come from it."""
        self._limit, self._action = self.passed + count, action

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, questions = await asyncio.open_connection("127.0.0.1", self._target)
        asking = asyncio.create_task(self._pass_on(reader, questions, False))
        await self._pass_on(answers, writer, True)
        await asking

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, counted: bool) -> None:
        with suppress(ConnectionError):
            while piece := await source.read(65_536):
                target.write(piece)
                await target.drain()
                if counted:
                    self.passed += len(piece)
                    if self._limit is not None and self.passed >= self._limit:
                        self._limit = None
                        await asyncio.to_thread(self._action)
        target.close()
