"""Puts the five ports together: what the scheduler, the command line and the tests call."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from pbem import archive
from pbem.commands import automatic_decision
from pbem.errors import BadInput, Busy
from pbem.mail import Site, split_named
from pbem.match import Match, Player
from pbem.pipeline import OPENING, DeliveryReport, announce, deliver, do_due, note_failure, process, receive, record
from pbem.ports import HEAD, LARGEST, Clock, Courier, Cursor, Dice, Fetched, Mailbox
from pbem.settings import Settings
from pbem.storage import Database, InboundRecord, OutboundRecord, Transaction
from rules import GAMES, InvalidOption, RulesError

log = logging.getLogger("pbem")

WAYPOINTS = ("fetched", "received", "before settling", "while settling", "settled", "before sending", "sent")
"""The named points of the pipeline: a process killed at any of them loses no message and applies none twice."""

_OVERLAP = timedelta(minutes=5)
_DUE_AGAIN = timedelta(hours=1)  # what cannot be done now is tried again, but not in every pass


@dataclass(frozen=True)
class Arrival:
    """What became of a message handed in: its row, whether it was here before, and the emails it led to."""

    message: InboundRecord
    duplicate: bool
    mails: tuple[OutboundRecord, ...] = ()


class Service:
    """The service over its ports; ``at`` is told the name of every waypoint that is passed."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        *,
        clock: Clock,
        dice: Dice,
        mailbox: Mailbox | None = None,
        courier: Courier | None = None,
        at: Callable[[str], None] = lambda waypoint: None,
    ) -> None:
        self.settings = settings
        self.database = database
        self.clock = clock
        self._dice = dice
        self._mailbox = mailbox
        self._courier = courier
        self._at = at
        self._site = Site(
            settings.address,
            settings.secret,
            settings.operator,
            settings.archive_url,
            settings.authserv_id,
            settings.unsubscribe_url,
        )
        self._archived_at: datetime | None = None
        self._index: dict[int, archive.IndexRow] = {}

    def open(self, game: str, players: Sequence[str], options: Mapping[str, object]) -> Match:
        """Open a match and queue its first notices; raises BadInput and leaves nothing behind."""
        if game not in GAMES:
            raise BadInput(f"There is no game “{game}”; there are: {', '.join(GAMES)}.")
        rules = GAMES[game]
        now = self.clock.now()
        try:
            rules.begin(len(players), options)
            chosen = rules.normalise(options)
        except InvalidOption as error:
            raise BadInput(str(error)) from error
        with self.database.transaction() as tx:
            seated = tuple(self._known_or_new(tx, text, now) for text in players)
            twice = next((player for number, player in enumerate(seated) if player in seated[:number]), None)
            if twice:
                raise BadInput(f"{twice.name} ({twice.email}) is named twice; a player has one seat in a match.")
            rolls = rules.rolls_with(chosen)
            secret = self._dice.secret() if rolls else ""
            due = now + timedelta(hours=self.settings.salt_hours) if rolls else None
            match = tx.matches.open(Match(0, rules, chosen, seated, now, secret=secret, rolls_due=due))
            decision = automatic_decision(match, now, opening=True)
            record(tx, decision, OPENING, now)
            announce(tx, decision, "", self._site, OPENING, now)
        return decision.after

    def receive(self, messages: Iterable[Fetched], cursor: Cursor | None = None) -> list[tuple[int, bool]]:
        """Keep messages before anything is done with them; return each one's number and whether it is new."""
        now = self.clock.now()
        kept = []
        with self.database.transaction() as tx:
            for message in messages:
                kept.append(receive(tx, message, self._site, now))
            if cursor and self._mailbox:
                tx.inbound.set_cursor(self._mailbox.name, cursor)
        self._at("received")
        return kept

    def process_waiting(self) -> int:
        """Process every message that waits, oldest first; return how many."""
        processed = 0
        for _ in range(2):  # a message can let others wait again, which were held
            with self.database.reading() as tx:
                waiting = tx.inbound.waiting()
            if not waiting:
                break
            for number in waiting:
                self.process(number)
            processed += len(waiting)
        return processed

    def process(self, number: int) -> bool:
        """Process one message in one transaction; a bug in here ends it as failed.

        Return False when it had been processed before.
        """
        self._at("before settling")
        try:
            with self.database.transaction() as tx:
                if not tx.inbound.lock(number):
                    return False
                now = self.clock.now()
                end = process(tx, number, self._site, now)
                tx.inbound.finish(number, end, now)
                self._at("while settling")
        except Busy:
            raise
        except Exception as bug:  # whatever it is, the message is kept and the pipeline goes on
            log.exception("inbound message %d failed", number)
            with self.database.transaction() as tx:
                note_failure(tx, number, bug, self._site, self.clock.now())
        else:
            log.info("inbound message %d %s %s", number, end.status, end.code)
        self._at("settled")
        return True

    def hand_in(self, raw: bytes) -> Arrival:
        """Take in one raw email as a pipe delivers it, process it, and return what became of it.

        A message that was kept before but not processed, as when the process died, is processed now.
        """
        whole = len(raw) <= LARGEST
        ((number, new),) = self.receive([Fetched(raw if whole else raw[:HEAD], whole)])
        fresh = self.process(number) or new
        self.process_waiting()
        with self.database.reading() as tx:
            message = tx.inbound.get(number)
            assert message is not None
            return Arrival(message, not fresh, tuple(tx.outbound.caused_by(number)) if fresh else ())

    async def poll(self) -> int:
        """Fetch and process what is new in the mailbox; return how many messages were new.

        Raises MailboxLost, LoginRefused or ConfigError; what was kept until then stays kept, and is processed.
        """
        assert self._mailbox is not None
        self.process_waiting()
        with self.database.reading() as tx:
            cursor, first = tx.inbound.cursor(self._mailbox.name), tx.outbound.first_created_at()
        count = 0
        async for batch in self._mailbox.batches(cursor, _since(first)):
            self._at("fetched")
            count += sum(new for _, new in self.receive(batch.messages, batch.cursor))
            self.process_waiting()
        return count

    def run_due(self) -> int:
        """Do everything whose time has come, each in a transaction of its own; return how much that was."""
        now = self.clock.now()
        with self.database.reading() as tx:
            due = tx.due.by(now)
        for thing in due:
            try:
                with self.database.transaction() as tx:
                    do_due(tx, thing, self._site, now)
            except RulesError:  # a damaged record must not keep the emails of other matches
                log.exception("what is due in match %d cannot be done", thing.subject)
                with self.database.transaction() as tx:
                    tx.due.postpone(thing.kind, thing.subject, now + _DUE_AGAIN)
        return len(due)

    async def deliver(self) -> DeliveryReport:
        """Do what is due, and send what is queued; raises LoginRefused when the server does not let us in."""
        assert self._courier is not None
        self.run_due()
        return await deliver(self.database, self._courier, self.clock, self.settings.address, self._at)

    def write_archive(self) -> int:
        """Write the pages of what has changed since the last call; return how many pages are new.

        The first call looks at every match, and at the rules. Raises OSError when a file cannot be written.
        """
        directory = Path(self.settings.archive_dir)
        started = self.clock.now()
        # A change is dated before it can be read, so what is a little older than the last call may be new.
        since = self._archived_at - _OVERLAP if self._archived_at else None
        with self.database.reading() as tx:
            changed = tx.matches.all(comments=True, changed_since=since)
        written = archive.write_rules(directory) if since is None else 0
        for match in changed:
            written += archive.write_match(match, directory)
            self._index[match.id] = archive.index_row(match)
        written += archive.write_index(self._index.values(), directory)
        self._archived_at = started
        return written

    def connect(self, *, mailbox: Mailbox | None = None, courier: Courier | None = None) -> None:
        """Connect the ports that reach servers: they belong to a running event loop, the rest needs none."""
        self._mailbox = mailbox or self._mailbox
        self._courier = courier or self._courier

    async def disconnect(self) -> None:
        """End the connections."""
        for port in (self._mailbox, self._courier):
            if port is not None:
                await port.close()

    async def close(self) -> None:
        """End the connections and let go of the database."""
        await self.disconnect()
        self.database.close()

    def _known_or_new(self, tx: Transaction, text: str, now: datetime) -> Player:
        """Return the player meant by a name, an address, or ``Name <address>``; a new address is a new player."""
        if "@" not in text:
            if found := tx.players.find(text.strip()):
                return found
            raise BadInput(f"Nobody here is called “{text}”; give an address, such as ann@example.org.")
        name, email = split_named(text)
        local, _, domain = email.rpartition("@")
        if self.settings.address in (email, f"{local.partition('+')[0]}@{domain}"):
            raise BadInput(f"“{email}” is the address of this service itself, which cannot play.")
        if "@" in name:
            raise BadInput(f"“{name}” is no name: a name has no @ in it.")
        return tx.players.find(email) or tx.players.add(name or _name_from(email), email, now)


def _since(first_mail: datetime | None) -> date | None:
    """Return from which day on a message can be an answer to an email of ours, a day of grace included."""
    return (first_mail - timedelta(days=1)).date() if first_mail else None


def _name_from(email: str) -> str:
    """Return a name for an address without one: ``ann.lee@example.org`` is Ann Lee."""
    local = email.partition("@")[0].partition("+")[0]
    return " ".join(part.capitalize() for part in local.replace("_", ".").replace("-", ".").split(".") if part) or email
