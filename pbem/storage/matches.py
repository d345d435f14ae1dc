"""Matches with their records, comments and player seeds."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlmodel import Session, and_, col, func, select

from db import models
from db.models import MatchEntry, SeatAssignment
from pbem.match import Comment, Match, MatchSummary, summarise
from pbem.storage.due import FIRST_ROLLS, DueThings
from pbem.storage.gateway import Gateway, column_values, row_id
from pbem.storage.players import Players
from rules import GAMES, Entry


class Matches(Gateway):
    """The gateway to matches; entries of a record are added, never changed."""

    def __init__(self, session: Session, players: Players, due: DueThings) -> None:
        super().__init__(session)
        self._players = players
        self._due = due

    def open(self, match: Match) -> Match:
        """Store a new match, which has no entries yet, and return it with its number."""
        row = models.Match(
            game=match.game.key,
            seats=len(match.players),
            options=dict(match.options),
            opened_at=match.opened_at,
            changed_at=match.opened_at,
            secret=match.secret,
        )
        self._session.add(row)
        self._session.flush()
        for seat, player in enumerate(match.players):
            self._session.add(SeatAssignment(match_id=row_id(row.id), seat=seat, player_id=player.id))
        self._session.flush()
        opened = replace(match, id=row_id(row.id))
        if match.rolls_due:
            self._due.schedule(FIRST_ROLLS, opened.id, match.rolls_due)
        return opened

    def get(self, number: int, *, comments: bool = False) -> Match | None:
        """Return the match with this number; ``comments``: with its comments."""
        found = self.all([number], comments=comments) if abs(number) < 2**31 else []
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

        ``running``: only matches that are not over. ``comments``: the matches come with their comments. ``after``: only
        matches with higher numbers, the first ``limit`` of them.
        """
        query = _WITH_DUE.where(col(models.Match.id) > after).order_by(col(models.Match.id)).limit(limit)
        if numbers is not None:
            query = query.where(col(models.Match.id).in_(numbers))
        if changed_since is not None:
            # As a list of numbers: else SQLite would look at every match, since it reads them in the order of these.
            changed = select(models.Match.id).where(models.Match.changed_at >= changed_since)
            query = query.where(col(models.Match.id).in_(changed))
        if running:
            query = query.where(col(models.Match.over_at).is_(None))
        if player is not None:
            own = select(SeatAssignment.match_id).where(SeatAssignment.player_id == player)
            query = query.where(col(models.Match.id).in_(own))
        rows = self._session.exec(query).all()
        return self._assemble(rows, comments) if rows else []

    def summaries(
        self, *, running: bool = False, before: int | None = None, limit: int | None = None
    ) -> list[MatchSummary]:
        """Return summaries in the order of the matches' numbers: of the newest ``limit`` matches.

        ``running``: only of matches that are not over; ``before``: only of matches with lower numbers.
        """
        query = _narrow(select(models.Match.id), running, before, None)
        found = self._session.exec(query.order_by(col(models.Match.id).desc()).limit(limit)).all()
        numbers = [row_id(number) for number in reversed(found)]
        pages = (numbers[start : start + _PAGE] for start in range(0, len(numbers), _PAGE))
        return [summarise(match) for page in pages for match in self.all(page)]

    def count(self, *, running: bool = False, before: int | None = None, changed_since: datetime | None = None) -> int:
        """Return the number of matches; the arguments narrow the choice as those of ``summaries`` and ``all`` do."""
        return int(self._session.exec(_narrow(select(func.count()), running, before, changed_since)).one())

    def newest(self) -> int:
        """Return the number of the newest match; 0 where there is none."""
        return self._session.exec(select(func.max(models.Match.id))).one() or 0

    def append(self, match: Match, entries: Sequence[Entry], times: Sequence[datetime], inbound: int | None) -> None:
        """Add entries to the record of ``match``. Raise Busy at the commit if another worker was faster."""
        for ply, (entry, made_at) in enumerate(zip(entries, times, strict=True), match.ply):
            self._session.add(
                MatchEntry(**column_values(entry), match_id=match.id, ply=ply, made_at=made_at, inbound_id=inbound)
            )
        self._session.flush()

    def touch(self, match: Match, now: datetime) -> None:
        """Store when ``match`` changed, and when it ended."""
        changes = {"changed_at": now} | ({"over_at": match.changed_at} if match.outcome else {})
        self._set(models.Match, models.Match.id == match.id, **changes)

    def set_seeds(self, match: Match) -> None:
        """Store the player seeds of a match."""
        for seat, seed in enumerate(match.seeds):
            self._set(SeatAssignment, SeatAssignment.match_id == match.id, SeatAssignment.seat == seat, salt=seed)

    def add_comments(self, match: Match, comments: Iterable[Comment], now: datetime, inbound: int | None) -> None:
        """Store comments of a match."""
        for comment in comments:
            self._session.add(
                models.Comment(**column_values(comment), match_id=match.id, made_at=now, inbound_id=inbound)
            )

    def _assemble(self, rows: Sequence[tuple[models.Match, datetime | None]], with_comments: bool) -> list[Match]:
        """Return matches with their players and records, in a fixed number of queries."""
        numbers = [row_id(row.id) for row, _ in rows]
        seats: dict[int, list[SeatAssignment]] = defaultdict(list)
        query = select(SeatAssignment).where(col(SeatAssignment.match_id).in_(numbers))
        for place in self._session.exec(query.order_by(col(SeatAssignment.seat))):
            seats[place.match_id].append(place)
        players = self._players.by_id({place.player_id for places in seats.values() for place in places})
        records: dict[int, list[tuple[Entry, datetime]]] = defaultdict(list)
        for number, seat, text, made_at in self._session.exec(
            select(MatchEntry.match_id, MatchEntry.seat, MatchEntry.text, MatchEntry.made_at)
            .where(col(MatchEntry.match_id).in_(numbers))
            .order_by(col(MatchEntry.match_id), col(MatchEntry.ply))
        ):
            records[number].append((Entry(seat, text), made_at))
        comments: dict[int, list[Comment]] = defaultdict(list)
        if with_comments:
            written = select(models.Comment).where(col(models.Comment.match_id).in_(numbers))
            for row in self._session.exec(written.order_by(col(models.Comment.id))):
                comments[row.match_id].append(Comment(row.seat, row.ply, row.text, row.to_side))
        return [
            Match(
                number,
                GAMES[match.game],
                match.options,
                tuple(players[place.player_id] for place in seats[number]),
                match.opened_at,
                tuple(entry for entry, _ in records[number]),
                tuple(made_at for _, made_at in records[number]),
                tuple(comments[number]),
                match.secret,
                tuple(place.salt for place in seats[number]),
                rolls_due,
            )
            for number, (match, rolls_due) in zip(numbers, rows, strict=True)
        ]


def _narrow(query: Any, running: bool, before: int | None, changed_since: datetime | None) -> Any:
    """Return a query of matches with the conditions for these arguments."""
    if running:
        query = query.where(col(models.Match.over_at).is_(None))
    if before is not None:
        query = query.where(col(models.Match.id) < before)
    if changed_since is not None:
        query = query.where(models.Match.changed_at >= changed_since)
    return query.select_from(models.Match)


_PAGE = 200  # matches that are in memory at a time

_WITH_DUE = select(models.Match, models.Due.due_at).outerjoin(
    models.Due, and_(col(models.Due.subject) == models.Match.id, col(models.Due.kind) == FIRST_ROLLS)
)
