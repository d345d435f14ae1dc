"""Work whose memory is measured in a process of its own: ``python -m tests.bench.alone WORK ARGUMENT…``.

It writes what it has measured on one line, as JSON.
"""

import json
import logging
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from rules import Entry

if TYPE_CHECKING:
    from pbem.storage import Database
    from tests.bench.siege import Blow

_PASSES = 11
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Memory:
    """The most memory that a process had after some messages, in megabytes."""

    messages: int
    megabytes: float


@dataclass(frozen=True)
class Build:
    """A first build of the archive: seconds of CPU, and the most memory in megabytes, at its end and before it.

    Then the seconds of CPU of a pass after one move, and after the end of a match.
    """

    seconds: float
    megabytes: float
    before: float
    move: float
    end: float


@dataclass(frozen=True)
class Siege:
    """What hostile messages came to, and the most memory in megabytes."""

    blows: "list[Blow]"
    megabytes: float


def memory_of_messages(checkpoints: list[int]) -> list[Memory]:
    """Return how much memory a process has had after so many messages through the line."""
    return [Memory(*found) for found in _alone("messages", *map(str, checkpoints))]


def archive_build(database: Path) -> Build:
    """Build the archive of a database."""
    return Build(*_alone("archive", str(database)))


def siege(messages: int) -> Siege:
    """Send so many hostile messages through the line."""
    from tests.bench.siege import Blow

    blows, megabytes = _alone("siege", str(messages))
    return Siege([Blow(**blow) for blow in blows], megabytes)


def _alone(*arguments: str) -> Any:
    """Return what this module says when it is run with ``arguments``."""
    command = [sys.executable, "-m", "tests.bench.alone", *arguments]
    return json.loads(subprocess.run(command, cwd=_ROOT, check=True, stdout=subprocess.PIPE).stdout)


def _messages(checkpoints: list[int]) -> list[tuple[int, float]]:
    from tests.bench.kept import KeptCourier
    from tests.bench.line import Line
    from tests.bench.ratio import SORTS

    found, done = [], 0
    with tempfile.TemporaryDirectory() as name:
        sorts = SORTS[:-1]  # the longest take long to prepare, and nothing more stays of them
        line = Line(Path(name), sorts, 24, kept=KeptCourier())
        for checkpoint in checkpoints:
            while done < checkpoint:
                replies = line.prepare("mix")
                for _ in line.carry(list(replies.values())):
                    pass
                line.settle(replies)
                done += len(replies)
            found.append((done, _most_memory()))
        line.close()
    return found


def _siege(messages: int) -> tuple[list[dict[str, Any]], float]:
    from tests.bench.siege import Siege

    with tempfile.TemporaryDirectory() as name:
        world = Siege(Path(name) / "siege.db", matches=10, seed=1)
        blows = [asdict(world.strike()) for _ in range(messages)]
        world.close()
    return blows, _most_memory()


def _archive(database: Path) -> tuple[float, float, float, float, float]:
    from pbem.service import Service
    from pbem.storage import Database
    from tests.bench.world import SETTINGS, Clock, Dice

    with tempfile.TemporaryDirectory() as name:
        settings = SETTINGS.model_copy(update={"archive_dir": name})
        clock = Clock()
        service = Service(settings, Database(f"sqlite:///{database}"), clock=clock, dice=Dice())
        before, seconds = _most_memory(), _cpu_of(service.write_archive)
        memory = _most_memory()
        with service.database.reading() as tx:
            running = [match.id for match in tx.matches.summaries(running=True, limit=2 * _PASSES)]
        passes: dict[bool, list[float]] = {False: [], True: []}
        for number, match in enumerate(running):
            clock.advance(timedelta(hours=1))
            _move(service.database, match, clock.now(), resign=(resign := number % 2 == 1))
            passes[resign].append(_cpu_of(service.write_archive))
        service.database.close()
    return seconds, memory, before, median(passes[False]), median(passes[True])


def _cpu_of(work: Callable[[], object]) -> float:
    """Return the seconds of CPU that some work takes."""
    started = time.process_time()
    work()
    return time.process_time() - started


def _move(database: "Database", number: int, now: datetime, *, resign: bool) -> None:
    """Store a move, or a resignation, of whoever is to act in a match."""
    with database.transaction() as tx:
        (match,) = tx.matches.all([number])
        seat = match.to_act
        assert isinstance(seat, int)
        entry = Entry(seat, "resign" if resign else str(match.position.any_move(lambda count: 0)))
        after = replace(match, record=(*match.record, entry), times=(*match.times, now), folded=None)
        tx.matches.append(match, [entry], [now], None)
        tx.matches.touch(after, now)


def _most_memory() -> float:
    """Return the most memory that this process has had, in megabytes.

    Not from ``getrusage``, which counts the process that has started this one as well.
    """
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1000
    raise RuntimeError("this system does not tell how much memory a process has had")


def _main() -> None:
    logging.disable(logging.CRITICAL)
    work, *arguments = sys.argv[1:]
    found: Any
    if work == "messages":
        found = _messages(list(map(int, arguments)))
    else:
        found = _siege(int(arguments[0])) if work == "siege" else _archive(Path(arguments[0]))
    print(json.dumps(found))


if __name__ == "__main__":
    _main()
