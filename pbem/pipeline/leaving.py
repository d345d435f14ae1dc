"""Unsubscribes the reader of an email of ours who has not written: they pressed a button, or called it unwanted.

Both become the email that the button in other email programs writes, so that there is one way, with all that follows.
"""

import hashlib
from datetime import datetime

from pbem.commands.rejections import Discard
from pbem.inbound.automatic import COMPLAINT
from pbem.inbound.bounce import read_complaint
from pbem.mail.compose import Site
from pbem.mail.headers import add_plus, domain_of
from pbem.mail.message import InboundMessage, parse
from pbem.mail.reply_token import find_token, sign_token
from pbem.pipeline.act import Act
from pbem.pipeline.identify import identify, locate
from pbem.pipeline.receive import receive
from pbem.ports import Fetched
from pbem.storage.transaction import Transaction

_LONGEST_END = 60  # characters of an address in which a reply token is looked for


def write_for_page(tx: Transaction, site: Site, url: str, now: datetime) -> bytes | None:
    """Return the email of whoever's reply token stands at the end of ``url``; None for a token that proves nothing."""
    token = find_token([url[-_LONGEST_END:]], site.secret, tx.matches.nonce)
    # Nobody can have a match read by a token that they made up.
    match = tx.matches.get(token.match) if token else None
    place, _ = locate(tx, match, token) if token and match else (None, False)
    if token is None or place is None:
        return None
    return _write(tx, site, place.player.email, add_plus(site.address, sign_token(token, site.secret)), now)


def take_complaint(act: Act, message: InboundMessage) -> Discard:
    """Unsubscribe whoever called an email of ours unwanted; return the discard of the complaint (RFC 5965).

    The signed address for unsubscribing in the email that it has attached proves that: whoever has it could press the
    button, too. What else a complaint says is what anybody may write. An address outside a match proves only together
    with a Message-ID of ours whose it is; some servers that send for us replace that.
    """
    for message_id, address in read_complaint(message):
        sent = act.tx.outbound.find_named(message_id)
        raw = _write(act.tx, act.site, sent.recipient, address, act.now) if sent else None
        raw = raw or write_for_page(act.tx, act.site, address.partition("@")[0], act.now)
        if raw:
            receive(act, Fetched(raw))
            (reader,) = parse(raw).senders
            match, seat = (sent.match, sent.seat) if sent and sent.recipient == reader else (None, None)
            return Discard(COMPLAINT, f"to {reader}", match=match, seat=seat)
    return Discard(COMPLAINT, "it proves no mail of ours to anybody who gets any")


def _write(tx: Transaction, site: Site, reader: str, address: str, now: datetime) -> bytes | None:
    """Return the email by which a ``reader`` unsubscribes; None unless ``address`` is theirs, or if they have.

    Within a minute it is the same email, however often it is written. That it is theirs, we have found ourselves.
    """
    mark = hashlib.sha256(f"{site.secret}\n{reader}\n{address}\n{now:%Y%m%d%H%M}".encode()).hexdigest()[:16]
    lines = [
        f"From: <{reader}>",
        f"To: <{address}>",
        "Subject: unsubscribe",
        f"Message-ID: <unsubscribe.{mark}@{domain_of(site.address)}>",
    ]
    origin = identify(tx, parse("\r\n".join([*lines, "", ""]).encode()), site) if reader else None
    if origin is None or (origin.player and origin.player.preferences.muted):
        return None
    if not (origin.seated or origin.question or origin.digest is not None):
        return None
    found = [f"Authentication-Results: {site.authserv_id}; auth=pass smtp.auth={reader}"] if site.authserv_id else []
    return "\r\n".join([*found, *lines, "", ""]).encode()
