"""Stage 7: tells everybody what was recorded, or the sender why nothing was; the one place where notices are queued."""

from collections.abc import Iterable
from datetime import datetime

from pbem.commands import Decision, MatchDecision, Rejection, UnknownAddress
from pbem.mail import Notice, Recipient, ReplyToken, Site, compose
from pbem.match import Match
from pbem.notices import address_question, rejection_notice, resume_notice, describe_turn, notices_for, plain_notice
from pbem.pipeline.identify import Origin, Place
from pbem.pipeline.interpret import Reading
from pbem.pipeline.limits import UNSOLICITED, suppression_reason
from pbem.pipeline.record import Cause
from pbem.storage import Disposition, Transaction
from rules import Seat


def announce(tx: Transaction, decision: Decision, sender: str, site: Site, cause: Cause, now: datetime) -> None:
    """Queue the notices that follow from ``decision``, for everybody who has something to learn from it.

    ``sender`` is whose message caused it; only a decision outside every match is told there.
    """
    if isinstance(decision, MatchDecision):
        match = decision.addressed
        _enqueue(tx, match, notices_for(decision, match, site.archive_url), site, cause, now)
        if decision.seat is not None and any(reply.kind == "resume" for reply in decision.replies):
            _catch_up(tx, match, decision.seat, site, cause, now)
        return
    for reply in decision.replies:
        notice = plain_notice(reply.kind, detail=reply.detail)
        tx.outbound.enqueue([compose(notice, Recipient("", sender), site, cause.text, now, cause.inbound)], now)


def answer(
    tx: Transaction, why: Rejection, origin: Origin, reading: Reading, site: Site, cause: Cause, now: datetime
) -> Disposition:
    """Queue the answer to a message that was not carried out, if it may have one; return how it ends."""
    if origin.place is None:
        silent = _answer_outside(tx, why, origin, site, cause, now)
    else:
        silent = _answer_in_match(tx, why, origin.place, origin.sender, reading, site, cause, now)
    return origin.disposed("rejected", why.kind, silent or why.noted, code=why.code)


def _answer_in_match(
    tx: Transaction,
    why: Rejection,
    place: Place,
    sender: str,
    reading: Reading,
    site: Site,
    cause: Cause,
    now: datetime,
) -> str:
    """Answer the player at ``place``; return why nobody writes to them, or an empty text."""
    match, seat = place.match, place.seat
    if isinstance(why, UnknownAddress):
        if why.asks:
            notice = address_question(match, seat, sender, reading.lines, site.archive_url)
            _enqueue(tx, match, [(seat, notice)], site, cause, now)
        return ""
    if silent := suppression_reason(tx, why.kind, place.player.email, now):
        return silent
    notice = rejection_notice(match, seat, place.ply, why, reading.lines, reading.commands, site.archive_url)
    _enqueue(tx, match, [(seat, notice)], site, cause, now)
    return ""


def _answer_outside(tx: Transaction, why: Rejection, origin: Origin, site: Site, cause: Cause, now: datetime) -> str:
    """Answer a message that belongs to no match of its sender; return why nobody does, or an empty text."""
    player = origin.player
    recipient = Recipient(player.name, player.email) if player else Recipient("", origin.sender)
    if silent := suppression_reason(tx, why.kind, recipient.email, now):
        return silent
    if player is None:
        notice = plain_notice(why.kind, sender=origin.sender)
    else:
        running = tx.matches.all(player=player.id, running=True)
        lines = [f"{match.id}, {match.game.title}: {describe_turn(match, match.seat_of(player))}" for match in running]
        notice = plain_notice(why.kind, you=player.name, subject=origin.subject[:60], matches=lines)
    tx.outbound.enqueue([compose(notice, recipient, site, cause.text, now, cause.inbound)], now)
    return ""


def _catch_up(tx: Transaction, match: Match, seat: Seat, site: Site, cause: Cause, now: datetime) -> None:
    """Queue the newest notice of every other running match of a player who wants email again."""
    player = match.players[seat]
    for other in tx.matches.all(player=player.id, running=True):
        if other.id != match.id:
            newest = resume_notice(other, other.seat_of(player), site.archive_url)
            _enqueue(tx, other, [(other.seat_of(player), newest)], site, cause, now)


def _enqueue(
    tx: Transaction, match: Match, notices: Iterable[tuple[Seat, Notice]], site: Site, cause: Cause, now: datetime
) -> None:
    """Address notices to the seats they are for, each into its thread, and queue them.

    A muted player gets only those that answer a message of their own.
    """
    threads = tx.outbound.threads(match.id)
    messages = []
    for seat, notice in notices:
        player = match.players[seat]
        if player.preferences.muted and notice.kind in UNSOLICITED:
            continue
        recipient = Recipient(player.name, player.email, ReplyToken(match.id, match.ply, seat), threads.get(seat))
        message = compose(notice, recipient, site, cause.text, now, cause.inbound)
        threads[seat] = (threads.get(seat, (message.message_id,))[0], message.message_id)
        messages.append(message)
    tx.outbound.enqueue(messages, now)
