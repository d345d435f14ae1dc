"""Filled databases, of today and of every released version, upgraded to a version that nobody has made yet."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from db import engine as engines
from tests.support.club import Club
from tests.support.fixture import Fixture, list_fixtures, open_club, write_fixture
from tests.support.migrations import NEXT, let_come_next, upgrade

TODAY = "today"


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Fixture:
    """What the program of today leaves."""
    return write_fixture(tmp_path_factory.mktemp("filled"))


@pytest.fixture(scope="session", params=[TODAY, *(fixture.name for fixture in list_fixtures())])
def left(request: pytest.FixtureRequest, filled: Fixture) -> Fixture:
    """What the program of today leaves, and what each released version has left."""
    known = {fixture.name: fixture for fixture in list_fixtures()} | {TODAY: filled}
    return known[request.param]


@pytest.fixture(scope="session")
def migrations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The migrations there are, and one more."""
    directory = tmp_path_factory.mktemp("next") / "migrations"
    with pytest.MonkeyPatch.context() as patch:
        let_come_next(NEXT, directory, patch)
    return directory


@pytest.fixture
def next_version(migrations: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program be the next one, with tables of its own."""
    monkeypatch.setattr(engines, "MIGRATIONS", migrations)


@pytest.fixture(scope="session")
def upgraded(left: Fixture, migrations: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What was left, after its upgrade; to be read only."""
    file = left.load(tmp_path_factory.mktemp("upgraded") / "pbem.db")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "MIGRATIONS", migrations)
        assert upgrade(file)
    return file


@pytest.fixture
def start(left: Fixture, upgraded: Path, tmp_path: Path, next_version: None) -> Iterator[Callable[[], Club]]:
    """Return what lets the service go on where it was left, after the upgrade."""
    clubs: list[Club] = []

    def give() -> Club:
        copy = tmp_path / "copy.db"
        with closing(sqlite3.connect(upgraded)) as old, closing(sqlite3.connect(copy)) as new:
            old.backup(new)
        clubs.append(open_club(tmp_path, copy, datetime.fromisoformat(left.said["at"])))
        clubs[-1].service.database.check()
        return clubs[-1]

    yield give
    for club in clubs:
        club.service.database.close()


@pytest.fixture
def club(start: Callable[[], Club]) -> Club:
    """The service, going on where it was left."""
    return start()
