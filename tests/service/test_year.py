"""A year of 300 matches, in which all happens that can: the service keeps time as somebody would by hand."""

from collections import Counter
from datetime import datetime, timedelta
from heapq import heappop, heappush
from pathlib import Path
from random import Random

import pytest

from tests.support.year import World, make_world

pytestmark = pytest.mark.nightly("plays a year of three hundred matches")

MATCHES, PEOPLE, TEAMS = 300, 100, 30
BEGINNING = datetime.fromisoformat("2026-12-01T09:00Z")
YEAR = timedelta(days=365)
OUTAGE = datetime.fromisoformat("2027-05-11T17:20Z")
REFUSING = datetime.fromisoformat("2027-08-03T06:10Z")
ZONES = ("Europe/Lisbon", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia")
CONTROLS: tuple[dict[str, str], ...] = (
    {"days": "1"},
    {"days": "3"},
    {"days": "7"},
    {"days": "3", "weekends": "free"},
    {"days": "7", "flag": "remind-only"},
    {"bank": "6d+12h", "max": "8d"},
    {"bank": "10d+1d", "max": "12d", "weekends": "free", "flag": "forfeit"},
    {"days": "2", "flag": "forfeit"},
)
PACES = (0.1, 0.6, 0.9, 1.15)
"""How much of three days somebody takes for a move, as a rule; a few never answer."""
DAY = 1440


class Year:
    """A year: who does what when is drawn beforehand, or when something else has happened."""

    def __init__(self, world: World, random: Random) -> None:
        self.world, self.random = world, random
        self.acts: list[tuple[datetime, int, str, str, int]] = []
        self.drawn = self.followed = 0
        self.done: Counter[str] = Counter()
        self.names = [f"p{number}" for number in range(PEOPLE)]
        self.paces = {name: random.choice(PACES) for name in self.names}
        self.never = set(random.sample(self.names, 6))
        self.turns: dict[int, int] = {}

    def at(self, moment: datetime, act: str, person: str = "", match: int = 0) -> None:
        """Write down that something is to happen."""
        self.drawn += 1
        heappush(self.acts, (moment.replace(second=0, microsecond=0), self.drawn, act, person, match))

    async def open(self, team: bool) -> None:
        """Open a match of two, or of three."""
        people = self.random.sample(self.names, 3 if team else 2)
        control = {"days": "3", "flag": "partner"} if team else self.random.choice(CONTROLS)
        number = await self.world.open(people, game="zipline" if team else "pipline", **control)
        self.plan(number)

    def plan(self, number: int) -> None:
        """Let whoever is to act in a match do so some time, if they ever will."""
        game = self.world.ledger.games[number]
        person = game.holder()
        if game.over or person is None:
            return
        if self.random.random() < 0.9 and person not in self.never:
            minutes = int(3 * DAY * self.paces[person] * self.random.uniform(0.3, 1.9))
            self.at(self.world.now + timedelta(minutes=minutes), "move", person, number)
        roll = self.random.random()
        waiting = [other for other in game.people if other != person]
        for share, act, who in (
            (0.03, "give", self.random.choice(waiting)),
            (0.05, "pause", person),
            (0.08, "bounce", person),
            (0.11, "claim", self.random.choice(waiting)),
            (0.13, "vacation", person),
            (0.15, "back", person),
        ):
            if roll < share:
                self.at(self.world.now + timedelta(minutes=self.random.randint(30, 6 * DAY)), act, who, number)
                return

    async def live(self) -> None:
        """Let the year pass."""
        for person in self.names:
            for act in ("zone", "quiet", "remind", "auto", "emergency", "vacation", "mute", "resume", "zone"):
                if self.random.random() < 0.35:
                    self.at(self.world.now + self.random.random() * YEAR, act, person)
        for number in range(MATCHES):
            self.at(self.world.now + self.random.random() * 0.85 * YEAR, "team" if number < TEAMS else "open")
        for moment, act in ((OUTAGE, "outage"), (REFUSING, "refusing"), (REFUSING + timedelta(days=1), "taking")):
            self.at(moment, act)
        for hours in (1, 9, 23):
            self.at(REFUSING + timedelta(hours=hours), "restart")
        for person in self.names[1::9]:
            self.at(self.world.now + self.random.random() * YEAR, "full", person)
        self.at(REFUSING - timedelta(days=2), "full", self.names[0])
        end = self.world.now + YEAR
        while self.acts and self.acts[0][0] < end:
            moment, _, act, person, number = heappop(self.acts)
            await self.world.run_until(max(moment, self.world.now))
            await self.act(act, person, number)
            await self.world.look()
            self.plan_claims()
        await self.world.run_until(end)

    def plan_claims(self) -> None:
        """Let most of those who wait for somebody whose time is up make an end of it some day."""
        events = self.world.ledger.events
        for kind, number, seat, _ in events[self.followed :]:
            if kind == "flagged" and seat is not None and self.random.random() < 0.6:
                people = self.world.ledger.games[number].people
                later = timedelta(minutes=self.random.randint(30, 6 * DAY))
                self.at(
                    self.world.now + later, "claim", self.random.choice([*people[:seat], *people[seat + 1 :]]), number
                )
        self.followed = len(events)

    async def act(self, act: str, person: str, number: int) -> None:
        """Do one thing, if it makes sense by now."""
        world, random, ledger = self.world, self.random, self.world.ledger
        if act in ("open", "team"):
            await self.open(act == "team")
        elif act == "outage":
            world.stand_still(timedelta(days=3, hours=2, minutes=7))
        elif act in ("refusing", "taking"):
            world.postman.down = act == "refusing"
        elif act == "restart":
            world.restart()
        elif act == "full":
            world.postman.full.add(f"{person}@x.example")
            self.at(world.now + timedelta(days=random.randint(1, 9)), "emptied", person)
        elif act == "emptied":
            world.postman.full.discard(f"{person}@x.example")
        else:
            number = number or next((game.number for game in ledger._games_of(person)), 0)
            if not number or ledger.games[number].over:
                return
            self.write(act, person, number, random)
        self.done[act] += 1

    def write(self, act: str, person: str, number: int, random: Random) -> None:
        """Let somebody write in a match."""
        world, game = self.world, self.world.ledger.games[number]
        match act:
            case "move":
                if game.holder() == person:
                    position = world.club.match(number).position
                    world.move(person, number, str(position.any_move(random.randrange)))
                    self.plan(number)
            case "give":
                world.give(person, number, random.choice((5, 24, 72)))
            case "claim":
                world.claim(person, number)
            case "pause":
                days = random.randint(2, 12)
                for one in game.people:
                    world.pause(one, number, days)
            case "bounce":
                back = [mail for mail in world.mails[-400:] if mail.person == person and mail.match == number]
                recent = [mail for mail in back if mail.sender and world.now - mail.at < timedelta(days=13)]
                if recent and recent[-1].sender not in world.returned:
                    world.bounce(recent[-1])
            case "vacation":
                world.vacation(person, number, random.randint(0, 5), random.randint(1, 12))
            case "zone":
                world.zone(person, number, random.choice(ZONES))
            case "quiet":
                world.quiet(person, number, *random.choice(((22, 7), (23, 9), (1, 20))))
            case "remind":
                world.remind(person, number, *random.choice(((72, 30, 5), (20,), (47, 46, 1), ())))
            case "auto":
                world.automatic(person, number, on=False)
            case "mute":
                world.mute(person, number)
                self.at(world.now + timedelta(days=random.randint(2, 20)), "resume", person)
            case "resume":
                world.resume(person, number)
            case "emergency":
                world.emergency(person, number)
            case "back":
                world.back(person, number)


async def test_a_year_of_300_matches_is_kept_as_by_hand(blank_database: Path, tmp_path: Path) -> None:
    """No reminder twice, none missing, no flag early or late, and time given back exactly: see ``World.compare``."""
    world = make_world(tmp_path, blank_database, allowance=8, start=BEGINNING)
    year = Year(world, Random(20261123))
    world.people(*year.names, second=year.names[::7])
    try:
        await year.live()
    finally:
        world.rows.close()
        world.club.service.database.close()
    ledger = world.ledger
    happened = Counter(kind for kind, *_ in ledger.events)
    assert len(ledger.games) == MATCHES
    assert len(ledger.reminders) > MATCHES
    assert {"flagged", "automatic_day", "voided", "paused", "bounced"} <= set(happened)
    assert year.done["full"] > 9
    first, second = (end - start for start, end in ledger.outages)
    assert timedelta(days=3, hours=2, minutes=7) <= first <= timedelta(days=3, hours=3)
    assert timedelta(hours=20) <= second <= timedelta(days=1, minutes=16)  # from the first email that was due
