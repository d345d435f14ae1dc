"""The service: the use cases over the ports, called by the scheduler, the command line and the tests."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from socket import gethostname
from typing import TYPE_CHECKING

from pbem.commands.decision import MatchDecision
from pbem.due.opening import open_match
from pbem.due.outages import BEHIND, LONGEST_DELAY, RECEIVES, SENDS, is_beat_due
from pbem.due.robot_moves import seal_thoughts
from pbem.due.unread import first_reply_date, note_unreceived, read_cursor, settle_batch
from pbem.errors import BadInput, PbemError
from pbem.log.logbook import event
from pbem.mail.compose import Site
from pbem.match.game_names import find_game
from pbem.match.invitation import read_opening
from pbem.match.match import Match
from pbem.notices.sentences.without_operator import WithoutOperator
from pbem.pipeline.act import Act
from pbem.pipeline.deliver import DeliveryReport, deliver
from pbem.pipeline.followers import tell_followers
from pbem.pipeline.rationing import OUR_BUDGET, PutOff
from pbem.ports import Batch, Clock, Courier, Dice, Fetched, Mailbox, Notes, Thinker
from pbem.running.due_things import do_all_due, find_due
from pbem.running.heartbeats import Heartbeats
from pbem.running.named_players import find_all_to_seat
from pbem.running.ownership import Owner, Ownership
from pbem.running.processing import Processing
from pbem.running.robot_turns import let_robot_move, look_back_at_week, make_review
from pbem.running.upkeep import PAUSE, drop_old_bytes, put_away_quiet, search_for_forgotten
from pbem.settings.budgets import read_budget
from pbem.settings.model import Settings
from pbem.sizes import HEAD, LARGEST
from pbem.storage.database import Database
from pbem.storage.due import FORGETTING_DUE, LEFTOVERS_DUE, UNSEND_DUE, DueThing
from pbem.storage.messages.records import InboundRecord, OutboundRecord
from rules.errors import InvalidOption
from rules.games import GAMES
from rules.phrase import ENGLISH, Language

if TYPE_CHECKING:
    from pbem.running.archiving.publishing import Progress, Publisher

log = logging.getLogger("pbem")

WAYPOINTS = ("fetched", "received", "before processing", "while processing", "processed", "before sending", "sent")
"""The named points of the pipeline: a process killed at any of them loses no message and applies none twice."""

SLICE_SECONDS = 0.5
"""So long the archive is written at a time: a message that arrives meanwhile waits a little longer."""

_FOLLOWERS_EVERY = timedelta(minutes=1)
_TURNS = 6
"""So many turns of the event loop emails under way get after each message that is processed: what a server has taken is
noted within them, and a process killed before that would send it once more."""


@dataclass(frozen=True)
class Arrival:
    """The result of a message handed in: its record, whether it is a duplicate, and the messages that it caused."""

    message: InboundRecord
    duplicate: bool
    outbound: tuple[OutboundRecord, ...] = ()


class Service:
    """The service over its ports; ``on_waypoint`` is called with the name of every waypoint.

    ``budget`` is the CPU time in seconds that one message may take. Players are written to in ``language``.
    """

    def __init__(
        self,
        settings: Settings,
        database: Database,
        *,
        clock: Clock,
        dice: Dice,
        mailbox: Mailbox | None = None,
        courier: Courier | None = None,
        thinker: Thinker | None = None,
        on_waypoint: Callable[[str], None] = lambda waypoint: None,
        budget: float = 2,
        language: Language = ENGLISH,
    ) -> None:
        self.settings = settings
        self.database = database
        self.clock = clock
        self._dice = dice
        self._mailbox = mailbox
        self._courier = courier
        self._thinker = thinker
        self._ownership: Ownership | None = None
        self._on_waypoint = on_waypoint
        self.site = Site(
            *(settings.address, settings.secret, settings.operator, settings.archive_url),
            *(settings.authserv_id, settings.unsubscribe_page, settings.authentication, settings.token_days),
            language if settings.operator else WithoutOperator(language),
            *(settings.vacation_days, settings.salt_hours, settings.new_matches, settings.unsend_minutes),
            *(settings.strongest_robot, settings.robot_matches, settings.name),
        )
        self._budget_windows = read_budget(settings.smtp_budget)
        self.awaits_mail = False  # something is due that an email may prevent which is not read yet
        self._is_short = False  # of the budget: emails wait for it, and the log has said so
        self.heartbeats = Heartbeats(database, clock)
        self._followers_told_at: datetime | None = None
        self.processing = Processing(database, clock, self.site, on_waypoint, budget, self.heartbeats.look_beside)
        self._has_hastened = False
        self._delivers = False

    def open(
        self,
        game: str,
        players: Sequence[str],
        options: Mapping[str, object],
        *,
        private: bool = False,
        rated: bool = False,
    ) -> Match:
        """Open a match and queue its first notices. Raise BadInput, and change nothing, for wrong arguments.

        The archive lists no ``private`` match, and only those who know its address find it.
        """
        rules = find_game(game)
        if rules is None:
            raise BadInput(f"There is no game “{game}”; choose one of {', '.join(GAMES)}.")
        now = self.clock.now()
        self.heartbeats.recognise_database(now)
        try:
            control, chosen = read_opening(rules, len(players), options)
        except InvalidOption as error:
            raise BadInput(str(error)) from error
        with self.database.transaction() as tx:
            seated = find_all_to_seat(tx, players, self.site, now)
            act = Act(tx, self.site, now)
            match = open_match(act, rules, seated, chosen, control, self._dice, private=private, rated=rated)
        self.heartbeats.keep_landmark()
        return match

    def receive(self, messages: Iterable[Fetched], batch: Batch | None = None) -> list[tuple[int, bool]]:
        """Store messages before they are processed; return the number of each, and whether it is new."""
        messages = list(messages)
        self.heartbeats.hear_from(messages)
        return self.processing.receive(messages, batch, self._mailbox.name if self._mailbox else "")

    def process_waiting(self) -> int:
        """Process all waiting messages, oldest first; return their number."""
        return sum(1 for _ in self.processing.process_each())

    def hand_in(self, raw: bytes) -> Arrival:
        """Receive and process one raw email, as a pipe delivers it; return the result.

        A message that was stored before but not processed, because the process died, is processed now.
        """
        self.heartbeats.look(serves=False)
        whole = len(raw) <= LARGEST
        ((number, new),) = self.receive([Fetched(raw if whole else raw[:HEAD], whole)])
        fresh = self.processing.process_now(number) or new
        self.process_waiting()
        with self.database.reading() as tx:
            message = tx.inbound.get(number)
            assert message is not None
            return Arrival(message, not fresh, tuple(tx.outbound.caused_by(number)) if fresh else ())

    async def poll(self, on_processed: Callable[[], None] = lambda: None) -> int:
        """Process what waits, then fetch and process the new messages of the mailbox, if any; return their number.

        While some are processed, the next are fetched, and others may send: ``on_processed`` is called when answers may
        wait. Raise what ``batches`` raises, and MailboxTaken, nothing done, where another service reads the mailbox.
        """
        await self.require_mailbox()
        self.heartbeats.look()
        if self.heartbeats.is_doubted and self._ownership and (said := await self._ownership.ask_time()):
            self.heartbeats.hear(said, is_sure=True)
        await self._process_between(on_processed)
        if self._mailbox is None:  # behind a pipe alone
            return 0
        count, started = 0, self.clock.now()
        with self.database.reading() as tx:
            cursor, first = read_cursor(tx, self._mailbox.name, started), tx.outbound.first_created_at()
        batches = self._mailbox.batches(cursor, first_reply_date(first))
        fetching = asyncio.ensure_future(anext(batches, None))
        try:
            while batch := await fetching:
                self._on_waypoint("fetched")
                fetching = asyncio.ensure_future(anext(batches, None))
                received = self.receive(batch.messages, batch)
                count += sum(new for _, new in received)
                await self._process_between(on_processed)
                if batch.settled:
                    with self.database.transaction() as tx:
                        settle_batch(tx, self._mailbox.name, batch, [number for number, _ in received])
        except PbemError:
            note_unreceived(self.database, self.heartbeats.last, started)
            raise
        finally:
            fetching.cancel()
            await asyncio.gather(fetching, return_exceptions=True)
        self.heartbeats.beat(self.heartbeats.read_up_to(started))
        return count

    async def process_left(self) -> None:
        """Process what waits where no worker does, or none any more."""
        await self._process_between(lambda: None)

    async def _process_between(self, on_processed: Callable[[], None]) -> None:
        """Process the waiting messages; after each of them whatever else is under way may go on."""
        for _ in self.processing.process_each():
            on_processed()
            for _ in range(_TURNS if self._delivers else 1):
                await asyncio.sleep(0)

    def run_due(self, due: Sequence[DueThing] | None = None) -> int:
        """Do all due things, or those that were found, each in a transaction of its own; return their number."""
        now = self.clock.now()
        self.heartbeats.look()
        due = find_due(self.database, now) if due is None else due
        report = do_all_due(self.database, self.site, self._dice, now, due)
        if {FORGETTING_DUE, LEFTOVERS_DUE} & report.done.keys():
            self.database.drop_traces()
        if UNSEND_DUE in report.done:  # before anything that was written since
            self.process_waiting()
        self.awaits_mail = report.waits and is_beat_due(self.heartbeats.last.get(RECEIVES), now)
        if report.is_put_off:
            self.heartbeats.tell_put_off()
        return report.done.total()

    async def deliver(self) -> DeliveryReport:
        """Do all due things and send queued messages, if all ``is_ours``. Raise LoginRefused if the server does so."""
        assert self._courier is not None
        if not self.is_ours:
            return DeliveryReport()
        self._hasten_once()
        now = self.clock.now()
        due = find_due(self.database, now)
        await search_for_forgotten(self.database, due)
        if due and not self.settings.imap_url:
            self.heartbeats.beat(self.heartbeats.read_up_to(now))  # what is not stored has not come in
        self.run_due(due)
        self._tell_followers()
        behind = self.heartbeats.last.get(BEHIND)
        on_waypoint, budget = self._on_waypoint, self._budget_windows
        self._delivers = True
        try:
            report = await deliver(
                self.database, self._courier, self.clock, self.site, on_waypoint, self._go_on, behind, budget
            )
        finally:
            self._delivers = False
        self._tell_of_budget(report.put_off)
        self._beat(report.behind)
        if report.sent and not self.settings.keep_outbound_days:
            await self.drop_old_bytes()
        return report

    async def _go_on(self, behind: bool) -> None:
        """Do what must not wait for a server that takes its time for an email; ``behind``: sending is."""
        if self.database.is_shared:
            await self.process_left()
        self.run_due()
        self._tell_followers()
        self._beat(behind)

    def _beat(self, behind: bool) -> None:
        """Note that the service works, and sends unless sending is ``behind``."""
        now = self.clock.now()
        read = self.heartbeats.read_up_to(None if self.settings.imap_url else now)
        self.heartbeats.beat(read if behind else {SENDS: now, **read})

    async def let_robot_move(self) -> bool:
        """Let the robot move that has waited longest, or look at a match; return whether one did: more may be waiting.

        Nothing happens before ``poll`` has found that the mailbox is ours, nor where there are to be no robots.
        """
        if self._thinker is None or not (self.site.robots and self.is_ours):
            return False
        for do in (let_robot_move, make_review, look_back_at_week):
            if await do(self.database, self._thinker, self.clock, self.site):
                return True
        return False

    def _hasten_once(self) -> None:
        """Let no email be put off further than any is: the clock may have been wrong for a moment before the start."""
        if not self._has_hastened:
            now = self.clock.now()
            with self.database.transaction() as tx:
                tx.outbound.hasten_queued(now, now + LONGEST_DELAY)
            self._has_hastened = True

    def _tell_of_budget(self, put_off: PutOff | None) -> None:
        """Log once that emails wait for the budget of the server, and once that none does any more."""
        if put_off and not self._is_short:
            self._is_short = True
            log.warning(
                "deliver: %s are sent, as smtp_budget says. Emails that wait, until %s or longer: %d; turns go first",
                *(put_off.window, put_off.until.isoformat(timespec="minutes"), put_off.emails),
                extra=event("budget_met", count=put_off.emails),
            )
        elif self._is_short and not put_off:
            with self.database.reading() as tx:
                self._is_short = tx.outbound.count_waiting(OUR_BUDGET, 1) > 0
            if not self._is_short:
                log.info("deliver: no email waits for the budget any more", extra=event("budget_free"))

    def _tell_followers(self) -> None:
        """Tell followers of matches what is new: it is looked for once a minute, not after each message."""
        now = self.clock.now()
        if self._followers_told_at is None or abs(now - self._followers_told_at) >= _FOLLOWERS_EVERY:
            self._followers_told_at = now
            tell_followers(self.database, self.site, now)

    async def drop_old_bytes(self, *, pause: float = PAUSE) -> int:
        """Drop the bytes of messages older than the settings say, and rows of no use; return how many it was."""
        now = self.clock.now()
        self.heartbeats.look()
        return await drop_old_bytes(self.database, self.settings, now, pause)

    async def put_away_quiet(self) -> int:
        """Put matches away in which nobody has written for very long; return how many, at most a few at a time."""
        now = self.clock.now()
        self.heartbeats.look()
        return await put_away_quiet(self.database, self.site, now)

    @cached_property
    def _publisher(self) -> "Publisher":
        """What writes the archive; a process that takes in one email imports none of it."""
        from pbem.running.archiving.publishing import Publisher

        return Publisher(self.settings, self.database, self.site)

    def write_archive(self, on_progress: "Progress" = lambda phase, done, total: None) -> int:
        """Write all that has changed since the last call; return the number of changed files. See Publisher.publish."""
        changed = self._publisher.publish(self.clock.now(), on_progress)
        self.keep_archive()
        return changed

    def keep_archive(self) -> None:
        """Let the next process go on where this one is with the archive. Raise Unwritable and Busy."""
        self._publisher.keep()

    def write_some_archive(self, seconds: float = SLICE_SECONDS) -> bool:
        """Write a part of the archive, for so many seconds; return whether there is more. Raise Unwritable and Busy."""
        self._publisher.publish(self.clock.now(), seconds=seconds)
        return self._publisher.is_behind

    async def require_mailbox(self) -> None:
        """Raise MailboxTaken where another service reads the mailbox; one that nobody reads is ours from now on.

        Nobody may read the mailbox meanwhile.
        """
        if self._ownership is not None:
            await self._ownership.require()

    @property
    def is_ours(self) -> bool:
        """Whether ``poll`` has found that the mailbox is ours: in a copy of a served database all is out of date."""
        return self._ownership is None or self._ownership.is_sure

    def own(self, notes: Notes) -> Ownership:
        """Return what makes sure that the mailbox of ``notes`` is this service's, and let it do so from now on."""
        self._ownership = Ownership(notes, self.find_owner, self.settings.address, self.clock)
        return self._ownership

    def find_owner(self, *, make: bool = False) -> Owner:
        """Return what a note in the mailbox says of this service's database; ``make``: if there is to be one now."""
        return Owner(self.database.find_place(make=make), self._where())

    def _where(self) -> str:
        """Return where the database is, in words for the operator who wonders."""
        file = self.database.file
        return f"{file.resolve()} on {gethostname()}" if file else f"a PostgreSQL database, served from {gethostname()}"

    def connect(
        self, *, mailbox: Mailbox | None = None, courier: Courier | None = None, thinker: Thinker | None = None
    ) -> None:
        """Set the ports that reach servers and other processes; they belong to the running event loop."""
        self._mailbox = mailbox or self._mailbox
        self._courier = courier or self._courier
        self._thinker = thinker or self._thinker

    async def disconnect(self) -> None:
        """Close the connections to servers."""
        for port in (self._mailbox, self._courier):
            if port is not None:
                await port.close()

    async def close(self) -> None:
        """Close the connections to servers and to the database."""
        await self.disconnect()
        self.database.close()

    def seal_thoughts(self, decision: MatchDecision) -> MatchDecision:
        """Return a decision about a match with a secret that thoughts of its robots follow from, if it needs one."""
        return seal_thoughts(decision, self._dice)
