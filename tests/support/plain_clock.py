"""The arithmetic of time once more, as plainly as it can be written: step by step, asking whether each one counts.

It is slow, shares no line with `pbem.match.time.calendar`, and takes of zones only what a clock on the wall shows. All
times are whole steps, and no clock is changed within one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

Span = tuple[datetime, datetime]

SATURDAY = 5


@dataclass(frozen=True)
class PlainClock:
    """A player's zone, the spans that do not count, whatever they are for, and the hours of the day that are quiet."""

    zone: str
    free: Sequence[Span] = ()
    weekends_free: bool = False
    quiet: tuple[int, int] | None = None
    step: timedelta = timedelta(minutes=1)

    def on_the_wall(self, moment: datetime) -> datetime:
        """Return what a clock on the wall says."""
        return moment.astimezone(ZoneInfo(self.zone))

    def counts(self, moment: datetime) -> bool:
        """Return whether the step that begins at ``moment`` counts."""
        if self.weekends_free and self.on_the_wall(moment).weekday() >= SATURDAY:
            return False
        return not any(first <= moment < last for first, last in self.free)

    def counted(self, start: datetime, end: datetime) -> int:
        """Return how many seconds count, step by step."""
        steps = 0
        while start < end:
            steps += self.counts(start)
            start += self.step
        return steps * int(self.step.total_seconds())

    def reach(self, start: datetime, seconds: int) -> datetime:
        """Return the first moment at which so many seconds have counted, step by step."""
        while seconds > 0:
            if self.counts(start):
                seconds -= int(self.step.total_seconds())
            start += self.step
        return start

    def after_quiet(self, moment: datetime) -> datetime:
        """Return the first moment from ``moment`` on at which the wall shows an hour that is not quiet."""
        while self.on_the_wall(moment).hour in self.quiet_hours():
            moment += self.step
        return moment.astimezone(UTC)

    def quiet_hours(self) -> list[int]:
        """Return the quiet hours of the day, one by one."""
        hours: list[int] = []
        if self.quiet is not None:
            hour, last = self.quiet
            while hour != last:
                hours.append(hour)
                hour = 0 if hour == 23 else hour + 1
        return hours
