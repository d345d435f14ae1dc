"""How the clock of a match goes on with its record: who is to act, and what they have left. Pure."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from pbem.match.match import Match, is_move
from pbem.match.summary import MatchSummary
from pbem.match.time.calendar import Calendar
from pbem.match.time.clock import Clock
from pbem.match.time.digest_times import waits_for_digest
from pbem.match.time.time_control import Policy, TimeControl
from rules.position import Seat


def start_clock(match: Match, control: TimeControl | None, now: datetime) -> Match:
    """Return ``match`` with a new clock, on which the seat to act has its first time; None: with none."""
    if control is None:
        return match.with_clock(None)
    return begin_turn(match, Clock(control, (control.start,) * len(match.players)), now)


def pass_clock(before: Match, after: Match, now: datetime) -> Match:
    """Return ``after`` with the clock that ``before`` had, passed on by the entries between the two.

    A move adds the increment, and ends the turn. The first turn of a match has twice the time, after which the match is
    void; whoever makes the first move within it keeps what any other first move leaves.
    """
    clock = before.clock
    if clock is None or (after.ply == before.ply and after.outcome is before.outcome):
        return after
    entries, seat = after.record[before.ply :], clock.seat
    moved = any(entry.seat == seat and is_move(entry) for entry in entries)
    if seat is not None and after.to_act == seat and not moved:
        return after.with_clock(clock)
    if seat is not None:
        left = time_left(before, now)
        if moved:
            left = left if before.has_begun else min(left, clock.control.start)
            left = clock.control.after_move(left)
        elif clock.control.policy == "partner" and any(
            entry.seat == seat and entry.text == "timeout" for entry in entries
        ):
            left = clock.control.start  # for the partner, who plays on
        clock = clock.with_bank(left, side_of(before, seat))
    return begin_turn(after, clock, now)


def restart_clock(match: Match, now: datetime) -> Match:
    """Return ``match`` with its clock, if it has one, at the beginning of a turn of whoever is to act.

    For what the operator takes back, or hands on: their side has at least the time that a move adds, and if it has none
    left, what it had at first.
    """
    clock, seat = match.clock, match.to_act
    if clock is None:
        return match
    if isinstance(seat, int):
        least = min(clock.control.cap, clock.control.increment)
        clock = clock.with_bank(max(clock.banks[seat], least) or clock.control.start, side_of(match, seat))
    return begin_turn(match, clock, now)


def begin_turn(match: Match, clock: Clock, now: datetime) -> Match:
    """Return ``match`` with ``clock`` at the beginning of the turn of whoever is to act.

    It runs when their notice has been sent; at once if they want none, or if the notice is left to their digest: to
    have that is their own choice, and nobody waits for it.
    """
    seat = match.to_act if isinstance(match.to_act, int) else None
    if seat is not None:
        side = side_of(match, seat)
        most = max(clock.banks[member] for member in side)
        clock = clock.with_bank(most if match.has_begun else 2 * clock.control.start, side)
    runs = seat is not None and (match.players[seat].preferences.muted or _waits_for_digest(match, seat, clock, now))
    clock = replace(
        clock,
        seat=seat,
        turned_at=now,
        since=now if runs else None,
        halted="" if runs or seat is None else "unsent",
        halted_at=None,
        flagged_at=None,
        reminded=None,
        proposal=None if match.outcome else clock.proposal,
    )
    return match.with_clock(clock)


def _waits_for_digest(match: Match, seat: Seat, clock: Clock, now: datetime) -> bool:
    """Return whether the notice of a turn of ``seat`` that begins now is left to the digest of its player."""
    player = match.players[seat]
    if not player.preferences.digest:
        return False
    begun = replace(clock, seat=seat, since=now, halted="")
    return waits_for_digest(
        player.preferences.digest, player.calendar, begun.deadline(player.calendar, match.outages), now
    )


def side_of(match: Match, seat: Seat) -> Collection[Seat]:
    """Return the seats that share the bank of ``seat``: those of its side that have not left, itself included."""
    return (match.position.side(seat) - match.position.departed()) | {seat}


def policy_of(match: Match, seat: Seat) -> Policy:
    """Return what happens when the time of ``seat``, in a match with a clock, is over.

    Where robots alone could claim the win, which they never do, the time is final.
    """
    assert match.clock is not None
    policy = match.clock.control.policy
    rest = match.present - set(side_of(match, seat))
    return "forfeit" if policy == "claim" and rest and rest <= match.robot_seats else policy


def calendar_of(match: Match | MatchSummary) -> Calendar:
    """Return the calendar of the player whose turn it is; an empty one where nobody's is."""
    clock = match.clock
    return Calendar() if clock is None or clock.seat is None else match.players[clock.seat].calendar


def time_left(match: Match, at: datetime) -> int:
    """Return the seconds that whoever is to act has left at a moment; 0 in a match without a clock."""
    return match.clock.left(at, calendar_of(match), match.outages) if match.clock else 0


def deadline_of(match: Match | MatchSummary, *, at: datetime | None = None) -> datetime | None:
    """Return when the time of whoever is to act is over; None while no clock runs, unless it were to begin ``at``."""
    return match.clock.deadline(calendar_of(match), match.outages, at=at) if match.clock else None


def settle_clock(match: Match, now: datetime) -> Clock:
    """Return the clock of ``match``, which has one, with the time spent so far taken off its bank."""
    clock = match.clock
    assert clock is not None
    side: Collection[Seat] = () if clock.seat is None else side_of(match, clock.seat)
    return clock.settled(now, calendar_of(match), match.outages, side)
