"""What the operator sees of offers: matches to be, and seats that are offered or lent."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli.lists import All, Before, Limit, Page, by_status, check_status, print_list
from pbem.cli.output import Json, format_time, open_database

if TYPE_CHECKING:
    from pbem.match.invitation import Guest, Invitation, InvitationState
    from pbem.match.match import Match
    from pbem.match.player import Player
    from pbem.storage.seat_offers import SeatOffer

_STATUSES: "tuple[InvitationState, ...]" = (
    *("open", "agreed", "opened", "declined", "cancelled", "expired", "failed"),
)


def list_offers(
    context: typer.Context,
    status: Annotated[str | None, by_status(_STATUSES)] = None,
    limit: Limit = None,
    before: Before = None,
    everything: All = False,
    json: Json = False,
) -> None:
    """List invitations and offers, the newest first: who proposes what, to whom, and who has answered.

    Addresses of people who don't play here are shown while an invitation is open, and kept no longer.
    """
    check_status(status, _STATUSES)
    with open_database(context) as database, database.reading() as tx:
        found, has_older = Page(limit, before, everything, json).read(tx.invitations.listed, state=status)
        names = dict(tx.players.named())
    print_list(
        found,
        "invitations or offers",
        lambda one: {
            "id": one.id,
            "kind": one.kind,
            "status": one.state,
            "game": one.game.key,
            "options": dict(one.options),
            "both_sides": one.both,
            "private": one.private,
            "rated": one.rated,
            "reliable": one.reliable or None,
            "inviter": names.get(one.inviter, ""),
            "guests": [{"who": _name(guest, names), "status": guest.state} for guest in one.guests],
            "again": one.match,
            "created_at": one.created_at,
            "expires_at": one.expires_at,
        },
        [
            "id",
            ("game", lambda one: f"{one.game.key}{', both sides' if one.both else ''}"),
            "options",
            ("proposed by", "inviter"),
            ("to", lambda one: _tell_guests(one, names)),
            "status",
            ("until (UTC)", "expires_at"),
        ],
        json=json,
        has_older=has_older,
        command=f"offers{f' --status {status}' if status else ''}",
    )


def _tell_guests(invitation: "Invitation", names: dict[int, str]) -> str:
    """Return who is invited besides the inviter, and what became of that."""
    others = [guest for guest in invitation.guests if guest.player != invitation.inviter]
    return ", ".join(f"{_name(guest, names)} ({guest.state})" if _name(guest, names) else "anybody" for guest in others)


def _name(guest: "Guest", names: dict[int, str]) -> str:
    """Return who a guest is: a player's name, or the address of a stranger while it is kept."""
    return names.get(guest.player, "") if guest.player is not None else guest.email


def offer_object(match: "Match", offer: "SeatOffer", player: "Player | None") -> dict[str, Any]:
    """Return the JSON object of an offer to ``player``, None for a stranger; seats count from 0."""
    return {
        "id": offer.id,
        "seat": offer.seat,
        "by": match.name(offer.by) if offer.state != "standing" else None,
        "to": player.name if player else None,
        "address": player.email if player else offer.email,
        "until": offer.until,
        "status": offer.state,
        "asked_at": offer.asked_at,
    }


def describe_offer(match: "Match", offer: "SeatOffer", player: "Player | None") -> str:
    """Return the same in a line."""
    who = player.name if player else offer.email
    if offer.state == "standing":
        return f"{who} stands in at seat {offer.seat + 1} until {format_time(offer.until)}."
    until = f" until {format_time(offer.until)}" if offer.until else ", to play on for good"
    yet = "has yet to answer" if offer.state == "asked" else "has said yes"
    return f"Seat {offer.seat + 1} ({match.name(offer.seat)}) is offered to {who}{until}; who {yet}."
