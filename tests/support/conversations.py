"""Which emails a mailbox shows as one conversation, by the rule of Gmail, which is stricter than that of others.

An email goes on with a conversation if it refers to an email of it and has the same subject. Outlook goes by the
subject alone, Apple Mail and Thunderbird by what an email refers to.
"""

import re
from collections.abc import Iterable
from email.message import EmailMessage

from pbem.match.player import FORMER

_NUMBER = re.compile(r"\[pbem (\d+)\]")
_PREFIX = re.compile(r"(?:re|aw|fwd?): ?", re.IGNORECASE)


def torn_matches(mails: Iterable[tuple[str, EmailMessage]]) -> list[str]:
    """Return the subjects that begin another conversation with a reader about a match; ``mails`` have their readers."""
    begun: dict[tuple[str, str], tuple[str, set[str]]] = {}
    torn = []
    for reader, mail in mails:
        subject = str(mail["Subject"])
        number = _NUMBER.match(subject)
        if number is None or FORMER in subject:  # a name that is to be forgotten is not kept for a conversation's sake
            continue
        ids = {str(mail["Message-ID"]), *str(mail["References"] or "").split()}
        about, known = begun.setdefault((reader, number[1]), (_PREFIX.sub("", subject), ids))
        if about != _PREFIX.sub("", subject) or not ids & known:
            torn.append(f"{subject} (to {reader})")
        known |= ids
    return torn
