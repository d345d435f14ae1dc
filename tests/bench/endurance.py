"""A long time of one process: its memory, its log and its file after many messages, most of which change nothing.

``python -m tests.bench.endurance COUNT…`` writes a line, as JSON, with what it has measured after so many messages.
"""

import json
import logging
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.report import Table

if TYPE_CHECKING:
    from tests.bench.line import Line

CHECKPOINTS = (1_000, 10_000, 25_000, 50_000, 100_000)
_MATCHES = 24
_BETWEEN = timedelta(hours=1)
_DROP_EVERY = 24  # rounds: a day
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Mark:
    """What a process has after so many messages.

    Megabytes of memory now and at most; kilobytes of log since the last mark, and lines of it; megabytes of the
    database; matches that were opened; seconds of CPU since the start.
    """

    messages: int
    emails: int
    matches: int
    megabytes: float
    most: float
    log_kilobytes: float
    log_lines: int
    file: float
    cpu: float


def by_messages(messages: int, tell: Callable[[str], None]) -> Table:
    """Return the table of a process that sees so many messages."""
    tell(f"endurance: {messages:,} messages")
    counts = [str(count) for count in CHECKPOINTS if count < messages] + [str(messages)]
    command = [sys.executable, "-m", "tests.bench.endurance", *counts]
    found = subprocess.run(command, cwd=_ROOT, check=True, stdout=subprocess.PIPE).stdout
    marks = [Mark(**json.loads(line)) for line in found.splitlines()]
    columns = (
        "messages",
        "emails",
        "matches",
        "memory, MB",
        "at most, MB",
        "log, B a message",
        "database, MB",
        "CPU, s",
    )
    before, rows = 0, []
    for mark in marks:
        log = 1000 * mark.log_kilobytes / (mark.messages - before)
        before = mark.messages
        sizes = (f"{mark.megabytes:.1f}", f"{mark.most:.1f}", f"{log:.0f}", f"{mark.file:.1f}", f"{mark.cpu:.0f}")
        rows.append((f"{mark.messages:,}", f"{mark.emails:,}", f"{mark.matches:,}", *sizes))
    meaning = (
        f"One process, {_MATCHES} matches at a time, an hour between two rounds of messages: each round a move in every"
        " match, the same message delivered twice, an automatic reply, a reply to the turn before, and an email of a"
        " stranger. What is old is dropped once a day, as the settings say. *Memory* is what the process holds then,"
        " the benchmark included; *log* is what `pbem run` writes for a message."
    )
    return Table("Endurance", columns, tuple(rows), meaning)


class _Measured(logging.Handler):
    """Counts what would be written to the log."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        self.size = self.lines = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Count a line."""
        self.size += len(self.format(record).encode()) + 1
        self.lines += 1


def _measure(checkpoints: list[int]) -> Iterator[Mark]:
    """Yield what the process has after so many messages each."""
    from tests.bench.kept import KeptCourier
    from tests.bench.line import Line
    from tests.bench.ratio import SORTS

    log = _Measured()
    logging.getLogger("pbem").addHandler(log)
    logging.getLogger("pbem").setLevel(logging.INFO)
    with tempfile.TemporaryDirectory() as name:
        line = Line(Path(name), SORTS[:-1], _MATCHES, kept=KeptCourier())
        log.size = log.lines = 0
        started = time.process_time()
        done = emails = rounds = 0
        earlier: dict[int, bytes] = {}
        for checkpoint in checkpoints:
            while done < checkpoint:
                replies = line.prepare("short")
                raws = [raw for reply in replies.items() for raw in _round(reply, earlier, rounds)]
                earlier, rounds = replies, rounds + 1
                for _ in line.carry(raws):
                    pass
                emails += len(line.settle(replies))
                done += len(raws)
                line.world.clock.advance(_BETWEEN)
                if rounds % _DROP_EVERY == 0:
                    line.world.runner.run(line.world.service.drop_old_bytes(pause=0))
            yield Mark(
                done,
                emails,
                max(line.world.plies()),
                _memory("VmRSS"),
                _memory("VmHWM"),
                log.size / 1000,
                log.lines,
                _size(line),
                time.process_time() - started,
            )
            log.size = log.lines = 0
        line.close()


def _round(reply: tuple[int, bytes], earlier: dict[int, bytes], rounds: int) -> Iterator[bytes]:
    """Yield the messages of a match in one round."""
    number, raw = reply
    yield raw
    yield raw
    yield b"Auto-Submitted: auto-replied\r\n" + _renamed(raw, f"away.{number}.{rounds}")
    yield _renamed(earlier.get(number, raw), f"late.{number}.{rounds}")
    stranger = f"stranger.{number % _MATCHES}@elsewhere.example"  # the benchmark keeps the latest email to each
    yield (
        f"From: {stranger}\r\nTo: games@pbem.example\r\nMessage-ID: <{number}.{rounds}@elsewhere.example>\r\n"
        f"Subject: Offer {rounds}\r\nDate: Fri, 20 Nov 2026 19:31:05 +0100\r\n\r\nBuy now.\r\n"
    ).encode()


def _renamed(raw: bytes, name: str) -> bytes:
    """Return a message with another Message-ID."""
    head, mark, rest = raw.partition(b"\r\nMessage-ID: <")
    assert mark
    return head + mark + name.encode() + b"@mail.players.example>" + rest[rest.index(b">") + 1 :]


def _memory(what: str) -> float:
    """Return what the system says of this process, in megabytes."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    (found,) = (line for line in lines if line.startswith(f"{what}:"))
    return int(found.split()[1]) / 1000


def _size(line: "Line") -> float:
    """Return how large the database is, in megabytes."""
    return line.file.stat().st_size / 1e6


if __name__ == "__main__":
    for measured in _measure(list(map(int, sys.argv[1:]))):
        print(json.dumps(asdict(measured)), flush=True)
