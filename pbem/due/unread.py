"""The ledger of the mailbox: whatever its server lists is stored, gone, or noted as unread; what follows from that."""

import logging
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta

from pbem.due.needs import Need, tell_needs
from pbem.due.outages import RECEIVES, find_gaps
from pbem.due.schedule import TELLING, note_need
from pbem.log.logbook import event
from pbem.log.redaction import redacted
from pbem.notices.sentences.needs import say_renumbered
from pbem.pipeline.act import Act
from pbem.ports import Batch, Cursor
from pbem.storage.database import Database
from pbem.storage.messages.unread import UnreadRecord
from pbem.storage.transaction import Transaction

log = logging.getLogger("pbem")

_RENUMBERED = "renumbered"
_RETRY, _ONCE = timedelta(hours=1), timedelta(days=1)
_LONGEST_WHY = 200  # characters


def note_batch(act: Act, mailbox: str, batch: Batch) -> None:
    """Store how far a mailbox has been read with ``batch``, and let the operator be told where that is not all."""
    tx, before = act.tx, act.tx.inbound.cursor(mailbox) if batch.unread and not batch.renumbered else None
    tx.inbound.set_cursor(mailbox, batch.cursor)
    if not (batch.unread or batch.renumbered):
        return
    # All that had come in by the last heartbeat was read then.
    since = tx.heartbeats.last().get(RECEIVES) or tx.outbound.first_created_at() or act.now
    if batch.renumbered:
        log.warning("the mailbox is read again: %s", batch.renumbered, extra=event("renumbered"))
        lately = tx.outbound.keys(TELLING, act.now - _ONCE)
        # It may change to and fro; and where messages are gone, the operator has most likely filed them away.
        if batch.renumbered != "gone" and not any(key == _RENUMBERED for _, key, _ in lately):
            tell_needs(act, 0, [Need(_RENUMBERED, act.now, {"why": say_renumbered(batch.renumbered)})])
        since = min([since, *(one.since for one in tx.unread.all(mailbox))])
        tx.unread.drop_all(mailbox)
    for one in batch.unread:
        why = redacted(one.why)[:_LONGEST_WHY]
        log.warning("UID %d is not handed out: %s", one.uid, why, extra=event("not_handed_out"))
        if before is None or one.uid > before.last_uid:
            tx.unread.add(UnreadRecord(mailbox, one.uid, since, act.now, act.now if one.tried else None, why))
            note_need(tx, act.now)  # what comes at the second attempt, a minute later, needs nobody
        elif one.tried and tx.unread.try_again(mailbox, one.uid, why, act.now):
            note_need(tx, act.now, urgent=True)


def settle_batch(tx: Transaction, mailbox: str, batch: Batch, numbers: Collection[int]) -> None:
    """Let no clock wait any longer for what was handed out with ``batch``, or is gone.

    But while one of its messages, by their numbers, waits to be processed, all is left as it is: then it is asked for
    once more, and found to be known.
    """
    if not any(tx.inbound.is_waiting(number) for number in numbers):
        tx.unread.settle(mailbox, batch.settled)


def note_unreceived(database: Database, heartbeats: Mapping[str, datetime], now: datetime) -> None:
    """Let the operator be told that the mailbox couldn't be read, once that lasts."""
    if RECEIVES in find_gaps(heartbeats, now):
        with database.transaction() as tx:
            note_need(tx, now, urgent=True)


def read_cursor(tx: Transaction, mailbox: str, now: datetime) -> Cursor | None:
    """Return the cursor of a mailbox, with whether each unread message is to be tried again now.

    The pauses grow as a message gets older, up to an hour.
    """
    cursor = tx.inbound.cursor(mailbox)
    if cursor is None or not cursor.unread:
        return cursor
    unread = {
        one.uid: one.tried_at is None or now - one.tried_at >= min(_RETRY, one.tried_at - one.noted_at)
        for one in tx.unread.all(mailbox)
    }
    return replace(cursor, unread=unread)


def first_reply_date(first_outbound: datetime | None) -> date | None:
    """Return the first day on which a reply can have arrived, less a day of grace; None before the first message."""
    return (first_outbound - timedelta(days=1)).date() if first_outbound else None
