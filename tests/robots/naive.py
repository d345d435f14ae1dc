"""Opponents that look no move ahead, forty lines each: what anybody would write first, and robots have to beat."""

from typing import Any

from rules.board.square import Grid, bits_in
from rules.games.pippinzip.position import Pippinzip
from rules.games.pippinzip.suggest import routes
from rules.position import Position


def shortest_path(position: Pippinzip) -> str:
    """Return a move of Pipline or Zipline: points on ways of its own that are shortest, and best on those of the other.

    In the auction, one stone for the side that is bid for, until that needs fewer stones for each of its turns.
    """
    setup, grid, auction = position.setup, position.setup.grid, position.taker is None
    bid, other = _ways(position, setup.black_auction), _ways(position, not setup.black_auction)
    if auction and bid and other and _length(bid, setup.black_auction) <= _length(other, not setup.black_auction):
        return "take"
    stones = list[str]()
    count = 1 if auction else position._limit
    while len(stones) < count:
        free = position._free() & ~sum(grid.bits[name] for name in stones)
        for name in stones:
            free &= ~grid.beside[grid.bits[name]] if setup.apart else free
        if not free:
            break
        black = position._black_acts
        taken = sum(grid.bits[name] for name in stones)
        own, foe = _ways(position, black, taken, black), _ways(position, not black, taken, black)
        own = own[:1] if black else own
        stones.append(grid.names[max(bits_in(free), key=lambda bit: _worth(grid, bit, own, foe))])
        move = position.parse(" ".join(stones))
        if auction or len(move.words) < len(stones):
            break
    return str(position.parse(" ".join(stones)))


def _ways(position: Pippinzip, black: bool, taken: int = 0, taken_black: bool = False) -> list[list[int]]:
    """Return the shortest ways of a colour between two sides each, when points are ``taken`` besides."""
    grid, colours = position.setup.grid, [position.white, position.black]
    colours[taken_black] |= taken
    return routes(grid, colours[black], grid.every & ~(colours[0] | colours[1]), diagonal=not black)


def _length(ways: list[list[int]], black: bool) -> int:
    """Return how many stones are missing, of those that a turn of two or one places."""
    return len(ways[0]) if black else sum(map(len, ways))


def _worth(grid: Grid, bit: int, own: list[list[int]], foe: list[list[int]]) -> tuple[int, int, float]:
    """Return how good a point is: on ways of both, then of its own alone; of equals the one nearest to the middle."""
    ours, theirs = (sum(any(bit & layer for layer in way) for way in ways) for ways in (own, foe))
    number = grid.order.index(bit)
    middle = (grid.size - 1) / 2
    away = (number % grid.size - middle) ** 2 + (number // grid.size - middle) ** 2
    return min(ours, 1) + min(theirs, 1), ours + theirs, -away


def prompted(position: Position[Any]) -> str:
    """Return the example of the prompt, which in Pip•Pip gains much at once."""
    return position.prompt().example
