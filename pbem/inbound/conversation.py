"""The conversation that a message begins or goes on with, as its sender's email program sees it."""

import re

from pbem.inbound.boilerplate import without_prefixes
from pbem.mail.compose import Thread
from pbem.mail.message import InboundMessage

_LONGEST_SUBJECT = 150  # characters
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,250}>")
"""One that may stand in a header of ours: nobody looks at what others put into theirs."""


def find_conversation(message: InboundMessage, *, named: bool) -> Thread | None:
    """Return the conversation that an answer to ``message`` goes on with; None where it has no usable Message-ID.

    ``named``: with its subject. Where anybody may have written it that isn’t repeated, so that nobody has us send words
    of theirs to whomever they like.
    """
    ids = [one for one in (message.message_id, *message.answered[-1:]) if _MESSAGE_ID.fullmatch(one)]
    if message.message_id not in ids:
        return None
    subject = " ".join(without_prefixes(message.subject).split())
    is_usual = named and subject.isprintable() and len(subject) <= _LONGEST_SUBJECT
    return Thread(ids[-1], ids[0], f"Re: {subject}" if is_usual and subject else "")
