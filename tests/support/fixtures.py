"""Fixtures that all tests share: settings, databases, and clubs of players. A plugin of pytest."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import hypothesis
import pytest

from pbem.settings.model import Settings
from pbem.storage.database import Database
from tests.support.club import Club, make_club, settings_in, write_blank_database
from tests.support.examples import THOROUGH
from tests.support.laid import After, Beginning, Laid
from tests.support.postgresql import PostgreSqlServer
from tests.support.questions import Clubs
from tests.support.sharing import share_compiled_statements
from tests.support.written import Written

# The same examples on every run, on slow machines too; all of them only where there is time.
hypothesis.settings.register_profile("pbem", derandomize=True, deadline=None, max_examples=75 if THOROUGH else 25)
hypothesis.settings.load_profile("pbem")
share_compiled_statements()


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


@pytest.fixture
def written() -> Iterator[Written]:
    """Return what is logged from now on, whoever logs it."""
    found, root = Written(), logging.getLogger()
    before = root.level
    root.setLevel(logging.DEBUG)
    for handler in found.handlers:
        root.addHandler(handler)
    yield found
    root.setLevel(before)
    for handler in found.handlers:
        root.removeHandler(handler)


@pytest.fixture(scope="session")
def beginnings(blank_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Laid:
    """All beginnings that were played."""
    directory = tmp_path_factory.mktemp("laid")
    return Laid(settings_in(directory, blank_database), blank_database, directory)


@pytest.fixture
def laid(beginnings: Laid) -> Iterator[Laid]:
    """The same; what a test has of them is closed after it."""
    yield beginnings
    beginnings.close()


@pytest.fixture
def clubs(laid: Laid) -> Clubs:
    """Clubs in which somebody has just been asked something."""
    return Clubs(laid)


@pytest.fixture
def after(request: pytest.FixtureRequest) -> After:
    """What makes a club that goes on from a beginning; on a PostgreSQL server that is played anew."""
    if request.config.getoption("--postgresql"):
        new_club: Callable[[], Club] = request.getfixturevalue("new_club")

        def play(begin: Beginning) -> Club:
            club = new_club()
            begin(club)
            return club

        return play
    laid: Laid = request.getfixturevalue("laid")
    return lambda begin: laid.after(begin)[0]
