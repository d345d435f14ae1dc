"""What everything that acts carries along: a transaction, the service as a sender, the time, and why."""

from dataclasses import dataclass, replace
from datetime import datetime

from pbem.mail.compose import Site, Thread
from pbem.storage.messages.records import UNPROVEN
from pbem.storage.transaction import Transaction


@dataclass(frozen=True)
class Cause:
    """The cause of a decision: the identity of an inbound message, or a fixed word where no message caused it.

    Message-IDs are made from ``text``, so the words must never change. ``inbound`` is the number of the message.
    ``share`` is that of its sender, of what all together may cause. ``thread`` is the conversation that it began, with
    its ``sender``, where it answers no email about a match.
    """

    text: str
    inbound: int | None = None
    share: str = UNPROVEN
    sender: str = ""
    thread: Thread | None = None

    def thread_with(self, recipient: str) -> Thread | None:
        """Return the conversation that an email to ``recipient`` goes on with."""
        return self.thread if recipient == self.sender else None


OPENING = Cause("opening")
ROLLS_DUE = Cause("first lots")


def cause_at(word: str, now: datetime) -> Cause:
    """Return the cause of what happens to a match more than once without a message, such as a flag."""
    return Cause(f"{word} {now.isoformat()}")


UNCAUSED = Cause("")
"""The cause before anything has been decided."""


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that is being done: in a transaction, by a service, at a time (UTC), for a cause."""

    tx: Transaction
    site: Site
    now: datetime
    cause: Cause = UNCAUSED

    def because(self, cause: Cause) -> "Act":
        """Return the act with its cause."""
        return replace(self, cause=cause)
