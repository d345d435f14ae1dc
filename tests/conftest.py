"""Which tests a run leaves out, and that it says so; the fixtures that all share are in support/fixtures.py."""

import gc
import os
from collections import Counter
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from tests.support.selection import count_left_out, mark_slow, spread_servers, tell_left_out

# Compiling the robots takes longer than what a test has them think; where the compiled ones are tried, says the test.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

_HERE = Path(__file__).resolve().parent
_QUICK_CASES = 1
_left_out = Counter[str]()
_SLOW_FOLDERS = frozenset({"cli", "corpus", "db", "e2e", "fuzz", "service", "stories"})
_DATABASE_FOLDERS = frozenset({"cli", "db", "e2e"})  # they make databases of their own


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of this project."""
    parser.addoption(
        "--quick", action="store_true", help="leave out databases, slow tests, and all but one case of a test"
    )
    parser.addoption("--postgresql", action="store_true", help="clubs have databases on a PostgreSQL server")
    parser.addoption("--costs", action="store_true", help="measure each test, and write tests/costly.txt")
    parser.addoption("--update", action="store_true", help="write tests/stories/*.txt as they are played now")


def pytest_configure(config: pytest.Config) -> None:
    """Load the fixtures, and measure what tests cost if that is asked for.

    A process that only hands tests out to others needs no fixtures, and none of the program that these import.
    """
    is_worker = hasattr(config, "workerinput")
    if is_worker or config.getoption("dist", "no") == "no":
        config.pluginmanager.import_plugin("tests.support.fixtures")
    if config.getoption("--costs"):
        from tests.support.costs import Costs

        # Workers get the directory from the process that starts them.
        config.pluginmanager.register(Costs(Path(os.environ.setdefault("PBEM_COSTS", mkdtemp()))))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave whole folders out of quick runs: everything in them needs a database."""
    return True if config.getoption("--quick") and collection_path.name in _SLOW_FOLDERS else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that are slow, have servers or a database; those with servers are spread among others."""
    mark_slow(items)
    for item in items:
        folder = item.path.relative_to(_HERE).parts[0]
        if folder == "e2e" and item.get_closest_marker("slow"):
            item.add_marker("servers")
        if folder in _DATABASE_FOLDERS or "blank_database" in getattr(item, "fixturenames", ()):
            item.add_marker("database")
    items[:] = spread_servers(items)
    if config.getoption("--quick"):
        kept = Counter[tuple[Path, str]]()
        for item in list(items):
            test = (item.path, item.name.partition("[")[0])
            kept[test] += 1
            if kept[test] > _QUICK_CASES or any(map(item.get_closest_marker, ("slow", "nightly", "database"))):
                items.remove(item)


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Count what this run leaves out; every worker leaves out the same."""
    _left_out.update(count_left_out(items))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Let a worker hand over what was left out."""
    output: dict[str, object] | None = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left_out"] = dict(_left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a worker has left out."""
    _left_out.update(node.workeroutput["left_out"] if not _left_out and hasattr(node, "workeroutput") else {})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end what was left out, and why."""
    if told := tell_left_out(_left_out):
        terminalreporter.write_line(told)


def pytest_collection_finish() -> None:
    """Take what stays until the end, ten thousand tests and all modules, out of every collection of garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
