"""The command that lists matches to be: invitations, and offers to whoever comes first."""

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import output
from pbem.cli.output import Json, open_database

if TYPE_CHECKING:
    from pbem.match.invitation import Guest, Invitation


def list_offers(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Also those that have ended, the newest 200.")] = False,
    json: Json = False,
) -> None:
    """List open invitations and offers: who proposes what, to whom, and who has answered.

    Addresses of people who don't play here are shown while an invitation is open, and kept no longer.
    """
    with open_database(context) as database, database.reading() as tx:
        found = tx.invitations.latest(_MOST) if everything else tx.invitations.open()
        names = dict(tx.players.named())
    output.print_list(
        found,
        "open invitations or offers" if not everything else "invitations or offers",
        lambda one: {
            "id": one.id,
            "kind": one.kind,
            "state": one.state,
            "game": one.game.key,
            "options": dict(one.options),
            "both_sides": one.both,
            "private": one.private,
            "inviter": names.get(one.inviter, ""),
            "guests": [{"who": _name(guest, names), "state": guest.state} for guest in one.guests],
            "again": one.match,
            "created_at": one.created_at,
            "expires_at": one.expires_at,
        },
        [
            ("number", "id"),
            ("game", lambda one: f"{one.game.key}{', both sides' if one.both else ''}"),
            "options",
            ("proposed by", "inviter"),
            ("to", lambda one: _tell_guests(one, names)),
            "state",
            ("until (UTC)", "expires_at"),
        ],
        json=json,
    )


_MOST = 200


def _tell_guests(invitation: "Invitation", names: dict[int, str]) -> str:
    """Return who is invited besides the inviter, and what became of that."""
    others = [guest for guest in invitation.guests if guest.player != invitation.inviter]
    return ", ".join(f"{_name(guest, names)} ({guest.state})" if _name(guest, names) else "anybody" for guest in others)


def _name(guest: "Guest", names: dict[int, str]) -> str:
    """Return who a guest is: a player's name, or the address of a stranger while it is kept."""
    return names.get(guest.player, "") if guest.player is not None else guest.email
