"""Commands about matches and players."""

import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from pbem.cli import output
from pbem.cli.matches.clock import MatchNumber
from pbem.cli.matches.opening import open_sheet
from pbem.cli.output import All, Before, Json, Most, format_time, open_database, open_service, require_row
from pbem.errors import BadInput, DamagedMatch

if TYPE_CHECKING:
    from pbem.match.match import Match
    from pbem.storage.database import Transaction
    from pbem.storage.messages.records import BouncingAddress


class OpenCommand(TyperCommand):
    """The command that opens a match: its help ends with the games, which are imported when it is asked for."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write a section with the key and the options of every game."""
        from rules.games import GAMES

        with formatter.section("Games and their options"):
            options = [[f"{option.key} ({option.allowed})" for option in game.options] for game in GAMES.values()]
            formatter.write_dl([(key, "; ".join(known)) for key, known in zip(GAMES, options, strict=True)])
        with formatter.section("The clock, in every game"):
            formatter.write_dl(
                [
                    ("days", "days for each move: 7 if you say nothing; none for a match without a clock"),
                    ("bank, max", "or days for the whole match, and more for each move: bank=20d+1d max=20d"),
                    ("weekends", "free: Saturdays and Sundays don’t count; count"),
                    ("flag", "what happens when the time is up: claim, forfeit, remind-only, or in a team partner"),
                ]
            )


def open_match(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(help="Which game; they are listed below.", metavar="GAME")] = None,
    players: Annotated[
        list[str] | None,
        typer.Argument(help="Who plays, in the order of turns: addresses, “Ann <ann@…>”, or known names."),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game, such as size=9."),
    ] = None,
    private: Annotated[
        bool, typer.Option("--private", help="List it nowhere: only those who know the address of its page find it.")
    ] = False,
    csv: Annotated[
        str | None,
        typer.Option("--csv", metavar="FILE", help="Open all matches of a table; - is standard input."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="With --csv: only show what would be opened.")] = False,
    again: Annotated[
        bool, typer.Option("--again", help="With --csv: also what was opened just so within a day.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --csv: open them without asking.")] = False,
    json: Json = False,
) -> None:
    """Open a match and queue its first notices, or all matches of a table.

    Example: `pbem open zipline ann@example.org bob@example.org carl@example.org --option size=9`

    The first line of a table names its columns: game, player (one for each), private, options, and any option, such
    as size or days. Nothing is opened unless all lines are right.
    """
    if csv is not None:
        if game is not None or players or option or private:
            raise BadInput("With --csv, the table says which games, who plays, and with which options.")
        open_sheet(context, output.decode_argument(csv), dry_run=dry_run, again=again, yes=yes, json=json)
        return
    if game is None or not players:
        raise typer.BadParameter("say which game and who plays: pbem open zipline ann@example.org bob@example.org")
    if dry_run or again or yes:
        raise BadInput("--dry-run, --again and --yes go with --csv.")
    with open_service(context) as service:
        seated = [output.decode_argument(player) for player in players]
        with service.database.reading() as tx:
            last = max((player.id for player in tx.players.newest(limit=1)), default=0)
        match = service.open(output.decode_argument(game), seated, output.read_options(option or []), private=private)
        with service.database.reading() as tx:
            warnings = doubt_players(tx, seated, match, last)
    for warning in warnings:
        typer.echo(f"pbem: {output.make_printable(warning)}", err=True)
    if json:
        output.print_json(output.match_object(match))
        return
    names = ", ".join(f"{player.name} <{player.email}>" if player.email else player.name for player in match.players)
    output.print_text(f"{_name_kind(private)} {match.id} of {match.game.title} is open: {names}.")
    typer.echo("The first notices are queued: “pbem run” (or “pbem deliver”) sends them.")


def make_private(
    context: typer.Context,
    number: MatchNumber,
    undo: Annotated[bool, typer.Option("--undo", help="Make it public: everybody can find it.")] = False,
    json: Json = False,
) -> None:
    """Hide a match: the archive lists it nowhere, and only those who know the address of its page find it.

    Example: `pbem private 17`
    """
    from pbem.running.operator_rulings import set_private

    with open_service(context) as service:
        match = set_private(service, number, not undo)
        path, archive = match.page(service.site.secret), service.settings.archive_dir
        page = service.site.archive.address(path) or (f"{archive}/{path}" if archive else "")
    if json:
        output.print_json(output.match_object(match) | {"page": page or None})
        return
    output.print_text(f"Match {match.id} is {'private' if match.private else 'public'}.")
    if page:
        output.print_text(f"Its page, written by “pbem run” or “pbem archive”: {page}")


def _name_kind(private: bool) -> str:
    """Return what a match is called at the beginning of a sentence."""
    return "Private match" if private else "Match"


def doubt_players(tx: "Transaction", typed: list[str], match: "Match", last: int) -> list[str]:
    """Return a sentence for each player of a new match who may be another one than was ``typed``.

    Players with higher numbers than ``last`` are new with the match.
    """
    from pbem.mail.headers import split_named
    from pbem.mail.names import skeleton_of

    doubts = []
    for text, player in zip(typed, match.players, strict=True):
        name, email = split_named(text) if "@" in text else ("", "")
        if player.robot:
            continue
        if player.id > last:
            wanted = name or re.sub(r" \d+$", "", player.name)  # a name that is taken gets a number behind it
            looks = {skeleton_of(wanted), skeleton_of(player.name)} - {""}
            alike = [other for number, other in tx.players.named() if number <= last and skeleton_of(other) in looks]
            for other in filter(None, map(tx.players.find, alike[:3])):
                doubts.append(f"{other.name} is {other.email}; the new player {email} is called “{player.name}”.")
        elif name and name.casefold() != player.name.casefold():
            doubts.append(f"{email} is {player.name} here, so the match says {player.name}, not “{name}”.")
    return doubts


def list_matches(
    context: typer.Context,
    running: Annotated[bool, typer.Option("--running", help="Only those still running.")] = False,
    limit: Most = None,
    before: Before = None,
    everything: All = False,
    json: Json = False,
) -> None:
    """List the newest matches, the newest last."""
    from pbem.archive.standing import status

    most, now = output.choose_limit(limit, everything=everything, json=json), output.now()
    with open_database(context) as database, database.reading() as tx:
        matches = tx.matches.summaries(running=running, before=before, limit=most)
        more = tx.matches.count(running=running, before=matches[0].id) if matches else 0
        away = tx.put_away.among([match.id for match in matches])
    rows: list[tuple[object, ...]] = [
        (
            match.id,
            match.game.key,
            ", ".join(player.name for player in match.players),
            match.standing.moves_made,
            format_time(match.standing.changed_at),
            f"{'private: ' if match.private else ''}{'put away: ' if match.id in away else ''}{status(match, now)}",
        )
        if not isinstance(match, DamagedMatch)
        else (match.id, None, None, None, None, f"damaged: {match.what}")
        for match in matches
    ]
    columns = ["id", "game", "players", "moves", "last change (UTC)", "state"]
    objects = [output.summary_object(match, put_away=match.id in away) for match in matches]
    output.print_list(json, objects, "matches", columns, rows)
    if more and not json:
        output.print_more(matches[0].id, f"matches{' --running' if running else ''}", more)


def show(
    context: typer.Context,
    which: Annotated[str, typer.Argument(metavar="ID[#PLY]", help="The match; 17#5 is match 17 after five moves.")],
    json: Json = False,
) -> None:
    """Show a match: its board, its players and its moves."""
    from pbem.archive.standing import status
    from pbem.cli.matches.seat_offers import describe_offer, offer_object
    from pbem.match.summary import summarise
    from pbem.notices.board_block import explained_board
    from pbem.notices.sentences.match import describe_options

    found = re.fullmatch(r"(\d{1,9})(?:#(\d{1,6}))?", which.strip(), re.ASCII)
    if not found:
        raise BadInput(f"“{which}” is not a match: write its number, or number#moves, such as 17#5.")
    number = int(found[1])
    with open_database(context) as database, database.reading() as tx:
        match = require_row(tx.matches.get(number), "match", number, "matches")
        away = bool(tx.put_away.among([number]))
        offers = [(one, tx.players.get(one.player or 0)) for one in tx.seat_offers.alive_in(number)]
    plans = sum(plan is not None for plan in match.plans)  # what they say is their players’ alone
    if found[2] is not None:
        if int(found[2]) > match.ply:
            raise BadInput(f"Match {match.id} has {match.ply} moves so far, not {found[2]}.")
        # What was left on the clocks then is not known.
        match = match if int(found[2]) == match.ply else replace(match.at(int(found[2])), clock=None)
    if json:
        seats = [offer_object(match, one, asked) for one, asked in offers]
        output.print_json(output.match_object(match, record=True, put_away=away) | {"seat_offers": seats})
        return
    options = describe_options(match)
    output.print_text(f"{_name_kind(match.private)} {match.id}, {match.game.title}{f' ({options})' if options else ''}")
    for seat, player in enumerate(match.players):
        role = match.position.roles()[seat]
        output.print_text(
            f"  {seat + 1}. {player.name}{f' <{player.email}>' if player.email else ''}{f', {role}' if role else ''}"
        )
    output.print_text(f"\n{explained_board(match.position.view())}\n{status(summarise(match), output.now())}.")
    if away:
        output.print_text("It’s put away, since nobody has written for very long: a reply takes it up again.")
    for one, asked in offers if match.outcome is None else ():
        output.print_text(describe_offer(match, one, asked))
    if plans:
        output.print_text(f"Plans kept by its players: {plans}.")
    for ply, entry in enumerate(match.record, 1):
        output.print_text(f"{ply:>4}  {match.name(entry.seat) if entry.seat is not None else 'roll'}: {entry.text}")


def list_players(
    context: typer.Context,
    limit: Most = None,
    before: Before = None,
    everything: All = False,
    json: Json = False,
) -> None:
    """List the newest players and their addresses, the newest last, and the addresses from which email comes back."""
    most = output.choose_limit(limit, everything=everything, json=json)
    with open_database(context) as database, database.reading() as tx:
        players = tx.players.newest(before=before, limit=most)
        more = tx.players.count(before=players[0].id) if players else 0
        bouncing = tx.players.bouncing()
        blocked = tx.blocked.among(address for one in players for address in one.emails)
    bounced: dict[int, list[BouncingAddress]] = defaultdict(list)
    for each in bouncing:
        bounced[each.player].append(each)
    objects: list[dict[str, Any]] = []
    rows: list[tuple[object, ...]] = []
    for one in players:
        bounces, is_blocked = bounced.get(one.id, []), bool(one.emails) and one.emails <= blocked
        objects.append(
            {
                "id": one.id,
                "name": one.name,
                "address": one.email,
                "addresses": sorted(one.emails),
                "display": one.preferences.display,
                "mails": one.preferences.mails,
                "quiet": one.preferences.muted,
                "blocked": is_blocked,
                "robot": one.robot or None,
                "forgotten": one.forgotten and one.merged_into is None,
                "merged_into": one.merged_into,
                "bounced": [
                    {"address": each.email, "soft": each.soft, "hard": each.hard, "last_at": each.last}
                    for each in bounces
                ],
            }
        )
        came_back = "; ".join(
            f"{'' if each.email == one.email else each.email} {each.times}, last on {format_time(each.last)}".strip()
            for each in bounces
        )
        boards = "blocked" if is_blocked else "no emails" if one.preferences.muted else one.preferences.display
        gone = "forgotten" if one.merged_into is None else f"merged into {one.merged_into}"
        shown = gone if one.forgotten else f"robot, strength {one.robot}" if one.robot else boards
        rows.append((one.id, one.name, one.email, shown, *([came_back] if bounced else [])))
    columns = ["id", "name", "address", "boards", *(["email came back (UTC)"] if bounced else [])]
    output.print_list(json, objects, "players", columns, rows)
    if more and not json:
        output.print_more(players[0].id, "players", more)


def export(
    context: typer.Context,
    number: Annotated[int, typer.Argument(metavar="ID", help="The match.")],
    file: Annotated[Path | None, typer.Option("--output", help="Write to this file.")] = None,
) -> None:
    """Print the record of a match as text, complete enough to replay it, and signed."""
    from pbem.match.records import record_text
    from pbem.match.signature import sign_record

    settings = output.load_settings(context, "secret")
    with open_database(context) as database, database.reading() as tx:
        match = require_row(tx.matches.get(number, checked=True), "match", number, "matches")
    text = sign_record(record_text(match), settings.secret)
    if file:
        file.write_text(text, encoding="utf-8")
    else:
        output.print_bytes(text.encode())  # the same bytes in every locale
