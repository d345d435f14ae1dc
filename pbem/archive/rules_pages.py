"""The rules of every game as pages of the archive, with a picture of a match that is under way."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

from markupsafe import Markup

from pbem.archive.pages import template, write_if_changed
from pbem.boards import lettered, svg_board
from pbem.notices import as_typed, describe_seats, explain_picture, picture_words
from pbem.paths import rules_page
from rules import GAMES, Chance, Game, Position, read_record, replay
from rules.text import listed

_MOVES = 6
"""Moves of each player in the picture of a game that has no record in ``pictured``."""


def write_rules(directory: Path, head: Callable[[str], str] = lambda page: "") -> int:
    """Write a page for every game; return how many are new. Raises OSError.

    ``head`` gives HTML for the head of the page with a path.
    """
    pages = {rules_page(key): key for key in GAMES}
    return sum(
        write_if_changed(directory / page, _render_page(key, head(page)).encode()) for page, key in pages.items()
    )


@cache
def _render_page(key: str, head: str) -> str:
    """Return the page of a game."""
    game = GAMES[key]
    view = position_under_way(game).view()
    return template("rules.html").render(
        game=game,
        head=head,
        players=describe_seats(game),
        rolls=listed(game.rolls),
        options=[
            (option.key, as_typed(option.default), option.allowed if len(option.values) > 1 else "", option.help)
            for option in game.options
        ],
        view=view,
        picture=Markup(svg_board(view, picture_words(view))),
        lettered=lettered(view),
        signs=explain_picture(view),
    )


def position_under_way(game: Game) -> Position[Any]:
    """Return a position of a match that people might play; the same one on every call.

    It is that of the record in ``pictured``. A game without one is played at random for some moves, of all sides.
    """
    known = files(__package__).joinpath("pictured", f"{game.key}.txt")
    if known.is_file():
        record = read_record(known.read_text("utf-8"))
        return replay(game, seats=record.seats, options=record.options, record=record.entries)
    random = Random(0)
    seats = game.seats[-1]
    position = game.begin(seats, game.short)
    moves = 0
    while moves < _MOVES * seats and (awaited := position.to_act) is not None:
        if isinstance(awaited, Chance):
            following = position.roll(1 + random.randrange(awaited.faces))
        else:
            following = position.play(position.any_move(random.randrange))
            moves += 1
        if following.outcome() is not None:
            break
        position = following
    return position
