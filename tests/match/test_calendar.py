"""Time that counts: weekends, absences and lost spans are left out, each once, in the player's zone."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pbem.match.time.calendar import (
    Absence,
    AbsenceKind,
    Calendar,
    absent,
    after_quiet,
    counted,
    days_left,
    pruned,
    reach,
    returned,
)
from tests.support.each import each

HOUR, DAY = 3600, 86400
BERLIN = Calendar("Europe/Berlin")


def at(day: str, clock: str = "00:00", zone: str = "UTC") -> datetime:
    """Return a moment, in UTC, of a day written ``2026-08-03``, by the clock of a zone."""
    return datetime.fromisoformat(f"{day}T{clock}").replace(tzinfo=Calendar(zone).tzinfo).astimezone(UTC)


def away(first: str, last: str, kind: AbsenceKind = "vacation", zone: str = "UTC") -> Absence:
    """Return an absence from the midnight that begins a day up to that of another."""
    return Absence(at(first, zone=zone), at(last, zone=zone), kind)


def test_all_time_counts_where_nothing_is_free() -> None:
    """It is added and subtracted, whatever the zone."""
    start, end = at("2026-08-03"), at("2026-08-10", "00:00:01")
    assert counted(start, end, BERLIN, weekends_free=False) == 7 * DAY + 1
    assert reach(start, 7 * DAY + 1, BERLIN, weekends_free=False) == end


def test_nothing_counts_backwards() -> None:
    """What ends before it starts is nothing, and to reach nothing takes no time, in free time too."""
    saturday = at("2026-08-08", "12:00")
    for weekends_free in (False, True):
        assert counted(saturday, saturday, BERLIN, weekends_free=weekends_free) == 0
        assert counted(saturday, at("2026-08-03"), BERLIN, weekends_free=weekends_free) == 0
        assert reach(saturday, 0, BERLIN, weekends_free=weekends_free) == saturday


def test_a_weekend_is_that_of_the_zone() -> None:
    """In summer Saturday begins in Berlin two hours earlier than by UTC, and in Kolkata five and a half."""
    friday, monday = at("2026-08-07"), at("2026-08-10")
    assert counted(friday, monday, Calendar(), weekends_free=True) == DAY
    assert counted(friday, monday, BERLIN, weekends_free=True) == DAY  # two hours less of Friday, two of Monday
    assert reach(friday, DAY, BERLIN, weekends_free=True) == at("2026-08-10", "02:00", "Europe/Berlin")
    kolkata = Calendar("Asia/Kolkata")
    assert reach(friday, DAY, kolkata, weekends_free=True) == at("2026-08-10", "05:30", "Asia/Kolkata")


def test_the_moment_reached_is_the_earliest() -> None:
    """The end of Friday, not Monday morning."""
    assert reach(at("2026-08-07"), DAY, Calendar(), weekends_free=True) == at("2026-08-08")
    assert reach(at("2026-08-07"), DAY + 1, Calendar(), weekends_free=True) == at("2026-08-10", "00:00:01")


@each(
    "zone, friday, hours",
    [
        ("Europe/Berlin", "2026-08-07", 48),
        ("Europe/Berlin", "2026-03-27", 47),
        ("Europe/Berlin", "2026-10-23", 49),
        ("Australia/Lord_Howe", "2026-10-02", 47.5),
        ("America/Santiago", "2026-09-04", 47),  # Sunday begins at one
        ("Asia/Tehran", "2020-03-20", 47),  # Saturday begins at one
    ],
)
def test_a_weekend_with_a_change_of_clocks_is_as_long_as_it_is(zone: str, friday: str, hours: float) -> None:
    """From Saturday to Monday by the clock on the wall."""
    start = at(friday, "23:00", zone)
    assert reach(start, HOUR, Calendar(zone), weekends_free=True) == start + timedelta(hours=1)
    reached = reach(start, HOUR + 1, Calendar(zone), weekends_free=True)
    assert reached - start == timedelta(hours=hours + 1, seconds=1)


def test_a_day_that_an_island_left_out_is_no_weekend() -> None:
    """Samoa had no Friday, 30 December 2011: Thursday was followed by the weekend."""
    samoa = Calendar("Pacific/Apia")
    thursday = at("2011-12-29", "12:00", "Pacific/Apia")
    assert reach(thursday, 12 * HOUR + 1, samoa, weekends_free=True) == at("2012-01-02", "00:00:01", "Pacific/Apia")


def test_absences_lost_spans_and_weekends_overlap_and_count_once() -> None:
    """In any order, one within another, or one touching the next."""
    calendar = Calendar(absences=(away("2026-08-05", "2026-08-08"), away("2026-08-06", "2026-08-07", "emergency")))
    lost = [(at("2026-08-07", "12:00"), at("2026-08-11")), (at("2026-08-04"), at("2026-08-04", "01:00"))]
    start, end = at("2026-08-03"), at("2026-08-13")
    assert counted(start, end, calendar, weekends_free=True, lost=lost) == 4 * DAY - HOUR
    assert counted(start, end, calendar, weekends_free=False, lost=lost[::-1]) == 4 * DAY - HOUR
    assert reach(start, 2 * DAY, calendar, weekends_free=True, lost=lost) == at("2026-08-11", "01:00")


def test_what_is_free_outside_is_no_matter() -> None:
    """Absences before and after change nothing, nor do those that are none."""
    calendar = Calendar(absences=(away("2026-08-01", "2026-08-03"), away("2026-08-05", "2026-08-09")))
    lost = [(at("2026-08-04"), at("2026-08-04")), (at("2026-08-04"), at("2026-08-03"))]
    assert counted(at("2026-08-03"), at("2026-08-05"), calendar, weekends_free=False, lost=lost) == 2 * DAY
    assert reach(at("2026-08-03"), 2 * DAY, calendar, weekends_free=False, lost=lost) == at("2026-08-05")


def test_an_absence_without_end_ends_with_the_calendar() -> None:
    """Whatever a damaged row says, the way to the answer is short."""
    endless = Calendar("Europe/Berlin", (Absence(at("2026-08-03"), datetime.max.replace(microsecond=0, tzinfo=UTC)),))
    assert reach(at("2026-08-02"), 2 * DAY, endless, weekends_free=True).year == 9999
    assert counted(at("2026-08-03"), at("9000-01-01"), endless, weekends_free=True) == 0


@each(
    "zone", ["", "Nowhere/Land", "../Europe/Berlin", "/etc/passwd", "Europe", "a\0b", "x" * 300, "\udc80", "tzdata.zi"]
)
def test_an_unknown_zone_is_utc(zone: str) -> None:
    """Zones are dropped from time to time, and rows may be damaged."""
    assert Calendar(zone).tzinfo is UTC


def test_of_absences_that_run_the_longest_is_told() -> None:
    """Their end is the first moment after."""
    vacation, emergency = away("2026-08-03", "2026-08-10"), away("2026-08-05", "2026-08-20", "emergency")
    calendar = Calendar(absences=(vacation, emergency))
    days = ("2026-08-02", "2026-08-03", "2026-08-05", "2026-08-19", "2026-08-20")
    assert [calendar.absent_at(at(day)) for day in days] == [None, vacation, emergency, emergency, None]


@each(
    "quiet, day, clock, ended",
    [
        (None, "2026-08-03", "23:30", "2026-08-03T23:30"),
        ((22, 7), "2026-08-03", "21:59", "2026-08-03T21:59"),
        ((22, 7), "2026-08-03", "22:00", "2026-08-04T07:00"),
        ((22, 7), "2026-08-04", "06:59:59", "2026-08-04T07:00"),
        ((22, 7), "2026-08-04", "07:00", "2026-08-04T07:00"),
        ((9, 17), "2026-08-04", "12:34", "2026-08-04T17:00"),
        ((9, 17), "2026-08-04", "08:00", "2026-08-04T08:00"),
        ((22, 0), "2026-08-04", "23:00", "2026-08-05T00:00"),
        ((22, 24), "2026-08-04", "23:00", "2026-08-05T00:00"),
        ((0, 6), "2026-08-04", "00:00", "2026-08-04T06:00"),
        ((7, 7), "2026-08-04", "07:30", "2026-08-04T07:30"),
        ((22, 7), "2026-03-28", "23:00", "2026-03-29T07:00"),  # an hour less
        ((22, 7), "2026-10-24", "23:00", "2026-10-25T07:00"),  # an hour more
        ((22, 2), "2026-03-28", "23:00", "2026-03-29T03:00"),  # two o’clock is skipped
        ((22, 3), "2026-10-24", "23:00", "2026-10-25T03:00"),  # from two to three twice
    ],
)
def test_quiet_hours(quiet: tuple[int, int] | None, day: str, clock: str, ended: str) -> None:
    """They end at a whole hour by the clock on the wall; other moments stay as they are."""
    calendar = replace(BERLIN, quiet=quiet)
    last, _, hour = ended.partition("T")
    expected = at(last, hour, "Europe/Berlin")
    assert after_quiet(at(day, clock, "Europe/Berlin"), calendar) == expected


def test_a_moment_that_is_not_quiet_stays_as_it_is() -> None:
    """To the microsecond."""
    moment = datetime(2026, 8, 3, 12, 0, 0, 5, UTC)
    assert after_quiet(moment, replace(BERLIN, quiet=(22, 7))) is moment


def test_quiet_hours_that_end_in_a_gap_of_half_an_hour() -> None:
    """On Lord Howe Island two o’clock is half past two once a year."""
    calendar = Calendar("Australia/Lord_Howe", quiet=(22, 2))
    expected = at("2026-10-04", "02:30", "Australia/Lord_Howe")
    assert after_quiet(at("2026-10-04", "01:00", "Australia/Lord_Howe"), calendar) == expected


def test_the_allowance_is_for_a_year_of_the_zone() -> None:
    """Whole days of vacation and automatic absences in that year are taken off; emergencies are free."""
    calendar = Calendar(
        "Europe/Berlin",
        (
            away("2025-12-28", "2026-01-03", zone="Europe/Berlin"),
            away("2026-05-01", "2026-05-02", "automatic", "Europe/Berlin"),
            away("2026-06-01", "2026-07-01", "emergency", "Europe/Berlin"),
            Absence(at("2026-08-03", "06:00"), at("2026-08-05", "07:00")),
        ),
    )
    newyear = at("2026-01-01", zone="Europe/Berlin")
    assert days_left(calendar, 28, newyear) == 28 - 2 - 1 - 3
    assert days_left(calendar, 28, newyear - timedelta(seconds=1)) == 28 - 4
    assert days_left(calendar, 28, at("2027-01-01")) == 28
    assert days_left(calendar, 5, newyear) == 0


def test_an_hour_of_daylight_saving_costs_no_day() -> None:
    """Neither in days of the calendar nor in days of 24 hours."""
    autumn = Calendar("Europe/Berlin", (away("2026-10-20", "2026-10-27", zone="Europe/Berlin"),))
    assert days_left(autumn, 28, at("2026-01-01")) == 21
    noon = at("2026-03-28", "12:00")
    spring = Calendar("Europe/Berlin", (Absence(noon, noon + timedelta(days=1), "automatic"),))
    assert days_left(spring, 28, at("2026-01-02")) == 27


def test_absences_that_overlap_or_meet_become_one() -> None:
    """No day is taken from the allowance twice."""
    calendar = absent(absent(Calendar(), away("2026-08-10", "2026-08-12")), away("2026-08-03", "2026-08-05"))
    assert calendar.absences == (away("2026-08-03", "2026-08-05"), away("2026-08-10", "2026-08-12"))
    assert absent(calendar, away("2026-08-05", "2026-08-11")).absences == (away("2026-08-03", "2026-08-12"),)
    assert absent(calendar, away("2026-08-03", "2026-08-04")) == calendar


def test_a_vacation_takes_in_the_automatic_day_that_runs() -> None:
    """Two automatic days stay automatic."""
    calendar = absent(Calendar(), away("2026-08-03", "2026-08-04", "automatic"))
    twice = absent(calendar, away("2026-08-04", "2026-08-05", "automatic"))
    assert twice.absences == (away("2026-08-03", "2026-08-05", "automatic"),)
    assert absent(twice, away("2026-08-04", "2026-08-09")).absences == (away("2026-08-03", "2026-08-09"),)


def test_an_emergency_stands_beside_a_vacation() -> None:
    """It costs nothing, so the two are kept apart, whichever came first."""
    vacation, emergency = away("2026-08-03", "2026-08-10"), away("2026-08-05", "2026-08-20", "emergency")
    assert absent(absent(Calendar(), vacation), emergency).absences == (vacation, emergency)
    assert absent(absent(Calendar(), emergency), vacation).absences == (vacation, emergency)
    longer = away("2026-08-19", "2026-08-21", "emergency")
    assert absent(Calendar(absences=(emergency,)), longer).absences == (away("2026-08-05", "2026-08-21", "emergency"),)


def test_an_absence_of_no_length_is_none() -> None:
    """It changes nothing."""
    assert (
        absent(BERLIN, away("2026-08-03", "2026-08-03")) == absent(BERLIN, away("2026-08-03", "2026-08-01")) == BERLIN
    )


def test_who_is_back_is_back_in_all_of_them() -> None:
    """What runs ends now, what is to come is dropped, what is over stays."""
    over, running, coming = (away(f"2026-08-{day}", f"2026-08-{day + 2}") for day in (10, 13, 20))
    calendar = returned(Calendar(absences=(over, running, coming)), at("2026-08-14", "12:00"))
    assert calendar.absences == (over, Absence(running.start, at("2026-08-14", "12:00")))
    assert returned(Calendar(absences=(running,)), running.start).absences == ()
    assert returned(Calendar(absences=(running,)), running.end).absences == (running,)


def test_old_absences_are_forgotten() -> None:
    """After 400 days nothing depends on them."""
    calendar = Calendar(absences=(away("2025-06-01", "2025-06-29"), away("2026-08-03", "2026-08-05")))
    assert pruned(calendar, at("2025-06-29") + timedelta(days=400)) == calendar
    assert pruned(calendar, at("2025-06-29", "00:00:01") + timedelta(days=400)).absences == calendar.absences[1:]
