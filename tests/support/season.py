"""A season: twenty players who have nothing but mailboxes, and a service that nobody but them moves.

They sign up, find each other by offers, play, and use on the way whatever the service has. Two vanish. Everything
follows from one seed.
"""

import asyncio
import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from random import Random

from pbem.due.outages import RECEIVES, SENDS
from tests.support.club import ADDRESS, Club, next_due
from tests.support.letters import Letter
from tests.support.mails import message
from tests.support.replies import KINDS, write_reply
from tests.support.season_players import SEASON_DAYS, Player, make_players

STRANGERS = ("quiet@stranger.example", "no@stranger.example")
"""Invited, and never to be asked twice: one doesn't answer, the other declines."""

_LONGEST = timedelta(days=200)
_SIGNATURE = "Cheers\n-- \n{name}\nsent from a train"


@dataclass
class Season:
    """The players, the service that they write to, and everything that has happened."""

    club: Club
    players: list[Player]
    random: Random
    begun: datetime
    sent: int = 0
    carried: list[tuple[datetime, str, bytes]] = field(default_factory=list)
    posted: list[tuple[datetime, str, bytes]] = field(default_factory=list)
    _events: list[tuple[datetime, int, Player, Letter | int]] = field(default_factory=list)
    _count: int = 0

    def play(self) -> None:
        """Let time pass until all matches that anybody was told of are over, and nobody has anything left to do."""
        asyncio.run(self.club.service.poll())  # what lay in the mailbox before the service began doesn't count
        for player in self.players:
            self._at(self.begun + timedelta(hours=self.random.randrange(1, 20)), player, 0)
        for stranger in STRANGERS:
            for host in self.random.sample(self.players[:6], 2):
                host.invitations.appendleft(f"new pipline {stranger} size=5")
        while self._events or not self.is_over:
            self._go_to(self._next())
            asyncio.run(self._work())
        self._go_to(self.now + timedelta(days=2))
        asyncio.run(self._work())

    @cached_property
    def letters(self) -> list[tuple[datetime, str, Letter]]:
        """All emails of a season that is over: when, to whom, and as they are read."""
        return [(at, to, Letter(raw)) for at, to, raw in self.carried]

    @property
    def now(self) -> datetime:
        """The moment."""
        return self.club.clock.now()

    @property
    def is_over(self) -> bool:
        """Whether somebody was told the end of every match in which anybody was asked for a move."""
        asked = {letter.match for player in self.players for letter in player.inbox if letter.example}
        return asked - {None} <= {match for player in self.players for match in player.over}

    def _at(self, moment: datetime, player: Player, what: Letter | int) -> None:
        self._count += 1
        heapq.heappush(self._events, (moment, self._count, player, what))

    def _next(self) -> datetime:
        """Return when something happens next, by the players or by the service."""
        with self.club.service.database.reading() as tx:
            due = next_due(tx, self.now)
        found = min(one for one in (due, self._events[0][0] if self._events else None) if one)
        assert found < self.begun + _LONGEST, f"matches have no end: {self.describe()}"
        return found

    def describe(self) -> str:
        """Return which matches whose players have not been told the end of."""
        return ", ".join(
            f"{player.name}: {sorted({one.match for one in player.inbox if one.match} - player.over)}"
            for player in self.players
        )

    def _go_to(self, moment: datetime) -> None:
        """Let time pass until then; the service has worked meanwhile."""
        with self.club.service.database.transaction() as tx:
            for name in (RECEIVES, SENDS):
                tx.heartbeats.beat(name, moment)
        self.club.clock.advance(moment - self.now)

    async def _work(self) -> None:
        """Let players write what they write now, and the service do what is to be done; lay emails into mailboxes."""
        self.let_write()
        await self.club.service.poll()
        await self.club.service.deliver()
        new = self.club.courier.carried[self.sent :]
        self.sent += len(new)
        self.hand_out(new)

    def let_write(self) -> None:
        """Let players write what they write now."""
        while self._events and self._events[0][0] <= self.now:
            _, _, player, what = heapq.heappop(self._events)
            if isinstance(what, Letter):
                for letter, words in player.react(what, self.now):
                    self._answer(player, letter, words)
            elif what == 0:
                self._post(
                    player, message(f"sign up {player.name}", From=player.address, To=ADDRESS, Message_ID=self._id())
                )
                self._at(self.now + timedelta(days=1), player, 1)
            else:
                self.begin_day(player, what)

    def begin_day(self, player: Player, day: int) -> None:
        """Let somebody write what they write in the morning of a day."""
        for letter, words in player.wake(self.now, day):
            self._answer(player, letter, words)
        if day < SEASON_DAYS + 3:
            self._at(self.now + timedelta(days=1), player, day + 1)

    def hand_out(self, new: Sequence[tuple[str, bytes]]) -> None:
        """Lay new emails into the mailboxes of their recipients, who read each some time later."""
        by_address = {player.address: player for player in self.players}
        for recipient, raw in new:
            self.carried.append((self.now, recipient, raw))
            if recipient in by_address:
                player, letter = by_address[recipient], Letter(raw)
                player.arrive(letter)
                self._at(self.now + self.delay(letter), player, letter)
            elif recipient == STRANGERS[1] and Letter(raw).asks_for("decline"):
                self._write(recipient, Letter(raw), "decline")

    def delay(self, letter: Letter) -> timedelta:
        """Return how long somebody takes to answer a letter."""
        return timedelta(hours=self.random.choice((1, 2, 3, 8)))

    def _answer(self, player: Player, letter: Letter, words: str) -> None:
        self._post(player, self._reply(letter, words, _SIGNATURE.format(name=player.name)))

    def _write(self, address: str, letter: Letter, words: str) -> None:
        self._lay(address, self._reply(letter, words, ""))

    def _reply(self, letter: Letter, words: str, closing: str) -> bytes:
        self._count += 1
        kinds = KINDS if "\n" not in words else KINDS[:2]
        return write_reply(self.random.choice(kinds), letter.notice, words, self._count, closing)

    def _post(self, player: Player, raw: bytes) -> None:
        self._lay(player.address, raw)

    def _lay(self, address: str, raw: bytes) -> None:
        """Lay what somebody wrote into the mailbox of the service."""
        self.posted.append((self.now, address, raw))
        self.club.mailbox.put(raw)

    def _id(self) -> str:
        self._count += 1
        return f"<new-{self._count}@players.example>"


def make_season(club: Club, seed: int) -> Season:
    """Return a season that has not begun."""
    return Season(club, make_players(seed), Random(seed), club.clock.now())
