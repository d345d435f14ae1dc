"""Results: what a finished match says about its players, for ratings and for reliability.

Whoever lets their seat pass to somebody answers for how it goes on: else whoever is about to lose would name a
stand-in. So that counts for them if their side loses, and for nobody if it doesn't.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from pbem.match.endings import is_draw
from pbem.match.holders import Held, find_held
from pbem.match.log import LogEntry
from pbem.match.match import Match, is_move, left_along
from rules.position import Outcome, Seat

MOVES_TO_COUNT = 2
"""Moves that each side has to make before a match counts for ratings: who leaves sooner has not begun.

Nobody makes them who only stands in.
"""

Uncounted: TypeAlias = Literal["void", "private", "robot", "taken", "alone", "few_moves", "passed_on"]
"""Why a match counts for no rating: it was called off, or is private; a robot was in it from the beginning; a seat was
taken from its player; nobody met anybody else; not each side moved twice; or a seat that its player let pass didn't
lose.
"""


@dataclass(frozen=True, slots=True)
class Part:
    """What a match was for one of its players: those of one ``side`` won, or lost, together.

    ``turns`` are those in which they were to move; in ``late`` of them their time was over. ``timed_out``: they were
    taken out of the match by that, and not only since a partner was. ``gave_away``: they gave their seat away for good,
    and it lost.
    """

    player: int
    side: int
    score: float
    turns: int
    late: int
    timed_out: bool
    gave_away: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended, and when (UTC), with a part for each seat: that of who answers for it.

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

    @property
    def lost_on_time(self) -> tuple[int, ...]:
        """Whose time was over, so that they lost it alone: what partners lose, too, is excused by nobody's absence."""
        sides = Counter(part.side for part in self.parts)
        return tuple(one.player for one in self.parts if one.timed_out and not one.score and sides[one.side] == 1)


def read_result(match: Match, log: Iterable[LogEntry]) -> Result | None:
    """Return the result of a match, with its whole ``log``; None while it goes on, and where it says nothing.

    Nothing says one that is void, or private, or in which a robot plays for itself, or that is neither rated nor timed.
    """
    outcome, timed = match.outcome, match.clock is not None
    if outcome is None or not (match.rated or timed):
        return None
    uncounted = why_uncounted(match)
    if uncounted in ("void", "private", "robot"):
        return None
    seats = _hold(match)
    sides, scores = _find_sides(match, outcome)
    flags = {(one.seat, one.ply): one.at for one in log if one.kind == "flagged"}
    parts = tuple(
        Part(
            answering,
            sides[seat],
            scores[seat],
            *_count_turns(match, seat, held, [(ply, at) for (one, ply), at in flags.items() if one == seat]),
            timed_out=_timed_out(match, seat),
            gave_away=held.is_given and not scores[seat],
        )
        for seat, (held, answering) in enumerate(zip(seats, list_answering(match), strict=True))
    )
    return Result(match.id, match.game.key, match.changed_at, match.rated and uncounted is None, timed, parts)


def why_uncounted(match: Match) -> Uncounted | None:
    """Return why a match that is over counts for no rating even if it is rated; None where it counts, or goes on."""
    outcome, ruling = match.outcome, match.ruling
    if outcome is None:
        return None
    if ruling and ruling.kind == "void":
        return "void"
    if match.private:
        return "private"
    seats = _hold(match)
    if _has_robots(match, seats):
        return "robot"
    if any(held.since for held in seats):
        return "taken"
    sides, scores = _find_sides(match, outcome)
    if len(set(sides)) < 2 or len(set(list_answering(match))) < len(seats):
        return "alone"
    moved = [sides[seat] for seat in _list_movers(match, seats)]
    if any(moved.count(side) < MOVES_TO_COUNT for side in sides):
        return "few_moves"
    return "passed_on" if any(held.passed and scores[seat] for seat, held in enumerate(seats)) else None


def list_answering(match: Match) -> list[int]:
    """Return the number of who answers for each seat: whoever has it, or let it pass."""
    owners = [held.owner for held in _hold(match)]
    return [player.id if owner is None else owner for player, owner in zip(match.players, owners, strict=True)]


def _hold(match: Match) -> list[Held]:
    """Return how each seat was held."""
    return [find_held(match.passed, seat) for seat in range(len(match.players))]


def _has_robots(match: Match, seats: Sequence[Held]) -> bool:
    """Return whether a robot has, or had, a seat that nobody let it have."""
    return any(
        not any(one.how in ("lent", "given") and one.ply == stint.first for one in seats[stint.seat].passed)
        for stint in match.robots
    )


def _list_movers(match: Match, seats: Sequence[Held]) -> list[Seat]:
    """Return the seat of each move that was made by who answers for it."""
    return [
        entry.seat
        for ply, entry in enumerate(match.record)
        if entry.seat is not None and is_move(entry) and seats[entry.seat].is_own(ply)
    ]


def _find_sides(match: Match, outcome: Outcome) -> tuple[Sequence[int], Sequence[float]]:
    """Return the side of each seat, and its score: where somebody lost, all who did are one side."""
    seats, winners = range(len(match.players)), outcome.winners
    if not winners or is_draw(winners, outcome.reason, len(seats)):
        return [min(match.position.side(seat)) for seat in seats], [0.5 for _ in seats]
    won = [int(seat in winners) for seat in seats]
    return won, [float(one) for one in won]


def _count_turns(match: Match, seat: Seat, held: Held, flags: Iterable[tuple[int, datetime | None]]) -> tuple[int, int]:
    """Return how many turns who answers for a seat had there, and in how many of them their time was over.

    ``flags`` are the numbers of entries that there were then, and the times. A turn without a move is one, too, if they
    were late.
    """
    moved = [
        ply for ply, entry in enumerate(match.record) if entry.seat == seat and is_move(entry) and held.is_own(ply)
    ]
    late = {ply for ply, at in flags if held.is_own(ply, at)}
    unmoved = _timed_out(match, seat) or any(ply > max(moved, default=-1) for ply in late)
    turns = len(moved) + unmoved
    return turns, min(turns, max(len(late), int(_timed_out(match, seat))))


def _timed_out(match: Match, seat: Seat) -> bool:
    """Return whether the time of a seat itself was over, so that it left."""
    return any(
        entry.seat == seat and entry.text == "timeout" and not left_along(match, ply)
        for ply, entry in enumerate(match.record)
    )
