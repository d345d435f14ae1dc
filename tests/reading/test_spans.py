"""Days, steps of reminders, quiet hours and zones as players write them."""

from datetime import date, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.reading.reason import Misread
from pbem.reading.when.days import DateSpan
from pbem.reading.when.lengths import read_quiet, read_steps
from pbem.reading.when.spans import LONGEST_SPAN, names_days, read_days
from pbem.reading.zones import load_zones, read_zone
from rules.phrase import Listed
from tests.support.each import each

TODAY = date(2026, 7, 20)  # a Monday
HOUR, DAY = 3600, 86400


def day(text: str) -> date:
    """Return a date from ``08-03``, of this year, or from a whole one."""
    return date.fromisoformat(text if len(text) > 5 else f"2026-{text}")


def arguments(found: object) -> dict[str, object]:
    """Return what a Misread is about."""
    assert isinstance(found, Misread), found
    return dict(found.arguments)


@each(
    "text, first, last",
    [
        ("3-17 aug", "08-03", "08-17"),
        ("3–17 August", "08-03", "08-17"),
        ("3 aug - 17 aug", "08-03", "08-17"),
        ("aug 3-17", "08-03", "08-17"),
        ("August 3 to August 17", "08-03", "08-17"),
        ("Aug 3rd through Aug 17th, 2026", "08-03", "08-17"),
        ("August 3 - 17, 2026", "08-03", "08-17"),
        ("the 3rd to the 17th of August, please", "08-03", "08-17"),
        ("3.8.-17.8.", "08-03", "08-17"),
        ("3.-17.8.", "08-03", "08-17"),
        ("03.08.2026 - 17.08.2026", "08-03", "08-17"),
        ("03.08.26 - 17.08.26", "08-03", "08-17"),
        ("2026-08-03 to 2026-08-17", "08-03", "08-17"),
        ("2026-08-03..08-17", "08-03", "08-17"),
        ("2026/08/03 - 2026/08/17", "08-03", "08-17"),
        ("03-08-2026 - 17-08-2026", "08-03", "08-17"),
        ("28 dec - 6 jan", "12-28", "2027-01-06"),
        ("24.12. - 2.1.", "12-24", "2027-01-02"),
        ("24/12 - 2/1", "12-24", "2027-01-02"),
        ("until 17 aug", "07-20", "08-17"),
        ("till the 17th of August", "07-20", "08-17"),
        ("up to and including 17 aug", "07-20", "08-17"),
        ("from 3 aug to 17 aug", "08-03", "08-17"),
        ("between 3 and 17 August", "08-03", "08-17"),
        ("from tomorrow until 3 august", "07-21", "08-03"),
        ("today - 22 july", "07-20", "07-22"),
        ("tomorrow", "07-21", "07-21"),
        ("today", "07-20", "07-20"),
        ("this week", "07-20", "07-26"),
        ("next week", "07-27", "08-02"),
        ("this weekend", "07-25", "07-26"),
        ("10 days", "07-20", "07-29"),
        ("for the next 10 days", "07-20", "07-29"),
        ("10d", "07-20", "07-29"),
        ("two weeks", "07-20", "08-02"),
        ("a week from 3 aug", "08-03", "08-09"),
        ("17 aug", "08-17", "08-17"),
        ("*17 Aug*.", "08-17", "08-17"),
        ("13/8", "08-13", "08-13"),
        ("8/13/2026", "08-13", "08-13"),
        ("3/8 - 17/8", "08-03", "08-17"),
        ("8/3 - 8/17", "08-03", "08-17"),
        ("1 july - 25 july", "07-20", "07-25"),
        ("2026-07-01 - 2026-07-25", "07-20", "07-25"),
        ("1-5 july", "2027-07-01", "2027-07-05"),
        ("1 feb - 30 nov", "07-20", "11-30"),
        ("Sat 1 Aug - Sun 9 Aug", "08-01", "08-09"),
        ("Sat 1 Aug 2026 - 9", "08-01", "08-09"),
        ("until friday", "07-20", "07-24"),
        ("wednesday to tuesday", "07-22", "07-28"),
        ("vom 3. bis 17. August", "08-03", "08-17"),
        ("bis einschließlich 17. August", "07-20", "08-17"),
        ("5.-7. März 2027", "2027-03-05", "2027-03-07"),
        ("du 3 au 17 août", "08-03", "08-17"),
        ("1er août au 3 sept.", "08-01", "09-03"),
        ("jusqu'au 17 août", "07-20", "08-17"),
        ("del 3 al 17 de agosto de 2026", "08-03", "08-17"),
        ("dall'11 al 17 agosto", "08-11", "08-17"),
        ("van 3 t/m 17 augustus", "08-03", "08-17"),
        ("de 3 a 17 de agosto", "08-03", "08-17"),
        ("29 feb 2028", "", ""),
    ],
)
def test_days_are_read_as_people_write_them(text: str, first: str, last: str) -> None:
    """Both days are included; without a year they are the next such days; what has begun already begins today."""
    if not first:
        assert read_days(text, date(2028, 2, 1)) == DateSpan(date(2028, 2, 29), date(2028, 2, 29))
    else:
        assert read_days(text, TODAY) == DateSpan(day(first), day(last))


@each(
    "text, code",
    [
        ("", "dates_missing"),
        ("  *", "dates_missing"),
        ("soon", "dates_unread"),
        ("until further notice", "dates_unread"),
        ("3-17 aug or so", "dates_unread"),
        ("3-17", "dates_unread"),
        ("3 months", "dates_unread"),
        ("3-17 augst", "dates_month_unread"),
        ("3 agust - 17 aug", "dates_month_unread"),
        ("3/8", "dates_ambiguous"),
        ("3/8 - 5/8", "dates_ambiguous"),
        ("17 - 3/8", "dates_ambiguous"),
        ("until 3/8/2026", "dates_ambiguous"),
        ("03-08-2026", "dates_ambiguous"),
        ("31 feb", "dates_no_such_day"),
        ("29 feb", "dates_no_such_day"),
        ("31.9.", "dates_no_such_day"),
        ("30 aug - 31 sept", "dates_no_such_day"),
        ("17-3 aug", "dates_backwards"),
        ("5 sep - 3 aug", "dates_backwards"),
        ("2026-09-05 - 2026-08-03", "dates_backwards"),
        ("1-5 july 2026", "dates_past"),
        ("1 jan 2020 - 3 feb 2020", "dates_past"),
        ("until 19 july 2026", "dates_past"),
        ("2026-08-01 - 2027-12-31", "dates_too_long"),
        ("500 days", "dates_too_long"),
        ("999999 weeks", "dates_too_long"),
        ("1-5 jan 2029", "dates_too_far"),
        ("12 hours", "dates_not_whole"),
        ("from 3 aug", "dates_without_end"),
        ("Sun 1 Aug - Sun 9 Aug", "dates_wrong_weekday"),
        ("monday", "dates_weekday_unclear"),
        ("3 - 17 aug - 20 aug", "dates_unread"),
        ("3 " * 30, "dates_unread"),
    ],
)
def test_what_is_no_span_is_refused_with_a_code(text: str, code: str) -> None:
    """Nothing is guessed that would cost somebody days of their vacation."""
    found = read_days(text, TODAY)
    assert isinstance(found, Misread)
    assert found.code == code
    assert ("text" in dict(found.arguments)) == (code != "dates_missing")


def test_an_ambiguous_day_is_shown_both_ways() -> None:
    """Whoever asks back has both readings, as they can be written."""
    assert arguments(read_days("3/8", TODAY)) == {"text": "3/8", "first": "3 Aug", "second": "8 Mar"}


def test_a_misspelt_month_is_named() -> None:
    """So that one sentence can quote it and say what was probably meant."""
    found = arguments(read_days("3-17 augst", TODAY))
    assert (found["word"], found["month"]) == ("augst", "August")


def test_what_is_quoted_is_short() -> None:
    """A long text is not sent back whole."""
    assert len(str(arguments(read_days("x" * 5000, TODAY))["text"])) < 50


@given(st.dates(date(2026, 7, 20), date(2027, 7, 19)), st.integers(0, 100), st.sampled_from(["iso", "words", "dots"]))
def test_every_span_is_read_back(first: date, days: int, style: str) -> None:
    """Days that were written in full mean just these days."""
    last = first + timedelta(days=days)
    shown = {"iso": "{0:%Y-%m-%d}", "words": "{0:%d} {0:%B} {0:%Y}", "dots": "{0:%d}.{0:%m}.{0:%Y}"}[style]
    text = f"{shown.format(first)} - {shown.format(last)}"
    assert read_days(text, TODAY) == DateSpan(first, last)


@given(st.dates(date(2026, 1, 1), date(2030, 12, 31)), st.dates(date(2026, 1, 1), date(2026, 12, 31)))
def test_a_day_without_a_year_is_the_next_one(today: date, meant: date) -> None:
    """It lies within a year from today, and a span never begins before today."""
    found = read_days(f"{meant:%d} {meant:%b}", today)
    assert isinstance(found, DateSpan)
    assert (found.first.day, found.first.month) == (meant.day, meant.month)
    assert found.first == found.last
    assert 0 <= (found.first - today).days <= 365


WORDS = (
    "3 17 31 2026 aug augst may mon to - .. . / , until from between and a week days tomorrow next t/m é 3/8 2026-08-03"
)
PIECES = st.one_of(st.sampled_from(WORDS.split()), st.text(max_size=4))


@given(st.lists(PIECES, max_size=12).map(" ".join), st.dates(date(2020, 1, 1), date(9999, 12, 31)))
def test_no_text_breaks_the_reader_of_days(text: str, today: date) -> None:
    """It answers with days from today on, or says why not."""
    names_days(text)
    found = read_days(text, today)
    if isinstance(found, DateSpan):
        assert today <= found.first <= found.last
        assert found.days <= LONGEST_SPAN
    else:
        assert found.code.startswith("dates_")


@each(
    "text, steps",
    [
        ("2d 12h", (2 * DAY, 12 * HOUR)),
        ("12h 2d", (2 * DAY, 12 * HOUR)),
        ("2d12h", (2 * DAY, 12 * HOUR)),
        ("3 days, 6 hours", (3 * DAY, 6 * HOUR)),
        ("3 days and 6 hours before", (3 * DAY, 6 * HOUR)),
        ("a week, two days", (7 * DAY, 2 * DAY)),
        ("1h", (HOUR,)),
        ("60d", (60 * DAY,)),
        ("2d 2d 2 days", (2 * DAY,)),
        ("5d 4d 3d 2d 1d", (5 * DAY, 4 * DAY, 3 * DAY, 2 * DAY, DAY)),
        ("none", ()),
        ("Off.", ()),
        ("default", "default"),
        ("Standard", "default"),
    ],
)
def test_steps_of_reminders_are_read(text: str, steps: object) -> None:
    """In seconds, the earliest reminder first."""
    assert read_steps(text) == steps


@each(
    "text, code",
    [
        ("", "steps_missing"),
        ("2", "steps_unread"),
        ("2d and 3", "steps_unread"),
        ("before 2d", "steps_unread"),
        ("tomorrow", "steps_unread"),
        ("2 dyas", "steps_unread"),
        ("30m", "step_out_of_range"),
        ("61d", "step_out_of_range"),
        ("0d", "step_out_of_range"),
        ("999999w", "step_out_of_range"),
        ("1d 2d 3d 4d 5d 6d", "too_many_steps"),
        ("2d " * 1700, "steps_unread"),
    ],
)
def test_other_steps_are_refused(text: str, code: str) -> None:
    """At most five, each from an hour to sixty days."""
    found = read_steps(text)
    assert isinstance(found, Misread)
    assert found.code == code


@each(
    "text, hours",
    [
        ("22-7", (22, 7)),
        ("22–7", (22, 7)),
        ("22:00-7:00", (22, 7)),
        ("22.00 - 7.00", (22, 7)),
        ("10pm-7am", (22, 7)),
        ("10 p.m. to 7 a.m.", (22, 7)),
        ("from 22 to 7", (22, 7)),
        ("22h-7h", (22, 7)),
        ("22 Uhr bis 7 Uhr", (22, 7)),
        ("midnight-8", (0, 8)),
        ("24-7", (0, 7)),
        ("12am - 6am", (0, 6)),
        ("9-17", (9, 17)),
        ("12pm-1pm", (12, 13)),
        ("7-3", (7, 3)),
        ("off", "off"),
        ("None.", "off"),
    ],
)
def test_quiet_hours_are_read(text: str, hours: object) -> None:
    """Hours of the day, from 0 to 23."""
    assert read_quiet(text) == hours


@each(
    "text, code",
    [
        ("", "hours_missing"),
        ("here today", "hours_unread"),
        ("22", "hours_unread"),
        ("25-7", "hours_unread"),
        ("13pm-7am", "hours_unread"),
        ("22:30-7", "hours_not_whole"),
        ("22-22", "hours_equal"),
        ("10pm-22", "hours_equal"),
        ("7-6", "hours_too_many"),
        ("7-4", "hours_too_many"),
        ("22-7" + " " * 5000, "hours_unread"),
    ],
)
def test_other_quiet_hours_are_refused(text: str, code: str) -> None:
    """Whole hours, at most twenty of them, so that reminders have a time to come."""
    found = read_quiet(text)
    assert isinstance(found, Misread)
    assert found.code == code


@each(
    "text, zone",
    [
        ("Europe/Lisbon", "Europe/Lisbon"),
        ("europe/lisbon", "Europe/Lisbon"),
        ("america/new york", "America/New_York"),
        ("America / New_York", "America/New_York"),
        ("lisbon", "Europe/Lisbon"),
        ("*Berlin*.", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("são paulo", "America/Sao_Paulo"),
        ("Buenos Aires", "America/Argentina/Buenos_Aires"),
        ("Istanbul", "Europe/Istanbul"),
        ("Lisbon, Portugal", "Europe/Lisbon"),
        ("Lisbon, PT", "Europe/Lisbon"),
        ("London, England", "Europe/London"),
        ("Birmingham, UK", "Europe/London"),
        ("Munich, Germany", "Europe/Berlin"),
        ("Melbourne, Australia", "Australia/Melbourne"),
        ("New York, USA", "America/New_York"),
        ("Chicago, IL", "America/Chicago"),
        ("Los Angeles, CA", "America/Los_Angeles"),
        ("Houston, Texas", "America/Chicago"),
        ("Prague, Czech Republic", "Europe/Prague"),
        ("Berlin, please", "Europe/Berlin"),
        ("UTC", "UTC"),
        ("gmt", "UTC"),
        ("germany", "Europe/Berlin"),
        ("Deutschland", "Europe/Berlin"),
        ("Österreich", "Europe/Vienna"),
        ("California", "America/Los_Angeles"),
        ("UK", "Europe/London"),
        ("Zürich", "Europe/Zurich"),
        ("Japan", "Asia/Tokyo"),
        ("kolkata", "Asia/Kolkata"),
        ("port-au-prince", "America/Port-au-Prince"),
    ],
)
def test_a_zone_is_read_by_any_of_its_names(text: str, zone: str) -> None:
    """What is returned is a zone."""
    assert read_zone(text) == zone
    assert ZoneInfo(zone).key == zone


@each(
    "text, code, suggested",
    [
        ("", "zone_missing", ""),
        ("Nowhere at all", "zone_unread", ""),
        ("europe", "zone_unread", ""),
        ("x" * 5000, "zone_unread", ""),
        ("Berln", "zone_near", "Europe/Berlin"),
        ("Europe/Lisboa", "zone_near", "Europe/Lisbon"),
        ("Deutschlnd", "zone_near", "Europe/Berlin"),
        ("Melbourne, FL", "zone_near", "Australia/Melbourne"),
        ("Melbourne, Florida", "zone_near", "Australia/Melbourne"),
        ("Paris, Texas", "zone_near", "Europe/Paris"),
        ("Paris, TX", "zone_near", "Europe/Paris"),
        ("Paris Texas", "zone_unread", ""),
        ("London, Ontario", "zone_near", "Europe/London"),
        ("Athens, GA", "zone_near", "Europe/Athens"),
        ("Dublin, CA", "zone_near", "Europe/Dublin"),
        ("Sydney, Nova Scotia", "zone_near", "Australia/Sydney"),
        ("Lima, Ohio", "zone_near", "America/Lima"),
        ("Moscow, Idaho", "zone_near", "Europe/Moscow"),
        ("Birmingham, Alabama", "zone_near", "Europe/London"),
        ("Berlin, or rather Rome", "zone_near", "Europe/Berlin"),
        ("Springfield", "zone_unread", ""),
        ("EST", "zone_abbreviated", "America/New_York"),
        ("CET", "zone_abbreviated", "Europe/Berlin"),
        ("IST", "zone_abbreviated", "Asia/Kolkata"),
        ("bst", "zone_abbreviated", "Europe/London"),
        ("usa", "zone_several", "America/Chicago"),
        ("Canada", "zone_several", "America/Toronto"),
        ("+2", "zone_offset", ""),
        ("UTC+2", "zone_offset", ""),
        ("GMT-05:00", "zone_offset", ""),
        ("Etc/GMT+5", "zone_offset", ""),
    ],
)
def test_what_is_no_zone_brings_a_few_that_may_be_meant(text: str, code: str, suggested: str) -> None:
    """Abbreviations and offsets do not say when clocks change, so a city is asked for."""
    found = read_zone(text)
    assert isinstance(found, Misread)
    assert found.code == code
    zones = dict(found.arguments).get("zones")
    names = zones.items if isinstance(zones, Listed) else ()
    assert len(names) <= 3
    assert (suggested in names) == bool(suggested)
    assert all(ZoneInfo(str(name)) for name in names)


@pytest.mark.parametrize("name", ["places", "abbreviations"])
def test_the_zones_in_our_tables_exist(name: str) -> None:
    """A zone that is renamed in the database of zones keeps its old name there."""
    zones = {zone for meant in load_zones(name).values() for zone in meant}
    assert zones <= available_timezones()


@given(st.text(max_size=5000))
def test_no_text_breaks_the_readers(text: str) -> None:
    """Whatever the text is, there is an answer."""
    for found in (read_steps(text), read_quiet(text), read_zone(text), read_days(text, TODAY)):
        assert found is not None
