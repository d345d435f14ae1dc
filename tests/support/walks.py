"""Random matches of any game, the same for the same seed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from rules.game import Game, Value, advance
from rules.games import GAMES
from rules.position import EXIT_WORDS, Chance, Entry, Position

LONGEST = 5000
"""No random match may have more entries."""
_PATIENCE = 60
"""So often another move or roll is looked for in place of one that ends a long match."""


@dataclass(frozen=True)
class Case:
    """One way to open a game."""

    key: str
    seats: int
    chosen: tuple[tuple[str, Value], ...]

    def __str__(self) -> str:
        return "-".join([self.key, str(self.seats), *(f"{key}={value}" for key, value in self.chosen)])

    @property
    def game(self) -> Game:
        """The game to play."""
        return GAMES[self.key]

    @property
    def options(self) -> Mapping[str, Value]:
        """The options that are not at their defaults."""
        return dict(self.chosen)

    def begin(self) -> Position[Any]:
        """Return the opening position."""
        return self.game.begin(self.seats, self.options)


def every_case() -> list[Case]:
    """Return each game with each number of seats: as it is by default, then one option after another varied."""
    cases: list[Case] = []
    for game in GAMES.values():
        for seats in game.seats:
            cases.append(Case(game.key, seats, ()))
            for option in game.options:
                for value in dict.fromkeys((option.values[0], option.values[-1])):
                    if value != option.default and seats in (option.seats or game.seats):
                        cases.append(Case(game.key, seats, ((option.key, value),)))
    return cases


@dataclass(frozen=True)
class Walk:
    """A whole random match: before and after each entry there is a position."""

    positions: tuple[Position[Any], ...]
    entries: tuple[Entry, ...]


@cache
def walk(case: Case, seed: int, leaving: float = 0.0) -> Walk:
    """Play ``case`` at random to its end; before a turn some seat leaves with the probability ``leaving``."""
    random = Random(seed)
    positions, entries = [case.begin()], list[Entry]()
    while (awaited := positions[-1].to_act) is not None and len(entries) < LONGEST:
        position = positions[-1]
        present = [seat for seat in range(case.seats) if seat not in position.departed()]
        if isinstance(awaited, Chance):
            entry = Entry(None, str(1 + random.randrange(awaited.faces)))
        elif random.random() < leaving:
            entry = Entry(random.choice(present), random.choice(EXIT_WORDS))
        else:
            entry = Entry(awaited, str(position.any_move(random.randrange)))
        entries.append(entry)
        positions.append(advance(position, entry))
    return Walk(tuple(positions), tuple(entries))


def long_walk(case: Case, seed: int) -> Walk:
    """Play ``case`` at random with nobody ending the match soon: late positions are rare in other walks."""
    random, positions, entries = Random(seed), [case.begin()], list[Entry]()
    while (awaited := positions[-1].to_act) is not None and len(entries) < LONGEST:
        position = positions[-1]
        for _ in range(_PATIENCE):
            if isinstance(awaited, Chance):
                entry = Entry(None, str(1 + random.randrange(awaited.faces)))
            else:
                entry = Entry(awaited, str(position.any_move(random.randrange)))
            following = advance(position, entry)
            if following.to_act is not None:
                break
        entries.append(entry)
        positions.append(following)
    return Walk(tuple(positions), tuple(entries))
