"""Seats pass on, and come back, as something that is due: to whoever was offered one, as soon as all have agreed."""

import logging
from datetime import datetime, timedelta

from pbem.commands.decision import MatchDecision
from pbem.commands.ruling import keep_seat, replace_player, revive_seat
from pbem.due.robot_moves import seal_thoughts
from pbem.errors import BadInput, DamagedRow
from pbem.log.logbook import event
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.pipeline.act import Act, cause_at
from pbem.pipeline.announce import announce
from pbem.pipeline.record import record
from pbem.ports import Dice
from pbem.storage.due import SEAT_BACK_DUE
from pbem.storage.seat_offers import SeatOffer
from pbem.storage.transaction import Transaction

log = logging.getLogger("pbem")


def pass_seat(act: Act, number: int, dice: Dice | None = None) -> None:
    """Let a seat pass to whom it was offered, or back to its player when their stand-in's time is over.

    Where the player can't have it, since they were forgotten or are blocked, the stand-in keeps it. Nobody has it who
    was on another side.
    The thoughts of a robot follow from a secret, which ``dice`` gives where the match has none yet.
    """
    offer = act.tx.seat_offers.get(number)
    if offer is None:
        raise DamagedRow(f"the seat of offer {number} is to pass on, and it is not there")
    match = act.tx.matches.get(offer.match)
    back = offer.state == "standing"
    holder, taker = (offer.player, offer.owner) if back else (offer.owner, offer.player)
    act.tx.seat_offers.change(number, "over")
    if offer.state not in ("ready", "standing") or match is None or match.outcome is not None:
        return
    if match.players[offer.seat].id != holder:
        return
    player = None if taker is None else _present(act.tx, taker)
    decision = None
    spoilt = player is not None and act.tx.seconds.knows_other(match, offer.seat, player)
    if player and not spoilt and not act.tx.blocked.among(player.emails):
        try:
            decision = _decide(match, offer, player, act.now, back=back)
        except BadInput as why:  # they have unsubscribed, or have a seat by now
            log.info("a seat of match %d does not pass on: %s", match.id, why, extra=event("seat_kept", match=match.id))
    if decision is None and back and offer.seat not in match.position.departed():
        decision = keep_seat(match, offer.seat)
    if decision is None:
        return
    decision = seal_thoughts(decision, dice) if dice else decision
    if offer.until is not None and not back:
        act.tx.seat_offers.change(number, "standing")
        act.tx.due.schedule(SEAT_BACK_DUE, number, max(offer.until, act.now + timedelta(minutes=1)))
    act = act.because(cause_at("replaced", act.now))
    record(act, decision)
    announce(act, decision, "")


def _decide(match: Match, offer: SeatOffer, player: Player, now: datetime, *, back: bool) -> MatchDecision | None:
    """Return the decision by which a seat passes to ``player``; None where its player has left, and it is too late."""
    if offer.seat in match.position.departed():
        return None if back or offer.until else revive_seat(match, offer.seat, player, now)
    until = None if back else offer.until
    owner = offer.owner if offer.seat in offer.agreed and not back else None  # nobody asked whoever was gone
    return replace_player(match, offer.seat, player, now, until=until, back=back, agreed=True, owner=owner)


def give_seats_back(act: Act, player: int) -> None:
    """Give back the seats in which a player only stands in: what they do next is not to befall others."""
    for offer in act.tx.seat_offers.stood_in_by(player):
        pass_seat(act, offer.id)


def _present(tx: Transaction, number: int) -> Player | None:
    """Return a player, or whom they turned out to be; None for one who was forgotten."""
    player = tx.players.get(number)
    if player and player.merged_into is not None:
        player = tx.players.get(player.merged_into)
    return None if player is None or player.forgotten else player
