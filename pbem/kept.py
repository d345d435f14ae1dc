"""Letters and mails as the store keeps them, without their bytes."""

from dataclasses import dataclass
from datetime import datetime

from rules import Seat


@dataclass(frozen=True)
class Received:
    """A letter as it is kept; ``status`` is received, accepted, rejected, discarded or failed."""

    id: int
    identity: str
    status: str
    reason: str
    detail: str
    sender: str | None
    subject: str
    match: int | None
    seat: Seat | None
    commands: tuple[str, ...]
    received_at: datetime
    settled_at: datetime | None


@dataclass(frozen=True)
class Ending:
    """How a letter ended, and what it was about."""

    status: str
    reason: str = ""
    detail: str = ""
    match: int | None = None
    seat: Seat | None = None
    commands: tuple[str, ...] = ()


@dataclass(frozen=True)
class Queued:
    """A mail as it is kept; ``status`` is queued, sent or refused."""

    id: int
    message_id: str
    kind: str
    recipient: str
    subject: str
    status: str
    attempts: int
    error: str
    match: int | None
    seat: Seat | None
    inbound: int | None
    created_at: datetime
    due_at: datetime
    sent_at: datetime | None
