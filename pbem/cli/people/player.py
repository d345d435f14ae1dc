"""Commands about one player: their name, their addresses, two who are one person, and one who is to be forgotten."""

from collections.abc import Iterator
from typing import Annotated

import typer

from pbem.cli import output
from pbem.cli.group import make_group
from pbem.cli.matches.clock import QUEUED
from pbem.cli.output import Json, Yes, counted, make_service, open_service
from pbem.errors import BadInput

Who = Annotated[
    str, typer.Argument(metavar="NAME|ADDRESS|NUMBER", help="A player, by name, address, or number in “pbem players”.")
]

player = make_group("Change a player: rename them, change their addresses, merge two who are one person.")


@player.command("rename")
def rename(
    context: typer.Context,
    who: Who,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name from now on.")],
    json: Json = False,
) -> None:
    """Give a player another name, and tell them: emails to come and all pages show it.

    Example: `pbem player rename ann "Anna Lee"`
    """
    from pbem.running.operator_rulings import rename_player

    with open_service(context) as service:
        before, after = rename_player(service, output.decode_argument(who), output.decode_argument(name))
    told = "They are unsubscribed, so no email tells them." if after.preferences.muted else "An email tells them."
    output.print_outcome(
        {"id": after.id, "before": before.name, "name": after.name},
        f"Player {after.id} is called {after.name} already."
        if before.name == after.name
        else f"Player {after.id}, {before.name}, is called {after.name} now. {told}",
        json=json,
    )


@player.command("address")
def change_addresses(
    context: typer.Context,
    who: Who,
    add: Annotated[list[str] | None, typer.Option("--add", metavar="ADDRESS", help="They write from it, too.")] = None,
    remove: Annotated[
        list[str] | None, typer.Option("--remove", metavar="ADDRESS", help="What comes from it isn’t theirs any more.")
    ] = None,
    main: Annotated[str, typer.Option("--main", metavar="ADDRESS", help="Their emails go there; new or known.")] = "",
    json: Json = False,
) -> None:
    """Change the addresses of a player; each address is told of it by email, also one that is removed.

    What they were sent can still be answered, from the addresses that they have then.

    Example: `pbem player address ann --main anna@example.org --remove ann@example.com`
    """
    from pbem.mail.headers import to_address
    from pbem.running.operator_rulings import change_player_addresses

    if not (add or remove or main):
        raise BadInput("Say what is to change: --add, --remove or --main, each with an address.")
    with open_service(context) as service:
        done = change_player_addresses(
            service,
            output.decode_argument(who),
            add=[output.decode_argument(one) for one in add or ()],
            remove=[output.decode_argument(one) for one in remove or ()],
            main=output.decode_argument(main),
        )
        with service.database.reading() as tx:
            found = tx.inbound.latest(addresses=done.added, status="rejected") if done.added else []
    held = [message for message in found if message.reason == "unknown_address"]
    now = done.player
    if json:
        output.print_json(
            {
                "id": now.id,
                "name": now.name,
                "address": now.email,
                "addresses": sorted(now.emails),
                "added": list(done.added),
                "removed": list(done.removed),
                "redirected": done.redirected,
                "boards": done.shown,
                "held": [message.id for message in held],
            }
        )
        return
    others = sorted(now.emails - {now.email})
    also = f", and they can write from {', '.join(others)}" if others else ""
    changed = done.added or done.removed or done.moved
    output.print_text(f"Emails to {now.name} {'go' if changed else 'went already'} to {now.email}{also}.")
    for one in remove or ():
        if to_address(one) not in done.removed:
            output.print_text(f"{one} is none of their addresses.")
    if not changed:
        output.print_text("Nothing has changed.")
        return
    output.print_text(*_tell_sent(done.redirected, done.shown))
    typer.echo("Each address that this concerns gets an email about it.")
    for message in held:
        at = output.format_time_utc(message.received_at)
        output.print_text(f"{message.sender} wrote at {at}: “pbem inbound retry {message.id}” carries that out.")
    if done.removed:
        output.print_text(f"If somebody else reads {done.removed[0]}, let {now.name} reply “new address” to an email.")


@player.command("merge")
def merge(
    context: typer.Context,
    old: Annotated[str, typer.Argument(metavar="OLD", help="Who is the same person: a name, an address, a number.")],
    into: Annotated[str, typer.Argument(metavar="INTO", help="Who stays, and gets all that the other one has.")],
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Make two players one: INTO gets the matches and addresses of OLD, and both are told.

    It can't be undone. INTO's name, main address and settings stay. Answers to what OLD was sent still count.

    Example: `pbem player merge "Ann 2" Ann`
    """
    from pbem.running.operator_rulings import find_player, merge_players

    with open_service(context) as service:
        first, second = output.decode_argument(old), output.decode_argument(into)
        with service.database.reading() as tx:
            gone, kept = find_player(tx, first), find_player(tx, second)
            lost = {address.email for address in tx.players.bouncing() if address.unreachable}
        done = None
        if kept.id not in (gone.id, gone.merged_into):
            if not yes:
                with service.database.rehearsal() as database:  # what can’t be is not asked about
                    count = len(merge_players(make_service(service.settings, database), first, second).matches)
                output.confirm(
                    f"Make {gone.name} ({gone.email}; {counted(count, 'match', 'matches')}) the same player as"
                    f" {kept.name} ({kept.email}) for ever?"
                )
            done = merge_players(service, first, second)
    if json:
        output.print_json({"id": kept.id, "merged": gone.id, "matches": list(done.matches) if done else []})
        return
    if done is None:
        output.print_text(f"They are one player already: {kept.name}, player {kept.id}.")
        return
    numbers = f"match{'' if len(done.matches) == 1 else 'es'} {', '.join(map(str, done.matches))}"
    output.print_text(
        f"{gone.name}, player {gone.id}, is {kept.name}, player {kept.id}, now, with"
        f" {numbers if done.matches else 'no more matches'}."
    )
    output.print_text(*_tell_sent(done.redirected, done.shown))
    if gone.preferences.muted and not kept.preferences.muted:
        output.print_text(f"{gone.name} had unsubscribed, and {kept.name} has not: emails about all matches come.")
    if kept.email in lost:
        output.print_text(f"Email to {kept.email} comes back: “pbem player address {kept.id} --main …” names another.")
    typer.echo(f"Both addresses get an email about it. The archive is written anew in its next pass.\n{QUEUED}")


def _tell_sent(redirected: int, shown: int) -> Iterator[str]:
    """Yield how many emails go to the address that a player has now."""
    if redirected:
        yield f"{counted(redirected, 'email that waited goes', 'emails that waited go')} there now."
    if shown:
        yield f"The board of {counted(shown, 'match', 'matches')} in which it’s their turn goes there."


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
