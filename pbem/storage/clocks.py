"""Clocks of matches, and what happened to matches beside their entries."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, insert, or_, select, update

from pbem.match import Clock, LogEntry, Proposal, read_stored_control, store_control
from pbem.storage.gateway import Gateway
from pbem.storage.statement import Statement
from pbem.storage.tables import CLOCK, MATCH, MATCH_LOG, PLAYER, SEAT
from rules import Seat

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
_OWN = select(SEAT.c.match_id).where(SEAT.c.player_id == bindparam("player"), SEAT.c.seat == CLOCK.c.seat)
_REVIVE = Statement(update(CLOCK).where(CLOCK.c.halted == "bounced", CLOCK.c.match_id.in_(_OWN.correlate(CLOCK))))
_OF_PLAYER = (
    select(CLOCK.c.match_id, *CLOCK_COLUMNS)
    .join_from(SEAT, CLOCK, (CLOCK.c.match_id == SEAT.c.match_id) & (CLOCK.c.seat == SEAT.c.seat))
    .where(SEAT.c.player_id == bindparam("player"))
    .order_by(CLOCK.c.match_id)
)
_ADD_LOG = Statement(insert(MATCH_LOG))
_LOG = (
    select(MATCH_LOG.c.ply, MATCH_LOG.c.at, MATCH_LOG.c.kind, MATCH_LOG.c.seat, MATCH_LOG.c.arguments)
    .where(MATCH_LOG.c.match_id == bindparam("number"))
    .order_by(MATCH_LOG.c.id)
)


class Clocks(Gateway):
    """The gateway to the clocks and the log of matches."""

    def add(self, number: int, clock: Clock) -> None:
        """Store the clock of a match that had none."""
        self._write(CLOCK.insert(), match_id=number, **write_clock(clock))

    def save(self, number: int, clock: Clock) -> None:
        """Store the clock of a match that had one."""
        self._write(_CHANGE, number=number, **write_clock(clock))

    def remove(self, number: int) -> None:
        """Take a match's clock away."""
        self._write(CLOCK.delete().where(CLOCK.c.match_id == number))

    def begin(self, number: int, seat: Seat, at: datetime, *, written_at: datetime) -> bool:
        """Let a clock run from ``at``, if it waits for a notice of the turn of ``seat``, and this was written in it."""
        return self._write(_BEGIN, number=number, the_seat=seat, written_at=written_at, since=at, halted="")

    def halt(self, number: int, seat: Seat, at: datetime, *, written_at: datetime) -> bool:
        """Stop a clock, since a notice of the turn of ``seat`` came back; all time of the turn is given back."""
        return self._write(
            _HALT,
            number=number,
            the_seat=seat,
            written_at=written_at,
            since=None,
            halted="bounced",
            halted_at=at,
            reminded=None,
        )

    def revive(self, player: int, now: datetime) -> None:
        """Let the clocks that stopped because a player's email came back wait for a new notice to them."""
        self._write(_REVIVE, player=player, halted="unsent", turned_at=now, halted_at=None)

    def of_player(self, player: int) -> list[tuple[int, Clock]]:
        """Return the clocks of the matches in which it is the turn of a player, with the numbers of these."""
        found = [(row[0], read_clock(row[1:])) for row in self._rows(_OF_PLAYER, player=player)]
        return [(number, clock) for number, clock in found if clock]

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
        return [
            LogEntry(kind, seat, arguments if isinstance(arguments, dict) else {}, ply, at)
            for ply, at, kind, seat, arguments in self._rows(_LOG, number=number)
        ]

    def waiting_longest(self, limit: int) -> list[tuple[int, str, datetime]]:
        """Return the running matches that have waited longest for a player: number, name, and since when."""
        named = (
            select(CLOCK.c.match_id, PLAYER.c.name, CLOCK.c.turned_at)
            .join_from(CLOCK, MATCH)
            .join(SEAT, (SEAT.c.match_id == CLOCK.c.match_id) & (SEAT.c.seat == CLOCK.c.seat))
            .join(PLAYER, PLAYER.c.id == SEAT.c.player_id)
            .where(MATCH.c.over_at.is_(None), CLOCK.c.turned_at.is_not(None))
            .order_by(CLOCK.c.turned_at)
            .limit(limit)
        )
        return [(number, name, at) for number, name, at in self._rows(named)]


def write_clock(clock: Clock) -> dict[str, Any]:
    """Return a clock as the values of its columns."""
    start, end = clock.pause or (None, None)
    proposal = clock.proposal
    return {
        "control": store_control(clock.control),
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
        "proposal": {"until": proposal.until.isoformat(), "seats": list(proposal.seats)} if proposal else None,
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
        and all(type(bank) is int and bank >= 0 for bank in banks)
        and len(banks) == (seats or len(banks))
        and (seat is None or (type(seat) is int and 0 <= seat < len(banks)))
        and all(time is None or type(time) is datetime for time in times)
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
        _read_proposal(proposal),
    )


def _read_proposal(stored: object) -> Proposal | None:
    """Return a proposal. Raise ValueError for what is none."""
    if stored is None:
        return None
    if not isinstance(stored, Mapping) or not isinstance(stored.get("seats"), list):
        raise ValueError("what was proposed is lost")
    return Proposal(datetime.fromisoformat(str(stored.get("until"))), tuple(stored["seats"]))
