"""Whole matches, told exactly as before."""

from pathlib import Path

from tests.support.each import each
from tests.support.playthroughs import drawn, files


@each("path", files(), ids=lambda path: path.stem)
def test_a_playthrough_is_told_as_before(path: Path) -> None:
    """What the rules tell of a match changes only on purpose (see tests/support/playthroughs.py)."""
    text = path.read_text(encoding="utf-8")
    assert drawn(text) == text
    assert " won: " in text


def test_there_are_playthroughs() -> None:
    """The folder has been found."""
    assert len(files()) >= 5
