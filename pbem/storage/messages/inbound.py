"""Inbound messages, from their raw bytes to their disposition, and the cursors of mailboxes."""

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    LargeBinary,
    String,
    and_,
    bindparam,
    cast,
    delete,
    exists,
    func,
    not_,
    or_,
    select,
    text,
    type_coerce,
    update,
)

from pbem.errors import DamagedRow
from pbem.match.player import Player
from pbem.ports import Cursor
from pbem.storage.gateway import Gateway, column_values, insert_unless_known, least_since, select_records
from pbem.storage.messages.records import (
    UNPROVEN,
    DamagedRecord,
    Disposition,
    Ended,
    InboundRecord,
    Locked,
    is_sound,
    sound_records,
)
from pbem.storage.statement import Statement
from pbem.storage.tables import ADDRESS, CURSOR, INBOUND, MATCH, OUTBOUND, SEAT, UNREAD
from rules.position import Seat

_WAITS = INBOUND.c.status == "received"
_ACCEPTED = INBOUND.c.status == "accepted"
_PROCESSED = and_(INBOUND.c.status != "accepted", INBOUND.c.status != "received")
# Messages that name one match are in one lane, and so are those of one sender that name none.
_LANE = func.coalesce(cast(INBOUND.c.named, String), INBOUND.c.sender, "")
_WAITING = Statement(select(INBOUND.c.id).where(_WAITS).order_by(INBOUND.c.id))
_LOCK = Statement(
    select(INBOUND.c.id, INBOUND.c.identity, INBOUND.c.whole, func.length(type_coerce(INBOUND.c.raw, LargeBinary)))
    .where(INBOUND.c.id == bindparam("number"), _WAITS)
    # SQLite has no such thing, and needs none: a writing transaction is alone.
    .with_for_update(skip_locked=True)
)
_CHANGE = Statement(update(INBOUND).where(INBOUND.c.id == bindparam("number")))
_RAW = Statement(select(INBOUND.c.raw).where(INBOUND.c.id == bindparam("number")))
_RECORDS = select_records(INBOUND, InboundRecord)
_RECORD = _RECORDS.where(INBOUND.c.id == bindparam("number"))
_KNOWN = Statement(select(INBOUND.c.id, INBOUND.c.words).where(INBOUND.c.identity == bindparam("identity")))
_FRUITLESS = select(INBOUND.c.id).where(
    INBOUND.c.sender == bindparam("sender"), INBOUND.c.received_at > bindparam("since"), _PROCESSED
)
_FRUITLESS_AT_SEAT = _FRUITLESS.where(
    INBOUND.c.match_id == bindparam("match"), INBOUND.c.seat == bindparam("seat"), INBOUND.c.status != "discarded"
)


def _count(rows: Any) -> Statement:
    """Return the statement that counts the rows of another up to ``limit``, and looks at no more of them."""
    return Statement(select(func.count()).select_from(rows.limit(bindparam("most")).subquery()))


_COUNT, _COUNT_AT_SEAT = _count(_FRUITLESS), _count(_FRUITLESS_AT_SEAT)
_KEPT = text("kept")  # as the index has it: SQLite uses a partial index only where its condition stands in the query
_USELESS = text("status = 'discarded' AND match_id IS NULL")  # as its index has it
_HELD = "unknown_address"  # the code of messages that may be carried out once their player says so
_UNSENT = "unsent"  # of those that are carried out when their minutes are over
TAKEN_BACK = "taken_back"
"""The reason of a message whose player took it back while it was held."""

_MEANT = ("a move sent again", "said yes before", TAKEN_BACK)  # reasons of discarded messages that nobody misses
_LONGEST_NEEDED, _LONGEST_OF_PLAYERS = 1_000_000, 256_000  # bytes
_MENDABLE = ("bug", "damaged")  # codes of messages that may be carried out once something is mended
_LONGEST_HEAD, _LONGEST_OF_STRANGERS = 8192, 16384  # bytes
_HEAD = re.compile(rb"\r?\n\r?\n")


class Inbound(Gateway):
    """The gateway to inbound messages."""

    def add(
        self,
        identity: str,
        raw: bytes,
        whole: bool,
        sender: str | None,
        subject: str,
        now: datetime,
        *,
        named: int | None = None,
        words: str = "",
    ) -> int | None:
        """Store a message and return its number; None for a message that is stored already.

        ``named`` is the match that its reply token names, whoever signed it; ``words`` is a hash of what it says.
        """
        row = {"identity": identity, "raw": raw, "whole": whole, "sender": sender, "subject": subject}
        row |= {"received_at": now, "status": "received", "reason": "", "detail": "", "commands": [], "code": ""}
        row |= {"kept": True, "named": named, "words": words, "share": UNPROVEN}
        insert = insert_unless_known(self._connection.dialect.name, INBOUND, ("identity",), "id")
        number: int | None = self._value(insert, **row)
        if number is not None and number >= 2**31:
            raise DamagedRow("A message has a number beyond all: “pbem doctor” names it. Restore it from a backup.")
        return number

    def get(self, number: int) -> InboundRecord | None:
        """Return the message with this number."""
        found = self._read(_RECORD, number=number) if abs(number) < 2**31 else None
        if found and not is_sound(found):
            raise DamagedRow(f"The row of message {number} is damaged: restore it from a backup.")
        return found

    def find_known(self, identity: str) -> tuple[int, str]:
        """Return the number of the message with this identity, which there must be, and the hash of its words."""
        number, words = self._row(_KNOWN, identity=identity)
        return int(number), words or ""

    def latest(
        self,
        *,
        status: str | None = None,
        before: int | None = None,
        limit: int = 50,
        addresses: Collection[str] | None = None,
    ) -> list[InboundRecord]:
        """Return messages, newest first; ``before``: only those with lower numbers. Damaged ones are passed over.

        ``addresses``: only those from one of them.
        """
        found = self.listed(status=status, before=before, limit=limit, addresses=addresses)
        return [one for one in found if isinstance(one, InboundRecord)]

    def listed(
        self,
        *,
        status: str | None = None,
        before: int | None = None,
        limit: int | None = 50,
        addresses: Collection[str] | None = None,
        match: int | None = None,
        since: datetime | None = None,
    ) -> list[InboundRecord | DamagedRecord]:
        """Return messages as ``latest`` does, the damaged ones among them.

        ``addresses``: only those from one of them; ``match``: of this match; ``since``: received then or later.
        """
        numbers = select(INBOUND.c.id).order_by(INBOUND.c.id.desc()).limit(limit)
        if status:
            narrowed = addresses is not None or match is not None or since is not None
            column = INBOUND.c.status.concat("") if narrowed else INBOUND.c.status  # so that another index is taken
            numbers = numbers.where(column == status)
        if before is not None:
            numbers = numbers.where(INBOUND.c.id < before)
        if addresses is not None:
            numbers = numbers.where(INBOUND.c.sender.in_(sorted(addresses)))
        if match is not None:
            numbers = numbers.where(INBOUND.c.match_id == match)
        if since is not None:
            numbers = numbers.where(INBOUND.c.received_at >= since)
            if addresses is None and match is None:
                numbers = numbers.where(INBOUND.c.id >= least_since(INBOUND.c.id, INBOUND.c.received_at, since))
        # The numbers first: else SQLite sorts whole rows, of all messages of that status.
        return self._read_each([number for (number,) in self._rows(numbers)])

    def find_damaged(self) -> list[int]:
        """Return the numbers of the messages whose row, without its bytes, cannot be read."""
        numbers = [number for (number,) in self._rows(select(INBOUND.c.id).order_by(INBOUND.c.id))]
        return [one.id for one in self._read_each(numbers) if isinstance(one, DamagedRecord)]

    def _read_each(self, numbers: Sequence[int]) -> list[InboundRecord | DamagedRecord]:
        """Return the messages with these numbers, in their order."""
        return sound_records(self._rows_each(_RECORDS, INBOUND.c.id, numbers), _record)

    def unread_of_players(self, codes: Sequence[str], since: datetime, most: int) -> list[InboundRecord]:
        """Return ``most`` messages to a match since then that ended with one of these codes, newest first."""
        to_match = INBOUND.c.match_id.is_not(None), INBOUND.c.received_at > since
        query = _RECORDS.where(*to_match, INBOUND.c.code.in_(codes)).order_by(INBOUND.c.id.desc()).limit(most)
        return [_record(row) for row in self._rows(query)]

    def often_discarded(self, since: datetime, least: int) -> list[tuple[str, int, int]]:
        """Return players of running matches of whose messages since then ``least`` or more were discarded.

        Each with the sender, the number of messages, and the number of the latest; the most first. Moves that were
        sent twice are not counted.
        """
        seated = select(ADDRESS.c.email).join(SEAT, SEAT.c.player_id == ADDRESS.c.player_id)
        seated = seated.join(MATCH, MATCH.c.id == SEAT.c.match_id).where(MATCH.c.over_at.is_(None))
        lost = INBOUND.c.status == "discarded", INBOUND.c.reason.not_in(_MEANT), INBOUND.c.received_at > since
        many = func.count()
        query = select(INBOUND.c.sender, many, func.max(INBOUND.c.id)).where(*lost, INBOUND.c.sender.in_(seated))
        query = query.group_by(INBOUND.c.sender).having(many >= least).order_by(many.desc(), INBOUND.c.sender)
        return [(sender, count, latest) for sender, count, latest in self._rows(query)]

    def latest_raw(self, limit: int, *, accepted: bool) -> list[bytes]:
        """Return the bytes of the latest messages that still have theirs; ``accepted``: that were carried out."""
        query = select(INBOUND.c.raw).where(INBOUND.c.kept, _ACCEPTED if accepted else ~_WAITS)
        return [raw for (raw,) in self._rows(query.order_by(INBOUND.c.id.desc()).limit(limit))]

    def count_fruitless(self, sender: str, since: datetime, most: int, *, seat: tuple[int, Seat] | None) -> int:
        """Return how many messages of ``sender`` since then were not accepted, counting up to ``most``.

        ``seat``: only those to this seat of a match, without those that were discarded.
        """
        if seat is None:
            return int(self._value(_COUNT, sender=sender, since=since, most=most))
        match, number = seat
        return int(self._value(_COUNT_AT_SEAT, sender=sender, since=since, most=most, match=match, seat=number))

    def count_ended(self, match: int, seat: Seat, codes: Sequence[str], since: datetime, most: int) -> int:
        """Return how many messages to a seat ended since then with one of these ``codes``, counting up to ``most``."""
        query = select(INBOUND.c.id).where(INBOUND.c.match_id == match, INBOUND.c.seat == seat)
        query = query.where(INBOUND.c.code.in_(codes), INBOUND.c.received_at > since)
        return int(self._value(select(func.count()).select_from(query.limit(most).subquery())))

    def often_ended(self, codes: Sequence[str], since: datetime, least: int, most: int) -> list[Ended]:
        """Return the seats of which ``least`` or more messages since then ended with one of these codes, latest first.

        At most so many.
        """
        latest = func.max(INBOUND.c.id)
        those = INBOUND.c.code.in_(codes), INBOUND.c.match_id.is_not(None), INBOUND.c.seat.is_not(None)
        found = select(latest.label("latest"), func.count().label("times")).where(*those, INBOUND.c.received_at > since)
        found = found.group_by(INBOUND.c.match_id, INBOUND.c.seat).having(func.count() >= least)
        many = found.order_by(latest.desc()).limit(most).subquery()
        columns = INBOUND.c.match_id, INBOUND.c.seat, INBOUND.c.code, INBOUND.c.id, INBOUND.c.received_at, many.c.times
        query = select(*columns).join(many, many.c.latest == INBOUND.c.id).order_by(INBOUND.c.id.desc())
        return [Ended(*row) for row in self._rows(query)]

    def has_ended_for(self, reason: str, sender: str, player: Player, besides: int = 0) -> bool:
        """Return whether a message from ``sender`` to a seat of ``player`` ended with ``reason``.

        The message with the number ``besides`` is not counted.
        """
        query = (
            select(INBOUND.c.id)
            .join(SEAT, and_(SEAT.c.match_id == INBOUND.c.match_id, SEAT.c.seat == INBOUND.c.seat))
            .where(INBOUND.c.sender == sender, INBOUND.c.reason == reason, SEAT.c.player_id == player.id)
            .where(INBOUND.c.id != besides)
        )
        return self._row(query.limit(1)) is not None

    def find_held(self, match: int, seat: Seat, senders: Collection[str], code: str) -> int | None:
        """Return the number of the message to a seat that ended with ``code``, and waits to be carried out.

        It is from one of ``senders``: the seat may have been somebody else's then.
        """
        query = select(INBOUND.c.id).where(INBOUND.c.match_id == match, INBOUND.c.seat == seat)
        held = INBOUND.c.status == "rejected", INBOUND.c.code == code, INBOUND.c.sender.in_(sorted(senders))
        row = self._row(query.where(*held).limit(1))
        return int(row[0]) if row else None

    def raw(self, number: int) -> bytes:
        """Return the bytes of a message."""
        ((raw,),) = self._rows(_RAW, number=number)
        assert isinstance(raw, bytes)
        return raw

    def waiting(self) -> list[int]:
        """Return the numbers of the messages that wait to be processed, oldest first."""
        return [number for (number,) in self._rows(_WAITING)]

    def is_waiting(self, number: int) -> bool:
        """Return whether a message waits to be processed, or is being processed."""
        return self._row(select(INBOUND.c.id).where(INBOUND.c.id == number, _WAITS)) is not None

    def waiting_in_lanes(self, most: int, besides: Collection[str]) -> list[tuple[int, str]]:
        """Return the oldest ``most`` waiting messages, each with its lane, but none of the lanes ``besides``."""
        query = select(INBOUND.c.id, _LANE).where(_WAITS, _LANE.not_in(besides))
        return [(number, lane) for number, lane in self._rows(query.order_by(INBOUND.c.id).limit(most))]

    def waiting_up_to(self, number: int, lane: str) -> list[int]:
        """Return the messages that wait in a lane, up to one of them, oldest first."""
        query = select(INBOUND.c.id).where(_WAITS, _LANE.in_([lane]), INBOUND.c.id <= number).order_by(INBOUND.c.id)
        return [found for (found,) in self._rows(query)]

    def lane(self, number: int) -> str:
        """Return the lane of a message."""
        return str(self._value(select(_LANE).where(INBOUND.c.id == number)))

    def lock(self, number: int) -> Locked | None:
        """Lock a waiting message until the end of the transaction; return None if it no longer waits, or is locked."""
        row = self._row(_LOCK, number=number)
        return Locked(*row) if row else None

    def requeue(self, number: int) -> bool:
        """Let a processed message wait again; return False if it was accepted, waits already, or is not kept."""
        there = INBOUND.c.kept, or_(INBOUND.c.whole, INBOUND.c.status != "discarded")
        return self._set(INBOUND, INBOUND.c.id == number, _PROCESSED, *there, status="received", settled_at=None)

    def finish(self, number: int, disposition: Disposition, now: datetime, size: int = 0) -> None:
        """Store the disposition of a message; of one that nobody can ask about, only the beginning is kept.

        What is sent must not fill the disk: of what was discarded and is of no match the head is kept, of a bounce, or
        what else led to nothing outside matches, a little more, to tell what it was; of all else as much as people
        write. ``size`` is the length of its bytes as they are stored.
        """
        values = {name: value for name, value in column_values(disposition).items() if name != "ply"}
        is_strange = disposition.match is None and disposition.status != "accepted"
        if is_strange or size > _LONGEST_OF_PLAYERS:
            try:
                raw = self.raw(number)
            except DamagedRow:  # which a backup may bring back
                raw = b""
            most = _LONGEST_OF_STRANGERS if is_strange else _LONGEST_OF_PLAYERS
            most = _LONGEST_NEEDED if disposition.code in (*_MENDABLE, _HELD) else most
            is_idle = is_strange and disposition.status == "discarded" and disposition.code != "bounce"
            kept = _head(raw) if is_idle else raw[:most]
            values |= {"raw": kept, "whole": False} if len(kept) < len(raw) else {}
        self._write(_CHANGE, number=number, settled_at=now, **values)

    def drop_bytes(
        self, settled_before: datetime, most: int, *, failed_before: datetime, held: Sequence[str], held_since: datetime
    ) -> int:
        """Drop the bytes of messages settled by then, oldest first, at most so many; return how many.

        What met a bug stays until ``failed_before``, since it may be carried out once that is mended. What ended with
        one of the reasons ``held`` stays if it came since ``held_since``: its player may say that they wrote it. So
        does what is yet to be carried out.
        """
        mendable = and_(INBOUND.c.code.in_(_MENDABLE), INBOUND.c.settled_at > failed_before)
        unsent = and_(INBOUND.c.status == "rejected", INBOUND.c.code == _UNSENT)
        answerable = and_(INBOUND.c.reason.in_(held), INBOUND.c.received_at >= held_since)
        old = select(INBOUND.c.id).where(
            _KEPT, INBOUND.c.settled_at <= settled_before, not_(mendable | answerable | unsent)
        )
        first = old.order_by(INBOUND.c.settled_at).limit(most)
        return self._drop_bytes(INBOUND, first)

    def delete_discarded(self, settled_before: datetime, most: int) -> int:
        """Delete discarded messages settled by then that are of no match and caused no email; return how many."""
        answered = exists().where(OUTBOUND.c.inbound_id == INBOUND.c.id)
        old = select(INBOUND.c.id).where(_USELESS, INBOUND.c.settled_at <= settled_before, ~answered)
        first = old.order_by(INBOUND.c.settled_at).limit(most)
        return int(self._connection.execute(delete(INBOUND).where(INBOUND.c.id.in_(first))).rowcount)

    def disown(self, number: int, reason: str, now: datetime) -> None:
        """Discard a held message, because it is said that its player did not write it."""
        end = {"status": "discarded", "reason": reason, "code": reason, "commands": [], "settled_at": now}
        self._write(_CHANGE, number=number, **end)

    def cursor(self, mailbox: str) -> Cursor | None:
        """Return how far a mailbox has been read; None for a mailbox never read before."""
        row = self._row(_CURSOR, the_mailbox=mailbox)
        if row is None:
            return None
        uidvalidity, last_uid, mark, has_unread = row
        unread = self._rows(_UNREAD, the_mailbox=mailbox) if has_unread else ()
        return Cursor(uidvalidity, last_uid, mark, {uid: False for (uid,) in unread})

    def set_cursor(self, mailbox: str, cursor: Cursor) -> None:
        """Store how far a mailbox has been read."""
        values = {"uidvalidity": cursor.uidvalidity, "last_uid": cursor.last_uid, "mark": cursor.mark}
        if not self._write(_MOVE_CURSOR, the_mailbox=mailbox, **values):
            self._write(CURSOR.insert(), mailbox=mailbox, **values)

    def _read(self, query: Any, **values: Any) -> InboundRecord | None:
        """Return the first message that ``query`` selects, without its bytes."""
        row = self._row(query, **values)
        return _record(row) if row else None


def _head(raw: bytes) -> bytes:
    """Return the head of an email with the empty line below it, shortened if it is longer than people need."""
    end = _HEAD.search(raw, 0, _LONGEST_HEAD)
    return raw[: end.end() if end else _LONGEST_HEAD]


_OF_MAILBOX = CURSOR.c.mailbox == bindparam("the_mailbox")
_UNREAD = select(UNREAD.c.uid).where(UNREAD.c.mailbox == bindparam("the_mailbox"))
_CURSOR = Statement(select(CURSOR.c.uidvalidity, CURSOR.c.last_uid, CURSOR.c.mark, _UNREAD.exists()).where(_OF_MAILBOX))
_MOVE_CURSOR = update(CURSOR).where(_OF_MAILBOX)


def _record(row: Any) -> InboundRecord:
    """Return the record in a row of its columns."""
    return InboundRecord(**{**row._mapping, "commands": tuple(row.commands or ())})
