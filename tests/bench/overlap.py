"""Fetching, processing and sending at once: how long replies take that all wait when the service starts."""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from pbem.mail.reply_token import ReplyToken, sign_token
from pbem.ports import Batch, Cursor, Fetched
from pbem.running.scheduler import run
from pbem.running.service import Service
from pbem.storage.database import Database
from tests.bench.report import Table
from tests.bench.world import BATCH, SETTINGS, Clock, Dice

_MAILBOX_SECONDS, _COURIER_SECONDS, _CONNECTIONS = 0.2, 0.02, 4


class _Mailbox:
    """A mailbox that lets wait ``seconds`` for each batch of its ``messages``."""

    name = "games@bench/INBOX"

    def __init__(self, messages: Sequence[bytes], seconds: float) -> None:
        self._messages, self._seconds = messages, seconds

    async def batches(self, cursor: Cursor | None, since: date | None) -> AsyncIterator[Batch]:
        """Yield what is new."""
        for start in range(cursor.last_uid if cursor else 0, len(self._messages), BATCH):
            await asyncio.sleep(self._seconds)
            some = self._messages[start : start + BATCH]
            yield Batch(tuple(Fetched(raw) for raw in some), Cursor(7, start + len(some)))

    async def wait(self, seconds: float) -> bool:
        """Announce nothing."""
        await asyncio.sleep(seconds)
        return False

    async def close(self) -> None:
        """Nothing to end."""


class _Courier:
    """A courier that takes ``seconds`` for each email, on several connections, and ``done`` at the last one."""

    connections = _CONNECTIONS

    def __init__(self, seconds: float, expected: int, done: asyncio.Event) -> None:
        self._seconds, self._left, self._done = seconds, expected, done

    async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
        """Carry an email."""
        await asyncio.sleep(self._seconds)
        self._left -= 1
        if not self._left:
            self._done.set()
        return sender

    async def close(self) -> None:
        """Nothing to end."""


def by_waiting(matches: int, tell: Callable[[str], None]) -> Table:
    """Return the table of what so many waiting replies take with quick and slow servers."""
    mails, batches = 2 * matches, -(-matches // BATCH)
    slow = batches * _MAILBOX_SECONDS, mails * _COURIER_SECONDS / _CONNECTIONS
    found = {}
    for name, mailbox, courier in (
        ("quick servers", 0.0, 0.0),
        ("slow to fetch from", _MAILBOX_SECONDS, 0.0),
        ("slow to send through", 0.0, _COURIER_SECONDS),
        ("both slow", _MAILBOX_SECONDS, _COURIER_SECONDS),
    ):
        tell(f"waiting replies, {name}")
        with tempfile.TemporaryDirectory() as directory:
            found[name] = asyncio.run(_answer_all(Path(directory), matches, mailbox, courier))
    waiting = {"slow to fetch from": slow[0], "slow to send through": slow[1], "both slow": max(slow)}
    rows = [
        (name, f"{seconds:.1f}", f"{waiting.get(name, 0):.1f}", f"{cpu:.1f}") for name, (seconds, cpu) in found.items()
    ]
    meaning = (
        f"{matches} replies wait in the mailbox when the service starts, and lead to {mails} emails. Slow is"
        f" {_MAILBOX_SECONDS} s for a batch of {BATCH} messages, and {_COURIER_SECONDS} s for an email on each of"
        f" {_CONNECTIONS} connections. *all* is the time until the last email is sent, in seconds by the clock;"
        " *servers alone* is what the slower server takes by itself, *CPU* what we do: *all* should be little more than"
        " the larger of the two."
    )
    return Table("Waiting replies", ("servers", "all", "servers alone", "CPU"), tuple(rows), meaning)


async def _answer_all(directory: Path, matches: int, mailbox: float, courier: float) -> tuple[float, float]:
    """Return the seconds by the clock, and of CPU, until all replies are answered."""
    database = Database(f"sqlite:///{directory / 'waiting.db'}")
    database.upgrade()
    settings = replace(SETTINGS, poll_seconds=1)
    service = Service(settings, database, clock=Clock(), dice=Dice())
    replies = []
    for number in range(1, matches + 1):
        match = service.open("zipline", [f"Ann <ann{number}@a.example>", f"Bob <bob{number}@b.example>"], {})
        token = sign_token(ReplyToken(match.id, match.ply, 0, nonce=match.nonce), settings.secret)
        head = f"From: ann{number}@a.example\r\nTo: games+{token}@pbem.example\r\nMessage-ID: <{number}@a.example>\r\n"
        replies.append(f"{head}Subject: Re: your turn\r\n\r\ng7\r\n".encode())
    opened, done = asyncio.Event(), asyncio.Event()
    service.connect(courier=_Courier(0, 2 * matches, opened))
    await service.deliver()
    service.connect(mailbox=_Mailbox(replies, mailbox), courier=_Courier(courier, 2 * matches, done))
    cpu, clock = time.process_time(), time.perf_counter()
    running = asyncio.create_task(run(service, None, done))
    await done.wait()
    taken = time.perf_counter() - clock, time.process_time() - cpu
    await running
    await service.close()
    return taken
