"""Stage 2: discard messages that no person wrote, and count bounces; every other message has one sender."""

from datetime import datetime

from pbem.commands import Discard
from pbem.inbound import BOUNCE, classify, fails_dmarc
from pbem.mail import InboundMessage, Site, is_address
from pbem.pipeline.bounces import count_bounce
from pbem.storage import Transaction


def screen(tx: Transaction, message: InboundMessage, number: int, site: Site, now: datetime) -> None:
    """Raise Discard for automatic email (RFC 3834), bounces, forgeries, and messages without one valid sender."""
    if reason := classify(message, site.address):
        raise count_bounce(tx, message, number, site, now) if reason == BOUNCE else Discard(reason)
    if fails_dmarc(message, site.authserv_id):
        raise Discard("forged sender")
    if len(message.senders) != 1 or not is_address(message.senders[0]):
        raise Discard("no single sender")
