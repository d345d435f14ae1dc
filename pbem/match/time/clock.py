"""The clock of a match: what each seat has left, and whose turn spends it. Pure; the time is always an argument."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from pbem.match.time.calendar import Calendar, Span, after_quiet, counted, reach
from pbem.match.time.time_control import TimeControl
from rules.position import Seat

Halt = Literal["", "unsent", "bounced", "flagged"]
"""Why a clock does not run: the notice of the turn has not been sent, or came back, or no time is left; "": it runs.

A vacation is none: it stands in the player's calendar with its end, so that a deadline beyond it is known all along.
"""

UNREACHABLE = timedelta(days=14)
"""A clock that stopped since the email of its player came back counts as run out after this time."""

LONGEST_PAUSE = 60
"""The most days of a pause."""

_SECOND = timedelta(seconds=1)
_OVERDUE = timedelta(hours=1)  # the notice of a turn goes out within minutes


@dataclass(frozen=True, slots=True)
class Proposal:
    """A pause of the match until a moment (UTC), and the seats that agree to it; ``ends``: to ending it before."""

    until: datetime
    seats: tuple[Seat, ...]
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a match as it was when it last changed; ``banks`` are the seconds that each seat has left.

    Seats on one side have the same. The turn of ``seat`` began at ``turned_at``, and spends its bank from ``since``;
    where that is None, ``halted`` says why, since ``halted_at``. ``pause`` is the latest pause of the match. At
    ``flagged_at`` the bank of the seat was empty. ``reminded`` is the least time left, in seconds, that the player was
    reminded of in this turn.
    """

    control: TimeControl
    banks: tuple[int, ...]
    seat: Seat | None = None
    turned_at: datetime | None = None
    since: datetime | None = None
    halted: Halt = ""
    halted_at: datetime | None = None
    pause: Span | None = None
    flagged_at: datetime | None = None
    reminded: int | None = None
    proposal: Proposal | None = None

    @property
    def bank(self) -> int:
        """The seconds that the seat whose turn it is had left when the clock last changed; 0 where nobody is to act."""
        return 0 if self.seat is None else self.banks[self.seat]

    def is_paused(self, at: datetime) -> bool:
        """Return whether the players, or the operator, have agreed that no time counts then."""
        return self.pause is not None and self.pause[0] <= at < self.pause[1]

    def waits_for_email(self, at: datetime) -> bool:
        """Return whether the notice of the turn is long overdue: not sent, or not known to be."""
        return self.halted == "unsent" and self.turned_at is not None and at - self.turned_at >= _OVERDUE

    def lost(self, outages: Sequence[Span]) -> tuple[Span, ...]:
        """Return the spans that nobody's clock counts: ``outages``, and the pause of the match."""
        return (*outages, self.pause) if self.pause else tuple(outages)

    def left(self, at: datetime, calendar: Calendar, outages: Sequence[Span] = ()) -> int:
        """Return the seconds that the seat whose turn it is has left at a moment, by the ``calendar`` of its player."""
        if self.since is None:
            return self.bank
        free = self.control.weekends_free
        return max(0, self.bank - counted(self.since, at, calendar, weekends_free=free, lost=self.lost(outages)))

    def deadline(
        self, calendar: Calendar, outages: Sequence[Span] = (), *, at: datetime | None = None
    ) -> datetime | None:
        """Return when the bank is empty; None while the clock does not run, unless it were to begin ``at`` a moment."""
        start = self.since or at
        if self.seat is None or start is None or self.halted == "flagged":
            return None
        free, lost = self.control.weekends_free, self.lost(outages)
        if not self.bank:  # it is over as soon as time counts at all: not in a pause, nor on a free weekend
            return reach(start, 1, calendar, weekends_free=free, lost=lost) - _SECOND
        return reach(start, self.bank, calendar, weekends_free=free, lost=lost)

    def next_reminder(self, calendar: Calendar, outages: Sequence[Span] = ()) -> tuple[datetime, int] | None:
        """Return when the player is to be reminded next, and of how many seconds left; None if not in this turn.

        A step that lies before the turn is none: the notice of the turn says the time left. Quiet hours put a reminder
        off, but never beyond the end of the time.
        """
        if self.since is None or self.halted:
            return None
        steps = self.control.default_steps() if calendar.remind is None else calendar.remind
        least = self.bank if self.reminded is None else min(self.bank, self.reminded)
        step = max((step for step in steps if step < least), default=None)
        if step is None:
            return None
        free, lost = self.control.weekends_free, self.lost(outages)
        moment = reach(self.since, self.bank - step, calendar, weekends_free=free, lost=lost)
        later = after_quiet(moment, calendar)
        if later > moment and later >= reach(moment, step, calendar, weekends_free=free, lost=lost):
            return moment, step
        return later, step

    def settled(self, at: datetime, calendar: Calendar, outages: Sequence[Span], side: Collection[Seat]) -> "Clock":
        """Return the clock with what was spent until a moment taken off the bank of ``side``; it runs on from there.

        One that begins to run later still does: a day that was used up lasts to its end.
        """
        if self.since is None:
            return self
        return replace(self.with_bank(self.left(at, calendar, outages), side), since=max(at, self.since))

    def with_bank(self, seconds: int, side: Collection[Seat]) -> "Clock":
        """Return the clock with another bank for all seats of ``side``."""
        return replace(self, banks=tuple(seconds if seat in side else bank for seat, bank in enumerate(self.banks)))
