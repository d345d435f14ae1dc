"""Seats that pass on by consent: a stand-in until a day, and who plays on for a player for good.

Whoever is offered a seat is asked first; of what they say the others learn only a yes. The seat passes, and comes back,
as something that is due.

One email asks for all the seats that one message offers; a no is told.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from pbem.asking.invitees import count_invited, why_no_robot
from pbem.asking.lent_seats import list_lent
from pbem.asking.limit_table import ANSWERABLE, INVITED, OFFERED, REMEMBERED
from pbem.asking.may_ask import why_unasked
from pbem.asking.posting import enqueue_notices, pose, post
from pbem.asking.proposals import SEAT_QUESTION
from pbem.commands.asking_effects import AgreeSeat, AnswerSeats, EndOffer, EndStandIn, OfferSeat, Wish
from pbem.commands.decision import MatchDecision, Step
from pbem.commands.effects import Reply
from pbem.commands.families.seats import StandInOff
from pbem.commands.ruling import revive_seat
from pbem.mail.archive_paths import rules_page
from pbem.mail.compose import Notice, Site
from pbem.mail.headers import is_address, mailbox_of, normal_address
from pbem.mail.marks import mailbox_mark
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.question import Question
from pbem.match.stints import read_robot, robot_name
from pbem.match.time.calendar import Calendar
from pbem.notices.render import answer_notice, plain_notice
from pbem.notices.sentences.moments import say_until
from pbem.notices.sentences.reasons import say
from pbem.notices.starting import name_to_strangers
from pbem.pipeline.act import Act
from pbem.reading.reason import Reason, because
from pbem.storage.due import SEAT_DUE
from pbem.storage.seat_offers import SeatOffer
from pbem.storage.transaction import Transaction
from rules.phrase import listed
from rules.position import Seat

log = logging.getLogger("pbem")


def check_end(act: Act, match: Match, effect: EndStandIn) -> Reason | Step | None:
    """Return why there is nothing to end of a seat, or the step that is meant instead; None where there is."""
    if _may_end(act.tx, effect, match, act.now):
        return None
    if list_lent(act.tx, match.players[effect.seat], act.now):  # it is about those
        return Step("standin off", (Wish(StandInOff()),))
    return because("standin_none")


def check_offer(act: Act, match: Match, offer: OfferSeat, *, pending: int = 0) -> Reason | Step | None:
    """Return why a seat can't be offered, or the step that agrees to such an offer; None where it is to be offered.

    ``pending`` seats are offered by the same message before, in matches that count as none with robots yet.
    """
    player, strength = find_offered(act.tx, match, offer)
    if player is None and "@" not in offer.who and not strength:
        return because("seat_nobody", who=offer.who)
    if player and player.id == match.players[offer.by].id and player.id == match.players[offer.seat].id:
        return because("yourself")
    known = [one for one in act.tx.seat_offers.open_in(match.id) if player and one.player == player.id]
    agreeing = next((one for one in known if one.seat == offer.seat and one.awaits_others(act.now)), None)
    if agreeing and strength > act.site.robots:  # the settings allow it no longer
        return because("robots_off")
    if agreeing and offer.until is None:
        told = Reply("answer", (because("seat_agreed", name=player.name if player else ""),))
        return Step(f"agree {agreeing.id}", (AgreeSeat(agreeing.id, offer.by), told))
    if offer.until is None and offer.by == offer.seat:
        return because("replace_oneself")
    if "@" in offer.who and (not is_address(offer.who) or mailbox_of(offer.who) == mailbox_of(act.site.address)):
        return because("no_address", address=offer.who[:80])
    if any(one.seat == offer.seat for one in act.tx.seat_offers.standing_in(match.id)):
        return because("standin_chain")
    if strength and (why := _why_no_robot(act.tx, match, offer, strength, act.site, pending)):
        return why
    left = offer.seat in match.position.departed()
    if left and revive_seat(match, offer.seat, Player(0, "", "", frozenset(), robot=strength), act.now) is None:
        return because("replace_left", name=match.name(offer.seat))
    if offer.until is None and not left and not _is_gone(match, offer.seat) and match.to_act != offer.seat:
        return because("replace_not_waiting", name=match.name(offer.seat))
    if player and "@" not in offer.who and any(one.id == player.id for one in match.players):
        return because("seat_plays", name=player.name)
    if act.tx.seat_offers.count_made(match.id, offer.by, act.now - OFFERED.within) >= OFFERED.most:
        return because("seat_enough", most=OFFERED.most)
    if not strength and count_invited(act.tx, match.players[offer.by], act.now) >= INVITED.most:
        return because("seats_enough", most=INVITED.most)
    if not strength:
        return None
    code = "robot_stands_in" if offer.until else "seat_for_robot"
    told = Reply("answer", (because(code, name=robot_name(strength)),))
    return Step("", (offer, told))


def _why_no_robot(
    tx: Transaction, match: Match, offer: OfferSeat, strength: int, site: Site, pending: int
) -> Reason | None:
    """Return why a robot can't have a seat; None if it can. One more match with robots it is for whoever asks."""
    if match.present - {offer.seat} <= match.robot_seats:
        return because("robots_alone")
    player = match.players[offer.by]
    counted = match.id in tx.invitations.with_robots(player.id)
    return why_no_robot(tx, player, strength, site, pending - counted)


def _is_gone(match: Match, seat: Seat) -> bool:
    """Return whether a match waits for ``seat`` in vain, so that its player need not be asked."""
    clock = match.clock
    waits = clock is not None and clock.seat == seat and clock.halted in ("flagged", "bounced")
    return waits or match.players[seat].preferences.muted or seat in match.position.departed()


def _may_end(tx: Transaction, effect: EndStandIn, match: Match, now: datetime) -> bool:
    """Return whether a player ends something, or may: whether whom they named was asked shows in nothing."""
    made = tx.seat_offers.count_made(match.id, effect.seat, now - ANSWERABLE)
    return made > 0 or bool(_find_to_end(tx, effect, match))


def _find_to_end(tx: Transaction, effect: EndStandIn, match: Match) -> list[SeatOffer]:
    """Return the offers that a player ends: by which they stand in, or that they have made for their own seat."""
    player = match.players[effect.seat].id
    standing = [one for one in tx.seat_offers.standing_in(match.id) if one.player == player and one.seat == effect.seat]
    made = [one for one in tx.seat_offers.alive_in(match.id) if one.by == effect.seat]
    waiting = [one for one in made if one.state in ("asked", "accepted") or (one.state == "ready" and one.until)]
    return standing or waiting


def offer_seats(act: Act, offers: Sequence[OfferSeat]) -> None:
    """Ask whoever is offered seats; a robot has accepted at once."""
    found = [(match, offer) for offer in offers if (match := act.tx.matches.get(offer.match))]
    for number in ask(act, found) if found else ():
        _go_on(act, number, asking=True)


def agree_to_seat(act: Act, _: object, effect: AgreeSeat) -> None:
    """Note that one more player wants an offered seat to pass."""
    if offer := act.tx.seat_offers.get(effect.number):
        act.tx.seat_offers.change(effect.number, "accepted", sorted({*offer.agreed, effect.seat}))
        _go_on(act, effect.number, asking=False)


def answer_seats(act: Act, _: object, effect: AnswerSeats) -> None:
    """Note what somebody says who was offered seats; whoever offered them is told of a no."""
    offers = [(offer, taken) for number, taken in effect.answers if (offer := act.tx.seat_offers.get(number))]
    for offer, taken in offers:
        newcomer = act.tx.players.find(offer.email) if offer.player is None and offer.email else None
        if newcomer:  # a stranger, who is a player since they said yes
            act.tx.seat_offers.assign(offer.id, newcomer.id)
        act.tx.seat_offers.change(offer.id, "accepted" if taken else "declined")
        if taken:
            _go_on(act, offer.id, asking=True)
    if refused := [offer for offer, taken in offers if not taken]:  # as they were before
        tell_declined(act, refused)


def end_stand_in(act: Act, decision: MatchDecision, effect: EndStandIn) -> None:
    """End what a player no longer wants of their seat, or has of another's."""
    for one in _find_to_end(act.tx, effect, decision.before):
        _end(act.tx, one, act.now)


def end_offer(act: Act, _: object, effect: EndOffer) -> None:
    """End an offered or lent seat."""
    if offer := act.tx.seat_offers.get(effect.number):
        _end(act.tx, offer, act.now)


def _end(tx: Transaction, offer: SeatOffer, now: datetime) -> None:
    """Let a seat go back to its player, as something due, or be offered no longer."""
    if offer.state == "standing":
        tx.due.schedule(SEAT_DUE, offer.id, now)
    else:
        tx.seat_offers.change(offer.id, "over")


def _go_on(act: Act, number: int, *, asking: bool) -> None:
    """Let a seat pass as soon as all have agreed; ``asking``: the others have yet to be asked."""
    offer = act.tx.seat_offers.get(number)
    match = act.tx.matches.get(offer.match) if offer else None
    newcomer = act.tx.players.get(offer.player) if offer and offer.player is not None else None
    if offer is None or match is None or newcomer is None or match.outcome is not None:
        return
    missing = _needed(match, offer, newcomer) - set(offer.agreed)
    if not missing:
        act.tx.seat_offers.change(number, "ready")
        act.tx.due.schedule(SEAT_DUE, number, act.now)
    elif asking:
        notices = [(seat, _question(match, offer, newcomer, seat, act.site, act.now)) for seat in sorted(missing)]
        enqueue_notices(act, match, notices, about={"offer": number})


def _question(match: Match, offer: SeatOffer, newcomer: Player, seat: Seat, site: Site, now: datetime) -> Notice:
    """Return the notice that asks the player at ``seat`` whether a seat may pass on."""
    until = say_until(offer.until, match.players[seat].calendar, now).said(site.language) if offer.until else ""
    before, asks = match.name(offer.seat), match.name(offer.by)
    told = {"before": before, "after": newcomer.name, "asks": asks, "until": until, "robot": newcomer.robot}
    rated = ("defeat" if not _is_gone(match, offer.seat) else "not") if match.rated else ""
    told |= {"rated": rated, "match": match, "you": match.name(seat), "opponents": match.name_opponents(seat)}
    notice = plain_notice(SEAT_QUESTION, site.language, **told)
    return replace(notice, offered=(f"replace {before} with {newcomer.name}",))


def _needed(match: Match, offer: SeatOffer, newcomer: Player) -> set[Seat]:
    """Return the seats whose players have to agree: for a person who stands in the owner alone, else all still there.

    Against a robot nobody has to play who has not agreed to it, nor to a match that counts for no rating.
    """
    if offer.until is not None and not newcomer.robot:
        return {offer.seat}
    playing = set(range(len(match.players))) - match.position.departed() - match.robot_seats
    return playing - ({offer.seat} if _is_gone(match, offer.seat) else set())


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
        is_asked = may_ask and (player is None or _may_have(act.tx, match, offer.seat, player, act.now))
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


def _may_have(tx: Transaction, match: Match, seat: Seat, player: Player, now: datetime) -> bool:
    """Return whether a player may be offered a seat in a match.

    They have none there, have not said no before, and were not on another side.
    """
    plays = any(one.id == player.id for one in match.players)
    barred = tx.seat_offers.has_declined(match.id, player.id, now - REMEMBERED)
    return not plays and not barred and not tx.seconds.knows_other(match, seat, player)


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
    enqueue_notices(
        act, match, [(offer.by, answer_notice(match, offer.by, say(told, act.site.language), act.site.language))]
    )


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
