"""What lists tell of a match: plain values that can be stored beside it, so that no list replays a record. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.time.calendar import Span
from pbem.match.time.clock import Clock
from rules.game import Game, Value
from rules.position import Chance, Seat


@dataclass(frozen=True, slots=True)
class Standing:
    """How a match stands: what follows from its record alone, and changes with each entry.

    ``moves`` are the entries that seats have made, resignations included; ``changed_at`` is the time (UTC) of the last
    entry, or of the opening. ``to_act`` is None too where ``awaits_roll``. ``winners`` is None while the match goes on;
    then ``reason`` is empty.
    """

    ply: int
    moves: int
    changed_at: datetime
    to_act: Seat | None
    awaits_roll: bool
    roles: tuple[str | None, ...]
    departed: tuple[Seat, ...]
    winners: tuple[Seat, ...] | None
    reason: str

    @property
    def moves_made(self) -> int:
        """The number that `Match.moves_made` has: resignations are no moves."""
        return self.moves - len(self.departed)


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match without its record: what was set at its opening, its player seeds, and how it stands."""

    id: int
    game: Game
    options: Mapping[str, Value]
    players: tuple[Player, ...]
    opened_at: datetime
    standing: Standing
    secret: str = field(default="", repr=False)
    seeds: tuple[str | None, ...] = ()
    rolls_due: datetime | None = None
    clock: Clock | None = None
    outages: tuple[Span, ...] = ()
    private: bool = False
    rated: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.standing.winners is not None

    @property
    def unseeded(self) -> tuple[Seat, ...]:
        """The seats that `Match.unseeded` has."""
        seeds = self.seeds or (None,) * len(self.players)
        silent = (seat for seat, seed in enumerate(seeds) if seed is None and seat not in self.standing.departed)
        return tuple(seat for seat in silent if not self.players[seat].robot)

    @property
    def public_seeds(self) -> Mapping[Seat, str]:
        """The player seeds that `Match.public_seeds` has: none before the first roll."""
        awaits_seeds = self.standing.awaits_roll and self.standing.moves == self.standing.ply
        return {} if awaits_seeds else {seat: seed for seat, seed in enumerate(self.seeds) if seed}

    def name(self, seat: Seat) -> str:
        """Return the name of the player at ``seat``."""
        return self.players[seat].name


def standing_of(match: Match) -> Standing:
    """Return how a match stands. Raise InvalidRecord for a damaged record."""
    awaited, outcome = match.to_act, match.outcome
    return Standing(
        ply=match.ply,
        moves=sum(entry.seat is not None for entry in match.record),
        changed_at=match.changed_at,
        to_act=None if isinstance(awaited, Chance) else awaited,
        awaits_roll=isinstance(awaited, Chance),
        roles=match.position.roles(),
        departed=tuple(sorted(match.position.departed())),
        winners=tuple(sorted(outcome.winners)) if outcome else None,
        reason=outcome.reason if outcome else "",
    )


def summarise(match: Match) -> MatchSummary:
    """Return the summary of a match. Raise InvalidRecord for a damaged record."""
    return MatchSummary(
        id=match.id,
        game=match.game,
        options=match.options,
        players=match.players,
        opened_at=match.opened_at,
        standing=standing_of(match),
        secret=match.secret,
        seeds=match.seeds,
        rolls_due=match.rolls_due,
        clock=match.clock,
        outages=match.outages,
        private=match.private,
        rated=match.rated,
    )
