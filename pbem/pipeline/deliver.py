"""Sends what is queued: each email at least once, and always the same bytes."""

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
_AT_ONCE = 50
_FAILURES_IN_A_ROW = 3
_ATTEMPTS_IN_PEACE = 4  # a quarter of an hour, in which greylisting ends; what fails longer is worth a warning


@dataclass(frozen=True)
class DeliveryReport:
    """How many emails one pass sent, put off, and found impossible to send."""

    sent: int = 0
    deferred: int = 0
    refused: int = 0


async def deliver(
    database: Database, courier: Courier, clock: Clock, sender: str, at: Callable[[str], None]
) -> DeliveryReport:
    """Send what is due; an email that cannot be sent now is put off, ever longer, for about five days.

    After three failures in a row the rest waits for the next pass, and the operator is warned. ``at`` is told
    the waypoints. Raises LoginRefused when the server does not let us in.
    """
    ends: Counter[str] = Counter()
    in_a_row = 0
    while in_a_row < _FAILURES_IN_A_ROW:
        with database.reading() as tx:
            due = tx.outbound.due(clock.now(), _AT_ONCE)
        if not due:
            break
        for mail in due:
            status, why = await _send(database, courier, clock.now(), sender, mail, at)
            ends[status] += 1
            in_a_row = in_a_row + 1 if status == "queued" else 0
            if in_a_row >= _FAILURES_IN_A_ROW:
                log.warning("deliver: %s What else is due waits for the next pass.", why)
                break
    return DeliveryReport(ends["sent"], ends["queued"], ends["refused"])


async def _send(
    database: Database, courier: Courier, now: datetime, sender: str, mail: OutboundRecord, at: Callable[[str], None]
) -> tuple[str, str]:
    """Try to send one email and note how it went; returns its new status, or "taken" by another worker, and why."""
    with database.transaction() as tx:
        if not tx.outbound.claim(mail.id, now, now + _LEASE):
            return "taken", ""
        raw = tx.outbound.raw(mail.id)
    at("before sending")
    try:
        await courier.send(sender, mail.recipient, raw)
        at("sent")
    except LoginRefused as refusal:
        with database.transaction() as tx:  # nothing is wrong with the email
            tx.outbound.release(mail.id, str(refusal), now + _FIRST_DELAY)
        raise
    except TransientFailure as failure:
        if mail.attempts + 1 >= _MOST_ATTEMPTS:
            return _note(database, mail, "refused", f"given up after {mail.attempts + 1} attempts: {failure}", now)
        return _note(database, mail, "queued", str(failure), now + _delay(mail.attempts))
    except PermanentFailure as failure:
        return _note(database, mail, "refused", str(failure), now)
    return _note(database, mail, "sent", "", now)


def _delay(attempts: int) -> timedelta:
    """Return how long to wait after so many attempts before the last one: twice as long each time, to a limit."""
    return min(_FIRST_DELAY * int(2 ** min(attempts, 20)), _LONGEST_DELAY)


def _note(database: Database, mail: OutboundRecord, status: str, error: str, due_at: datetime) -> tuple[str, str]:
    """Note how an attempt ended, in the database and in the log; returns the status and the error."""
    with database.transaction() as tx:
        tx.outbound.note_attempt(mail.id, status, error, due_at)
    waits = status == "queued" and mail.attempts >= _ATTEMPTS_IN_PEACE
    level = logging.ERROR if status == "refused" else logging.WARNING if waits else logging.INFO
    log.log(level, "mail %d %s %s %s", mail.id, mail.kind, status, error)
    return status, error
