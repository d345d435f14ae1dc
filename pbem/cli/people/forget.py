"""The command that erases all that says who a player is."""

from typing import Annotated

import typer

from pbem.cli import output
from pbem.cli.matches.clock import QUEUED
from pbem.cli.output import Json, Yes, open_service


def forget(
    context: typer.Context,
    who: Annotated[str, typer.Argument(metavar="ADDRESS|NAME", help="An address, or a player’s name.")],
    yes: Yes = False,
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
            called = f"{player.name} ({player.email})" if player else f"{stranger}, who doesn’t play here,"
            output.confirm(f"Forget {called} for ever?")
        with service.database.reading() as tx:
            blocked = sorted(tx.blocked.among(player.emails if player else [stranger]))
        left = forget_player(service, player) if player else []
        if stranger:
            forget_stranger(service, stranger)
    numbers, told = [match.id for match in left], ""
    if player:
        resigned = f"match {', '.join(map(str, numbers))}" if left else "no match"
        told = f"Player {player.id} is forgotten, and resigned in {resigned}."
    output.print_outcome(
        {"id": player.id if player else None, "left": numbers, "blocked": blocked},
        told or "That address doesn’t play here. It’s forgotten, and follows no match any more.",
        *(f"{address} stays blocked: “pbem unblock {address}” erases that too." for address in blocked),
        QUEUED if left else "",
        "The archive is written anew in its next pass." if player else "",
        json=json,
    )
