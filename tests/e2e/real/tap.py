"""A connection between us and a server that does something when so many bytes have come through."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from tests.e2e.real.listener import Listener


class Tap(Listener):
    """Passes on what goes to a port of loopback and what comes from there."""

    def __init__(self, target: int) -> None:
        super().__init__()
        self._target = target
        self._limit = 0
        self._action: Callable[[], None] | None = None

    def after(self, count: int, action: Callable[[], None]) -> None:
        """Do something, once, in the middle of what the server says when ``count`` more bytes have come from it."""
        self._limit, self._action = count, action

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on both ways until one side ends it, or at once if nobody listens there."""
        with suppress(ConnectionError):
            answers, questions = await asyncio.open_connection("127.0.0.1", self._target)
            self._writers.append(questions)
            ways = (self._pass_on(reader, questions), self._pass_on(answers, writer, counted=True))
            tasks = [asyncio.ensure_future(way) for way in ways]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                questions.close()

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
