"""Matches with their records, comments and player seeds."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import Column, Connection, Select, and_, bindparam, func, select, update

from pbem.match import Comment, Match, MatchSummary, Player, standing_of
from pbem.storage.due import FIRST_ROLLS, DueThings
from pbem.storage.gateway import Gateway, column_values
from pbem.storage.players import PLAYER_COLUMNS, read_players
from pbem.storage.standings import read_standing, write_standing
from pbem.storage.tables import ADDRESS, COMMENT, DUE, ENTRY, MATCH, PLAYER, SEAT
from rules import GAMES, Entry, RulesError

_AT_ONCE = 500  # matches that are read together


@dataclass(frozen=True)
class _Reading:
    """The statements that read matches, chosen by their numbers: each part in one statement."""

    matches: Select[Any]
    seats: Select[Any]
    entries: Select[Any]
    comments: Select[Any]


def _reading(choose: Callable[[Column[Any]], Any]) -> _Reading:
    """Return the statements for the matches whose numbers meet the condition that ``choose`` makes of a column."""
    rolls_due = and_(DUE.c.subject == MATCH.c.id, DUE.c.kind == FIRST_ROLLS)
    of_match = MATCH.c.id, MATCH.c.game, MATCH.c.options, MATCH.c.opened_at, MATCH.c.secret, DUE.c.due_at
    of_seat = SEAT.c.match_id, SEAT.c.seat, SEAT.c.salt, *PLAYER_COLUMNS
    of_entry = ENTRY.c.match_id, ENTRY.c.seat, ENTRY.c.text, ENTRY.c.made_at
    of_comment = COMMENT.c.match_id, COMMENT.c.seat, COMMENT.c.ply, COMMENT.c.text, COMMENT.c.to_side
    players = SEAT.join(PLAYER).join(ADDRESS, ADDRESS.c.player_id == PLAYER.c.id)
    return _Reading(
        select(*of_match).outerjoin_from(MATCH, DUE, rolls_due).where(choose(MATCH.c.id)).order_by(MATCH.c.id),
        select(*of_seat)
        .select_from(players)
        .where(choose(SEAT.c.match_id))
        .order_by(SEAT.c.match_id, SEAT.c.seat, ADDRESS.c.is_primary.desc()),
        select(*of_entry).where(choose(ENTRY.c.match_id)).order_by(ENTRY.c.match_id, ENTRY.c.ply),
        select(*of_comment).where(choose(COMMENT.c.match_id)).order_by(COMMENT.c.id),
    )


_ONE = _reading(lambda number: number == bindparam("number"))
_SOME = _reading(lambda number: number.in_(bindparam("number", expanding=True)))
_STANDINGS = _SOME.matches.add_columns(MATCH.c.standing)
_CHANGE = update(MATCH).where(MATCH.c.id == bindparam("number"))
_SET_SEED = update(SEAT).where(SEAT.c.match_id == bindparam("number"), SEAT.c.seat == bindparam("the_seat"))


class Matches(Gateway):
    """The gateway to matches; entries of a record are added, never changed."""

    def __init__(self, connection: Connection, due: DueThings) -> None:
        super().__init__(connection)
        self._due = due

    def open(self, match: Match) -> Match:
        """Store a new match, which has no entries yet, and return it with its number."""
        number = self._add(
            MATCH,
            game=match.game.key,
            seats=len(match.players),
            options=dict(match.options),
            opened_at=match.opened_at,
            changed_at=match.opened_at,
            secret=match.secret,
            standing=write_standing(standing_of(match)),
        )
        seats = [
            {"match_id": number, "seat": seat, "player_id": player.id} for seat, player in enumerate(match.players)
        ]
        self._connection.execute(SEAT.insert(), seats)
        if match.rolls_due:
            self._due.schedule(FIRST_ROLLS, number, match.rolls_due)
        return replace(match, id=number)

    def get(self, number: int, *, comments: bool = False) -> Match | None:
        """Return the match with this number; ``comments``: with its comments."""
        found = self._read(_ONE, number, comments) if abs(number) < 2**31 else []
        return found[0] if found else None

    def all(
        self,
        numbers: Sequence[int] | None = None,
        *,
        comments: bool = False,
        player: int | None = None,
        running: bool = False,
        changed_since: datetime | None = None,
        after: int = 0,
        limit: int | None = None,
    ) -> list[Match]:
        """Return matches in the order of their numbers; every argument narrows the choice.

        ``running``: only matches that are not over. ``after``: only matches with a larger number, the first ``limit``
        of them. ``comments``: the matches come with their comments.
        """
        query = _narrow(select(MATCH.c.id), running, None, None).where(MATCH.c.id > after)
        query = query.order_by(MATCH.c.id).limit(limit)
        if changed_since is not None:
            # As a list of numbers: else SQLite would look at every match, since it reads them in the order of these.
            query = query.where(MATCH.c.id.in_(_narrow(select(MATCH.c.id), False, None, changed_since)))
        if player is not None:
            own = [number for (number,) in self._rows(select(SEAT.c.match_id).where(SEAT.c.player_id == player))]
            numbers = own if numbers is None else [number for number in own if number in numbers]
        chosen = self._choose(query, numbers)
        return [match for part in _batched(chosen) for match in self._read(_SOME, part, comments)]

    def summaries(
        self, *, running: bool = False, before: int | None = None, limit: int | None = None
    ) -> list[MatchSummary]:
        """Return summaries in the order of the matches' numbers: of the newest ``limit`` matches.

        ``running``: only of matches that are not over; ``before``: only of matches with lower numbers.
        """
        query = _narrow(select(MATCH.c.id), running, before, None).order_by(MATCH.c.id.desc()).limit(limit)
        numbers = [number for (number,) in reversed(self._rows(query))]
        return [summary for part in _batched(numbers) for summary in self._summarise(part)]

    def fill_standings(self) -> None:
        """Store how the matches stand that an older version wrote; those with a damaged record are passed over."""
        numbers = [number for (number,) in self._rows(select(MATCH.c.id).where(MATCH.c.standing.is_(None)))]
        for match in (match for part in _batched(numbers) for match in self._read(_SOME, part, with_comments=False)):
            with suppress(RulesError):
                self._write(_CHANGE, number=match.id, standing=write_standing(standing_of(match)))

    def count(self, *, running: bool = False, before: int | None = None, changed_since: datetime | None = None) -> int:
        """Return the number of matches; the arguments narrow the choice as those of ``summaries`` and ``all`` do."""
        return int(self._value(_narrow(select(func.count()).select_from(MATCH), running, before, changed_since)))

    def newest(self) -> int:
        """Return the number of the newest match; 0 where there is none."""
        return int(self._value(select(func.max(MATCH.c.id))) or 0)

    def append(self, match: Match, entries: Sequence[Entry], times: Sequence[datetime], inbound: int | None) -> None:
        """Add entries to the record of ``match``. Raise Busy if another worker was faster."""
        rows = [
            column_values(entry) | {"match_id": match.id, "ply": ply, "made_at": made_at, "inbound_id": inbound}
            for ply, (entry, made_at) in enumerate(zip(entries, times, strict=True), match.ply)
        ]
        if rows:
            self._connection.execute(ENTRY.insert(), rows)

    def touch(self, match: Match, now: datetime) -> None:
        """Store how ``match`` stands, when it changed, and when it ended."""
        ended = {"over_at": match.changed_at} if match.outcome else {}
        self._write(_CHANGE, number=match.id, changed_at=now, standing=write_standing(standing_of(match)), **ended)

    def set_seeds(self, match: Match) -> None:
        """Store the player seeds of a match."""
        for seat, seed in enumerate(match.seeds):
            self._write(_SET_SEED, number=match.id, the_seat=seat, salt=seed)

    def add_comments(self, match: Match, comments: Iterable[Comment], now: datetime, inbound: int | None) -> None:
        """Store comments of a match."""
        rows = [
            column_values(comment) | {"match_id": match.id, "made_at": now, "inbound_id": inbound}
            for comment in comments
        ]
        if rows:
            self._connection.execute(COMMENT.insert(), rows)

    def _choose(self, query: Select[Any], numbers: Sequence[int] | None) -> list[int]:
        """Return the numbers that ``query`` selects, only those among ``numbers`` if these are given."""
        if numbers is None:
            return [number for (number,) in self._rows(query)]
        parts = (query.where(MATCH.c.id.in_(part)) for part in _batched(sorted(numbers)))
        return [number for part in parts for (number,) in self._rows(part)]

    def _read(self, reading: _Reading, number: int | Sequence[int], with_comments: bool) -> list[Match]:
        """Return matches with their players and records, in a fixed number of queries."""
        rows = self._rows(reading.matches, number=number)
        if not rows:
            return []
        seats = _group(self._rows(reading.seats, number=number))
        records = _group(self._rows(reading.entries, number=number))
        comments: dict[int, list[Comment]] = defaultdict(list)
        if with_comments:
            for match, seat, ply, text, to_side in self._rows(reading.comments, number=number):
                comments[match].append(Comment(seat, ply, text, to_side))
        found = []
        for match, game, options, opened_at, secret, rolls_due in rows:
            players, seeds = _read_seats(seats[match])
            entries = records.get(match, ())
            found.append(
                Match(
                    match,
                    GAMES[game],
                    options,
                    players,
                    opened_at,
                    tuple(Entry(seat, text) for _, seat, text, _ in entries),
                    tuple(made_at for *_, made_at in entries),
                    tuple(comments[match]),
                    secret,
                    seeds,
                    rolls_due,
                )
            )
        return found

    def _summarise(self, numbers: Sequence[int]) -> list[MatchSummary]:
        """Return the summaries of matches; only those of which it is not stored how they stand are replayed."""
        seats = _group(self._rows(_SOME.seats, number=numbers))
        found = []
        for match, game, options, opened_at, secret, rolls_due, stored in self._rows(_STANDINGS, number=numbers):
            players, seeds = _read_seats(seats[match])
            standing = read_standing(stored) if stored else standing_of(self._read(_ONE, match, False)[0])
            found.append(
                MatchSummary(match, GAMES[game], options, players, opened_at, standing, secret, seeds, rolls_due)
            )
        return found


def _read_seats(rows: Sequence[Any]) -> tuple[tuple[Player, ...], tuple[str | None, ...]]:
    """Return the players of a match and their player seeds; a seat has a row for each address of its player."""
    players = read_players(row[3:] for row in rows)
    seats = {seat: (player, salt) for _, seat, salt, player, *_ in rows}
    return tuple(players[player] for player, _ in seats.values()), tuple(salt for _, salt in seats.values())


def _narrow(query: Select[Any], running: bool, before: int | None, changed_since: datetime | None) -> Select[Any]:
    """Return a query of matches with the conditions for these arguments."""
    if running:
        query = query.where(MATCH.c.over_at.is_(None))
    if before is not None:
        query = query.where(MATCH.c.id < before)
    if changed_since is not None:
        query = query.where(MATCH.c.changed_at >= changed_since)
    return query


def _group(rows: Iterable[Any]) -> dict[int, list[Any]]:
    """Return rows, which begin with the numbers of their matches and are sorted by them, by these numbers."""
    return {match: list(group) for match, group in groupby(rows, key=lambda row: row[0])}


def _batched(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield ``numbers`` in parts that a statement may hold, and that are read together."""
    for start in range(0, len(numbers), _AT_ONCE):
        yield numbers[start : start + _AT_ONCE]
