"""The ports through which every effect passes; the fifth is ``pbem.store.Store``, real SQLite in tests too."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

LARGEST, HEAD = 10_000_000, 200_000
"""Bytes: of a message larger than the first, only so many as the second are fetched and kept."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a mailbox has been read: every message up to ``last_uid`` under this ``uidvalidity`` is stored."""

    uidvalidity: int
    last_uid: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """One message as it lay in the mailbox; ``whole`` is False when it was too large and only its head is here."""

    raw: bytes
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Batch:
    """Messages fetched together, and the cursor to keep once they are stored."""

    messages: tuple[Fetched, ...]
    cursor: Cursor


class Mailbox(Protocol):
    """Where messages arrive. Reading never marks, moves or deletes anything."""

    @property
    def name(self) -> str:
        """The name under which the cursor is kept: user, host and folder, without the password."""
        ...

    def batches(self, cursor: Cursor | None, since: date | None) -> AsyncIterator[Batch]:
        """Yield what is new after ``cursor``, oldest first.

        Without a cursor, or when the server has renumbered the mailbox, everything that arrived on or after
        ``since`` is new; with ``since`` None nothing is, and one empty batch tells the cursor to start from.
        Raises MailboxLost, LoginRefused, or ConfigError where there is no such folder.
        """
        ...

    async def wait(self, seconds: float) -> bool:
        """Wait until the server announces something new, at most ``seconds``; False when it did not, or cannot."""
        ...

    async def close(self) -> None:
        """End the connection; never raises."""
        ...


class Courier(Protocol):
    """Who carries emails away."""

    async def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Hand one email over.

        Raises TransientFailure when a repeat may succeed (also when it is unknown whether the email was taken),
        PermanentFailure when it cannot, LoginRefused when the server does not let us in.
        """
        ...

    async def close(self) -> None:
        """End the connection; never raises."""
        ...


class Clock(Protocol):
    """What time it is."""

    def now(self) -> datetime:
        """Return the time, aware, in UTC."""
        ...


class Dice(Protocol):
    """Where the secrets come from that all rolls follow from."""

    def secret(self) -> str:
        """Return a new secret, that nobody can foresee: 64 hexadecimal digits."""
        ...
