"""What a decision about a match tells beside its notices: questions to addresses, and who had a seat before."""

from dataclasses import replace

from pbem.asking.unconfirmed import may_be_asked
from pbem.asking.wish_questions import stamp_of
from pbem.commands.asking_effects import AskAddress
from pbem.commands.decision import Decision, MatchDecision
from pbem.commands.effects import ClaimAddress, SeatPlayer
from pbem.inbound.reply import quotable_words
from pbem.mail.compose import Recipient, compose
from pbem.match.log import read_moment
from pbem.match.match import Match
from pbem.notices.render import lent_seat_notice, plain_notice
from pbem.notices.sentences.moments import say_until
from pbem.pipeline.act import Act


def ask_sender(act: Act, _: Decision, effect: AskAddress) -> None:
    """Ask an address whether what came from there is its player's: it waits for the answer."""
    _ask_address(act, effect, waits=True)


def ask_claimed(act: Act, _: Decision, effect: ClaimAddress) -> None:
    """Ask an address that a player has named whether it is theirs."""
    if act.cause.inbound is not None and may_be_asked(act.tx, effect.player, effect.email, act.now):
        _ask_address(act, AskAddress(effect.player, effect.email, act.cause.inbound), waits=False)


def _ask_address(act: Act, question: AskAddress, *, waits: bool) -> None:
    """Queue the question to an address whether it is a player's; it shows nothing of what came from there.

    ``waits``: an email from there is carried out after a yes; else the player named it, and is asked after that.
    """
    name, address = question.player.name, question.email
    notice = plain_notice("confirm_address", act.site.language, name=name, address=address, waits=waits)
    recipient = Recipient("", question.email, held=question.held)
    message = compose(notice, recipient, act.site, act.cause.text, act.now, act.cause.inbound)
    act.tx.outbound.enqueue([replace(message, quotable=quotable_words(message.quotable))], act.now, key=question.key)


def tell_former_player(act: Act, decision: MatchDecision, effect: SeatPlayer) -> None:
    """Queue an email to the player who had a seat that somebody else has now; it gives them no seat.

    Whose stand-in that is can have it back sooner, in answer to it.
    """
    match, former = decision.before, decision.before.players[effect.seat]
    if former.preferences.muted or not former.has_mail:
        return
    told = next((entry.arguments for entry in decision.log if entry.kind == "replaced"), {})
    until = read_moment(told, "until")
    by = "player" if until or told.get("back") or told.get("agreed") else "operator"
    scene = {"you": former.name, "name": effect.player.name, "number": match.id, "game": match.game.title}
    said = say_until(until, former.calendar, act.now).said(act.site.language) if until else ""
    notice = plain_notice(
        "replaced", act.site.language, over="", until=said, by=by, back=bool(told.get("back")), **scene
    )
    recipient = Recipient(former.name, former.email)
    lent = [one for one in act.tx.seat_offers.standing_in(match.id) if one.seat == effect.seat] if until else []
    for one in lent:
        recipient = replace(recipient, held=one.id, purpose="own", stamp=stamp_of(former, one.asked_at))
    message = compose(notice, recipient, act.site, act.cause.text, act.now, None)
    act.tx.outbound.enqueue([replace(message, quotable=quotable_words(message.quotable))], act.now)


def tell_of_lent_seats(act: Act, match: Match) -> None:
    """Tell those how a match has ended for whom somebody stood in to its end: no other email of it comes to them."""
    for one in act.tx.seat_offers.standing_in(match.id):
        owner = act.tx.players.get(one.owner)
        if owner is None or owner.preferences.muted or not owner.has_mail or match.players[one.seat].id != one.player:
            continue
        notice = lent_seat_notice(match, one.seat, owner.name, act.site.language)
        message = compose(notice, Recipient(owner.name, owner.email), act.site, act.cause.text, act.now, None)
        act.tx.outbound.enqueue([replace(message, quotable=quotable_words(message.quotable))], act.now)
