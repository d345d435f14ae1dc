"""The pages with the rules of each game."""

from pathlib import Path

import pytest

from pbem.archive.rules_pages import position_under_way, write_rules
from rules import GAMES
from tests.support.pages import Page


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_a_page_with_its_rules(key: str, tmp_path: Path) -> None:
    """It holds the help that players get by mail, every option, and a match under way; the same bytes each time."""
    assert write_rules(tmp_path) == len(GAMES)
    assert write_rules(tmp_path) == 0
    text = (tmp_path / "games" / f"{key}.html").read_text("utf-8")
    page = Page(text)
    for paragraph in GAMES[key].help.split("\n\n"):
        assert paragraph in page.text
    for option in GAMES[key].options:
        assert option.help in page.text
    assert any(cell.piece for cell in position_under_way(GAMES[key]).view().cells)
    assert "<svg" in text
