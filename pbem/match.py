"""A match: who plays what, and the record whose fold is the position."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from pbem.lots import Lots, commitment
from rules import Chance, Entry, Game, Outcome, Position, Record, Seat, Value, advance, replay, write_record


@dataclass(frozen=True)
class Player:
    """A person at the board; ``email`` is where he is written to, ``emails`` all he may write from.

    ``display`` is how he wants boards, "" for the usual way; ``quiet``: he wants no mails until he writes again.
    """

    id: int
    name: str
    email: str
    emails: frozenset[str]
    display: str = ""
    quiet: bool = False


@dataclass(frozen=True)
class Remark:
    """What ``seat`` wrote when the record had ``ply`` entries; ``to_side``: for his own side only."""

    seat: Seat
    ply: int
    text: str
    to_side: bool = False


@dataclass(frozen=True)
class Match:
    """One playing of a game; ``players`` sit in seat order, ``times`` (UTC) go with the entries of ``record``.

    All lots follow from ``secret``, which nobody is shown before the end, and from ``salts``: each player's own words,
    "" if he wants none, None as long as he has not answered. At ``lots_due`` no more answers are waited for.
    """

    id: int
    game: Game
    options: Mapping[str, Value]
    players: tuple[Player, ...]
    opened_at: datetime
    record: tuple[Entry, ...] = ()
    times: tuple[datetime, ...] = ()
    remarks: tuple[Remark, ...] = field(default=(), repr=False)
    secret: str = field(default="", repr=False)
    salts: tuple[str | None, ...] = ()
    lots_due: datetime | None = None

    @cached_property
    def position(self) -> Position[Any]:
        """Where the match stands: the fold of its record; raises InvalidRecord if the record is damaged."""
        return replay(self.game, seats=len(self.players), options=self.options, record=self.record)

    @property
    def ply(self) -> int:
        """How many entries the record has."""
        return len(self.record)

    @property
    def moves_made(self) -> int:
        """How many of them were made by seats, lots not counted."""
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
    def awaits_salts(self) -> bool:
        """Whether the very first lot comes next, so that players may still mix in words of their own."""
        return isinstance(self.to_act, Chance) and all(entry.seat is not None for entry in self.record)

    @property
    def unsalted(self) -> tuple[Seat, ...]:
        """The seats that have not yet answered whether they mix in words; nobody who has left."""
        gone = self.position.departed()
        salts = self.salts or (None,) * len(self.players)
        return tuple(seat for seat, words in enumerate(salts) if words is None and seat not in gone)

    def salted(self, seat: Seat, words: str) -> "Match":
        """Return the match with the words that ``seat`` mixes into the lots."""
        salts = list(self.salts or (None,) * len(self.players))
        salts[seat] = words
        following = replace(self, salts=tuple(salts))
        following.__dict__["position"] = self.position
        return following

    @property
    def public_salts(self) -> Mapping[Seat, str]:
        """The words mixed in, by seat; none before the first lot, lest somebody fit his own to them."""
        return {} if self.awaits_salts else self.lots.salts

    @property
    def lots(self) -> Lots:
        """Where the lots of the match come from."""
        return Lots(self.id, self.secret, {seat: words for seat, words in enumerate(self.salts) if words})

    @property
    def rolls(self) -> tuple[str, ...]:
        """What may be drawn by lot in the match, as its options have it."""
        return self.game.rolls_with(self.options)

    @property
    def changed_at(self) -> datetime:
        """When the latest entry was made (UTC), or the match opened."""
        return self.times[-1] if self.times else self.opened_at

    def partners(self, seat: Seat) -> frozenset[Seat]:
        """Return the other seats of the side of ``seat`` that have not left."""
        return self.position.side(seat) - {seat} - self.position.departed()

    def name(self, seat: Seat) -> str:
        """Return the name of the player at ``seat``."""
        return self.players[seat].name

    def after(self, entry: Entry, at: datetime) -> "Match":
        """Return the match with one more entry; raises a RulesError when the rules forbid it."""
        following = replace(self, record=(*self.record, entry), times=(*self.times, at))
        following.__dict__["position"] = advance(self.position, entry)  # spares replaying the whole record
        return following

    def at(self, ply: int) -> "Match":
        """Return the match as it stood after ``ply`` entries."""
        return replace(self, record=self.record[:ply], times=self.times[:ply])


def fingerprint(match: Match) -> str:
    """Return six hexadecimal digits that any two people can compare to see that they hold the same record."""
    lines = "\n".join(f"{entry.seat} {entry.text}" for entry in match.record)
    return hashlib.sha256(f"{match.id}\n{lines}".encode()).hexdigest()[:6]


def record_of(match: Match) -> Record:
    """Return the match as a record to keep, exchange and verify."""
    notes = {"match": str(match.id)}
    notes |= {f"player {seat + 1}": player.name for seat, player in enumerate(match.players)}
    notes["opened"] = match.opened_at.strftime("%Y-%m-%d")
    if match.rolls and match.secret:
        notes["commitment"] = commitment(match.secret)
        notes |= {f"salt {seat + 1}": words for seat, words in sorted(match.public_salts.items())}
    if outcome := match.outcome:
        if match.rolls and match.secret:
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
