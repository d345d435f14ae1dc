"""What the tests of the rules share."""

import pytest


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether approved texts are to be written anew."""
    return bool(request.config.getoption("--update"))
