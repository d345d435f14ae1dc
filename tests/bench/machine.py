"""The machine, and fixed work by which two machines can be compared."""

import hashlib
import os
import platform
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Calibration:
    """Milliseconds of CPU that fixed work takes: a loop in Python, and rows and hashes in SQLite and C."""

    loop: float
    rows: float

    @property
    def unit(self) -> float:
        """Both together: figures are also given as multiples of it."""
        return self.loop + self.rows


def calibrate(rounds: int = 1) -> Calibration:
    """Return what fixed work takes on this machine just now: the fastest of some rounds."""
    return Calibration(min(map(_cpu_of, [_loop] * rounds)), min(map(_cpu_of, [_rows] * rounds)))


def describe() -> list[tuple[str, str]]:
    """Return the processor, the number of its cores, and the versions of what it all runs on."""
    return [
        ("processor", _processor()),
        ("cores", str(os.cpu_count())),
        ("system", f"{platform.system()} {platform.release()}"),
        ("Python", platform.python_version()),
        ("SQLite", sqlite3.sqlite_version),
    ]


def _processor() -> str:
    """Return the name of the processor, as far as the system tells it."""
    known = Path("/proc/cpuinfo")
    lines = known.read_text(encoding="utf-8").splitlines() if known.exists() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def _cpu_of(work: Callable[[], None]) -> float:
    """Return how long ``work`` keeps the processor busy, in milliseconds."""
    started = time.process_time()
    work()
    return 1000 * (time.process_time() - started)


def _loop() -> None:
    """Do always the same work in Python: numbers, texts and a dictionary."""
    seen: dict[str, int] = {}
    for number in range(20_000):
        word = f"a{number * number % 997}"
        seen[word] = seen.get(word, 0) + len(word)


def _rows() -> None:
    """Do always the same work in C: rows into a database in memory and out of it, and hashes."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE work (id INTEGER PRIMARY KEY, word TEXT UNIQUE)")
        words = [(hashlib.sha256(b"%d" % number).hexdigest(),) for number in range(2_000)]
        database.executemany("INSERT INTO work (word) VALUES (?)", words)
        database.execute("SELECT word FROM work ORDER BY word").fetchall()
