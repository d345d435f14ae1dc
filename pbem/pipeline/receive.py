"""Keeps the raw bytes of an inbound message before anything is done with it; only its headers are parsed."""

import logging
import re
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

_PIECES = re.compile(r"[\s<>,;:\"]")
_RULE = re.compile(r"[-_=*~#—]{2,}")
_TAG = re.compile(r"\[[^\[\]]{1,60}\](?=\s*\S)")


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
        if words in ("", known_words) or (message and _is_copy(message, act.tx.inbound.raw(known))):
            break
    return Received(known, False, None)


def _is_copy(message: InboundMessage, known: bytes) -> bool:
    """Return whether ``message`` says to the same addresses what a ``known`` one does, sent on in another shape.

    A mailing list puts its name into the subject, servers encode anew, and either adds a footer: that counts as one
    only below a line of signs, since below anything else a player may have written on.
    """
    try:
        (to, *shorter), (also_to, *longer) = sorted(map(_read_words, (message, parse(known))), key=len)
    except Exception:  # nothing that arrives may be lost here: processing it says what is wrong
        return False
    added = longer[len(shorter) :][:1]
    return to == also_to and longer[: len(shorter)] == shorter and all(map(_RULE.fullmatch, added))


def _read_words(message: InboundMessage) -> list[str]:
    """Return what a message is a reply to, and its lines, without white space."""
    pieces = (piece.lower() for value in message.undecoded("To")[:1] for piece in _PIECES.split(value))
    head = [*sorted({piece for piece in pieces if "@" in piece}), *message.undecoded("In-Reply-To")[:1]]
    head.append(own_subject(_TAG.sub("", message.subject)))
    lines = ("".join(line.split()) for line in message.text.splitlines())
    return ["".join(" ".join(head).split()), *(line for line in lines if line)]


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
