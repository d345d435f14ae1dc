"""A ladder: who stands where follows from what happened in it, and from how its matches ended. Pure.

Whoever enters stands last. Who wins against somebody above takes their place, and all in between move down by one. A
ladder of few people has robots in it, which never challenge; they stay in its order when they are shown no more.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Literal

from pbem.clubs.contest import ContestEvent
from pbem.reading.reason import Reason, because

REACH = 3
"""So many places up somebody can be challenged."""

ENOUGH = 6
"""With so many people a ladder needs no robots."""

QUIET = timedelta(days=91)
"""Who finishes no match of a ladder for so long sinks to its end."""

FOUR_WEEKS = timedelta(days=28)
"""So long a challenge keeps both of its players from another one each way."""

RIGHT_OF_WAY = timedelta(days=7)
"""So long after a challenge those go first who haven't challenged the same player for longer.

Else friends who take turns at challenging somebody would keep all others from it.
"""

MOST_CHALLENGES = 3
"""Challenges of one player in a ladder, and to one player, in a day."""

_DAY = timedelta(days=1)

OPERATORS = ("removed", "paused")
"""What the operator decides, and can take back."""

LadderEventKind = Literal["opened", "entered", "left", "challenged", "taken", "ended", "sank", "removed", "paused"]
"""What happens in a ladder, beside results: ``taken``, a place that nobody defended; ``ended``, a challenge that came
to nothing; ``removed``, by the operator.
"""


@dataclass(frozen=True, slots=True)
class Rung:
    """Who stands at a place of a ladder: a player, or a robot of a strength, which is 0 for a person."""

    player: int | None = None
    robot: int = 0


@dataclass(frozen=True, slots=True)
class LadderMatch:
    """What has become of the challenge of an event: no match so far, or one, and how it stands.

    ``wins``: it gives the place to whoever challenged. A ``paused`` match doesn't count against any limit.
    """

    event: int
    match: int | None = None
    over_at: datetime | None = None
    wins: bool = False
    paused: bool = False
    until: datetime | None = None
    """By then the challenge has to be answered."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge of ``player`` to whoever stands at ``rung``, until it is declined, played or called off."""

    event: int
    at: datetime
    player: int
    rung: Rung
    ended_at: datetime | None = None
    match: int | None = None
    paused: bool = False
    until: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Whether it has come to no end so far."""
        return self.ended_at is None

    @property
    def bound_until(self) -> datetime:
        """Until when nobody of the two can have another one, unless its match is paused."""
        longest = self.at + FOUR_WEEKS
        return min(self.ended_at or longest, longest)

    def binds(self, now: datetime) -> bool:
        """Return whether nobody of the two can have another one just now."""
        return self.is_open and not self.paused and self.bound_until > now


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A place as a ladder shows it, with the challenge to whoever stands there, if there is one, and the one by them.

    ``moved`` are the places won since a moment, or lost (below 0); None for who was not in the ladder then.
    """

    place: int
    rung: Rung
    defends: Challenge | None = None
    attacks: Challenge | None = None
    moved: int | None = 0


@dataclass(frozen=True)
class Ladder:
    """A ladder at a moment: who stands where, first to last, robots among them, and the challenges so far.

    ``active`` says when people last did what keeps them from sinking; others ``sank``, or ``left``. Whom the operator
    has ``removed`` can't enter again.
    """

    order: tuple[Rung, ...] = ()
    challenges: Mapping[int, Challenge] = field(default_factory=lambda: MappingProxyType({}))
    active: Mapping[int, datetime] = field(default_factory=lambda: MappingProxyType({}))
    sank: Mapping[int, datetime] = field(default_factory=lambda: MappingProxyType({}))
    left: Mapping[int, datetime] = field(default_factory=lambda: MappingProxyType({}))
    removed: frozenset[int] = frozenset()
    is_paused: bool = False

    @property
    def people(self) -> tuple[int, ...]:
        """The players in it, first to last."""
        return tuple(rung.player for rung in self.order if rung.player is not None)

    @property
    def shown(self) -> tuple[Rung, ...]:
        """Who stands in it, first to last: no robots where there are people enough."""
        enough = len(self.people) >= ENOUGH
        return tuple(rung for rung in self.order if not (enough and rung.robot))

    def place_of(self, player: int) -> int | None:
        """Return the place of a player, from 1; None for who is not in it."""
        return self.shown.index(Rung(player)) + 1 if Rung(player) in self.shown else None

    def attacks_by(self, player: int) -> list[Challenge]:
        """Return the challenges of a player, in their order, whatever became of them."""
        return [one for one in self.challenges.values() if one.player == player]

    def attacks_on(self, rung: Rung) -> list[Challenge]:
        """Return the challenges to somebody, in their order, whatever became of them."""
        return [one for one in self.challenges.values() if one.rung == rung]

    def idle_since(self, player: int) -> datetime | None:
        """Return since when a player has done nothing in a ladder, and somebody below has; None for whoever may stay.

        Whoever plays stays, or may do so soon. Where nobody plays, all do.
        """
        below = self.people[self.people.index(player) + 1 :]
        busy = {one for each in self.challenges.values() if each.is_open for one in (each.player, each.rung.player)}
        since = max(self.active[player], self.sank.get(player, self.active[player]))
        return since if player not in busy and any(one in busy or self.active[one] >= since for one in below) else None


def fold_ladder(events: Sequence[ContestEvent], matches: Iterable[LadderMatch]) -> Ladder:
    """Return how a ladder stands after events, in their order, and what has become of its matches.

    What was taken back counts as if it had not happened; so does what follows from it.
    """
    counted = [event for event in events if event.undone_at is None]
    begun = {event.id: event.at for event in counted}
    known = {one.event: one for one in matches if one.event in begun}
    moments: list[tuple[datetime, int, ContestEvent | LadderMatch]] = [(event.at, event.id, event) for event in counted]
    moments += [(max(one.over_at, begun[one.event]), one.event, one) for one in known.values() if one.over_at]
    # At one moment a result comes behind the challenge that it belongs to.
    moments.sort(key=lambda moment: (moment[0], moment[1], isinstance(moment[2], LadderMatch)))
    course = _Course()
    for at, _, what in moments:
        if isinstance(what, ContestEvent):
            course.follow(what, known.get(what.id))
        else:
            course.decide(what, at)
    return course.ladder()


def list_reachable(ladder: Ladder, player: int, absent: Collection[int]) -> tuple[Rung, ...]:
    """Return whom a player can reach: the nearest three above them, without those who are ``absent``."""
    place = ladder.place_of(player)
    above = [rung for rung in ladder.shown[: place - 1] if rung.player not in absent] if place else []
    return tuple(above[-REACH:])


def why_no_challenge(ladder: Ladder, player: int, rung: Rung, absent: Collection[int], now: datetime) -> Reason | None:
    """Return why a player can't challenge somebody in a ladder now; None if they can.

    ``absent`` are those who can't be challenged, for whatever reason: it is nobody else's business.
    """
    place = ladder.place_of(player)
    assert place  # in this ladder they were found
    reachable = list_reachable(ladder, player, absent)
    if ladder.is_paused:
        return because("ladder_paused")
    if rung not in ladder.shown[: place - 1]:
        return because("challenge_below")
    own, against = ladder.attacks_by(player), ladder.attacks_on(rung)
    if any(one.binds(now) for one in own):
        return because("challenge_running")
    if sum(one.at > now - _DAY for one in own) >= MOST_CHALLENGES:
        return because("challenge_often", most=MOST_CHALLENGES)
    if rung.player in absent:
        return because("challenge_absent")
    if rung not in reachable:
        return because("challenge_too_high", most=REACH)
    is_taken = any(one.binds(now) for one in against) or sum(one.at > now - _DAY for one in against) >= MOST_CHALLENGES
    if rung.player is not None and is_taken:
        return because("challenge_taken")
    free = max((one.bound_until for one in against), default=now) + RIGHT_OF_WAY
    if rung.player is not None and free > now and _find_waiting(ladder, player, rung) - {*absent}:
        return because("challenge_waits", until=free.isoformat())
    return None


def _find_waiting(ladder: Ladder, player: int, rung: Rung) -> set[int]:
    """Return who could challenge somebody, too, and hasn't for longer than a player who has."""
    last = {one.player: one.at for one in ladder.attacks_on(rung)}
    below = ladder.shown[ladder.shown.index(rung) + 1 :][:REACH]
    others = {one.player for one in below if one.player is not None} if player in last else set[int]()
    return {one for one in others if one not in last or last[one] < last[player]}


def show_ladder(ladder: Ladder, hidden: Collection[int], before: Ladder | None = None) -> list[LadderRow]:
    """Return the rows of a ladder, first to last; ``before``: with the places won or lost since then.

    ``hidden`` are the numbers of private matches: nobody is shown a challenge that is played in one.
    """
    then = {rung: place for place, rung in enumerate(before.shown)} if before else {}
    shown = [one for one in ladder.challenges.values() if one.is_open and one.match not in hidden]
    attacks, defended = {one.player: one for one in shown}, {one.rung: one for one in shown}
    return [
        LadderRow(
            place + 1,
            rung,
            defended.get(rung),
            attacks.get(rung.player) if rung.player is not None else None,
            0 if before is None else then[rung] - place if rung in then else None,
        )
        for place, rung in enumerate(ladder.shown)
    ]


class _Course:
    """A ladder while it is folded, changed in place: a copy at each step would cost more with each challenge before.

    Its ``order`` has players by their numbers, and robots by their strengths below 0. ``still`` are open challenges.
    """

    def __init__(self) -> None:
        self.order: list[int] = []
        self.challenges: dict[int, Challenge] = {}
        self.still: set[int] = set()
        self.active: dict[int, datetime] = {}
        self.sank: dict[int, datetime] = {}
        self.left: dict[int, datetime] = {}
        self.removed: set[int] = set()
        self.is_paused = False

    def ladder(self) -> Ladder:
        """Return the ladder as it stands now."""
        return Ladder(
            tuple(Rung(one) if one > 0 else Rung(robot=-one) for one in self.order),
            self.challenges,
            self.active,
            self.sank,
            self.left,
            frozenset(self.removed),
            self.is_paused,
        )

    def follow(self, event: ContestEvent, match: LadderMatch | None) -> None:
        """Let an event happen; ``match`` is what has become of the challenge that it is."""
        player, told = event.player, event.arguments
        match event.kind:
            case "opened":
                self.order += [-strength for strength in told.get("robots", ())]
            case "paused":
                self.is_paused = True
            case "ended":
                self._end(told.get("challenge", 0), event.at)
        if player is None:
            return
        match event.kind:
            case "entered" if player not in self.order and player not in self.removed:
                self.order.append(player)
                self.active[player] = event.at
            case "left" if player in self.order:
                self._leave(player, event.at)
            case "removed":
                self._leave(player, event.at)
                self.removed.add(player)
            case "sank" if player in self.order:
                self.order.remove(player)
                self.order.append(player)
                self.sank[player] = event.at
            case "challenged" if player in self.order:
                self._challenge(event, player, match)
            case "taken" if one := self.challenges.get(told.get("challenge", 0)):
                self._take(one)
                self.active[player] = event.at
                self._end(one.event, event.at)

    def decide(self, match: LadderMatch, at: datetime) -> None:
        """Let a match end."""
        if match.event not in self.still:
            return
        one = self.challenges[match.event]
        people = [player for player in (one.player, one.rung.player) if player in self.order]
        if match.wins:
            self._take(one)
        self.active |= dict.fromkeys(people, at)
        self._end(one.event, at)

    def _end(self, challenge: int, at: datetime) -> None:
        """Let a challenge end, if it is open."""
        if challenge in self.still:
            self.still.remove(challenge)
            self.challenges[challenge] = replace(self.challenges[challenge], ended_at=at)

    def _challenge(self, event: ContestEvent, player: int, match: LadderMatch | None) -> None:
        """Add a challenge, as it stands now; to oneself, who was somebody else then, there is none.

        Whether it stands now, or stood then, makes no difference before its end, which closes it.
        """
        rung = Rung(event.other, 0 if event.other is not None else event.arguments.get("robot", 0))
        if rung.player == player or _key(rung) not in self.order:
            return
        now = match or LadderMatch(event.id)
        paused = now.paused and not now.over_at
        self.challenges[event.id] = Challenge(event.id, event.at, player, rung, None, now.match, paused, now.until)
        self.still.add(event.id)

    def _take(self, one: Challenge) -> None:
        """Let whoever challenged stand where the other stands, if they stand below."""
        own, other = one.player, _key(one.rung)
        if own not in self.order or other not in self.order:
            return
        below, above = self.order.index(own), self.order.index(other)
        if below > above:
            self.order.insert(above, self.order.pop(below))

    def _leave(self, player: int, at: datetime) -> None:
        """Let a player leave: nobody wins or loses a place by a challenge of theirs any more."""
        for one in [self.challenges[number] for number in self.still]:
            if player in (one.player, one.rung.player):
                self._end(one.event, at)
        self.order = [one for one in self.order if one != player]
        self.left[player] = at


def _key(rung: Rung) -> int:
    """Return what stands for somebody in the order of a ladder: numbers are compared faster."""
    return -rung.robot if rung.player is None else rung.player
