"""Commands that block senders, and let them write again."""

from collections import defaultdict
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import output
from pbem.cli.lists import print_list
from pbem.cli.output import Json, load_settings, open_database
from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.match.player import Player
    from pbem.settings.model import Settings
    from pbem.storage.transaction import Transaction

Who = Annotated[str, typer.Argument(metavar="ADDRESS|NAME", help="An address, a player, or a domain: @example.org.")]


def block(
    context: typer.Context,
    who: Who,
    note: Annotated[str, typer.Option("--note", help="Why, for yourself.")] = "",
) -> None:
    """Block an address, all addresses of a player, or a domain: what comes from there is neither read nor answered.

    Blocking ann@example.org also blocks every ann+…@example.org. A domain doesn't include its subdomains.
    """
    settings = load_settings(context)
    with open_database(context) as database, database.transaction() as tx:
        senders = _read_senders(tx, output.decode_argument(who))
        for sender in senders:
            _refuse_own(sender, settings)
        text = output.decode_argument(note)
        added = [sender for sender in senders if tx.blocked.add(sender, text, output.now())]
        for sender in senders if text else ():
            tx.blocked.set_note(sender, text)
        owners = _find_owners(tx)
        told = [line for player in _join(owners, senders) for line in _block_player(tx, player)]
    for sender in senders:
        how = "blocked" if sender in added else "blocked already"
        output.print_text(f"{sender} is {how}: nothing that comes from there is read or answered.")
    output.print_text(*told)


def unblock(context: typer.Context, who: Who) -> None:
    """Lift the block of an address, of all addresses of a player, or of a domain."""
    with open_database(context) as database, database.transaction() as tx:
        senders = _read_senders(tx, output.decode_argument(who))
        lifted = [sender for sender in senders if tx.blocked.remove(sender)]
        still = sorted(sender for sender in senders if not sender.startswith("@") and tx.blocked.has(sender))
        if still:
            domain = f"@{still[0].partition('@')[2]}"
            raise BadInput(f"{still[0]} is blocked with its domain: “pbem unblock {domain}” unblocks all of it.")
        if not lifted:
            are = "is" if len(senders) == 1 else "are"
            raise BadInput(f"{' and '.join(senders)} {are} not blocked; “pbem blocked” lists who is.")
        silent = [player for player in _join(_find_owners(tx), lifted) if player.preferences.muted]
        told = [_describe_silent(tx, player) for player in silent]
    for sender in lifted:
        output.print_text(f"{sender} is no longer blocked. What came from there in the meantime stays unread.")
    output.print_text(*told)


def _describe_silent(tx: "Transaction", player: "Player") -> str:
    """Return what ends the silence of a player who is muted, and had a block lifted."""
    from pbem.mail.headers import domain_of, mailbox_of

    if player.emails - tx.blocked.among(player.emails):
        return f"{player.name} gets no emails until they move, or reply with “resume”: please tell them so."
    own = {name for email in player.emails for name in (mailbox_of(email), f"@{domain_of(email)}")}
    left = [one.sender for one in tx.blocked.all() if one.sender in own]
    return f"{player.name} is still blocked with {' and '.join(left)}: “pbem unblock {left[0]}” lifts that too."


def list_blocked(context: typer.Context, json: Json = False) -> None:
    """List the addresses and domains that are blocked, and whose they are."""
    with open_database(context) as database, database.reading() as tx:
        blocked, owners = tx.blocked.all(), _find_owners(tx)
    print_list(
        blocked,
        "blocked addresses",
        lambda one: {
            "id": one.sender,
            "players": [player.name for player in _join(owners, [one.sender])],
            "blocked_at": one.at,
            "note": one.note,
        },
        [("address", "id"), "players", ("since (UTC)", "blocked_at"), "note"],
        json=json,
    )


def _read_senders(tx: "Transaction", who: str) -> list[str]:
    """Return the mailboxes, or the domain, that ``who`` names; raises BadInput."""
    from pbem.mail.headers import mailbox_of, normal_address, split_named

    text = who.strip()
    if text.startswith("@"):
        return [normal_address(f"anybody{text}").removeprefix("anybody")]
    if "@" in text:
        return [mailbox_of(split_named(text)[1])]
    if player := tx.players.find(text):
        return sorted({mailbox_of(address) for address in player.emails})
    raise BadInput(f"Nobody here is called “{who}”. Give an address, such as ann@example.org, or @example.org.")


def _refuse_own(sender: str, settings: "Settings") -> None:
    """Raise BadInput for a sender that would be the service itself, or its operator."""
    from pbem.mail.headers import domain_of, mailbox_of

    for name, own in (("service", settings.address), ("operator", settings.operator)):
        if own and sender in (mailbox_of(own), f"@{domain_of(own)}"):
            raise BadInput(f"“{sender}” would block {own}, the address of the {name} itself.")


def _find_owners(tx: "Transaction") -> dict[str, list["Player"]]:
    """Return the players of every mailbox, and of every domain."""
    from pbem.mail.headers import domain_of, mailbox_of

    owners: dict[str, list[Player]] = defaultdict(list)
    for player in tx.players.all():
        for address in player.emails:
            owners[mailbox_of(address)].append(player)
            owners[f"@{domain_of(address)}"].append(player)
    return owners


def _join(owners: dict[str, list["Player"]], senders: list[str]) -> list["Player"]:
    """Return the players who have an address of one of ``senders``, each once, oldest first."""
    found = {player.id: player for sender in senders for player in owners.get(sender, ())}
    return [found[number] for number in sorted(found)]


def _block_player(tx: "Transaction", player: "Player") -> list[str]:
    """Mute a player all of whose addresses are blocked; return what the operator has to know about them."""
    if open_ones := sorted(player.emails - tx.blocked.among(player.emails)):
        return [
            f"{player.name} can still write from {', '.join(open_ones)}: “pbem block {player.name}” stops that too."
        ]
    tx.players.set_preference(player, "muted", True)
    numbers = [str(match.id) for match in tx.matches.all(player=player.id, running=True)]
    if not numbers:
        return [f"{player.name} gets no more email; they aren't playing in any match."]
    seats = f"match{'es' if len(numbers) > 1 else ''} {', '.join(numbers)}"
    return [
        f"{player.name} gets no more email. They have a seat in {seats}, where the others are waiting for their moves"
        " and have been told nothing."
    ]
