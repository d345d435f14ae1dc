"""When the clock of a match is looked at next: never later than anything can be due.

What is scheduled is the earliest moment. Outages, and notices that go out late, only move it on: what comes due too
early is looked at, and put off.
"""

import logging
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.errors import DamagedMatch
from pbem.log.logbook import event
from pbem.match.match import Match
from pbem.match.time.clock import UNREACHABLE
from pbem.match.timing import calendar_of, deadline_of, side_of
from pbem.match.voting import turn_began, voting_time
from pbem.storage.due import CLOCK_DUE, DIGEST_DUE, NEEDS_DUE, REMINDER_DUE, ROBOT_DUE, VOTE_DUE
from pbem.storage.transaction import Transaction
from rules.position import Seat

log = logging.getLogger("pbem")

ASK_AGAIN = timedelta(days=7)
"""After so long others are asked again what is to become of a match in which somebody’s time is up."""


TELLING = "needs"
"""The kind of the email to the operator."""

_GATHER = timedelta(minutes=15)  # what belongs together happens within as long
_ONCE, _AT_ONCE = timedelta(days=1), timedelta(hours=1)
_ONE_LIST = 1  # of what needs the operator


def schedule_clock(tx: Transaction, match: Match, now: datetime) -> None:
    """Schedule what is due next of the clock of a match, by what is known now."""
    clock, at = match.clock, next_check(tx, match, now)
    if clock is None or at is None or match.outcome:
        tx.due.cancel(CLOCK_DUE, match.id)
        return
    tx.due.schedule(CLOCK_DUE, match.id, at)
    assert clock.seat is not None
    running = replace(clock, since=clock.since or now, halted="") if clock.halted == "unsent" else clock
    if match.players[clock.seat].robot:
        return
    if reminder := running.next_reminder(calendar_of(match), match.outages):
        tx.due.hasten(REMINDER_DUE, match.players[clock.seat].id, reminder[0])


def schedule_robot(tx: Transaction, match: Match, now: datetime) -> None:
    """Let the robot think whose turn it is in a match, if it is one's."""
    if match.awaited_robot is not None:
        tx.due.schedule(ROBOT_DUE, match.id, now)
    elif match.robots:
        tx.due.cancel(ROBOT_DUE, match.id)


def schedule_vote(tx: Transaction, match: Match, now: datetime) -> None:
    """Let votes count on the move of whoever is to act in a match, if they have seconds: until half of their time."""
    seat = match.to_act
    if isinstance(seat, int) and any(not one.preferences.muted for one in match.seconds_of(seat)):
        tx.due.schedule(VOTE_DUE, match.id, max(now, find_vote_end(tx, match)))
    else:
        tx.due.cancel(VOTE_DUE, match.id)


def find_vote_end(tx: Transaction, match: Match) -> datetime:
    """Return until when votes count in the present turn of a match, by the outages that are known now."""
    began = turn_began(match)
    end = tx.heartbeats.served_by(began, voting_time(match))
    pause = match.clock.pause if match.clock else None
    return end + (pause[1] - max(pause[0], began)) if pause and pause[0] <= end < pause[1] else end


def next_check(tx: Transaction, match: Match, now: datetime) -> datetime | None:
    """Return when the clock of a match is to be looked at next; None for one that cannot run out."""
    clock = match.clock
    if clock is None or clock.seat is None:
        return None
    if clock.halted == "flagged":
        since = clock.halted_at or now
        return since + ((now - since) // ASK_AGAIN + 1) * ASK_AGAIN  # whatever else happens to the clock meanwhile
    if clock.halted == "unsent" and match.players[clock.seat].preferences.muted:
        return now  # nothing will be sent
    return find_end(tx, match, at=now)


def find_end(tx: Transaction, match: Match, *, at: datetime | None = None) -> datetime | None:
    """Return when the time of whoever is to act is over, or the time in which they may be reached once more.

    None while no clock runs, unless it were to begin ``at`` a moment.
    """
    clock = match.clock
    if clock and clock.halted == "bounced" and clock.since is None and (halted_at := clock.halted_at or at):
        return tx.heartbeats.served_by(halted_at, UNREACHABLE)
    return deadline_of(match, at=at)


def stop_clock(tx: Transaction, number: int, seat: Seat, now: datetime, *, written_at: datetime) -> None:
    """Stop the clock of a match, since an email of the turn of ``seat`` came back that was written at that time.

    What was spent by then is spent. Once the others have been told of it, no email that comes back stops the clock in
    this turn again: its player has written since, and knows whose turn it is.
    """
    try:
        match = tx.matches.get(number)
    except DamagedMatch as damaged:
        log.error("no clock is stopped: %s", damaged, extra=event("damaged", match=number, seat=seat))
        return
    if match is None or match.clock is None or match.clock.seat != seat or match.clock.halted not in ("", "unsent"):
        return
    told = [
        one
        for one in tx.clocks.log(number)
        if one.kind == "bounced" and one.ply == match.ply and one.seat == seat and not one.arguments.get("again")
    ]
    if any(not one.arguments.get("other") for one in told):
        tx.clocks.begin(number, seat, now, written_at=written_at)  # nor does it keep the clock from running
        return
    left = match.clock.left(written_at, calendar_of(match), match.outages)
    banks = match.clock.with_bank(left, side_of(match, seat)).banks
    if tx.clocks.halt(number, seat, now, written_at=written_at, banks=banks):
        tx.due.hasten(CLOCK_DUE, number, now)


def note_arrived(tx: Transaction, message_id: str, recipients: Collection[str], now: datetime) -> bool:
    """Note that an email to one of ``recipients`` arrived, if that was in doubt: it is sent no more, its clock runs."""
    email = tx.outbound.find_in_doubt(message_id)
    if email is None or email.recipient not in recipients:
        return False
    tx.outbound.note_attempt(email.id, "sent", "", now)
    if email.match is not None and email.seat is not None:
        tx.clocks.begin(email.match, email.seat, now, written_at=email.created_at)
    return True


def check_soon(tx: Transaction, player: int, now: datetime) -> None:
    """Let everything be looked at that depends on what a player has just set: their clocks, and their reminders."""
    for number, clock in tx.clocks.of_player(player):
        if clock.halted != "flagged":  # nothing that the player sets changes that, and the others are not asked again
            tx.due.hasten(CLOCK_DUE, number, now)
    tx.due.hasten(REMINDER_DUE, player, now)


def end_digest(tx: Transaction, email: str, now: datetime) -> None:
    """Let single emails come again to the player with this address, since a digest came back.

    Those bear the clocks: they stop if these come back, too.
    """
    player = tx.players.find(email)
    if player and player.preferences.digest:
        tx.players.set_preference(player, "digest", "")
        tx.due.schedule(DIGEST_DUE, player.id, now)


def note_need(tx: Transaction, now: datetime, *, urgent: bool = False) -> None:
    """Let the operator be told of what needs them; ``urgent``: something stands still until they do something."""
    last = tx.outbound.last_queued(TELLING)
    wait = now if urgent else now + _GATHER
    tx.due.hasten(NEEDS_DUE, _ONE_LIST, max(wait, last + (_AT_ONCE if urgent else _ONCE)) if last else wait)
