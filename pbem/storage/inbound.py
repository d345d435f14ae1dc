"""Inbound messages: raw bytes first, then how each ended; and how far each mailbox was read."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import and_, func, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from db import models
from pbem.match import Player
from pbem.ports import Cursor
from pbem.storage.records import Disposition, InboundRecord, row_id, select_records
from rules import Seat


class Inbound:
    """The gateway to inbound messages."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(
        self, identity: str, raw: bytes, whole: bool, sender: str | None, subject: str, now: datetime
    ) -> int | None:
        """Keep a message and return its number; None when it is here already."""
        if (
            self._session.exec(
                select(models.InboundMessage.id).where(models.InboundMessage.identity == identity)
            ).first()
            is not None
        ):
            return None
        row = models.InboundMessage(
            identity=identity, raw=raw, whole=whole, sender=sender, subject=subject, received_at=now
        )
        try:
            with self._session.begin_nested():
                self._session.add(row)
        except IntegrityError:  # another worker has kept it since the look above
            return None
        return row_id(row.id)

    def get(self, number: int) -> InboundRecord | None:
        """Return a message by its number."""
        return next(iter(self._select(models.InboundMessage.id == number)), None) if abs(number) < 2**31 else None

    def by_identity(self, identity: str) -> InboundRecord | None:
        """Return a message by what makes it the same as another delivery of it."""
        return next(iter(self._select(models.InboundMessage.identity == identity)), None)

    def latest(self, *, status: str | None = None, limit: int = 50) -> list[InboundRecord]:
        """Return messages, newest first."""
        return self._select(models.InboundMessage.status == status if status else None, limit)

    def count_fruitless(self, sender: str, since: datetime, *, tagged: bool) -> int:
        """Return how many messages came from an address since then that led to nothing; ``tagged``: in its matches."""
        query = select(func.count(col(models.InboundMessage.id))).where(
            models.InboundMessage.sender == sender,
            col(models.InboundMessage.received_at) > since,
            col(models.InboundMessage.status).not_in(["accepted", "received"]),
        )
        if tagged:
            query = query.where(col(models.InboundMessage.match_id).is_not(None))
        return self._session.exec(query).one()

    def ended_for(self, reason: str, sender: str, player: Player, besides: int = 0) -> bool:
        """Return whether a message from an address, ``besides`` that one, has ended for ``reason`` in a player's match."""
        messages, places = models.InboundMessage, models.SeatAssignment
        query = (
            select(messages.id)
            .join(places, and_(col(places.match_id) == messages.match_id, col(places.seat) == messages.seat))
            .where(messages.sender == sender, messages.reason == reason, places.player_id == player.id)
            .where(messages.id != besides)
        )
        return self._session.exec(query.limit(1)).first() is not None

    def asked_about(self, match: int, seat: Seat, kind: str, message_ids: Sequence[str]) -> InboundRecord | None:
        """Return the message that led to an email of that kind to a seat, which has one of the Message-IDs."""
        mails = models.OutboundMessage
        asked = select(mails.inbound_id).where(
            mails.match_id == match, mails.seat == seat, mails.kind == kind, col(mails.message_id).in_(message_ids)
        )
        return next(iter(self._select(col(models.InboundMessage.id).in_(asked))), None)

    def raw(self, number: int) -> tuple[bytes, bool]:
        """Return a message's bytes and whether they are the whole message."""
        return self._session.exec(
            select(models.InboundMessage.raw, models.InboundMessage.whole).where(models.InboundMessage.id == number)
        ).one()

    def waiting(self) -> list[int]:
        """Return the numbers of the messages not yet settled, oldest first."""
        query = (
            select(models.InboundMessage.id)
            .where(models.InboundMessage.status == "received")
            .order_by(col(models.InboundMessage.id))
        )
        return [row_id(number) for number in self._session.exec(query)]

    def lock(self, number: int) -> bool:
        """Take a message for settling until the end of the transaction; False if it is settled already."""
        taken = self._session.execute(
            update(models.InboundMessage)
            .where(col(models.InboundMessage.id) == number, col(models.InboundMessage.status) == "received")
            .values(status="received")
        )
        return bool(getattr(taken, "rowcount", 0))

    def requeue(self, number: int) -> bool:
        """Let a message wait again that has come to its end; False for one that was accepted, or waits."""
        reopened = self._session.execute(
            update(models.InboundMessage)
            .where(
                col(models.InboundMessage.id) == number,
                col(models.InboundMessage.status).not_in(["accepted", "received"]),
            )
            .values(status="received", settled_at=None)
        )
        return bool(getattr(reopened, "rowcount", 0))

    def finish(self, number: int, disposition: Disposition, now: datetime) -> None:
        """Note how a message ended."""
        self._session.execute(
            update(models.InboundMessage)
            .where(col(models.InboundMessage.id) == number)
            .values(
                status=disposition.status,
                reason=disposition.reason,
                detail=disposition.detail,
                match_id=disposition.match,
                seat=disposition.seat,
                commands=list(disposition.commands),
                settled_at=now,
                code=disposition.code,
            )
        )

    def disown(self, number: int, now: datetime) -> None:
        """Note that the player a message was held for did not write it."""
        self._session.execute(
            update(models.InboundMessage)
            .where(col(models.InboundMessage.id) == number)
            .values(status="discarded", reason="not_his", code="not_his", commands=[], settled_at=now)
        )

    def identity(self, number: int) -> str:
        """Return what makes a message the same as another delivery of it."""
        query = select(models.InboundMessage.identity).where(models.InboundMessage.id == number)
        return self._session.exec(query).one()

    def cursor(self, mailbox: str) -> Cursor | None:
        """Return how far a mailbox has been read."""
        row = self._session.get(models.MailboxCursor, mailbox)
        return Cursor(row.uidvalidity, row.last_uid) if row else None

    def set_cursor(self, mailbox: str, cursor: Cursor) -> None:
        """Note how far a mailbox has been read."""
        self._session.merge(
            models.MailboxCursor(mailbox=mailbox, uidvalidity=cursor.uidvalidity, last_uid=cursor.last_uid)
        )

    def _select(self, condition: Any, limit: int = 1) -> list[InboundRecord]:
        """Return messages without their bytes, newest first."""
        query = _RECORDS if condition is None else _RECORDS.where(condition)
        rows = self._session.execute(query.order_by(col(models.InboundMessage.id).desc()).limit(limit))
        return [InboundRecord(**{**row, "commands": tuple(row["commands"])}) for row in rows.mappings()]


_RECORDS = select_records(models.InboundMessage, InboundRecord, match="match_id")
