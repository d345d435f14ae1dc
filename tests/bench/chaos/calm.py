"""The season without servers: the same players, and the service in this process over fakes, in seconds."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from pbem.running.service import Service
from pbem.storage.database import Database
from tests.bench.chaos.books import read_books
from tests.bench.chaos.ledger import Books
from tests.bench.chaos.players import Players
from tests.bench.chaos.season import Planned, settings_for
from tests.bench.kept import KeptCourier
from tests.bench.world import Clock, Dice

_BETWEEN = timedelta(minutes=1)


class _Letters:
    """What the courier has carried, as the players read it."""

    def __init__(self, courier: KeptCourier) -> None:
        self._courier = courier

    def new(self) -> Iterator[tuple[str, bytes, float]]:
        """Yield the recipient and the bytes of each email sent since the last call, and the time."""
        for recipient, raw in self._courier.collect():
            yield recipient, raw, time.monotonic()


def play_calmly(file: Path, planned: Sequence[Planned], began: datetime, seed: int) -> Books:
    """Play the season of a database to its end, and return its books."""
    url, clock, courier = f"sqlite:///{file}", Clock(), KeptCourier()
    clock.advance(began - clock.now())
    service = Service(settings_for(url), Database(url), clock=clock, dice=Dice(), courier=courier)
    mailbox: list[bytes] = []
    players = Players(planned, seed, len(planned), mailbox.append)
    with asyncio.Runner() as runner:
        runner.run(service.deliver())
        players.read(_Letters(courier))
        while mailbox:
            waiting = mailbox.copy()
            mailbox.clear()
            for raw in waiting:
                clock.advance(_BETWEEN)
                service.hand_in(raw)
            runner.run(service.deliver())
            players.read(_Letters(courier))
        runner.run(service.close())
    return read_books(url, [one.message_id for one in players.written], players.arrived)
