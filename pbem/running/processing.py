"""Processing: messages are stored, and each of them is processed in one transaction, alone or beside workers."""

import logging
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from pbem.due.needs import OVER_BUDGET
from pbem.due.unread import note_batch
from pbem.errors import Busy, Conflict, DamagedRow
from pbem.log.logbook import event
from pbem.mail.compose import Site
from pbem.mail.message import InboundMessage
from pbem.pipeline.act import Act
from pbem.pipeline.alarm import line_of, log_security, sound_alarm
from pbem.pipeline.cpu_budget import OverBudget, cpu_budget
from pbem.pipeline.process import give_up, note_failure, note_overrun, process
from pbem.pipeline.receive import Received, receive
from pbem.ports import Batch, Clock, Fetched
from pbem.storage.database import Database
from pbem.storage.messages.lanes import Lanes
from pbem.storage.messages.records import Disposition
from pbem.storage.transaction import Transaction

log = logging.getLogger("pbem")

_LOOKED_AT = 500  # waiting messages that are looked at together


class Processing:
    """What stores and processes messages; ``on_waypoint`` is called with the name of every waypoint.

    ``budget`` is the CPU time in seconds that one message may take. ``on_look`` is called before messages of lanes are
    looked for, ``parsed`` holds those that were received and not processed yet, by their numbers.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        site: Site,
        on_waypoint: Callable[[str], None],
        budget: float,
        on_look: Callable[[], None],
    ) -> None:
        self._database = database
        self._clock = clock
        self._site = site
        self._on_waypoint = on_waypoint
        self._budget = budget
        self._on_look = on_look
        self.parsed: dict[int, InboundMessage] = {}

    def receive(
        self, messages: Iterable[Fetched], batch: Batch | None = None, mailbox: str = ""
    ) -> list[tuple[int, bool]]:
        """Store messages before they are processed; return the number of each, and whether it is new.

        ``batch`` says how far the ``mailbox`` has been read with them.
        """
        now, fetched = self._clock.now(), list(messages)

        def store(tx: Transaction) -> list[Received]:
            if batch and mailbox:
                note_batch(Act(tx, self._site, now), mailbox, batch)
            return [receive(Act(tx, self._site, now), message) for message in fetched]

        received = self._database.share(store)
        self.parsed |= {number: message for number, is_new, message in received if is_new and message}
        self._on_waypoint("received")
        return [(number, is_new) for number, is_new, _ in received]

    def process_each(self) -> Iterator[int]:
        """Process the waiting messages, oldest first, and yield the number of each when it is done.

        In a database on a server they are left to the workers, while there are any.
        """
        if not self._database.is_shared:
            yield from self._process_alone()
            return
        with self._database.lanes() as lanes:
            if lanes.is_worked():
                self.parsed.clear()
            else:
                yield from self.process_in(lanes)

    def process_in(self, lanes: Lanes) -> Iterator[int]:
        """Process the waiting messages of all lanes that no other process has, and yield the number of each when done.

        The messages of a lane are processed in order, one at a time, wherever.
        """
        busy: set[str] = set()
        while waiting := lanes.waiting(_LOOKED_AT, busy):
            self._on_look()
            self.parsed = {number: self.parsed[number] for number, _ in waiting if number in self.parsed}
            for number, lane in waiting:
                if lane in busy:
                    continue
                with lanes.taken(lane) as taken:
                    done = taken and self._try(number)
                    if not done and (not taken or lanes.is_waiting(number)):
                        busy.add(lane)
                if done:
                    yield number

    def _try(self, number: int) -> bool:
        """Process one message; return False where another transaction is in the way again and again."""
        try:
            return self.process(number)
        except Conflict as error:
            log.warning("inbound message %d waits: %s", number, error, extra=event("in_the_way", inbound=number))
            return False

    def process_now(self, number: int) -> bool:
        """Process one message, after those before it in its lane; return False when it was processed before."""
        if not self._database.is_shared:
            return self.process(number)
        with self._database.lanes() as lanes, lanes.awaited(number) as waiting:
            return [self.process(one) for one in waiting][-1:] == [True]

    def _process_alone(self) -> Iterator[int]:
        """Process the waiting messages, oldest first, where no other process does."""
        for _ in range(2):  # processing a message can requeue another one, which was held
            with self._database.reading() as tx:
                waiting = tx.inbound.waiting()
            # Another process may have processed some.
            self.parsed = {number: self.parsed[number] for number in waiting if number in self.parsed}
            for number in waiting:
                self.process(number)
                yield number

    def process(self, number: int) -> bool:
        """Process one message in one transaction; after a bug it ends as failed.

        Return False when it was processed before.
        """
        self._on_waypoint("before processing")
        message = self.parsed.pop(number, None)

        def carry_out(tx: Transaction) -> Disposition | None:
            locked = tx.inbound.lock(number)
            if locked is None:
                return None
            now = self._clock.now()
            disposition = process(Act(tx, self._site, now), locked, message)
            sound_alarm(Act(tx, self._site, now), disposition)
            tx.inbound.finish(number, disposition, now, locked.size)
            self._on_waypoint("while processing")
            return disposition

        try:
            with cpu_budget(self._budget):
                disposition = self._database.share(carry_out)
            if disposition is None:
                return False
        except Busy:
            raise
        except OverBudget:
            log.warning(
                "inbound message %d takes more than %g s of CPU time",
                number,
                self._budget,
                extra=event("over_budget", inbound=number),
            )
            self._end(number, lambda tx, now: note_overrun(Act(tx, self._site, now), number), OVER_BUDGET)
        except Exception as bug:  # no bug may lose the message or stop the pipeline
            log.error(
                "inbound message %d failed: %s",
                number,
                bug,
                exc_info=not isinstance(bug, DamagedRow),
                extra=event("failed", inbound=number),
            )
            error = bug
            self._end(number, lambda tx, now: note_failure(Act(tx, self._site, now), number, error), "bug")
        else:
            log.info(
                "inbound message %d %s %s",
                number,
                disposition.status,
                disposition.code,
                extra=line_of("processed", number, disposition),
            )
            log_security(number, disposition)
        self._on_waypoint("processed")
        return True

    def _end(self, number: int, note: Callable[[Transaction, datetime], Disposition | None], code: str) -> None:
        """End a message that could not be processed as ``note`` does, or, if that fails too, without looking at it.

        It must not wait any longer: the next pass would meet it first, and so would every other.
        """
        now = self._clock.now()
        try:
            with cpu_budget(self._budget), self._database.transaction() as tx:
                ended = note(tx, now)
            if ended:
                log_security(number, ended)
        except Busy:
            raise
        except (Exception, OverBudget) as error:
            log.error(
                "inbound message %d is given up: %s",
                number,
                type(error).__name__,
                extra=event("given_up", inbound=number),
            )
            with self._database.transaction() as tx:
                give_up(tx, number, code, now)
