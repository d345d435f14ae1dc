"""Outbound messages: queued with their bytes, claimed, sent, refused or bounced."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import and_, func, insert, or_, update
from sqlmodel import Session, col, select

from db import models
from pbem.mail import OutboundMessage
from pbem.match import Player
from pbem.storage.records import OutboundRecord, select_records
from rules import Seat


class Outbound:
    """The gateway to outbound messages."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def enqueue(self, mails: Sequence[OutboundMessage], now: datetime, *, key: str = "") -> None:
        """Keep emails to be sent; one with the same Message-ID as another is kept once.

        ``key`` names what they say, for ``wrote`` to find again.
        """
        ids = [mail.message_id for mail in mails]
        known = set(
            self._session.exec(
                select(models.OutboundMessage.message_id).where(col(models.OutboundMessage.message_id).in_(ids))
            )
        )
        rows = []
        for mail in mails:
            if mail.message_id in known:
                continue
            known.add(mail.message_id)
            rows.append(
                {
                    "message_id": mail.message_id,
                    "kind": mail.kind,
                    "recipient": mail.recipient,
                    "subject": mail.subject,
                    "raw": mail.raw,
                    "created_at": now,
                    "due_at": now,
                    "match_id": mail.match,
                    "seat": mail.seat,
                    "inbound_id": mail.inbound,
                    "notice_key": key,
                }
            )
        if rows:
            self._session.execute(insert(models.OutboundMessage), rows)

    def threads(self, match: int) -> dict[Seat, tuple[str, str]]:
        """Return, for each seat of a match, the Message-IDs of the first and the latest email to it."""
        mails = models.OutboundMessage
        ends = (
            select(func.min(col(mails.id)), func.max(col(mails.id)))
            .where(mails.match_id == match)
            .group_by(col(mails.seat))
            .subquery()
        )
        query = (
            select(mails.seat, mails.message_id)
            .join(ends, col(mails.id).in_([ends.c[0], ends.c[1]]))
            .order_by(col(mails.id))
        )
        found: dict[Seat, tuple[str, str]] = {}
        for seat, message_id in self._session.exec(query):
            if seat is not None:
                found[seat] = (found[seat][0] if seat in found else message_id, message_id)
        return found

    def quotable(self, match: int, seat: Seat, message_ids: Sequence[str]) -> list[bytes]:
        """Return the bytes of those emails to a seat that have one of the Message-IDs, and of its latest twelve."""
        mails = models.OutboundMessage
        to_seat = and_(col(mails.match_id) == match, col(mails.seat) == seat)
        latest = select(mails.id).where(to_seat).order_by(col(mails.id).desc()).limit(12)
        wanted = or_(col(mails.message_id).in_(message_ids), col(mails.id).in_(latest))
        return list(self._session.exec(select(mails.raw).where(to_seat, wanted)))

    def caused_by(self, inbound: int) -> list[OutboundRecord]:
        """Return the emails that a message led to."""
        return self._select(models.OutboundMessage.inbound_id == inbound)

    def latest(self, *, status: str | None = None, limit: int = 50) -> list[OutboundRecord]:
        """Return emails, newest first."""
        return self._select(models.OutboundMessage.status == status if status else None, limit, newest=True)

    def get(self, number: int) -> OutboundRecord | None:
        """Return an email by its number."""
        return next(iter(self._select(models.OutboundMessage.id == number)), None) if abs(number) < 2**31 else None

    def raw(self, number: int) -> bytes:
        """Return an email's bytes."""
        return self._session.exec(select(models.OutboundMessage.raw).where(models.OutboundMessage.id == number)).one()

    def due(self, now: datetime, limit: int) -> list[OutboundRecord]:
        """Return emails whose next attempt is due, oldest first."""
        return self._select(
            and_(col(models.OutboundMessage.status) == "queued", col(models.OutboundMessage.due_at) <= now), limit
        )

    def claim(self, number: int, now: datetime, until: datetime) -> bool:
        """Take a due mail for sending, so that no other worker does before ``until``; False if one has."""
        taken = self._session.execute(
            update(models.OutboundMessage)
            .where(
                col(models.OutboundMessage.id) == number,
                col(models.OutboundMessage.status) == "queued",
                col(models.OutboundMessage.due_at) <= now,
            )
            .values(due_at=until, attempts=models.OutboundMessage.attempts + 1)
        )
        return bool(getattr(taken, "rowcount", 0))

    def note_attempt(self, number: int, status: str, error: str, at: datetime) -> None:
        """Note how an attempt to send ended: sent, refused, or queued again, to be tried ``at`` that time."""
        self._session.execute(
            update(models.OutboundMessage)
            .where(col(models.OutboundMessage.id) == number)
            .values(status=status, error=error, due_at=at, sent_at=at if status == "sent" else None)
        )

    def release(self, number: int, error: str, due_at: datetime) -> None:
        """Give back a claimed mail that could not be tried: the attempt does not count."""
        self._session.execute(
            update(models.OutboundMessage)
            .where(col(models.OutboundMessage.id) == number)
            .values(error=error, due_at=due_at, attempts=models.OutboundMessage.attempts - 1)
        )

    def requeue(self, number: int, now: datetime) -> None:
        """Let an email be due now, with all its attempts before it."""
        self._session.execute(
            update(models.OutboundMessage)
            .where(col(models.OutboundMessage.id) == number)
            .values(status="queued", attempts=0, due_at=now, sent_at=None)
        )

    def count(self, recipient: str | None, kind: str, since: datetime) -> int:
        """Return how many emails of ``kind`` were made since then for ``recipient`` (None: for anybody)."""
        query = select(func.count(col(models.OutboundMessage.id))).where(
            models.OutboundMessage.kind == kind, col(models.OutboundMessage.created_at) > since
        )
        if recipient is not None:
            query = query.where(models.OutboundMessage.recipient == recipient)
        return self._session.exec(query).one()

    def count_caused(self, sender: str | None, besides: Sequence[str], since: datetime) -> int:
        """Return how many emails messages led to since then, of all kinds ``besides`` these; ``sender``: his alone."""
        mails, messages = models.OutboundMessage, models.InboundMessage
        query = select(func.count(col(mails.id))).where(
            col(mails.created_at) > since, col(mails.kind).not_in(besides), col(mails.inbound_id).is_not(None)
        )
        if sender is not None:
            his = select(messages.id).where(messages.sender == sender, col(messages.received_at) > since)
            query = query.where(col(mails.inbound_id).in_(his))
        return self._session.exec(query).one()

    def asked_about(self, sender: str, kind: str, player: Player, since: datetime) -> bool:
        """Return whether a message from ``sender`` led to an email of ``kind`` to a player since then."""
        mails, messages = models.OutboundMessage, models.InboundMessage
        query = select(mails.id).join(messages, col(messages.id) == mails.inbound_id)
        query = query.where(mails.recipient == player.email, mails.kind == kind, messages.sender == sender)
        return self._session.exec(query.where(col(mails.created_at) > since)).first() is not None

    def first_created_at(self) -> datetime | None:
        """Return when the first email was made: no reply can be older."""
        return self._session.exec(
            select(models.OutboundMessage.created_at).order_by(col(models.OutboundMessage.id)).limit(1)
        ).first()

    def find_returned(self, message_ids: Sequence[str], token: str) -> OutboundRecord | None:
        """Return the email that has the first known of the Message-IDs, else the latest that bears ``token``, if given."""
        mails = models.OutboundMessage
        known = {mail.message_id: mail for mail in self._select(col(mails.message_id).in_(message_ids))}
        found = next((known[message_id] for message_id in message_ids if message_id in known), None)
        if found is None and token:
            match, _, seat, _ = token.split(".")
            to_seat = and_(col(mails.match_id) == int(match), col(mails.seat) == int(seat))
            bears = col(mails.message_id).startswith(f"<{token}.")
            return next(iter(self._select(and_(to_seat, bears), 1, newest=True)), None)
        return found

    def note_bounce(self, number: int, bounce: str, inbound: int, now: datetime) -> bool:
        """Note that an email bounced, as the inbound message of that number says; False if that was noted before."""
        mails = models.OutboundMessage
        noted = self._session.execute(
            update(mails)
            .where(col(mails.id) == number, col(mails.bounced_at).is_(None))
            .values(bounced_at=now, bounce_status=bounce, error=f"came back: {bounce} (letter {inbound})")
        )
        return bool(getattr(noted, "rowcount", 0))

    def wrote(self, recipient: str, key: str, since: datetime) -> bool:
        """Return whether an email with that key was made for ``recipient`` since then."""
        mails = models.OutboundMessage
        query = select(mails.id).where(mails.recipient == recipient, mails.notice_key == key)
        return self._session.exec(query.where(col(mails.created_at) > since).limit(1)).first() is not None

    def _select(self, condition: Any, limit: int = 1000, *, newest: bool = False) -> list[OutboundRecord]:
        """Return emails without their bytes, oldest first unless ``newest``."""
        query = _RECORDS if condition is None else _RECORDS.where(condition)
        order = col(models.OutboundMessage.id).desc() if newest else col(models.OutboundMessage.id)
        rows = self._session.execute(query.order_by(order).limit(limit))
        return [OutboundRecord(**row) for row in rows.mappings()]


_RECORDS = select_records(models.OutboundMessage, OutboundRecord, match="match_id", inbound="inbound_id")
