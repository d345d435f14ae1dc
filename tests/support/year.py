"""A club whose time is kept twice: by the service, and by hand in a ledger; after every pass the two are compared."""

import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path

from pbem.due.outages import RECEIVES, SENDS
from pbem.errors import PermanentFailure, ServerFailure, TransientFailure
from pbem.mail.reply_token import ReplyToken, sign_token
from pbem.match.match import Match
from pbem.match.timing import time_left
from pbem.running.service import Arrival
from pbem.settings.model import Settings
from tests.support.club import ADDRESS, OPERATOR, SECRET, Club, make_club, next_due
from tests.support.fakes import FakeClock, FakeCourier
from tests.support.plain_time import Game, Ledger, Person

START = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
BEAT_EVERY = timedelta(minutes=50)
_MOST_PASSES = 3
_OFTEN, _MOST_ATTEMPTS = 3, 28
WATCHED = ("automatic_day", "flagged", "voided", "paused", "bounced")
"""What the ledger foretells of the log of a match."""

_LOG = "SELECT id, kind, match_id, seat, at FROM match_log WHERE id > ?"
_REMINDERS = "SELECT id, recipient, created_at FROM outbound WHERE kind = 'reminder' AND id > ?"
_SENDS = "SELECT min(due_at) FROM outbound WHERE status = 'queued'"
_WAITING = "SELECT count(*) FROM outbound WHERE match_id = ? AND status = 'queued'"
_HEAD = re.compile(rb"^(X-Pbem-Kind|X-Pbem-Match|Date): ([^\r\n]*)", re.MULTILINE)


@dataclass(frozen=True)
class Sent:
    """An email that the server took, or refused: what its header says, and its envelope."""

    kind: str
    match: int | None
    person: str
    recipient: str
    sender: str
    written: datetime
    at: datetime
    refused: bool = False


class Postman(FakeCourier):
    """A courier that notes what it carries; while it is ``down``, it carries nothing for anybody.

    It ``refuses`` what is for some, and puts off what is for others whose mailboxes are ``full``. ``failing``: what was
    last heard of it is that it is down, which an email shows that has not often failed on its own account.
    """

    def __init__(self, clock: FakeClock) -> None:
        super().__init__()
        self.clock = clock
        self.noted: list[Sent] = []
        self.down = self.failing = False
        self.refuses: set[str] = set()
        self.full: set[str] = set()
        self.failed: Counter[bytes] = Counter()

    async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
        """Carry an email, or fail."""
        own = not (self.down and self.failing)
        self.failing = self.down and (self.failing or self.failed[raw] < _OFTEN)
        put_off = self.down or recipient in self.full
        self.failed[raw] += put_off and own
        given_up = put_off and not self.failing and self.failed[raw] == _MOST_ATTEMPTS
        if put_off and not given_up:
            raise ServerFailure("no answer") if self.down else TransientFailure("452 4.2.2 mailbox full")
        head = {name: value.decode() for name, value in _HEAD.findall(raw[: raw.index(b"\r\n\r\n")])}
        written = parsedate_to_datetime(head[b"Date"])
        match = int(head[b"X-Pbem-Match"]) if b"X-Pbem-Match" in head else None
        refused = given_up or recipient in self.refuses
        person = recipient.partition("@")[0].partition(".")[0]
        now = self.clock.now()
        self.noted.append(Sent(head[b"X-Pbem-Kind"], match, person, recipient, sender, written, now, refused))
        if given_up:
            raise TransientFailure("452 4.2.2 mailbox full")
        if refused:
            raise PermanentFailure("550 5.1.1 no such user")
        return sender


@dataclass
class World:
    """A club and the ledger of its time."""

    club: Club
    postman: Postman
    ledger: Ledger
    rows: sqlite3.Connection
    passes: int = 0
    written: int = 0
    seen_log: int = 0
    seen_reminder: int = 0
    mails: list[Sent] = field(default_factory=list)
    returned: set[str] = field(default_factory=set)
    counted: dict[str, int] = field(default_factory=dict)
    _told: tuple[int, int] = 0, 0
    _touched: set[int] = field(default_factory=set)

    @property
    def now(self) -> datetime:
        """The time."""
        return self.club.clock.now()

    def people(self, *names: str, second: Sequence[str] = ()) -> None:
        """Let people join, some of them with a ``second`` address."""
        for name in names:
            self.ledger.people[name] = Person(second_address=name in second)
            with self.club.service.database.transaction() as tx:
                player = tx.players.add(name.capitalize(), f"{name}@x.example", self.now)
                if name in second:
                    tx.players.add_address(player, f"{name}.2@x.example")

    async def open(self, people: Sequence[str], *, game: str = "pipline", **options: object) -> int:
        """Open a match and write it into the ledger; return its number."""
        match = self.club.open(game, tuple(f"{name.capitalize()} <{name}@x.example>" for name in people), **options)
        clock = match.clock
        assert clock is not None
        control = clock.control
        times = control.start, control.increment, control.cap
        noted = Game(match.id, *times, control.weekends_free, control.policy, list(people), _sides(match))
        self.ledger.opened(noted, _turn(match), self.now)
        self._touched.add(match.id)
        return match.id

    def reply(self, person: str, number: int, *lines: str, sender: str = "") -> Arrival:
        """Let somebody answer the present email of a match."""
        match = self.club.match(number)
        seat = next(seat for seat, player in enumerate(match.players) if player.email == f"{person}@x.example")
        self.written += 1
        if self.ledger.people[person].second_address and self.written % 3 == 0:
            sender = sender or f"{person}.2@x.example"
        token = sign_token(ReplyToken(number, match.turn, seat, match.players[seat].generation, match.nonce), SECRET)
        head = (
            f"From: {sender or match.players[seat].email}\r\nTo: {ADDRESS.replace('@', f'+{token}@')}\r\n"
            f"Subject: Re: your turn\r\nMessage-ID: <{self.written}@x.example>\r\n\r\n"
        )
        self.ledger.looked_at(self.now)
        self.ledger.wrote(person, self.now)
        self._touched |= {game.number for game in self.ledger.games.values() if person in game.people}
        arrival = self.club.service.hand_in((head + "\r\n".join(lines) + "\r\n").encode())
        self._touched.add(number)
        self.counted[arrival.message.status] = self.counted.get(arrival.message.status, 0) + 1
        return arrival

    def move(self, person: str, number: int, move: str) -> None:
        """Let somebody make a move."""
        before = self.club.match(number)
        assert isinstance(before.to_act, int)
        arrival = self.reply(person, number, move)
        assert arrival.message.status == "accepted", arrival.message
        after = self.club.match(number)
        self.ledger.moved(number, before.to_act, _turn(after), _sides(after), self.now, over=after.outcome is not None)
        if self.ledger.people[person].muted:  # who moves wants email again
            self.ledger.chose(person, self.now, muted=False)

    def give(self, person: str, number: int, hours: int) -> None:
        """Let somebody give time to whom they wait for."""
        if self._carried(person, number, f"give {hours}h"):
            self.ledger.gave(number, hours * 3600, self.now)

    def claim(self, person: str, number: int) -> None:
        """Let somebody claim."""
        if self._carried(person, number, "claim"):
            match = self.club.match(number)
            if match.outcome:
                self.ledger.ended(number)
            else:
                self.ledger.partner_goes_on(number, _turn(match), _sides(match), self.now)

    def pause(self, person: str, number: int, days: int) -> None:
        """Let somebody ask for a pause, or agree to one."""
        if self._carried(person, number, f"pause {days}d"):
            match = self.club.match(number)
            everybody = set(range(len(match.players))) - match.position.departed()
            seat = self.ledger.games[number].people.index(person)
            self.ledger.asked_for_pause(number, seat, self.now + timedelta(days=days), self.now, everybody)

    def vacation(self, person: str, number: int, after: int, days: int) -> None:
        """Let somebody be away for some days, from so many days after today."""
        one = self.ledger.people[person]
        first = one.wall(self.now).date() + timedelta(days=after)
        last = first + timedelta(days=days - 1)
        if self._carried(person, number, f"vacation {first} - {last}"):
            self.ledger.away(person, max(self.now, one.midnight(first)), one.midnight(last + timedelta(days=1)))

    def emergency(self, person: str, number: int) -> None:
        """Let somebody stop their clocks at once."""
        if self._carried(person, number, "emergency"):
            self.ledger.away(person, self.now, self.now + timedelta(days=14), "emergency")

    def back(self, person: str, number: int) -> None:
        """Let somebody be back."""
        if self._carried(person, number, "back"):
            self.ledger.back(person, self.now)

    def zone(self, person: str, number: int, zone: str) -> None:
        """Let somebody live by another clock."""
        if self._carried(person, number, f"tz {zone}"):
            self.ledger.moves_to(person, zone, self.now)

    def remind(self, person: str, number: int, *hours: int) -> None:
        """Let somebody choose reminders; none: as by default."""
        if self._carried(person, number, "remind " + (" ".join(f"{hour}h" for hour in hours) or "default")):
            self.ledger.chose(person, self.now, steps=tuple(hour * 3600 for hour in hours) or None)

    def quiet(self, person: str, number: int, first: int, last: int) -> None:
        """Let somebody choose quiet hours."""
        if self._carried(person, number, f"quiet {first}-{last}"):
            self.ledger.chose(person, self.now, quiet=(first, last))

    def automatic(self, person: str, number: int, *, on: bool) -> None:
        """Let somebody choose whether days are taken by themselves."""
        if self._carried(person, number, "auto on" if on else "auto off"):
            self.ledger.chose(person, self.now, automatic=on)

    def mute(self, person: str, number: int) -> None:
        """Let somebody unsubscribe."""
        if self._carried(person, number, "unsubscribe"):
            self.ledger.chose(person, self.now, muted=True)

    def resume(self, person: str, number: int) -> None:
        """Let somebody have email again."""
        if self._carried(person, number, "resume"):
            self.ledger.chose(person, self.now, muted=False)

    def _carried(self, person: str, number: int, line: str) -> bool:
        """Let somebody write a line; return whether it was carried out."""
        arrival = self.reply(person, number, line)
        assert arrival.message.status in ("accepted", "rejected"), (line, arrival.message)
        return bool(arrival.message.commands)

    def bounce(self, mail: Sent) -> None:
        """Let an email come back, to the address that it alone had."""
        self.written += 1
        raw = (
            f"From: MAILER-DAEMON@mx.example\r\nTo: {mail.sender}\r\nDelivered-To: {mail.sender}\r\n"
            f"Return-Path: <>\r\nAuto-Submitted: auto-replied\r\nMessage-ID: <bounce{self.written}@mx.example>\r\n"
            "Subject: Undelivered Mail Returned to Sender\r\nMIME-Version: 1.0\r\n"
            'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
            "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
            f"Final-Recipient: rfc822; {mail.recipient}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
        )
        self.ledger.looked_at(self.now)
        arrival = self.club.service.hand_in(raw.encode())
        assert arrival.message.reason == "bounce", arrival.message
        self.returned.add(mail.sender)
        assert mail.match is not None
        self.ledger.came_back(mail.match, mail.person, mail.written, self.now)
        self._touched.add(mail.match)

    async def look(self) -> None:
        """Let the service do what is due and send what is queued, and what follows from that; and compare."""
        for _ in range(_MOST_PASSES):
            await self._look_once()
            with self.club.service.database.reading() as tx:
                late = tx.due.by(self.now)
            if not late:
                self.compare()
                return
        raise AssertionError(f"{self.now}: {late} is due after everything has been done")

    async def _look_once(self) -> None:
        """Let the service poll and deliver, and tell the ledger what the mail server took."""
        self.passes += 1
        now = self.now
        self.ledger.looked_at(now)
        await self.club.service.poll()
        if self.ledger.beat_due(RECEIVES, now):
            self.ledger.beat(RECEIVES, now)
        await self.club.service.deliver()
        known = len(self.ledger.events)
        self.ledger.passed(now, self.ledger.beats[RECEIVES])
        for kind, number, _, _ in self.ledger.events[known:]:
            game = self.ledger.games[number]
            if kind == "flagged" and game.stopped == "unsent":  # a partner plays on
                match = self.club.match(number)
                self.ledger.partner_goes_on(number, _turn(match), _sides(match), now)
        if not self.postman.failing and self.ledger.beat_due(SENDS, now):
            self.ledger.beat(SENDS, now)
        sent, self.postman.noted = self.postman.noted, []
        for mail in sent:
            if mail.match is not None and mail.kind != "":
                (self.ledger.came_back if mail.refused else self.ledger.sent)(
                    mail.match, mail.person, mail.written, mail.at
                )
                self._touched.add(mail.match)
        self.mails += sent

    def compare(self) -> None:
        """Compare what happened with what was to happen, and the time of all matches that were touched."""
        events, reminders = self._told
        expected = self.ledger.events[events:]
        told = sorted({(name, at) for name, at, _ in self.ledger.reminders[reminders:]})
        assert len(told) == len(self.ledger.reminders) - reminders, "two reminders at a time"
        self._told = len(self.ledger.events), len(self.ledger.reminders)
        rows = self.rows.execute(_LOG, (self.seen_log,)).fetchall()
        asked = self.rows.execute(_REMINDERS, (self.seen_reminder,)).fetchall()
        self.seen_log = max((row[0] for row in rows), default=self.seen_log)
        self.seen_reminder = max((row[0] for row in asked), default=self.seen_reminder)
        happened = [(row[1], row[2], row[3], _moment(row[4])) for row in rows if row[1] in WATCHED]
        assert sorted(happened, key=str) == sorted(expected, key=str), f"{self.now}: {happened} is not {expected}"
        reminded = sorted((row[1].partition("@")[0].partition(".")[0], _moment(row[2])) for row in asked)
        assert reminded == told, f"{self.now}: {reminded} is not {told}"
        self._touched |= {number for _, _, matches in self.ledger.reminders[reminders:] for number in matches}
        self._touched |= {number for _, number, _, _ in expected}
        for number in sorted(self._touched):
            self.compare_match(number)
        self._touched.clear()

    def compare_match(self, number: int) -> None:
        """Compare a match."""
        match, game = self.club.match(number), self.ledger.games[number]
        assert (match.outcome is not None) == game.over, f"{self.now}: match {number}"
        clock = match.clock
        if game.over or clock is None:
            return
        where = f"{self.now}: match {number}, {clock} is not {game}"
        (waiting,) = self.rows.execute(_WAITING, (number,)).fetchone()
        assert waiting or clock.halted != "unsent", where
        assert clock.seat == game.turn, where
        assert clock.halted == game.stopped, where
        others = [seat for seat in range(len(game.people)) if game.turn is None or seat not in game.sides[game.turn]]
        assert [clock.banks[seat] for seat in others] == [game.banks[seat] for seat in others], where
        if game.turn is not None:
            assert time_left(match, self.now) == self.ledger.left(game, self.now), where
            assert clock.reminded == game.reminded, where

    def next_moment(self) -> datetime:
        """Return when something is to happen next, by the service or by the ledger; within the hour at any rate."""
        with self.club.service.database.reading() as tx:
            due = next_due(tx, self.now)
        (sends,) = self.rows.execute(_SENDS).fetchone()
        moments = [at for at in (due, self.ledger.next_moment()) if at and at > self.now]
        if sends:
            moments.append(max(_moment(sends), self.now + MINUTE))
        return min(moments, default=self.now + timedelta(days=999))

    async def run_until(self, end: datetime) -> None:
        """Let time pass until then, while the service works."""
        while self.now < end:
            moment = min(self.next_moment(), end)
            if moment - self.now > BEAT_EVERY:  # nothing was due, and of all the heartbeats the last is as good as all
                with self.club.service.database.transaction() as tx:
                    for name in (RECEIVES,) if self.postman.failing else (RECEIVES, SENDS):
                        tx.heartbeats.beat(name, moment - MINUTE)
                        self.ledger.beats[name] = moment - MINUTE
            self.club.clock.advance(moment - self.now)
            if moment < end:
                await self.look()

    def stand_still(self, by: timedelta) -> None:
        """Let time pass while the service is down."""
        self.club.clock.advance(by)

    def restart(self) -> None:
        """Let the service begin anew: it knows nothing but what it has stored."""
        club = self.club
        club.service.database.close()
        self.club = make_club(
            club.service.settings, clock=club.clock, dice=club.dice, mailbox=club.mailbox, courier=self.postman
        )


def make_world(directory: Path, blank_database: Path, *, allowance: int = 30, start: datetime = START) -> World:
    """Return a world with a database of its own; close its club's ``service.database`` in the end."""
    path = directory / "pbem.db"
    shutil.copy(blank_database, path)
    settings = Settings(
        address=ADDRESS,
        secret=SECRET,
        operator=OPERATOR,
        database_url=f"sqlite:///{path}",
        imap_url="imap://games@mail.example",
        vacation_days=allowance,
    )
    clock = FakeClock(start)
    postman = Postman(clock)
    return World(make_club(settings, clock=clock, courier=postman), postman, Ledger(allowance), sqlite3.connect(path))


def _turn(match: Match) -> int | None:
    """Return whose turn it is."""
    return match.to_act if isinstance(match.to_act, int) else None


def _sides(match: Match) -> list[frozenset[int]]:
    """Return for each seat who shares its time: those of its side who have not left, itself included."""
    gone = match.position.departed()
    return [frozenset(match.position.side(seat) - gone) | {seat} for seat in range(len(match.players))]


def _moment(stored: str) -> datetime:
    """Return a moment that SQLite keeps."""
    return datetime.fromisoformat(stored).replace(tzinfo=UTC)
