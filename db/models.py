"""The tables. Entries and messages are only ever added; a board is never stored, it is the fold of the entries.

Times are aware and in UTC. Seats and plies count from 0.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, UniqueConstraint, false, text
from sqlmodel import JSON, Column, Field, LargeBinary, SQLModel


class Player(SQLModel, table=True):
    """A person who plays; ``name`` is what notices and the operator call them.

    ``folded`` is the name without regard to letter case. ``display`` is how they want boards, "" for the usual way;
    ``quiet``: no email until they write again.
    """

    id: int | None = Field(default=None, primary_key=True)
    name: str
    folded: str = Field(unique=True)
    created_at: datetime
    display: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
    quiet: bool = Field(default=False, sa_column_kwargs={"server_default": false()})


class Address(SQLModel, table=True):
    """An address that a player writes from; ``is_primary`` marks the one that notices go to.

    Bounces are counted since a message last came from it; ``bounced_at`` is the latest.
    """

    email: str = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    is_primary: bool = True
    soft_bounces: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    hard_bounces: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    bounced_at: datetime | None = None


class Match(SQLModel, table=True):
    """One playing of a game; ``options`` are complete, ``over_at`` is set when it is over.

    All rolls follow from ``secret``, which nobody may see before the end, and from what players mix in before the
    first; it is empty where nothing is rolled.
    """

    id: int | None = Field(default=None, primary_key=True)
    game: str
    seats: int
    options: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    opened_at: datetime
    changed_at: datetime = Field(index=True)
    over_at: datetime | None = Field(default=None, index=True)
    secret: str = Field(default="", sa_column_kwargs={"server_default": text("''")})


class SeatAssignment(SQLModel, table=True):
    """Which player sits where; ``salt`` is their seed for the rolls, None until they have answered."""

    __tablename__ = "place"

    match_id: int = Field(foreign_key="match.id", primary_key=True)
    seat: int = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    salt: str | None = None


class InboundMessage(SQLModel, table=True):
    """An inbound message, raw bytes first; ``identity`` makes it count once however often it is delivered.

    ``status`` is received, then one of accepted, rejected, discarded, failed; ``code`` says more closely why.
    """

    __tablename__ = "inbound"
    __table_args__ = (Index("ix_inbound_sender_received_at", "sender", "received_at"),)

    id: int | None = Field(default=None, primary_key=True)
    identity: str = Field(unique=True)
    raw: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    whole: bool = True
    received_at: datetime
    status: str = Field(default="received", index=True)
    reason: str = ""
    detail: str = ""
    sender: str | None = None
    subject: str = ""
    match_id: int | None = Field(default=None, foreign_key="match.id", index=True)
    seat: int | None = None
    commands: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    settled_at: datetime | None = None
    code: str = Field(default="", sa_column_kwargs={"server_default": text("''")})


class MatchEntry(SQLModel, table=True):
    """One entry of a match's record; the uniqueness of (match, ply) is the concurrency control."""

    __table_args__ = (UniqueConstraint("match_id", "ply"),)

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    ply: int
    seat: int | None
    text: str
    made_at: datetime
    inbound_id: int | None = Field(default=None, foreign_key="inbound.id", index=True)


class Comment(SQLModel, table=True):
    """What a player wrote to the others; ``to_side`` keeps it within their own side.

    ``ply`` is the number of entries the match had when it was written.
    """

    __tablename__ = "remark"

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    ply: int
    seat: int
    text: str
    to_side: bool = False
    made_at: datetime
    inbound_id: int | None = Field(default=None, foreign_key="inbound.id", index=True)


class OutboundMessage(SQLModel, table=True):
    """An email to send, bytes and Message-ID fixed, so that a repeat is recognisable.

    ``status`` is queued, sent or refused. ``due_at`` is the next attempt; whoever sends moves it into the future first.
    ``notice_key`` names what must not be said again soon. ``bounced_at`` and ``bounce_status`` tell of its bounce.
    """

    __tablename__ = "outbound"
    __table_args__ = (
        Index("ix_outbound_status_due_at", "status", "due_at"),
        Index("ix_outbound_thread", "match_id", "seat"),
        Index("ix_outbound_recipient", "recipient", "created_at"),
        Index("ix_outbound_created_at", "created_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    message_id: str = Field(unique=True)
    kind: str
    recipient: str
    subject: str
    raw: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    status: str = Field(default="queued")
    attempts: int = 0
    error: str = ""
    created_at: datetime
    due_at: datetime
    sent_at: datetime | None = None
    match_id: int | None = Field(default=None, foreign_key="match.id")
    seat: int | None = None
    inbound_id: int | None = Field(default=None, foreign_key="inbound.id", index=True)
    notice_key: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
    bounced_at: datetime | None = None
    bounce_status: str = Field(default="", sa_column_kwargs={"server_default": text("''")})


class Due(SQLModel, table=True):
    """Something that happens at ``due_at`` unless it is cancelled: a ``kind``, and the number of what it is about."""

    kind: str = Field(primary_key=True)
    subject: int = Field(primary_key=True)
    due_at: datetime = Field(index=True)


class MailboxCursor(SQLModel, table=True):
    """How far each mailbox has been read."""

    mailbox: str = Field(primary_key=True)
    uidvalidity: int
    last_uid: int
