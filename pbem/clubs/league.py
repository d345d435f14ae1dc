"""A league: the fold of what happened in it, and when its next season begins. Pure.

A season is a draw: who plays in which division. Everything else follows from its matches, and from who has left.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import chain

from pbem.clubs.contest import Contest, ContestEvent
from pbem.clubs.glicko2 import Rating
from pbem.clubs.league_draw import LEAST, WISHED, Division, count_moving, pair, rank_next, split
from pbem.clubs.league_table import Row

OPENED, ENTERED, LEFT = "opened", "entered", "left"
POSTPONED, BEGUN, DRAWN, ENDED = "postponed", "begun", "drawn", "ended"
EXTENDED, PAUSED, REPLACED, DISQUALIFIED = "extended", "paused", "replaced", "disqualified"
UNDONE = "undone"
"""The kinds of events of a league: what players do, what time brings, what the operator can take back, and has.

``UNDONE`` changes nothing by itself: whoever looks for what is new finds that something was taken back.
"""

OPERATORS = (PAUSED, EXTENDED, REPLACED, DISQUALIFIED)

BANK: Mapping[str, str] = {"bank": "14d+1d", "max": "21d", "flag": "forfeit"}
"""The time control of a league that has chosen none: a season lasts as long as one match, and this has an end."""

_NOTICE = timedelta(days=7)
"""So long before a season begins by itself everybody can know its day, to enter or to leave."""


@dataclass(frozen=True, slots=True)
class Season:
    """A season; ``event`` is the number of its draw, ``divisions`` are as they were drawn, the highest first.

    ``heirs`` are who has the place of somebody drawn by now; ``gone`` are who has left, or was disqualified, since the
    draw, and when they first did.
    """

    number: int
    event: int
    begun_at: datetime
    divisions: tuple[Division, ...] = ()
    ended_at: datetime | None = None
    heirs: Mapping[int, int] = field(default_factory=dict)
    gone: Mapping[int, datetime] = field(default_factory=dict)

    def gone_by(self, moment: datetime) -> frozenset[int]:
        """Return who had left by a moment: who leaves later takes back nothing of what they lost until then."""
        return frozenset(player for player, at in self.gone.items() if at <= moment)

    def holder(self, player: int) -> int:
        """Return who has the place of a drawn player by now."""
        return self.heirs.get(player, player)

    def division_now(self, number: int) -> Division:
        """Return the players of a division, counted from 1, as its places are held by now, in the order of the draw.

        Two who turned out to be one person have one place.
        """
        return tuple(dict.fromkeys(map(self.holder, self.divisions[number - 1])))

    def division_of(self, player: int) -> int | None:
        """Return the number of the division in which a player has a place; None where in none."""
        numbers = range(1, len(self.divisions) + 1)
        return next((number for number in numbers if player in self.division_now(number)), None)

    @property
    def players(self) -> tuple[int, ...]:
        """Everybody who has a place, the highest division first."""
        return tuple(player for number in range(1, len(self.divisions) + 1) for player in self.division_now(number))

    def list_matches(self, seats: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield all matches: division, and who was drawn for each seat; first one of everybody, then another."""
        paired = [(number, drawn, pair(len(drawn), seats)) for number, drawn in enumerate(self.divisions, 1)]
        for place in range(max((len(matches) for _, _, matches in paired), default=0)):
            for number, drawn, matches in paired:
                if place < len(matches):
                    yield number, tuple(drawn[one] for one in matches[place])


@dataclass(frozen=True, slots=True)
class League:
    """A league as it is by now.

    ``seats`` are those of a match, ``size`` the players wished for in a division. With ``full`` players a season begins
    before its day; 0: it waits for that. ``entered`` are those who want to play the next season, in their order.
    ``begins`` is the day that the operator has chosen for the next season, ``paused`` until when everything stands, and
    ``postponed`` when too few had entered for one the last time. Who is ``disqualified`` can't enter again.
    """

    contest: Contest
    seats: int = 2
    size: int = WISHED[2]
    full: int = 0
    entered: tuple[int, ...] = ()
    seasons: tuple[Season, ...] = ()
    begins: datetime | None = None
    paused: datetime | None = None
    postponed: datetime | None = None
    disqualified: frozenset[int] = frozenset()

    @property
    def id(self) -> int:
        """Its number, by which lists go."""
        return self.contest.id

    @property
    def season(self) -> Season | None:
        """The season that goes on; None between two."""
        return self.seasons[-1] if self.seasons and self.seasons[-1].ended_at is None else None

    @property
    def least(self) -> int:
        """The fewest players with whom a season begins."""
        return LEAST[self.seats]

    @property
    def waits_since(self) -> datetime:
        """Since when the next season is waited for: the end of the last one, or the opening of the league."""
        last = self.seasons[-1].ended_at if self.seasons else None
        return last or self.contest.created_at

    @property
    def begins_at(self) -> datetime:
        """When the next season begins, if enough have entered by then."""
        chosen = self.begins if self.begins and self.begins > self.waits_since else None
        at = chosen or first_of_month(self.waits_since + _NOTICE)
        if self.postponed and self.postponed >= at:
            at = first_of_month(self.postponed + timedelta(days=1))
        return max(at, self.paused) if self.paused else at

    def is_full(self) -> bool:
        """Return whether so many have entered that the next season begins before its day."""
        return bool(self.full) and len(self.entered) >= self.full


def fold(contest: Contest, events: Iterable[ContestEvent]) -> League:
    """Return a league after what happened in it, but for what was taken back."""
    league = League(contest)
    for event in events:
        if event.undone_at is None:
            league = _after(league, event)
    return league


def _after(league: League, event: ContestEvent) -> League:
    """Return a league after one more event; one that fits nothing changes nothing."""
    told, player = event.arguments, event.player
    season = league.season
    match event.kind:
        case "opened":
            seats = int(told.get("seats", 2))
            size = int(told.get("size", 0)) or WISHED.get(seats, WISHED[2])
            begins = _read_moment(told.get("begins"))
            return replace(league, seats=seats, size=size, full=int(told.get("full", 0)), begins=begins)
        case "entered" if player is not None and player not in (*league.entered, *league.disqualified):
            return replace(league, entered=(*league.entered, player))
        case "left" | "disqualified" if player is not None:
            out = league.disqualified | ({player} if event.kind == "disqualified" else set())
            entered = tuple(one for one in league.entered if one != player)
            league = replace(league, entered=entered, disqualified=out)
            return _with_season(league, replace(season, gone={player: event.at, **season.gone})) if season else league
        case "begun" if season is None:
            begun = Season(len(league.seasons) + 1, event.id, event.at)
            return replace(league, seasons=(*league.seasons, begun), begins=None)
        case "drawn" if season and player is not None:
            return _with_season(league, replace(season, divisions=_placed(season.divisions, told, player)))
        case "ended" if season:
            return _with_season(league, replace(season, ended_at=event.at))
        case "replaced" if season and player is not None and event.other is not None:
            entered = (*(one for one in league.entered if one not in (player, event.other)), event.other)
            league = replace(league, entered=entered)
            drawn = {*chain.from_iterable(season.divisions)}
            passed = dict.fromkeys((one for one in drawn if season.holder(one) == player), event.other)
            return _with_season(league, replace(season, heirs={**season.heirs, **passed}))
        case "postponed":
            return replace(league, postponed=event.at)
        case "extended":
            return replace(league, begins=_read_moment(told.get("begins")) or league.begins)
        case "paused":
            return replace(league, paused=_read_moment(told.get("until")))
        case _:
            return league


def _placed(divisions: tuple[Division, ...], told: Mapping[str, object], player: int) -> tuple[Division, ...]:
    """Return the divisions with one more player drawn; they are drawn in their order."""
    number = told.get("division")
    place = number - 1 if isinstance(number, int) else 0
    divisions = (*divisions, ()) if place == len(divisions) else divisions
    if not 0 <= place < len(divisions):
        return divisions
    return (*divisions[:place], (*divisions[place], player), *divisions[place + 1 :])


def _with_season(league: League, season: Season) -> League:
    """Return a league with its latest season changed."""
    return replace(league, seasons=(*league.seasons[:-1], season))


def _read_moment(value: object) -> datetime | None:
    """Return a moment (UTC) that an event holds; None where it holds none."""
    return datetime.fromisoformat(value) if isinstance(value, str) else None


def first_of_month(moment: datetime) -> datetime:
    """Return the first moment (UTC) of a month that is not before another."""
    day = moment.astimezone(UTC)
    first = datetime(day.year, day.month, 1, tzinfo=UTC)
    if first == day:
        return first
    return datetime(day.year + day.month // 12, day.month % 12 + 1, 1, tzinfo=UTC)


def draw_season(
    league: League, tables: Sequence[Sequence[Row]], able: Collection[int], lot: str, strength: Mapping[int, Rating]
) -> tuple[Division, ...]:
    """Return the divisions of the next season; nothing where too few of those who have entered are ``able`` to play.

    ``tables`` are those of the last season, the highest division first. Who is new begins below them, whoever has the
    most ``strength`` for certain first, then whoever has entered first.
    """
    entered = [player for player in league.entered if player in able]
    entered.sort(key=lambda player: -strength.get(player, Rating()).at_least)
    known = [[row.player for row in table] for table in tables]
    ranked = rank_next(known, frozenset(entered), entered)
    return split(ranked, league.seats, league.size, lot)


def draw_events(divisions: Sequence[Division], season: int, lot: str, now: datetime) -> list[ContestEvent]:
    """Return the events of a draw: the season, then everybody in the order in which they were drawn."""
    begun = ContestEvent(now, BEGUN, arguments={"season": season, "lot": lot})
    drawn = (
        ContestEvent(now, DRAWN, player, arguments={"season": season, "division": number})
        for number, division in enumerate(divisions, 1)
        for player in division
    )
    return [begun, *drawn]


def moving_of(season: Season, division: int) -> tuple[int, int]:
    """Return how many of a division, counted from 1, go up and how many go down after a season."""
    sizes = [len(drawn) for drawn in season.divisions]
    up = count_moving(sizes[division - 2], sizes[division - 1]) if division > 1 else 0
    down = count_moving(sizes[division - 1], sizes[division]) if division < len(sizes) else 0
    return up, down
