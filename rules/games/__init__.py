"""The one list of games: a new game is a file beside this one and a line here."""

from rules.core import Game
from rules.games.pippinzip import PIPLINE, ZIPLINE

GAMES: dict[str, Game] = {game.key: game for game in (PIPLINE, ZIPLINE)}
