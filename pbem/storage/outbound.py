"""Outbound messages: queued with their bytes, claimed, then sent or refused; a sent message may bounce."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlmodel import and_, col, func, insert, or_, select

from db.models import InboundMessage, OutboundMessage
from pbem import mail
from pbem.match import Player
from pbem.storage.gateway import Gateway, column_values, select_records
from pbem.storage.records import OutboundRecord
from rules import Seat


class Outbound(Gateway):
    """The gateway to outbound messages."""

    _objects_follow = False

    def enqueue(self, messages: Sequence[mail.OutboundMessage], now: datetime, *, key: str = "") -> None:
        """Queue messages for sending; a Message-ID is queued once.

        ``key`` names what the messages say, so that ``has_key`` finds them.
        """
        ids = [message.message_id for message in messages]
        query = select(OutboundMessage.message_id).where(col(OutboundMessage.message_id).in_(ids))
        known = set(self._session.exec(query))
        rows = []
        for message in messages:
            if message.message_id in known:
                continue
            known.add(message.message_id)
            columns = {name: value for name, value in column_values(message).items() if name != "quotable"}
            rows.append(columns | {"created_at": now, "due_at": now, "notice_key": key})
        if rows:
            self._session.execute(insert(OutboundMessage), rows)

    def threads(self, match: int) -> dict[Seat, tuple[str, str]]:
        """Return, for each seat of a match, the Message-IDs of the first and the latest message to it."""
        outbound = OutboundMessage
        ends = (
            select(func.min(col(outbound.id)), func.max(col(outbound.id)))
            .where(outbound.match_id == match)
            .group_by(col(outbound.seat))
            .subquery()
        )
        query = (
            select(outbound.seat, outbound.message_id)
            .join(ends, col(outbound.id).in_([ends.c[0], ends.c[1]]))
            .order_by(col(outbound.id))
        )
        found: dict[Seat, tuple[str, str]] = {}
        for seat, message_id in self._session.exec(query):
            if seat is not None:
                found[seat] = (found[seat][0] if seat in found else message_id, message_id)
        return found

    def quotable(self, match: int, seat: Seat, message_ids: Sequence[str]) -> list[bytes]:
        """Return the bytes of the messages to a seat that a reply may quote.

        These are the messages with one of the Message-IDs, and the latest twelve.
        """
        outbound = OutboundMessage
        to_seat = and_(outbound.match_id == match, outbound.seat == seat)
        latest = select(outbound.id).where(to_seat).order_by(col(outbound.id).desc()).limit(12)
        wanted = or_(col(outbound.message_id).in_(message_ids), col(outbound.id).in_(latest))
        return list(self._session.exec(select(outbound.raw).where(to_seat, wanted)))

    def caused_by(self, inbound: int) -> list[OutboundRecord]:
        """Return the messages that an inbound message caused."""
        return self._select(OutboundMessage.inbound_id == inbound)

    def latest(self, *, status: str | None = None, limit: int = 50) -> list[OutboundRecord]:
        """Return messages, newest first."""
        return self._select(OutboundMessage.status == status if status else True, limit, newest=True)

    def get(self, number: int) -> OutboundRecord | None:
        """Return the message with this number."""
        return next(iter(self._select(OutboundMessage.id == number)), None) if abs(number) < 2**31 else None

    def raw(self, number: int) -> bytes:
        """Return the bytes of a message."""
        return self._session.exec(select(OutboundMessage.raw).where(OutboundMessage.id == number)).one()

    def due(self, now: datetime, limit: int) -> list[OutboundRecord]:
        """Return queued messages whose next attempt is due, oldest first."""
        return self._select(and_(*_is_due(now)), limit)

    def claim(self, number: int, now: datetime, until: datetime) -> bool:
        """Claim a due message, so that no other worker sends it before ``until``; return False if another has it."""
        return self._update(number, *_is_due(now), due_at=until, attempts=OutboundMessage.attempts + 1)

    def note_attempt(self, number: int, status: str, error: str, at: datetime) -> None:
        """Store how an attempt ended ``at`` a time: sent, refused, or queued again with ``at`` as its next attempt."""
        self._update(number, status=status, error=error, due_at=at, sent_at=at if status == "sent" else None)

    def release(self, number: int, error: str, due_at: datetime) -> None:
        """Give back a claimed message that could not be tried; the attempt does not count."""
        self._update(number, error=error, due_at=due_at, attempts=OutboundMessage.attempts - 1)

    def requeue(self, number: int, now: datetime) -> None:
        """Queue a message again: it is due now, and none of its attempts is used."""
        self._update(number, status="queued", attempts=0, due_at=now, sent_at=None)

    def count(self, recipient: str | None, kind: str, since: datetime) -> int:
        """Return how many messages of ``kind`` were queued since then for ``recipient`` (None: for anybody)."""
        query = select(func.count(col(OutboundMessage.id))).where(
            OutboundMessage.kind == kind, OutboundMessage.created_at > since
        )
        if recipient is not None:
            query = query.where(OutboundMessage.recipient == recipient)
        return self._session.exec(query).one()

    def count_caused(self, sender: str | None, besides: Sequence[str], since: datetime) -> int:
        """Return how many messages were caused by inbound ones since then, of all kinds ``besides`` these.

        ``sender``: only those caused by inbound messages from this address (None: from anybody).
        """
        outbound, inbound = OutboundMessage, InboundMessage
        query = select(func.count(col(outbound.id))).where(
            outbound.created_at > since, col(outbound.kind).not_in(besides), col(outbound.inbound_id).is_not(None)
        )
        if sender is not None:
            causes = select(inbound.id).where(inbound.sender == sender, inbound.received_at > since)
            query = query.where(col(outbound.inbound_id).in_(causes))
        return self._session.exec(query).one()

    def has_caused(self, sender: str, kind: str, player: Player, since: datetime) -> bool:
        """Return whether an inbound message from ``sender`` caused one of ``kind`` to a player since then."""
        outbound, inbound = OutboundMessage, InboundMessage
        query = select(outbound.id).join(inbound)
        query = query.where(outbound.recipient == player.email, outbound.kind == kind, inbound.sender == sender)
        return self._session.exec(query.where(outbound.created_at > since)).first() is not None

    def first_created_at(self) -> datetime | None:
        """Return when the first message was queued: no reply can be older."""
        query = select(OutboundMessage.created_at).order_by(col(OutboundMessage.id)).limit(1)
        return self._session.exec(query).first()

    def find_returned(self, message_ids: Sequence[str], token: str) -> OutboundRecord | None:
        """Return the message with the first known Message-ID, else the latest with the reply token ``token``."""
        outbound = OutboundMessage
        known = self._select(col(outbound.message_id).in_(message_ids))
        if not known and token:
            match, _, seat, _ = token.split(".")
            has_token = col(outbound.message_id).startswith(f"<{token}.")
            to_seat = and_(outbound.match_id == int(match), outbound.seat == int(seat), has_token)
            return next(iter(self._select(to_seat, 1, newest=True)), None)
        return min(known, key=lambda message: message_ids.index(message.message_id), default=None)

    def note_bounce(self, number: int, bounce: str, inbound: int, now: datetime) -> bool:
        """Store that a message bounced, as the ``inbound`` message says; return False if it had bounced before."""
        error = f"came back: {bounce} (letter {inbound})"
        first = col(OutboundMessage.bounced_at).is_(None)
        return self._update(number, first, bounced_at=now, bounce_status=bounce, error=error)

    def has_key(self, recipient: str, key: str, since: datetime) -> bool:
        """Return whether a message with this key was queued for ``recipient`` since then."""
        outbound = OutboundMessage
        query = select(outbound.id).where(outbound.recipient == recipient, outbound.notice_key == key)
        return self._session.exec(query.where(outbound.created_at > since).limit(1)).first() is not None

    def _update(self, number: int, *conditions: Any, **values: Any) -> bool:
        """Store ``values`` in a message if it meets the conditions; return whether it does."""
        return self._set(OutboundMessage, OutboundMessage.id == number, *conditions, **values)

    def _select(self, condition: Any, limit: int = 1000, *, newest: bool = False) -> list[OutboundRecord]:
        """Return messages without their bytes, oldest first unless ``newest``."""
        order = col(OutboundMessage.id).desc() if newest else col(OutboundMessage.id)
        rows = self._session.execute(_RECORDS.where(condition).order_by(order).limit(limit))
        return [OutboundRecord(**row) for row in rows.mappings()]


_RECORDS = select_records(OutboundMessage, OutboundRecord)


def _is_due(now: datetime) -> tuple[bool, bool]:
    """Return the conditions that a message is queued, and its next attempt due."""
    return OutboundMessage.status == "queued", OutboundMessage.due_at <= now
