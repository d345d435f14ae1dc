"""Commands by which the operator decides about a match: who won, who plays, and what is taken back."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import output
from pbem.cli.matches.clock import QUEUED, MatchNumber, describe_entry, rule_on
from pbem.cli.output import Json, open_service
from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.commands.decision import MatchDecision
    from pbem.match.match import Match

Undo = Annotated[bool, typer.Option("--undo", help="Take it back: the match goes on.")]


def adjudicate(
    context: typer.Context,
    number: MatchNumber,
    winners: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME|SEAT…|draw", help="Who wins, each with their side; or the word draw."),
    ] = None,
    undo: Undo = False,
    json: Json = False,
) -> None:
    """Decide a match: say who has won it, or that it is a draw.

    Example: `pbem adjudicate 17 ann`
    """
    from pbem.commands.ruling import adjudicate, reinstate, seat_called

    named = [output.decode_argument(name) for name in winners or []]
    if undo == bool(named):
        raise BadInput("Say either who wins, such as ann or draw, or --undo.")

    def decide(match: "Match", now: datetime) -> "MatchDecision":
        if undo:
            return reinstate(match, "adjudicated", now)
        if [name.casefold() for name in named] == ["draw"]:
            return adjudicate(match, range(len(match.players)), now)
        winners = {seat_called(match, name) for name in named}
        if len(winners) == len(match.players):
            raise BadInput("Not everybody can have won: if nobody has lost, write draw.")
        return adjudicate(match, winners, now)

    _print(rule_on(context, number, decide), json=json)


def void(context: typer.Context, number: MatchNumber, undo: Undo = False, json: Json = False) -> None:
    """Call a match off, so that it counts for nobody."""
    from pbem.commands.ruling import call_off, reinstate

    decision = rule_on(
        context, number, lambda match, now: reinstate(match, "void", now) if undo else call_off(match, now)
    )
    _print(decision, json=json)


def replace(
    context: typer.Context,
    number: MatchNumber,
    seat: Annotated[str, typer.Argument(metavar="SEAT|NAME", help="Whose seat it is: a name, or a number from 1.")],
    newcomer: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="Who plays on: an address, “Ann <ann@…>”, or a known name.")
    ],
    json: Json = False,
) -> None:
    """Let another player have the seat of one who can't go on; the same with both names takes it back.

    Example: `pbem replace 17 bob dora@example.org`
    """
    from pbem.running.operator_rulings import seat_another

    with open_service(context) as service:
        who, player = output.decode_argument(seat), output.decode_argument(newcomer)
        decision = seat_another(service, number, who, player)
    _print(decision, json=json)


def resend(
    context: typer.Context,
    number: MatchNumber,
    who: Annotated[
        str | None,
        typer.Argument(
            metavar="[SEAT|NAME]", help="Who gets it: a name, an address, or a seat from 1; else who is to move."
        ),
    ] = None,
) -> None:
    """Send a player the board of a match again, as it stands: they have lost the email, or it never came.

    Example: `pbem resend 17`
    """
    from pbem.running.operator_rulings import send_present

    with open_service(context) as service:
        player = send_present(service, number, output.decode_argument(who) if who else None)
        with service.database.reading() as tx:
            bounces = [one for one in tx.players.bouncing() if one.email == player.email]
    back = [f"came back {one.times}, last on {output.format_time_utc(one.last)}" for one in bounces]
    output.print_text(
        f"An email with the board of match {number} as it is now is queued for {player.name}, at {player.email}"
        f"{''.join(f', where email {said}: it may not arrive' for said in back)}.",
        "“pbem run” (or “pbem deliver”) sends it.",
    )


def settle(
    context: typer.Context,
    number: Annotated[int, typer.Argument(metavar="ID", help="The number that “pbem doctor” and the email name.")],
) -> None:
    """Note that what a player has told you is settled: neither “pbem doctor” nor an email names it any more.

    The player isn't told; write to them as you like.
    """
    from pbem.running.operator_rulings import settle_report

    with open_service(context) as service:
        settle_report(service, number)
    output.print_text(f"{number} is settled.")


def rewind(
    context: typer.Context,
    number: MatchNumber,
    ply: Annotated[
        int | None, typer.Argument(metavar="[PLY]", help="How many entries stay, as “pbem show” numbers them.")
    ] = None,
    moves: Annotated[
        int | None, typer.Option("--moves", min=1, help="How many of the last moves are taken back instead.")
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Put back what was taken back last.")] = False,
    json: Json = False,
) -> None:
    """Take entries of a match back, resignations and lost time included, or put them back.

    Example: `pbem rewind 17 --moves 1`
    """
    from pbem.running.operator_rulings import put_back, take_back

    if (ply is not None) + (moves is not None) + undo != 1:
        raise BadInput("Say one of three: how many entries stay, --moves and how many are taken back, or --undo.")
    with open_service(context) as service:
        decision = put_back(service, number) if undo else take_back(service, number, ply, moves)
    _print(decision, json=json)


def _print(decision: "MatchDecision", *, json: bool) -> None:
    """Print how a match stands after a decision, and what the operator has to know about its dice."""
    from pbem.archive.standing import status
    from pbem.match.summary import summarise

    match, entry = decision.after, decision.log[0]
    if decision.before.outcome and not match.outcome and match.possible_rolls:
        output.warn(
            f"the secret of match {match.id} was published when it ended: anybody can work out its dice to come."
        )
    output.print_outcome(
        output.match_object(match),
        f"Match {match.id}: {describe_entry(entry, match)}.",
        f"{status(summarise(match), output.now())}, after {match.ply} {'entry' if match.ply == 1 else 'entries'}.",
        QUEUED,
        json=json,
    )
