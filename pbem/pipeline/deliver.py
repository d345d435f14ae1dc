"""Delivery of the outbound queue, always with the same bytes: each message once, or as often as that is unknown.

Where nobody knows whether the server took a message, it is sent twice more, hours apart, and then left to the operator.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from pbem.asking.limits import UNSOLICITED
from pbem.due.outages import BEHIND, LONGEST_DELAY
from pbem.due.schedule import TELLING, end_digest, note_need, stop_clock
from pbem.errors import Busy, LoginRefused, OutcomeUnknown, PermanentFailure, ServerFailure, TransientFailure
from pbem.log.logbook import event
from pbem.mail.compose import Site
from pbem.mail.envelope import envelope_sender
from pbem.pipeline.interpret import DIGEST
from pbem.pipeline.rationing import URGENT, PutOff, Room, measure_room, put_off
from pbem.ports import Clock, Courier
from pbem.settings.budgets import Window
from pbem.storage.database import Database
from pbem.storage.messages.outbound import REPEATS, UNKNOWN, Claimed
from pbem.storage.transaction import Transaction

log = logging.getLogger("pbem")

_FIRST_DELAY = timedelta(minutes=1)
_MOST_ATTEMPTS = 28  # with these delays, about five days
_LONGEST_DELAY_BEHIND = timedelta(minutes=15)  # our own server may be asked more often than those of others
_FAILURES_IN_A_ROW = 3
# An email at which the server fails again and again, while it takes others, has something in it that the server cannot
# digest. It must not stop everybody's clock whenever it is tried.
_BENEFIT_OF_DOUBT = 3
# Nor must it where nothing else is sent that would show that the server works: after so long its failures count again.
# A server that fails before it hears of a recipient can't mean the email, and does so as long as it likes.
_LONGEST_BENEFIT = timedelta(hours=6)
# Whatever else a message causes answers it, and must never be answered by a machine (RFC 3834, 3.3; RFC 5321, 4.5.5).
_WANTS_BOUNCES = UNSOLICITED | {TELLING, "confirm_address", "confirm_follow", "confirm_start"}
# What was sent while the database failed would be sent again: the database is waited for. A service that ends has ten
# seconds for it, one that goes on as long as this.
_LONGEST_WAIT = 60.0  # seconds
_LOOK_AGAIN = 5.0  # seconds: a server that takes ten minutes for one email keeps back nothing else
_ASK_AGAIN = 0.5  # seconds
_QUIET_ATTEMPTS = 4  # a quarter of an hour, in which greylisting ends; later failures are logged as warnings
_QUIET = timedelta(minutes=15)
_URGENT_KINDS = sorted(URGENT)

OUR_SERVER = "our server: "
"""How the errors of messages begin that wait because the server fails, or refuses the login."""


@dataclass(frozen=True)
class DeliveryReport:
    """The numbers of messages that one delivery pass sent, deferred and refused.

    ``unknown`` are those that the server may have taken. ``behind``: sending is behind, since the server failed when it
    was last heard of. ``put_off`` are those that wait for the budget of the server, and were not tried.
    """

    sent: int = 0
    deferred: int = 0
    refused: int = 0
    unknown: int = 0
    behind: bool = False
    put_off: PutOff | None = None


async def deliver(
    database: Database,
    courier: Courier,
    clock: Clock,
    site: Site,
    on_waypoint: Callable[[str], None],
    meanwhile: Callable[[bool], Awaitable[object]],
    behind: datetime | None = None,
    budget: Sequence[Window] = (),
) -> DeliveryReport:
    """Send every due message, as many at once as the courier carries; return what became of them.

    After a transient failure try again for about five days, at growing intervals; where the server itself fails, as
    long as it does. After three such failures in a row the rest waits for the next pass, and the log gets a warning.
    Where the database fails while messages are under way, nothing else is sent, and it is waited for to note them.
    ``meanwhile`` does what else is to be done, every few seconds, while the server takes its time; it is told whether
    sending is behind. ``behind`` is since when that was so. Where a ``budget`` is short, what is urgent goes first, and
    the rest is put off. ``on_waypoint`` is called with each waypoint. Raise LoginRefused when the server refuses the
    login, and Busy when the database fails.
    """
    with database.reading() as tx:
        lines = tx.outbound.count_due(clock.now(), courier.connections)
        room = measure_room(tx, budget, clock.now()) if budget and lines else None
        stuck = behind is not None and not tx.outbound.has_queued()
    one_pass = _Pass(database, courier, clock, site, on_waypoint, meanwhile, behind, room)
    if stuck:  # what waited is gone, and nothing would ever show that the server works again
        with database.transaction() as tx:
            one_pass.note_server(tx, fails=False)
    if lines:
        await one_pass.send_all(courier.connections)
    held = None
    if one_pass.room and one_pass.room.spare <= 0:
        with database.transaction() as tx:
            held = put_off(tx, budget, clock.now())
    counts = one_pass.ends
    sent, deferred, refused, unknown = (counts[end] for end in ("sent", "queued", "refused", "unknown"))
    return DeliveryReport(sent, deferred, refused, unknown, one_pass.behind is not None, held)


@dataclass(frozen=True)
class _Attempt:
    """An attempt to send a message: its new ``status``, the ``error``, and when the next attempt is due.

    ``envelope`` is the kind of the envelope sender that it was sent with. ``server``: not the message, but the server
    failed; and ``counts``: it is an attempt of the message all the same. ``unknown``: the server may have taken it.
    """

    message: Claimed
    status: str
    error: str
    at: datetime
    envelope: str = ""
    server: bool = False
    counts: bool = True
    unknown: bool = False


@dataclass
class _Pass:
    """One delivery pass; ``ends`` counts what became of messages, ``in_a_row`` the latest failures of the server.

    ``behind`` is since when sending is behind; ``under_way`` are the numbers of the messages that are being sent.
    ``room`` is what the budget of the server leaves, None without one. ``unnoted`` are the attempts that the database
    could not be told of.
    """

    database: Database
    courier: Courier
    clock: Clock
    site: Site
    on_waypoint: Callable[[str], None]
    meanwhile: Callable[[bool], Awaitable[object]]
    behind: datetime | None = None
    room: Room | None = None
    ends: Counter[str] = field(default_factory=Counter)
    in_a_row: int = 0
    given_up: bool = False
    under_way: set[int] = field(default_factory=set)
    unnoted: list[_Attempt] = field(default_factory=list)

    async def send_all(self, lines: int) -> None:
        """Send messages, so many at once, until none is due, or the pass is given up. Raise LoginRefused and Busy.

        What has ended meanwhile is noted together: the sooner it is, the less a process killed in between sends again.
        """
        tasks: set[asyncio.Task[_Attempt]] = set()
        ended: list[_Attempt] = []
        failures: list[BaseException] = []
        try:
            while True:
                try:
                    if tasks and not ended:
                        await self.meanwhile(self.behind is not None)
                    claimed = self._note_and_claim(ended, lines - len(tasks))
                except Exception as failure:  # also after a bug, what is under way ends: it may have been taken
                    failures.append(failure)
                    self.unnoted += ended
                    self.given_up = True
                    claimed = []
                tasks |= {asyncio.create_task(self._send(message)) for message in claimed}
                if not tasks:
                    break
                done, tasks = await asyncio.wait(tasks, timeout=_LOOK_AGAIN, return_when=asyncio.FIRST_COMPLETED)
                ended = []
                for task in done:
                    if error := task.exception():
                        failures.append(error)
                        self.given_up = True  # after a bug, too: the next email would meet it as well
                    else:
                        ended.append(task.result())
        finally:
            # A pass that is stopped notes what has been sent, or may have been, all the same.
            for task in tasks:
                task.cancel()
            late = await asyncio.gather(*tasks, return_exceptions=True)
            self.unnoted += [attempt for attempt in late if isinstance(attempt, _Attempt)]
            with contextlib.suppress(Busy):
                self._note_rest()
        await self._note_late()
        if failures:
            raise next((failure for failure in failures if isinstance(failure, LoginRefused)), failures[0])

    async def _note_late(self) -> None:
        """Note what the database could not be told of; where it fails still, wait for it, but not for ever."""
        loop = asyncio.get_running_loop()
        until = loop.time() + _LONGEST_WAIT
        while self.unnoted:
            try:
                self._note_rest()
            except Busy:
                if loop.time() > until:
                    return
                await asyncio.sleep(_ASK_AGAIN)

    def _note_rest(self) -> None:
        """Note what is ``unnoted``. Raise Busy when the database fails."""
        if not self.unnoted:
            return

        def note(tx: Transaction) -> None:
            for attempt in self.unnoted:
                _note(tx, attempt)
                _move_clock(tx, attempt)

        self.database.share(note)
        for attempt in self.unnoted:
            _log(attempt, timedelta(0))
        self.unnoted.clear()

    async def _send(self, message: Claimed) -> _Attempt:
        """Try to send one message; return how that ended, also to a pass that is stopped."""
        now = self.clock.now()
        if message.unknown > len(REPEATS):  # whoever tried it for the last time died of it, or before the end was noted
            return _in_doubt(message, "the service ended while it was sent", now)
        self.on_waypoint("before sending")
        sender, plain = self._choose_sender(message), self.site.address
        try:
            used = await self.courier.send(sender, message.recipient, message.raw, plain=plain)
            self.on_waypoint("sent")
        except LoginRefused as refusal:
            self.given_up = True
            # The message is not at fault: the attempt doesn't count. A database that fails must not hide the refusal.
            self.unnoted.append(_Attempt(message, "queued", f"{OUR_SERVER}{refusal}", now + _FIRST_DELAY, counts=False))
            with contextlib.suppress(Busy), self.database.transaction() as tx:
                self.note_server(tx, fails=True)
            raise
        except OutcomeUnknown as failure:
            return _in_doubt(message, str(failure), self.clock.now())
        except asyncio.CancelledError:
            return _Attempt(message, "queued", "", now, counts=False)
        except TransientFailure as failure:
            attempts = message.attempts + 1
            if isinstance(failure, ServerFailure) and (self.behind or attempts <= _BENEFIT_OF_DOUBT):
                behind = now - (self.behind or now)
                counts = self.behind is None or (failure.on_message and behind > _LONGEST_BENEFIT)
                if attempts <= _BENEFIT_OF_DOUBT or not counts:
                    at = now + _delay_behind(behind)
                    return _Attempt(message, "queued", f"{OUR_SERVER}{failure}", at, server=True, counts=counts)
            if attempts >= _MOST_ATTEMPTS:
                return _Attempt(message, "refused", f"given up after {attempts} attempts: {failure}", now)
            return _Attempt(message, "queued", str(failure), now + _delay_after(message.attempts))
        except PermanentFailure as failure:
            return _Attempt(message, "refused", str(failure), now)
        envelope = "plain" if used == plain else "verp" if used else "null"
        return _Attempt(message, "sent", "", self.clock.now(), envelope)

    def _choose_sender(self, message: Claimed) -> str:
        """Return the envelope sender: the null sender for an answer, else an address for bounces of it alone.

        What no message caused answers none, whatever its kind: a board, for instance, for a player's other address.
        """
        if message.inbound is not None and message.kind not in _WANTS_BOUNCES:
            return ""
        return envelope_sender(self.site.address, message.id, message.recipient, self.site.secret)

    def _note_and_claim(self, ended: Sequence[_Attempt], most: int) -> list[Claimed]:
        """Store how attempts ended, and claim the next messages, ``most`` of them, in one commit; return these."""
        for attempt in ended:
            self._judge(attempt)
            self.under_way.discard(attempt.message.id)
        if not ended and (self.given_up or not most):
            return []
        behind, room = self.behind, self.room

        def note_and_claim(tx: Transaction) -> list[Claimed]:
            # What an attempt that was in somebody's way has changed is undone.
            self.behind, self.room = behind, replace(room) if room else None
            for attempt in ended:
                if not attempt.unknown:
                    self.note_server(tx, fails=attempt.server)
                _note(tx, attempt)
                _move_clock(tx, attempt)
            return [] if self.given_up else list(self._claim_some(tx, most, self.clock.now()))

        claimed = self.database.share(note_and_claim)
        self.under_way |= {message.id for message in claimed}
        now = self.clock.now()
        for attempt in ended:
            _log(attempt, now - (self.behind or now))
        return claimed

    def _claim_some(self, tx: Transaction, most: int, now: datetime) -> Iterator[Claimed]:
        """Claim the next messages and yield them, at most so many, while the budget lasts."""
        count = 0
        while count < most and (message := self._claim(tx, now)):
            if message.id not in self.under_way:  # else it takes longer than its claim, which has been renewed
                count += 1
                if self.room:
                    self.room.take(1)
                yield message

    def _claim(self, tx: Transaction, now: datetime) -> Claimed | None:
        """Claim the next message: where there is a budget, an urgent one before all others, while it lasts."""
        if self.room is None:
            return tx.outbound.claim_next(now)
        urgent = tx.outbound.claim_next(now, _URGENT_KINDS) if self.room.total > 0 else None
        return urgent or (tx.outbound.claim_next(now) if self.room.spare > 0 else None)

    def note_server(self, tx: Transaction, *, fails: bool) -> None:
        """Store that sending is behind from now on, or no longer is, if that is new."""
        if fails and self.behind is None:
            self.behind = self.clock.now()
            tx.heartbeats.beat(BEHIND, self.behind)
        elif not fails and self.behind is not None:
            log.info(
                "deliver: the server takes email again, after a failure at %s",
                self.behind.isoformat(),
                extra=event("server_works"),
            )
            self.behind = None
            tx.heartbeats.forget(BEHIND)

    def _judge(self, attempt: _Attempt) -> None:
        """Count an attempt, and give the pass up after several failures of the server in a row."""
        self.ends["unknown" if attempt.unknown else attempt.status] += 1
        if self.room and attempt.status != "sent" and not attempt.unknown:
            self.room.take(-1)
        self.in_a_row = self.in_a_row + 1 if attempt.server or attempt.unknown else 0
        if self.in_a_row >= _FAILURES_IN_A_ROW and not self.given_up:
            self.given_up = True
            log.warning(
                "deliver: %s What else is due waits for the next pass.", attempt.error, extra=event("server_fails")
            )


def _note(tx: Transaction, attempt: _Attempt) -> None:
    """Store how an attempt ended."""
    message, status, at = attempt.message, attempt.status, attempt.at
    if attempt.unknown and not tx.outbound.find_in_doubt(message.message_id):
        return  # its reader has answered it meanwhile
    counts = {"attempts": message.attempts + attempt.counts, "unknown": message.unknown + attempt.unknown}
    tx.outbound.note_attempt(message.id, status, attempt.error, at, attempt.envelope, **counts)
    if status in ("refused", "unknown"):
        note_need(tx, at, urgent=message.seat is not None)


def _in_doubt(message: Claimed, why: str, now: datetime) -> _Attempt:
    """Return the attempt of which nobody knows whether the server took the message."""
    left = message.unknown >= len(REPEATS)
    at = now if left else now + REPEATS[message.unknown]
    return _Attempt(message, "unknown" if left else "queued", f"{UNKNOWN}{why}", at, unknown=True)


def _move_clock(tx: Transaction, attempt: _Attempt) -> None:
    """Let the clock of a match run from a notice that the server took, and stop it when one was refused."""
    message = attempt.message
    if message.kind == DIGEST and attempt.status == "refused":
        end_digest(tx, message.recipient, attempt.at)
    if message.match is None or message.seat is None:
        return
    if attempt.status == "sent":
        tx.clocks.begin(message.match, message.seat, attempt.at, written_at=message.written_at)
    elif attempt.status == "refused":
        stop_clock(tx, message.match, message.seat, attempt.at, written_at=message.written_at)
        tx.players.count_bounce(message.recipient, hard=True, now=attempt.at)  # whatever they write sets it to 0


def _delay_after(attempts: int) -> timedelta:
    """Return the delay before the next attempt: it doubles with every earlier attempt, up to a limit."""
    return min(_FIRST_DELAY * int(2 ** min(attempts, 20)), LONGEST_DELAY)


def _delay_behind(behind: timedelta) -> timedelta:
    """Return the delay before the server is asked again: as long as sending has been behind, up to a limit."""
    return min(max(behind, _FIRST_DELAY), _LONGEST_DELAY_BEHIND)


def _log(attempt: _Attempt, behind: timedelta) -> None:
    """Log how an attempt ended, when sending has been ``behind`` for so long."""
    message = attempt.message
    waits_long = attempt.unknown or message.attempts >= _QUIET_ATTEMPTS or behind >= _QUIET
    ended = attempt.status in ("refused", "unknown")
    level = logging.ERROR if ended else logging.WARNING if attempt.status == "queued" and waits_long else logging.INFO
    place = event(
        "attempted",
        outbound=message.id,
        match=message.match,
        seat=message.seat,
        ply=message.ply,
        kind=message.kind,
        status=attempt.status,
    )
    log.log(level, "outbound message %d %s %s %s", message.id, message.kind, attempt.status, attempt.error, extra=place)
