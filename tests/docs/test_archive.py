"""The page about the archive says what is so: its files, and its settings."""

import re
from pathlib import Path, PurePosixPath

from pbem.settings.loading import setting_names
from pbem.settings.model import Settings
from tests.support.chosen import changed
from tests.support.club import make_club

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "archive.md").read_text(encoding="utf-8")


def table(heading: str) -> list[list[str]]:
    """Return the rows of the table whose heading begins with these words."""
    found = re.search(rf"^\| {heading} \|.*\n\|[-|: ]+\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert found
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found[1].splitlines()]


def test_every_file_of_an_archive_has_a_row(settings: Settings, tmp_path: Path) -> None:
    """Without an address of the archive there are none of those that need one, as the last column says."""
    rows = [(re.findall(r"`([^`]*[.*][^`]*)`", row[0]), row[2]) for row in table("file")]
    every = [pattern for patterns, _ in rows for pattern in patterns]
    local = [pattern for patterns, needs in rows for pattern in patterns if not needs]
    for address, patterns in (("https://games.example.org", every), ("", local)):
        place = tmp_path / f"archive{len(address)}"
        club = make_club(changed(settings, archive_dir=str(place), archive_url=address))
        club.open()
        club.service.write_archive()
        club.service.database.close()
        files = {path.relative_to(place).as_posix() for path in place.rglob("*.*")}
        assert {file for file in files if not any(_matches(file, pattern) for pattern in patterns)} == set()
        assert any(file.endswith(".atom") for file in files) == bool(address)


def _matches(file: str, pattern: str) -> bool:
    """Return whether a path is one of those that a pattern of the page means."""
    return file.count("/") == pattern.count("/") and PurePosixPath(file).match(pattern)


def test_the_settings_that_are_named_exist() -> None:
    """Each that begins with ``archive``."""
    assert set(re.findall(r"`?(archive_\w+)", PAGE)) == {name for name in setting_names() if "archive" in name}
