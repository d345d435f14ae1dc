"""Stage 4: extract the lines that the sender wrote, and read them as commands, once."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pbem.commands.catalogue import is_keyword
from pbem.commands.decision import Command
from pbem.commands.families.contests.ladders import parse_ladder
from pbem.commands.families.contests.leagues import parse_leagues
from pbem.commands.families.following import may_hold_wish, read_wish
from pbem.commands.families.seats import StandInAll, StandInOff, parse_seats
from pbem.commands.families.starting import may_hold_wish_to_start, parse_starting, read_sign_up
from pbem.commands.families.talk import without_name
from pbem.commands.grammar import begins_words, read_commands, reads_as_command
from pbem.commands.judge import counts_outside
from pbem.commands.rejections import UnknownMatch
from pbem.inbound.boilerplate import own_subject
from pbem.inbound.reply import read_reply
from pbem.mail.body import OpaqueKind, Unreadable
from pbem.mail.compose import Site
from pbem.mail.message import InboundMessage
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.question import Question
from pbem.notices.audience import SETTINGS, STATUS
from pbem.pipeline.identify import Origin
from pbem.reading.answering.signature import split_signature
from pbem.reading.answers import Answer, read_answer, written_out
from pbem.reading.move_phrases import looks_like_a_move
from pbem.storage.transaction import Transaction
from rules.position import Seat

_NAMED = re.compile(r"\[pbem\s{1,3}(\d{1,9})\]", re.ASCII | re.IGNORECASE)
"""How the subjects of our emails name a match; a long one is folded at any of its spaces."""

DIGEST, DIGEST_DONE, LETTER = "digest", "digest_done", "letter"
"""The kinds of the email with all boards that wait, of the answer to a reply to it, and of the Sunday letter."""

LISTINGS = (DIGEST, DIGEST_DONE, STATUS, SETTINGS, LETTER, UnknownMatch.kind)
"""The kinds of the emails about several matches that are answered alike: a line for each, with its number in front."""

_LONGEST_WISH = 100_000
"""Bytes of a message from a stranger that is looked through: it asks for one thing, in one line."""


@dataclass(frozen=True)
class Reading:
    """The content of a message: the sender's own ``lines``, and the ``commands`` in them.

    ``answered`` are the Message-IDs that the message replies to, newest first. ``opaque`` says why the content cannot
    be opened. ``signature`` are the lines at its end that say who the sender is, and are for nobody. ``whole`` is false
    for a message that was too large, so that only its beginning is stored. ``named`` is the number of the match that
    the subject of a message names which answers none. ``by_token``: its headers are those of a machine, and only its
    reply token says that a person wrote it.
    """

    lines: Sequence[str] = ()
    commands: Sequence[Command] = ()
    answered: Sequence[str] = ()
    opaque: OpaqueKind = ""
    whole: bool = True
    named: int | None = None
    signature: Sequence[str] = ()
    by_token: bool = False

    @property
    def is_closed(self) -> bool:
        """Whether it was too large to be read, or nobody but its reader can open it."""
        return not self.whole or self.opaque == "encrypted" or (bool(self.opaque) and not self.lines)

    @cached_property
    def answer(self) -> Answer:
        """What it answers to a question of ours, if it is one."""
        return self.read_answer(self.lines)

    def read_answer(self, lines: Sequence[str], names: Collection[str] = ()) -> Answer:
        """Return what ``lines`` of it answer, to somebody with these ``names``: a machine may say “OK”."""
        found = read_answer(lines, names)
        return written_out(found, lines) if self.by_token else found


NOTHING = Reading()
"""The reading of a message that is not interpreted yet."""


def interpret(tx: Transaction, message: InboundMessage, origin: Origin, site: Site, *, whole: bool) -> Reading:
    """Return the content of ``message``. Raise Unreadable for more text than a person writes."""
    if origin.digest is not None and origin.player:
        return _read_digest_reply(tx, message, origin.player, site, whole=whole)
    if origin.question is not None:
        name = origin.player.name if origin.player else ""
        return _read_answer(tx, message, origin.question, site, name, whole=whole)
    if origin.place is None:
        if not counts_outside(origin.player) and not _may_hold_wish(message):
            return NOTHING
        reply = read_reply(message.text, site.address, site.name)
        lines = reply.lines([])
        subject = own_subject(message.subject)
        if message.answered and subject != message.subject.strip():
            subject = ""  # of what they wrote before: our answers to it have the same
        if subject and not any(lines):
            lines = [subject] if origin.player or read_wish([subject]) or _starts(subject) else lines
        found = _NAMED.search(message.subject)
        named = int(found[1]) if found else None
        return Reading(lines, read_commands(lines), message.answered, message.opaque_kind, whole, named)
    if not whole and origin.player:
        return Reading(whole=False)
    lines, notice = own_lines(tx, message, origin.place.match, origin.place.seat, site)
    if origin.player and is_keyword(message.subject, "unsubscribe"):  # email programs add a text of their own to it
        lines = [message.subject]
    reading = read_in_match(lines, origin.place.match)
    if notice:
        reading = replace(reading, signature=(*reading.signature, notice))
    return replace(reading, answered=message.answered, opaque=message.opaque_kind, whole=whole)


def read_in_match(lines: Sequence[str], match: Match) -> Reading:
    """Return what lines for a match ask for, without the signature below them."""
    written, signature = split_signature(lines, lambda line: reads_as_command(line, match.position), begins_words)
    return Reading(written, read_commands(written), signature=signature)


def _read_digest_reply(tx: Transaction, message: InboundMessage, player: Player, site: Site, *, whole: bool) -> Reading:
    """Return the lines that a player wrote in answer to an email about several matches; they are parted later."""
    if is_keyword(message.subject, "unsubscribe"):
        return Reading([message.subject], read_commands([message.subject]), message.answered, whole=whole)
    if not whole:
        return Reading(whole=False)
    reply = read_reply(message.text, site.address, site.name)
    lines = reply.written(lambda: [words for kind in LISTINGS for words in tx.outbound.quotable_to(player.email, kind)])
    return Reading(lines, read_commands(lines), message.answered, message.opaque_kind)


def _may_hold_wish(message: InboundMessage) -> bool:
    """Return whether a stranger may want to follow a match, or to play; what is large or unreadable is passed over."""
    try:
        if len(message.raw) > _LONGEST_WISH:
            return False
        text = f"{message.subject}\n{message.text}"
        return may_hold_wish(text) or may_hold_wish_to_start(text)
    except Unreadable:
        return False


def _starts(subject: str) -> bool:
    """Return whether a subject asks for something about starting matches."""
    if any(is_keyword(subject, word) for word in ("offers", "ladder", "standin off", "stand-in off")):
        return True
    of_seats = isinstance(parse_seats(subject), StandInAll | StandInOff)
    starts = parse_starting(subject) is not None or parse_leagues(subject) is not None
    starts = starts or parse_ladder(subject) is not None
    return of_seats or starts or read_sign_up([subject]) is not None


def _read_answer(
    tx: Transaction, message: InboundMessage, question: Question, site: Site, name: str, *, whole: bool
) -> Reading:
    """Return what somebody answered to a question that went to no seat, or to what carries its token.

    The ``name`` of a player below it says nothing.
    """
    if is_keyword(message.subject, "unsubscribe"):
        lines = [message.subject]
    else:
        lines = read_reply(message.text, site.address, site.name).written(lambda: tx.outbound.quotable_of(question.id))
        lines = list(without_name(lines, name)) or lines
    return Reading(lines, read_commands(lines), message.answered, message.opaque_kind, whole)


def own_lines(tx: Transaction, message: InboundMessage, match: Match, seat: Seat, site: Site) -> tuple[list[str], str]:
    """Return the lines that a player wrote in the body, or, if there are none, in the subject.

    The second is the first line of a legal notice below them; empty where there is none.

    The emails that the player may have quoted are looked up where the text has room for a quotation.
    """
    reply = read_reply(message.text, site.address, site.name)
    lines = reply.written(lambda: tx.outbound.quotable(match.id, seat, message.answered))
    subject = "" if lines else own_subject(message.subject)
    is_meant = looks_like_a_move(subject) or reads_as_command(subject, match.position)
    return [subject] if is_meant else lines, reply.notice
