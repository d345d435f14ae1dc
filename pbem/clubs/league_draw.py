"""The draw of a league: how large its divisions are, who meets whom at which seat, who goes up and down. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import TypeAlias

Division: TypeAlias = tuple[int, ...]
"""The numbers of the players of a division, in the order in which they were drawn."""

LEAST: Mapping[int, int] = {2: 5, 3: 7}
"""The fewest players of a division, by the number of seats of a match: so many that a season begins with."""

WISHED: Mapping[int, int] = {2: 8, 3: 7}
"""The size of a division, by the number of seats, unless the league has chosen another."""

LARGEST = 9
"""The most players that a league may wish for in a division."""

_TWO_MOVE = 7  # where both divisions have as many, two go up and two go down, else one
_TRIPLE = (0, 1, 3)  # whose differences are all different, so that turning it round no pair meets twice


def divide(entrants: int, seats: int, wished: int) -> tuple[int, ...]:
    """Return the sizes of divisions, the highest first: close to ``wished``, never below the least.

    Nothing where there are too few for a season. Sizes differ by one at most, and the larger ones are the lower ones.
    """
    number = min(-(-entrants // wished), entrants // LEAST[seats])
    if not number:
        return ()
    size, over = divmod(entrants, number)
    return (size,) * (number - over) + (size + 1,) * over


def pair(size: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """Return the matches of a division, each with the places of its players in the draw, in the order of seats.

    Of two, everybody meets everybody once. Of three, everybody plays three matches, each at another seat, and no pair
    meets twice. Everybody has each seat equally often, or once more.
    """
    if seats == 3:
        return tuple(tuple((place + step) % size for step in _TRIPLE) for place in range(size))
    half = size // 2
    met = [(first, (first + step) % size) for step in range(1, (size + 1) // 2) for first in range(size)]
    across = [(first, first + half) for first in range(half)] if size % 2 == 0 else []
    return (*met, *across)


def draw(players: Iterable[int], lot: str) -> Division:
    """Return the players of a division in the order that a lot gives them: anybody can draw it again."""
    return tuple(sorted(players, key=lambda player: sha256(f"{lot} {player}".encode()).digest()))


def count_moving(upper: int, lower: int) -> int:
    """Return how many go up, and how many down, between divisions of these sizes."""
    return 2 if min(upper, lower) >= _TWO_MOVE else 1


def rank_next(tables: Sequence[Sequence[int]], staying: Collection[int], newcomers: Sequence[int]) -> tuple[int, ...]:
    """Return who plays in the next season, the strongest first, by the ``tables`` of this one, the highest first.

    Those who go up stand before those who go down: if somebody above has left, the best of these stays.
    """
    kept = [[player for player in table if player in staying] for table in tables]
    moving = [count_moving(len(upper), len(lower)) for upper, lower in pairwise(tables)]
    ranked: list[int] = []
    falling: list[int] = []
    for place, table in enumerate(kept):
        up = moving[place - 1] if place else 0
        down = moving[place] if place < len(moving) else 0
        rising, rest = table[:up], table[up:]
        stays = len(rest) - min(down, len(rest))
        ranked += [*rising, *falling, *rest[:stays]]
        falling = rest[stays:]
    return (*ranked, *falling, *(player for player in newcomers if player not in ranked))


def split(ranked: Sequence[int], seats: int, wished: int, lot: str) -> tuple[Division, ...]:
    """Return the divisions of a season, the highest first, each drawn by ``lot``; nothing with too few players."""
    divisions, start = [], 0
    for number, size in enumerate(divide(len(ranked), seats, wished), 1):
        divisions.append(draw(ranked[start : start + size], f"{lot} {number}"))
        start += size
    return tuple(divisions)
