"""Workers: messages that wait in a database on a PostgreSQL server, processed by one process and by two.

``python -m tests.bench.workers URL NOW`` is such a process: it works when it gets a line, and says as JSON what it did.
"""

import gc
import json
import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from tests.bench.report import Table

if TYPE_CHECKING:
    from pbem.ports import Fetched
    from pbem.storage.messages.records import Disposition
    from tests.support.postgresql import PostgreSqlServer

_ROOT = Path(__file__).resolve().parents[2]
_TICKS = os.sysconf("SC_CLK_TCK")
_REHEARSED = 30  # messages, after which a process knows all it needs
_SINGLE = 20  # messages that come alone


@dataclass(frozen=True)
class Share:
    """What one worker did: messages, seconds from its start to its end, seconds of CPU, and what it did twice."""

    messages: int
    started: float
    ended: float
    cpu: float
    repeated: int


@dataclass(frozen=True)
class Trial:
    """What some workers did with everything that waited; ``server`` is the CPU of the database server."""

    shares: tuple[Share, ...]
    server: float

    @property
    def messages(self) -> int:
        """How many messages were processed."""
        return sum(share.messages for share in self.shares)

    @property
    def rate(self) -> float:
        """Messages a second by the clock."""
        return self.messages / (max(one.ended for one in self.shares) - min(one.started for one in self.shares))

    @property
    def cpu(self) -> float:
        """Milliseconds of CPU a message, in all processes."""
        return 1000 * (sum(share.cpu for share in self.shares) + self.server) / self.messages


def by_workers(matches: int, rounds: int, tell: Callable[[str], None]) -> Table:
    """Return the table of one worker and of two."""
    with _waiting(matches, tell) as (server, now):
        found: dict[int, list[Trial]] = {1: [], 2: []}
        for number in range(rounds):
            for count in found:
                found[count].append(_try(server, now, count))
                tell(f"workers: round {number + 1} of {rounds}, {count}: {found[count][-1].rate:.0f} messages/s")
        late = _wait_for_single(server, now)
    rows = []
    for count, trials in found.items():
        pairs = zip(trials, found[1], strict=True)
        rows.append(
            (
                str(count),
                f"{median(one.rate for one in trials):.0f}",
                f"{median(one.rate / alone.rate for one, alone in pairs):.2f}",
                f"{count * median(one.cpu for one in found[1]) / median(one.cpu for one in trials):.2f}",
                f"{median(one.cpu for one in trials):.2f}",
                f"{median(1000 * one.server / one.messages for one in trials):.2f}",
                f"{sum(share.repeated for one in trials for share in one.shares)}",
                f"{median(late):.0f}" if count == 1 else "",
            )
        )
    columns = (
        "workers",
        "messages/s",
        "times one",
        "by CPU",
        "CPU ms a message",
        "of it the server",
        "repeated",
        "alone, ms",
    )
    meaning = (
        f"{matches} messages of as many matches wait in a database on a PostgreSQL server of this machine (without"
        " fsync), and are processed, not sent, by one worker and by two, each a process of its own, in turns, the"
        f" median of {rounds} rounds. *times one* is by the clock, so other work on the machine changes it; *by CPU* is"
        " what it would be if each worker had a core to itself, from the CPU of all processes. *repeated*: transactions"
        " that were in each other's way, in all rounds. *alone*: by the clock, from storing a single message to its end"
        f" while a worker waits, the median of {_SINGLE}."
    )
    return Table("Workers", columns, tuple(rows), meaning)


@contextmanager
def _waiting(matches: int, tell: Callable[[str], None]) -> "Iterator[tuple[PostgreSqlServer, datetime]]":
    """Yield a server with a database ``waiting``: so many matches, and in each a message that waits; and the time."""
    from tests.bench.kept import KeptCourier
    from tests.bench.line import Line
    from tests.bench.ratio import SORTS
    from tests.bench.world import Sort
    from tests.support.postgresql import PostgreSqlServer

    tell(f"workers: preparing {matches} matches")
    sorts = [Sort(sort.game, 4, sort.options) for sort in SORTS]
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        line = Line(Path(name) / "line", sorts, matches, kept=KeptCourier())
        line.world.service.receive(_fetched(list(line.prepare("mix").values())))
        server = PostgreSqlServer(Path(name) / "server")
        try:
            server.start()
            server.create("waiting")
            line.world.service.database.move_to(server.url("waiting"))
            now = line.world.clock.now()
            line.close()
            yield server, now
        finally:
            server.stop()


def _fetched(raws: Sequence[bytes]) -> "list[Fetched]":
    from pbem.ports import Fetched

    return [Fetched(raw) for raw in raws]


def _try(server: "PostgreSqlServer", now: datetime, count: int) -> Trial:
    """Let so many workers process all that waits, in a copy of the database."""
    server.copy("waiting", "trial")
    with _processes(server.url("trial"), now, count) as processes:
        before = _server_cpu(server)
        for process in processes:
            _say(process, "go")
        shares = tuple(Share(**json.loads(_hear(process))) for process in processes)
    found = Trial(shares, _server_cpu(server) - before)  # the server counts processes that have ended
    server.drop("trial")
    return found


def _wait_for_single(server: "PostgreSqlServer", now: datetime) -> list[float]:
    """Return how many milliseconds each of some messages took that came alone, while a worker waited."""
    from pbem.storage.database import Database

    server.copy("waiting", "trial")
    with closing(Database(server.url("trial"))) as database:
        with database.transaction() as tx:
            numbers = tx.inbound.waiting()[:_SINGLE]
            for number in tx.inbound.waiting():
                tx.inbound.finish(number, _set_aside(), now)
        found = []
        with _processes(server.url("trial"), now, 1) as (process,):
            _say(process, "serve")
            for number in numbers:
                time.sleep(0.37)  # so that it comes at any moment between two looks
                started = time.perf_counter()
                with database.transaction() as tx:
                    tx.inbound.requeue(number)
                while True:
                    with database.reading() as tx:
                        if not tx.inbound.is_waiting(number):
                            break
                    time.sleep(0.001)
                found.append(1000 * (time.perf_counter() - started))
    return found


def _set_aside() -> "Disposition":
    from pbem.storage.messages.records import Disposition

    return Disposition("failed", "set aside", code="bug")  # which keeps its bytes


@contextmanager
def _processes(url: str, now: datetime, count: int) -> Iterator[list["subprocess.Popen[str]"]]:
    """Yield workers that are ready, and end them."""
    command = [sys.executable, "-m", "tests.bench.workers", url, now.isoformat()]
    pipe = subprocess.PIPE
    started = [subprocess.Popen(command, cwd=_ROOT, stdin=pipe, stdout=pipe, text=True) for _ in range(count)]
    try:
        for process in started:
            assert _hear(process) == "ready"
        yield started
    finally:
        for process in started:
            process.communicate()  # it ends with its input


def _say(process: "subprocess.Popen[str]", word: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{word}\n")
    process.stdin.flush()


def _hear(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def _server_cpu(server: "PostgreSqlServer") -> float:
    """Return the seconds of CPU of the server's processes, those that have ended included."""
    time.sleep(0.2)  # until the server has seen them end
    own = Path(f"/proc/{server.process}")
    children = (own / "task" / own.name / "children").read_text().split()
    fields = [(Path("/proc") / pid / "stat").read_text().rpartition(")")[2].split() for pid in children]
    ended = (own / "stat").read_text().rpartition(")")[2].split()
    ticks = sum(int(one[11]) + int(one[12]) for one in fields) + sum(map(int, ended[11:15]))
    return ticks / _TICKS


class _Repeats(logging.Handler):
    """Counts the transactions that were repeated."""

    count = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Count a line of the log."""
        self.count += getattr(record, "event", "") == "repeated"


def _main(url: str, now: datetime) -> None:
    """Work when a line comes: ``go`` until nothing waits, ``serve`` until the input ends."""
    from threading import Event, Thread

    from pbem.running.service import Service
    from pbem.running.worker import work
    from pbem.storage.database import Database
    from tests.bench.world import SETTINGS, Clock, Dice

    repeats = _Repeats()
    logging.getLogger("pbem").addHandler(repeats)
    logging.getLogger("pbem").setLevel(logging.DEBUG)
    logging.getLogger("pbem").propagate = False
    with closing(Database(url)) as database:
        service = Service(SETTINGS, database, clock=Clock(now), dice=Dice())
        with database.rehearsal() as rehearsed:  # what is compiled once stays compiled
            first = Service(SETTINGS, rehearsed, clock=Clock(now), dice=Dice())
            with rehearsed.reading() as tx:
                waiting = tx.inbound.waiting()[:_REHEARSED]
            assert all(map(first.processing.process, waiting))
        with database.lanes(working=True) as lanes:
            lanes.waiting(1)
            gc.freeze()
            print("ready", flush=True)
            word = sys.stdin.readline().strip()
            if word == "go":
                started, cpu = time.time(), time.process_time()
                done = sum(1 for _ in service.processing.process_in(lanes))
                share = Share(done, started, time.time(), time.process_time() - cpu, repeats.count)
                print(json.dumps(asdict(share)), flush=True)
                sys.stdin.readline()
                return
        stop = Event()

        def wait_for_end() -> None:
            sys.stdin.read()
            stop.set()

        Thread(target=wait_for_end, daemon=True).start()
        work(service, stop)


if __name__ == "__main__":
    _main(sys.argv[1], datetime.fromisoformat(sys.argv[2]))
