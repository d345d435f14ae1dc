"""Commands about leagues: opened, listed, shown, paused, extended; players are entered, replaced and disqualified."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli import output
from pbem.cli.clubs.ladder import Event, Who
from pbem.cli.group import make_group
from pbem.cli.lists import print_list
from pbem.cli.matches.clock import QUEUED, read_end, read_time
from pbem.cli.output import Json, open_database, open_service
from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.clubs.contest import ContestEvent
    from pbem.clubs.league import League
    from pbem.clubs.league_table import Row

_LARGEST = 1_000_000  # bytes of a table

Name = Annotated[str, typer.Argument(metavar="NAME", help="The league: the key of its game, or as you called it.")]
Players = Annotated[
    list[str] | None, typer.Argument(metavar="[PLAYER]…", help="Known names, addresses, or “Ann <ann@…>”.")
]
Table = Annotated[
    str | None, typer.Option("--csv", metavar="FILE", help="Players in a table: player, or name and address.")
]

league = make_group("Leagues: open them, look at them, and decide what players can't; none of it is needed as a rule.")


@league.command("list")
def list_leagues(context: typer.Context, json: Json = False) -> None:
    """List all leagues, with who has entered, and what goes on."""
    from pbem.due.league import reading

    with open_database(context) as database, database.reading() as tx:
        found = reading.list_leagues(tx)
    print_list(
        found,
        "leagues",
        _as_object,
        [
            "name",
            "game",
            "seats",
            ("entered", lambda one: len(one.entered)),
            ("season", lambda one: one.seasons[-1].number if one.seasons else None),
            ("goes on", lambda one: "yes" if one.season else "no"),
            ("next begins (UTC)", lambda one: one.begins_at),
        ],
        json=json,
    )


@league.command("show")
def show_league(
    context: typer.Context,
    name: Name,
    season: Annotated[int | None, typer.Option("--season", min=1, help="Another season than the last one.")] = None,
    json: Json = False,
) -> None:
    """Show the tables of a league, who has entered, and what you have decided in it.

    Example: `pbem league show pipline`
    """
    from pbem.clubs.league import OPERATORS
    from pbem.due.league.reading import read_tables
    from pbem.due.league.telling import name_everybody
    from pbem.notices.sentences.contests.leagues import lay_table
    from pbem.running.league_rulings import find_league

    with open_database(context) as database, database.reading() as tx:
        found = find_league(tx, output.decode_argument(name))
        if season is not None and season > len(found.seasons):
            raise BadInput(f"The league {found.contest.name} has had {len(found.seasons)} seasons, so none {season}.")
        chosen = found.seasons[(season or 0) - 1] if found.seasons else None
        tables = read_tables(tx, found, chosen) if chosen else ()
        acts = [one for one in tx.contests.events(found.contest.id) if one.kind in OPERATORS]
        meant = {number for one in acts for number in (one.player, one.other) if number is not None}
        names = name_everybody(tx, sorted({*found.entered, *(chosen.players if chosen else ()), *meant}))
    if json:
        value = _as_object(found) | {
            "shown": chosen.number if chosen else None,
            "tables": [[_row_object(row, names) for row in table] for table in tables],
            "decided": [_event_object(one, names) for one in acts],
        }
        output.print_json(value)
        return
    output.print_text(f"League {found.contest.name}, {found.contest.game.title}")
    output.print_fields(_describe(found, names))
    for number, rows in enumerate(tables, 1):
        assert chosen is not None  # whose tables these are
        laid = lay_table(chosen, number, rows, names)
        output.print_text(f"{laid.title}:", *(f"  {line.text}" for line in laid.lines))
    for one in acts:
        back = ", taken back" if one.undone_at else ""
        output.print_text(f"{output.format_time_utc(one.at)}, event {one.id}: {_tell_event(one, names)}{back}")


@league.command("open")
def open_one(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name: one word, such as pipline or club-2027.")],
    players: Players = None,
    csv: Table = None,
    game: Annotated[str, typer.Option("--game", help="The game, if the name isn't that of one.")] = "",
    seats: Annotated[int, typer.Option("--players", min=2, max=3, help="Players of a match.")] = 2,
    size: Annotated[int, typer.Option("--size", min=0, help="Players wished for in a division, 5 to 9.")] = 0,
    full: Annotated[int, typer.Option("--full", min=0, help="Begin at once when so many have entered.")] = 0,
    begins: Annotated[str, typer.Option("--begins", metavar="DATE", help="When the first season begins.")] = "",
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="Options of its matches and clock.")
    ] = None,
    json: Json = False,
) -> None:
    """Open a league, and enter players; whoever you enter gets an email, and can leave it.

    Example: `pbem league open club-2027 --game pipline --csv players.csv --begins 2027-01-15`
    """
    from pbem.match.game_names import find_game
    from pbem.running.league_rulings import open_league
    from rules.games import GAMES

    called = output.decode_argument(name).strip().lower()
    found = find_game(output.decode_argument(game) or called.partition("-3")[0])
    if found is None:
        raise BadInput(f"“{game or called}” is no game; say --game and one of {', '.join(GAMES)}.")
    seats = 3 if called == f"{found.key}-3" else seats
    with open_service(context) as service:
        opened = open_league(
            service,
            called,
            found,
            output.read_options(option or []),
            seats=seats,
            size=size,
            full=full,
            begins=_read_day(begins) if begins else None,
            players=_read_players(players, csv),
        )
    told = (
        f"The league {opened.contest.name} is open, with {output.counted(len(opened.entered), 'player', 'players')}."
        f" Season 1 begins on {opened.begins_at:%Y-%m-%d} if there are {opened.least} or more by then."
    )
    output.print_outcome(_as_object(opened), told, *([QUEUED] if opened.entered else []), json=json)


@league.command("enter")
def enter(context: typer.Context, name: Name, players: Players = None, csv: Table = None, json: Json = False) -> None:
    """Enter players into a league; each gets an email, and can leave it.

    Example: `pbem league enter pipline ann "Dora <dora@example.org>"`
    """
    from pbem.running.league_rulings import enter_players

    chosen = _read_players(players, csv)
    if not chosen:
        raise BadInput("Say who is to play: names, addresses, or --csv with a table of them.")
    with open_service(context) as service:
        found = enter_players(service, output.decode_argument(name), chosen)
    _print(found, f"{len(found.entered)} players are in the league {found.contest.name}.", json=json)


@league.command("pause")
def pause(
    context: typer.Context,
    name: Name,
    until: Annotated[str, typer.Argument(metavar="TIME|DATE", help="How long, as 10d; or the last day: 2026-12-24.")],
    json: Json = False,
) -> None:
    """Pause a league: no clock of its matches runs, and no season begins; “pbem league undo” ends it.

    Example: `pbem league pause pipline 2026-12-31`
    """
    from pbem.running.league_rulings import pause_league

    moment = read_end(output.decode_argument(until), output.now())
    with open_service(context) as service:
        found = pause_league(service, output.decode_argument(name), moment)
    told = f"The league {found.contest.name} is paused until {output.format_time_utc(moment)}."
    _print(found, told, json=json)


@league.command("extend")
def extend(
    context: typer.Context,
    name: Name,
    time: Annotated[str, typer.Argument(metavar="[TIME]", help="How much, such as 3d, for everyone.")] = "",
    begins: Annotated[str, typer.Option("--begins", metavar="DATE", help="When the next season begins.")] = "",
    json: Json = False,
) -> None:
    """Give everyone more time in each match of a season, or let the next season begin on another day.

    Example: `pbem league extend pipline 7d`
    """
    from pbem.running.league_rulings import extend_league, move_beginning

    if bool(time) == bool(begins):
        raise BadInput("Say either how much time everyone gets, such as 3d, or --begins and a day.")
    called = output.decode_argument(name)
    with open_service(context) as service:
        if begins:
            found = move_beginning(service, called, _read_day(begins))
            told = f"The next season of {found.contest.name} begins on {found.begins_at:%Y-%m-%d}."
        else:
            found = extend_league(service, called, read_time(output.decode_argument(time)))
            told = f"Everyone has {time} more in each match of {found.contest.name} that goes on."
    _print(found, told, json=json)


@league.command("replace")
def replace(
    context: typer.Context,
    name: Name,
    who: Who,
    newcomer: Annotated[str, typer.Argument(metavar="ADDRESS", help="Who plays on: an address, or a known name.")],
    json: Json = False,
) -> None:
    """Let somebody have a player's place in a season, and their seats in its matches that go on.

    Example: `pbem league replace pipline bob dora@example.org`
    """
    from pbem.running.league_rulings import replace_in_league

    player, heir = output.decode_argument(who), output.decode_argument(newcomer)
    with open_service(context) as service:
        found = replace_in_league(service, output.decode_argument(name), player, heir)
    _print(found, f"{newcomer} has the place of {who} in the league {found.contest.name}.", json=json)


@league.command("disqualify")
def disqualify(context: typer.Context, name: Name, who: Who, json: Json = False) -> None:
    """Take a player out of a league for good: opponents win what was played, and the rest if that was half of it.

    Example: `pbem league disqualify pipline bob`
    """
    from pbem.running.league_rulings import disqualify as take_out

    with open_service(context) as service:
        found = take_out(service, output.decode_argument(name), output.decode_argument(who))
    _print(found, f"{who} is out of the league {found.contest.name}.", json=json)


@league.command("undo")
def undo(
    context: typer.Context,
    name: Name,
    event: Event = None,
    json: Json = False,
) -> None:
    """Take back what you decided last in a league: a pause, more time, another day, a replacement, a disqualification.

    Example: `pbem league undo pipline`
    """
    from pbem.running.league_rulings import undo_last

    with open_service(context) as service:
        found, done = undo_last(service, output.decode_argument(name), event)
    _print(found, f"Taken back in the league {found.contest.name}: {done.kind}.", json=json)


def _read_players(players: list[str] | None, csv: str | None) -> list[str]:
    """Return the players who are named, or stand in a table. Raise BadFile or NoFile."""
    from pbem.cli.clubs.entrants import read_players
    from pbem.cli.email.texts import read_text

    named = [output.decode_argument(one) for one in players or ()]
    if csv is None:
        return named
    name = "Standard input" if csv == "-" else csv
    text, _ = read_text(output.read_bytes(csv, _LARGEST), name)
    return [*named, *read_players(text, name)]


def _read_day(text: str) -> datetime:
    """Return the beginning (UTC) of a day. Raise BadInput for what is none."""
    try:
        return datetime.strptime(output.decode_argument(text).strip(), "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise BadInput(f"“{text}” is no day; write one such as {output.now():%Y-%m-%d}.") from error


def _print(found: "League", sentence: str, *, json: bool) -> None:
    """Print what was done to a league."""
    output.print_outcome(_as_object(found), sentence, QUEUED, json=json)


def _as_object(found: "League") -> dict[str, Any]:
    """Return a league as JSON has it."""
    season = found.season
    return {
        "id": found.contest.id,
        "name": found.contest.name,
        "game": found.contest.game.key,
        "options": dict(found.contest.options),
        "seats": found.seats,
        "size": found.size,
        "full": found.full or None,
        "entered": list(found.entered),
        "seasons": len(found.seasons),
        "goes_on": season is not None,
        "divisions": [list(season.division_now(one)) for one in range(1, len(season.divisions) + 1)] if season else [],
        "begins": None if season else found.begins_at,
        "paused_until": found.paused,
    }


def _row_object(row: "Row", names: dict[int, str]) -> dict[str, Any]:
    """Return a line of a table as JSON has it."""
    return {
        "place": row.place,
        "shared": row.shared,
        "player": row.player,
        "name": names.get(row.player, ""),
        "points": row.points / 2,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "forfeited": row.forfeited,
        "void": row.void,
        "running": row.running,
        "sonneborn_berger": row.berger / 4,
    }


def _event_object(one: "ContestEvent", names: dict[int, str]) -> dict[str, Any]:
    """Return what the operator decided as JSON has it."""
    return {"id": one.id, "at": one.at, "kind": one.kind, "told": _tell_event(one, names), "undone_at": one.undone_at}


def _tell_event(one: "ContestEvent", names: dict[int, str]) -> str:
    """Return in a few words what the operator decided."""
    who, told = names.get(one.player or 0, str(one.player or "")), one.arguments
    if one.kind == "paused":
        return f"paused until {output.format_time_utc(datetime.fromisoformat(told['until']))}"
    if one.kind == "extended":
        return f"begins {told['begins'][:10]}" if "begins" in told else f"{told['seconds'] // 3600}h more for everyone"
    if one.kind == "replaced":
        return f"{names.get(one.other or 0, one.other)} for {who}"
    return f"{who} disqualified"


def _describe(found: "League", names: dict[int, str]) -> list[tuple[str, object]]:
    """Return what there is to say of a league, with its headings."""
    season = found.season
    begins = f"season {len(found.seasons) + 1} on {found.begins_at:%Y-%m-%d}, with at least {found.least} players"
    return [
        ("entered", ", ".join(names.get(one, str(one)) for one in found.entered) or "nobody"),
        (
            "goes on",
            f"season {season.number}, since {output.format_time_utc(season.begun_at)}" if season else "nothing",
        ),
        ("begins", "a week or more after the end of this season" if season else begins),
        ("paused until", output.format_time_utc(found.paused) if found.paused else ""),
    ]
