"""How long a process takes that is started for one call: help, and one message from a mail server's pipe."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.bench.ratio import line
from tests.bench.report import Table
from tests.bench.world import SETTINGS, Sort

_TIMES = 5
PBEM = str(Path(sys.executable).with_name("pbem"))
"""The installed command."""


@dataclass(frozen=True)
class Run:
    """What one process took: seconds by the clock, and of CPU."""

    clock: float
    cpu: float


def run(
    arguments: Sequence[str], environment: Mapping[str, str], directory: Path, stdin: bytes = b"", code: int = 0
) -> Run:
    """Run a program; it must end with ``code``."""
    with tempfile.TemporaryFile() as given:
        given.write(stdin)
        given.seek(0)
        started = time.perf_counter()
        process = subprocess.Popen(
            arguments,
            env=os.environ | dict(environment),
            cwd=directory,
            stdin=given,
            stdout=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(process.pid, 0)
        clock = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == code, f"{arguments} ended with {process.returncode}"
    return Run(clock, usage.ru_utime + usage.ru_stime)


def environment_for(database: Path) -> dict[str, str]:
    """Return what ``pbem`` needs in the environment to work on a database."""
    return {
        "PBEM_DATABASE_URL": f"sqlite:///{database}",
        "PBEM_ADDRESS": SETTINGS.address,
        "PBEM_SECRET": SETTINGS.secret,
        "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
    }


def cold_starts(tell: Callable[[str], None]) -> Table:
    """Return the table of single calls of ``pbem``."""
    tell("cold start: preparing")
    with line([Sort("zipline", 12)], _TIMES) as made:
        replies = list(made.prepare("quoted").values())
        environment, directory = environment_for(made.file), made.file.parent
        calls = {
            "python -c pass": [run([sys.executable, "-c", "pass"], environment, directory) for _ in range(_TIMES)],
            **{
                f"pbem {words}": [run([PBEM, *words.split()], environment, directory) for _ in range(_TIMES)]
                for words in ("--help", "matches", "players", "offers", "outbound list", "show 1")
            },
            "pbem receive": [run([PBEM, "receive"], environment, directory, raw) for raw in replies],
        }
    rows = tuple(
        (
            name,
            f"{1000 * min(run.cpu for run in runs):.0f}",
            f"{1000 * median(run.cpu for run in runs):.0f}",
            f"{1000 * min(run.clock for run in runs):.0f}",
            f"{1000 * median(run.clock for run in runs):.0f}",
        )
        for name, runs in calls.items()
    )
    meaning = (
        "A process from its start to its end, five times each; `python -c pass` is what an empty one takes."
        " *receive* is one message with quoted text from standard input, as a mail server's pipe gives it. *CPU* and"
        " *clock* in milliseconds."
    )
    columns = ("call", "CPU, least", "CPU, median", "clock, least", "clock, median")
    return Table("Cold start", columns, rows, meaning)
