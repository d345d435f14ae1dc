"""The records of the matches that were read last, and where they lead: a long one is not replayed for each message."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from pbem.errors import DamagedMatch
from rules.errors import RulesError
from rules.game import Game, Value, advance, replay
from rules.position import Entry, Position

_MOST = 200  # matches; one takes some twenty kilobytes


class _Known(NamedTuple):
    """A record and its position, with all that they follow from; the options as a text, in which 1 is not True."""

    opening: tuple[Game, int, str]
    rows: Sequence[Any]
    record: tuple[Entry, ...]
    position: Position[Any]


def read_record(
    number: int, game: Game, seats: int, options: Mapping[str, Value], rows: Sequence[Any]
) -> tuple[tuple[Entry, ...], Position[Any]]:
    """Return the record of match ``number``, made of the ``rows`` of its entries, and the position that it leads to.

    Only what is new in it is read and played, from what is known. That was made of the same rows: each of them is
    compared again, so that a row which has changed since is never passed over. Raise DamagedMatch, and what ``replay``
    raises.
    """
    shelf, opening = _shelf(number), (game, seats, repr(options))
    known = shelf[0] if shelf and shelf[0].opening == opening else None
    if known and rows[: len(known.rows)] != known.rows:
        known = None
    begun = known.record if known else ()
    later = rows[len(begun) :]
    record = begun + tuple([_read_entry(number, seats, ply, row) for ply, row in enumerate(later, len(begun))])
    position = _play_on(known, record) if known else None
    if position is None:
        position = replay(game, seats=seats, options=options, record=record)
    shelf[:] = [_Known(opening, rows, record, position)]
    return record, position


def _read_entry(number: int, seats: int, ply: int, row: Sequence[Any]) -> Entry:
    """Return the entry of a match before which there are ``ply`` others. Raise DamagedMatch."""
    _, stored, seat, text, made_at = row
    if stored != ply:
        raise DamagedMatch(number, f"entry {ply + 1} of its record is missing, or there twice")
    is_seat = seat is None or (type(seat) is int and 0 <= seat < seats)
    if type(text) is not str or type(made_at) is not datetime or not is_seat:
        raise DamagedMatch(number, f"entry {ply + 1} of its record is no move of its players")
    return Entry(seat, text)


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
