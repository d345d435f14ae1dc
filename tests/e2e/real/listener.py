"""What a server of our own is made of: it talks to everybody who calls, and leaves no connection behind."""

import asyncio
from types import TracebackType
from typing import Self

_ROUNDS_TO_MEET = 4
"""Of the event loop, until whoever was accepted last is met: before that a server that closes forgets their socket."""


class Listener:
    """Listens on the ``port`` of loopback that the system gives it; ``async with`` begins and ends it."""

    def __init__(self) -> None:
        self.port = 0
        self._server: asyncio.Server | None = None
        self._talks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._meet, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Take no more connections, and end those that there are."""
        assert self._server is not None
        for listening in self._server.sockets:
            asyncio.get_running_loop().remove_reader(listening.fileno())
        for _ in range(_ROUNDS_TO_MEET):
            await asyncio.sleep(0)
        self._server.close()
        for task in self._talks:
            task.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(0)  # in which the sockets are closed
        await self._server.wait_closed()

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Talk to one who has called, until the end."""
        raise NotImplementedError

    def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        task = asyncio.get_running_loop().create_task(self.talk(reader, writer))
        self._talks.add(task)
        task.add_done_callback(lambda task: writer.close())
        task.add_done_callback(self._talks.discard)
