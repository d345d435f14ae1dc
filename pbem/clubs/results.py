"""Results: what a finished match says about its players, for ratings and for reliability."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.match.endings import is_draw
from pbem.match.log import LogEntry
from pbem.match.match import Match, is_move, left_along
from rules.position import Seat

MOVES_TO_COUNT = 2
"""Moves that each side has to make before a match counts for ratings: who leaves sooner has not begun."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a match was for one of its players: those of one ``side`` won, or lost, together.

    ``turns`` are those in which they were to move; in ``late`` of them their time was over. ``timed_out``: they were
    taken out of the match by that, and not only since a partner was.
    """

    player: int
    side: int
    score: float
    turns: int
    late: int
    timed_out: bool


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended, and when (UTC), with a part for each seat.

    ``rated``: it counts for ratings, as far as the match itself tells; ``timed``: it had a clock, so that it tells who
    is reliable.
    """

    match: int
    game: str
    at: datetime
    rated: bool
    timed: bool
    parts: tuple[Part, ...]

    @property
    def players(self) -> frozenset[int]:
        """The numbers of its players."""
        return frozenset(part.player for part in self.parts)


def read_result(match: Match, log: Iterable[LogEntry]) -> Result | None:
    """Return the result of a match, with its whole ``log``; None while it goes on, and where it says nothing.

    Nothing says one that is void, or private, or in which a robot had a seat, or that is neither rated nor timed.
    """
    outcome, timed = match.outcome, match.clock is not None
    if outcome is None or match.private or match.robots or not (match.rated or timed):
        return None
    if match.ruling and match.ruling.kind == "void":
        return None
    sides, scores = _find_sides(match, outcome.winners, outcome.reason)
    moves = Counter(entry.seat for entry in match.record if is_move(entry))
    each_moved = all(
        sum(moves[seat] for seat, side in enumerate(sides) if side == one) >= MOVES_TO_COUNT for one in set(sides)
    )
    seats = range(len(match.players))
    flagged = {(one.seat, one.ply) for one in log if one.kind == "flagged"}
    parts = tuple(
        Part(
            match.players[seat].id,
            sides[seat],
            scores[seat],
            *_count_turns(match, seat, {ply for one, ply in flagged if one == seat}),
            timed_out=_timed_out(match, seat),
        )
        for seat in seats
    )
    # Whoever stands in plays for somebody else, so it would be neither's rating.
    rated = match.rated and not match.passed and each_moved and len({part.player for part in parts}) == len(parts)
    return Result(match.id, match.game.key, match.changed_at, rated and len(set(sides)) > 1, timed, parts)


def _find_sides(match: Match, winners: frozenset[Seat], reason: str) -> tuple[Sequence[int], Sequence[float]]:
    """Return the side of each seat, and its score: where somebody lost, all who did are one side."""
    seats = range(len(match.players))
    if not winners or is_draw(winners, reason, len(seats)):
        return [min(match.position.side(seat)) for seat in seats], [0.5 for _ in seats]
    won = [int(seat in winners) for seat in seats]
    return won, [float(one) for one in won]


def _count_turns(match: Match, seat: Seat, flagged: set[int]) -> tuple[int, int]:
    """Return how many turns the present player of a seat had, and in how many of them their time was over.

    ``flagged`` are the numbers of entries that there were then. A turn without a move is one, too, if they were late.
    """
    first = max((one.ply for one in match.passed if one.seat == seat), default=0)
    moved = [ply for ply, entry in enumerate(match.record) if entry.seat == seat and is_move(entry) and ply >= first]
    late = {ply for ply in flagged if ply >= first}
    unmoved = _timed_out(match, seat) or any(ply > max(moved, default=-1) for ply in late)
    turns = len(moved) + unmoved
    return turns, min(turns, max(len(late), int(_timed_out(match, seat))))


def _timed_out(match: Match, seat: Seat) -> bool:
    """Return whether the time of a seat itself was over, so that it left."""
    return any(
        entry.seat == seat and entry.text == "timeout" and not left_along(match, ply)
        for ply, entry in enumerate(match.record)
    )
