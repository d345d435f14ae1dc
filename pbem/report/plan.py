"""What is played for a report: series of games between players, each game with randomness of its own."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
NAIVE = ("mirror", "across", "near", "middle")
"""Players that do not search: see `pbem.report.players`."""

_RUNGS = 4
_LEAST = 4
"""Playouts below which a rung of the ladder says nothing."""
_RANDOM_GAMES = 1000
_SLOW_RANDOM_GAMES = 100


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays: one who searches with so many ``playouts`` for an action, else by the rule called ``kind``."""

    kind: str
    playouts: int = 0


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

    ``playouts`` are those for each action of the strongest player, ``games`` those between two of it, ``random_games``
    those between random players. ``fast``: the game has a board of its own for robots.
    """

    game: str
    seats: int
    options: Mapping[str, Value]
    playouts: int
    games: int
    seed: int
    fast: bool
    random_games: int

    @property
    def header(self) -> dict[str, object]:
        """What must be the same where games of an earlier run are taken over: all but their numbers."""
        return {
            "game": self.game,
            "seats": self.seats,
            "options": dict(self.options),
            "playouts": self.playouts,
            "seed": self.seed,
            "fast": self.fast,
            "robots": versions_of(self.game)[0],
        }

    def series(self) -> tuple[Series, ...]:
        """Return all series, each with its number of games."""
        best, half, fifth = Player(SEARCH, self.playouts), -(-self.games // 2), -(-self.games // 5)
        chance = Player(RANDOM)
        found = [
            Series(RANDOM, self.random_games, self.seats, chance, chance),
            Series(SEARCH, self.games, self.seats, best, best),
        ]
        for rung in range(_RUNGS):
            strong, weak = self.playouts >> rung, self.playouts >> (rung + 1)
            if weak < _LEAST:
                break
            found.append(
                Series(f"ladder {strong} {weak}", half, self.seats, Player(SEARCH, strong), Player(SEARCH, weak))
            )
        found += [Series(f"naive {kind}", fifth, self.seats, Player(kind), best) for kind in (RANDOM, *NAIVE)]
        for seats in GAMES[self.game].seats:
            if seats != self.seats:
                found.append(Series(f"{OTHER_SEATS} {seats}", half, seats, best, best))
        return tuple(found)

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
) -> Plan:
    """Return the plan of a report; as many seats as the game has at least, and the playouts of the second robot there.

    ``game`` is its key or title, whatever signs are in between. A game without a fast board has the playouts of the
    weakest, and a hundred random games instead of a thousand.

    Raises BadInput for a game, options or a number of players that the rules do not know.
    """
    found = find_game(game)
    if found is None:
        raise BadInput(f"There is no game “{game}”; choose one of {', '.join(GAMES)}.")
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
    return Plan(found.key, seats, complete, playouts or usual, games, seed, fast, chance)


def interleaved(tasks: list[Task], done: set[tuple[str, int]]) -> Iterator[Task]:
    """Yield the tasks whose games are not among those ``done``."""
    return (task for task in tasks if (task.series.key, task.number) not in done)
