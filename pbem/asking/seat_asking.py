"""Asks whoever is offered seats, in one email for all that one message offers them, and tells of a no."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from pbem.asking.limit_table import REMEMBERED
from pbem.asking.may_ask import why_unasked
from pbem.asking.posting import enqueue_notices, pose, post
from pbem.commands.asking_effects import OfferSeat
from pbem.mail.archive_paths import rules_page
from pbem.mail.headers import mailbox_of, normal_address
from pbem.mail.marks import mailbox_mark
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.question import Question
from pbem.match.stints import read_robot
from pbem.match.time.calendar import Calendar
from pbem.notices.render import plain_notice
from pbem.notices.sentences.moments import say_until
from pbem.notices.sentences.reasons import say
from pbem.notices.starting import name_to_strangers
from pbem.pipeline.act import Act
from pbem.reading.reason import because
from pbem.storage.database import Transaction
from pbem.storage.seat_offers import SeatOffer
from rules.phrase import listed

SEAT_OFFERED = "seat_offered"
"""The kind of the question to somebody whether they take seats."""


def find_offered(tx: Transaction, match: Match, offer: OfferSeat) -> tuple[Player | None, int]:
    """Return whom an offer names, with the strength of a robot; that has no row before it plays for the first time."""
    strength = read_robot(offer.who)
    if strength is None:
        player = tx.players.find(offer.who)
        return player, player.robot if player else 0
    return tx.players.find_robot(strength, [player.id for player in match.players]), strength


def ask(act: Act, offers: Sequence[tuple[Match, OfferSeat]]) -> list[int]:
    """Ask whoever is offered seats by one message, if they may be asked, and store each offer, whether they are or not.

    So nothing tells which. Return the numbers of the offers that a robot has accepted at once.
    """
    match, offer = offers[0]
    player, strength = find_offered(act.tx, match, offer)
    if strength:
        return [_seat_robot(act.tx, match, offer, strength, act.now) for match, offer in offers]
    email = normal_address(offer.who) if "@" in offer.who else ""
    asker, number = match.players[offer.by], player.id if player else None
    question = Question(SEAT_OFFERED, player.email if player else email, player=number, asker=asker.id)
    may_ask = (player is not None or act.site.new_matches != "members") and not why_unasked(act, question)
    asked = list[tuple[Match, OfferSeat, int]]()
    for match, offer in offers:
        is_asked = may_ask and (player is None or _may_have(act.tx, match, player, act.now))
        number = _add_offer(
            act.tx, match, offer, player if is_asked else None, act.now, email=email if is_asked else "", asked=is_asked
        )
        asked += [(match, offer, number)] if is_asked else []
    if asked:
        if player is None:
            mark = mailbox_mark(mailbox_of(email), act.site.secret)
            act.tx.invitations.note_approach(mark, "", act.now, share=act.cause.share)
        _send_question(act, asked, player, question)
    return []


def _may_have(tx: Transaction, match: Match, player: Player, now: datetime) -> bool:
    """Return whether a player may be offered a seat in a match: they have none there, and have not said no before."""
    plays = any(one.id == player.id for one in match.players)
    return not plays and not tx.seat_offers.has_declined(match.id, player.id, now - REMEMBERED)


def tell_declined(act: Act, offers: Sequence[SeatOffer]) -> None:
    """Tell whoever offered seats to one person, in one email, that these were not taken.

    Whom they named by an address is called by that, whether or not they have a name here.
    """
    invited = act.tx.players.get(offers[0].player) if offers[0].player is not None else None
    name = offers[0].email or (invited.name if invited else "")
    found = ((one, act.tx.matches.get(one.match)) for one in offers)
    declined = [(one, match) for one, match in found if match and match.outcome is None]
    if not declined or not name:
        return
    offer, match = declined[0]
    numbers = listed(str(match.id) for _, match in declined)
    told = because("seat_refused", name=name)
    if len(declined) > 1:
        told = because("seats_refused", name=name, matches=numbers)
    notice = plain_notice(
        "answer", act.site.language, match=match, you=match.name(offer.by), detail=say(told, act.site.language)
    )
    enqueue_notices(act, match, [(offer.by, notice)])


def _seat_robot(tx: Transaction, match: Match, offer: OfferSeat, strength: int, now: datetime) -> int:
    """Store the offer of a seat to a robot, which has accepted; return its number."""
    robot = tx.players.seat_robot(strength, [one.id for one in match.players], now)
    number = _add_offer(tx, match, offer, robot, now)
    tx.seat_offers.change(number, "accepted")
    return number


def _add_offer(
    tx: Transaction,
    match: Match,
    offer: OfferSeat,
    player: Player | None,
    now: datetime,
    *,
    email: str = "",
    asked: bool = True,
) -> int:
    """Store an offer, in place of any other that the same player has made of that seat; return its number."""
    for one in tx.seat_offers.open_in(match.id):
        if (one.seat, one.by) == (offer.seat, offer.by):  # nobody ends what a player offers of their own seat
            tx.seat_offers.change(one.id, "over")
    owner = match.players[offer.seat]
    number = player.id if player else None
    return tx.seat_offers.add(
        match.id, offer.seat, owner.id, number, offer.by, offer.until, now, email=email, asked=asked
    )


def _send_question(
    act: Act, asked: Sequence[tuple[Match, OfferSeat, int]], player: Player | None, question: Question
) -> None:
    """Queue the question whether somebody takes the seats that they are offered, by one person and until one day.

    ``player`` is None for a stranger, who reads nothing that others may have written but for names of letters.
    """
    match, offer, _ = asked[0]
    several = [(one.id, one.game.title) for one, _, _ in asked] if len(asked) > 1 else []
    asks, owner = (match.players[seat] for seat in (offer.by, offer.seat))
    calendar, games = player.calendar if player else Calendar(), {one.game.key for one, _, _ in asked}
    notice = plain_notice(
        SEAT_OFFERED,
        act.site.language,
        you=player.name if player else "",
        asks=asks.name if player else name_to_strangers(asks, act.site.language),
        owner=owner.name if player else name_to_strangers(owner, act.site.language),
        number=match.id,
        game=match.game.title,
        until=say_until(offer.until, calendar, act.now).said(act.site.language) if offer.until else "",
        matches=several,
        some=str(match.id),
        rules="" if player or len(games) > 1 else act.site.archive.address(rules_page(match.game.key)),
    )
    question = replace(question, about={"offers": [one for _, _, one in asked]}, inbound=act.cause.inbound)
    post(act, notice, pose(act, question), player)
