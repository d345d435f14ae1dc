"""Clubs that go on from a beginning which many tests of this folder share."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.club import Club, settings_in
from tests.support.laid import After, Beginning, Laid
from tests.support.questions import Clubs


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
