"""What a player asks of somebody for all their matches at once: to stand in for them until a day."""

from collections.abc import Iterable

from pbem.asking.seat_offers import check_offer
from pbem.commands.asking_effects import OfferSeat, OfferSeats
from pbem.commands.decision import Step
from pbem.commands.effects import Effect
from pbem.commands.families.seats import StandInAll, read_until, why_no_stand_in
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.stints import read_robot, robot_name
from pbem.pipeline.act import Act
from pbem.reading.reason import Reason, because
from pbem.storage.transaction import Transaction
from rules.phrase import listed

_LEFT_OUT = {
    "standin_too_early": "left_too_early",
    "standin_flagged": "left_flagged",
    "standin_chain": "left_chain",
    "seat_plays": "left_plays",
    "seat_enough": "left_enough",
    "robots_alone": "left_robots_alone",
    "robot_matches_enough": "left_robots",
}
"""How it is said of some matches why they are left out; any other reason holds for all of them."""


def offer_all(act: Act, player: Player, wish: StandInAll) -> tuple[list[Effect], list[Reason]]:
    """Return the effects by which a player offers their seats in all running matches, and what they are told.

    Matches that can't be offered are left out, and named with why. ``by`` an address nothing shows of its owner.
    """
    if not wish.who:
        return [], [because("standin_all_whom")]
    if not wish.until:
        return [], [because("standin_until", who=f"all {wish.who}")]
    until = read_until(wish, player.calendar, act.now)
    if isinstance(until, Reason):
        return [], [until]
    offers, left = list[OfferSeat](), list[tuple[Match, Reason]]()
    counted = act.tx.invitations.with_robots(player.id)
    for match in _matches_of(act.tx, player):
        seat = match.seat_of(player)
        offer = OfferSeat(match.id, seat, seat, wish.who, until)
        pending = sum(one.match not in counted for one in offers)
        why = why_no_stand_in(match, seat) or check_offer(act, match, offer, pending=pending)
        if isinstance(why, Reason) and why.code not in _LEFT_OUT:
            return [], [why]
        if isinstance(why, Reason):
            left.append((match, why))
        else:
            assert why is None or isinstance(why, Step)  # a robot accepts at once
            offers.append(offer)
    told = [_tell_offered(wish.who, offers)] if offers else []
    told += _tell_left_out(left)
    return [OfferSeats(tuple(offers))] if offers else [], told or [because("no_match_to_lend")]


def _matches_of(tx: Transaction, player: Player) -> list[Match]:
    """Return the running matches of a player that they have not left."""
    running = tx.matches.all(player=player.id, running=True)
    return [match for match in running if match.seat_of(player) not in match.position.departed()]


def _tell_offered(who: str, offers: list[OfferSeat]) -> Reason:
    """Return that seats were offered, whether or not anybody was asked; or that a robot has them."""
    numbers = listed(str(offer.match) for offer in offers)
    if (strength := read_robot(who)) is not None:
        return because("robot_stands_in_all", name=robot_name(strength), matches=numbers, count=len(offers))
    return because("seats_asked", who=who, matches=numbers, count=len(offers))


def _tell_left_out(left: Iterable[tuple[Match, Reason]]) -> list[Reason]:
    """Return a sentence for each reason why matches are left out, with their numbers."""
    grouped: dict[Reason, list[str]] = {}
    for match, why in left:
        grouped.setdefault(why, []).append(str(match.id))
    return [
        because(_LEFT_OUT[why.code], matches=listed(numbers), **{**dict(why.arguments), "count": len(numbers)})
        for why, numbers in grouped.items()
    ]
