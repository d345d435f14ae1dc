"""Asks whoever is offered seats, in one email for all that one message offers them, and tells of a no."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.commands import OfferSeat, because
from pbem.inbound import quotable_words
from pbem.mail import Recipient, Site, compose
from pbem.match import Match, Player, read_robot
from pbem.notices import plain_notice, say, say_moment
from pbem.pipeline.announce import enqueue_notices
from pbem.pipeline.interpret import SEAT_OFFERED
from pbem.pipeline.record import Cause
from pbem.storage import SeatOffer, Transaction
from rules import listed

_DAY, _YEAR = timedelta(days=1), timedelta(days=365)
_ASKED_DAILY = 2
"""So often a day is one player asked."""

_BEGINNING = "seats"


def find_offered(tx: Transaction, match: Match, offer: OfferSeat) -> tuple[Player | None, int]:
    """Return whom an offer names, with the strength of a robot; that has no row before it plays for the first time."""
    strength = read_robot(offer.who)
    if strength is None:
        player = tx.players.find(offer.who)
        return player, player.robot if player else 0
    return tx.players.find_robot(strength, [player.id for player in match.players]), strength


def ask(
    tx: Transaction, offers: Sequence[tuple[Match, OfferSeat]], site: Site, cause: Cause, now: datetime
) -> list[int]:
    """Ask whoever is offered seats by one message, if they play here, want email, and may be asked.

    Nothing tells whether they do. Return the numbers of the offers that a robot has accepted at once.
    """
    match, offer = offers[0]
    player, strength = find_offered(tx, match, offer)
    if strength:
        return [_seat_robot(tx, match, offer, strength, now) for match, offer in offers]
    if player is None or player.forgotten or player.preferences.muted or tx.blocked.among(player.emails):
        return []
    if tx.outbound.count(player.email, SEAT_OFFERED, now - _DAY, _ASKED_DAILY) >= _ASKED_DAILY:
        return []
    asked = [
        (match, offer, _add_offer(tx, match, offer, player, now))
        for match, offer in offers
        if all(one.id != player.id for one in match.players)
        and not tx.seat_offers.has_declined(match.id, player.id, now - _YEAR)
    ]
    if asked:
        _send_question(tx, asked, player, site, cause, now)
    return []


def find_asked(tx: Transaction, offer: SeatOffer, readers: Sequence[str]) -> list[SeatOffer]:
    """Return all offers that one of ``readers`` was asked about in the email of one, that one first."""
    key = tx.outbound.find_key(readers, SEAT_OFFERED, f"{_BEGINNING} {offer.id} ")
    others = (tx.seat_offers.get(int(number)) for number in key.split()[2:])
    return [offer, *(one for one in others if one and (one.player, one.owner) == (offer.player, offer.owner))]


def tell_declined(tx: Transaction, offers: Sequence[SeatOffer], site: Site, cause: Cause, now: datetime) -> None:
    """Tell whoever offered seats to one person, in one email, that these were not taken."""
    invited = tx.players.get(offers[0].player)
    found = ((one, tx.matches.get(one.match)) for one in offers)
    declined = [(one, match) for one, match in found if match and match.outcome is None]
    if not declined or invited is None:
        return
    offer, match = declined[0]
    numbers = listed(str(match.id) for _, match in declined)
    told = because("seat_refused", name=invited.name)
    if len(declined) > 1:
        told = because("seats_refused", name=invited.name, matches=numbers)
    notice = plain_notice(
        "answer", site.language, match=match, you=match.name(offer.by), detail=say(told, site.language)
    )
    enqueue_notices(tx, match, [(offer.by, notice)], site, cause, now)


def _seat_robot(tx: Transaction, match: Match, offer: OfferSeat, strength: int, now: datetime) -> int:
    """Store the offer of a seat to a robot, which has accepted; return its number."""
    robot = tx.players.seat_robot(strength, [one.id for one in match.players], now)
    number = _add_offer(tx, match, offer, robot, now)
    tx.seat_offers.change(number, "accepted")
    return number


def _add_offer(tx: Transaction, match: Match, offer: OfferSeat, player: Player, now: datetime) -> int:
    """Store an offer, in place of any other of that seat; return its number."""
    for one in tx.seat_offers.open_in(match.id):
        if one.seat == offer.seat:
            tx.seat_offers.change(one.id, "over")
    owner = match.players[offer.seat]
    return tx.seat_offers.add(match.id, offer.seat, owner.id, player.id, offer.by, offer.until, now)


def _send_question(
    tx: Transaction,
    asked: Sequence[tuple[Match, OfferSeat, int]],
    player: Player,
    site: Site,
    cause: Cause,
    now: datetime,
) -> None:
    """Queue the question whether a player takes the seats that they are offered, by one person and until one day."""
    match, offer, number = asked[0]
    several = [(one.id, one.game.title) for one, _, _ in asked] if len(asked) > 1 else []
    notice = plain_notice(
        SEAT_OFFERED,
        site.language,
        you=player.name,
        asks=match.name(offer.by),
        owner=match.name(offer.seat),
        number=match.id,
        game=match.game.title,
        until=say_moment(offer.until, player.calendar, now).said(site.language) if offer.until else "",
        matches=several,
        some=str(match.id),
    )
    recipient = Recipient(player.name, player.email, held=number, purpose="sit")
    message = compose(notice, recipient, site, cause.text, now, cause.inbound)
    key = " ".join([_BEGINNING, *(str(one) for _, _, one in asked)]) if several else ""
    tx.outbound.enqueue([replace(message, quotable=quotable_words(message.quotable))], now, key=key)
