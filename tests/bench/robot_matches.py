"""Robots against robots, compiled: how often each strength beats the one below, and that no move is illegal."""

import multiprocessing
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, TypeVar

from pbem.report.statistics import share
from pbem.robots.boards import BOARDS
from pbem.robots.thinking import STRENGTHS, follow, versions_of, warm_up
from rules.errors import RulesError
from rules.games import GAMES
from tests.bench.report import Table
from tests.robots import naive
from tests.robots.matches import any_options, one_weaker, play_match, play_naive

T = TypeVar("T")
R = TypeVar("R")

_SMALL = 0.5
"""The share of matches on the smallest boards, where any options are tried."""


@dataclass(frozen=True, slots=True)
class _Rung:
    """A robot of ``strength`` at one seat, and one that is weaker by one at each other; with the usual options."""

    game: str
    seats: int
    strength: int

    @property
    def playouts(self) -> tuple[int, int]:
        """Those for an action of the stronger robot, and of each other."""
        strong, weak = (playouts_of(self.game, self.seats, self.strength - less) for less in (0, 1))
        return strong, weak


@cache
def playouts_of(game: str, seats: int, strength: int) -> int:
    """Return the playouts for an action of a robot of ``strength``, with the usual options."""
    match = follow(game, seats, GAMES[game].normalise({}), ())
    return match.board.budgets[strength - 1] * match.opened.scale


def by_strength(games: int, game: str, jobs: int, tell: Callable[[str], None]) -> Table:
    """Return the table of so many games of each strength against the one below, of all games or the one called so."""
    rungs = [_Rung(key, seats, strong) for key, seats in kinds(game) for _, strong in pairwise(STRENGTHS)]
    tasks = [(rung, number) for number in range(games) for rung in rungs]
    played = dict(zip(tasks, in_processes(_play_rung, tasks, jobs, "strengths", tell), strict=True))
    rows = []
    for rung in rungs:
        results = [played[rung, number] for number in range(games)]
        won = share(sum(won for won, _ in results), games)
        rows.append(
            (
                f"{rung.game}, {rung.seats} seats",
                f"{rung.strength} v. {rung.strength - 1}",
                " v. ".join(f"{playouts:,}" for playouts in rung.playouts),
                str(games),
                f"{won.won:g}",
                f"{won.share:.0%}",
                f"{won.low:.0%}–{won.high:.0%}",
                f"{max(seconds for _, seconds in results):.2f}",
            )
        )
    columns = ("game", "strengths", "playouts an action", "games", "won", "share", "95 %", "longest thought, s")
    meaning = (
        "Each strength of robots against the one below, compiled, with the usual options; it has each seat in turn,"
        " and with three seats the weaker robot has both others. What is shared counts in parts; the interval of 95 %"
        " is Wilson’s. The longest thought is that of the stronger robot about one move, in seconds of CPU."
    )
    return Table("Strengths of robots", columns, tuple(rows), meaning)


_NAIVE: Mapping[str, Callable[[Any], str]] = {
    "pipline": naive.shortest_path,
    "zipline": naive.shortest_path,
    "pippip": naive.prompted,
}


def by_naive(games: int, game: str, jobs: int, tell: Callable[[str], None]) -> Table:
    """Return the table of so many games of each strength against an opponent that looks no move ahead."""
    rungs = [(key, strength) for key in _NAIVE if game in ("", key) for strength in STRENGTHS]
    tasks = [(*rung, number) for number in range(games) for rung in rungs]
    played = dict(zip(tasks, in_processes(_play_naive, tasks, jobs, "naive opponents", tell), strict=True))
    rows = []
    for key, strength in rungs:
        won = share(sum(played[key, strength, number] for number in range(games)), games)
        interval = f"{won.low:.0%}–{won.high:.0%}"
        playouts = f"{playouts_of(key, 2, strength):,}"
        rows.append((key, f"{strength}", playouts, f"{games}", f"{won.won:g}", f"{won.share:.0%}", interval))
    columns = ("game", "strength", "playouts an action", "games", "won", "share", "95 %")
    meaning = (
        "Robots, compiled, on each seat in turn against who looks no move ahead: in Pipline and Zipline it places"
        " stones on shortest ways of both sides, in Pip•Pip it plays the example of the prompt, which gains most now."
    )
    return Table("Robots against naive opponents", columns, tuple(rows), meaning)


def _play_naive(task: tuple[str, int, int]) -> float:
    """Return the part of a win of the robot."""
    key, strength, number = task
    prepare(key, 2)
    random, playouts = Random(f"naive/{key}/{strength}/{number}"), playouts_of(key, 2, strength)
    return play_naive(key, GAMES[key].normalise({}), playouts, number % 2, _NAIVE[key], random)


_SLOWER: Mapping[str, float] = {"pipline": 1.75, "zipline": 1.75}
"""How many times as long a playout took the robots before: today they have the faster boards, too."""


def by_former(games: int, game: str, jobs: int, tell: Callable[[str], None]) -> Table:
    """Return the table of so many games of today's robots against those of the version before, at the same CPU."""
    kept = [key for key, board in BOARDS.items() if board.former and game in ("", key)]
    rungs = [(key, strength) for key in kept for strength in STRENGTHS[1:]]
    tasks = [(*rung, number) for number in range(games) for rung in rungs]
    played = dict(zip(tasks, in_processes(_play_former, tasks, jobs, "new against old", tell), strict=True))
    rows = []
    for key, strength in rungs:
        won = share(sum(played[key, strength, number] for number in range(games)), games)
        interval, budget = f"{won.low:.0%}–{won.high:.0%}", playouts_of(key, 2, strength)
        playouts = f"{budget:,} v. {_before(key, strength):,}"
        rows.append((key, f"{strength}", playouts, f"{games}", f"{won.won:g}", f"{won.share:.0%}", interval))
    columns = ("game", "strength", "playouts an action", "games", "won", "share", "95 %")
    meaning = (
        "Robots, compiled, on each seat in turn against those of the version before, which have as much CPU: as many"
        " playouts, or fewer where theirs took longer then."
    )
    return Table("New robots against old", columns, tuple(rows), meaning)


def _before(key: str, strength: int) -> int:
    """Return the playouts that the robots before made in the time in which a robot of ``strength`` makes its own."""
    return round(playouts_of(key, 2, strength) / _SLOWER.get(key, 1))


def _play_former(task: tuple[str, int, int]) -> float:
    """Return the part of a win of the new robot."""
    key, strength, number = task
    prepare(key, 2)
    seat, before = number % 2, versions_of(key)[1]
    playouts, versions = [_before(key, strength)] * 2, list[int | None]((before, before))
    playouts[seat], versions[seat] = playouts_of(key, 2, strength), None
    random = Random(f"former/{key}/{strength}/{number}")
    return play_match(key, 2, GAMES[key].normalise({}), playouts, random, versions).won[seat]


def by_hundred(games: int, game: str, jobs: int, tell: Callable[[str], None]) -> Table:
    """Return the table of so many matches of each game with any options, in which the rules judge every move."""
    tasks = [(key, seats, number) for key, seats in kinds(game) for number in range(games)]
    played = dict(zip(tasks, in_processes(_play_any, tasks, jobs, "robots' matches", tell), strict=True))
    rows = []
    for key, seats in kinds(game):
        lengths = [played[key, seats, number] for number in range(games)]
        ended = [entries for entries in lengths if entries is not None]
        refused = str(len(lengths) - len(ended))
        rows.append((f"{key}, {seats} seats", str(games), f"{sum(ended):,}", refused))
    meaning = (
        "Matches of robots against each other, with few playouts, on boards of any size and with any options. The rules"
        " judge every move, and who has won; refused are matches in which they disagree with the robots’ board."
    )
    return Table("Robots by the rules", ("game", "matches", "moves and rolls", "refused"), tuple(rows), meaning)


def kinds(game: str) -> list[tuple[str, int]]:
    """Return every game with every number of seats, or only those of ``game``."""
    return [(key, seats) for key, rules in GAMES.items() for seats in rules.seats if game in ("", key)]


def in_processes(
    play: Callable[[T], R], tasks: Sequence[T], jobs: int, what: str, tell: Callable[[str], None]
) -> list[R]:
    """Return what comes of each task, in their order; of low priority, as nothing here is measured by the clock."""
    found = list[R]()
    with ProcessPoolExecutor(
        jobs, mp_context=multiprocessing.get_context("spawn"), initializer=os.nice, initargs=(10,)
    ) as pool:
        for result in pool.map(play, tasks):
            found.append(result)
            tell(f"{what}: {len(found)} of {len(tasks)} games")
    return found


def _play_rung(task: tuple[_Rung, int]) -> tuple[float, float]:
    """Return the part of a win of the stronger robot, and the seconds of its longest thought."""
    rung, number = task
    options, seat = GAMES[rung.game].normalise({}), number % rung.seats
    strong, weak = rung.playouts
    playouts = [strong if other == seat else weak for other in range(rung.seats)]
    prepare(rung.game, rung.seats)
    random = Random(f"{rung.game}/{rung.seats}/{rung.strength}/{number}")
    played = play_match(rung.game, rung.seats, options, playouts, random)
    return played.won[seat], played.longest[seat]


@cache
def prepare(game: str, seats: int) -> None:
    """Compile what the game needs, once in a process: a thought is measured without it."""
    warm_up(game, seats, GAMES[game].normalise({}))


def _play_any(task: tuple[str, int, int]) -> int | None:
    """Return the number of entries of a match, or None if the rules disagree with what was played."""
    key, seats, number = task
    random = Random(number)
    options = any_options(key, seats, random, shortly=_SMALL)
    try:
        return len(play_match(key, seats, options, one_weaker(seats, random), random).record)
    except (RulesError, AssertionError):
        return None
