"""The time of matches kept by hand, as somebody would with pencil and calendar, from nothing but what is told.

It shares no line with `pbem.match` and `pbem.pipeline`, and knows neither rows of a database nor schedules. Time goes
in pieces: between two edges (of an absence, a pause, an outage, a weekend) either all of it counts or nothing does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from itertools import islice
from typing import TypeVar
from zoneinfo import ZoneInfo

Span = tuple[datetime, datetime]
_T = TypeVar("_T")

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
QUARTER = timedelta(minutes=15)  # no zone changes its clocks, or begins a day, at another minute
SATURDAY = 5
_WEEKENDS_AHEAD = 40  # more than any time for a move goes on for
FIRST, LAST = datetime(2026, 1, 1, tzinfo=UTC), datetime(2029, 1, 1, tzinfo=UTC)


@cache
def weekends(zone: str) -> tuple[Span, ...]:
    """Return all that a clock on the wall of ``zone`` calls Saturday or Sunday, quarter by quarter."""
    found: list[Span] = []
    wall, moment = ZoneInfo(zone or "UTC"), FIRST
    while moment < LAST:
        if moment.astimezone(wall).weekday() >= SATURDAY:
            start = found.pop()[0] if found and found[-1][1] == moment else moment
            found.append((start, moment + QUARTER))
            moment += QUARTER
        else:
            # A day and a half before Saturday at the earliest, all hours are of working days.
            moment += DAY if moment.astimezone(wall).weekday() < SATURDAY - 2 else QUARTER
    return tuple(found)


@dataclass
class Person:
    """A player, and all that they have asked for; ``away`` are absences as they were asked for, with their kinds."""

    zone: str = ""
    away: list[tuple[datetime, datetime, str]] = field(default_factory=list)
    steps: Sequence[int] | None = None
    quiet: tuple[int, int] | None = None
    automatic: bool = True
    muted: bool = False
    second_address: bool = False

    def away_until(self, moment: datetime) -> datetime | None:
        """Return when the absence at ``moment`` ends, where it is one; the next that begins by then is another."""
        return max((end for start, end, _ in self.away if start <= moment < end), default=None)

    def wall(self, moment: datetime) -> datetime:
        """Return what the clock on their wall shows."""
        return moment.astimezone(ZoneInfo(self.zone or "UTC"))

    def midnight(self, day: date) -> datetime:
        """Return when a day begins by their clock."""
        return datetime.combine(day, time(), ZoneInfo(self.zone or "UTC")).astimezone(UTC)

    def days_used(self, now: datetime) -> int:
        """Return how many days of the allowance of this year are gone: whole ones for every absence in one piece."""
        year = self.wall(now).year
        first = datetime(year, 1, 1, tzinfo=ZoneInfo(self.zone or "UTC")).astimezone(UTC)
        last = datetime(year + 1, 1, 1, tzinfo=ZoneInfo(self.zone or "UTC")).astimezone(UTC)
        pieces: list[Span] = []
        for start, end in sorted((start, end) for start, end, kind in self.away if kind != "emergency"):
            if pieces and start <= pieces[-1][1]:
                pieces[-1] = pieces[-1][0], max(end, pieces[-1][1])
            else:
                pieces.append((start, end))
        used = 0
        for start, end in pieces:
            start, end = max(start, first), min(end, last)
            shown = self.wall(end).replace(tzinfo=None) - self.wall(start).replace(tzinfo=None)
            length = min(end - start, shown)  # an hour more by daylight saving is nobody's day
            while length > timedelta():
                used, length = used + 1, length - DAY
        return used

    def awake_from(self, moment: datetime) -> datetime:
        """Return the first moment from then on at which the clock on their wall shows no quiet hour."""
        if self.quiet is None:
            return moment
        quiet, hour = set[int](), self.quiet[0]
        while hour != self.quiet[1]:
            quiet.add(hour)
            hour = (hour + 1) % 24
        while self.wall(moment).hour in quiet:
            moment += timedelta(minutes=1)
            moment = moment.replace(second=0, microsecond=0)
        return moment


@dataclass
class Game:
    """A match: its time control in seconds, whom it is waiting for, and what everybody has left."""

    number: int
    start: int
    increment: int
    cap: int
    weekends_free: bool
    policy: str
    people: list[str]
    sides: list[frozenset[int]]
    banks: list[int] = field(default_factory=list)
    turn: int | None = None
    begun: datetime | None = None
    runs_from: datetime | None = None
    stopped: str = ""
    stopped_at: datetime | None = None
    tried_second: bool = False
    told_bounce: bool = False
    flagged_at: datetime | None = None
    asked_at: datetime | None = None
    reminded: int | None = None
    pauses: list[Span] = field(default_factory=list)
    proposal: tuple[datetime, set[int]] | None = None
    moves: int = 0
    over: bool = False

    def steps_by_pace(self) -> tuple[int, ...]:
        """Return when somebody is reminded who has chosen nothing: see the promise in the manual."""
        hours = self.cap // 3600
        if hours >= 120:
            return 48 * 3600, 12 * 3600
        if hours >= 48:
            return 24 * 3600, 6 * 3600
        return (max(3600, self.cap // 4),) if hours >= 2 else ()

    def holder(self) -> str | None:
        """Return the name of the person whose turn it is."""
        return None if self.turn is None else self.people[self.turn]

    def side(self) -> frozenset[int]:
        """Return the seats that share the time of the turn."""
        assert self.turn is not None
        return self.sides[self.turn]

    def set_bank(self, seconds: int) -> None:
        """Write down what the side has whose turn it is."""
        for seat in self.side():
            self.banks[seat] = seconds


Event = tuple[str, int, int | None, datetime]
"""What happened, in which match, to which seat, and when."""


@dataclass
class Ledger:
    """All matches and people; ``events`` and ``reminders`` are what is to have happened by now.

    A reminder is the person, the moment, and the matches it is about.
    """

    allowance: int
    people: dict[str, Person] = field(default_factory=dict)
    games: dict[int, Game] = field(default_factory=dict)
    outages: list[Span] = field(default_factory=list)
    beats: dict[str, datetime] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    reminders: list[tuple[str, datetime, frozenset[int]]] = field(default_factory=list)
    _due: dict[int, datetime | None] = field(default_factory=dict)
    _calls: dict[int, datetime | None] = field(default_factory=dict)

    # What counts.

    def _free(self, game: Game) -> list[Span]:
        """Return all spans that do not count for whoever is to act."""
        person = self.people[str(game.holder())]
        spans = [(start, end) for start, end, _ in person.away] + game.pauses + self.outages
        assert game.runs_from is not None
        if game.weekends_free:
            ahead = (span for span in weekends(person.zone) if span[1] > _some(game.runs_from))
            spans += islice(ahead, _WEEKENDS_AHEAD)
        return [span for span in spans if span[1] > game.runs_from]

    def _pieces(self, game: Game) -> Iterator[tuple[datetime, datetime, bool]]:
        """Yield from when to when, and whether it counts: from where the clock began to run, without an end."""
        spans = self._free(game)
        assert game.runs_from is not None
        edges = sorted({edge for span in spans for edge in span if edge > game.runs_from} | {LAST})
        start = game.runs_from
        for edge in edges:
            yield start, edge, not any(first <= start < last for first, last in spans)
            start = edge

    def left(self, game: Game, at: datetime) -> int:
        """Return the seconds that whoever is to act has left."""
        assert game.turn is not None
        left = game.banks[game.turn]
        if game.runs_from is None or at <= game.runs_from:
            return left
        for start, end, counts in self._pieces(game):
            if start >= at:
                break
            if counts:
                left -= int((min(end, at) - start).total_seconds())
        return max(0, left)

    def sinks_to(self, game: Game, seconds: int) -> datetime:
        """Return when no more than so many seconds are left; with nothing left at all, as soon as time counts."""
        assert game.turn is not None
        assert game.runs_from is not None
        above = game.banks[game.turn] - seconds
        for start, end, counts in self._pieces(game):
            if counts:
                length = int((end - start).total_seconds())
                if above <= length:
                    return start + timedelta(seconds=above)
                above -= length
        return LAST

    # What is told.

    def opened(self, game: Game, turn: int | None, at: datetime) -> None:
        """A match was opened."""
        game.banks = [game.start] * len(game.people)
        self.games[game.number] = game
        self._begin_turn(game, turn, at)

    def _begin_turn(self, game: Game, turn: int | None, at: datetime) -> None:
        """Whoever is to act now waits for their email; without email their time begins at once."""
        game.turn, game.begun, game.reminded = turn, at, None
        game.tried_second = game.told_bounce = False
        game.flagged_at = game.asked_at = game.stopped_at = None
        game.runs_from, game.stopped = None, "unsent"
        if turn is not None:
            most = max(game.banks[seat] for seat in game.side())
            game.set_bank(2 * game.start if game.moves == 0 else most)
            if self.people[game.people[turn]].muted:
                game.runs_from, game.stopped = at, ""
        self._forget(game)

    def moved(
        self, number: int, seat: int, turn: int | None, sides: list[frozenset[int]], at: datetime, *, over: bool
    ) -> None:
        """The player at ``seat`` made a move; next it is the ``turn`` of another, or the match is over."""
        game = self.games[number]
        assert seat == game.turn
        left = self.left(game, at)
        if game.moves == 0:
            left = min(left, game.start)
        game.set_bank(max(left, min(game.cap, left + game.increment)))
        game.moves += 1
        game.sides, game.over = sides, over
        if over:
            game.proposal = None
        self._begin_turn(game, turn, at)

    def partner_goes_on(self, number: int, turn: int | None, sides: list[frozenset[int]], at: datetime) -> None:
        """Somebody whose time was over has left; their side has as much as at the start."""
        game = self.games[number]
        game.set_bank(game.start)
        game.sides = sides
        self._begin_turn(game, turn, at)

    def ended(self, number: int) -> None:
        """A match ended without a move: by a claim, or a resignation."""
        self.games[number].over = True
        self._forget(self.games[number])

    def sent(self, number: int, person: str, written: datetime, at: datetime) -> None:
        """The mail server took an email about a match."""
        game = self.games[number]
        if not game.over and game.holder() == person and game.stopped == "unsent" and written >= _some(game.begun):
            game.runs_from, game.stopped = at, ""
            self._forget(game)

    def came_back(self, number: int, person: str, written: datetime, at: datetime) -> None:
        """An email about a match came back, or was refused: the time since it was written is given back."""
        game = self.games[number]
        if game.over or game.holder() != person or game.stopped not in ("", "unsent"):
            return
        if written >= _some(game.begun) and game.told_bounce:
            if game.stopped == "unsent":  # they have written since, and know whose turn it is
                game.runs_from, game.stopped = at, ""
                self._forget(game)
        elif written >= _some(game.begun):
            game.set_bank(self.left(game, written))
            game.runs_from, game.stopped, game.stopped_at = None, "bounced", at
            self._forget(game)

    def wrote(self, person: str, at: datetime) -> None:
        """A player whose email came back wrote: there is to be another notice in all matches that stopped."""
        for game in self._games_of(person):
            if game.stopped == "bounced":
                game.stopped, game.stopped_at, game.begun = "unsent", None, at
                game.tried_second = False
                if self.people[person].muted:
                    game.stopped, game.runs_from = "", at
                self._forget(game)

    def beat(self, name: str, at: datetime) -> None:
        """The service received, or sent."""
        self._note_gaps(at, name)
        self.beats[name] = at

    def beat_due(self, name: str, at: datetime) -> bool:
        """Return whether another beat is written down: once a minute is enough."""
        return name not in self.beats or at - self.beats[name] >= timedelta(minutes=1)

    def looked_at(self, at: datetime) -> None:
        """The service looks at something: before, it notes that it stood still."""
        self._note_gaps(at)

    def _note_gaps(self, at: datetime, *names: str) -> None:
        """Write down a gap of more than an hour since something last worked; it may still go on."""
        for name in names or tuple(self.beats):
            last = self.beats.get(name, at)
            if at - last > HOUR:
                self.outages = [span for span in self.outages if span[0] != last] + [(last, at)]
                for game in self.games.values():
                    self._forget(game)

    def gave(self, number: int, seconds: int, at: datetime) -> None:
        """Somebody who waits gave time."""
        game = self.games[number]
        self._settle(game, at)
        game.set_bank(game.banks[_some(game.turn)] + seconds)
        game.reminded = game.flagged_at = None
        if game.stopped == "flagged":
            game.stopped, game.stopped_at = "unsent", None
        self._forget(game)

    def _settle(self, game: Game, at: datetime) -> None:
        """Take what was used off the bank; what begins later begins then."""
        if game.runs_from is not None and game.turn is not None:
            game.set_bank(self.left(game, at))
            game.runs_from = max(at, game.runs_from)
            self._forget(game)

    def asked_for_pause(self, number: int, seat: int, until: datetime, at: datetime, everybody: set[int]) -> None:
        """Somebody asked for a pause, or agreed to one that ends about then."""
        game = self.games[number]
        known = game.proposal
        if known and known[0] > at and abs(known[0] - until) <= 2 * DAY:
            until, agreed = known[0], known[1] | {seat}
        else:
            agreed = {seat}
        game.proposal = until, agreed
        if agreed >= everybody:
            self._settle(game, at)
            game.pauses = [(at, until)]
            game.proposal = None
            self.events.append(("paused", number, seat, at))
            self._forget(game)

    def away(self, person: str, start: datetime, end: datetime, kind: str = "vacation") -> None:
        """Somebody is to be away."""
        self.people[person].away.append((start, end, kind))
        self._forget_all(person)

    def back(self, person: str, at: datetime) -> None:
        """Somebody is back: what runs ends, what is to come does not."""
        one = self.people[person]
        one.away = [(start, min(end, at), kind) for start, end, kind in one.away if start < at]
        self._forget_all(person)

    def moves_to(self, person: str, zone: str, at: datetime) -> None:
        """Somebody lives by another clock from now on; what they used before stays used."""
        if zone != self.people[person].zone:
            for game in self._games_of(person):
                self._settle(game, at)
        self.people[person].zone = zone
        self._forget_all(person)

    def chose(self, person: str, at: datetime, **choices: object) -> None:
        """Somebody chose reminders, quiet hours, whether days of vacation are taken by themselves, or no email."""
        one = self.people[person]
        for name, value in choices.items():
            setattr(one, name, value)
        if one.muted:
            for game in self._games_of(person):
                if game.stopped == "unsent":
                    game.runs_from, game.stopped = at, ""
        self._forget_all(person)

    # What follows.

    def next_moment(self) -> datetime | None:
        """Return when something is to happen next by itself."""
        for number, game in self.games.items():
            if number not in self._due:
                self._due[number] = self._when_over(game)
            if number not in self._calls:
                self._calls[number] = self._when_reminded(game)
        return min((at for at in (*self._due.values(), *self._calls.values()) if at), default=None)

    def passed(self, now: datetime, read_until: datetime) -> None:
        """The service looked at everything that is due by now; all email that came in by ``read_until`` was read."""
        self._note_gaps(now)
        self.next_moment()
        for name in sorted({str(self.games[key].holder()) for key, at in self._calls.items() if at and at <= now}):
            self._remind(name, now)
        while True:
            self.next_moment()
            late = [(at, key) for key, at in self._due.items() if at and at <= now and at <= read_until]
            if not late:
                return
            at, key = min(late)
            self._end_time(self.games[key], at, now)
            self._forget(self.games[key])

    def _when_over(self, game: Game) -> datetime | None:
        """Return when a match is to be looked at: the time is over, or the others are asked once more."""
        if game.over or game.turn is None or game.stopped == "unsent":
            return None
        if game.stopped == "bounced":
            return game.stopped_at if not game.told_bounce else _some(game.stopped_at) + 14 * DAY
        if game.stopped == "flagged":
            again = _some(game.stopped_at) + 7 * DAY
            while again <= _some(game.asked_at):
                again += 7 * DAY
            return again if again < _some(game.flagged_at) + 60 * DAY else None
        return self.sinks_to(game, 0)

    def _end_time(self, game: Game, at: datetime, now: datetime) -> None:
        """Nothing is left, or a stopped clock is to be looked at."""
        seat, person = _some(game.turn), self.people[str(game.holder())]
        if game.stopped == "flagged":
            game.asked_at = now
            self.events.append(("flagged", game.number, seat, now))
        elif game.stopped == "bounced" and now < _some(game.stopped_at) + 14 * DAY:
            self._handle_bounce(game, seat, person, now)
        elif until := person.away_until(at):
            game.set_bank(0)
            game.runs_from = until
        elif game.moves == 0:
            game.over = True
            self.events.append(("voided", game.number, None, now))
        elif (
            game.stopped != "bounced"
            and game.policy != "remind-only"
            and person.automatic
            and person.days_used(now) < self.allowance
        ):
            start = at if now - at < HOUR else now
            person.away.append((start, start + DAY, "automatic"))
            game.set_bank(0)
            game.runs_from = start + DAY
            self.events.append(("automatic_day", game.number, seat, now))
            self._forget_all(str(game.holder()))
        else:
            self._flag(game, seat, at, now)

    def _handle_bounce(self, game: Game, seat: int, person: Person, now: datetime) -> None:
        """Another address is tried once in a turn; then the others are told."""
        if person.second_address and not game.tried_second:
            game.tried_second, game.stopped, game.stopped_at = True, "unsent", None
        else:
            game.told_bounce = True
        self.events.append(("bounced", game.number, seat, now))

    def _flag(self, game: Game, seat: int, at: datetime, now: datetime) -> None:
        """Time is up."""
        self.events.append(("flagged", game.number, seat, now))
        if game.policy == "forfeit":
            game.over = True
        elif game.policy == "partner" and len(game.side()) > 1:
            game.stopped = "unsent"  # until it is told who plays on
            game.runs_from = None
        else:
            game.set_bank(0)
            game.runs_from, game.stopped, game.stopped_at = None, "flagged", now
            game.flagged_at, game.asked_at, game.reminded = at, now, None

    def _pending(self, game: Game) -> tuple[datetime, int] | None:
        """Return when whoever is to act is reminded next, and of how much."""
        if game.over or game.turn is None or game.stopped or game.runs_from is None:
            return None
        person, bank = self.people[str(game.holder())], game.banks[game.turn]
        steps = game.steps_by_pace() if person.steps is None else person.steps
        ahead = [step for step in steps if step < bank and (game.reminded is None or step < game.reminded)]
        if person.muted or not ahead:
            return None
        moment, over = self.sinks_to(game, max(ahead)), self.sinks_to(game, 0)
        awake = person.awake_from(moment)
        return (moment if awake > moment and awake >= over else awake), max(ahead)

    def _when_reminded(self, game: Game) -> datetime | None:
        """Return when a reminder is due."""
        pending = self._pending(game)
        return pending[0] if pending else None

    def _remind(self, name: str, now: datetime) -> None:
        """One email about everything that is due now, or within the hour."""
        told = set[int]()
        for game in self._games_of(name):
            pending = self._pending(game)
            if pending and pending[0] <= now + HOUR and self.sinks_to(game, 0) > now:
                game.reminded = min(pending[1], self.left(game, now))
                told.add(game.number)
                self._forget(game)
        if told:
            self.reminders.append((name, now, frozenset(told)))

    def _games_of(self, person: str) -> list[Game]:
        """Return the matches in which it is somebody's turn."""
        return [game for game in self.games.values() if not game.over and game.holder() == person]

    def _forget(self, game: Game) -> None:
        """What was reckoned for a match has to be reckoned anew."""
        self._due.pop(game.number, None)
        self._calls.pop(game.number, None)
        if game.over:
            self._due[game.number] = self._calls[game.number] = None

    def _forget_all(self, person: str) -> None:
        """The same for all matches in which it is somebody's turn."""
        for game in self._games_of(person):
            self._forget(game)


def _some(value: _T | None) -> _T:
    """Return what is there."""
    assert value is not None
    return value
