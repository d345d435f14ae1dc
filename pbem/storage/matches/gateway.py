"""Matches with their records, comments and player seeds: how they are written; match_reading.py reads them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, update

from pbem.errors import Busy
from pbem.match.match import Comment, Match
from pbem.match.plan import Plan, write_plan
from pbem.match.player import Player
from pbem.match.stints import Stint
from pbem.match.summary import standing_of
from pbem.storage.due import FIRST_ROLLS, DueThings
from pbem.storage.gateway import column_values
from pbem.storage.heartbeats import Heartbeats
from pbem.storage.matches.agreements import write_agreements
from pbem.storage.matches.clocks import Clocks
from pbem.storage.matches.reading import MatchReader
from pbem.storage.matches.standing_json import write_ruling, write_standing
from pbem.storage.statement import Statement
from pbem.storage.tables import COMMENT, ENTRY, MATCH, MATCH_LOG, RETRACTED, SEAT, THOUGHT
from rules.position import Entry, Seat

_CHANGE = Statement(update(MATCH).where(MATCH.c.id == bindparam("number")))
_TOUCH = Statement(update(MATCH).where(MATCH.c.id == bindparam("number"), MATCH.c.rewound == bindparam("known")))
_LATEST_REWIND = select(func.max(MATCH_LOG.c.id)).where(
    MATCH_LOG.c.match_id == bindparam("number"), MATCH_LOG.c.kind == "rewound"
)
_RETRACTED = (
    select(*RETRACTED.c)
    .where(
        RETRACTED.c.log_id
        == select(func.max(RETRACTED.c.log_id))
        .join(MATCH_LOG, MATCH_LOG.c.id == RETRACTED.c.log_id)
        .where(MATCH_LOG.c.match_id == bindparam("number"))
        .scalar_subquery()
    )
    .order_by(RETRACTED.c.ply)
)
_ADD_SEAT, _ADD_ENTRY, _ADD_COMMENT = (Statement(insert(table)) for table in (SEAT, ENTRY, COMMENT))
_SET_SEED = update(SEAT).where(SEAT.c.match_id == bindparam("number"), SEAT.c.seat == bindparam("the_seat"))


class Matches(MatchReader):
    """The gateway to matches; entries of a record are never changed, and only the operator takes any back."""

    def __init__(self, connection: Connection, due: DueThings, clocks: Clocks, heartbeats: Heartbeats) -> None:
        super().__init__(connection, heartbeats)
        self._due = due
        self._clocks = clocks

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
            rewound=match.rewound,
            nonce=match.nonce,
            standing=write_standing(standing_of(match)),
            private=match.private,
            team_told=match.team_told,
            rated=match.rated,
            robots=_write_stints(match.robots),
        )
        seats = [
            {"match_id": number, "seat": seat, "player_id": player.id} for seat, player in enumerate(match.players)
        ]
        _ADD_SEAT.write_all(self._connection, seats)
        if match.rolls_due:
            self._due.schedule(FIRST_ROLLS, number, match.rolls_due, since=match.opened_at)
        if match.clock:
            self._clocks.add(number, match.clock, match.opened_at)
        return replace(match, id=number)

    def append(self, match: Match, entries: Sequence[Entry], times: Sequence[datetime], inbound: int | None) -> None:
        """Add entries to the record of ``match``. Raise Busy if another worker was faster."""
        rows = [
            column_values(entry) | {"match_id": match.id, "ply": ply, "made_at": made_at, "inbound_id": inbound}
            for ply, (entry, made_at) in enumerate(zip(entries, times, strict=True), match.ply)
        ]
        _ADD_ENTRY.write_all(self._connection, rows)

    def touch(self, match: Match, now: datetime) -> None:
        """Store how ``match`` stands, when it changed, and when it ended.

        Raise Busy if entries were taken back since it was read: what was decided was about others.
        """
        standing, over_at = write_standing(standing_of(match)), match.changed_at if match.outcome else None
        if not self._write(
            _TOUCH, number=match.id, known=match.rewound, changed_at=now, standing=standing, over_at=over_at
        ):
            raise Busy(f"Somebody else was faster: entries of match {match.id} were taken back, or put back.")

    def set_ruling(self, match: Match) -> None:
        """Store the ruling of ``match``, or that it has none."""
        self._write(_CHANGE, number=match.id, ruling=write_ruling(match.ruling))

    def set_agreements(self, match: Match) -> None:
        """Store what the players of ``match`` have offered each other."""
        self._write(_CHANGE, number=match.id, agreements=write_agreements(match.agreements))

    def set_robots(self, match: Match) -> None:
        """Store which moves of ``match`` robots have made, and the secret that their thoughts follow from."""
        self._write(_CHANGE, number=match.id, robots=_write_stints(match.robots), secret=match.secret)

    def outdate(self, before: Match, after: Match) -> None:
        """Store that the turns of ``before`` are past, and that those of ``after`` count. Raise Busy if they are."""
        if not self._write(_TOUCH, number=before.id, known=before.rewound, rewound=after.rewound):
            raise Busy(f"Somebody else was faster: match {before.id} has been changed.")

    def mark_changed(self, number: int, now: datetime) -> None:
        """Store that the pages of a match are to be written anew."""
        self._write(_CHANGE, number=number, changed_at=now)

    def set_private(self, number: int, private: bool, now: datetime) -> None:
        """Store whether a match is private; that changes its pages, and nothing of the match."""
        self._write(_CHANGE, number=number, private=private, changed_at=now)

    def retract(self, before: Match, after: Match) -> None:
        """Move the entries of ``before`` that ``after`` has not to those taken back, with the latest row of the log.

        What was said later stays, as said after the last entry that is left. Raise Busy if there are more entries.
        """
        log_id = self._value(_LATEST_REWIND, number=before.id)
        gone = ENTRY.c.match_id == before.id, ENTRY.c.ply >= after.ply
        columns = ENTRY.c.ply, ENTRY.c.seat, ENTRY.c.text, ENTRY.c.made_at, ENTRY.c.inbound_id
        moved = [{"log_id": log_id, **row._mapping} for row in self._rows(select(*columns).where(*gone))]
        if len(moved) != before.ply - after.ply:
            raise Busy(f"Somebody else was faster: match {before.id} has gone on.")
        self._connection.execute(RETRACTED.insert(), moved)
        self._write(ENTRY.delete().where(*gone))
        self._set(COMMENT, COMMENT.c.match_id == before.id, COMMENT.c.ply > after.ply, ply=after.ply)
        self._set(THOUGHT, THOUGHT.c.match_id == before.id, THOUGHT.c.ply > after.ply, ply=after.ply)

    def retracted(self, number: int) -> tuple[int, tuple[Entry, ...], tuple[datetime, ...]] | None:
        """Return what was taken back of a match last, and not put back: its first ply, its entries, their times."""
        rows = self._rows(_RETRACTED, number=number)
        if not rows:
            return None
        return rows[0].ply, tuple(Entry(row.seat, row.text) for row in rows), tuple(row.made_at for row in rows)

    def restore(self, number: int) -> None:
        """Put the entries back into the record of a match that were taken back last. Raise Busy if it has gone on."""
        rows = self._rows(_RETRACTED, number=number)
        columns = "ply", "seat", "text", "made_at", "inbound_id"
        added = [{"match_id": number} | {name: row._mapping[name] for name in columns} for row in rows]
        self._connection.execute(ENTRY.insert(), added)
        self._write(RETRACTED.delete().where(RETRACTED.c.log_id == rows[0].log_id))

    def keep_team_untold(self, number: int) -> None:
        """Store that not everybody was told that the page will show words to a side: it never will."""
        self._write(_CHANGE, number=number, team_told=False)

    def seat_player(self, number: int, seat: Seat, player: Player, *, team_told: bool) -> None:
        """Let another player have a seat of a match; the plan of the former one is nothing to them.

        ``team_told``: their email says that the page will show words to a partner; otherwise it never will.
        """
        if not team_told:
            self.keep_team_untold(number)
        self._set(SEAT, SEAT.c.match_id == number, SEAT.c.seat == seat, player_id=player.id, plan=None)

    def set_plan(self, number: int, seat: Seat, plan: Plan | None) -> None:
        """Store what a seat of a match will answer to what others may do; None: nothing any more."""
        self._set(SEAT, SEAT.c.match_id == number, SEAT.c.seat == seat, plan=write_plan(plan))

    def drop_plans(self) -> None:
        """Drop all plans of all matches."""
        self._set(SEAT, SEAT.c.plan.is_not(None), plan=None)

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
        for row in rows:
            del row["by"]  # the log tells it
        _ADD_COMMENT.write_all(self._connection, rows)


def _write_stints(stints: Iterable[Stint]) -> list[Any] | None:
    """Return stints of robots as a JSON array, None for none."""
    return [[one.seat, one.strength, one.first, one.last] for one in stints] or None
