"""The command that erases all that says who a player is."""

import sys
from typing import Annotated

import typer

from pbem.cli import output
from pbem.cli.matches.clock import QUEUED
from pbem.cli.output import Json, open_service
from pbem.errors import BadInput


def forget(
    context: typer.Context,
    who: Annotated[str, typer.Argument(metavar="ADDRESS|NAME", help="An address, or a player’s name.")],
    yes: Annotated[bool, typer.Option("--yes", help="Don’t ask whether it’s meant.")] = False,
    json: Json = False,
) -> None:
    """Erase who a player is: name, addresses, words, emails. They resign, and their moves stay.

    Of somebody who doesn't play, but follows a match or wrote, the address and the emails are erased.
    It can't be undone. Copies that you made of the database still have it all, and so does a block of an address.
    """
    from pbem.running.operator_rulings import find_stranger, find_to_forget, forget_player, forget_stranger

    with open_service(context) as service:
        text = output.decode_argument(who)
        stranger = find_stranger(service, text)
        player = None if stranger else find_to_forget(service, text)
        if not yes:
            if not sys.stdin.isatty():
                raise BadInput("This can’t be undone, and nobody can be asked here: say --yes if it is meant.")
            called = f"{player.name} ({player.email})" if player else f"{stranger}, who doesn’t play here,"
            typer.confirm(output.make_printable(f"Forget {called} for ever?"), abort=True, err=True)
        with service.database.reading() as tx:
            blocked = sorted(tx.blocked.among(player.emails if player else [stranger]))
        left = forget_player(service, player) if player else []
        if stranger:
            forget_stranger(service, stranger)
    if json:
        output.print_json(
            {"id": player.id if player else None, "left": [match.id for match in left], "blocked": blocked}
        )
        return
    if player:
        numbers = ", ".join(str(match.id) for match in left)
        resigned = f"resigned in {f'match {numbers}' if left else 'no match'}"
        output.print_text(f"Player {player.id} is forgotten, and {resigned}.")
    else:
        output.print_text("That address doesn’t play here. It’s forgotten, and follows no match any more.")
    for address in blocked:
        output.print_text(f"{address} stays blocked: “pbem unblock {address}” erases that too.")
    if player is None:
        return
    if left:
        typer.echo(QUEUED)
    typer.echo("The archive is written anew in its next pass.")
