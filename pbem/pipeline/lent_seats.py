"""Seats that others have for a player until a day: what their player hears of them, and how they have them back."""

from pbem.commands import Effect, EndOffer, Reason, SetPreference, because
from pbem.match import Player
from pbem.storage import SeatOffer, Transaction

_MOST_TOLD = 20
"""Seats that one status tells of."""


def tell_lent(tx: Transaction, player: Player) -> list[Reason]:
    """Return a sentence for each seat of a player that somebody else has until a day."""
    told = []
    for one in tx.seat_offers.made_by(player.id):
        match = tx.matches.get(one.match) if one.state == "standing" and _can_end(tx, one) else None
        if match and one.until:
            until, game, name = one.until.isoformat(), match.game.title, match.name(one.seat)
            told.append(because("seat_lent", name=name, number=match.id, game=game, until=until))
    return told[:_MOST_TOLD]


def take_back(tx: Transaction, player: Player, number: int | None) -> tuple[list[Effect], list[Reason]]:
    """Return the effects by which a player has their seats again, None: in all matches, and what they are told.

    What they have only offered is offered no longer.
    """
    made = [one for one in tx.seat_offers.made_by(player.id) if number in (None, one.match)]
    ended = [one for one in made if _can_end(tx, one)]
    returning = sum(one.state == "standing" for one in ended)
    told = [because("seats_return", count=returning)] if returning else []
    if kept := len(ended) - returning:
        told.append(because("seats_kept", count=kept))
    if not ended:
        return [], [because("seats_none")]
    effects: list[Effect] = [EndOffer(one.id) for one in ended]
    if returning and player.preferences.muted:  # whoever wants to play wants the boards, as after a move
        effects.insert(0, SetPreference(player, "muted", value=False))
    return effects, told


def _can_end(tx: Transaction, offer: SeatOffer) -> bool:
    """Return whether an offer is still one of the seat of a running match, which whoever has it has not left."""
    match = tx.matches.get(offer.match)
    if match is None or match.outcome is not None or offer.seat in match.position.departed():
        return False
    return match.players[offer.seat].id == (offer.player if offer.state == "standing" else offer.owner)
