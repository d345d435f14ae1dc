"""Directories in which ``pbem`` is called: a bare one, one with a match, one whose match is over, one with rolls.

The latter are made once, and copied for each test.
"""

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

import pytest

from tests.support.command_line import ANN, BOB, CARL, GAMES, Pbem, rolled


@contextmanager
def _called_in(directory: Path) -> Iterator[Pbem]:
    """Yield ``pbem`` in a directory, with no setting in the environment."""
    with pytest.MonkeyPatch.context() as environment, chdir(directory):
        for name in [name for name in os.environ if name.startswith("PBEM_")]:
            environment.delenv(name)
        yield Pbem(directory)


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Pbem]:
    """Give an empty directory, and no setting in the environment."""
    with _called_in(tmp_path) as pbem:
        yield pbem


@pytest.fixture(scope="session")
def with_a_match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a directory with a service, and one match of Zipline between Ann, Bob and Carl."""
    with _called_in(tmp_path_factory.mktemp("with-a-match")) as pbem:
        pbem.done("init", GAMES)
        pbem.done("open", "zipline", f"Ann <{ANN}>", BOB, CARL, "--option", "size=5")
        return pbem.directory


@pytest.fixture(scope="session")
def with_a_result(with_a_match: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a directory in which that match is over: Ann has placed a stone, Bob has taken, and resigned."""
    directory = tmp_path_factory.mktemp("with-a-result")
    shutil.copytree(with_a_match, directory, dirs_exist_ok=True)
    with _called_in(directory) as pbem:
        for number, (mail, body) in enumerate([(1, "c3"), (5, "take"), (8, "resign")]):
            message = pbem.answer(mail, body, f"<{number}@example.org>")
            (found,) = pbem.done("receive", "--json", stdin=message).lines
            assert found["status"] == "accepted", found
    return directory


@pytest.fixture(scope="session")
def with_rolls(with_a_match: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a directory with a second match, of Pip•Pip, that is over: Ann was ready, Bob gave a player seed."""
    directory = tmp_path_factory.mktemp("with-rolls")
    shutil.copytree(with_a_match, directory, dirs_exist_ok=True)
    with _called_in(directory) as pbem:
        rolled(pbem, "ready", "salt a pinch")
    return directory


@pytest.fixture
def pbem(bare: Pbem, with_a_match: Path) -> Pbem:
    """Give a service with one match of Zipline between Ann, Bob and Carl."""
    shutil.copytree(with_a_match, bare.directory, dirs_exist_ok=True)
    return bare


@pytest.fixture
def over(bare: Pbem, with_a_result: Path) -> Pbem:
    """Give a service whose match is over."""
    shutil.copytree(with_a_result, bare.directory, dirs_exist_ok=True)
    return bare


@pytest.fixture
def rolls(bare: Pbem, with_rolls: Path) -> Pbem:
    """Give a service with a match of Pip•Pip that is over, number 2."""
    shutil.copytree(with_rolls, bare.directory, dirs_exist_ok=True)
    return bare


@pytest.fixture
def closed_port() -> int:
    """Give a port on which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
