"""Outbound messages: queued with their bytes, claimed, then sent or refused; a sent message may bounce.

It is ``unknown`` in the end whether some were sent: a claim counts as an attempt of that kind until its outcome is
stored, so that a process that dies while it sends leaves behind what is true.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from sqlalchemy import Update, and_, bindparam, case, func, or_, select, text, type_coerce, update
from sqlalchemy.types import NullType

from db.packed import unpack
from pbem.errors import DamagedRow
from pbem.mail.compose import OutboundMessage, Thread
from pbem.storage.gateway import column_values, insert_unless_known, least_since, select_records
from pbem.storage.messages.correspondence import Written
from pbem.storage.messages.records import DamagedRecord, OutboundRecord, is_sound, sound_records
from pbem.storage.statement import Statement
from pbem.storage.tables import OUTBOUND, SEAT
from rules.position import Seat


@dataclass(frozen=True)
class Claimed:
    """An outbound message that this worker alone may send until its claim ends; ``attempts`` counts earlier ones.

    ``unknown`` counts those of them of which nobody knows whether the server took the message.
    ``match`` and ``seat`` are whom it was ``written_at`` to, None for an email outside matches; ``inbound`` is the
    message that caused it, None for an email that none did.
    """

    id: int
    kind: str
    recipient: str
    raw: bytes
    attempts: int
    unknown: int
    match: int | None
    seat: Seat | None
    written_at: datetime
    inbound: int | None
    message_id: str

    @property
    def ply(self) -> int | None:
        """The ply of the match that it shows, which its Message-ID says; None outside matches."""
        found = _TURN.match(self.message_id)
        return int(found["ply"]) if found and self.match is not None else None


UNKNOWN = "outcome unknown: "
"""How the errors of messages begin of which nobody knows whether the server took them."""

REPEATS = timedelta(hours=1), timedelta(days=1)
"""After how long such a message is sent once more, and then again; after that it is left to the operator."""

_TURN = re.compile(r"<\d{1,9}\.(?P<ply>\d{1,6})\.\d{1,3}\.", re.ASCII)
_HEADER = re.compile(rb"[!-9;-~]+:")  # RFC 5322, 2.2
# Unpacked here, since one email whose bytes are damaged must not keep back the others.
_PACKED = type_coerce(OUTBOUND.c.raw, NullType())
_CHANGE = Statement(update(OUTBOUND).where(OUTBOUND.c.id == bindparam("number")))
_RECORDS = select_records(OUTBOUND, OutboundRecord)
_RECORD = _RECORDS.where(OUTBOUND.c.id == bindparam("number"))
_CAUSED_BY = _RECORDS.where(OUTBOUND.c.inbound_id == bindparam("inbound")).order_by(OUTBOUND.c.id)
_RAW = Statement(select(OUTBOUND.c.raw).where(OUTBOUND.c.id == bindparam("number")))

_DUE = select(OUTBOUND.c.id).where(OUTBOUND.c.status == "queued", OUTBOUND.c.due_at <= bindparam("now"))
_COUNT_DUE = Statement(select(func.count()).select_from(_DUE.limit(bindparam("most")).subquery()))
_NEXT_DUE = (
    _DUE.order_by(OUTBOUND.c.due_at, OUTBOUND.c.id)
    .limit(1)
    .with_for_update(skip_locked=True)  # SQLite has no such thing, and needs none: a writing transaction is alone
)
_PLACE = OUTBOUND.c.match_id, OUTBOUND.c.seat, OUTBOUND.c.created_at, OUTBOUND.c.inbound_id, OUTBOUND.c.message_id
_COUNTS = OUTBOUND.c.attempts, OUTBOUND.c.unknown
_CLAIMED = OUTBOUND.c.id, OUTBOUND.c.kind, OUTBOUND.c.recipient, _PACKED, *(count - 1 for count in _COUNTS), *_PLACE


def _claim_of(chosen: Any) -> Update:
    """Return the statement that claims the first of ``chosen``, until it would be repeated if nothing was stored."""
    first, later = (bindparam(name, type_=OUTBOUND.c.due_at.type) for name in ("first", "later"))
    change = update(OUTBOUND).where(OUTBOUND.c.id == chosen.scalar_subquery())
    counted = change.values({count: count + 1 for count in _COUNTS})
    return counted.values(due_at=case((OUTBOUND.c.unknown == 0, first), else_=later)).returning(*_CLAIMED)


_CLAIM = Statement(_claim_of(_NEXT_DUE))
_OF_SOME = _DUE.where(OUTBOUND.c.kind.in_(bindparam("kinds", expanding=True)))
_NEXT_OF_SOME = _OF_SOME.order_by(OUTBOUND.c.due_at, OUTBOUND.c.id).limit(1).with_for_update(skip_locked=True)
_CLAIM_SOME = _claim_of(_NEXT_OF_SOME)
_GIVEN_UP = OUTBOUND.c.status.in_(("refused", "unknown"))
_IN_DOUBT = OUTBOUND.c.error.startswith(UNKNOWN)


_FIRST, _LATEST = OUTBOUND.alias("first"), OUTBOUND.alias("latest")


def _message_to_seat(place: Any) -> Any:
    """Return the number of the first message to a seat in the order ``place``."""
    to_seat = OUTBOUND.c.match_id == SEAT.c.match_id, OUTBOUND.c.seat == SEAT.c.seat
    return select(OUTBOUND.c.id).where(*to_seat).order_by(place).limit(1).scalar_subquery()


_THREADS = Statement(
    select(SEAT.c.seat, *(_FIRST.c[name] for name in ("message_id", "subject", "recipient")))
    .add_columns(_LATEST.c.message_id, _LATEST.c.recipient)
    .join_from(SEAT, _FIRST, _FIRST.c.id == _message_to_seat(OUTBOUND.c.id))
    .join(_LATEST, _LATEST.c.id == _message_to_seat(OUTBOUND.c.id.desc()))
    .where(SEAT.c.match_id == bindparam("match"))
)

_TO_SEAT = and_(OUTBOUND.c.match_id == bindparam("match"), OUTBOUND.c.seat == bindparam("seat"))
_MOST_QUOTED = 12
_WORDS = type_coerce(OUTBOUND.c.quotable, NullType())
_QUOTABLE = select(OUTBOUND.c.message_id, _WORDS).where(_TO_SEAT)
_LATEST_QUOTABLE = Statement(_QUOTABLE.order_by(OUTBOUND.c.id.desc()).limit(_MOST_QUOTED))
_NAMED_QUOTABLE = Statement(_QUOTABLE.where(OUTBOUND.c.message_id == bindparam("message_id")))

_UNDER_WAY = timedelta(minutes=15)  # few messages take longer to be sent: the end of one may take ten


class Outbound(Written):
    """The gateway to outbound messages."""

    def enqueue(
        self, messages: Sequence[OutboundMessage], now: datetime, *, key: str = "", due_at: datetime | None = None
    ) -> None:
        """Queue messages for sending, at ``due_at`` or at once; a Message-ID is queued once.

        ``key`` names what the messages say, so that ``has_key`` finds them.
        """
        fixed = {"status": "queued", "attempts": 0, "unknown": 0, "error": ""}
        fixed |= {
            "created_at": now,
            "due_at": due_at or now,
            "notice_key": key,
            "bounce_status": "",
            "kept": True,
            "envelope": "",
        }
        rows = [
            column_values(message) | fixed | {"quotable": message.quotable.encode(), "size": len(message.raw)}
            for message in messages
        ]
        insert = insert_unless_known(self._connection.dialect.name, OUTBOUND, ("message_id",))
        insert.write_all(self._connection, rows)

    def threads(self, match: int, readers: Mapping[Seat, str]) -> dict[Seat, Thread]:
        """Return the conversation about a match of each of its ``readers``, addresses by their seats, who has one.

        Whoever had a seat before has another, and so has an address that its player wrote from before.
        """
        found: dict[Seat, Thread] = {}
        for seat, first, subject, to, latest, also_to in self._rows(_THREADS, match=match):
            if to == also_to == readers.get(seat):
                found[seat] = Thread(first, latest, subject)
            elif seat in readers and (thread := self.thread_with(match, readers[seat])):
                found[seat] = thread
        return found

    def quotable(self, match: int, seat: Seat, message_ids: Sequence[str]) -> list[str]:
        """Return what a reply may quote of the messages to a seat.

        These are the latest twelve messages, and those with one of the Message-IDs.
        """
        rows = list(self._rows(_LATEST_QUOTABLE, match=match, seat=seat))
        found = {message_id for message_id, _ in rows}
        for message_id in dict.fromkeys(message_ids):
            if message_id not in found:
                rows += self._rows(_NAMED_QUOTABLE, match=match, seat=seat, message_id=message_id)
        return [_decode(words) for _, words in rows]

    def caused_by(self, inbound: int) -> list[OutboundRecord]:
        """Return the messages that an inbound message caused."""
        return self._read(_CAUSED_BY, inbound=inbound)

    def latest(self, *, status: str | None = None, before: int | None = None, limit: int = 50) -> list[OutboundRecord]:
        """Return messages, newest first; ``before``: only those with lower numbers. Damaged ones are passed over."""
        return [
            one for one in self.listed(status=status, before=before, limit=limit) if isinstance(one, OutboundRecord)
        ]

    def listed(
        self,
        *,
        status: str | None = None,
        before: int | None = None,
        limit: int | None = 50,
        addresses: Collection[str] | None = None,
        match: int | None = None,
        since: datetime | None = None,
    ) -> list[OutboundRecord | DamagedRecord]:
        """Return messages as ``latest`` does, the damaged ones among them.

        ``addresses``: only those to one of them; ``match``: of this match; ``since``: made then or later.
        """
        numbers = select(OUTBOUND.c.id).order_by(OUTBOUND.c.id.desc()).limit(limit)
        if status:
            narrowed = addresses is not None or match is not None or since is not None
            column = OUTBOUND.c.status.concat("") if narrowed else OUTBOUND.c.status  # so that another index is taken
            numbers = numbers.where(column == status)
        if before is not None:
            numbers = numbers.where(OUTBOUND.c.id < before)
        if addresses is not None:
            numbers = numbers.where(OUTBOUND.c.recipient.in_(sorted(addresses)))
        if match is not None:
            numbers = numbers.where(OUTBOUND.c.match_id == match)
        if since is not None:
            numbers = numbers.where(OUTBOUND.c.created_at >= since)
            if addresses is None and match is None:
                numbers = numbers.where(OUTBOUND.c.id >= least_since(OUTBOUND.c.id, OUTBOUND.c.created_at, since))
        # The numbers first: else SQLite sorts whole rows, of all messages of that status.
        return self._read_each([number for (number,) in self._rows(numbers)])

    def find_damaged(self) -> list[int]:
        """Return the numbers of the messages whose row, without its bytes, cannot be read."""
        numbers = [number for (number,) in self._rows(select(OUTBOUND.c.id).order_by(OUTBOUND.c.id))]
        return [one.id for one in self._read_each(numbers) if isinstance(one, DamagedRecord)]

    def _read_each(self, numbers: Sequence[int]) -> list[OutboundRecord | DamagedRecord]:
        """Return the messages with these numbers, in their order."""
        return sound_records(
            self._rows_each(_RECORDS, OUTBOUND.c.id, numbers), lambda row: OutboundRecord(**row._mapping)
        )

    def stuck(self, attempts: int, limit: int) -> list[OutboundRecord]:
        """Return queued messages that were tried so often or more, oldest first."""
        tried = OUTBOUND.c.status == "queued", OUTBOUND.c.attempts >= attempts
        return self._read(_RECORDS.where(*tried).order_by(OUTBOUND.c.id).limit(limit))

    def postponed(self, attempts: int, limit: int) -> list[OutboundRecord]:
        """Return queued messages that were tried in vain, fewer times than that; the next attempt soonest first."""
        tried = OUTBOUND.c.attempts.between(1, attempts - 1) & (OUTBOUND.c.error != "")
        return self._read_queued(tried & ~_IN_DOUBT, limit)

    def in_doubt(self, now: datetime, limit: int) -> list[OutboundRecord]:
        """Return queued messages of which nobody knows whether the server took them; the next attempt soonest first.

        Those that are being sent are none of them; those that were when their process died are, soon after that.
        """
        left = (OUTBOUND.c.unknown > 0) & (OUTBOUND.c.due_at < now + REPEATS[0] - _UNDER_WAY)
        return self._read_queued(_IN_DOUBT | left, limit)

    def due_before(self, moment: datetime, limit: int) -> list[OutboundRecord]:
        """Return queued messages whose next attempt was due before a moment, soonest first."""
        return self._read_queued(OUTBOUND.c.due_at < moment, limit)

    def due_after(self, moment: datetime, limit: int) -> list[OutboundRecord]:
        """Return queued messages whose next attempt is due after a moment, soonest first."""
        return self._read_queued(OUTBOUND.c.due_at > moment, limit)

    def _read_queued(self, when: Any, limit: int) -> list[OutboundRecord]:
        """Return queued messages for which ``when`` holds, the one whose next attempt is due soonest first."""
        chosen = _RECORDS.where(OUTBOUND.c.status == "queued", when)
        return self._read(chosen.order_by(OUTBOUND.c.due_at).limit(limit))

    def get(self, number: int) -> OutboundRecord | None:
        """Return the message with this number."""
        found = next(iter(self._read(_RECORD, number=number)), None) if abs(number) < 2**31 else None
        if found and not is_sound(found):
            raise DamagedRow(f"The row of email {number} is damaged: restore it from a backup.")
        return found

    def raw(self, number: int) -> bytes:
        """Return the bytes of a message."""
        ((raw,),) = self._rows(_RAW, number=number)
        assert isinstance(raw, bytes)
        return raw

    def drop_bytes(self, sent_before: datetime, most: int) -> int:
        """Drop the bytes of messages sent by then, oldest first, at most so many; return how many."""
        # As the index has it: SQLite uses a partial index only where its condition stands in the query.
        old = select(OUTBOUND.c.id).where(text("kept"), OUTBOUND.c.sent_at <= sent_before)
        return self._drop_bytes(OUTBOUND, old.order_by(OUTBOUND.c.sent_at, OUTBOUND.c.id).limit(most))

    def drop_refused(self, refused_before: datetime, most: int) -> int:
        """Drop the bytes of messages given up by then, oldest first, at most so many; return how many."""
        old = _GIVEN_UP, OUTBOUND.c.due_at <= refused_before  # ``note_attempt`` stores when
        chosen = select(OUTBOUND.c.id).where(*old, OUTBOUND.c.kept).order_by(OUTBOUND.c.due_at).limit(most)
        return self._drop_bytes(OUTBOUND, chosen)

    def drop(self, number: int) -> bool:
        """Give a message up that is refused or in doubt: drop its bytes; return False for any other, and without."""
        which = OUTBOUND.c.id == number
        self._set(OUTBOUND, which, OUTBOUND.c.status == "queued", _IN_DOUBT, status="unknown")
        return self._drop_bytes(OUTBOUND, select(OUTBOUND.c.id).where(which, _GIVEN_UP, OUTBOUND.c.kept)) > 0

    def drop_refused_to(self, recipients: Collection[str]) -> None:
        """Give up what was not sent to ``recipients``, which are nobody's addresses any more."""
        theirs = _GIVEN_UP, OUTBOUND.c.recipient.in_(sorted(recipients)), OUTBOUND.c.kept
        self._set(OUTBOUND, *theirs, status="refused")
        self._drop_bytes(OUTBOUND, select(OUTBOUND.c.id).where(*theirs))

    def count_due(self, now: datetime, most: int) -> int:
        """Return how many messages are due, counting up to ``most``."""
        return int(self._value(_COUNT_DUE, now=now, most=most))

    def count_sent(self, after: datetime, before: datetime, most: int) -> int:
        """Return how many messages were sent between two moments, counting up to ``most``."""
        return self._count(select(OUTBOUND.c.id).where(OUTBOUND.c.sent_at > after, OUTBOUND.c.sent_at < before), most)

    def nth_sent(self, number: int, after: datetime, before: datetime) -> datetime | None:
        """Return when the ``number``-th message was sent, from the last one between two moments back; None without."""
        between = OUTBOUND.c.sent_at > after, OUTBOUND.c.sent_at < before
        sent = select(OUTBOUND.c.sent_at).where(*between).order_by(OUTBOUND.c.sent_at.desc())
        return next((at for (at,) in self._rows(sent.limit(1).offset(number - 1))), None)

    def put_off(self, kinds: Sequence[str], among: bool, now: datetime, due_at: datetime, error: str) -> int:
        """Let all due messages wait until ``due_at`` whose kind is ``among`` the kinds, or isn't; return how many."""
        due = OUTBOUND.c.status == "queued", OUTBOUND.c.due_at <= now
        chosen = OUTBOUND.c.kind.in_(kinds) if among else OUTBOUND.c.kind.not_in(kinds)
        change = update(OUTBOUND).where(*due, chosen).values(due_at=due_at, error=error)
        return int(self._connection.execute(change).rowcount)

    def count_waiting(self, error: str, most: int) -> int:
        """Return how many queued messages have an error that begins so, counting up to ``most``."""
        waiting = OUTBOUND.c.status == "queued", OUTBOUND.c.error.startswith(error, autoescape=True)
        return self._count(select(OUTBOUND.c.id).where(*waiting), most)

    def claim_next(self, now: datetime, kinds: Sequence[str] = ()) -> Claimed | None:
        """Claim the message that has been due longest, so that no other worker sends it before it may be repeated.

        With ``kinds`` only one of these is claimed. One whose bytes are damaged ends as refused.
        """
        claim, chosen = (_CLAIM_SOME, {"kinds": list(kinds)}) if kinds else (_CLAIM, {})
        while row := self._row(claim, now=now, first=now + REPEATS[0], later=now + REPEATS[-1], **chosen):
            number, kind, recipient, packed, *place = row
            try:
                raw = unpack(packed)
                if not _HEADER.match(raw):
                    raise ValueError("the bytes are no email, since they begin with no header")
                return Claimed(number, kind, recipient, raw, *place)
            except ValueError as error:
                self.note_attempt(number, "refused", f"the database is damaged: {error}", now)
        return None

    def note_attempt(
        self, number: int, status: str, error: str, at: datetime, envelope: str = "", **counts: int
    ) -> None:
        """Store how an attempt ended ``at`` a time, or is queued again with ``at`` as the next one.

        ``envelope`` is the kind of the envelope sender that it was sent with: ``verp``, ``null`` or ``plain``.
        ``counts`` are ``attempts`` and ``unknown`` as they are now.
        """
        sent = {"sent_at": at, "envelope": envelope} if status == "sent" else {}
        self._write(_CHANGE, number=number, status=status, error=error, due_at=at, **counts, **sent)

    def requeue(self, number: int, now: datetime) -> None:
        """Queue a message again: it is due now, and none of its attempts is used."""
        self._write(_CHANGE, number=number, status="queued", attempts=0, unknown=0, due_at=now, sent_at=None)

    def note_bounce(self, number: int, bounce: str, inbound: int, now: datetime) -> bool:
        """Store that a message bounced, as the ``inbound`` message says; return False if it had bounced before."""
        error = f"came back: {bounce} (letter {inbound})"
        first = OUTBOUND.c.bounced_at.is_(None)
        return self._set(OUTBOUND, OUTBOUND.c.id == number, first, bounced_at=now, bounce_status=bounce, error=error)

    def hasten(self, now: datetime, latest: datetime) -> None:
        """Let what is queued be due ``now`` that is put off to a time after ``latest``; none was written after now.

        Else limits would count what was written for as long as the clock was ahead, and followers be told nothing.
        """
        self._set(OUTBOUND, OUTBOUND.c.created_at > now, created_at=now)
        self.hasten_queued(now, latest)

    def hasten_queued(self, now: datetime, latest: datetime) -> None:
        """Let what is queued be due ``now`` that is put off to a time after ``latest``, or longer than any repeat."""
        too_late = (OUTBOUND.c.unknown == 0) & (OUTBOUND.c.due_at > latest)
        far = or_(too_late, OUTBOUND.c.due_at > latest + REPEATS[-1])
        self._set(OUTBOUND, OUTBOUND.c.status == "queued", far, due_at=now)

    def has_queued(self) -> bool:
        """Return whether any message has yet to be sent."""
        return self._row(select(OUTBOUND.c.id).where(OUTBOUND.c.status == "queued").limit(1)) is not None

    def latest_error(self, beginning: str) -> str:
        """Return the error with this beginning of the queued message that is tried last; an empty text without any."""
        waiting = select(OUTBOUND.c.error).where(OUTBOUND.c.status == "queued")
        put_off = waiting.where(OUTBOUND.c.error.startswith(beginning)).order_by(OUTBOUND.c.due_at.desc())
        return str((self._row(put_off.limit(1)) or ("",))[0])


@lru_cache(maxsize=1024)  # each reply in a match is compared with nearly the same as the one before
def _decode(packed: object) -> str:
    """Return the text in stored bytes; an empty one for damaged ones, which say nothing."""
    try:
        return unpack(packed).decode()
    except ValueError:
        return ""
