"""Stage 2: discard messages that no person wrote, and count bounces; every other message has one sender."""

from datetime import datetime, timedelta

from pbem.commands import Discard
from pbem.inbound import BOUNCE, Bounce, classify, judge_sender, read_bounce, returned_ids, returned_places
from pbem.mail import InboundMessage, Recipient, Site, compose, find_token, is_address, sign_token
from pbem.notices import plain_notice
from pbem.redaction import redacted
from pbem.storage import BouncingAddress, Transaction

_WEEK = timedelta(days=7)


def screen(tx: Transaction, message: InboundMessage, number: int, site: Site, now: datetime) -> None:
    """Raise Discard for automatic email (RFC 3834), bounces, forgeries, and messages without one valid sender."""
    reason = classify(message, site.address)
    if reason == BOUNCE:
        raise _count_bounce(tx, message, number, site, now)
    if site.authentication != "off" and judge_sender(message, site.authserv_id) == "forged":
        raise _discard_forged(tx, message, site)
    if reason:
        raise Discard(reason)
    if len(message.senders) != 1 or not is_address(message.senders[0]):
        raise Discard("no single sender")


def _discard_forged(tx: Transaction, message: InboundMessage, site: Site) -> Discard:
    """Return the discard of a message that does not come from its sender; it names the seat in whose name it came."""
    token = find_token(message.token_places, site.secret)
    match = tx.matches.get(token.match) if token else None
    if token is None or match is None or token.seat >= len(match.players):
        return Discard("forged sender")
    return Discard("forged sender", match=match.id, seat=token.seat)


def _count_bounce(tx: Transaction, message: InboundMessage, number: int, site: Site, now: datetime) -> Discard:
    """Count a bounce, and write to the operator if a player is unreachable; return the discard.

    A bounce counts only for a message that the service sent, found by Message-ID or reply token, and only once.
    """
    token = find_token(returned_places(message), site.secret)
    sent = tx.outbound.find_returned(returned_ids(message), sign_token(token, site.secret) if token else "")
    if sent is None:
        return Discard(BOUNCE, "no mail of ours is in it")
    bounce = read_bounce(message, sent.recipient)
    detail = f"mail {sent.id} to {sent.recipient}: {bounce}"
    if bounce.weight and not tx.outbound.note_bounce(sent.id, str(bounce), number, now):
        detail += ", counted before"
    elif bounce.weight:
        address = tx.players.count_bounce(sent.recipient, bounce.weight == "hard", now)
        if address is None:
            detail += ", no player's address"
        elif address.unreachable and site.operator not in ("", address.email):
            _notify_operator(tx, address, bounce, number, site, now)
    return Discard(BOUNCE, detail, match=sent.match, seat=sent.seat)


def _notify_operator(
    tx: Transaction, address: BouncingAddress, bounce: Bounce, number: int, site: Site, now: datetime
) -> None:
    """Queue an email about an unreachable player, at most once a week for each address."""
    key = f"bouncing {address.email}"
    if tx.outbound.has_key(site.operator, key, now - _WEEK):
        return
    player = tx.players.find(address.email)
    assert player is not None
    notice = plain_notice(
        "bouncing",
        name=player.name,
        address=redacted(address.email),
        times=address.times,
        hard=bounce.weight == "hard",
        status=bounce.status,
        matches=[match.id for match in tx.matches.all(player=player.id, running=True)],
        message=number,
    )
    message = compose(notice, Recipient("", site.operator), site, f"letter {number}", now, number)
    tx.outbound.enqueue([message], now, key=key)
