"""The list of ratings."""

from datetime import timedelta
from typing import Annotated

import typer

from pbem.cli import output
from pbem.cli.lists import print_list
from pbem.cli.output import Json, open_database


def list_ratings(
    context: typer.Context,
    again: Annotated[
        bool, typer.Option("--again", help="First read anew what all matches say; “pbem run” does the rest.")
    ] = False,
    json: Json = False,
) -> None:
    """List the ratings of all games, the highest first, as they follow from all rated matches."""
    from pbem.due.clubs.reckoning import all_ratings, reckon_again
    from pbem.notices.sentences.ratings import write_rating
    from rules.games import GAMES

    with open_database(context) as database:
        now = output.now()
        if again and (changed := reckon_again(database, now)):
            output.warn(f"Matches that said something else about their players: {changed}.")
        with database.reading() as tx:
            names = dict(tx.players.named())
            known = {game: all_ratings(tx, game, now + timedelta(days=1)) for game in GAMES}
    found = [
        (game, player, rating)
        for game, ratings in known.items()
        for player, rating in sorted(ratings.all(), key=lambda one: (-one[1].points, one[0]))
    ]
    print_list(
        found,
        "ratings",
        lambda one: {
            "game": one[0],
            "player": one[1],
            "name": names.get(one[1], ""),
            "points": round(one[2].points),
            "deviation": round(one[2].deviation),
        },
        ["game", "player", "name", ("rating", lambda one: write_rating(one[2]))],
        json=json,
    )
