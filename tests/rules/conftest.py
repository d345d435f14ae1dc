"""What the tests of the rules share."""

from pathlib import Path

import pytest

from tests.support.examples import THOROUGH

_HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the tests of the rules take part in the run of slow tests when it is thorough."""
    for item in items if THOROUGH else ():
        if item.path.is_relative_to(_HERE):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether approved texts are to be written anew."""
    return bool(request.config.getoption("--update"))
