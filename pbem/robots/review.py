"""A match looked at afterwards: the one move of a player that cost most, with a better one, and what would follow it.

Every move is looked at once. Those that seem worst are looked at again, longer and with other random numbers, since
the greatest of many uncertain losses is greater than it should be.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt

from pbem.robots.board import CHANCE, OVER, WHOLE
from pbem.robots.thinking import Line, Match, follow, look, think
from rules.game import Value
from rules.position import EXIT_WORDS, Entry, Seat

_AGAIN = 3  # moves
_LONGER = 4  # times as many playouts
_MOST = 3000  # playouts: a review is of all moves of a match, each looked at
_LEAST = 30  # per mille; to lose less is no mistake that teaches anything
_FOLLOWING = 4  # moves


@dataclass(frozen=True, slots=True)
class Regret:
    """The move after ``ply`` entries, and a ``better`` one, in canonical notation.

    ``value`` and ``best`` are the shares of playouts, in per mille, that the player won after the one and the other,
    and ``noise`` is the standard error of their difference. ``line`` is what robots would play after the better one.
    """

    ply: int
    move: str
    value: int
    better: str
    best: int
    noise: int
    line: tuple[Entry, ...]

    @property
    def loss(self) -> int:
        """What the move cost, in per mille."""
        return self.best - self.value


@dataclass(frozen=True, slots=True)
class Review:
    """What was found about the moves of ``seat``: of ``moves`` that it made, the one to ``regret``, or None."""

    seat: Seat
    moves: int
    regret: Regret | None


@dataclass(frozen=True, slots=True)
class _Slip:
    """A step of the move after ``ply`` entries, the one at ``place`` among its actions, beside the best one there."""

    ply: int
    place: int
    value: int
    action: int
    best: int
    noise: int

    @property
    def loss(self) -> int:
        return self.best - self.value

    @property
    def is_certain(self) -> bool:
        """Whether more was lost than chance explains."""
        return self.loss >= max(_LEAST, 2 * self.noise)


def review(
    game: str,
    seats: int,
    options: Mapping[str, Value],
    entries: Iterable[Entry],
    seat: Seat,
    strength: int,
    seed: int,
    *,
    playouts: int | None = None,
    others: Collection[int] = (),
) -> Review:
    """Return what a legal record shows about the moves of ``seat``; ``options`` are complete.

    Each step of a move is looked at with as many playouts as a robot of ``strength`` needs, at most 3,000, or as many
    as are given. Moves after ``others`` entries are of somebody else, who had the seat then. The same record, playouts
    and ``seed`` give the same review on every machine.
    """
    record = tuple(entries)
    own = [(ply, entry) for ply, entry in enumerate(record) if entry.seat == seat and ply not in others]
    moved = [ply for ply, entry in own if entry.text not in EXIT_WORDS]
    if playouts is None:
        playouts = min(follow(game, seats, options, ()).board.budgets[strength - 1], _MOST)

    def before(ply: int) -> Match:
        return follow(game, seats, options, record[:ply])

    slips = [slip for ply in moved for slip in _slips(before(ply), ply, record[ply].text, playouts, seed + ply)]
    slips.sort(key=lambda slip: (slip.noise - slip.loss, slip.ply, slip.place))
    again = list(dict.fromkeys(slip.ply for slip in slips if slip.loss > slip.noise))[:_AGAIN]
    longer, other = playouts * _LONGER, seed + len(record)
    certain = [
        slip
        for ply in again
        for slip in _slips(before(ply), ply, record[ply].text, longer, other + ply, closely=True)
        if slip.is_certain
    ]
    if not certain:
        return Review(seat, len(moved), None)
    worst = max(certain, key=lambda slip: (slip.loss, -slip.ply, -slip.place))
    move = record[worst.ply].text
    better, line = _improve(before(worst.ply), move, worst, playouts, other)
    return Review(seat, len(moved), Regret(worst.ply, move, worst.value, better, worst.best, worst.noise, line))


def _slips(match: Match, ply: int, text: str, playouts: int, seed: int, *, closely: bool = False) -> Iterator[_Slip]:
    """Yield each step of a move beside which something else was tried more often; ``match`` is as it was before.

    ``closely``: what is left after either is looked at by itself, where that can be done, and is then told.
    """
    board = match.board
    for place, action in enumerate(board.actions(match.opened, match.state, text)):
        if len(match.legal()) > 1:
            best, *others = look(match, playouts, seed + place)
            played = next((line for line in others if line.action == action), None)
            weighed = _compare(match, best, played, playouts, seed + place, closely) if played else None
            if weighed:
                (value, tried), (less, seldom) = weighed
                # A share of n playouts has a standard error of √(1/4n) at most.
                noise = isqrt(250_000 * (tried + seldom) // (tried * seldom))
                yield _Slip(ply, place, less, best.action, value, noise)
        match.play(action)


def _compare(
    match: Match, best: Line, played: Line, playouts: int, seed: int, closely: bool
) -> list[tuple[int, int]] | None:
    """Return what both actions are worth, and how many playouts have shown it; None if that may not be told."""
    kept = [one for line in (best, played) if closely and (one := _weigh(match, line.action, playouts, seed))]
    if len(kept) == 2:
        return kept
    pair = [best, played]
    if not played.playouts:
        # The search found it not worth a try.
        every = {line.action: line for line in look(match, playouts, seed, thorough=True)}
        pair = [every[line.action] for line in pair]
    if closely and any(line.shown is None for line in pair):
        return None
    return [(line.value, max(1, line.playouts)) for line in pair]


def _weigh(match: Match, action: int, playouts: int, seed: int) -> tuple[int, int] | None:
    """Return what is left to the seat to act after an action, in per mille, and how many playouts have shown it.

    None where a roll comes next, or there are more than two seats: the search tells only what it's worth to who acts.
    """
    seat, after = match.actor, match.copy()
    after.play(action)
    actor = after.actor
    if actor == OVER:
        return after.rewards()[seat] * 1000 // WHOLE, playouts
    if actor == CHANCE or len(match.order) > 2:
        return None
    best = look(after, playouts, seed)[0]
    if best.shown is None:
        return None
    return best.shown if actor == seat else 1000 - best.shown, best.playouts


def _improve(match: Match, text: str, slip: _Slip, playouts: int, seed: int) -> tuple[str, tuple[Entry, ...]]:
    """Return the move that is as it was played up to the slip, and then better, and what would follow it."""
    board, opened, begun = match.board, match.opened, match.state.copy()
    actions = [*board.actions(opened, begun, text)[: slip.place], slip.action]
    for action in actions:
        match.play(action)
    while (better := board.text(opened, begun, actions)) is None:
        legal = match.legal()
        actions.append(look(match, playouts, seed + len(actions))[0].action if len(legal) > 1 else legal[0])
        match.play(actions[-1])
    return better, tuple(_continue(match, playouts, seed))


def _continue(match: Match, playouts: int, seed: int) -> Sequence[Entry]:
    """Return what robots would play from here on, until a roll that nobody knows, or the end."""
    line: list[Entry] = []
    while len(line) < _FOLLOWING and (actor := match.actor) not in (CHANCE, OVER):
        move = think(match, playouts, seed).move
        line.append(Entry(actor, move))
        for action in match.board.actions(match.opened, match.state, move):
            match.play(action)
    return line
