"""Auctions between robots of one strength: how often whoever takes wins, which is half of the time where it's fair."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from pbem.report.statistics import share
from pbem.robots.thinking import STRENGTHS
from rules.games import GAMES
from tests.bench.report import Table
from tests.bench.robot_matches import in_processes, kinds, playouts_of, prepare
from tests.robots.matches import play_match


@dataclass(frozen=True, slots=True)
class _Auction:
    """How a match of equal robots went: the stones that lay there when somebody took, and whether they ``won``."""

    stones: int
    won: bool


def by_taker(games: int, game: str, jobs: int, tell: Callable[[str], None]) -> Table:
    """Return the table of so many games of robots of each strength with themselves, in games that have an auction."""
    rungs = [(key, seats, strength) for key, seats in kinds(game) if GAMES[key].auction for strength in STRENGTHS]
    tasks = [(*rung, number) for number in range(games) for rung in rungs]
    played = dict(zip(tasks, in_processes(_play, tasks, jobs, "auctions", tell), strict=True))
    rows = []
    for key, seats, strength in rungs:
        results = [played[key, seats, strength, number] for number in range(games)]
        taken = [auction for auction in results if auction]
        won = share(sum(auction.won for auction in taken), max(1, len(taken)))
        stones = sum(auction.stones for auction in taken) / max(1, len(taken))
        rows.append(
            (
                f"{key}, {seats} seats",
                f"{strength}",
                f"{playouts_of(key, seats, strength):,}",
                f"{games}",
                f"{len(taken)}",
                f"{stones:.1f}",
                f"{won.won:g}",
                f"{won.share:.0%}",
                f"{won.low:.0%}–{won.high:.0%}",
            )
        )
    columns = ("game", "strength", "playouts an action", "games", "taken", "stones", "taker won", "share", "95 %")
    meaning = (
        "Robots of the same strength against each other, compiled, with the usual options: of the games in which"
        " somebody took, how many the taker won. Half is fair. *stones* is how many lay there then, in the mean; the"
        " interval of 95 % is Wilson’s."
    )
    return Table("Auctions of robots", columns, tuple(rows), meaning)


def _play(task: tuple[str, int, int, int]) -> _Auction | None:
    """Return how the auction of a match came out; None if the match ended in it."""
    key, seats, strength, number = task
    prepare(key, seats)
    options, random = GAMES[key].normalise({}), Random(f"auction/{key}/{seats}/{strength}/{number}")
    played = play_match(key, seats, options, [playouts_of(key, seats, strength)] * seats, random)
    stones = 0
    for entry in played.record:
        if entry.text == GAMES[key].auction and entry.seat is not None:
            return _Auction(stones, played.won[entry.seat] > 0)
        stones += len(entry.text.split())
    return None
