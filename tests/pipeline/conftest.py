"""Clubs in which somebody has just been asked something, for all tests of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.club import settings_in
from tests.support.questions import Clubs


@pytest.fixture(scope="session")
def laid(blank_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Clubs:
    """The clubs of all tests: each kind is asked once."""
    directory = tmp_path_factory.mktemp("questions")
    return Clubs(settings_in(directory, blank_database), blank_database, directory)


@pytest.fixture
def clubs(laid: Clubs) -> Iterator[Clubs]:
    """These clubs, closed after the test."""
    yield laid
    laid.close()
