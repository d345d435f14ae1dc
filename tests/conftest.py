"""Fixtures that all tests share: settings, databases, and clubs of players."""

import gc
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

import hypothesis
import pytest

from pbem.settings import Settings
from pbem.storage.database import Database
from tests.support.club import Club, make_club, settings_in, write_blank_database
from tests.support.costs import Costs
from tests.support.examples import THOROUGH
from tests.support.postgresql import PostgreSqlServer
from tests.support.selection import count_left_out, mark_slow, tell_left_out
from tests.support.sharing import share_compiled_statements

# Compiling the robots takes longer than what a test has them think; where the compiled ones are tried, says the test.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

# The same examples on every run, on slow machines too; all of them only where there is time.
hypothesis.settings.register_profile("pbem", derandomize=True, deadline=None, max_examples=75 if THOROUGH else 25)
hypothesis.settings.load_profile("pbem")
share_compiled_statements()

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
    """Measure what tests cost, if that is asked for; workers get the directory from the process that starts them."""
    if config.getoption("--costs"):
        directory = os.environ.setdefault("PBEM_COSTS", mkdtemp())
        config.pluginmanager.register(Costs(Path(directory)))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave whole folders out of quick runs: everything in them needs a database."""
    return True if config.getoption("--quick") and collection_path.name in _SLOW_FOLDERS else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that are slow, have servers or a database."""
    mark_slow(items)
    for item in items:
        folder = item.path.relative_to(_HERE).parts[0]
        if folder == "e2e" and item.get_closest_marker("slow"):
            item.add_marker("servers")
        if folder in _DATABASE_FOLDERS or "blank_database" in getattr(item, "fixturenames", ()):
            item.add_marker("database")
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


@pytest.fixture(scope="session")
def blank_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with all tables and nothing in them, to be copied."""
    return write_blank_database(tmp_path_factory.mktemp("blank") / "pbem.db")


@pytest.fixture
def directory() -> Iterator[Path]:
    """A directory with a short name, since the path of a socket has at most about 100 bytes."""
    with TemporaryDirectory(prefix="pbem-") as name:
        yield Path(name)


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgreSqlServer]:
    """A PostgreSQL server with a database ``blank``, which has all tables and nothing in them."""
    with TemporaryDirectory() as home:
        Path(home).chmod(0o755)
        server = PostgreSqlServer(Path(home) / "server")
        try:
            server.start()
            server.create("blank")
            database = Database(server.url("blank"))
            database.upgrade()
            database.close()
            yield server
        finally:
            server.stop()


@pytest.fixture
def postgresql_url(postgresql: PostgreSqlServer) -> str:
    """The URL of a database of its own on the server, with all tables."""
    return postgresql.new()


@pytest.fixture
def settings(blank_database: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Settings:
    """Settings with a database of their own; with ``--postgresql`` on a server."""
    settings = settings_in(tmp_path, blank_database)
    if request.config.getoption("--postgresql"):
        settings.database_url = request.getfixturevalue("postgresql_url")
    return settings


@pytest.fixture
def new_club(settings: Settings) -> Iterator[Callable[..., Club]]:
    """Return what makes a club; several share the database, as services started one after another do."""
    clubs: list[Club] = []

    def make(**ports: object) -> Club:
        clubs.append(make_club(settings, **ports))  # type: ignore[arg-type]  # fakes, or what an omitted one becomes
        return clubs[-1]

    yield make
    for club in clubs:
        club.service.database.close()


@pytest.fixture
def club(new_club: Callable[..., Club]) -> Club:
    """A club with nothing going on yet."""
    return new_club()
