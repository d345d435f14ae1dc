"""The one list of games: a new game is a folder beside this file and a line here."""

from rules.game import Game
from rules.games.pipelines import PIPELINES
from rules.games.pippinzip import PIPLINE, ZIPLINE
from rules.games.pippip import PIPPIP
from rules.games.snipsnip import SNIPSNIP

GAMES: dict[str, Game] = {game.key: game for game in (PIPLINE, ZIPLINE, PIPPIP, SNIPSNIP, PIPELINES)}
