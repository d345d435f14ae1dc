"""Puts the five ports together: what the scheduler, the command line and the tests call."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from pbem import archive, post
from pbem.addresses import split_named
from pbem.config import Settings
from pbem.dispatch import queue_notices
from pbem.envelope import Desk
from pbem.errors import BadInput, Busy
from pbem.kept import Queued, Received
from pbem.match import Match, Player
from pbem.outbox import Delivery, deliver
from pbem.ports import HEAD, LARGEST, Clock, Courier, Cursor, Dice, Fetched, Mailbox
from pbem.referee import go_on
from pbem.rulebook import write_rules
from pbem.settling import ending, keep, note_failure
from pbem.store import Store, Work
from rules import GAMES, InvalidOption, RulesError

log = logging.getLogger("pbem")

WAYPOINTS = ("fetched", "received", "before settling", "while settling", "settled", "before sending", "sent")
"""The named points of the line: a process killed at any of them loses no letter and applies none twice."""

_OVERLAP = timedelta(minutes=5)


@dataclass(frozen=True)
class Arrival:
    """What became of a letter handed in: its row, whether it was here before, and the mails it led to."""

    letter: Received
    duplicate: bool
    mails: tuple[Queued, ...] = ()


class Service:
    """The service over its ports; ``at`` is told the name of every waypoint that is passed."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        *,
        clock: Clock,
        dice: Dice,
        mailbox: Mailbox | None = None,
        courier: Courier | None = None,
        at: Callable[[str], None] = lambda waypoint: None,
    ) -> None:
        self.settings = settings
        self.store = store
        self.clock = clock
        self._dice = dice
        self._mailbox = mailbox
        self._courier = courier
        self._at = at
        self._desk = Desk(
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
        with self.store.writing() as work:
            seated = tuple(self._known_or_new(work, text, now) for text in players)
            twice = next((player for number, player in enumerate(seated) if player in seated[:number]), None)
            if twice:
                raise BadInput(f"{twice.name} ({twice.email}) is named twice; a player has one seat in a match.")
            rolls = rules.rolls_with(chosen)
            secret = self._dice.secret() if rolls else ""
            due = now + timedelta(hours=self.settings.salt_hours) if rolls else None
            match = work.open_match(Match(0, rules, chosen, seated, now, secret=secret, lots_due=due))
            match = self._begun(work, match, None, now)
            notices = post.after_opening(match, self._desk.archive_url)
            queue_notices(work, match, notices, self._desk, "opening", now)
        return match

    def receive(self, letters: Iterable[Fetched], cursor: Cursor | None = None) -> list[tuple[int, bool]]:
        """Keep letters before anything is done with them; returns each one's number and whether it is new."""
        now = self.clock.now()
        kept = []
        with self.store.writing() as work:
            for letter in letters:
                kept.append(keep(work, letter, self._desk, now))
            if cursor and self._mailbox:
                work.keep_cursor(self._mailbox.name, cursor)
        self._at("received")
        return kept

    def settle_waiting(self) -> int:
        """Settle every letter that is kept and not yet settled, oldest first; returns how many."""
        settled = 0
        for _ in range(2):  # a letter can let others wait again, which were held
            with self.store.reading() as work:
                waiting = work.waiting_letters()
            if not waiting:
                break
            for number in waiting:
                self.settle(number)
            settled += len(waiting)
        return settled

    def settle(self, number: int) -> bool:
        """Bring one letter to its end, in one transaction; a bug in here ends it as failed.

        Returns False when it had come to its end before.
        """
        self._at("before settling")
        try:
            with self.store.writing() as work:
                if not work.take(number):
                    return False
                now = self.clock.now()
                end = ending(work, number, self._desk, now)
                work.settle(number, end, now)
                self._at("while settling")
        except Busy:
            raise
        except Exception as bug:  # whatever it is, the letter is kept and the line goes on
            log.exception("letter %d failed", number)
            with self.store.writing() as work:
                note_failure(work, number, bug, self._desk, self.clock.now())
        else:
            log.info("letter %d %s %s", number, end.status, end.reason)
        self._at("settled")
        return True

    def hand_in(self, raw: bytes) -> Arrival:
        """Take in one raw mail as a pipe delivers it, settle it, and tell what became of it.

        A letter that was kept before but not settled, as when the process died, is settled now.
        """
        whole = len(raw) <= LARGEST
        ((number, new),) = self.receive([Fetched(raw if whole else raw[:HEAD], whole)])
        fresh = self.settle(number) or new
        self.settle_waiting()
        with self.store.reading() as work:
            letter = work.letter(number)
            assert letter is not None
            return Arrival(letter, not fresh, tuple(work.mails_about(number)) if fresh else ())

    async def poll(self) -> int:
        """Fetch and settle what is new in the mailbox; returns how many letters were new.

        Raises MailboxLost, LoginRefused or ConfigError; what was kept until then stays kept, and is settled.
        """
        assert self._mailbox is not None
        self.settle_waiting()
        with self.store.reading() as work:
            cursor, first = work.cursor(self._mailbox.name), work.first_mail_at()
        count = 0
        async for batch in self._mailbox.batches(cursor, _since(first)):
            self._at("fetched")
            count += sum(new for _, new in self.receive(batch.letters, batch.cursor))
            self.settle_waiting()
        return count

    def draw_due_lots(self) -> int:
        """Begin every match whose players have had their time to mix in words; returns how many."""
        now = self.clock.now()
        with self.store.reading() as work:
            due = work.lots_due(now)
        for number in due:
            try:
                with self.store.writing() as work:
                    match = work.match(number)
                    assert match is not None
                    following = self._begun(work, match, None, now)
                    if following.ply > match.ply:
                        notices = post.after_lots(match, following, self._desk.archive_url)
                        queue_notices(work, following, notices, self._desk, "first lots", now)
            except RulesError:  # a damaged record must not keep the mails of other matches
                log.exception("the lots of match %d cannot be drawn", number)
        return len(due)

    async def deliver(self) -> Delivery:
        """Send what is due, first lots included; raises LoginRefused when the server does not let us in."""
        assert self._courier is not None
        self.draw_due_lots()
        return await deliver(self.store, self._courier, self.clock, self.settings.address, self._at)

    def write_archive(self) -> int:
        """Write the pages of what has changed since the last call; returns how many pages are new.

        The first call looks at every match, and at the rules. Raises OSError when a file cannot be written.
        """
        directory = Path(self.settings.archive_dir)
        started = self.clock.now()
        # A change is dated before it can be read, so what is a little older than the last call may be new.
        since = self._archived_at - _OVERLAP if self._archived_at else None
        with self.store.reading() as work:
            changed = work.matches(remarks=True, changed_since=since)
        written = write_rules(directory) if since is None else 0
        for match in changed:
            written += archive.write_match(match, directory)
            self._index[match.id] = archive.index_row(match)
        written += archive.write_index(self._index.values(), directory)
        self._archived_at = started
        return written

    def connect(self, *, mailbox: Mailbox | None = None, courier: Courier | None = None) -> None:
        """Put in the ports that reach servers: they belong to a running event loop, the rest needs none."""
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
        self.store.close()

    def _known_or_new(self, work: Work, text: str, now: datetime) -> Player:
        """Return the player meant by a name, an address, or ``Name <address>``; a new address is a new player."""
        if "@" not in text:
            if found := work.player(text.strip()):
                return found
            raise BadInput(f"Nobody here is called “{text}”; give an address, such as ann@example.org.")
        name, email = split_named(text)
        local, _, domain = email.rpartition("@")
        if self.settings.address in (email, f"{local.partition('+')[0]}@{domain}"):
            raise BadInput(f"“{email}” is the address of this service itself, which cannot play.")
        if "@" in name:
            raise BadInput(f"“{name}” is no name: a name has no @ in it.")
        return work.player(email) or work.add_player(name or _name_from(email), email, now)

    def _begun(self, work: Work, match: Match, inbound: int | None, now: datetime) -> Match:
        """Draw the lots of ``match`` that are due, and keep them."""
        following = go_on(match, now)
        if following.ply > match.ply:
            work.append(match, following.record[match.ply :], following.times[match.ply :], inbound)
            work.note_change(following, now)
        return following


def _since(first_mail: datetime | None) -> date | None:
    """Return from which day on a letter can be an answer to a mail of ours, a day of grace included."""
    return (first_mail - timedelta(days=1)).date() if first_mail else None


def _name_from(email: str) -> str:
    """Return a name for an address without one: ``ann.lee@example.org`` is Ann Lee."""
    local = email.partition("@")[0].partition("+")[0]
    return " ".join(part.capitalize() for part in local.replace("_", ".").replace("-", ".").split(".") if part) or email
