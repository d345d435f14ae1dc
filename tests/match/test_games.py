"""Games by the names that people type."""

from pbem.match.game_names import find_game
from rules.games import GAMES
from tests.support.each import each


@each("key", GAMES)
def test_a_game_is_found_by_its_key_and_by_its_title(key: str) -> None:
    """Capitals and signs make no difference: nobody types “Pip•Pip”."""
    game = GAMES[key]
    for name in (key, key.upper(), key.title(), game.title, f" {game.title.lower()} "):
        assert find_game(name) is game


@each("name", ["", " ", "•", "pip", "ziplines", "chess"])
def test_other_names_are_no_game(name: str) -> None:
    """A part of a name is none, and no game is guessed from a typo."""
    assert find_game(name) is None
