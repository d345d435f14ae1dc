"""Keeps the raw bytes of an inbound message before anything is done with it; only its headers are parsed."""

import logging
import re
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from pbem.commands.grammar import begins_words, conceal_private, is_harmless
from pbem.inbound.authentic import judge_sender
from pbem.inbound.boilerplate import own_subject
from pbem.log.logbook import event
from pbem.mail.compose import Site
from pbem.mail.message import InboundMessage, parse
from pbem.mail.reply_token import find_token, matches_named
from pbem.pipeline.act import Act
from pbem.ports import Fetched
from pbem.reading.answers import read_answer
from pbem.storage.transaction import Transaction

log = logging.getLogger("pbem")

_PIECES = re.compile(r"[\s<>,;:\"]")
_RULE = re.compile(r"[-_=*~#—]{2,}")
_LONGEST_FOOTER = 20  # lines
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

    A mailing list puts its name into the subject, servers encode anew, and either adds a footer. That is what stands
    below a line of signs, and, if both were written in the same second, a few lines that ask for nothing: who has
    written on under a Message-ID that was used before has done so later, and a copy that was cut short lacks a move.
    """
    try:
        also = parse(known)
        (to, *shorter), (also_to, *longer) = sorted(map(_read_words, (message, also)), key=len)
    except Exception:  # nothing that arrives may be lost here: processing it says what is wrong
        return False
    if to != also_to or [*map(_squeeze, longer[: len(shorter)])] != [*map(_squeeze, shorter)]:
        return False
    footer = [*takewhile(lambda line: not _RULE.fullmatch(line), longer[len(shorter) :])]
    at_once = message.header("Date") == also.header("Date") != ""
    return not footer or (at_once and len(footer) <= _LONGEST_FOOTER and all(map(_asks_for_nothing, footer)))


def _asks_for_nothing(line: str) -> bool:
    """Return whether a line is no command, no move and no answer, and begins no words for anybody."""
    return is_harmless(line) and not begins_words(line) and not read_answer([line]).means


def _squeeze(line: str) -> str:
    """Return a line without white space."""
    return "".join(line.split())


def _read_words(message: InboundMessage) -> list[str]:
    """Return what a message is a reply to, and its lines."""
    pieces = (piece.lower() for value in message.undecoded("To")[:1] for piece in _PIECES.split(value))
    head = [*sorted({piece for piece in pieces if "@" in piece}), *message.undecoded("In-Reply-To")[:1]]
    head.append(own_subject(_TAG.sub("", message.subject)))
    return [_squeeze(" ".join(head)), *filter(None, map(str.strip, message.text.splitlines()))]


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
