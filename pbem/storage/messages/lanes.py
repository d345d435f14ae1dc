"""The lanes of waiting messages on a server: whoever has taken one processes its messages, and nobody else does."""

import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from db import servers
from pbem.storage.messages.inbound import Inbound


class Lanes:
    """The lanes as one process takes them, over a connection of its own; they are free again when that ends."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._inbound = Inbound(connection)

    def waiting(self, most: int, besides: Collection[str] = ()) -> list[tuple[int, str]]:
        """Return the oldest ``most`` waiting messages, each with its lane, but none of the lanes ``besides``."""
        return self._inbound.waiting_in_lanes(most, besides)

    @contextmanager
    def taken(self, lane: str) -> Iterator[bool]:
        """Take a lane meanwhile; yield False where another process has it."""
        key = _key(lane)
        taken = servers.take_lane(self._connection, key)
        yield taken
        if taken:  # after an error it is free when the connection ends
            servers.leave_lane(self._connection, key)

    @contextmanager
    def awaited(self, number: int) -> Iterator[list[int]]:
        """Take the lane of a message, when it is free; yield the messages that wait in it, up to that one, in order.

        Raise Busy when another process keeps it for half a minute.
        """
        lane = self._inbound.lane(number)
        servers.take_lane(self._connection, _key(lane), wait=True)
        yield self._inbound.waiting_up_to(number, lane)
        servers.leave_lane(self._connection, _key(lane))

    def is_waiting(self, number: int) -> bool:
        """Return whether a message still waits."""
        return self._inbound.is_waiting(number)

    def is_worked(self) -> bool:
        """Return whether any process works on this database now, beside whoever serves it."""
        return servers.is_worked(self._connection)


def _key(lane: str) -> int:
    """Return the number of the lock for a lane: that of its match, or for a sender a negative one."""
    return int(lane) if lane.isdecimal() and lane.isascii() else -1 - (zlib.crc32(lane.encode()) >> 1)
