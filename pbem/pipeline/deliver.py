"""Delivery of the outbound queue: each message at least once, always with the same bytes."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pbem.errors import LoginRefused, PermanentFailure, TransientFailure
from pbem.mail import Site, envelope_sender
from pbem.pipeline.bounces import BOUNCING
from pbem.pipeline.limits import UNSOLICITED
from pbem.pipeline.schedule import stop_clock
from pbem.ports import Clock, Courier
from pbem.storage import Claimed, Database, Transaction

log = logging.getLogger("pbem")

_LEASE = timedelta(minutes=5)
_FIRST_DELAY, _LONGEST_DELAY = timedelta(minutes=1), timedelta(hours=6)
_MOST_ATTEMPTS = 28  # with these delays, about five days
_FAILURES_IN_A_ROW = 3
# Whatever else is sent answers a message, and must never be answered by a machine (RFC 3834, 3.3; RFC 5321, 4.5.5).
_WANTS_BOUNCES = UNSOLICITED | {BOUNCING, "letter_failed", "alarm", "confirm_address"}
_QUIET_ATTEMPTS = 4  # a quarter of an hour, in which greylisting ends; later failures are logged as warnings


@dataclass(frozen=True)
class DeliveryReport:
    """The numbers of messages that one delivery pass sent, deferred and refused.

    ``given_up``: the server failed, and the rest waits for the next pass.
    """

    sent: int = 0
    deferred: int = 0
    refused: int = 0
    given_up: bool = False


async def deliver(
    database: Database, courier: Courier, clock: Clock, site: Site, on_waypoint: Callable[[str], None]
) -> DeliveryReport:
    """Send every due message, as many at once as the courier carries; return what became of them.

    After a transient failure try again for about five days, at growing intervals. After three failures in a row the
    rest waits for the next pass, and the log gets a warning. ``on_waypoint`` is called with each waypoint. Raise
    LoginRefused when the server refuses the login.
    """
    with database.reading() as tx:
        lines = tx.outbound.count_due(clock.now(), courier.connections)
    one_pass = _Pass(database, courier, clock, site, on_waypoint)
    ends = await asyncio.gather(*(one_pass.send_all() for _ in range(lines)), return_exceptions=True)
    for end in ends:
        if isinstance(end, BaseException):
            raise end
    return DeliveryReport(one_pass.ends["sent"], one_pass.ends["queued"], one_pass.ends["refused"], one_pass.given_up)


@dataclass(frozen=True)
class _Attempt:
    """An attempt to send a message: its new ``status``, the ``error``, and when the next attempt is due.

    ``envelope`` is the kind of the envelope sender that it was sent with.
    """

    message: Claimed
    status: str
    error: str
    at: datetime
    envelope: str = ""


@dataclass
class _Pass:
    """One delivery pass; ``ends`` counts what became of messages, ``in_a_row`` the latest transient failures.

    ``under_way`` are the numbers of the messages that are being sent.
    """

    database: Database
    courier: Courier
    clock: Clock
    site: Site
    on_waypoint: Callable[[str], None]
    ends: Counter[str] = field(default_factory=Counter)
    in_a_row: int = 0
    given_up: bool = False
    under_way: set[int] = field(default_factory=set)

    async def send_all(self) -> None:
        """Send one message after the other until none is due, or the pass is given up."""
        message = self._note_and_claim(None)
        while message is not None:
            message = self._note_and_claim(await self._send(message))

    async def _send(self, message: Claimed) -> _Attempt:
        """Try to send one message; return how that ended."""
        now = self.clock.now()
        self.on_waypoint("before sending")
        sender, plain = self._choose_sender(message), self.site.address
        try:
            used = await self.courier.send(sender, message.recipient, message.raw, plain=plain)
            self.on_waypoint("sent")
        except LoginRefused as refusal:
            self.given_up = True
            with self.database.transaction() as tx:  # the message is not at fault, so the attempt does not count
                tx.outbound.release(message.id, str(refusal), now + _FIRST_DELAY)
            raise
        except TransientFailure as failure:
            attempts = message.attempts + 1
            if attempts >= _MOST_ATTEMPTS:
                return _Attempt(message, "refused", f"given up after {attempts} attempts: {failure}", now)
            return _Attempt(message, "queued", str(failure), now + _delay_after(message.attempts))
        except PermanentFailure as failure:
            return _Attempt(message, "refused", str(failure), now)
        return _Attempt(message, "sent", "", now, "plain" if used == plain else "verp" if used else "null")

    def _choose_sender(self, message: Claimed) -> str:
        """Return the envelope sender: the null sender for an answer, else an address for bounces of it alone."""
        if message.kind not in _WANTS_BOUNCES:
            return ""
        return envelope_sender(self.site.address, message.id, message.recipient, self.site.secret)

    def _note_and_claim(self, attempt: _Attempt | None) -> Claimed | None:
        """Store how an attempt ended, and claim the next message, in one commit; return None if there is none."""
        if attempt:
            self._judge(attempt)
            self.under_way.discard(attempt.message.id)
        with self.database.transaction() as tx:
            if attempt:
                tx.outbound.note_attempt(
                    attempt.message.id, attempt.status, attempt.error, attempt.at, attempt.envelope
                )
                _move_clock(tx, attempt)
            now = self.clock.now()
            claimed = None if self.given_up else tx.outbound.claim_next(now, now + _LEASE)
            while claimed and claimed.id in self.under_way:  # it takes longer than its lease, which has been renewed
                claimed = tx.outbound.claim_next(now, now + _LEASE)
        if claimed:
            self.under_way.add(claimed.id)
        if attempt:
            _log(attempt)
        return claimed

    def _judge(self, attempt: _Attempt) -> None:
        """Count an attempt, and give the pass up after several failures in a row."""
        self.ends[attempt.status] += 1
        self.in_a_row = self.in_a_row + 1 if attempt.status == "queued" else 0
        if self.in_a_row >= _FAILURES_IN_A_ROW and not self.given_up:
            self.given_up = True
            log.warning("deliver: %s What else is due waits for the next pass.", attempt.error)


def _move_clock(tx: Transaction, attempt: _Attempt) -> None:
    """Let the clock of a match run from a notice that the server took, and stop it when one was refused."""
    message = attempt.message
    if message.match is None or message.seat is None:
        return
    if attempt.status == "sent":
        tx.clocks.begin(message.match, message.seat, attempt.at, written_at=message.written_at)
    elif attempt.status == "refused":
        stop_clock(tx, message.match, message.seat, attempt.at, written_at=message.written_at)
        tx.players.count_bounce(message.recipient, hard=True, now=attempt.at)  # whatever they write sets it to 0


def _delay_after(attempts: int) -> timedelta:
    """Return the delay before the next attempt: it doubles with every earlier attempt, up to a limit."""
    return min(_FIRST_DELAY * int(2 ** min(attempts, 20)), _LONGEST_DELAY)


def _log(attempt: _Attempt) -> None:
    """Log how an attempt ended."""
    message = attempt.message
    waits_long = attempt.status == "queued" and message.attempts >= _QUIET_ATTEMPTS
    level = logging.ERROR if attempt.status == "refused" else logging.WARNING if waits_long else logging.INFO
    log.log(level, "outbound message %d %s %s %s", message.id, message.kind, attempt.status, attempt.error)
