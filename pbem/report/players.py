"""Players: one who searches, one who plays at random, and naive ones, who look at where the opponent played."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import dist
from random import Random

from pbem.report.minds import MINDS, search
from pbem.report.plan import SEARCH, Player
from pbem.report.turns import Place, Turns, middle, tokens
from pbem.robots.thinking import Line

_GOOD = 50
"""Per mille that a good move may be worse than the best."""
_SEEN = 10
"""Of the playouts of the best move, a good one must have had one in so many: less is too little to be believed."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a player chose: the ``action`` and, of one who searched, what they saw of each, the most tried first."""

    action: int
    lines: tuple[Line, ...] = ()

    @property
    def value(self) -> int | None:
        """The chance to win of the seat to act, in per mille; None if nothing was searched."""
        return self.lines[0].value if self.lines else None

    @property
    def good(self) -> int | None:
        """How many good moves there were; None if nothing was searched."""
        return count_good(self.lines) if self.lines else None


def count_good(lines: Sequence[Line]) -> int:
    """Return how many actions have a value within 50 ‰ of that of the most tried, and a tenth of its playouts."""
    best = lines[0]
    return sum(line.value >= best.value - _GOOD and line.playouts * _SEEN >= best.playouts for line in lines)


def choose(player: Player, turns: Turns, where: Mapping[str, Place], random: Random) -> Choice:
    """Return what a player does now; ``where`` are the places of the cells."""
    legal = turns.match.legal()
    if len(legal) == 1:
        return Choice(legal[0])
    if player.kind == SEARCH:
        seed = random.getrandbits(62)
        lines = search(turns.match, player.mind, player.playouts, seed, bidding=turns.bids)
        if turns.bids and not (MINDS[player.mind].opens or turns.record or turns.taken):
            lines = tuple(line for line in lines if turns.names([line.action]) != [turns.auction])
        return Choice(lines[0].action, lines)
    if player.kind == "copy":
        place, latest = len(turns.taken), turns.answered_actions()
        if place < len(latest) and latest[place] in legal:
            return Choice(latest[place])
    if player.kind in _WISHES and (wish := _WISHES[player.kind](turns, where)):
        return Choice(_nearest(turns, legal, where, wish, random))
    return Choice(random.choice(legal))


Wish = Callable[[Place], float]
"""How far a cell is from where a naive player wants to play."""


def _nearest(turns: Turns, legal: Sequence[int], where: Mapping[str, Place], wish: Wish, random: Random) -> int:
    """Return an action whose first cell has the least of ``wish``, by lot among several; any if none has a cell."""
    found: dict[float, list[int]] = {}
    for action, name in zip(legal, turns.names(legal), strict=True):
        cell = next((token for token in tokens(name) if token in where), None)
        found.setdefault(round(wish(where[cell]), 6) if cell else float("inf"), []).append(action)
    return random.choice(found[min(found)])


def _to_middle(turns: Turns, where: Mapping[str, Place]) -> Wish | None:
    """Wish for the middle of the board."""
    centre = middle(list(where.values()))
    return lambda place: dist(place, centre)


def _to_opponent(turns: Turns, where: Mapping[str, Place]) -> Wish | None:
    """Wish for a cell near the last one of the opponent’s latest move."""
    answered = turns.answered()
    return (lambda place: dist(place, where[answered[-1]])) if answered else None


def _reflecting(turn: Callable[[Place, Place], Place]) -> Callable[[Turns, Mapping[str, Place]], Wish | None]:
    """Return the wish for the image of a cell of the opponent’s latest move, the n-th for the n-th action of a turn."""

    def wish(turns: Turns, where: Mapping[str, Place]) -> Wish | None:
        answered, centre = turns.answered(), middle(list(where.values()))
        place = len(turns.taken)
        if place >= len(answered):
            return None
        image = turn(where[answered[place]], centre)
        return lambda other: 0.0 if dist(other, image) < 1e-6 else 1.0

    return wish


_WISHES: Mapping[str, Callable[[Turns, Mapping[str, Place]], Wish | None]] = {
    "mirror": _reflecting(lambda place, centre: (2 * centre[0] - place[0], 2 * centre[1] - place[1])),
    "across": _reflecting(lambda place, centre: (2 * centre[0] - place[0], place[1])),
    "upside": _reflecting(lambda place, centre: (place[0], 2 * centre[1] - place[1])),
    "near": _to_opponent,
    "middle": _to_middle,
}
