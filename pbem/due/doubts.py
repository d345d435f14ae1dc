"""Doubts about the clock of this machine: after a jump it is on probation until it has proved right.

Heartbeats tell by which clock the service worked last, and monotonic time how long ago that was. Where both do not
agree with what the clock says now, it is doubted, over restarts too; so it is after a long rest of a machine that was
started anew, since only a later look can tell it from a jump. The doubt ends when the clock is what it was again; or
when it has gone in step with monotonic time for an hour, and somebody else's clock says the same: the mail server's,
which dates a note of ours, and each email that it takes in. The header Date proves nothing: anybody can write it.
"""

import logging
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from pbem.due.outages import AGREED, BEGAN, DOUBTED, DOUBTED_BEGAN, LONGEST_PAUSE, RECEIVES, SENDS
from pbem.log.logbook import event
from pbem.storage.transaction import Transaction

log = logging.getLogger("pbem")

_IN_STEP = timedelta(hours=1)
_LONG_IN_STEP = timedelta(days=1)
"""So long in step is enough where nobody else's clock can be asked."""

_DRIFT = timedelta(minutes=1)
_NEVER = datetime.min.replace(tzinfo=UTC)


def is_doubtful(beats: Mapping[str, datetime], now: datetime, began: datetime) -> bool:
    """Return whether the clock is to be doubted: nothing worked at about its time, and monotonic time differs.

    Monotonic time ``began`` at a moment by the clock of now.
    """
    worked = [beats[name] for name in (RECEIVES, SENDS) if name in beats]
    return bool(worked) and abs(now - max(worked)) > LONGEST_PAUSE and not _is_as_before(beats, began)


def doubt(tx: Transaction, now: datetime, began: datetime) -> None:
    """Note that the clock is doubted, and has to prove right from now on."""
    log.warning(
        "the clock of this machine is doubted: nothing final happens by it until it has proved right",
        extra=event("clock_doubted"),
    )
    _begin_anew(tx, now, began)


def reconsider(tx: Transaction, beats: Mapping[str, datetime], now: datetime, began: datetime) -> None:
    """End the doubt if the clock has proved right, or begin it anew if it has jumped again."""
    in_step_for = now - beats[DOUBTED]
    if _is_as_before(beats, began):
        trust(tx, began)
    elif abs(beats.get(DOUBTED_BEGAN, now) - began) > _DRIFT or in_step_for < -_DRIFT:
        _begin_anew(tx, now, began)
    elif in_step_for >= _LONG_IN_STEP or (in_step_for >= _IN_STEP and AGREED in beats):
        trust(tx, began)


def hear(tx: Transaction, beats: Mapping[str, datetime], now: datetime, began: datetime, said: datetime) -> None:
    """Note what another's clock ``said`` now, while ours is doubted: it says the same, or something else."""
    if abs(now - said) > LONGEST_PAUSE:
        _begin_anew(tx, now, began)
    elif AGREED not in beats:
        tx.heartbeats.beat(AGREED, now)


def note_began(tx: Transaction, beats: Mapping[str, datetime], began: datetime) -> None:
    """Note when monotonic time began, by a clock that is not doubted."""
    if abs(beats.get(BEGAN, _NEVER) - began) > _DRIFT:
        tx.heartbeats.beat(BEGAN, began)


def trust(tx: Transaction, began: datetime) -> None:
    """Note that the clock is right, by which monotonic time ``began`` at a moment."""
    for name in (DOUBTED, DOUBTED_BEGAN, AGREED):
        tx.heartbeats.forget(name)
    tx.heartbeats.beat(BEGAN, began)
    log.info("the clock of this machine is trusted again", extra=event("clock_trusted"))


def _begin_anew(tx: Transaction, now: datetime, began: datetime) -> None:
    """Let the clock have to prove right from now on."""
    tx.heartbeats.beat(DOUBTED, now)
    tx.heartbeats.beat(DOUBTED_BEGAN, began)
    tx.heartbeats.forget(AGREED)


def _is_as_before(beats: Mapping[str, datetime], began: datetime) -> bool:
    """Return whether the clock goes on as it did before, by monotonic time."""
    return BEGAN in beats and abs(beats[BEGAN] - began) <= LONGEST_PAUSE
