"""A season of a league of forty, through the whole service: its players have mailboxes, and nobody else acts.

On the way some are on vacation, two drop out, somebody stands in, the service begins anew, and stands still for a week.
Everything follows from one seed.
"""

import asyncio
import heapq
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random

from pbem.clubs.league import League
from pbem.due.outages import RECEIVES, SENDS
from pbem.running.league_rulings import open_league
from rules.games import GAMES
from tests.support.club import ADDRESS, Club, make_club, next_due
from tests.support.league_players import (
    AWAY,
    LEAVING,
    NAMES,
    NEWCOMERS,
    SILENT,
    SUBSTITUTE,
    VACATIONS,
    VANISHING,
    Fate,
    Person,
    decide_fate,
    make_people,
)
from tests.support.leagues import read_league_of
from tests.support.letters import Letter
from tests.support.mails import message
from tests.support.replies import KINDS, write_reply

NAME = "winter"
DIVISION = 8
BEGINS = datetime(2026, 12, 20, tzinfo=UTC)
CONTROL = {"bank": "3d+1d", "max": "4d", "flag": "forfeit"}
LONGEST = timedelta(days=4)
"""What anybody ever has for a move but the first, by that control."""

OUTAGE = (BEGINS + timedelta(days=6), BEGINS + timedelta(days=13))
RESTART = BEGINS + timedelta(hours=1)
"""While matches are being opened."""

_DAY, _BEAT = timedelta(days=1), timedelta(minutes=2)
_BEGINS = re.compile(r"season (\d+) begins")
_PLAYED_BEFORE_VANISHING = 5


@dataclass
class LeagueSeason:
    """The people, the service that they write to, and everything that has happened; some matches are ``played_out``.

    ``opened`` are the two who met in each match, first who began. ``slowest`` is the longest that an email to somebody
    waited before their answer was read, in a match that they had begun. ``begun`` seasons they were told of.
    """

    club: Club
    seed: int
    played_out: float
    people: dict[str, Person] = field(init=False)
    opened: dict[int, tuple[str, str]] = field(default_factory=dict)
    emails: list[tuple[datetime, str, int]] = field(default_factory=list)
    stood_in: dict[int, str] = field(default_factory=dict)
    slowest: dict[str, timedelta] = field(default_factory=dict)
    messages: int = 0
    begun: int = 0
    _fates: dict[int, Fate] = field(default_factory=dict)
    _events: list[tuple[datetime, int, Callable[[datetime], None]]] = field(default_factory=list)
    _count: int = 0
    _sent: int = 0

    def __post_init__(self) -> None:
        self.people = make_people(self.seed)
        self._by_address = {person.address: person for person in self.people.values()}

    @property
    def now(self) -> datetime:
        """The moment."""
        return self.club.clock.now()

    @property
    def league(self) -> League:
        """How the league stands."""
        return read_league_of(self.club, NAME)

    def play(self) -> None:
        """Let everybody enter, and time pass until the season is over and the next one has begun."""
        game = GAMES["pipline"]
        options = {"size": "5", **CONTROL}
        open_league(self.club.service, NAME, game, options, seats=2, size=DIVISION, begins=BEGINS)
        asyncio.run(self.club.service.poll())  # what lay in the mailbox before the service began doesn't count
        for place, name in enumerate(NAMES):
            self._at(self.now + timedelta(hours=4 * place), self._writing(name, f"league {NAME}"))
        for place, name in enumerate(NEWCOMERS):
            self._at(BEGINS + timedelta(days=3, hours=place), self._writing(name, f"league {NAME}"))
        for name, (day, length) in VACATIONS.items():
            self._at(BEGINS + day * _DAY, partial(self._go_away, self.people[name], length))
        self._at(BEGINS + timedelta(days=2, hours=5), self._ask_for_substitute)
        self._at(BEGINS + timedelta(days=5), self._leave)
        self._at(RESTART, lambda _: self._restart())
        while self.begun < 2:
            self._step()

    def _step(self) -> None:
        """Let time pass until something happens, and let it happen; while the service is down it does nothing."""
        with self.club.service.database.reading() as tx:
            due = next_due(tx, self.now)
        moment = min(one for one in (due, self._events[0][0] if self._events else None) if one)
        assert moment < BEGINS + timedelta(days=100), "the season has no end"
        start, end = OUTAGE
        if start <= moment < end:
            self._let_write(end)
            self._restart()
            self.club.clock.advance(end - self.now)
        else:
            if moment - self.now > _BEAT:
                self._beat(moment)
            self.club.clock.advance(moment - self.now)
            self._let_write(moment)
        asyncio.run(self._work())
        self._hand_out()

    async def _work(self) -> None:
        """Let the service read what has come, do what is due, and send."""
        await self.club.service.poll()
        await self.club.service.deliver()

    def _beat(self, moment: datetime) -> None:
        """Note that the service has worked until then."""
        with self.club.service.database.transaction() as tx:
            for name in (RECEIVES, SENDS):
                tx.heartbeats.beat(name, moment)

    def _let_write(self, until: datetime) -> None:
        """Let people write what they write until then."""
        while self._events and self._events[0][0] <= until:
            moment, _, act = heapq.heappop(self._events)
            act(moment)

    def _hand_out(self) -> None:
        """Lay new emails into the mailboxes of their recipients, who read each some time later."""
        new = self.club.courier.carried[self._sent :]
        self._sent += len(new)
        for recipient, raw in new:
            person, letter = self._by_address[recipient], Letter(raw)
            self.emails.append((self.now, person.name, len(raw)))
            person.arrive(letter)
            self.begun = max(self.begun, *map(int, _BEGINS.findall(letter.subject)), 0)
            if letter.match is not None and letter.match not in self.opened:
                self._meet(person, letter)
            delay = timedelta(minutes=5) if letter.match is None else person.takes()
            moment = max(self.now, person.away_until or self.now) + delay
            self._at(moment, partial(self._react, person, letter, self.now))

    def _meet(self, person: Person, letter: Letter) -> None:
        """Note a match that has opened, and how it will end."""
        assert letter.match is not None
        other = self.people[letter.subject.partition(" vs ")[2]]
        two = (person, other) if letter.example else (other, person)
        self.opened[letter.match] = two[0].name, two[1].name
        random = Random(f"{self.seed} {two[0].name} {two[1].name}")
        self._fates[letter.match] = decide_fate(random, *two, self.played_out)

    def _react(self, person: Person, letter: Letter, got: datetime, now: datetime) -> None:
        """Let somebody answer a letter that they ``got`` some time ago, unless they are away."""
        if person.away_until and now < person.away_until:
            self._at(person.away_until + person.takes(), partial(self._react, person, letter, got))
            return
        if person.name == SILENT and letter.match is not None:
            return
        words = "" if person.gone else person.answer(letter, self._fates.get(letter.match or 0))
        if not words:
            return
        if letter.match is not None and person.moves.get(letter.match, 0) > 1:
            start, end = OUTAGE
            waited = (end if start <= now < end else now) - got  # before the end nobody reads it
            self.slowest[person.name] = max(waited, self.slowest.get(person.name, waited))
        self._reply(person, letter, words)
        played = sum(made >= 2 for made in person.moves.values())
        person.gone = person.name == VANISHING and played >= _PLAYED_BEFORE_VANISHING

    def _writing(self, name: str, words: str) -> Callable[[datetime], None]:
        """Return what lets somebody write a new message."""
        return lambda _: self._post(self.people[name], words)

    def _leave(self, _: datetime) -> None:
        """Let somebody leave the league while they play."""
        person = self.people[LEAVING]
        self._reply(person, person.inbox[-1], f"leave league {NAME}")

    def _go_away(self, person: Person, days: int, now: datetime) -> None:
        """Let somebody go on vacation, from today on."""
        first = now.date()
        last = first + timedelta(days=days - 1)
        self._reply(person, person.inbox[-1], f"vacation {first} - {last}")
        person.away_until = datetime(last.year, last.month, last.day, tzinfo=UTC) + _DAY

    def _ask_for_substitute(self, now: datetime) -> None:
        """Let somebody ask another one to stand in, in a match in which it is their turn, and they have moved twice.

        Later, if there is none.
        """
        person = self.people[AWAY]
        proven = [match for match in person.asked if self.club.match(match).moves_made >= 4]
        if not proven:
            self._at(now + timedelta(hours=6), self._ask_for_substitute)
            return
        match = min(proven)
        letter = person.asked.pop(match)
        until = now + timedelta(days=40)
        self.stood_in[match] = AWAY
        self._reply(person, letter, f"standin {SUBSTITUTE} until {until:%-d %b}")

    def _restart(self) -> None:
        """Let the service begin anew: it knows nothing but what it has stored."""
        club = self.club
        club.service.database.close()
        self.club = make_club(
            club.service.settings, clock=club.clock, dice=club.dice, mailbox=club.mailbox, courier=club.courier
        )

    def _at(self, moment: datetime, act: Callable[[datetime], None]) -> None:
        self._count += 1
        heapq.heappush(self._events, (moment, self._count, act))

    def _post(self, person: Person, words: str) -> None:
        """Let somebody write a new message."""
        self._count += 1
        number = f"<new-{self._count}@players.example>"
        sender = f"{person.name} <{person.address}>"
        self._lay(message(words, From=sender, To=ADDRESS, Message_ID=number))

    def _reply(self, person: Person, letter: Letter, words: str) -> None:
        """Let somebody answer a letter."""
        self._count += 1
        kind = person.random.choice(KINDS[:2])
        self._lay(write_reply(kind, letter.notice, words, self._count, f"Cheers\n-- \n{person.name}"))

    def _lay(self, raw: bytes) -> None:
        self.messages += 1
        self.club.mailbox.put(raw)

    def most_in_a_week(self) -> int:
        """Return the most emails that anybody got in seven days that begin with the season, or weeks later."""
        weeks = Counter((name, (at - BEGINS) // timedelta(days=7)) for at, name, _ in self.emails if at >= BEGINS)
        return max(weeks.values())
