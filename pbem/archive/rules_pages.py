"""The rules of every game as pages of the archive, with a picture of a match that is under way."""

from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pbem.archive.pages import template, write_if_changed
from pbem.boards import lettered, svg_board
from pbem.match import FairRolls
from pbem.notices import as_typed, describe_seats, explain_picture, picture_words
from pbem.paths import rules_page
from rules import GAMES, Chance, Game, Position
from rules.text import listed

_PLIES = 24


def write_rules(directory: Path) -> int:
    """Write a page for every game; return how many are new. Raises OSError."""
    return sum(write_if_changed(directory / rules_page(key), _render_page(key).encode()) for key in GAMES)


@cache
def _render_page(key: str) -> str:
    """Return the page of a game."""
    game = GAMES[key]
    view = position_under_way(game).view()
    return template("rules.html").render(
        game=game,
        players=describe_seats(game),
        lots=listed(game.rolls),
        options=[(option.key, as_typed(option.default), option.allowed, option.help) for option in game.options],
        view=view,
        picture=Markup(svg_board(view, picture_words(view))),
        lettered=lettered(view),
        signs=explain_picture(view),
    )


def position_under_way(game: Game) -> Position[Any]:
    """Return a position of a short match, some plies after its beginning; the same one on every call."""
    rolls = FairRolls(0, "an example", {})
    seats = game.seats[-1]
    position = game.begin(seats, game.short)
    for ply in range(_PLIES * seats):
        awaited = position.to_act
        if awaited is None:
            break
        if isinstance(awaited, Chance):
            following = position.roll(rolls.value(ply, awaited))
        else:
            following = position.play(position.parse(position.prompt().example))
        if following.outcome() is not None:
            break
        position = following
    return position
