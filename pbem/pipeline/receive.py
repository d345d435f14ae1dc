"""Keeps the raw bytes of an inbound message before anything is done with it; only its headers are parsed."""

import logging
from collections.abc import Sequence
from typing import NamedTuple

from pbem.commands.grammar import conceal_private
from pbem.inbound.authentic import judge_sender
from pbem.inbound.boilerplate import own_subject
from pbem.log.logbook import event
from pbem.mail.compose import Site
from pbem.mail.message import InboundMessage, parse
from pbem.mail.reply_token import find_token, matches_named
from pbem.pipeline.act import Act
from pbem.ports import Fetched
from pbem.storage.database import Transaction

log = logging.getLogger("pbem")


class Received(NamedTuple):
    """A stored message: its number, whether it is new, and its content as parsed, if it can be."""

    number: int
    is_new: bool
    message: InboundMessage | None


def receive(act: Act, fetched: Fetched) -> Received:
    """Store the bytes of one message, with its sender and subject."""
    message: InboundMessage | None = None
    places: tuple[str, ...] = ()
    try:
        message = parse(fetched.raw)
        # A forged message must not keep out the one that it imitates.
        forged = judge_sender(message, act.site.authserv_id) == "forged"
        identity = InboundMessage.identity_of(fetched.raw) if forged else message.identity
        words = "" if forged else message.words
        # The subject is for the operator, who may play too.
        subject = conceal_private(message.subject, own_subject(message.subject))
        sender = next(iter(message.senders), None)
        places = message.token_places
    except Exception:  # it is kept all the same; processing it says what is wrong
        log.warning("an inbound message could not be read on arrival", extra=event("unreadable_on_arrival"))
        identity, words, subject, sender = InboundMessage.identity_of(fetched.raw), "", "", None
    named = find_named(act.tx, places, act.site)
    for key in (identity, f"{identity} {words}"):  # the second for a program that gives a Message-ID again
        number = act.tx.inbound.add(key, fetched.raw, fetched.whole, sender, subject, act.now, named=named, words=words)
        if number is not None:
            return Received(number, True, message)
        known, known_words = act.tx.inbound.find_known(key)
        if words in ("", known_words):
            break
    return Received(known, False, None)


def find_named(tx: Transaction, places: Sequence[str], site: Site) -> int | None:
    """Return the match that a reply token in ``places`` names; None without one.

    Where several are named it is that whose token is right, which is what ``identify`` takes: a message has to wait in
    the lane of the match that it may change. Where there is but one, nobody has to know yet whether its token is right.
    """
    named = set(matches_named(places))
    if len(named) < 2:
        return next(iter(named), None)
    token = find_token(places, site.secret, tx.matches.nonce)
    return token.match if token else min(named)
