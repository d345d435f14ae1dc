"""Stage 4: extract the lines that the sender wrote, and read them as commands, once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pbem.commands import Command, counts_outside, is_keyword, looks_like_a_move, read_commands, reads_as_command
from pbem.inbound import extract_reply, may_quote, own_subject
from pbem.mail import InboundMessage, OpaqueKind, Site, parse
from pbem.match import Match
from pbem.pipeline.identify import Origin
from pbem.storage import Transaction
from rules import Seat


@dataclass(frozen=True)
class Reading:
    """The content of a message: the sender's own ``lines``, and the ``commands`` in them.

    ``answered`` are the Message-IDs that the message replies to, newest first. ``opaque`` says why the content cannot
    be opened. ``whole`` is false for a message that was too large, so that only its beginning is stored.
    """

    lines: Sequence[str] = ()
    commands: Sequence[Command] = ()
    answered: Sequence[str] = ()
    opaque: OpaqueKind = ""
    whole: bool = True


NOTHING = Reading()
"""The reading of a message that is not interpreted yet."""


def interpret(tx: Transaction, message: InboundMessage, origin: Origin, site: Site, *, whole: bool) -> Reading:
    """Return the content of ``message``. Raise Unreadable for more text than a person writes."""
    if origin.place is None:
        if not counts_outside(origin.player):
            return NOTHING
        lines = extract_reply(message.text, site.address)
        return Reading(lines, read_commands(lines), message.answered, message.opaque_kind, whole)
    if not whole and origin.player:
        return Reading(whole=False)
    lines = own_lines(tx, message, origin.place.match, origin.place.seat, site.address)
    # Email programs send the subject ``unsubscribe`` by themselves (RFC 2369), with a text of their own.
    if origin.player and is_keyword(message.subject, "unsubscribe"):
        lines = [message.subject]
    return Reading(lines, read_commands(lines), message.answered, message.opaque_kind, whole)


def own_lines(tx: Transaction, message: InboundMessage, match: Match, seat: Seat, address: str) -> list[str]:
    """Return the lines that a player wrote: in the body, or in the subject if the body has none.

    Notices that the body may quote are looked up only if it is long enough to hold one.
    """
    sent = tx.outbound.quotable(match.id, seat, message.answered) if may_quote(message.text, address) else []
    quotable = [text for raw in sent for text in _texts_without_quotes(raw)]
    lines = extract_reply(message.text, address, quotable)
    subject = "" if lines else own_subject(message.subject)
    return [subject] if looks_like_a_move(subject) or reads_as_command(subject, match.position) else lines


@lru_cache(maxsize=500)  # every one of the next messages from the same player needs the same notices
def _texts_without_quotes(raw: bytes) -> tuple[str, ...]:
    """Return the texts of a notice without lines quoted from its reader, who may write the same words again."""
    return tuple(
        "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(">")) for text in parse(raw).texts
    )
