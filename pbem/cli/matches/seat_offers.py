"""What the operator sees of offered seats: who has one until a day, and who was asked and has yet to answer."""

from typing import TYPE_CHECKING, Any

from pbem.cli.output import format_time

if TYPE_CHECKING:
    from pbem.match.match import Match
    from pbem.match.player import Player
    from pbem.storage.seat_offers import SeatOffer


def offer_object(match: "Match", offer: "SeatOffer", player: "Player | None") -> dict[str, Any]:
    """Return the JSON object of an offer to ``player``, None for a stranger; seats count from 0."""
    return {
        "id": offer.id,
        "seat": offer.seat,
        "by": match.name(offer.by) if offer.state != "standing" else None,
        "to": player.name if player else None,
        "address": player.email if player else offer.email,
        "until": offer.until,
        "state": offer.state,
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
