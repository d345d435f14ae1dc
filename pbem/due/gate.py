"""What time ends, and by itself: one table of all such things, and the gate that each of them passes.

Nothing happens because an email did not come before all email has been read that came in by then; and nothing that
cannot be taken back while the clock of this machine is doubted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeAlias

from pbem.asking.limit_table import ANSWERABLE
from pbem.due.outages import DOUBTED, LONGEST_HELD, RECEIVES
from pbem.storage import due
from pbem.storage.transaction import Transaction

ANSWERS, OFFERS, QUIET_MATCHES = "answers", "offers", "quiet_matches"
"""A question can be answered no longer; a seat is offered no longer; a match is put away, in which nobody writes."""

WAITING_BYTES, OLD_BYTES = "waiting_bytes", "old_bytes"
"""The bytes of messages are dropped that waited for somebody's yes; and of all others, with rows of no use."""

Moment: TypeAlias = Literal["served", "date", "asked"]
"""When a thing ends: a time after it began that counts only while the service works, a date, or when it is asked for.

The calendars of players, and what they name by its day, are dates; an outage moves none.
"""

_JUST_BEFORE = timedelta(microseconds=1)
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Ending:
    """What has to be known of a kind of thing: whether an email could have prevented it, so that it is read first.

    ``final``: it can't be taken back, and time alone brings it.
    """

    moment: Moment
    prevented: bool
    final: bool


_ASKED = Ending("asked", prevented=False, final=False)
_SERVED = Ending("served", prevented=True, final=True)

ENDINGS: Mapping[str, Ending] = {
    due.FIRST_ROLLS: _SERVED,
    due.CLOCK_DUE: _SERVED,
    due.VOTE_DUE: _SERVED,
    due.INVITATION_DUE: _SERVED,
    due.LADDER_DUE: _SERVED,
    ANSWERS: _SERVED,
    OFFERS: _SERVED,
    QUIET_MATCHES: _SERVED,
    WAITING_BYTES: _SERVED,
    due.SEAT_BACK_DUE: Ending("date", prevented=True, final=True),
    due.LEAGUE_DUE: Ending("date", prevented=True, final=True),
    OLD_BYTES: Ending("date", prevented=False, final=True),
    # Whoever wrote it wants it carried out; but first what they wrote within these minutes.
    due.UNSEND_DUE: Ending("served", prevented=True, final=False),
    # Nobody is harmed by an email too many.
    due.RESTORED_DUE: Ending("date", prevented=True, final=False),
    due.REMINDER_DUE: Ending("served", prevented=False, final=False),
    due.DIGEST_DUE: Ending("date", prevented=False, final=False),
    due.NEEDS_DUE: Ending("date", prevented=False, final=False),
    due.RATINGS_DUE: Ending("date", prevented=False, final=False),
    due.AFTERTHOUGHTS_DUE: Ending("date", prevented=False, final=False),
    due.LETTERS_DUE: Ending("date", prevented=False, final=False),
    **dict.fromkeys(due.ASKED, _ASKED),
}
"""All that time brings, whoever does it."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What may happen ``now``: all email that came in by ``read`` is read; the clock is ``doubted`` or not."""

    now: datetime
    read: datetime | None
    doubted: bool

    def opens(self, kind: str, moment: datetime) -> bool:
        """Return whether a thing of a kind may end that ends at a moment."""
        return not self.is_put_off(kind) and moment <= self.up_to(kind)

    def up_to(self, kind: str) -> datetime:
        """Return up to which moment things of a kind may end; long ago, where none may."""
        ending = ENDINGS.get(kind, _ASKED)
        if self.is_put_off(kind):
            return _NEVER
        return min(self.now, self.read or _NEVER) if ending.prevented else self.now

    def is_put_off(self, kind: str) -> bool:
        """Return whether a kind waits until the clock has proved right."""
        return self.doubted and ENDINGS.get(kind, _ASKED).final


def is_too_late(tx: Transaction, asked_at: datetime, now: datetime, within: timedelta = ANSWERABLE) -> bool:
    """Return whether a message that is read now answers too late what was asked at a moment.

    It may have come in at any time since all email was last read.
    """
    if now - asked_at <= within:
        return False
    gate = gate_of(tx, now)
    came_at = gate.up_to(ANSWERS) if gate.read else now  # where no mailbox was ever read, it came just now
    return came_at - asked_at > within and tx.heartbeats.served(asked_at, came_at) > within


def gate_of(tx: Transaction, now: datetime) -> Gate:
    """Return what may happen now."""
    beats = tx.heartbeats.last()
    read = beats.get(RECEIVES)
    return Gate(now, read and _up_to_unread(tx, read), DOUBTED in beats)


def _up_to_unread(tx: Transaction, read: datetime) -> datetime:
    """Return up to which moment all email is read: what the mail server does not hand out may be anybody's.

    Whoever sends such messages stops nothing for good: neither one of them, nor one after the other.
    """
    first = tx.unread.first_since(read - LONGEST_HELD)
    return max(min(read, first - _JUST_BEFORE), read - LONGEST_HELD) if first else read
