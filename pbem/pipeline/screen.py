"""Stage 2: discard messages that no person wrote, and count bounces; every other message has one sender."""

from pbem.commands.rejections import Discard
from pbem.inbound.authentic import judge_sender
from pbem.inbound.automatic import BOUNCE, COMPLAINT, classify
from pbem.mail.compose import Site
from pbem.mail.message import InboundMessage
from pbem.pipeline.absence_notices import note_away
from pbem.pipeline.act import Act
from pbem.pipeline.bounces import count_bounce
from pbem.pipeline.identify import find_proof, identify
from pbem.pipeline.leaving import take_complaint
from pbem.storage.transaction import Transaction


def screen(act: Act, message: InboundMessage, number: int) -> bool:
    """Return whether a message has headers of a machine, and only its reply token says that a person wrote it.

    Raise Discard for automatic email (RFC 3834), bounces, forgeries, and messages without one valid sender.

    What comes from a blocked sender ends first: nothing in it counts, and nobody learns what became of it.
    """
    if message.senders and act.tx.blocked.has(message.senders[0]):
        raise Discard("blocked")
    reason = classify(message, act.site.address)
    by_token = bool(reason and classify(message, act.site.address, proven=True) is None)
    by_token = by_token and _answers_us(act.tx, message, act.site)
    reason = None if by_token else reason
    if reason == BOUNCE:
        raise count_bounce(act, message, number)
    if reason == COMPLAINT:
        raise take_complaint(act, message)
    if act.site.authentication != "off" and judge_sender(message, act.site.authserv_id) == "forged":
        raise _discard_forged(act.tx, message, act.site)
    if reason:
        if reason == "automatic":
            note_away(act, message)
        raise Discard(reason)
    if not message.senders:
        raise Discard("no single sender")
    return by_token


def _answers_us(tx: Transaction, message: InboundMessage, site: Site) -> bool:
    """Return whether a message answers an email of ours, by its token, and comes from who got that."""
    if not message.senders:
        return False
    origin = identify(tx, message, site)
    return origin.seated is not None or origin.question is not None or origin.digest is not None


def screen_headers(tx: Transaction, message: InboundMessage, site: Site) -> None:
    """Raise Discard as ``screen`` does, but from the headers alone: the body takes too long to read."""
    if not message.senders or tx.blocked.has(message.senders[0]):
        raise Discard("no single sender")
    if classify(message, site.address, headers_alone=True):
        raise Discard("automatic")
    if site.authentication != "off" and judge_sender(message, site.authserv_id) == "forged":
        raise Discard("forged sender")


def _discard_forged(tx: Transaction, message: InboundMessage, site: Site) -> Discard:
    """Return the discard of a message that does not come from its sender; it names the seat in whose name it came."""
    token, match = find_proof(tx, message.token_places, site)
    if token is None or match is None or token.seat >= len(match.players):
        return Discard("forged sender")
    return Discard("forged sender", match=match.id, seat=token.seat)
