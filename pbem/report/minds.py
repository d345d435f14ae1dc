"""Ways to search: that of the robots, plain UCT as a published report describes it, and mixtures that tell them apart.

Plain search rates a position by one random game (a playout) and chooses by UCB1 with C = √2 (Auer, Cesa-Bianchi and
Fischer 2002; Kocsis and Szepesvári 2006). The robots count hints besides, moves that were played later in a playout,
and end the search of an auction with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from pbem.robots.board import ONE, Board
from pbem.robots.thinking import Line, Match, look

_PLAIN = (92682, 0, 100 * ONE)
"""√2 in ONE, no hints, and what was never tried before all else."""


@dataclass(frozen=True, slots=True)
class Mind:
    """How a player searches in an auction and after it: plainly, or as robots do.

    ``opens``: it may end an auction by its very first step.
    """

    plain_auction: bool
    plain_after: bool
    opens: bool = True


MINDS: Mapping[str, Mind] = {
    "robots": Mind(plain_auction=False, plain_after=False),
    "plain": Mind(plain_auction=True, plain_after=True),
    "hints after": Mind(plain_auction=True, plain_after=False),
    "plain after": Mind(plain_auction=False, plain_after=True),
    "no opening": Mind(plain_auction=True, plain_after=True, opens=False),
}
"""By the name that a series of games has."""


@cache
def _plain(board: Board) -> Board:
    """Return a board that is searched plainly."""
    kernel = replace(board.kernel, estimate=None, played=None)
    return replace(board, kernel=kernel, rooted=None, weights=_PLAIN, proving=False)


def see(match: Match, mind: str, *, bidding: bool = False) -> Match:
    """Return the same match as a mind searches it; ``bidding`` says whether an auction goes on."""
    chosen = MINDS[mind]
    plain = chosen.plain_auction if bidding else chosen.plain_after
    return replace(match, board=_plain(match.board)) if plain else match


def search(
    match: Match, mind: str, playouts: int, seed: int, *, bidding: bool = False, flat: bool = False
) -> tuple[Line, ...]:
    """Return what so many playouts make of the legal steps, the most tried first; ``flat``: one step deep, no tree.

    Among those that plain search has tried and won as often, chance decides: with few playouts they are many, and in
    the order of the board all stones would go into a corner.
    """
    seen = see(match, mind, bidding=bidding)
    lines = look(seen, playouts, seed, nodes=1 + len(match.legal()) if flat else None)
    if seen is match:
        return lines
    shuffled = Random(seed).sample(lines, len(lines))
    return tuple(sorted(shuffled, key=lambda line: (-line.playouts, -line.value)))
