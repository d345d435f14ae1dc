"""Databases of older versions after their upgrade, and the service of today on them."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.support import old_databases
from tests.support.old_databases import Running, load


@pytest.fixture(scope="session")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return what gives a database of a version after its upgrade; to be read only."""
    made: dict[str, Path] = {}

    def give(version: str) -> Path:
        if version not in made:
            made[version] = load(version, tmp_path_factory.mktemp(version))
            old_databases.upgrade(made[version])
        return made[version]

    return give


@pytest.fixture
def start(upgraded: Callable[[str], Path], tmp_path: Path) -> Iterator[Callable[[str], Running]]:
    """Return what starts the service on a database of a version, after its upgrade."""
    with ExitStack() as stack:

        def give(version: str) -> Running:
            file = tmp_path / "pbem.db"
            with closing(sqlite3.connect(upgraded(version))) as old, closing(sqlite3.connect(file)) as new:
                old.backup(new)
            running = Running.on(file)
            stack.callback(running.close)
            return running

        yield give
