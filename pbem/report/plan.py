"""What is played for a report: series of games between players, each game with randomness of its own."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from pbem.errors import BadInput
from pbem.match.game_names import find_game
from pbem.robots.thinking import follow, versions_of
from rules.errors import RulesError
from rules.game import ORDER, Value
from rules.games import GAMES

RANDOM = "random"
SEARCH = "search"
OTHER_SEATS = "seats"
CURVE = "curve"
VARIANT = "variant"
NAIVE = ("mirror", "across", "upside", "copy", "near", "middle")
"""Players that do not search: see `pbem.report.players`."""

ROBOTS, AS_PUBLISHED = "robots", "published"
PROFILES = {AS_PUBLISHED: "plain", ROBOTS: "robots"}
"""How players of a report think, by its profile: a name of `pbem.report.minds`."""

_PUBLISHED_PLAYOUTS = 10_500
"""With so many, games of plain search are as long as the published ones."""
_CURVE = (2, 6, 17, 30, 45)
"""Of a curve of length by playouts, in 21sts of those that a profile has: 1,000, 3,000 … 22,500."""
_PUBLISHED_LADDER = ((3, 0), (70, 3), (70, 70))
"""Playouts of challengers and of their opponents; without any a player plays at random."""
_RUNGS = 4
_LEAST = 4
"""Playouts below which a rung of the ladder says nothing."""
_RANDOM_GAMES = 1000
_SLOW_RANDOM_GAMES = 100


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays: one who searches with so many ``playouts`` for an action, else by the rule called ``kind``.

    ``mind`` is how they search, as `pbem.report.minds` names it.
    """

    kind: str
    playouts: int = 0
    mind: str = "robots"


@dataclass(frozen=True, slots=True)
class Series:
    """So many games of the same players; ``challenger`` takes each seat in turn, and ``others`` all the rest."""

    key: str
    games: int
    seats: int
    challenger: Player
    others: Player

    def players(self, number: int) -> tuple[Player, ...]:
        """Return the player at each seat in the game with this number, from 0."""
        return tuple(self.challenger if seat == number % self.seats else self.others for seat in range(self.seats))


@dataclass(frozen=True, slots=True)
class Task:
    """One game to play: its series, and its number there, from 0."""

    series: Series
    number: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What a report is on: a game with all its ``options``, and how it is played.

    ``profile`` is one of PROFILES. ``playouts`` are those for each action of the strongest player, ``games`` those
    between two of it, ``random_games`` those between random players. ``fast``: the game has a board of its own for
    robots.
    """

    game: str
    seats: int
    options: Mapping[str, Value]
    playouts: int
    games: int
    seed: int
    fast: bool
    random_games: int
    profile: str = ROBOTS

    @property
    def mind(self) -> str:
        """How its players think."""
        return PROFILES[self.profile]

    @property
    def subject(self) -> dict[str, object]:
        """What it is on: what all that stands on one page has in common."""
        return {
            "game": self.game,
            "seats": self.seats,
            "options": dict(self.options),
            "fast": self.fast,
            "robots": versions_of(self.game)[0],
        }

    @property
    def header(self) -> dict[str, object]:
        """What must be the same where games of an earlier run are taken over: all but their numbers."""
        return self.subject | {"profile": self.profile, "playouts": self.playouts, "seed": self.seed}

    @property
    def numbers(self) -> dict[str, int]:
        """How many games are planned; of an earlier run it may have been others."""
        return {"games": self.games, "random_games": self.random_games}

    @property
    def first_line(self) -> dict[str, object]:
        """What the file of its games begins with."""
        return self.header | self.numbers

    def series(self) -> tuple[Series, ...]:
        """Return all series, each with its number of games."""
        chance, best = Player(RANDOM), Player(SEARCH, self.playouts, self.mind)
        found = [
            Series(RANDOM, self.random_games, self.seats, chance, chance),
            Series(SEARCH, self.games, self.seats, best, best),
        ]
        if self.profile == AS_PUBLISHED:
            return (*found, *self._published())
        half, fifth = -(-self.games // 2), -(-self.games // 5)
        for rung in range(_RUNGS):
            strong, weak = self.playouts >> rung, self.playouts >> (rung + 1)
            if weak < _LEAST:
                break
            found.append(self._ladder(strong, weak, half))
        found += [Series(f"naive {kind}", fifth, self.seats, Player(kind), best) for kind in (RANDOM, *NAIVE)]
        for seats in GAMES[self.game].seats:
            if seats != self.seats:
                found.append(Series(f"{OTHER_SEATS} {seats}", half, seats, best, best))
        return tuple(found)

    def _published(self) -> Iterator[Series]:
        """Yield what a published report has besides, and what tells where it comes from."""
        best, tenth = Player(SEARCH, self.playouts, self.mind), -(-self.games // 10)
        for strong, weak in _PUBLISHED_LADDER:
            yield self._ladder(strong, weak, 5 * self.games)
        for kind in NAIVE:
            yield Series(f"naive {kind}", tenth, self.seats, Player(kind), best)
        for part in _CURVE:
            player = replace(best, playouts=max(1, self.playouts * part // 21))
            yield Series(f"{CURVE} {player.playouts}", -(-self.games // 4), self.seats, player, player)
        if GAMES[self.game].auction:
            for mind in ("hints after", "plain after", "no opening"):
                player = replace(best, mind=mind)
                yield Series(f"{VARIANT} {mind}", self.games, self.seats, player, player)

    def _ladder(self, strong: int, weak: int, games: int) -> Series:
        """Return games of one who searches so much against one who searches less, or plays at random."""
        one, other = (Player(SEARCH, count, self.mind) if count else Player(RANDOM) for count in (strong, weak))
        return Series(f"ladder {strong} {weak}", games, self.seats, one, other)

    def tasks(self) -> list[Task]:
        """Return all games, each series spread evenly, so that a run cut short has played some of each."""
        placed = [
            ((number + 0.5) / series.games, place, number, series)
            for place, series in enumerate(self.series())
            for number in range(series.games)
        ]
        return [Task(series, number) for _, _, number, series in sorted(placed, key=lambda one: one[:3])]

    def randomness(self, series: str, number: int) -> Random:
        """Return the source of all chance in one game: it depends on nothing but the seed and which game that is."""
        return Random(f"{self.seed}/{series}/{number}")


def make_plan(
    game: str,
    seats: int | None,
    options: Mapping[str, object],
    playouts: int | None,
    games: int,
    seed: int,
    random_games: int | None = None,
    profile: str = ROBOTS,
) -> Plan:
    """Return the plan of a report; as many seats as the game has at least, and the playouts of the second robot there.

    A published profile has its own playouts.

    ``game`` is its key or title, whatever signs are in between. A game without a fast board has the playouts of the
    weakest, and a hundred random games instead of a thousand.

    Raises BadInput for a game, options, a profile or a number of players that there are not.
    """
    found = find_game(game)
    if found is None:
        raise BadInput(f"There is no game “{game}”; choose one of {', '.join(GAMES)}.")
    if profile not in PROFILES:
        raise BadInput(f"There is no profile “{profile}”; choose one of {', '.join(PROFILES)}.")
    seats = found.seats[0] if seats is None else seats
    try:
        found.begin(seats, options)
        complete = found.normalise(options)
    except RulesError as error:
        raise BadInput(str(error)) from None
    if ORDER in found.options and complete[ORDER.key] != ORDER.default:
        raise BadInput(f"A report has no use for {ORDER.key}={complete[ORDER.key]}: seats are counted as they play.")
    match = follow(found.key, seats, complete, ())
    board, fast = match.board, match.board.kernel.fast
    chance = random_games or (_RANDOM_GAMES if fast else _SLOW_RANDOM_GAMES)
    usual = board.budgets[1 if fast else 0] * match.opened.scale
    if profile == AS_PUBLISHED:
        usual = _PUBLISHED_PLAYOUTS
    return Plan(found.key, seats, complete, playouts or usual, games, seed, fast, chance, profile)


def interleaved(tasks: list[Task], done: set[tuple[str, int]]) -> Iterator[Task]:
    """Yield the tasks whose games are not among those ``done``."""
    return (task for task in tasks if (task.series.key, task.number) not in done)
