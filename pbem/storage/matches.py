"""Matches with their records, comments and player seeds."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import and_, update
from sqlmodel import Session, col, select

from db import models
from pbem.match import Comment, Match, Player
from pbem.storage.due import FIRST_ROLLS, DueThings
from pbem.storage.players import Players
from pbem.storage.records import row_id
from rules import GAMES, Entry


class Matches:
    """The gateway to matches; entries of a record are added, never changed."""

    def __init__(self, session: Session, players: Players, due: DueThings) -> None:
        self._session = session
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
            self._session.add(models.SeatAssignment(match_id=row_id(row.id), seat=seat, player_id=player.id))
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
    ) -> list[Match]:
        """Return matches in the order of their numbers; every argument narrows the choice.

        ``running``: only matches that are not over. ``comments``: the matches come with their comments.
        """
        query = _WITH_DUE.order_by(col(models.Match.id))
        if numbers is not None:
            query = query.where(col(models.Match.id).in_(numbers))
        if changed_since is not None:
            query = query.where(col(models.Match.changed_at) >= changed_since)
        if running:
            query = query.where(col(models.Match.over_at).is_(None))
        if player is not None:
            own = select(models.SeatAssignment.match_id).where(models.SeatAssignment.player_id == player)
            query = query.where(col(models.Match.id).in_(own))
        rows = self._session.exec(query).all()
        return self._assemble(rows, comments) if rows else []

    def append(self, match: Match, entries: Sequence[Entry], times: Sequence[datetime], inbound: int | None) -> None:
        """Add entries to the record of ``match``. Raise Busy at the commit if another worker was faster."""
        for number, (entry, made_at) in enumerate(zip(entries, times, strict=True)):
            self._session.add(
                models.MatchEntry(
                    match_id=match.id,
                    ply=match.ply + number,
                    seat=entry.seat,
                    text=entry.text,
                    made_at=made_at,
                    inbound_id=inbound,
                )
            )
        self._session.flush()

    def touch(self, match: Match, now: datetime) -> None:
        """Store when ``match`` changed, and when it ended."""
        changes = {"changed_at": now} | ({"over_at": match.changed_at} if match.outcome else {})
        self._session.execute(update(models.Match).where(col(models.Match.id) == match.id).values(**changes))

    def set_seeds(self, match: Match) -> None:
        """Store the player seeds of a match."""
        for number, seed in enumerate(match.seeds):
            seat = and_(col(models.SeatAssignment.match_id) == match.id, col(models.SeatAssignment.seat) == number)
            self._session.execute(update(models.SeatAssignment).where(seat).values(salt=seed))

    def add_comments(self, match: Match, comments: Iterable[Comment], now: datetime, inbound: int | None) -> None:
        """Store comments of a match."""
        for comment in comments:
            self._session.add(
                models.Comment(
                    match_id=match.id,
                    ply=comment.ply,
                    seat=comment.seat,
                    text=comment.text,
                    to_side=comment.to_side,
                    made_at=now,
                    inbound_id=inbound,
                )
            )

    def _assemble(self, rows: Sequence[tuple[models.Match, datetime | None]], with_comments: bool) -> list[Match]:
        """Return matches with their players and records, in a fixed number of queries."""
        ids = [row_id(row.id) for row, _ in rows]
        seats = self._session.exec(
            select(models.SeatAssignment)
            .where(col(models.SeatAssignment.match_id).in_(ids))
            .order_by(col(models.SeatAssignment.seat))
        ).all()
        players = self._players.by_id({seat.player_id for seat in seats})
        seated: dict[int, list[Player]] = {}
        seeds: dict[int, list[str | None]] = {}
        for seat in seats:
            seeds.setdefault(seat.match_id, []).append(seat.salt)
            seated.setdefault(seat.match_id, []).append(players[seat.player_id])
        records: dict[int, list[tuple[Entry, datetime]]] = {}
        entries = models.MatchEntry
        for number, acting, text, made_at in self._session.exec(
            select(entries.match_id, entries.seat, entries.text, entries.made_at)
            .where(col(entries.match_id).in_(ids))
            .order_by(col(entries.match_id), col(entries.ply))
        ):
            records.setdefault(number, []).append((Entry(acting, text), made_at))
        comments: dict[int, list[Comment]] = {}
        if with_comments:
            query = select(models.Comment).where(col(models.Comment.match_id).in_(ids)).order_by(col(models.Comment.id))
            for row in self._session.exec(query):
                comments.setdefault(row.match_id, []).append(Comment(row.seat, row.ply, row.text, row.to_side))
        return [
            Match(
                row_id(row.id),
                GAMES[row.game],
                row.options,
                tuple(seated[row_id(row.id)]),
                row.opened_at,
                tuple(entry for entry, _ in records.get(row_id(row.id), ())),
                tuple(made_at for _, made_at in records.get(row_id(row.id), ())),
                tuple(comments.get(row_id(row.id), ())),
                row.secret,
                tuple(seeds[row_id(row.id)]),
                rolls_due,
            )
            for row, rolls_due in rows
        ]


_WITH_DUE = select(models.Match, models.Due.due_at).outerjoin(
    models.Due, and_(col(models.Due.subject) == models.Match.id, col(models.Due.kind) == FIRST_ROLLS)
)
