"""Commands about ladders: opened, listed, shown, paused; players are taken out, and all of it is taken back."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli import output
from pbem.cli.group import make_group
from pbem.cli.lists import print_list
from pbem.cli.output import Json, open_database, open_service
from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.running.ladder_rulings import Found
    from pbem.storage.transaction import Transaction

Name = Annotated[str, typer.Argument(metavar="NAME", help="The ladder: the key of its game, or as you called it.")]
Who = Annotated[str, typer.Argument(metavar="PLAYER", help="A player, by name, address, or number.")]
Event = Annotated[int | None, typer.Option("--event", help="Another one than the last, as “show” numbers it.")]

ladder = make_group("Ladders: look at them, open some under other names, and decide what players can't.")


@ladder.command("list")
def list_ladders(context: typer.Context, json: Json = False) -> None:
    """List all ladders, with how many stand in them."""
    from pbem.asking.contests.standings import find_ladder
    from pbem.running.ladder_rulings import Found

    now = output.now()
    with open_database(context) as database, database.reading() as tx:
        sound = (find_ladder(tx, one.id, now) for one in tx.contests.all("ladder"))
        found = [Found(*one) for one in sound if one]
    print_list(
        found,
        "ladders",
        _as_object,
        [
            "name",
            "game",
            ("players", lambda one: len(one.ladder.people)),
            ("challenges", lambda one: sum(each.is_open for each in one.ladder.challenges.values())),
            ("paused", lambda one: "yes" if one.ladder.is_paused else "no"),
        ],
        json=json,
    )


@ladder.command("show")
def show_one(context: typer.Context, name: Name, json: Json = False) -> None:
    """Show who stands where in a ladder, who challenges whom, and what you have decided in it.

    Example: `pbem ladder show pipline`
    """
    from pbem.clubs.ladder import OPERATORS
    from pbem.running.ladder_rulings import find_ladder

    with open_database(context) as database, database.reading() as tx:
        found = find_ladder(tx, output.decode_argument(name), output.now())
        rows = _list_rows(tx, found)
        acts = [one for one in tx.contests.events(found.contest.id) if one.kind in OPERATORS]
        known = {*found.ladder.people, *(one.player for one in acts if one.player is not None)}
        names = {one.id: one.name for one, _ in tx.players.some(sorted(known))}
    if json:
        decided = [
            {"id": one.id, "at": one.at, "kind": one.kind, "player": one.player, "undone_at": one.undone_at}
            for one in acts
        ]
        output.print_json(_as_object(found) | {"places": rows, "decided": decided})
        return
    output.print_text(f"Ladder {found.contest.name}, {found.contest.game.title}")
    output.print_text(*(f"{row['place']:>4}  {row['name']}{_tell_challenge(row, names)}" for row in rows))
    for one in acts:
        who = f"{names.get(one.player, one.player)} " if one.player is not None else ""
        back = ", taken back" if one.undone_at else ""
        output.print_text(f"{output.format_time_utc(one.at)}, event {one.id}: {who}{one.kind}{back}")


@ladder.command("open")
def open_one(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name: one word, such as pipline or club-2027.")],
    game: Annotated[str, typer.Option("--game", help="The game, if the name isn't that of one.")] = "",
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="Options of its matches and clock.")
    ] = None,
    json: Json = False,
) -> None:
    """Open a ladder with a name or options of your own; that of a game begins by itself when somebody enters it.

    Example: `pbem ladder open blitz --game pipline -o size=7 -o days=1`
    """
    from pbem.match.game_names import find_game
    from pbem.running.ladder_rulings import open_ladder
    from rules.games import GAMES

    called = output.decode_argument(name).strip().lower()
    found = find_game(output.decode_argument(game) or called)
    if found is None:
        raise BadInput(f"“{game or called}” is no game; say --game and one of {', '.join(GAMES)}.")
    with open_service(context) as service:
        opened = open_ladder(service, called, found, output.read_options(option or []))
    _print(opened, f"The ladder {called} is open; players enter it with “ladder {called}”.", json=json)


@ladder.command("remove")
def remove(
    context: typer.Context,
    name: Name,
    who: Who,
    json: Json = False,
) -> None:
    """Take a player out of a ladder, who can't enter it again; “pbem ladder undo” gives the place back.

    Example: `pbem ladder remove pipline bob`
    """
    from pbem.running.ladder_rulings import remove_player

    with open_service(context) as service:
        found = remove_player(service, output.decode_argument(name), output.decode_argument(who))
    _print(found, f"{who} is out of the ladder {found.contest.name}.", json=json)


@ladder.command("pause")
def pause(context: typer.Context, name: Name, json: Json = False) -> None:
    """Pause a ladder: nobody can be challenged, and nobody sinks; matches go on. “pbem ladder undo” ends it.

    Example: `pbem ladder pause pipline`
    """
    from pbem.running.ladder_rulings import pause_ladder

    with open_service(context) as service:
        found = pause_ladder(service, output.decode_argument(name))
    _print(found, f"The ladder {found.contest.name} is paused.", json=json)


@ladder.command("undo")
def undo(
    context: typer.Context,
    name: Name,
    event: Event = None,
    json: Json = False,
) -> None:
    """Take back what you decided last in a ladder: a pause, or that a player is out of it.

    Example: `pbem ladder undo pipline`
    """
    from pbem.running.ladder_rulings import undo_last

    with open_service(context) as service:
        found, done = undo_last(service, output.decode_argument(name), event)
    _print(found, f"Taken back in the ladder {found.contest.name}: {done.kind}.", json=json)


def _print(found: "Found", sentence: str, *, json: bool) -> None:
    """Print what was done to a ladder."""
    output.print_outcome(_as_object(found), sentence, json=json)


def _as_object(found: "Found") -> dict[str, Any]:
    """Return a ladder as JSON has it."""
    return {
        "id": found.contest.id,
        "name": found.contest.name,
        "game": found.contest.game.key,
        "options": dict(found.contest.options),
        "players": list(found.ladder.people),
        "paused": found.ladder.is_paused,
    }


def _list_rows(tx: "Transaction", found: "Found") -> list[dict[str, Any]]:
    """Return the places of a ladder as JSON has them, with who challenges whoever stands there, in which match."""
    from pbem.clubs.ladder import show_ladder
    from pbem.match.stints import robot_name

    names = {player.id: player.name for player, _ in tx.players.some(sorted(found.ladder.people))}
    return [
        {
            "place": row.place,
            "player": row.rung.player,
            "robot": row.rung.robot or None,
            "name": robot_name(row.rung.robot) if row.rung.player is None else names.get(row.rung.player, ""),
            "challenged_by": row.defends.player if row.defends else None,
            "match": row.defends.match if row.defends else None,
        }
        for row in show_ladder(found.ladder, ())
    ]


def _tell_challenge(row: dict[str, Any], names: dict[int, str]) -> str:
    """Return who challenges somebody, for their line."""
    if row["challenged_by"] is None:
        return ""
    match = f", match {row['match']}" if row["match"] else ""
    return f", challenged by {names.get(row['challenged_by'], row['challenged_by'])}{match}"
