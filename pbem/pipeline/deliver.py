"""Delivery of the outbound queue: each message at least once, always with the same bytes."""

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.errors import LoginRefused, PermanentFailure, TransientFailure
from pbem.ports import Clock, Courier
from pbem.storage import Database, OutboundRecord

log = logging.getLogger("pbem")

_LEASE = timedelta(minutes=5)
_FIRST_DELAY, _LONGEST_DELAY = timedelta(minutes=1), timedelta(hours=6)
_MOST_ATTEMPTS = 28  # with these delays, about five days
_BATCH = 50
_FAILURES_IN_A_ROW = 3
_QUIET_ATTEMPTS = 4  # a quarter of an hour, in which greylisting ends; later failures are logged as warnings


@dataclass(frozen=True)
class DeliveryReport:
    """The numbers of messages that one delivery pass sent, deferred and refused."""

    sent: int = 0
    deferred: int = 0
    refused: int = 0


async def deliver(
    database: Database, courier: Courier, clock: Clock, sender: str, on_waypoint: Callable[[str], None]
) -> DeliveryReport:
    """Send every due message; after a transient failure try again for about five days, at growing intervals.

    After three failures in a row the rest waits for the next pass, and the log gets a warning. ``on_waypoint`` is
    called with each waypoint. Raise LoginRefused when the server refuses the login.
    """
    ends: Counter[str] = Counter()
    in_a_row = 0
    while in_a_row < _FAILURES_IN_A_ROW:
        with database.reading() as tx:
            due = tx.outbound.due(clock.now(), _BATCH)
        if not due:
            break
        for message in due:
            status, why = await _send_message(database, courier, clock.now(), sender, message, on_waypoint)
            ends[status] += 1
            in_a_row = in_a_row + 1 if status == "queued" else 0
            if in_a_row >= _FAILURES_IN_A_ROW:
                log.warning("deliver: %s What else is due waits for the next pass.", why)
                break
    return DeliveryReport(ends["sent"], ends["queued"], ends["refused"])


async def _send_message(
    database: Database,
    courier: Courier,
    now: datetime,
    sender: str,
    message: OutboundRecord,
    on_waypoint: Callable[[str], None],
) -> tuple[str, str]:
    """Try to send one message; return its new status and the error; "taken" when another worker has claimed it."""
    with database.transaction() as tx:
        if not tx.outbound.claim(message.id, now, now + _LEASE):
            return "taken", ""
        raw = tx.outbound.raw(message.id)
    on_waypoint("before sending")
    try:
        await courier.send(sender, message.recipient, raw)
        on_waypoint("sent")
    except LoginRefused as refusal:
        with database.transaction() as tx:  # the message is not at fault, so the attempt does not count
            tx.outbound.release(message.id, str(refusal), now + _FIRST_DELAY)
        raise
    except TransientFailure as failure:
        attempts = message.attempts + 1
        if attempts >= _MOST_ATTEMPTS:
            return _note_attempt(database, message, "refused", f"given up after {attempts} attempts: {failure}", now)
        return _note_attempt(database, message, "queued", str(failure), now + _delay_after(message.attempts))
    except PermanentFailure as failure:
        return _note_attempt(database, message, "refused", str(failure), now)
    return _note_attempt(database, message, "sent", "", now)


def _delay_after(attempts: int) -> timedelta:
    """Return the delay before the next attempt: it doubles with every earlier attempt, up to a limit."""
    return min(_FIRST_DELAY * int(2 ** min(attempts, 20)), _LONGEST_DELAY)


def _note_attempt(
    database: Database, message: OutboundRecord, status: str, error: str, due_at: datetime
) -> tuple[str, str]:
    """Store and log how an attempt ended; return the status and the error."""
    with database.transaction() as tx:
        tx.outbound.note_attempt(message.id, status, error, due_at)
    waits_long = status == "queued" and message.attempts >= _QUIET_ATTEMPTS
    level = logging.ERROR if status == "refused" else logging.WARNING if waits_long else logging.INFO
    log.log(level, "outbound message %d %s %s %s", message.id, message.kind, status, error)
    return status, error
