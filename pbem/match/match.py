"""A match: who plays what, and the record whose fold is the position."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from pbem.match.fair_rolls import FairRolls, commitment
from pbem.match.preferences import Preferences
from rules import Chance, Entry, Game, Outcome, Position, Record, Seat, Value, advance, replay, write_record


@dataclass(frozen=True)
class Player:
    """A person at the board; ``email`` is where notices go, ``emails`` is every address they may write from."""

    id: int
    name: str
    email: str
    emails: frozenset[str]
    preferences: Preferences = field(default_factory=Preferences)

    def preferring(self, preferences: Preferences) -> "Player":
        """Return the player with other preferences."""
        return replace(self, preferences=preferences)


@dataclass(frozen=True)
class Comment:
    """What ``seat`` wrote when the record had ``ply`` entries; ``to_side``: for their own side only."""

    seat: Seat
    ply: int
    text: str
    to_side: bool = False


@dataclass(frozen=True)
class Match:
    """One playing of a game; ``players`` sit in seat order, ``times`` (UTC) go with the entries of ``record``.

    All rolls follow from ``secret``, which nobody is shown before the end, and from ``seeds``: each player's own words,
    "" for none, None until they have answered. At ``rolls_due`` no more answers are awaited. ``folded`` is the fold of
    the record where it is known already.
    """

    id: int
    game: Game
    options: Mapping[str, Value]
    players: tuple[Player, ...]
    opened_at: datetime
    record: tuple[Entry, ...] = ()
    times: tuple[datetime, ...] = ()
    comments: tuple[Comment, ...] = field(default=(), repr=False)
    secret: str = field(default="", repr=False)
    seeds: tuple[str | None, ...] = ()
    rolls_due: datetime | None = None
    folded: Position[Any] | None = field(default=None, repr=False, compare=False)

    @cached_property
    def position(self) -> Position[Any]:
        """Where the match stands: the fold of its record; raises InvalidRecord if the record is damaged."""
        if self.folded is not None:
            return self.folded
        return replay(self.game, seats=len(self.players), options=self.options, record=self.record)

    @property
    def ply(self) -> int:
        """How many entries the record has."""
        return len(self.record)

    @property
    def moves_made(self) -> int:
        """How many of them were made by seats, rolls not counted."""
        return sum(entry.seat is not None for entry in self.record)

    @property
    def to_act(self) -> Seat | Chance | None:
        """Whose turn it is, as the position says."""
        return self.position.to_act

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None."""
        return self.position.outcome()

    @property
    def awaits_seeds(self) -> bool:
        """Whether the very first roll comes next, so that players may still mix in words of their own."""
        return isinstance(self.to_act, Chance) and all(entry.seat is not None for entry in self.record)

    @property
    def unseeded(self) -> tuple[Seat, ...]:
        """The seats that have not yet answered whether they mix in words; nobody who has left."""
        gone = self.position.departed()
        seeds = self.seeds or (None,) * len(self.players)
        return tuple(seat for seat, words in enumerate(seeds) if words is None and seat not in gone)

    def with_seed(self, seat: Seat, words: str) -> "Match":
        """Return the match with the words that ``seat`` mixes into the rolls."""
        seeds = list(self.seeds or (None,) * len(self.players))
        seeds[seat] = words
        return replace(self, seeds=tuple(seeds), folded=self.position)

    def with_player(self, player: Player) -> "Match":
        """Return the match with what is known of one of its players by now."""
        players = tuple(player if one.id == player.id else one for one in self.players)
        return replace(self, players=players, folded=self.position)

    def seat_of(self, player: Player) -> Seat:
        """Return where ``player`` sits; raises StopIteration for somebody who does not."""
        return next(seat for seat, seated in enumerate(self.players) if seated.id == player.id)

    @property
    def public_seeds(self) -> Mapping[Seat, str]:
        """The words mixed in, by seat; none before the first roll, lest somebody fit their own to them."""
        return {} if self.awaits_seeds else self.fair_rolls.seeds

    @property
    def fair_rolls(self) -> FairRolls:
        """Where the rolls of the match come from."""
        return FairRolls(self.id, self.secret, {seat: words for seat, words in enumerate(self.seeds) if words})

    @property
    def changed_at(self) -> datetime:
        """When the latest entry was made (UTC), or the match opened."""
        return self.times[-1] if self.times else self.opened_at

    @property
    def possible_rolls(self) -> tuple[str, ...]:
        """What may be rolled in the match, as its options have it."""
        return self.game.rolls_with(self.options)

    def partners(self, seat: Seat) -> frozenset[Seat]:
        """Return the other seats of the side of ``seat`` that have not left."""
        return self.position.side(seat) - {seat} - self.position.departed()

    def name(self, seat: Seat) -> str:
        """Return the name of the player at ``seat``."""
        return self.players[seat].name

    def after(self, entry: Entry, at: datetime) -> "Match":
        """Return the match with one more entry; raises a RulesError when the rules forbid it."""
        folded = advance(self.position, entry)  # spares replaying the whole record
        return replace(self, record=(*self.record, entry), times=(*self.times, at), folded=folded)

    def at(self, ply: int) -> "Match":
        """Return the match as it stood after ``ply`` entries."""
        folded = self.position if ply == self.ply else None
        return replace(self, record=self.record[:ply], times=self.times[:ply], folded=folded)

    def automatic_entry(self) -> Entry | None:
        """Return the entry that comes next without anybody's decision: a roll, or a move that leaves no choice."""
        awaited = self.to_act
        if isinstance(awaited, Chance):
            return Entry(None, str(self.fair_rolls.value(self.ply, awaited)))
        if awaited is None or (forced := self.position.forced()) is None:
            return None
        return Entry(awaited, str(forced))


def advance_automatically(match: Match, now: datetime) -> Match:
    """Return the match with every roll made, and every move that leaves no choice, up to a seat's decision.

    The first roll waits until every seat has answered whether they mix in words, or until their time is over.
    """
    if match.awaits_seeds and match.unseeded and match.rolls_due and now < match.rolls_due:
        return match
    while (entry := match.automatic_entry()) is not None:
        match = match.after(entry, now)
    return match


def fingerprint(match: Match) -> str:
    """Return six hexadecimal digits that any two people can compare to see that they hold the same record."""
    lines = "\n".join(f"{entry.seat} {entry.text}" for entry in match.record)
    return hashlib.sha256(f"{match.id}\n{lines}".encode()).hexdigest()[:6]


def record_of(match: Match) -> Record:
    """Return the match as a record to keep, exchange and verify."""
    notes = {"match": str(match.id)}
    notes |= {f"player {seat + 1}": player.name for seat, player in enumerate(match.players)}
    notes["opened"] = match.opened_at.strftime("%Y-%m-%d")
    if match.possible_rolls and match.secret:
        notes["commitment"] = commitment(match.secret)
        notes |= {f"salt {seat + 1}": words for seat, words in sorted(match.public_seeds.items())}
    if outcome := match.outcome:
        if match.possible_rolls and match.secret:
            notes["secret"] = match.secret
        notes["over"] = match.changed_at.strftime("%Y-%m-%d")
        notes["winners"] = winners_note(outcome) or ""
        notes["reason"] = outcome.reason
    return Record(match.game.key, len(match.players), match.options, match.record, notes)


def winners_note(outcome: Outcome | None) -> str | None:
    """Return how a record notes the winners: seats from 1, ``nobody``, or None while there is no result."""
    if outcome is None:
        return None
    return " ".join(str(seat + 1) for seat in sorted(outcome.winners)) or "nobody"


def record_text(match: Match) -> str:
    """Return the record of ``match`` as text."""
    return write_record(record_of(match))
