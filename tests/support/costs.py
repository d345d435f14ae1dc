"""Which tests cost so much CPU that `make test` leaves them to `make slow`: they are listed in tests/costly.txt."""

import json
import os
import resource
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

import pytest

from pbem.notices.templates import load_templates
from pbem.settings.places import TEMPLATES
from rules.phrase import ENGLISH
from tests.support.each import count_cases
from tests.support.selection import AREAS, COSTLY, read_costly

LIMIT = 0.06
"""Seconds of CPU for a case on average, child processes included, on a machine on which `make test` takes a minute."""

_HEAD = f"""\
# Tests whose cases take more than {LIMIT} s of CPU on average. `make slow` runs them, and CI; `make test` does not.
# Written by `.venv/bin/pytest -n auto -m "not servers and not nightly" --costs`, which takes five; names can be added.
"""


class Costs:
    """A plugin that measures every test of a run, in any number of processes, and writes the list in the end.

    Tests of an area are not listed: they are left out as long as nothing of it has changed.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._file = directory / f"{os.getpid()}.jsonl"

    def pytest_collection_finish(self) -> None:
        """Compile the templates, which the first test that needs one would be measured with."""
        for kind in sorted(path.name for path in (TEMPLATES / "mail").iterdir() if (path / "body.html").exists()):
            load_templates(kind, ENGLISH)

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
                if name.split("/")[1] not in AREAS:
                    cases.setdefault(name, []).append(cpu)
        costly = {name for name, costs in cases.items() if fmean(costs) > LIMIT} | (read_costly() - cases.keys())
        COSTLY.write_text(_HEAD + "".join(f"{name}\n" for name in sorted(costly)), encoding="utf-8")


def _function(item: pytest.Item) -> object:
    """Return the function of a test."""
    return getattr(item, "function", None)


def _cpu() -> float:
    """Return the CPU that this process and its children that have ended took, in seconds."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)
