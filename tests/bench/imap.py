"""What it takes to fetch a message by IMAP, from a small server in a process of its own.

``python -m tests.bench.imap`` reads messages from standard input, writes its port on a line, and serves them.
"""

import asyncio
import pickle
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from pbem.ports import Cursor
from pbem.transport.imap import ImapMailbox
from tests.bench.ratio import SORTS, line
from tests.bench.report import Table
from tests.support.replies import KINDS

_COPIES = 20  # of each round of replies in the mailbox


def by_imap(matches: int, rounds: int, tell: Callable[[str], None]) -> Table:
    """Return the table of fetching, for each kind of reply."""
    tell("IMAP: preparing")
    with line(SORTS, matches) as made:
        replies = {kind: list(made.prepare(kind).values()) * _COPIES for kind in KINDS}
    rows = []
    for kind, messages in replies.items():
        tell(f"IMAP: {kind}")
        cpu, clock = _fetching(messages, rounds)
        size = sum(map(len, messages)) / len(messages) / 1000
        rows.append((kind, f"{cpu:.2f}", f"{1000 / clock:.0f}", f"{size:.1f}"))
    meaning = (
        f"A mailbox of {len(replies['short'])} messages, read from its beginning over one connection, the fastest of"
        f" {rounds} times. *size* is in kilobytes."
    )
    return Table("Fetching by IMAP", ("replies", "CPU ms a message", "messages/s", "size"), tuple(rows), meaning)


def _fetching(messages: Sequence[bytes], rounds: int) -> tuple[float, float]:
    """Return the milliseconds a message: of CPU in this process, and by the clock."""
    command = [sys.executable, "-m", "tests.bench.imap"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        pickle.dump(list(messages), server.stdin)
        server.stdin.flush()
        url = f"imap://games:secret@127.0.0.1:{int(server.stdout.readline())}/INBOX"
        found = [asyncio.run(_fetch(url, len(messages))) for _ in range(rounds)]
        server.stdin.close()
    cpu, clock = (min(figures) for figures in zip(*found, strict=True))
    return 1000 * cpu / len(messages), 1000 * clock / len(messages)


async def _fetch(url: str, count: int) -> tuple[float, float]:
    """Fetch everything; return the seconds of CPU and by the clock."""
    mailbox = ImapMailbox(url)
    cpu, clock = time.process_time(), time.perf_counter()
    fetched = 0
    async for batch in mailbox.batches(Cursor(7, 0), None):
        fetched += len(batch.messages)
    taken = time.process_time() - cpu, time.perf_counter() - clock
    await mailbox.close()
    assert fetched == count
    return taken


class _Server:
    """As much of IMAP (RFC 3501) as a client needs that reads a folder without changing it."""

    def __init__(self, messages: Sequence[bytes]) -> None:
        self._messages = messages

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer commands until there are no more."""
        writer.write(b"* OK ready\r\n")
        while said := (await reader.readline()).decode().strip():
            tag, _, command = said.partition(" ")
            writer.writelines(self._answer(command))
            writer.write(f"{tag} OK done\r\n".encode())
            await writer.drain()
        writer.close()

    def _answer(self, command: str) -> list[bytes]:
        """Return the answer to a command, without its last line."""
        count = len(self._messages)
        verb = command.upper()
        if verb.startswith("CAPABILITY"):
            return [b"* CAPABILITY IMAP4rev1\r\n"]
        if verb.startswith(("EXAMINE", "SELECT")):
            return [b"* %d EXISTS\r\n* OK [UIDVALIDITY 7]\r\n* OK [UIDNEXT %d]\r\n" % (count, count + 1)]
        if verb.startswith("UID SEARCH"):
            return [b"* SEARCH %s\r\n" % b" ".join(b"%d" % (number + 1) for number in range(count))]
        if found := re.fullmatch(r"UID FETCH ([\d,:*]+) (.*)", verb):
            return [line for number in _numbers(found[1], count) for line in self._item(number, found[2])]
        return [b"* BYE\r\n"] if verb == "LOGOUT" else []

    def _item(self, number: int, items: str) -> list[bytes]:
        """Return what is asked for of one message."""
        raw = self._messages[number - 1]
        parts = [b"UID %d" % number]
        if "RFC822.SIZE" in items:
            parts.append(b"RFC822.SIZE %d" % len(raw))
        if "BODY.PEEK" in items:
            parts.append(b"BODY[] {%d}\r\n%s" % (len(raw), raw))
        return [b"* %d FETCH (%s)\r\n" % (number, b" ".join(parts))]


def _numbers(wanted: str, count: int) -> list[int]:
    """Return the numbers that a set of UIDs names."""
    numbers: list[int] = []
    for part in wanted.replace("*", str(count)).split(","):
        first, _, last = part.partition(":")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


async def _serve() -> None:
    """Serve on a free port of loopback, until standard input ends."""
    server = await asyncio.start_server(_Server(pickle.load(sys.stdin.buffer)).talk, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.buffer.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(_serve())
