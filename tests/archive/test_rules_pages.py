"""The pages with the rules of each game."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.archive.lists.rules_pages import position_under_way, write_rules
from rules.games import GAMES
from tests.support.each import each
from tests.support.pages import Page


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_a_page_with_its_rules(key: str, tmp_path: Path) -> None:
    """It holds the help that players get by mail, every option, and a match under way; the same bytes each time."""
    assert write_rules(tmp_path) == len(GAMES)
    assert write_rules(tmp_path) == 0
    text = (tmp_path / "games" / f"{key}.html").read_text("utf-8")
    page = Page(text)
    for paragraph in GAMES[key].help:
        assert str(paragraph) in page.text
    for option in GAMES[key].options:
        assert option.help in page.text
    assert any(cell.piece for cell in position_under_way(GAMES[key]).view().cells)
    assert "<svg" in text


@each("key", GAMES)
def test_the_picture_shows_pieces_of_every_side(key: str) -> None:
    """It looks like a match that people play: nobody lacks pieces, and nobody has won."""
    position = position_under_way(GAMES[key])
    view = position.view()
    assert position.outcome() is None
    assert len({cell.piece for cell in view.cells if cell.piece}) >= len({role for role in position.roles() if role})
    assert None not in position.roles()


@pytest.mark.parametrize("key", GAMES)
def test_a_second_picture_shows_how_it_ended(key: str, tmp_path: Path) -> None:
    """The same match, won by somebody, with a sentence that names them by what they play."""
    write_rules(tmp_path, games=[key])
    text = (tmp_path / "games" / f"{key}.html").read_text("utf-8")
    found = re.search(r'<figure class="end">\n<svg .*?<figcaption><p>(.*?)</p>', text, re.DOTALL)
    assert found
    assert any(str(role) in found[1] for role in GAMES[key].roles)
    assert "{" not in found[1]


def test_a_game_without_a_record_is_pictured_all_the_same() -> None:
    """A game that was just added is played a little, the same on every call."""
    game = replace(GAMES["pippip"], key="unheard-of")
    first, second = position_under_way(game), position_under_way(game)
    assert first == second
    assert any(cell.piece for cell in first.view().cells)
