"""What several tests of whole emails and pages look at."""

from pathlib import Path

import pytest

from tests.support.club import settings_in
from tests.support.mails import html_of
from tests.support.story import emails_in

STORIES = sorted((Path(__file__).resolve().parents[1] / "stories").glob("*.txt"))


@pytest.fixture(scope="session")
def emails(blank_database: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """By their kind, the HTML parts of emails of all stories: the longest of each kind in each game."""
    directory = tmp_path_factory.mktemp("emails")
    found: dict[tuple[str, str], list[str]] = {}
    for story in STORIES:
        place = directory / story.stem
        place.mkdir()
        text = story.read_text(encoding="utf-8")
        for kind, mail in emails_in(text, settings_in(place, blank_database)):
            if mail.get_body(("html",)) is not None:
                found.setdefault((kind, _game_of(story)), []).append(html_of(mail))
    kinds: dict[str, list[Path]] = {}
    for (kind, game), pages in found.items():
        page = directory / f"{kind}-{game}.html"
        page.write_text(max(pages, key=len), encoding="utf-8")
        kinds.setdefault(kind, []).append(page)
    return kinds


def _game_of(story: Path) -> str:
    """Return the game that is played in a story; most of them name it at their head."""
    heads = (line for line in story.read_text(encoding="utf-8").splitlines() if line.startswith("Game: "))
    return next(heads, "Game: several").removeprefix("Game: ")
