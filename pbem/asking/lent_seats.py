"""Seats that others have for a player until a day: what their player hears of them, and how they have them back."""

from datetime import datetime

from pbem.asking.limit_table import ANSWERABLE
from pbem.commands.asking_effects import EndOffer
from pbem.commands.effects import Effect, SetPreference
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.reading.reason import Reason, because
from pbem.storage.seat_offers import SeatOffer
from pbem.storage.transaction import Transaction

_MOST_TOLD = 20
"""Seats that one status tells of."""


def tell_lent(tx: Transaction, player: Player, now: datetime) -> list[Reason]:
    """Return a sentence for each seat of a player that somebody else has until a day."""
    told = []
    for one in tx.seat_offers.made_by(player.id, now):
        match = _find_match(tx, one)
        if match and one.until:
            until, game, name = one.until.isoformat(), match.game.title, match.name(one.seat)
            told.append(because("seat_lent", name=name, number=match.id, game=game, until=until))
    return told[:_MOST_TOLD]


def list_lent(tx: Transaction, player: Player, now: datetime) -> list[int]:
    """Return the numbers of the running matches in which somebody else has a player's seat until a day."""
    return [one.match for one in tx.seat_offers.made_by(player.id, now) if _find_match(tx, one)]


def take_back(tx: Transaction, player: Player, number: int | None, now: datetime) -> tuple[list[Effect], list[Reason]]:
    """Return the effects by which a player has their seats again, None: in all matches, and what they are told.

    What they have only offered is offered no longer; whether anybody was asked shows in nothing.
    """
    made = tx.seat_offers.made_by(player.id, tx.heartbeats.served_since(ANSWERABLE, now))
    made = [one for one in made if number in (None, one.match) and _find_match(tx, one)]
    returning = [one for one in made if one.state == "standing"]
    kept = {(one.match, one.seat) for one in made} - {(one.match, one.seat) for one in returning}
    told = [because("seats_return", count=len(returning))] if returning else []
    told += [because("seats_kept", count=len(kept))] if kept else []
    if not told:
        return [], [because("seats_none")]
    effects: list[Effect] = [EndOffer(one.id) for one in made if one.state not in ("over", "declined")]
    if returning and player.preferences.muted:  # whoever wants to play wants the boards, as after a move
        effects.insert(0, SetPreference(player, "muted", value=False))
    return effects, told


def _find_match(tx: Transaction, offer: SeatOffer) -> Match | None:
    """Return the running match of an offer; None where its seat was left, or is somebody else's by now."""
    match = tx.matches.get(offer.match)
    if match is None or match.outcome is not None or offer.seat in match.position.departed():
        return None
    holder = offer.player if offer.state == "standing" else offer.owner
    return match if match.players[offer.seat].id == holder else None
