"""Drama and lead changes of one game, as Browne defines them; pure.

C. Browne, Automatic Generation and Evaluation of Recombination Games, thesis, Queensland University of Technology
(2008): drama is how far, and lead change how often, a game turns. His evaluations of positions by an advisor are here
the chances to win that the searching players saw.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from statistics import fmean


def winner_chances(actors: Sequence[int], values: Sequence[int | None], winner: int) -> list[float]:
    """Return the winner’s chance to win before each step that was searched, between 0 and 1, in a game of two seats.

    ``values`` are those of the seat that acts, in per mille.
    """
    pairs = zip(actors, values, strict=True)
    return [(value if actor == winner else 1000 - value) / 1000 for actor, value in pairs if value is not None]


def drama(chances: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the maximum, over the steps at which the winner was behind, of √(their opponent’s lead).

    Both are 0 for a winner who was never behind, and at most 1.
    """
    behind = [sqrt(1 - 2 * chance) for chance in chances if chance < 0.5]
    return (fmean(behind), max(behind)) if behind else (0.0, 0.0)


def lead_changes(chances: Sequence[float]) -> float | None:
    """Return the share of steps at which another seat leads than at the step before; None for less than two steps.

    Where both have the same chance, whoever led before still leads.
    """
    if len(chances) < 2:
        return None
    leads = [chance > 0.5 for chance in chances if chance != 0.5]
    return sum(before != after for before, after in pairwise(leads)) / (len(chances) - 1)
