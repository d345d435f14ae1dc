"""Counts bounces, each for the email that it proves to be of."""

from datetime import datetime, timedelta

from pbem.commands.rejections import Discard
from pbem.due.schedule import end_digest, note_arrived, note_need, stop_clock
from pbem.inbound.automatic import BOUNCE
from pbem.inbound.bounce import read_bounce, returned_ids
from pbem.mail.envelope import find_envelope_tokens
from pbem.mail.message import InboundMessage
from pbem.pipeline.act import Act
from pbem.pipeline.interpret import DIGEST
from pbem.storage.messages.records import OutboundRecord
from pbem.storage.transaction import Transaction

_COUNTS = timedelta(days=14)  # after an email was sent; servers try for about five days, and then give it up


def count_bounce(act: Act, message: InboundMessage, number: int) -> Discard:
    """Count a bounce, and let the operator be told if a player is unreachable; return the discard.

    A bounce counts only for an email that it proves to have come from, for the recipient of that, and only once.
    Whatever else it says of addresses is what anybody may write.
    """
    sent = _find_sent(act, message)
    if sent is None:
        return Discard(BOUNCE, "it proves no mail of ours of the last two weeks")
    note_arrived(act.tx, sent.message_id, {sent.recipient}, act.now)  # at the server that sends it back
    bounce = read_bounce(message, sent.recipient)
    detail = f"mail {sent.id} to {sent.recipient}: {bounce}"
    if bounce.weight and not act.tx.outbound.note_bounce(sent.id, str(bounce), number, act.now):
        detail += ", counted before"
    elif bounce.weight:
        _stop_clock(act.tx, sent, act.now)
        address = act.tx.players.count_bounce(sent.recipient, bounce.weight == "hard", act.now)
        if address is None:
            detail += ", no player's address"
        elif address.unreachable:
            note_need(act.tx, act.now, urgent=True)
    return Discard(BOUNCE, detail, match=sent.match, seat=sent.seat)


def _stop_clock(tx: Transaction, sent: OutboundRecord, now: datetime) -> None:
    """Stop the clock of the match that an email was of, if its reader is to act: they have not been told of it."""
    if sent.kind == DIGEST:
        end_digest(tx, sent.recipient, now)
    if sent.match is None or sent.seat is None:
        return
    stop_clock(tx, sent.match, sent.seat, now, written_at=sent.created_at)


def _find_sent(act: Act, message: InboundMessage) -> OutboundRecord | None:
    """Return the email that came back: the bounce arrived at the envelope sender that this email alone had.

    An email sent with the plain address had none; it is found by its own Message-ID.
    """
    since = act.now - _COUNTS
    for token in find_envelope_tokens(message.recipients):
        sent = act.tx.outbound.get(token.number)
        if sent and token.is_signed_for(sent.recipient, act.site.secret):
            return sent if (sent.sent_at or sent.created_at) > since else None
    return act.tx.outbound.find_returned(returned_ids(message), since)
