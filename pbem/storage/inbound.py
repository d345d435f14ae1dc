"""Inbound messages, from their raw bytes to their disposition, and the cursors of mailboxes."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel import and_, col, func, select

from db.models import InboundMessage, MailboxCursor, OutboundMessage, SeatAssignment
from pbem.match import Player
from pbem.ports import Cursor
from pbem.storage.gateway import Gateway, column_values, row_id, select_records
from pbem.storage.records import Disposition, InboundRecord
from rules import Seat


class Inbound(Gateway):
    """The gateway to inbound messages."""

    _objects_follow = False

    def add(
        self, identity: str, raw: bytes, whole: bool, sender: str | None, subject: str, now: datetime
    ) -> int | None:
        """Store a message and return its number; None for a message that is stored already."""
        known = self._session.exec(select(InboundMessage.id).where(InboundMessage.identity == identity)).first()
        if known is not None:
            return None
        row = InboundMessage(identity=identity, raw=raw, whole=whole, sender=sender, subject=subject, received_at=now)
        try:
            with self._session.begin_nested():
                self._session.add(row)
        except IntegrityError:  # another worker has stored the message since the query above
            return None
        return row_id(row.id)

    def get(self, number: int) -> InboundRecord | None:
        """Return the message with this number."""
        return next(iter(self._select(InboundMessage.id == number)), None) if abs(number) < 2**31 else None

    def by_identity(self, identity: str) -> InboundRecord | None:
        """Return the message with this identity, which every delivery of one message shares."""
        return next(iter(self._select(InboundMessage.identity == identity)), None)

    def latest(self, *, status: str | None = None, before: int | None = None, limit: int = 50) -> list[InboundRecord]:
        """Return messages, newest first; ``before``: only those with lower numbers."""
        older = col(InboundMessage.id) < before if before is not None else True
        return self._select(and_(older, InboundMessage.status == status if status else True), limit)

    def count_fruitless(self, sender: str, since: datetime, *, in_matches: bool) -> int:
        """Return how many messages of ``sender`` since then were not accepted; ``in_matches``: of those to a match."""
        query = select(func.count(col(InboundMessage.id))).where(
            InboundMessage.sender == sender,
            InboundMessage.received_at > since,
            col(InboundMessage.status).not_in(["accepted", "received"]),
        )
        if in_matches:
            query = query.where(col(InboundMessage.match_id).is_not(None))
        return self._session.exec(query).one()

    def has_ended_for(self, reason: str, sender: str, player: Player, besides: int = 0) -> bool:
        """Return whether a message from ``sender`` to a seat of ``player`` ended with ``reason``.

        The message with the number ``besides`` is not counted.
        """
        message, place = InboundMessage, SeatAssignment
        query = (
            select(message.id)
            .join(place, and_(place.match_id == message.match_id, place.seat == message.seat))
            .where(message.sender == sender, message.reason == reason, place.player_id == player.id)
            .where(message.id != besides)
        )
        return self._session.exec(query.limit(1)).first() is not None

    def find_cause(self, match: int, seat: Seat, kind: str, message_ids: Sequence[str]) -> InboundRecord | None:
        """Return the message that caused an email of ``kind`` to a seat; the email has one of the Message-IDs."""
        email = OutboundMessage
        causes = select(email.inbound_id).where(
            email.match_id == match, email.seat == seat, email.kind == kind, col(email.message_id).in_(message_ids)
        )
        return next(iter(self._select(col(InboundMessage.id).in_(causes))), None)

    def raw(self, number: int) -> tuple[bytes, bool]:
        """Return the bytes of a message, and whether they are the whole message."""
        query = select(InboundMessage.raw, InboundMessage.whole).where(InboundMessage.id == number)
        return self._session.exec(query).one()

    def waiting(self) -> list[int]:
        """Return the numbers of the messages that wait to be processed, oldest first."""
        query = select(InboundMessage.id).where(InboundMessage.status == "received").order_by(col(InboundMessage.id))
        return [row_id(number) for number in self._session.exec(query)]

    def lock(self, number: int) -> bool:
        """Lock a waiting message until the end of the transaction; return False if it no longer waits."""
        waits = InboundMessage.status == "received"
        return self._set(InboundMessage, InboundMessage.id == number, waits, status="received")

    def requeue(self, number: int) -> bool:
        """Let a processed message wait again; return False if it was accepted, or waits already."""
        processed = col(InboundMessage.status).not_in(["accepted", "received"])
        return self._set(InboundMessage, InboundMessage.id == number, processed, status="received", settled_at=None)

    def finish(self, number: int, disposition: Disposition, now: datetime) -> None:
        """Store the disposition of a message."""
        self._set(InboundMessage, InboundMessage.id == number, settled_at=now, **column_values(disposition))

    def disown(self, number: int, now: datetime) -> None:
        """Discard a held message, because its player says that they did not write it."""
        end = {"status": "discarded", "reason": "not_his", "code": "not_his", "commands": [], "settled_at": now}
        self._set(InboundMessage, InboundMessage.id == number, **end)

    def content(self, number: int) -> tuple[bytes, bool, str]:
        """Return what ``raw`` does, and the identity of the message, which every delivery of it shares."""
        columns = InboundMessage.raw, InboundMessage.whole, InboundMessage.identity
        return self._session.exec(select(*columns).where(InboundMessage.id == number)).one()

    def cursor(self, mailbox: str) -> Cursor | None:
        """Return how far a mailbox has been read; None for a mailbox never read before."""
        row = self._session.get(MailboxCursor, mailbox)
        return Cursor(row.uidvalidity, row.last_uid) if row else None

    def set_cursor(self, mailbox: str, cursor: Cursor) -> None:
        """Store how far a mailbox has been read."""
        self._session.merge(MailboxCursor(mailbox=mailbox, uidvalidity=cursor.uidvalidity, last_uid=cursor.last_uid))

    def _select(self, condition: Any, limit: int = 1) -> list[InboundRecord]:
        """Return messages without their bytes, newest first."""
        rows = self._session.execute(_RECORDS.where(condition).order_by(col(InboundMessage.id).desc()).limit(limit))
        return [InboundRecord(**{**row, "commands": tuple(row["commands"])}) for row in rows.mappings()]


_RECORDS = select_records(InboundMessage, InboundRecord)
