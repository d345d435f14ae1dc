"""Time that counts is the same as by a plain clock that goes step by step, and keeps its own laws."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.match.time.calendar import Absence, AbsenceKind, Calendar, Span, absent, after_quiet, counted, reach, returned
from tests.support.examples import examples
from tests.support.plain_clock import PlainClock

CHANGES = [
    *(("Europe/Berlin", day) for day in (date(2026, 3, 29), date(2026, 10, 25))),
    *(("America/New_York", day) for day in (date(2026, 3, 8), date(2026, 11, 1))),
    *(("Australia/Lord_Howe", day) for day in (date(2026, 4, 5), date(2026, 10, 4))),  # by half an hour
    *(("Pacific/Chatham", day) for day in (date(2026, 4, 5), date(2026, 9, 27))),  # at a quarter to three
    *(("America/Santiago", day) for day in (date(2026, 4, 5), date(2026, 9, 6))),  # at midnight, to Saturday
    *(("Asia/Tehran", day) for day in (date(2020, 3, 21), date(2020, 9, 21))),  # midnight of a Saturday, of a Monday
    ("Pacific/Apia", date(2011, 12, 30)),  # a day that never was
    ("Asia/Kolkata", date(2026, 6, 1)),  # none
]
"""Zones, and days on which their clocks are changed."""

MONDAY = datetime(2026, 8, 3, tzinfo=UTC)
MINUTES, QUARTERS = timedelta(minutes=1), timedelta(minutes=15)
ALLOWANCE: tuple[AbsenceKind, ...] = ("vacation", "automatic")
KINDS: tuple[AbsenceKind, ...] = (*ALLOWANCE, "emergency")


@dataclass(frozen=True)
class Case:
    """A calendar, lost spans and two moments in order, around a change of clocks."""

    calendar: Calendar
    lost: tuple[Span, ...]
    weekends_free: bool
    start: datetime
    end: datetime

    def counted(self, start: datetime, end: datetime) -> int:
        """Return what counts here."""
        return counted(start, end, self.calendar, weekends_free=self.weekends_free, lost=self.lost)

    def reach(self, start: datetime, seconds: int) -> datetime:
        """Return when so much has counted here."""
        return reach(start, seconds, self.calendar, weekends_free=self.weekends_free, lost=self.lost)

    def plain(self, step: timedelta) -> PlainClock:
        """Return the same as a plain clock."""
        away = [(absence.start, absence.end) for absence in self.calendar.absences]
        return PlainClock(self.calendar.zone, [*away, *self.lost], self.weekends_free, self.calendar.quiet, step)


@st.composite
def cases(draw: st.DrawFn, step: timedelta, around: timedelta) -> Case:
    """Cases whose times are whole steps, up to so long before and after the change."""
    zone, day = draw(st.sampled_from(CHANGES))
    change = datetime(day.year, day.month, day.day, tzinfo=UTC)
    steps = around // step
    moments = st.builds(lambda steps: change + steps * step, st.integers(-steps, steps))
    lengths = st.builds(lambda steps: steps * step, st.integers(-1, steps // 3))  # some are none
    spans = st.builds(lambda start, length: (start, start + length), moments, lengths)
    calendar = Calendar(zone, tuple(Absence(*span) for span in draw(st.lists(spans, max_size=4))))
    lost = tuple(draw(st.lists(spans, max_size=3)))
    start, end = sorted((draw(moments), draw(moments)))
    return Case(calendar, lost, draw(st.booleans()), start, end)


@examples(300)
@given(cases(MINUTES, timedelta(days=4)))
def test_to_the_minute_as_a_plain_clock_counts(case: Case) -> None:
    """Some days before and after a change of clocks, whatever overlaps."""
    assert case.counted(case.start, case.end) == case.plain(MINUTES).counted(case.start, case.end)


@examples(300)
@given(cases(MINUTES, timedelta(days=4)), st.integers(0, 4 * 1440))
def test_to_the_minute_as_a_plain_clock_reaches(case: Case, minutes: int) -> None:
    """The same moment."""
    assert case.reach(case.start, 60 * minutes) == case.plain(MINUTES).reach(case.start, 60 * minutes)


@examples(300)
@given(cases(QUARTERS, timedelta(days=40)), st.integers(0, 40 * 96))
def test_over_months_as_a_plain_clock(case: Case, quarters: int) -> None:
    """By quarters of an hour: no zone changes its clocks at another minute."""
    plain = case.plain(QUARTERS)
    assert case.counted(case.start, case.end) == plain.counted(case.start, case.end)
    assert case.reach(case.start, 900 * quarters) == plain.reach(case.start, 900 * quarters)


@pytest.mark.parametrize(("zone", "day"), CHANGES, ids=str)
@given(st.integers(-840, 1560), st.integers(0, 23), st.integers(0, 23))
def test_quiet_hours_end_as_by_a_plain_clock(zone: str, day: date, minutes: int, first: int, last: int) -> None:
    """On the day of a change of clocks, wherever on earth."""
    moment = datetime(day.year, day.month, day.day, tzinfo=UTC) + minutes * MINUTES
    ended = after_quiet(moment, Calendar(zone, quiet=(first, last)))
    assert ended == PlainClock(zone, quiet=(first, last)).after_quiet(moment)
    assert after_quiet(ended, Calendar(zone, quiet=(first, last))) == ended


@given(cases(timedelta(seconds=1), timedelta(days=400)), st.integers(1, 400 * 86400))
def test_what_is_reached_has_counted(case: Case, seconds: int) -> None:
    """To the second, and not one second earlier."""
    reached = case.reach(case.start, seconds)
    assert case.counted(case.start, reached) == seconds
    assert case.counted(case.start, reached - timedelta(seconds=1)) == seconds - 1


@given(cases(timedelta(seconds=1), timedelta(days=400)), st.integers(0, 400 * 86400), st.integers(0, 10 * 86400))
def test_who_has_more_time_or_begins_later_has_until_later(case: Case, seconds: int, more: int) -> None:
    """And two stretches one after the other reach as far as both at once."""
    reached = case.reach(case.start, seconds)
    assert case.start <= reached <= case.reach(case.start, seconds + more) == case.reach(reached, more)
    assert reached <= case.reach(case.end, seconds)


@given(cases(timedelta(seconds=1), timedelta(days=400)), st.floats(0, 1))
def test_the_parts_count_as_much_as_the_whole(case: Case, share: float) -> None:
    """Wherever it is cut; and nothing counts more than it lasts."""
    length = int((case.end - case.start).total_seconds())
    cut = case.start + timedelta(seconds=int(share * length))
    whole = case.counted(case.start, case.end)
    assert case.counted(case.start, cut) + case.counted(cut, case.end) == whole
    assert 0 <= whole <= length


@st.composite
def absences(draw: st.DrawFn) -> Absence:
    """An absence of some hours within a few days."""
    first, last = sorted(draw(st.lists(st.integers(0, 120), min_size=2, max_size=2, unique=True)))
    start = MONDAY
    return Absence(start + timedelta(hours=first), start + timedelta(hours=last), draw(st.sampled_from(KINDS)))


@given(st.lists(absences(), max_size=8), st.integers(0, 120))
def test_absences_are_put_together_so_that_none_is_lost_or_charged_twice(added: list[Absence], hour: int) -> None:
    """Every moment is in one absence of the allowance if in any of those added; they stand in order."""
    calendar = Calendar()
    for absence in added:
        calendar = absent(calendar, absence)
    assert list(calendar.absences) == sorted(calendar.absences, key=lambda absence: absence.start)
    moment = MONDAY + timedelta(hours=hour)

    def running(absences: Iterable[Absence], kinds: tuple[AbsenceKind, ...]) -> int:
        return sum(absence.kind in kinds and absence.start <= moment < absence.end for absence in absences)

    for kinds in (ALLOWANCE, ("emergency",)):
        assert running(calendar.absences, kinds) == min(1, running(added, kinds))
    back = returned(calendar, moment)
    assert all(absence.end <= moment for absence in back.absences)
    so_far = counted(MONDAY, moment, calendar, weekends_free=False)
    assert counted(MONDAY, moment, back, weekends_free=False) == so_far
