"""The games by the names that people type."""

from rules.game import Game
from rules.games import GAMES


def find_game(name: str) -> Game | None:
    """Return the game whose key or title ``name`` is, in capitals or small letters, whatever signs are in between."""
    bare = _fold(name)
    return next((game for key, game in GAMES.items() if bare in (_fold(key), _fold(game.title))), None)


def _fold(name: str) -> str:
    """Return the letters and digits of a name, in small letters."""
    return "".join(filter(str.isalnum, name.casefold()))
