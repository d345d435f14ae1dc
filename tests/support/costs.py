"""Which tests cost so much CPU that `make test` leaves them to `make slow`: they are listed in tests/costly.txt."""

import json
import os
import resource
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

import pytest

from tests.support.each import count_cases

LIST = Path(__file__).resolve().parents[1] / "costly.txt"
LIMIT = 0.2
"""Seconds of CPU for a case on average, child processes included; the calibration of the benchmark takes 8 ms then."""

_HEAD = f"""\
# Tests whose cases take more than {LIMIT} s of CPU on average. `make slow` runs them, and CI; `make test` does not.
# Written by `.venv/bin/pytest -n auto -m "not servers" --costs`, which takes ten minutes; names can be added by hand.
"""


def read_costly() -> frozenset[str]:
    """Return the names of the costly tests, without their cases, as ``tests/x/test_y.py::test_z``."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


class Costs:
    """A plugin that measures every test of a run, in any number of processes, and writes the list in the end."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._file = directory / f"{os.getpid()}.jsonl"

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Measure one test with its fixtures."""
        before = _cpu()
        result = yield
        with self._file.open("a", encoding="utf-8") as out:
            out.write(
                json.dumps([item.nodeid.partition("[")[0], (_cpu() - before) / count_cases(_function(item))]) + "\n"
            )
        return result

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the list, in the process that started all others; tests that did not run stay as they were."""
        if hasattr(session.config, "workerinput"):
            return
        cases: dict[str, list[float]] = {}
        for file in self._directory.glob("*.jsonl"):
            for name, cpu in map(json.loads, file.read_text("utf-8").splitlines()):
                cases.setdefault(name, []).append(cpu)
        costly = {name for name, costs in cases.items() if fmean(costs) > LIMIT} | (read_costly() - cases.keys())
        LIST.write_text(_HEAD + "".join(f"{name}\n" for name in sorted(costly)), encoding="utf-8")


def _function(item: pytest.Item) -> object:
    """Return the function of a test."""
    return getattr(item, "function", None)


def _cpu() -> float:
    """Return the CPU that this process and its children that have ended took, in seconds."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)
