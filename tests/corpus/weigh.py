"""Reads a written corpus in one process, and weighs it: ``python -m tests.corpus.weigh DIRECTORY``.

Prints JSON: each message's name with the seconds of computing it took, and the most memory ever held, in megabytes.
"""

import json
import re
import sys
from pathlib import Path
from time import process_time

from pbem.running.machine import SecretSource, SystemClock
from pbem.running.service import Service
from pbem.settings.loading import load
from pbem.settings.model import Settings
from pbem.storage.database import Database

_LONG = 0.5  # seconds


def seconds(settings_file: Path, messages: Path) -> dict[str, float]:
    """Hand in one message after another, each as if it were the only one, and return how long each took."""
    settings = load(settings_file)
    database = Database(settings.database_url)
    taken = {}
    for path in sorted(messages.iterdir()):
        taken[path.name] = _handed_in(settings, database, path)
        if taken[path.name] > _LONG:  # whatever else the machine does makes it longer, and nothing makes it shorter
            taken[path.name] = min(taken[path.name], *(_handed_in(settings, database, path) for _ in range(2)))
    database.close()
    return taken


def _handed_in(settings: Settings, database: Database, path: Path) -> float:
    """Hand in a message, undo it, and return how long that took."""
    raw = path.read_bytes()
    with database.rehearsal() as rehearsed:
        service = Service(settings, rehearsed, clock=SystemClock(), dice=SecretSource())
        started = process_time()
        service.hand_in(raw)
        return process_time() - started


def most_memory() -> float:
    """Return the most memory this process ever held, in megabytes, as the system has watched it."""
    # What getrusage says may be that of the process which started this one.
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) / 1000


if __name__ == "__main__":
    directory = Path(sys.argv[1])
    print(json.dumps({"seconds": seconds(directory / "pbem.toml", directory / "letters"), "megabytes": most_memory()}))
