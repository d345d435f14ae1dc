"""The command that erases all that says who a player is."""

import sys
from typing import Annotated

import typer

from pbem.cli import output
from pbem.cli.clock import QUEUED
from pbem.cli.output import Json, open_service
from pbem.errors import BadInput


def forget(
    context: typer.Context,
    who: Annotated[str, typer.Argument(metavar="ADDRESS|NAME", help="An address of the player, or their name.")],
    yes: Annotated[bool, typer.Option("--yes", help="Don’t ask whether it’s meant.")] = False,
    json: Json = False,
) -> None:
    """Erase who a player is: name, addresses, words, emails. They resign, and their moves stay.

    It can't be undone. Copies that you made of the database still have it all, and so does a block of an address.
    """
    from pbem.rulings import find_to_forget, forget_player

    with open_service(context) as service:
        player = find_to_forget(service, output.decode_argument(who))
        if not yes:
            if not sys.stdin.isatty():
                raise BadInput("This can’t be undone, and nobody can be asked here: say --yes if it is meant.")
            typer.confirm(
                output.make_printable(f"Forget {player.name} ({player.email}) for ever?"), abort=True, err=True
            )
        with service.database.reading() as tx:
            blocked = sorted(tx.blocked.among(player.emails))
        left = forget_player(service, player)
    if json:
        output.print_json({"id": player.id, "left": [match.id for match in left], "blocked": blocked})
        return
    numbers = ", ".join(str(match.id) for match in left)
    output.print_text(f"Player {player.id} is forgotten, and resigned in {f'match {numbers}' if left else 'no match'}.")
    for address in blocked:
        output.print_text(f"{address} stays blocked: “pbem unblock {address}” erases that too.")
    if left:
        typer.echo(QUEUED)
    typer.echo("The archive is written anew in its next pass.")
