"""Commands about matches."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import output
from pbem.cli.game_help import OpenCommand
from pbem.cli.lists import All, Before, Limit, Page, by_status, check_status, print_list
from pbem.cli.matches.clock import MatchNumber
from pbem.cli.output import GameOptions, Json, open_database, open_service, require_row
from pbem.errors import BadInput, DamagedMatch

if TYPE_CHECKING:
    from pbem.match.summary import MatchSummary


_STATUSES = ("running", "over")
_OPTION = re.compile("[a-z]+=[^@]*$", re.IGNORECASE)  # an address may have = in it, too


CLASSES = {"open_match": OpenCommand}
"""The classes of commands that are more than others."""


def open_match(
    context: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(help="Which game; “pbem open zipline --help” is about that one alone.", metavar="GAME"),
    ] = None,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            help="Who plays, in the order of turns: addresses, “Ann <ann@…>”, or known names; and options, such as"
            " size=9 or days=3."
        ),
    ] = None,
    option: GameOptions = None,
    private: Annotated[
        bool, typer.Option("--private", help="List it nowhere: only those who know the address of its page find it.")
    ] = False,
    rated: Annotated[bool, typer.Option("--rated", help="Let it count for the ratings of its players.")] = False,
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

    Example: `pbem open zipline ann@example.org bob@example.org carl@example.org size=9`

    The first line of a table names its columns: game, player (one for each), private, rated, options, and any option,
    such as size or days. Nothing is opened unless all lines are right.
    """
    from pbem.cli.matches.opening import NOTICES_QUEUED, doubt_players, doubt_robots, open_sheet

    if csv is not None:
        if game is not None or players or option or private or rated:
            raise BadInput("With --csv, the table says which games, who plays, and with which options.")
        open_sheet(context, output.decode_argument(csv), dry_run=dry_run, again=again, yes=yes, json=json)
        return
    if game is None or not players:
        raise typer.BadParameter("say which game and who plays: pbem open zipline ann@example.org bob@example.org")
    if dry_run or again or yes:
        raise BadInput("--dry-run, --again and --yes go with --csv.")
    with open_service(context) as service:
        typed = [output.decode_argument(word) for word in players]
        options = [*filter(_OPTION.match, typed), *(option or [])]
        seated = [word for word in typed if not _OPTION.match(word)]
        with service.database.reading() as tx:
            last = max((player.id for player in tx.players.newest(limit=1)), default=0)
        chosen = output.read_options(options)
        match = service.open(output.decode_argument(game), seated, chosen, private=private, rated=rated)
        with service.database.reading() as tx:
            warnings = doubt_players(tx, seated, match, last) + doubt_robots(match)
    output.warn(*warnings)
    names = ", ".join(f"{player.name} <{player.email}>" if player.email else player.name for player in match.players)
    told = f"{_name_kind(private)} {match.id} of {match.game.title} is open: {names}."
    output.print_outcome(output.match_object(match), told, NOTICES_QUEUED, json=json)


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
    output.print_outcome(
        output.match_object(match) | {"page": page or None},
        f"Match {match.id} is {'private' if match.private else 'public'}.",
        page and f"Its page, written by “pbem run” or “pbem archive”: {page}",
        json=json,
    )


def _name_kind(private: bool) -> str:
    """Return what a match is called at the beginning of a sentence."""
    return "Private match" if private else "Match"


def list_matches(
    context: typer.Context,
    status: Annotated[str | None, by_status(_STATUSES)] = None,
    limit: Limit = None,
    before: Before = None,
    everything: All = False,
    json: Json = False,
) -> None:
    """List matches, the newest first."""
    check_status(status, _STATUSES)
    page, now = Page(limit, before, everything, json), output.now()
    running = None if status is None else status == "running"
    with open_database(context) as database, database.reading() as tx:
        matches, has_older = page.read(tx.matches.summaries, running=running)
        away = tx.put_away.among([match.id for match in matches])
    print_list(
        [(match, match.id in away) for match in matches],
        "matches",
        lambda one: output.summary_object(one[0], put_away=one[1]),
        [
            "id",
            "game",
            ("players", lambda one: _name_players(one[0])),
            ("moves", lambda one: None if isinstance(one[0], DamagedMatch) else one[0].standing.moves_made),
            ("last change (UTC)", "changed_at"),
            ("status", lambda one: _describe_state(*one, now)),
        ],
        json=json,
        has_older=has_older,
        command=f"matches{f' --status {status}' if status else ''}",
    )


def _name_players(match: "MatchSummary | DamagedMatch") -> list[str]:
    """Return who plays, as far as that is known."""
    return [] if isinstance(match, DamagedMatch) else [player.name for player in match.players]


def _describe_state(match: "MatchSummary | DamagedMatch", put_away: bool, now: datetime) -> str:
    """Return how a match stands, or what is wrong with it."""
    from pbem.archive.standing import status

    if isinstance(match, DamagedMatch):
        return f"damaged: {match.what}"
    return f"{'private: ' if match.private else ''}{'put away: ' if put_away else ''}{status(match, now)}"


def show(
    context: typer.Context,
    which: Annotated[str, typer.Argument(metavar="ID[#PLY]", help="The match; 17#5 is match 17 after five moves.")],
    json: Json = False,
) -> None:
    """Show a match: its board, its players and its moves."""
    from pbem.archive.standing import status
    from pbem.cli.matches.offers import describe_offer, offer_object
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
            raise BadInput(f"Match {match.id} has {match.ply} move{'s' * (match.ply != 1)} so far, not {found[2]}.")
        # What was left on the clocks then is not known.
        match = match if int(found[2]) == match.ply else replace(match.at(int(found[2])), clock=None)
    if json:
        seats = [offer_object(match, one, asked) for one, asked in offers]
        own = [{"seat": one.seat, "player": one.player.name} for one in match.seconds]
        output.print_json(
            output.match_object(match, record=True, put_away=away) | {"seat_offers": seats, "seconds": own}
        )
        return
    options = describe_options(match)
    told = f" ({options})" if options else ""
    output.print_text(f"{_name_kind(match.private)} {match.id}, {match.game.title}{told}{', rated' * match.rated}")
    for seat, (player, role) in enumerate(zip(match.players, match.position.roles(), strict=True), 1):
        email = f" <{player.email}>" if player.email else ""
        output.print_text(f"  {seat}. {player.name}{email}{f', {role}' if role else ''}")
        if voting := match.name_seconds([seat - 1]):
            output.print_text(f"     Its moves are voted on by {', '.join(voting)}, too.")
    output.print_text(f"\n{explained_board(match.position.view())}\n{status(summarise(match), output.now())}.")
    if away:
        output.print_text("It’s put away, since nobody has written for very long: a reply takes it up again.")
    for one, asked in offers if match.outcome is None else ():
        output.print_text(describe_offer(match, one, asked))
    if plans:
        output.print_text(f"Plans kept by its players: {plans}.")
    for ply, entry in enumerate(match.record):
        name = "roll" if entry.seat is None else match.name_at(entry.seat, ply)
        output.print_text(f"{ply + 1:>4}  {name}: {entry.text}")


def export(
    context: typer.Context,
    number: Annotated[int | None, typer.Argument(metavar="[ID]", help="The match.")] = None,
    file: Annotated[Path | None, typer.Option("--output", help="Write to this file, else print it.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="All that the archive shows to anybody, as lines of JSON.")
    ] = False,
) -> None:
    """Print the record of a match as text, complete enough to replay it, and signed; or everything that is public.

    “pbem archive --from FILE” makes an archive of what --all has written.
    """
    if everything == (number is not None):
        raise BadInput("Say which match, or --all for everything that is public.")
    parts = _write_everything(context) if number is None else [_write_record(context, number)]
    if file:
        with file.open("wb") as written:
            written.writelines(parts)
    else:
        for part in parts:
            output.print_bytes(part)  # the same bytes in every locale


def _write_record(context: typer.Context, number: int) -> bytes:
    """Return the signed record of a match."""
    from pbem.match.records import record_text
    from pbem.match.signature import sign_record

    settings = output.load_settings(context, "secret")
    with open_database(context) as database, database.reading() as tx:
        match = require_row(tx.matches.get(number, checked=True), "match", number, "matches")
    return sign_record(record_text(match), settings.secret).encode()


def _write_everything(context: typer.Context) -> Iterator[bytes]:
    """Bring the archive up to date, and yield all that anybody can find there."""
    from pbem.archive.lock import building
    from pbem.archive.whole import write_lines

    with open_service(context, "archive_dir") as service:
        service.write_archive()
        directory = Path(service.settings.archive_dir)
        with building(directory):
            yield from map(str.encode, write_lines(directory))
