"""A service on real SQLite with fakes at its other ports, and players who reply to its emails."""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from functools import cache
from pathlib import Path

from sqlalchemy import bindparam, func, select

from pbem.due.outages import RECEIVES, SENDS
from pbem.errors import LoginRefused
from pbem.mail.envelope import envelope_sender
from pbem.match.match import Match
from pbem.running.service import Arrival, Service
from pbem.settings.model import Settings
from pbem.storage.database import Database
from pbem.storage.messages.records import OutboundRecord
from pbem.storage.statement import Statement
from pbem.storage.tables import DUE, OUTBOUND
from pbem.storage.transaction import Transaction
from rules.phrase import ENGLISH, Language
from tests.support.chosen import changed
from tests.support.fakes import FakeClock, FakeCourier, FakeDice, FakeMailbox, FakeThinker
from tests.support.mails import message, read

ADDRESS = "games@play.example"
SECRET = "a secret that is long enough"
KEY = "Zfh/MFUmjybT4fgHFi3FX19VA+7kew4sXogFoEPYevY="
"""The public key of a host with that secret: should it ever change, records of today would be another host's."""

OPERATOR = "op@play.example"
_NEXT = select(func.min(DUE.c.due_at)).where(DUE.c.done.is_(False), DUE.c.due_at > bindparam("now"))
_NEWEST = Statement(
    select(OUTBOUND.c.raw)
    .where(OUTBOUND.c.match_id == bindparam("match"), OUTBOUND.c.seat == bindparam("seat"))
    .order_by(OUTBOUND.c.id.desc())
    .limit(1)
)
PLAYERS = ("Ann <ann@a.example>", "Bob <bob@b.example>", "Carl <carl@c.example>")


@dataclass
class Club:
    """A service, its fakes, and the players who write to it."""

    service: Service
    clock: FakeClock
    dice: FakeDice
    mailbox: FakeMailbox
    courier: FakeCourier
    thinker: FakeThinker
    written: int = field(default=0)

    def open(self, game: str = "pipline", players: tuple[str, ...] = PLAYERS[:2], **options: object) -> Match:
        """Open a match, on the smallest board unless told otherwise."""
        return self.service.open(game, players, {"size": 5} | options)

    def queued(self, *, kind: str = "", status: str | None = None) -> list[OutboundRecord]:
        """Return all emails, or those of one kind, the oldest first."""
        with self.service.database.reading() as tx:
            return [
                mail
                for mail in reversed(tx.outbound.latest(status=status, limit=100_000))
                if not kind or mail.kind == kind
            ]

    def mail(self, queued: OutboundRecord) -> EmailMessage:
        """Return an email as its recipient reads it."""
        with self.service.database.reading() as tx:
            return read(tx.outbound.raw(queued.id))

    def envelope_of(self, queued: OutboundRecord) -> str:
        """Return the envelope sender of a notice, to which a bounce of it comes."""
        return envelope_sender(ADDRESS, queued.id, queued.recipient, SECRET)

    def newest(self, seat: int, match: int = 1) -> EmailMessage:
        """Return the latest email to a seat."""
        with self.service.database.reading() as tx:
            raw = tx.outbound._value(_NEWEST, match=match, seat=seat)
        if raw is not None:
            return read(raw)
        raise LookupError(f"no email to seat {seat} of match {match}")

    def answer(self, mail: EmailMessage, text: str, **headers: str) -> bytes:
        """Return a reply to ``mail`` from its recipient, as a simple email program makes it."""
        self.written += 1
        given = {
            "From": str(mail["To"]),
            "To": str(mail["Reply-To"]),
            "Subject": f"Re: {mail['Subject']}",
            "Message_ID": f"<reply-{self.written}@a.example>",
            "In_Reply_To": str(mail["Message-ID"]),
            "References": f"{mail['References'] or ''} {mail['Message-ID']}".strip(),
            "Content_Type": "text/plain; charset=utf-8",
        } | headers
        return message(text, **{name: value for name, value in given.items() if value})

    def reply(self, seat: int, text: str, *, match: int = 1, **headers: str) -> Arrival:
        """Let the player at ``seat`` answer the latest email to him."""
        return self.service.hand_in(self.answer(self.newest(seat, match), text, **headers))

    def write(self, text: str, sender: str, **headers: str) -> Arrival:
        """Hand in a new message, which answers none and bears no token of ours."""
        self.written += 1
        given = {"From": sender, "Subject": "Hello", "Message_ID": f"<new-{self.written}@z.example>"} | headers
        return self.service.hand_in(message(text, **given))

    def answer_kind(self, kind: str, number: int, text: str, **headers: str) -> Arrival:
        """Let the reader of an email of a kind answer it: ``number`` counts from 0, and from the newest, -1."""
        return self.service.hand_in(self.answer(self.mail(self.queued(kind=kind)[number]), text, **headers))

    def let_robots_move(self) -> int:
        """Let all robots move whose turn it is; return how often one thought."""
        count = 0
        while asyncio.run(self.service.let_robot_move()):
            count += 1
        return count

    def pass_time(self, by: timedelta) -> Iterator[datetime]:
        """Let time pass while the service runs without a break; yield each moment at which something was due."""
        end = self.clock.now() + by
        asyncio.run(self.service.deliver())
        while self.clock.now() < end:
            with self.service.database.transaction() as tx:
                following = next_due(tx, self.clock.now())
                moment = min(following, end) if following else end
                for name in (RECEIVES, SENDS):  # as it has done all the time
                    tx.heartbeats.beat(name, moment)
            self.clock.advance(moment - self.clock.now())
            asyncio.run(self.service.deliver())
            yield moment

    def serve(self, by: timedelta) -> None:
        """Let time pass in which the service works, and nothing is done."""
        self.clock.advance(by)
        with self.service.database.transaction() as tx:
            for name in (RECEIVES, SENDS):
                tx.heartbeats.beat(name, self.clock.now())

    def live(self, by: timedelta, *, every: timedelta = timedelta(minutes=1)) -> None:
        """Let time pass with a pass ``every`` so often: nothing but these passes says that the service sends."""
        end = self.clock.now() + by
        while self.clock.now() < end:
            self.clock.advance(min(every, end - self.clock.now()))
            with self.service.database.transaction() as tx:
                tx.heartbeats.beat(RECEIVES, self.clock.now())
            with suppress(LoginRefused):
                asyncio.run(self.service.deliver())

    def outages(self) -> list[timedelta]:
        """Return how long each outage was that no clock counts."""
        with self.service.database.reading() as tx:
            return [end - start for start, end in tx.heartbeats.outages_since(datetime.min.replace(tzinfo=UTC))]

    def match(self, number: int = 1) -> Match:
        """Return a match as it stands."""
        with self.service.database.reading() as tx:
            found = tx.matches.get(number, comments=True)
        assert found is not None
        return found

    def moves(self, number: int = 1) -> list[str]:
        """Return the texts of a match's record."""
        return [entry.text for entry in self.match(number).record]


def next_due(tx: Transaction, now: datetime) -> datetime | None:
    """Return when the next thing is due after a moment (UTC); None if nothing is scheduled."""
    found: datetime | None = tx.due._value(_NEXT, now=now)
    return found


def told(arrival: Arrival) -> list[tuple[str, int | None]]:
    """Return the kind and the seat of each email that a message led to."""
    return [(mail.kind, mail.seat) for mail in arrival.outbound]


def write_blank_database(path: Path) -> Path:
    """Write a database with all tables and nothing in them, to be copied: migrating takes its time."""
    database = Database(f"sqlite:///{path}")
    database.upgrade()
    database.close()
    return path


def settings_in(directory: Path, blank_database: Path) -> Settings:
    """Return settings with a database of their own in ``directory``, a copy of the blank one."""
    path = directory / "pbem.db"
    shutil.copy(blank_database, path)
    return changed(_read_settings(), database_url=f"sqlite:///{path}")


@cache
def _read_settings() -> Settings:
    """Return the settings that clubs have in common: to read the environment takes a third of making a club."""
    return Settings(address=ADDRESS, secret=SECRET, operator=OPERATOR)


def make_club(
    settings: Settings,
    *,
    clock: FakeClock | None = None,
    dice: FakeDice | None = None,
    mailbox: FakeMailbox | None = None,
    courier: FakeCourier | None = None,
    thinker: FakeThinker | None = None,
    at: Callable[[str], None] = lambda waypoint: None,
    budget: float = 60,
    language: Language = ENGLISH,
) -> Club:
    """Return a club over the database of ``settings``; close its ``service.database`` in the end.

    The ``budget`` in CPU seconds is ample: how slow the machine is must decide no test.
    """
    clock, dice = clock or FakeClock(), dice or FakeDice()
    mailbox, courier = mailbox or FakeMailbox(), courier or FakeCourier()
    thinker = thinker or FakeThinker()
    database = Database(settings.database_url)
    service = Service(
        settings,
        database,
        clock=clock,
        dice=dice,
        mailbox=mailbox,
        courier=courier,
        thinker=thinker,
        on_waypoint=at,
        budget=budget,
        language=language,
    )
    return Club(service, clock, dice, mailbox, courier, thinker)
