"""Puts the five ports together: what the scheduler, the command line and the tests call."""

import logging
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from pbem import archive, post
from pbem.addresses import is_address, split_named
from pbem.commands import read_commands
from pbem.config import Settings
from pbem.envelope import Desk, Recipient, seal
from pbem.errors import BadInput, Busy, LoginRefused, PermanentFailure, TransientFailure
from pbem.letter import Letter, Unreadable, open_letter
from pbem.match import Match, Player
from pbem.notices import Notice, about_nothing
from pbem.ports import Clock, Courier, Cursor, Dice, Fetched, Mailbox
from pbem.quoting import may_quote, written_lines
from pbem.referee import draw_lots, judge
from pbem.rulings import Discard, Rejection, TooLarge, UnknownMatch, UnknownSender
from pbem.sorting import automatic
from pbem.store import Ending, Queued, Received, Store, Work
from pbem.tag import Tag, find
from pbem.wording import whose_turn
from rules import GAMES, Chance, InvalidOption, Seat

log = logging.getLogger("pbem")

WAYPOINTS = ("fetched", "received", "before settling", "while settling", "settled", "before sending", "sent")
"""The named points of the line: a process killed at any of them loses no letter and applies none twice."""

UNREADABLE = "unreadable"
"""The reason of a failed letter whose bytes are no mail: no bug, and nothing for the operator to do."""

_LARGEST = 10_000_000
_HEAD = 200_000
_DAY = timedelta(days=1)
_LEASE = timedelta(minutes=5)
_FIRST_DELAY, _LONGEST_DELAY = timedelta(minutes=1), timedelta(hours=6)
_MOST_ATTEMPTS = 28  # with these delays, about five days
_AT_ONCE = 50
_FAILURES_IN_A_ROW = 3
# How many answers of a kind an address gets in a day: one for strangers; enough for a player's slips, and few
# enough to end a conversation with a machine that does not say that it is one.
_STRANGERS_DAILY, _PLAYERS_DAILY = 1, 10


@dataclass(frozen=True)
class Arrival:
    """What became of a letter handed in: its row, whether it was here before, and the mails it led to."""

    letter: Received
    duplicate: bool
    mails: tuple[Queued, ...] = ()


@dataclass(frozen=True)
class Delivery:
    """How many mails one pass sent, put off, and found impossible to send."""

    sent: int = 0
    deferred: int = 0
    refused: int = 0


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
        self._desk = Desk(settings.address, settings.secret)
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
            match = work.open_match(draw_lots(Match(0, rules, chosen, seated, now), self._roll, now))
            self._post(work, match, post.after_opening(match, self.settings.archive_url), "opening", None, now)
        return match

    def receive(self, letters: Iterable[Fetched], cursor: Cursor | None = None) -> list[tuple[int, bool]]:
        """Keep letters before anything is done with them; returns each one's number and whether it is new."""
        now = self.clock.now()
        kept = []
        with self.store.writing() as work:
            for letter in letters:
                kept.append(_keep(work, letter, now))
            if cursor and self._mailbox:
                work.keep_cursor(self._mailbox.name, cursor, now)
        self._at("received")
        return kept

    def settle_waiting(self) -> int:
        """Settle every letter that is kept and not yet settled, oldest first; returns how many."""
        with self.store.reading() as work:
            waiting = work.waiting_letters()
        for number in waiting:
            self.settle(number)
        return len(waiting)

    def settle(self, number: int) -> None:
        """Bring one letter to its end, in one transaction; a bug in here ends it as failed."""
        self._at("before settling")
        try:
            with self.store.writing() as work:
                if not work.take(number):
                    return  # another worker was faster
                ending = self._ending(work, number)
                work.settle(number, ending, self.clock.now())
                self._at("while settling")
        except Busy:
            raise
        except Exception as bug:  # whatever it is, the letter is kept and the line goes on
            log.exception("letter %d failed", number)
            self._note_failure(number, bug)
        else:
            log.info("letter %d %s %s", number, ending.status, ending.reason)
        self._at("settled")

    def hand_in(self, raw: bytes) -> Arrival:
        """Take in one raw mail as a pipe delivers it, settle it, and tell what became of it."""
        whole = len(raw) <= _LARGEST
        ((number, new),) = self.receive([Fetched(raw if whole else raw[:_HEAD], whole)])
        if new:
            self.settle(number)
        with self.store.reading() as work:
            letter = work.letter(number)
            assert letter is not None
            return Arrival(letter, not new, tuple(work.mails_about(number)) if new else ())

    async def poll(self) -> int:
        """Fetch and settle what is new in the mailbox; returns how many letters were new.

        Raises MailboxLost or LoginRefused; what was kept until then stays kept, and is settled.
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

    async def deliver(self) -> Delivery:
        """Send what is due; a mail that cannot be sent now is put off, ever longer, for five days.

        Raises LoginRefused when the server does not let us in.
        """
        assert self._courier is not None
        sent = deferred = refused = in_a_row = 0
        while in_a_row < _FAILURES_IN_A_ROW:
            with self.store.reading() as work:
                due = work.due_mails(self.clock.now(), _AT_ONCE)
            if not due:
                break
            for mail in due:
                status = await self._send(mail)
                sent, deferred, refused = (
                    sent + (status == "sent"),
                    deferred + (status == "queued"),
                    refused + (status == "refused"),
                )
                in_a_row = in_a_row + 1 if status == "queued" else 0
                if in_a_row >= _FAILURES_IN_A_ROW:
                    break
        return Delivery(sent, deferred, refused)

    def write_archive(self) -> int:
        """Write the pages of what has changed since the last call; returns how many pages are new.

        The first call looks at every match. Raises OSError when a file cannot be written.
        """
        directory = Path(self.settings.archive_dir)
        started = self.clock.now()
        with self.store.reading() as work:
            changed = work.matches(remarks=True, changed_since=self._archived_at)
        written = 0
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

    async def _send(self, mail: Queued) -> str:
        """Try to send one mail and note how it went; returns its new status, or "taken" by another worker."""
        assert self._courier is not None
        now = self.clock.now()
        with self.store.writing() as work:
            if not work.claim(mail.id, now, now + _LEASE):
                return "taken"
            raw = work.mail_bytes(mail.id)
        self._at("before sending")
        status, error, due_at, sent_at = "sent", "", now, now
        try:
            await self._courier.send(self.settings.address, mail.recipient, raw)
            self._at("sent")
        except LoginRefused as refusal:
            self._note(mail, "queued", str(refusal), now + _FIRST_DELAY, None)
            raise
        except TransientFailure as failure:
            delay = min(_FIRST_DELAY * 2**mail.attempts if mail.attempts < 20 else _LONGEST_DELAY, _LONGEST_DELAY)
            if mail.attempts + 1 >= _MOST_ATTEMPTS:
                self._note(mail, "refused", f"given up after {mail.attempts + 1} attempts: {failure}", now, None)
                return "refused"
            self._note(mail, "queued", str(failure), now + delay, None)
            return "queued"
        except PermanentFailure as failure:
            self._note(mail, "refused", str(failure), now, None)
            return "refused"
        self._note(mail, status, error, due_at, sent_at)
        return status

    def _note(self, mail: Queued, status: str, error: str, due_at: datetime, sent_at: datetime | None) -> None:
        """Note how an attempt ended, in the database and in the log."""
        with self.store.writing() as work:
            work.note_sending(mail.id, status, error, due_at, sent_at)
        level = logging.ERROR if status == "refused" else logging.INFO
        log.log(level, "mail %d %s %s %s", mail.id, mail.kind, status, error)

    def _ending(self, work: Work, number: int) -> Ending:
        """Do what a letter asks for and return how it ended."""
        raw, whole = work.letter_bytes(number)
        row = work.letter(number)
        assert row is not None
        try:
            letter = open_letter(raw)
            if reason := automatic(letter, self.settings.address):
                raise Discard(reason)
            if len(letter.senders) != 1 or not is_address(letter.senders[0]):
                raise Discard("no single sender")
            return self._answered(work, letter, row, whole)
        except Discard as ruling:
            return Ending("discarded", ruling.reason)
        except Unreadable as error:  # no bug of ours, and nobody to answer
            return Ending("failed", UNREADABLE, str(error))

    def _answered(self, work: Work, letter: Letter, row: Received, whole: bool) -> Ending:
        """Carry out a letter that a person wrote, or answer why not."""
        now = self.clock.now()
        tag = find(letter.tag_places, self.settings.secret)
        match = work.match(tag.match) if tag else None
        if tag is None or match is None or not _sits(letter.senders[0], match, tag.seat):
            return self._answer_outside(work, letter, row)
        lines = self._written(work, letter, match, tag.seat) if whole else []
        try:
            if not whole:
                raise TooLarge()
            verdict = judge(match, tag.seat, tag.ply, read_commands(lines), roll=self._roll, now=now)
        except Discard as ruling:
            return Ending("discarded", ruling.reason, "", match.id, tag.seat)
        except Rejection as ruling:
            email = match.players[tag.seat].email
            if work.count_mails(email, ruling.kind, now - _DAY) < _PLAYERS_DAILY:
                notice = post.after_rejection(match, tag.seat, tag.ply, ruling, lines, self.settings.archive_url)
                self._post(work, match, [(tag.seat, notice)], row.identity, row.id, now)
            return Ending("rejected", ruling.kind, ruling.detail, match.id, tag.seat)
        work.append(match, verdict.match.record[match.ply :], verdict.match.times[match.ply :], row.id)
        work.add_remarks(match, verdict.remarks, now, row.id)
        if verdict.match.ply > match.ply or verdict.remarks:
            work.note_change(verdict.match, now)
        notices = post.after_verdict(match, verdict, self.settings.archive_url)
        self._post(work, verdict.match, notices, row.identity, row.id, now)
        return Ending("accepted", "", " ".join(verdict.asides), match.id, tag.seat, verdict.commands)

    def _written(self, work: Work, letter: Letter, match: Match, seat: Seat) -> list[str]:
        """Return what a player wrote himself; the mails he may have quoted are looked up if there is room for one."""
        lines = written_lines(letter.text, self.settings.address)
        if not may_quote(lines):
            return lines
        sent = work.mails_answered(match.id, seat, letter.answered)
        quotable = [text for raw in sent for text in open_letter(raw).texts]
        return written_lines(letter.text, self.settings.address, quotable)

    def _answer_outside(self, work: Work, letter: Letter, row: Received) -> Ending:
        """Answer a letter that belongs to no match of its writer: once a day, so that no machine is fed."""
        now = self.clock.now()
        subject = letter.subject[:60]
        writer = work.player(letter.senders[0])
        if writer is None:
            ruling: Rejection = UnknownSender()
            name, email = "", letter.senders[0]
            notice = about_nothing(ruling.kind, sender=email, subject=subject)
        else:
            ruling = UnknownMatch()
            name, email = writer.name, writer.email
            running = [match for match in work.matches(player=writer.id) if match.outcome is None]
            lines = [
                f"{match.id}, {match.game.title}: {whose_turn(match, _seat_of(match, writer))}" for match in running
            ]
            notice = about_nothing(ruling.kind, you=name, subject=subject, matches=lines)
        if work.count_mails(email, ruling.kind, now - _DAY) < _STRANGERS_DAILY:
            mail = seal(notice, Recipient(name, email), self._desk, row.identity, now, row.id)
            work.queue([mail], now)
        return Ending("rejected", ruling.kind)

    def _post(
        self,
        work: Work,
        match: Match,
        notices: Iterable[tuple[Seat, Notice]],
        cause: str,
        inbound: int | None,
        now: datetime,
    ) -> None:
        """Address notices to the seats they are for, each into its thread, and queue them."""
        threads = work.threads(match.id)
        mails = []
        for seat, notice in notices:
            player = match.players[seat]
            recipient = Recipient(player.name, player.email, Tag(match.id, match.ply, seat), threads.get(seat))
            mail = seal(notice, recipient, self._desk, cause, now, inbound)
            threads[seat] = (threads.get(seat, (mail.message_id,))[0], mail.message_id)
            mails.append(mail)
        work.queue(mails, now)

    def _note_failure(self, number: int, bug: Exception) -> None:
        """End a letter as failed, keep the traceback with it, and tell the operator, once an hour at most."""
        now = self.clock.now()
        cause = f"{type(bug).__name__}: {bug}"[:300]
        detail = "".join(traceback.format_exception(bug))[-4000:]
        with self.store.writing() as work:
            row = work.letter(number)
            work.settle(number, Ending("failed", cause, detail), now)
            operator = self.settings.operator
            if operator and not work.count_mails(operator, "letter_failed", now - timedelta(hours=1)):
                notice = about_nothing("letter_failed", letter=number, sender=row.sender if row else None, cause=cause)
                recipient = Recipient("", operator)
                work.queue([seal(notice, recipient, self._desk, f"letter {number}", now, number)], now)

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

    def _roll(self, chance: Chance) -> int:
        """Draw a lot."""
        return self._dice.roll(chance.faces)


def _keep(work: Work, letter: Fetched, now: datetime) -> tuple[int, bool]:
    """Keep one letter's bytes, with as much about it as can be read; returns its number and whether it is new."""
    try:
        opened = open_letter(letter.raw)
        identity, subject = opened.identity, opened.subject
        sender = next(iter(opened.senders), None)
    except Exception:  # a letter that cannot be read is kept all the same; settling it says what is wrong
        log.warning("a letter could not be read on arrival")
        identity, subject, sender = Letter.identity_of(letter.raw), "", None
    number = work.receive(identity, letter.raw, letter.whole, sender, subject, now)
    if number is not None:
        return number, True
    known = work.letter_by_identity(identity)
    assert known is not None
    return known.id, False


def _since(first_mail: datetime | None) -> date | None:
    """Return from which day on a letter can be an answer to a mail of ours, a day of grace included."""
    return (first_mail - _DAY).date() if first_mail else None


def _sits(sender: str, match: Match, seat: Seat) -> bool:
    """Tell whether ``sender`` is an address of the player who has the seat."""
    return seat < len(match.players) and sender in match.players[seat].emails


def _seat_of(match: Match, player: Player) -> Seat:
    """Return where ``player`` sits."""
    return next(seat for seat, seated in enumerate(match.players) if seated.id == player.id)


def _name_from(email: str) -> str:
    """Return a name for an address without one: ``ann.lee@example.org`` is Ann Lee."""
    local = email.partition("@")[0].partition("+")[0]
    return " ".join(part.capitalize() for part in local.replace("_", ".").replace("-", ".").split(".") if part) or email
