"""The positions of the matches that were read last, so that a long record is not replayed for each message about it."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from rules.errors import RulesError
from rules.game import Game, Value, advance, replay
from rules.position import Entry, Position

_MOST = 200  # matches; the position of one takes some ten kilobytes


class _Known(NamedTuple):
    """A position, with everything that it follows from; the options as a text, in which 1 is not True."""

    game: Game
    seats: int
    options: str
    record: tuple[Entry, ...]
    position: Position[Any]

    def leads_to(self, game: Game, seats: int, options: str, record: tuple[Entry, ...]) -> bool:
        """Return whether another record goes on from this one."""
        same = self.game is game and self.seats == seats and self.options == options
        return same and record[: len(self.record)] == self.record


def position_of(
    number: int, game: Game, seats: int, options: Mapping[str, Value], record: tuple[Entry, ...]
) -> Position[Any]:
    """Return the position that the record of match ``number`` leads to. Raise what ``replay`` raises.

    Only what is new in a record is played, from the position that is known. What is known was read from the same rows:
    each of them is compared again, so that a row which has changed since is never passed over.
    """
    shelf, given = _shelf(number), repr(options)
    known = shelf[0] if shelf else None
    position = _play_on(known, record) if known and known.leads_to(game, seats, given, record) else None
    if position is None:
        position = replay(game, seats=seats, options=options, record=record)
    shelf[:] = [_Known(game, seats, given, record, position)]
    return position


def _play_on(known: _Known, record: tuple[Entry, ...]) -> Position[Any] | None:
    """Return the position after the rest of ``record``; None if the rules forbid it, which ``replay`` explains."""
    position = known.position
    try:
        for entry in record[len(known.record) :]:
            position = advance(position, entry)
    except RulesError:
        return None
    return position


@lru_cache(_MOST)
def _shelf(number: int) -> list[_Known]:
    """Return where the position of a match is kept, at most one; that of the match not read for longest is dropped."""
    return []
