"""A season at servers that have bad days: what the provider's mailbox and outlet do, and the doctor says."""

import asyncio
import re
import resource
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import parseaddr
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import func, select

from pbem.cli.doctor.messages import check_messages
from pbem.cli.doctor.running import check_service
from pbem.cli.servers import check_owner
from pbem.due.outages import RECEIVES, SENDS
from pbem.errors import PbemError
from pbem.match.match import Match
from pbem.settings.model import Settings
from pbem.storage.tables import OUTBOUND
from pbem.transport.imap import ImapMailbox
from pbem.transport.smtp import SmtpCourier
from tests.e2e.real.scripted import ScriptedServer
from tests.support.club import Club, make_club, next_due
from tests.support.letters import Letter
from tests.support.mail_servers import FaultyImap
from tests.support.mails import read
from tests.support.season import Season
from tests.support.season_players import NAMES, Player

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
TIME = 2
"""Days for a move."""

OPENS, INVITES = 2, 5
"""Days of a player: the operator opens a match; they invite somebody, and look for nothing else."""

_QUEUED = select(func.min(OUTBOUND.c.due_at)).where(OUTBOUND.c.status == "queued")
_BEAT_EVERY = timedelta(minutes=50)
_LONGEST_STEP = timedelta(hours=12)
_PATIENCE = 5.0


class Provider(FaultyImap):
    """The mailbox of the service; ``is_down`` or ``is_missing``, or it spoils every second message that comes in."""

    def __init__(self) -> None:
        super().__init__({})
        self.is_down = self.is_missing = False
        self.spoils: Iterator[str] | None = None

    def put(self, raw: bytes, at: datetime) -> None:
        """Take a message in."""
        uid, self.uidnext = self.uidnext, self.uidnext + 1
        self.messages[uid] = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        self.arrivals[uid] = f"{at:%d-%b-%Y %H:%M:%S} +0000"
        if self.spoils and (fault := next(self.spoils)):
            self.faults[uid] = fault

    def lose(self, last: int) -> None:
        """Be as before the ``last`` messages came; the next ones get their numbers."""
        for uid in sorted(self.messages)[-last:]:
            del self.messages[uid]
        self.uidnext = max(self.messages, default=0) + 1

    def renumber(self) -> None:
        """Number all messages anew."""
        self.uidvalidity += 1
        self.messages = dict(enumerate(self.messages.values(), 1))
        self.arrivals = dict(enumerate(self.arrivals.values(), 1))
        self.uidnext = len(self.messages) + 1

    def repair(self) -> None:
        """Work again."""
        self.is_down = self.is_missing = False
        self.spoils = None
        self.faults.clear()

    def _answer(self, command: str) -> str:
        if self.is_down:
            return "hang up"
        if command.startswith("EXAMINE") and (self.is_missing or "pbem-owner" in command):
            return "% NO [NONEXISTENT] There is no such mailbox."
        return super()._answer(command)


class Outlet(ScriptedServer):
    """The SMTP server; ``loses``: it has not taken what it didn't answer."""

    def __init__(self) -> None:
        super().__init__({})
        self.loses = False
        self._seen = 0

    def take_out(self) -> Iterator[tuple[str, bytes]]:
        """Yield the recipient of each email that was taken since the last call, and the email."""
        new, self._seen = self.heard[self._seen :], len(self.heard)
        end = str(self.answers.get("end", "250"))
        if end[0] in "45" or (end[0] != "2" and self.loses):
            return
        for content in new:
            raw = content.removesuffix(b".\r\n").replace(b"\r\n..", b"\r\n.")
            yield parseaddr(str(read(raw)["To"]))[1], raw


class Steady(Player):
    """A player who answers in time, and does nothing but play."""

    def react(self, letter: Letter, now: datetime) -> Iterator[tuple[Letter, str]]:
        """Give words for the first roll; else answer as players do, by the newest letter about a turn."""
        newest = self.asked.get(letter.match or 0) if letter.example else None
        if letter.asks_for("Reply ready.") and not self.has_gone:
            yield letter, f"salt {self.salt}"
        else:
            yield from super().react(newest or letter, now)

    @property
    def salt(self) -> str:
        """Their words for a first roll."""
        return f"{self.name} was here"

    def _wait(self, letter: Letter) -> Iterator[tuple[Letter, str]]:
        yield from ()


@dataclass
class BadYear(Season):
    """A season whose servers have bad days; time is that of the world, the service's clock ``is_ahead`` of it."""

    provider: Provider = field(default_factory=Provider)
    outlet: Outlet = field(default_factory=Outlet)
    strangers: int = 200
    is_ahead: timedelta = timedelta()
    runs: bool = True
    comes_twice: bool = False
    disk_is_full: bool = False
    down: list[tuple[datetime, datetime]] = field(default_factory=list)
    copy: Path | None = None
    accepted: Counter[str] = field(default_factory=Counter)
    ended: list[tuple[datetime, str]] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)

    @property
    def now(self) -> datetime:
        """The moment."""
        return self.club.clock.now() - self.is_ahead

    async def live(self, days: Sequence[tuple[datetime, str]], openings: Sequence[datetime]) -> None:
        """Let everybody sign up, matches be opened, and days come, until all matches are over."""
        await self.club.service.poll()  # what lay in the mailbox before the service began doesn't count
        for number, player in enumerate(self.players):
            self._at(self.begun + number * HOUR, player, 0)
        for number, moment in enumerate(openings):
            self._at(moment, self.random.choice(self.players), INVITES if number % 3 == 1 else OPENS)
        await self.work()
        for moment, name in days:
            await self.run_until(moment)
            await self.expect_silence()
            await self.pass_day(name)
        while self._events or not self.is_over:
            await self.run_until(self.now + DAY)
            assert self.now < self.begun + timedelta(days=600), self.describe()
        await self.run_until(self.now + 3 * DAY)
        await self.expect_silence()

    async def pass_day(self, name: str) -> None:
        """Let a bad day begin, last and end; the doctor names it meanwhile."""
        day, begun = DAYS[name], self.now
        if day.with_rolls:
            self.open("pippip")
            await self.work()
        await _call(day.begins, self)
        self.done[name] += 1
        await self.endure(day.lasts)
        until = self.now + 3 * DAY
        while not re.search(day.named, said := await self.say()):  # it has struck nobody yet
            assert self.now < until, f"{name}: {said}"
            if not self._events and self.runs:
                self.open("pipline")
            await self.endure(2 * HOUR)
        await _call(day.ends, self)
        if day.stops:
            self.down.append((begun, self.now))
        await self.work()
        self.ended.append((self.now, day.named))

    async def endure(self, time: timedelta) -> None:
        """Let time pass in which something doesn't work."""
        end = self.now + time
        while self.now < end:
            self.go_to(min(self.now + _BEAT_EVERY, end))
            await self.work()

    async def say(self) -> str:
        """Return what the doctor says of messages, of the service and of the mailbox."""
        club = self.club
        with club.service.database.reading() as tx:
            messages = check_messages(tx, club.clock.now())
        service = check_service(club.service.database, club.clock.now())
        said = [*messages.faults, *messages.notes, *service.faults, *service.notes]
        with suppress(PbemError):
            other = _make_club(club.service.settings, clock=club.clock)
            try:
                said += (await check_owner(other.service)).faults
            finally:
                other.service.database.close()
        return "\n".join(one for one in said if not re.search("is not running now|The database was restored", one))

    async def expect_silence(self) -> None:
        """See that the doctor names no day that ended two days ago or more."""
        said = await self.say()
        for ended, named in self.ended:
            if named and self.now - ended >= 2 * DAY:
                assert not re.search(named, said), f"{named} since {ended}: {said}"

    async def run_until(self, end: datetime) -> None:
        """Let time pass in which all works."""
        worked = self.now
        while self.now < end:
            with self.club.service.database.reading() as tx:
                due = [next_due(tx, self.now), tx.outbound._value(_QUEUED), worked + _LONGEST_STEP, end]
            works_at = min(max(one, self.now + MINUTE) for one in due if one)
            moment = max(self.now, min(works_at, self._events[0][0])) if self._events else works_at
            if moment - worked > _BEAT_EVERY:  # nothing was due, and of all heartbeats the last is as good as all
                with self.club.service.database.transaction() as tx:
                    for name in (RECEIVES, SENDS):
                        tx.heartbeats.beat(name, moment - MINUTE)
            self.go_to(moment)
            written = len(self.posted)
            self.let_write()
            if moment == works_at or len(self.posted) > written:
                await self.work()
                worked = self.now

    def go_to(self, moment: datetime) -> None:
        """Let time pass."""
        self.club.clock.advance(moment - self.now)

    async def work(self) -> None:
        """Let players write, and the service do what it can; lay emails into mailboxes."""
        self.let_write()
        if not self.runs:
            return
        with _full_disk() if self.disk_is_full else nullcontext():
            for action in (self.club.service.poll, self.club.service.deliver):
                with suppress(PbemError, OSError):
                    await action()
        new = list(self.outlet.take_out())
        names = [str(read(raw)["Message-ID"]) for _, raw in new]
        known = set(self.accepted)
        self.accepted.update(names)
        self.hand_out([one for one, name in zip(new, names, strict=True) if name not in known])

    def delay(self, letter: Letter) -> timedelta:
        """Return how long somebody takes to answer a letter: most of their time, where it asks for a move."""
        if letter.asks_for("Reply ready."):
            return self.random.uniform(0.05, 0.8) * DAY
        if letter.asks_for("Reply accept to play"):
            return self.random.uniform(0.1, 9) * DAY
        if letter.example and not letter.complains:
            return self.random.uniform(0.05, 0.8) * TIME * DAY
        return HOUR

    @property
    def is_over(self) -> bool:
        """Whether all matches that there are have ended."""
        return all(match.outcome for match in self.matches())

    def matches(self) -> list[Match]:
        """Return all matches that were not lost with a restored backup."""
        with self.club.service.database.reading() as tx:
            numbers = range(1, tx.restorations.highest()[0] + 1)
            return [match for number in numbers if (match := tx.matches.get(number))]

    def begin_day(self, player: Player, day: int) -> None:
        """Let a match be opened by the operator, or somebody be invited to one."""
        if day == OPENS and self.runs and not (self.disk_is_full or self.copy):
            self.open(self.random.choice(("pipline", "zipline", "snipsnip", "pippip")))
        elif day == OPENS:  # by an operator who has to look after a server first
            self._at(self.now + DAY, player, day)
        elif day == INVITES:
            other = self.random.choice([one for one in self.players if one is not player])
            player.invitations.append(f"new pipline {other.address} size=5 days={TIME}")
            for letter, words in player.wake(self.now, day):
                self._answer(player, letter, words)

    def open(self, game: str) -> None:
        """Let the operator open a match of two."""
        options = {"days": TIME} | ({} if game in ("pippip", "snipsnip") else {"size": 5})
        players = self.random.sample(self.players, 2)
        self.club.service.open(game, [f"{one.name} <{one.address}>" for one in players], options)

    def _lay(self, address: str, raw: bytes) -> None:
        self.posted.append((self.now, address, raw))
        self.provider.put(raw, self.now)
        if self.comes_twice:
            self.provider.put(b"X-Spam-Flag: NO\r\n" + raw, self.now)
            self.club.service.hand_in(raw)

    def restart(self, copy: Path | None = None) -> None:
        """Let the service begin anew, with another database if there is a ``copy``."""
        club = self.club
        club.service.database.close()
        if copy:
            file = Path(club.service.settings.database_url.removeprefix("sqlite:///"))
            for suffix in ("-wal", "-shm"):
                file.with_name(file.name + suffix).unlink(missing_ok=True)
            file.write_bytes(copy.read_bytes())
        self.club = _make_club(
            club.service.settings, clock=club.clock, dice=club.dice, mailbox=club.mailbox, courier=club.courier
        )


@dataclass(frozen=True)
class Day:
    """A bad day: what happens, how long it lasts, and what ends it; what the doctor says of it meanwhile, as a pattern.

    ``stops``: the service or one of its servers does not work; ``with_rolls``: a match awaits its first roll.
    """

    begins: Callable[[BadYear], Any]
    lasts: timedelta
    ends: Callable[[BadYear], Any]
    named: str = ""
    stops: bool = False
    with_rolls: bool = False


async def _call(what: Callable[[BadYear], Any], year: BadYear) -> None:
    found = what(year)
    if asyncio.iscoroutine(found):
        await found


@contextmanager
def _full_disk() -> Iterator[None]:
    """Let no file be written to."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


_make_club: Callable[..., Club] = make_club


def _spoil(*faults: str) -> Callable[[BadYear], None]:
    """Return what spoils every other message that comes in."""

    def begin(year: BadYear) -> None:
        year.provider.spoils = cycle(one for fault in faults for one in (fault, ""))

    return begin


def _answer_at(step: str, *answers: str, loses: bool = False, patience: float = _PATIENCE) -> Callable[[BadYear], Any]:
    """Return what lets the outlet answer so at a step: another time each time that the day comes."""

    async def begin(year: BadYear) -> None:
        await year.club.courier.close()  # whatever is open knows other answers
        year.outlet.answers[step] = answers[sum(year.done.values()) % len(answers)]
        year.outlet.loses = loses
        vars(year.club.courier)["_timeout"] = patience

    return begin


async def _mend(year: BadYear) -> None:
    """Let the servers, and the service, work again."""
    year.provider.repair()
    year.outlet.answers.clear()
    year.outlet.loses = year.comes_twice = year.disk_is_full = False
    vars(year.club.courier)["_timeout"] = _PATIENCE
    await year.club.courier.close()
    year.runs = True


def _begin_anew(year: BadYear) -> None:
    """Start the service."""
    year.restart()
    year.runs = True


def _stand_still(year: BadYear) -> None:
    year.runs = False


def _jump(by: timedelta) -> Callable[[BadYear], None]:
    """Return what sets the clock of the machine on, or back."""

    def jump(year: BadYear) -> None:
        year.club.clock.jump(by)
        year.is_ahead += by

    return jump


def _lose_mail(year: BadYear) -> None:
    """Restore the mailbox as it was a few messages ago; it may have grown again."""
    year.provider.lose(4)
    for number in range(5 * (year.done["the mailbox is restored"] % 2)):
        year.provider.put(b"From: shop@news.example\r\nPrecedence: bulk\r\nSubject: Sale %d\r\n\r\n" % number, year.now)


def _file_away(year: BadYear) -> None:
    year.provider.messages.clear()


def _flood(year: BadYear) -> None:
    """Let somebody who forges From write many times."""
    for number in range(year.strangers):
        words = b"sign up" if number % 2 else b"help"
        head = b"From: x%d@evil.example\r\nTo: games@play.example\r\nMessage-ID: <%d.%d@evil>\r\n\r\n"
        year.provider.put(head % (number, number, year.done["strangers are forged"]) + words, year.now)


def _make_copy(year: BadYear) -> None:
    year.copy = Path(f"{year.club.service.settings.database_url.removeprefix('sqlite:///')}.copy")
    year.copy.unlink(missing_ok=True)
    year.club.service.database.copy_to(year.copy)


def _put_back(year: BadYear) -> None:
    year.restart(year.copy)
    year.copy = None


def _set(**values: bool) -> Callable[[BadYear], None]:
    """Return what sets something of the mailbox or of the year."""

    def begin(year: BadYear) -> None:
        for name, value in values.items():
            setattr(year.provider if hasattr(year.provider, name) else year, name, value)

    return begin


def _nothing(year: BadYear) -> None:
    """Let it be over by itself."""


AT_ONCE = timedelta()
DAYS = {
    "the mailbox is restored": Day(_lose_mail, AT_ONCE, _nothing, "isn’t as it was read last.*“pbem poll”"),
    "one message is left out": Day(_spoil("nothing"), 6 * HOUR, _mend, "doesn’t hand out.*inbound skip"),
    "it hangs up after the dot": Day(_answer_at("end", "hang up", "250-half"), 9 * HOUR, _mend, "may or may not have"),
    "IMAP is out": Day(
        _set(is_down=True),
        26 * HOUR,
        _mend,
        "able to read email since|receives nothing since",
        stops=True,
        with_rolls=True,
    ),
    "the clock is ahead for a moment": Day(
        _jump(400 * DAY), HOUR / 2, _jump(-400 * DAY), "I’ve doubted it since.*trust-clock", with_rolls=True
    ),
    "all has other numbers": Day(lambda year: year.provider.renumber(), AT_ONCE, _nothing, "have other numbers now"),
    "SMTP is out": Day(
        _answer_at("connect", "hang up", "421 4.3.2 no"), 30 * HOUR, _mend, "Sending is behind", stops=True
    ),
    "bodies are cut off": Day(
        _spoil("40", "0", "NIL"), 6 * HOUR, _mend, "hands out .* bytes.*inbound skip|NIL|doesn’t hand out"
    ),
    "strangers are forged": Day(_flood, HOUR, _nothing, "pbem block"),
    "the service is out": Day(
        _stand_still,
        2 * DAY,
        _begin_anew,
        "able to read email since|receives nothing since",
        stops=True,
        with_rolls=True,
    ),
    "all is put off": Day(
        _answer_at("RCPT", "451 4.7.1 later", "452 4.2.2 full"), DAY, _mend, "put off|still not sent"
    ),
    "the folder is renamed": Day(
        _set(is_missing=True),
        5 * HOUR,
        _mend,
        "able to read email since|receives nothing since",
        stops=True,
    ),
    "a message fails": Day(_spoil("NO", "BAD", "hang up"), 6 * HOUR, _mend, "doesn’t hand out.*inbound skip"),
    "the process is frozen": Day(
        _stand_still,
        5 * HOUR,
        _mend,
        "able to read email since|receives nothing since",
        stops=True,
    ),
    "it loses what it doesn’t answer": Day(
        _answer_at("end", "hang up", "25", loses=True), 9 * HOUR, _mend, "may or may not have"
    ),
    "a backup is restored": Day(_make_copy, DAY, _put_back),
    "the clock goes back": Day(_jump(-2 * DAY), 3 * HOUR, _jump(2 * DAY), "clock of this machine"),
    "all comes twice": Day(_set(comes_twice=True), DAY, _mend),
    "it takes too long": Day(_answer_at("end", "silence", patience=0.05), 9 * HOUR, _mend, "may or may not have"),
    "the disk is full": Day(
        _set(disk_is_full=True),
        2 * HOUR,
        _mend,
        "able to read email since|receives nothing since",
        stops=True,
        with_rolls=True,
    ),
    "the mailbox is emptied": Day(_file_away, AT_ONCE, _nothing),
    "it forwards": Day(_answer_at("RCPT", "251 I forward", "252 I try"), DAY, _mend),
}
"""Bad days, in an order in which the doctor says other words of neighbours."""


def make_year(settings: Settings, provider: Provider, outlet: Outlet, seed: int, people: int, silent: int) -> BadYear:
    """Return a year of so many people, the last of whom fall ``silent`` some day, at servers that serve."""
    settings.vacation_days, settings.new_matches = 0, "anybody"
    club = _make_club(
        settings,
        mailbox=ImapMailbox(settings.imap_url, timeout=_PATIENCE),
        courier=SmtpCourier(f"smtp://127.0.0.1:{outlet.port}", timeout=_PATIENCE),
    )
    players = [
        Steady(
            name,
            f"{name.lower()}@post.example",
            Random(f"{seed} {name}"),
            deque(),
            [],
            vanishes_after=20 if number >= people - silent else None,
            rematches=0,
            joins=0,
            known=set(NAMES[:people]) - {name},
        )
        for number, name in enumerate(NAMES[:people])
    ]
    return BadYear(club, list(players), Random(seed), club.clock.now(), provider=provider, outlet=outlet)
