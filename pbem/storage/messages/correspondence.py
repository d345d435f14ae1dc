"""What was written to whom, and when: what limits, answers and bounces ask about outbound messages."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, String, and_, bindparam, cast, exists, func, literal, or_, select

from pbem.mail.compose import Thread
from pbem.storage.gateway import Gateway, least_since, select_records
from pbem.storage.messages.records import OutboundRecord
from pbem.storage.statement import Statement
from pbem.storage.tables import ADDRESS, INBOUND, OUTBOUND
from rules.position import Seat

_IN_DOUBT = OUTBOUND.c.unknown > 0, OUTBOUND.c.status != "sent"
"""What holds for messages that the server may have taken, and for those that are being sent just now."""

_REPORTS = "bounce", "complaint"
_RECORDS = select_records(OUTBOUND, OutboundRecord)
_IS_NAMED = OUTBOUND.c.message_id == bindparam("message_id")
_COMES_BACK = ADDRESS.c.player_id == bindparam("player"), (ADDRESS.c.soft_bounces > 0) | (ADDRESS.c.hard_bounces > 0)
_DOUBTED: Any = select(exists().where(_IS_NAMED, *_IN_DOUBT), exists().where(*_COMES_BACK))
_DOUBTS = Statement(_DOUBTED)


class Written(Gateway):
    """The questions about messages of before, queued or sent, and the keys that say what they said."""

    def count(self, recipient: str | None, kind: str, since: datetime, most: int) -> int:
        """Return how many messages of ``kind`` were queued since then for ``recipient``, counting up to ``most``.

        ``recipient`` None: for anybody.
        """
        query = select(OUTBOUND.c.id).where(OUTBOUND.c.kind == kind, OUTBOUND.c.created_at > since)
        return self._count(query if recipient is None else query.where(OUTBOUND.c.recipient == recipient), most)

    def count_caused(self, sender: str, kinds: Sequence[str], since: datetime, most: int) -> int:
        """Return how many messages of these ``kinds`` an address caused since then, counting up to ``most``."""
        causes = select(INBOUND.c.id).where(INBOUND.c.sender == sender, INBOUND.c.received_at > since)
        query = select(OUTBOUND.c.id).where(OUTBOUND.c.created_at > since, OUTBOUND.c.kind.in_(kinds))
        return self._count(query.where(OUTBOUND.c.inbound_id.in_(causes)), most)

    def count_shares(self, kinds: Sequence[str], since: datetime) -> dict[str, int]:
        """Return how many messages of these ``kinds`` were caused since then, by the share of whoever caused them."""
        query = select(INBOUND.c.share, func.count()).join_from(
            OUTBOUND, INBOUND, OUTBOUND.c.inbound_id == INBOUND.c.id
        )
        counted = query.where(OUTBOUND.c.created_at > since, OUTBOUND.c.kind.in_(kinds))
        return dict(self._rows(counted.group_by(INBOUND.c.share)))

    def measure(self, recipient: str, kinds: Sequence[str], since: datetime, most: int) -> tuple[int, int]:
        """Return how many messages of these ``kinds`` were queued for ``recipient`` since then, and their bytes.

        No more than ``most`` of them are looked at.
        """
        found = select(OUTBOUND.c.size).where(
            OUTBOUND.c.recipient == recipient, OUTBOUND.c.created_at > since, OUTBOUND.c.kind.in_(kinds)
        )
        sizes = found.limit(most).subquery()
        ((count, size),) = self._rows(select(func.count(), func.coalesce(func.sum(sizes.c.size), 0)))
        return int(count), int(size)

    def has_written_to(self, match: int, seat: Seat, kind: str, since: datetime) -> bool:
        """Return whether an email of ``kind`` was queued for a seat since then."""
        query = select(OUTBOUND.c.id).where(OUTBOUND.c.match_id == match, OUTBOUND.c.seat == seat)
        query = query.where(OUTBOUND.c.kind == kind, OUTBOUND.c.created_at > since)
        return self._row(query.limit(1)) is not None

    def newest_to(self, match: int, seat: Seat) -> int | None:
        """Return the number of the question that the newest message to a seat asks; None where it asks nothing."""
        query = select(OUTBOUND.c.question_id).where(OUTBOUND.c.match_id == match, OUTBOUND.c.seat == seat)
        number: int | None = self._value(query.order_by(OUTBOUND.c.id.desc()).limit(1))
        return number

    def question_of(self, match: int, seat: Seat, message_id: str) -> tuple[bool, int | None]:
        """Return whether a message to a seat has this Message-ID, and the number of the question that it asks."""
        named = OUTBOUND.c.message_id == message_id, OUTBOUND.c.match_id == match, OUTBOUND.c.seat == seat
        row = self._row(select(OUTBOUND.c.question_id).where(*named))
        return row is not None, row[0] if row else None

    def first_created_at(self) -> datetime | None:
        """Return when the first message was queued: no reply can be older."""
        first: datetime | None = self._value(select(OUTBOUND.c.created_at).order_by(OUTBOUND.c.id).limit(1))
        return first

    def find_returned(self, message_ids: Sequence[str], since: datetime) -> OutboundRecord | None:
        """Return the message with the first known Message-ID that was sent since then with the plain address."""
        plain = OUTBOUND.c.envelope == "plain", OUTBOUND.c.sent_at > since
        known = self._read(_RECORDS.where(OUTBOUND.c.message_id.in_(message_ids), *plain))
        return min(known, key=lambda message: message_ids.index(message.message_id), default=None)

    def count_sent_to(self, after: datetime, before: datetime) -> dict[str, int]:
        """Return how many messages were sent to each address between two moments."""
        between = OUTBOUND.c.sent_at > after, OUTBOUND.c.sent_at <= before
        query = select(OUTBOUND.c.recipient, func.count()).where(*between)
        return dict(self._rows(query.group_by(OUTBOUND.c.recipient)))

    def unwelcome(self, since: datetime) -> list[tuple[datetime, str, str, str]]:
        """Return what came in since then of emails that came back or were called unwanted, and who has unsubscribed.

        Of each it is when it came, its code, its sender, and its detail; and of emails that were refused when, that
        word, and for whom they were.
        """
        left = and_(INBOUND.c.status == "accepted", cast(INBOUND.c.commands, String).contains('"unsubscribe"'))
        query = select(INBOUND.c.received_at, INBOUND.c.code, func.coalesce(INBOUND.c.sender, ""), INBOUND.c.detail)
        recent = INBOUND.c.id >= least_since(INBOUND.c.id, INBOUND.c.received_at, since)
        found = query.where(recent, INBOUND.c.received_at > since, or_(left, INBOUND.c.code.in_(_REPORTS)))
        refused = select(OUTBOUND.c.due_at, OUTBOUND.c.status, func.coalesce(OUTBOUND.c.recipient, ""), literal(""))
        refused = refused.where(OUTBOUND.c.status == "refused", OUTBOUND.c.due_at > since)
        return [tuple(row) for query in (found, refused) for row in self._rows(query)]

    def find_named(self, message_id: str) -> OutboundRecord | None:
        """Return the message with this Message-ID."""
        return next(iter(self._read(_RECORDS.where(_IS_NAMED), message_id=message_id)), None)

    def find_doubts(self, message_id: str, player: int) -> tuple[bool, bool]:
        """Return whether a message with this Message-ID is in doubt, and whether messages to a player came back."""
        doubted, came_back = self._row(_DOUBTS, message_id=message_id, player=player)
        return bool(doubted), bool(came_back)

    def find_in_doubt(self, message_id: str) -> OutboundRecord | None:
        """Return the message with this Message-ID, if the server may have taken it."""
        return next(iter(self._read(_RECORDS.where(_IS_NAMED, *_IN_DOUBT), message_id=message_id)), None)

    def is_waiting(self, match: int, seat: Seat, since: datetime) -> bool:
        """Return whether an email to a seat that was written since then was neither sent nor refused so far."""
        query = select(OUTBOUND.c.id).where(OUTBOUND.c.match_id == match, OUTBOUND.c.seat == seat)
        waiting = query.where(OUTBOUND.c.status.in_(("queued", "unknown")), OUTBOUND.c.created_at >= since)
        return self._row(waiting.limit(1)) is not None

    def last_queued(self, kind: str) -> datetime | None:
        """Return when the latest message of a kind was queued, for whomever."""
        found: datetime | None = self._value(select(func.max(OUTBOUND.c.created_at)).where(OUTBOUND.c.kind == kind))
        return found

    def keys(self, kind: str, since: datetime) -> list[tuple[str, str, datetime]]:
        """Return recipient, key and time of the messages of ``kind`` queued since then."""
        query = select(OUTBOUND.c.recipient, OUTBOUND.c.notice_key, OUTBOUND.c.created_at)
        return [tuple(row) for row in self._rows(query.where(OUTBOUND.c.kind == kind, OUTBOUND.c.created_at > since))]

    def message_ids(self, recipients: Sequence[str], beginning: str) -> list[str]:
        """Return the Message-IDs that begin so of messages to one of ``recipients``."""
        named = OUTBOUND.c.recipient.in_(recipients), OUTBOUND.c.message_id.startswith(beginning, autoescape=True)
        return [message_id for (message_id,) in self._rows(select(OUTBOUND.c.message_id).where(*named))]

    def has_been_told(self, match: int, seat: Seat, recipient: str, kinds: Sequence[str], since: datetime) -> bool:
        """Return whether an email of one of these ``kinds`` was queued since then: for a seat, or for ``recipient``.

        One that was refused, or came back, told nothing.
        """
        of_seat = and_(OUTBOUND.c.match_id == match, OUTBOUND.c.seat == seat)
        query = select(OUTBOUND.c.id).where(OUTBOUND.c.kind.in_(kinds), OUTBOUND.c.created_at >= since)
        query = query.where(OUTBOUND.c.status != "refused", OUTBOUND.c.bounced_at.is_(None))
        outside = and_(OUTBOUND.c.match_id.is_(None), OUTBOUND.c.recipient == recipient)
        return any(self._row(query.where(which).limit(1)) is not None for which in (of_seat, outside))

    def has_bounced(self, recipient: str, since: datetime) -> bool:
        """Return whether a message queued for ``recipient`` since then came back."""
        query = select(OUTBOUND.c.id).where(OUTBOUND.c.recipient == recipient, OUTBOUND.c.created_at > since)
        return self._row(query.where(OUTBOUND.c.bounced_at.is_not(None)).limit(1)) is not None

    def subject_of(self, question: int, kind: str) -> str:
        """Return the subject of the email of ``kind`` that asks a question; "" where there is none."""
        query = select(OUTBOUND.c.subject).where(OUTBOUND.c.question_id == question, OUTBOUND.c.kind == kind)
        return str(self._value(query.order_by(OUTBOUND.c.id).limit(1)) or "")

    def thread_with(self, match: int, recipient: str) -> Thread | None:
        """Return the conversation of a reader about a match; None before the first email."""
        return self._find_thread(OUTBOUND.c.match_id == match, OUTBOUND.c.recipient == recipient)

    def thread_of(self, question: int) -> Thread | None:
        """Return the conversation with whoever was asked a question; None before the first email."""
        return self._find_thread(OUTBOUND.c.question_id == question)

    def _find_thread(self, *conditions: Any) -> Thread | None:
        """Return the conversation of all messages that meet the conditions."""
        query = select(OUTBOUND.c.message_id, OUTBOUND.c.subject).where(*conditions)
        ends = [self._row(query.order_by(place).limit(1)) for place in (OUTBOUND.c.id, OUTBOUND.c.id.desc())]
        return Thread(ends[0][0], ends[1][0], ends[0][1]) if ends[0] and ends[1] else None

    def quotable_to(self, recipient: str, kind: str) -> list[str]:
        """Return what a reply may quote of the latest three messages of ``kind`` to ``recipient``."""
        return self._quotable(OUTBOUND.c.recipient == recipient, OUTBOUND.c.kind == kind)

    def quotable_of(self, question: int) -> list[str]:
        """Return what a reply may quote of the latest three messages whose answers are to a question."""
        return self._quotable(OUTBOUND.c.question_id == question)

    def _quotable(self, *conditions: Any) -> list[str]:
        """Return what a reply may quote of the latest three messages that meet the conditions."""
        query = select(OUTBOUND.c.quotable).where(*conditions)
        return [text.decode() for (text,) in self._rows(query.order_by(OUTBOUND.c.id.desc()).limit(3))]

    def _count(self, rows: Select[Any], most: int) -> int:
        """Return how many ``rows`` there are, looking at no more than ``most`` of them."""
        return int(self._value(select(func.count()).select_from(rows.limit(most).subquery())))

    def _read(self, query: Select[Any], **values: Any) -> list[OutboundRecord]:
        """Return the messages that ``query`` selects, without their bytes."""
        return [OutboundRecord(**row._mapping) for row in self._rows(query, **values)]
