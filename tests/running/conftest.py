"""Where the archive is."""

from pathlib import Path

import pytest

from tests.support.club import Club


@pytest.fixture
def archive(club: Club, tmp_path: Path) -> Path:
    """Give the directory of the archive."""
    directory = tmp_path / "archive"
    club.service.settings.archive_dir = str(directory)
    return directory
