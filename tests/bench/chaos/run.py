"""Plays a season, with faults or without, through ``pbem run``, Dovecot and an SMTP server, and returns its books."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.bench.chaos.books import read_books
from tests.bench.chaos.faults import Fault
from tests.bench.chaos.ledger import Books, Span
from tests.bench.chaos.servers import Ended
from tests.bench.chaos.stage import Ground, Stage
from tests.bench.chaos.storm import Storm, Struck


class Unfinished(Exception):
    """The season did not come to its end in time."""


@dataclass
class Played:
    """A season that was played: its books, the faults that struck, what is known of the lives, and how long it took."""

    books: Books
    struck: list[Struck]
    ended: Ended
    last_code: int
    seconds: float
    log: str

    @property
    def spans(self) -> list[Span]:
        """All that was wrong: the faults, and times in which the service hung."""
        return [*(one.span for one in self.struck), *(Span(*hung) for hung in self.ended.hung)]


async def play(
    ground: Ground,
    name: str,
    faults: Sequence[Fault] = (),
    expected: Books | None = None,
    *,
    patience: float = 300,
    tell: Callable[[str], None] = lambda text: None,
) -> Played:
    """Play a season; ``expected`` are the books of the one without faults, and ``faults`` strike as it goes on.

    ``patience``: the seconds after the last fault in which it has to come to its end. Raise Unfinished otherwise.
    """
    async with Stage.set_up(ground, name) as stage:
        began = time.monotonic()
        reading = asyncio.create_task(stage.keep_reading())
        try:
            storm = Storm(stage, len(expected.outbound) if expected else 0, tell)
            await storm.rage(faults)
            unfinished = await stage.settle(expected, patience, reading)
            code = await stage.service.stop()
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
        books = read_books(stage.url, [one.message_id for one in stage.players.written], stage.players.arrived)
        log = stage.log.read_text(errors="replace")
        if unfinished and expected is None:
            raise Unfinished(f"{unfinished}\n{log[-3000:]}")
        return Played(books, storm.struck, stage.service.ended, code, time.monotonic() - began, log)
