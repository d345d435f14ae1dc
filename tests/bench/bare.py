"""The bare transport: the same bytes kept and sent durably with as little code as can be, to compare the line with.

It parses each inbound message, stores it, stores the outbound ones, and sends them over one connection. It has
nothing of a game in it, and yet as many commits as the line.
"""

import asyncio
import email
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from aiosmtplib import SMTP

from tests.bench.world import BATCH


@dataclass(frozen=True)
class Commits:
    """How often the line commits while it receives, processes, and delivers."""

    receiving: int
    processing: int
    delivering: int

    @property
    def all(self) -> int:
        """All of them."""
        return self.receiving + self.processing + self.delivering


class Bare:
    """A database file and a connection to the SMTP server."""

    def __init__(self, file: Path, port: int, runner: asyncio.Runner) -> None:
        self._database = sqlite3.connect(file, isolation_level=None)
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            self._database.execute(f"PRAGMA {pragma}")
        self._database.execute("CREATE TABLE inbound (id INTEGER PRIMARY KEY, raw BLOB, status TEXT)")
        self._database.execute(
            "CREATE TABLE outbound (id INTEGER PRIMARY KEY, inbound INTEGER, recipient TEXT, raw BLOB, status TEXT)"
        )
        self._port, self._runner = port, runner
        self._client: SMTP | None = None

    def carry(self, raws: Sequence[bytes], mails: Sequence[tuple[str, bytes]], commits: Commits) -> None:
        """Take in ``raws``, and send ``mails``, which they have led to."""
        numbers = self._store(raws)
        self._enqueue(numbers, mails, _group(len(raws), commits.processing))
        self._runner.run(self._send_all(len(mails), commits.delivering))

    def close(self) -> None:
        """Close both."""
        self._database.close()
        if self._client is not None:
            self._runner.run(self._quit(self._client))

    def _store(self, raws: Sequence[bytes]) -> list[int]:
        """Parse and store messages, as many in a transaction as the line takes."""
        numbers = []
        for start in range(0, len(raws), BATCH):
            self._database.execute("BEGIN IMMEDIATE")
            for raw in raws[start : start + BATCH]:
                email.message_from_bytes(raw)
                row = self._database.execute("INSERT INTO inbound (raw, status) VALUES (?, 'received')", (raw,))
                numbers.append(row.lastrowid or 0)
            self._database.execute("COMMIT")
        return numbers

    def _enqueue(self, numbers: Sequence[int], mails: Sequence[tuple[str, bytes]], group: int) -> None:
        """Store what each message led to, together with its new status, ``group`` messages in a transaction."""
        share = len(mails) / len(numbers)
        for start in range(0, len(numbers), group):
            self._database.execute("BEGIN IMMEDIATE")
            for place, number in enumerate(numbers[start : start + group], start):
                caused = mails[round(place * share) : round((place + 1) * share)]
                self._database.executemany(
                    "INSERT INTO outbound (inbound, recipient, raw, status) VALUES (?, ?, ?, 'queued')",
                    [(number, recipient, raw) for recipient, raw in caused],
                )
                self._database.execute("UPDATE inbound SET status = 'accepted' WHERE id = ?", (number,))
            self._database.execute("COMMIT")

    async def _send_all(self, count: int, commits: int) -> None:
        """Send what is queued; a commit notes what was sent and claims what comes next."""
        if self._client is None:
            self._client = SMTP(hostname="127.0.0.1", port=self._port, local_hostname="pbem.example")
            await self._client.connect()
            await self._client.ehlo()
        queue = self._database.execute("SELECT id FROM outbound WHERE status = 'queued' ORDER BY id").fetchall()
        assert len(queue) == count
        size, apart = _group(count, commits), commits > 1.5 * count
        groups = [[number for (number,) in queue[start : start + size]] for start in range(0, count, size)]
        sent: list[int] = []
        for group in groups:
            self._note(sent, group)
            for number in group:
                recipient, raw = self._database.execute(
                    "SELECT recipient, raw FROM outbound WHERE id = ?", (number,)
                ).fetchone()
                await self._client.sendmail("games@pbem.example", [recipient], raw)
            sent = group
            if apart:  # as a line does that claims in one commit and notes in another
                self._note(sent, [])
                sent = []
        self._note(sent, [])

    def _note(self, sent: Sequence[int], claimed: Sequence[int]) -> None:
        """Note in one transaction what was sent, and what is sent next."""
        self._database.execute("BEGIN IMMEDIATE")
        for status, numbers in ("sent", sent), ("claimed", claimed):
            rows = [(status, number) for number in numbers]
            self._database.executemany("UPDATE outbound SET status = ? WHERE id = ?", rows)
        self._database.execute("COMMIT")

    @staticmethod
    async def _quit(client: SMTP) -> None:
        """Take leave of the server."""
        await client.quit()


def _group(things: int, commits: int) -> int:
    """Return how many things share a commit."""
    return max(1, round(things / max(1, commits)))
