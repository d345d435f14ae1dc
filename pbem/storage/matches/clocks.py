"""Clocks of matches, and what happened to matches beside their entries."""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, insert, or_, select, tuple_, update

from pbem.errors import DamagedRow
from pbem.log.logbook import event
from pbem.match.log import LogEntry
from pbem.match.time.clock import Clock, Proposal
from pbem.match.time.time_control import read_stored_control, store_control
from pbem.storage.due import CLOCK_DUE
from pbem.storage.gateway import Gateway
from pbem.storage.messages.records import Turn
from pbem.storage.statement import Statement
from pbem.storage.tables import CLOCK, DUE, MATCH, MATCH_LOG, SEAT
from rules.games import GAMES
from rules.position import Seat

log = logging.getLogger("pbem")

CLOCK_COLUMNS = (
    CLOCK.c.control,
    CLOCK.c.banks,
    CLOCK.c.seat,
    CLOCK.c.turned_at,
    CLOCK.c.since,
    CLOCK.c.halted,
    CLOCK.c.halted_at,
    CLOCK.c.paused_from,
    CLOCK.c.paused_until,
    CLOCK.c.flagged_at,
    CLOCK.c.reminded,
    CLOCK.c.proposal,
)
"""The columns of a clock, for ``read_clock``."""

_HALTS = ("", "unsent", "bounced", "flagged")
_MOST_SECONDS, _LAST_YEAR = 10**9, 9000  # far more than any clock has; sums of them are still dates
_CHANGE = Statement(update(CLOCK).where(CLOCK.c.match_id == bindparam("number")))
_BEGIN = Statement(
    update(CLOCK).where(
        CLOCK.c.match_id == bindparam("number"),
        CLOCK.c.seat == bindparam("the_seat"),
        CLOCK.c.halted == "unsent",
        CLOCK.c.turned_at <= bindparam("written_at"),
    )
)
_HALT = Statement(
    update(CLOCK).where(
        CLOCK.c.match_id == bindparam("number"),
        CLOCK.c.seat == bindparam("the_seat"),
        or_(CLOCK.c.halted == "", CLOCK.c.halted == "unsent"),
        CLOCK.c.turned_at <= bindparam("written_at"),
    )
)
_OWN = select(SEAT.c.match_id, SEAT.c.seat).where(SEAT.c.player_id == bindparam("player"))
_REVIVE = Statement(update(CLOCK).where(CLOCK.c.halted == "bounced", tuple_(CLOCK.c.match_id, CLOCK.c.seat).in_(_OWN)))
_CLOCKS = select(CLOCK.c.match_id, *CLOCK_COLUMNS)
_SEATED = (CLOCK.c.match_id == SEAT.c.match_id) & (CLOCK.c.seat == SEAT.c.seat)
_IS_OF_PLAYER = SEAT.c.player_id == bindparam("player")
_OF_PLAYER = _CLOCKS.join_from(SEAT, CLOCK, _SEATED).where(_IS_OF_PLAYER).order_by(CLOCK.c.match_id)
_NUMBERS = select(CLOCK.c.match_id).join_from(SEAT, CLOCK, _SEATED).where(_IS_OF_PLAYER).order_by(CLOCK.c.match_id)
_NEXT = func.row_number().over(partition_by=SEAT.c.player_id, order_by=(DUE.c.due_at, CLOCK.c.match_id))
_RANKED = (
    select(SEAT.c.player_id, CLOCK.c.match_id, MATCH.c.game, MATCH.c.standing, CLOCK.c.changed_at, *CLOCK_COLUMNS)
    .add_columns(_NEXT.label("place"))
    .join_from(SEAT, CLOCK, (CLOCK.c.match_id == SEAT.c.match_id) & (CLOCK.c.seat == SEAT.c.seat))
    .join(MATCH, MATCH.c.id == CLOCK.c.match_id)
    .outerjoin(DUE, (DUE.c.kind == CLOCK_DUE) & (DUE.c.subject == CLOCK.c.match_id))
    .where(SEAT.c.player_id.in_(bindparam("players", expanding=True)))
    .where(CLOCK.c.halted == "", CLOCK.c.since.is_not(None), MATCH.c.over_at.is_(None))
    .subquery()
)
_TURNS = (
    select(*(column for column in _RANKED.c if column.key != "place"))
    .where(_RANKED.c.place <= bindparam("most"))
    .order_by(_RANKED.c.player_id, _RANKED.c.place)
)
_ADD_LOG = Statement(insert(MATCH_LOG))
_OF_LOG = (MATCH_LOG.c.ply, MATCH_LOG.c.at, MATCH_LOG.c.kind, MATCH_LOG.c.seat, MATCH_LOG.c.arguments)
_LOG = select(*_OF_LOG).where(MATCH_LOG.c.match_id == bindparam("number")).order_by(MATCH_LOG.c.id)
_LOGS = (
    select(MATCH_LOG.c.match_id, *_OF_LOG)
    .where(MATCH_LOG.c.match_id.in_(bindparam("numbers", expanding=True)))
    .order_by(MATCH_LOG.c.id)
)


class Clocks(Gateway):
    """The gateway to the clocks and the log of matches."""

    def add(self, number: int, clock: Clock, now: datetime) -> None:
        """Store the clock of a match that had none."""
        self._write(CLOCK.insert(), match_id=number, changed_at=now, **write_clock(clock))

    def save(self, number: int, clock: Clock, now: datetime) -> None:
        """Store the clock of a match that had one, with the same time control."""
        self._write(_CHANGE, number=number, changed_at=now, **_write_state(clock))

    def note_reminder(self, number: int, clock: Clock) -> None:
        """Store what the player was reminded of; nobody else sees that."""
        self._write(_CHANGE, number=number, reminded=clock.reminded)

    def remove(self, number: int) -> None:
        """Take a match's clock away."""
        self._write(CLOCK.delete().where(CLOCK.c.match_id == number))

    def begin(self, number: int, seat: Seat, at: datetime, *, written_at: datetime) -> bool:
        """Let a clock run from ``at``, if it waits for a notice of the turn of ``seat``, and this was written in it."""
        return self._write(
            _BEGIN, number=number, the_seat=seat, written_at=written_at, since=at, halted="", changed_at=at
        )

    def halt(self, number: int, seat: Seat, at: datetime, *, written_at: datetime, banks: Sequence[int]) -> bool:
        """Stop a clock, since an email of the turn of ``seat`` came back; ``banks`` are what is left."""
        changes = {"since": None, "halted": "bounced", "halted_at": at, "banks": list(banks), "changed_at": at}
        return self._write(_HALT, number=number, the_seat=seat, written_at=written_at, **changes)

    def revive(self, player: int, now: datetime) -> None:
        """Let the clocks that stopped because a player's email came back wait for a new notice to them."""
        self._write(_REVIVE, player=player, halted="unsent", turned_at=now, halted_at=None, changed_at=now)

    def of_player(self, player: int) -> list[tuple[int, Clock]]:
        """Return the clocks of the matches in which it is the turn of a player, with the numbers of these.

        One that is damaged is logged and passed over: its match waits until it is restored, and no other does.
        """
        try:
            rows = self._rows(_OF_PLAYER, player=player)
        except DamagedRow:  # in one of them
            numbers = [number for (number,) in self._rows(_NUMBERS, player=player)]
            rows = list(self._rows_each(_CLOCKS, CLOCK.c.match_id, numbers))
        found = []
        for row in rows:
            try:
                if isinstance(row, int):
                    raise ValueError("its clock cannot be read")
                if clock := read_clock(row[1:]):
                    found.append((row[0], clock))
            except ValueError as error:
                number = row if isinstance(row, int) else row[0]
                log.error(
                    "match %d waits until it is restored: %s", number, error, extra=event("damaged", match=number)
                )
        return found

    def running(self) -> list[int]:
        """Return the numbers of the matches whose clocks run."""
        return sorted(number for (number,) in self._rows(select(CLOCK.c.match_id).where(CLOCK.c.since.is_not(None))))

    def turns(self, players: Sequence[int], most: int) -> list[Turn]:
        """Return the turns of ``players`` whose clocks run: of each the ``most`` that end next, the earliest first.

        What no pbem has written is passed over.
        """
        try:
            rows = self._rows(_TURNS, players=list(players), most=most)
        except DamagedRow as damaged:
            if len(players) > 1:
                return [turn for player in players for turn in self.turns([player], most)]
            log.error("the clocks of player %d: %s", players[0], damaged, extra=event("damaged", player=players[0]))
            return []
        found = (_read_turn(row) for row in rows)
        return [turn for turn in found if turn]

    def add_log(self, number: int, entries: Sequence[LogEntry], inbound: int | None) -> None:
        """Add what happened to the log of a match."""
        rows = [
            {
                "match_id": number,
                "ply": entry.ply,
                "at": entry.at,
                "kind": entry.kind,
                "seat": entry.seat,
                "arguments": dict(entry.arguments),
                "inbound_id": inbound,
            }
            for entry in entries
        ]
        _ADD_LOG.write_all(self._connection, rows)

    def log(self, number: int) -> list[LogEntry]:
        """Return the log of a match, oldest first."""
        return list(filter(None, map(_read_log, self._rows(_LOG, number=number))))

    def logs(self, numbers: Sequence[int]) -> dict[int, list[LogEntry]]:
        """Return the logs of those matches that have one, each oldest first; a damaged one is passed over."""
        found: dict[int, list[LogEntry]] = {}
        try:
            for number, *row in self._rows(_LOGS, numbers=list(numbers)):
                if entry := _read_log(row):
                    found.setdefault(number, []).append(entry)
        except DamagedRow as damaged:
            if len(numbers) > 1:
                parts = [self.logs([number]) for number in numbers]
                return {number: log for part in parts for number, log in part.items()}
            log.error("the log of match %d: %s", numbers[0], damaged, extra=event("damaged", match=numbers[0]))
        return found

    def waiting_longest(self, limit: int) -> list[tuple[int, datetime]]:
        """Return the numbers of the running matches that have waited longest, with a clock or without; since when."""
        since = func.coalesce(CLOCK.c.turned_at, MATCH.c.changed_at)
        waiting = select(MATCH.c.id, since).outerjoin_from(MATCH, CLOCK).where(MATCH.c.over_at.is_(None))
        return [(number, at) for number, at in self._rows(waiting.order_by(since, MATCH.c.id).limit(limit))]


def _read_log(row: Sequence[Any]) -> LogEntry | None:
    """Return what happened from its row, or None for what no pbem has written."""
    ply, at, kind, seat, arguments = row
    if type(ply) is not int or type(at) is not datetime or not isinstance(seat, int | None):
        return None
    return LogEntry(kind, seat, arguments if isinstance(arguments, dict) else {}, ply, at)


def _read_turn(row: Sequence[Any]) -> Turn | None:
    """Return a turn from its row, or None for what is none."""
    player, number, game, standing, changed_at, *values = row
    try:
        clock = read_clock(values)
    except ValueError:
        return None
    if clock is None or game not in GAMES or not isinstance(standing, Mapping):
        return None
    ply, moves = standing.get("ply"), standing.get("moves")
    if type(ply) is not int or type(moves) is not int or type(changed_at) is not datetime:
        return None
    return Turn(player, number, GAMES[game], ply, moves, changed_at, clock)


def write_clock(clock: Clock) -> dict[str, Any]:
    """Return a clock as the values of its columns."""
    return {"control": store_control(clock.control), **_write_state(clock)}


def _write_state(clock: Clock) -> dict[str, Any]:
    """Return the values of those columns that change while a match is played."""
    start, end = clock.pause or (None, None)
    proposal = clock.proposal
    return {
        "banks": list(clock.banks),
        "seat": clock.seat,
        "turned_at": clock.turned_at,
        "since": clock.since,
        "halted": clock.halted,
        "halted_at": clock.halted_at,
        "paused_from": start,
        "paused_until": end,
        "flagged_at": clock.flagged_at,
        "reminded": clock.reminded,
        "proposal": _write_proposal(proposal),
    }


def read_clock(values: Sequence[Any], seats: int | None = None) -> Clock | None:
    """Return the clock in the values of ``CLOCK_COLUMNS``; None for a match without one.

    ``seats``: of a match for so many players. Raise ValueError for values that no pbem has written.
    """
    control, banks, seat, turned_at, since, halted, halted_at, start, end, flagged_at, reminded, proposal = values
    if control is None:
        return None
    times = (turned_at, since, halted_at, start, end, flagged_at)
    if not (
        isinstance(banks, list)
        and all(type(bank) is int and 0 <= bank < _MOST_SECONDS for bank in banks)
        and len(banks) == (seats or len(banks))
        and (seat is None or (type(seat) is int and 0 <= seat < len(banks)))
        and all(time is None or (type(time) is datetime and time.year < _LAST_YEAR) for time in times)
        and halted in _HALTS
        and (reminded is None or type(reminded) is int)
    ):
        raise ValueError("a value of its clock is none that a clock can have")
    pause = (start, end) if start and end else None
    kept = read_stored_control(control)
    assert kept is not None
    return Clock(
        kept,
        tuple(banks),
        seat,
        turned_at,
        since,
        halted,
        halted_at,
        pause,
        flagged_at,
        reminded,
        _read_proposal(proposal, len(banks)),
    )


def _write_proposal(proposal: Proposal | None) -> dict[str, Any] | None:
    """Return a proposal as it is stored, in JSON."""
    if proposal is None:
        return None
    stored: dict[str, Any] = {"until": proposal.until.isoformat(), "seats": list(proposal.seats)}
    return stored | {"ends": True} if proposal.ends else stored


def _read_proposal(stored: object, seats: int) -> Proposal | None:
    """Return a proposal in a match of so many seats. Raise ValueError for what is none."""
    if stored is None:
        return None
    agreed = stored.get("seats") if isinstance(stored, Mapping) else None
    if not isinstance(stored, Mapping) or not isinstance(agreed, list):
        raise ValueError("what was proposed is lost")
    until = datetime.fromisoformat(str(stored.get("until")))
    if until.tzinfo is None or not all(type(seat) is int and 0 <= seat < seats for seat in agreed):
        raise ValueError("what was proposed is no pause that its players agree to")
    return Proposal(until, tuple(agreed), stored.get("ends") is True)
