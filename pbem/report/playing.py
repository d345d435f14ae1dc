"""One game of a series, played to its end on the robots' board, and then checked move by move against the rules."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any

from pbem.report.plan import RANDOM, Plan, Task
from pbem.report.players import Choice, choose
from pbem.report.turns import Turns, opening_view, places, tokens
from pbem.robots.board import CHANCE, OVER
from pbem.robots.thinking import Match, follow
from rules.game import advance
from rules.games import GAMES
from rules.position import Entry, Position, Seat


class OutOfTimeError(Exception):
    """The time for games is over, and this one is not."""


class IllegalGameError(Exception):
    """The rules do not allow, or judge otherwise, what was played on a robot's board: a bug of that board."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game that was played, as a line of a file keeps it.

    ``rewards`` are what each seat won, in parts of WHOLE; ``choices`` the numbers of legal actions of each step, and
    ``actors`` the seats to act; ``values`` are the chances to win that the seat to act saw then (per mille; None
    where nothing was searched), and ``good`` the numbers of good moves. ``opening`` has the name, playouts and value
    of each action of the first step. ``record`` are seat (None for a roll) and text of each entry. ``placed`` are seat
    and cell of every piece placed, with the number of its entry. ``roles`` are those of the seats at the end. Random
    games have the first three alone, and ``choices``.
    """

    series: str
    number: int
    rewards: list[int]
    choices: list[int]
    actors: list[int] = field(default_factory=list)
    values: list[int | None] = field(default_factory=list)
    good: list[int | None] = field(default_factory=list)
    opening: list[tuple[str, int, int]] = field(default_factory=list)
    record: list[tuple[Seat | None, str]] = field(default_factory=list)
    placed: list[tuple[int, Seat, str]] = field(default_factory=list)
    roles: list[str | None] = field(default_factory=list)

    def as_line(self) -> dict[str, Any]:
        """Return what a line of a file keeps."""
        return {key: value for key, value in asdict(self).items() if value != []}


def play(plan: Plan, task: Task, is_late: Callable[[], bool]) -> Game:
    """Return one game; the same for the same plan and task, whoever plays it.

    Raises OutOfTimeError once ``is_late`` says so.
    """
    series, number = task.series, task.number
    players, random = series.players(number), plan.randomness(series.key, number)
    view = opening_view(plan.game, series.seats, tuple(plan.options.items()))
    where = places(view)
    turns = Turns(_opened(plan, series.seats).copy(), frozenset(where), GAMES[plan.game].auction)
    match, kept = turns.match, series.key != RANDOM
    choices: list[int] = []
    actors: list[Seat] = []
    chosen: list[Choice] = []
    opening: list[tuple[str, int, int]] = []
    while (actor := match.actor) != OVER:
        if is_late():
            raise OutOfTimeError
        if actor == CHANCE:
            turns.roll(random)
            continue
        choice = choose(players[actor], turns, where, random)
        choices.append(len(choice.lines) or len(match.legal()))
        if kept:
            actors.append(actor)
            chosen.append(choice)
            if len(chosen) == 1:
                opening = _name_lines(turns, choice)
            turns.play(choice.action)
        else:
            match.play(choice.action)
    rewards = list(match.rewards())
    if not kept:
        return Game(series.key, number, rewards, choices)
    final, placed = _replay(plan, series.seats, turns.record)
    _compare(final, rewards, turns.record)
    return Game(
        series.key,
        number,
        rewards,
        choices,
        actors,
        [choice.value for choice in chosen],
        [choice.good for choice in chosen],
        opening,
        [(entry.seat, entry.text) for entry in turns.record],
        placed,
        list(final.roles()),
    )


@lru_cache(maxsize=4)
def _opening_match(game: str, seats: int, options: tuple[tuple[str, Any], ...]) -> Match:
    return follow(game, seats, dict(options), ())


def _opened(plan: Plan, seats: int) -> Match:
    """Return the match as it begins: not to be changed."""
    return _opening_match(plan.game, seats, tuple(plan.options.items()))


def _name_lines(turns: Turns, choice: Choice) -> list[tuple[str, int, int]]:
    """Return the name, playouts and value of every action that was tried, those with most playouts first."""
    tried = [line for line in choice.lines if line.playouts]
    names = turns.names([line.action for line in tried])
    return [(name, line.playouts, line.value) for name, line in zip(names, tried, strict=True)]


def _replay(plan: Plan, seats: int, record: list[Entry]) -> tuple[Position[Any], list[tuple[int, Seat, str]]]:
    """Return the position that a record leads to by the rules, and the pieces that moves placed on empty cells."""
    position = GAMES[plan.game].restore(seats, plan.options)
    view = position.view()
    placed: list[tuple[int, Seat, str]] = []
    for ply, entry in enumerate(record):
        position = advance(position, entry)
        before, view = view, position.view()
        if entry.seat is not None:
            empty = {cell.name for cell in before.cells if cell.piece is None}
            new = {cell.name for cell in view.cells if cell.piece is not None and cell.name in empty}
            named = [token for token in dict.fromkeys(tokens(entry.text)) if token in new]
            placed += [(ply, entry.seat, cell) for cell in (*named, *sorted(new.difference(named)))]
    return position, placed


def _compare(final: Position[Any], rewards: list[int], record: list[Entry]) -> None:
    """Raise IllegalGameError if the rules do not say that those with a reward have won."""
    outcome = final.outcome()
    if outcome is None or outcome.winners != {seat for seat, reward in enumerate(rewards) if reward}:
        moves = ", ".join(entry.text for entry in record)
        raise IllegalGameError(f"The rules judge this game otherwise than the robots’ board: {moves}")
