"""Lent seats: what is told to whoever had a seat before; whose stand-in has it can have it back in answer."""

from dataclasses import replace

from pbem.asking.posting import enqueue, pose, post
from pbem.commands.decision import MatchDecision
from pbem.commands.effects import SeatPlayer
from pbem.due.clubs.ratings import change_for
from pbem.mail.compose import Notice, Recipient
from pbem.match.log import read_moment
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.question import Question
from pbem.notices.render import lent_seat_notice, plain_notice
from pbem.notices.sentences.moments import say_until
from pbem.pipeline.act import Act

LENT = "replaced"
"""The kind of the email to a player whose seat somebody else has until a day."""


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
    answers = match.rated and "owner" in told
    scene = {"you": former.name, "name": effect.player.name, "number": match.id, "game": match.game.title}
    said = say_until(until, former.calendar, act.now).said(act.site.language) if until else ""
    notice = plain_notice(
        "replaced",
        act.site.language,
        over="",
        rating="",
        until=said,
        by=by,
        back=bool(told.get("back")),
        answers=answers,
        **scene,
    )
    act = act.because(replace(act.cause, inbound=None))
    if until and any(one.seat == effect.seat for one in act.tx.seat_offers.standing_in(match.id)):
        lent = Question(LENT, former.email, player=former.id, match=match.id, state="yes")
        post(act, notice, pose(act, lent), former)
    else:
        _tell(act, match, notice, former)


def tell_of_lent_seats(act: Act, match: Match) -> None:
    """Tell those how a match has ended for whom somebody stood in to its end: no other email of it comes to them."""
    for one in act.tx.seat_offers.standing_in(match.id):
        owner = act.tx.players.get(one.owner)
        if owner is None or owner.preferences.muted or not owner.has_mail or match.players[one.seat].id != one.player:
            continue
        rating = change_for(act.tx, match, owner.id) if match.rated else None
        notice = lent_seat_notice(match, one.seat, owner.name, rating, act.site.language)
        _tell(act.because(replace(act.cause, inbound=None)), match, notice, owner)


def _tell(act: Act, match: Match, notice: Notice, player: Player) -> None:
    """Queue an email to a player without a seat in ``match``, in the conversation that they had about it."""
    thread = act.tx.outbound.thread_with(match.id, player.email)
    enqueue(act, notice, Recipient(player.name, player.email, thread=thread))
