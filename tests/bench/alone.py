"""Work whose memory is measured in a process of its own: ``python -m tests.bench.alone WORK ARGUMENT…``.

It writes what it has measured on one line, as JSON.
"""

import gzip
import json
import logging
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, astuple, dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.position import Entry
from tests.support.chosen import changed

if TYPE_CHECKING:
    from pbem.storage.database import Database
    from tests.bench.siege import Blow

_PASSES = 11
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Memory:
    """The most memory that a process had after some messages, in megabytes."""

    messages: int
    megabytes: float


@dataclass(frozen=True)
class Pass:
    """A pass over the archive: seconds of CPU, seconds by the clock, files written and their kilobytes."""

    cpu: float
    clock: float
    files: int
    kilobytes: float


@dataclass(frozen=True)
class Build:
    """What an archive took without its pictures: the first build, what a process does that starts again, and passes.

    ``before`` and ``megabytes`` are the most memory before the build, and at its end; ``index`` is what the search
    loads, compressed, in kilobytes; ``search`` is how many milliseconds a browser looks for a name, and shows what it
    finds, None without Debian's chromium; ``picture`` is the CPU of one picture for previews, in seconds.
    """

    first: Pass
    again: Pass
    move: Pass
    end: Pass
    before: float
    megabytes: float
    index: float
    search: float | None
    picture: float


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
    found = _alone("archive", str(database))
    first, again, move, end = (Pass(*found.pop(name)) for name in ("first", "again", "move", "end"))
    return Build(first, again, move, end, **found)


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


def _archive(database: Path) -> dict[str, Any]:
    from pbem.archive.previews import draw
    from pbem.running.archiving.publishing import Publisher
    from pbem.running.service import Service
    from pbem.storage.database import Database
    from tests.bench.world import SETTINGS, Clock, Dice

    picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text y="8" font-size="9">5</text></svg>'
    started = time.process_time()
    draw(picture)
    found: dict[str, Any] = {"picture": time.process_time() - started}
    sys.modules["resvg_py"] = None  # type: ignore[assignment]  # as where the library is not installed
    with tempfile.TemporaryDirectory() as name:
        directory, clock = Path(name) / "archive", Clock()
        settings = changed(SETTINGS, archive_dir=str(directory))

        def serve() -> Service:
            return Service(settings, Database(f"sqlite:///{database}"), clock=clock, dice=Dice())

        service = serve()
        found["before"] = _most_memory()
        found["first"] = _pass(service.write_archive, directory)
        found["megabytes"] = _most_memory()
        found["again"] = _pass(serve().write_archive, directory)
        found["index"] = sum(len(gzip.compress(path.read_bytes())) for path in directory.glob("search/*.js")) / 1000
        found["search"] = _search(directory, Path(name) / "profile") if shutil.which("chromium") else None
        with service.database.reading() as tx:
            running = [match.id for match in tx.matches.summaries(running=True, limit=2 * _PASSES)]
        passes: dict[bool, list[Pass]] = {False: [], True: []}
        serving = Publisher(settings, service.database, service.site)  # which keeps what it remembers only at its end
        serving.publish(clock.now())
        for number, match in enumerate(running):
            clock.advance(timedelta(hours=1))
            _move(service.database, match, clock.now(), resign=(resign := number % 2 == 1))
            passes[resign].append(_pass(partial(serving.publish, clock.now()), directory))
        service.database.close()
    for name, resign in (("move", False), ("end", True)):
        found[name] = sorted(passes[resign], key=lambda one: one.cpu)[len(passes[resign]) // 2]
    return {key: astuple(one) if isinstance(one, Pass) else one for key, one in found.items()}


def _search(directory: Path, profile: Path) -> float:
    """Return the median of the milliseconds that a browser takes to find what a name occurs in, and to show it."""
    from tests.support.browser import open_browser

    script = """(() => {
        form.elements.player.value = "an";
        const times = Array.from({ length: 21 }, () => {
            const begun = performance.now();
            show();
            return performance.now() - begun;
        });
        return times.sort((one, other) => one - other)[10];
    })()"""
    with open_browser(profile) as browser:
        browser.show(directory / "search.html", width=1200, height=900)
        return float(browser.evaluate(script))


def _pass(work: Callable[[], int], directory: Path) -> Pass:
    """Return what a pass takes that returns the number of changed files."""
    from pbem.archive.made_of import FILE

    begun, cpu, clock = time.time_ns(), time.process_time(), time.perf_counter()
    files = work()
    cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
    # The list of what was made is only added to, some dozens of bytes.
    stats = (path.stat() for path in directory.rglob("*.*") if path.name != FILE)
    # Times of files are those of the last tick of the system.
    return Pass(cpu, clock, files, sum(one.st_size for one in stats if one.st_mtime_ns > begun - 10_000_000) / 1000)


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
