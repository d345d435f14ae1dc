"""A week of a contest: when it ends for somebody, and what of it is worth showing."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest

from pbem.clubs.contest import ContestMatch, ContestResult
from pbem.clubs.week import (
    Saying,
    Swing,
    choose_looked,
    choose_sayings,
    choose_unsaid,
    is_letter_due,
    list_ended,
    list_looked,
    list_running,
    next_letter,
    note_looked,
    rank_swings,
    saturday_before,
    show_around,
    week_before,
)
from pbem.match.summary import Standing
from pbem.match.time.calendar import Calendar

SUNDAY = datetime(2026, 11, 22, 9, tzinfo=UTC)
MOVES = {1: 20, 2: 10, 3: 2}


def result(match: int | None, over_at: datetime | None, *, moves: int = 20, void: bool = False) -> ContestResult:
    """Return how a match of a contest stands."""
    standing = Standing(moves, moves, SUNDAY, None, False, ("a", "b"), (), (0,) if over_at else None, "")
    place = ContestMatch(1, match or 99, 1, match=match)
    return ContestResult(place, SUNDAY, SUNDAY - timedelta(days=30), over_at, standing, void)


def saying(match: int, text: str, *, hours: int = 0) -> Saying:
    """Return something that was said in a match."""
    return Saying(match, 0, 3, text, SUNDAY + timedelta(hours=hours))


@pytest.mark.parametrize(
    ("zone", "until"),
    [
        ("", SUNDAY),
        ("Pacific/Kiritimati", datetime(2026, 11, 21, 19, tzinfo=UTC)),
        ("Pacific/Pago_Pago", datetime(2026, 11, 15, 20, tzinfo=UTC)),
    ],
)
def test_a_week_ends_on_sunday_morning_in_the_zone_of_its_reader(zone: str, until: datetime) -> None:
    """At nine in Samoa it is evening in Greenwich."""
    week = week_before(SUNDAY + timedelta(hours=1), Calendar(zone=zone))
    assert (week.until, week.since) == (until, until - timedelta(days=7))
    assert week.day in (date(2026, 11, 22), date(2026, 11, 15))


def test_weeks_have_no_gap_and_do_not_overlap_when_clocks_are_changed() -> None:
    """Every moment lies in one week of a zone, however long that is."""
    calendar = Calendar(zone="Europe/Lisbon")
    weeks = [week_before(SUNDAY + timedelta(days=7 * number, hours=2), calendar) for number in range(-60, 1)]
    assert all(one.until == other.since for one, other in pairwise(weeks))
    assert {one.until - one.since for one in weeks} == {timedelta(hours=hours) for hours in (167, 168, 169)}
    assert not weeks[0].holds(weeks[0].since)
    assert weeks[0].holds(weeks[0].until)


def test_a_letter_waits_for_the_end_of_quiet_hours_and_never_comes_a_day_late() -> None:
    """It tells of the same week."""
    quiet = Calendar(quiet=(22, 11))
    week = week_before(SUNDAY + timedelta(hours=1), quiet)
    due = [is_letter_due(week, quiet, SUNDAY + timedelta(hours=hours)) for hours in (1, 2, 25, 26)]
    assert due == [False, True, True, False]
    assert next_letter(SUNDAY, quiet) == SUNDAY + timedelta(hours=2)
    assert next_letter(SUNDAY, Calendar()) == SUNDAY + timedelta(days=7)


@pytest.mark.parametrize("hours", [0, 1, 23, 24 * 7 - 1])
def test_robots_begin_to_look_back_as_it_is_saturday_in_greenwich(hours: int) -> None:
    """So they have half a day until the first letter is due anywhere."""
    saturday = datetime(2026, 11, 21, tzinfo=UTC)
    assert saturday_before(saturday + timedelta(hours=hours)) == saturday


def test_what_ended_in_a_week_is_told_once_and_what_is_void_never() -> None:
    """A match that ended at the very end of a week belongs to that."""
    week = week_before(SUNDAY, Calendar())
    inside, at_end = SUNDAY - timedelta(days=1), SUNDAY
    results = [
        *(result(1, at_end), result(2, inside), result(3, week.since), result(4, inside, void=True)),
        *(result(5, None), result(None, None)),
    ]
    assert list_ended(results, week) == [2, 1]
    assert list_running(results, week) == [5]


def test_of_each_match_the_comment_with_most_words_is_shown() -> None:
    """Neither a word nor a letter of its own; what is as long comes by moves, then by age."""
    said = [
        *(saying(1, "Well played indeed"), saying(1, "I had not seen that move coming"), saying(1, "Yes")),
        *(saying(2, "What a lovely way to win"), saying(3, "What a lovely way to lose"), saying(4, "no " * 61)),
        *(saying(5, "word " * 50 + "x" * 200), saying(6, "a\nb\nc\nd\ne\nf")),
    ]
    assert [one.match for one in choose_sayings(said, MOVES)] == [1, 2, 3]
    assert choose_sayings(said, MOVES)[0].text == "I had not seen that move coming"
    assert choose_sayings(reversed(said), MOVES) == choose_sayings(said, MOVES)


def test_without_words_the_longest_matches_are_shown() -> None:
    """An empty board is worth nothing."""
    assert choose_unsaid([3, 2, 1], MOVES) == [1, 2]


def test_robots_look_at_the_longest_matches_that_were_played() -> None:
    """Three of a contest in a week, whatever else ended."""
    ended = [result(number, SUNDAY, moves=number) for number in range(1, 9)]
    assert choose_looked([*ended, result(20, SUNDAY, moves=90, void=True), result(21, SUNDAY, moves=3)]) == [8, 7, 6]


def test_the_greatest_swing_of_the_week_is_the_first() -> None:
    """What a robot has found is kept as an event of the contest, and can be taken back like any."""
    week = week_before(SUNDAY, Calendar())
    small, great = Swing(1, 0, 4, "c3", 400, "d4", 500), Swing(2, 1, 7, "e5", 100, "a1", 900)
    friday = SUNDAY - timedelta(days=2)
    events = [
        note_looked(1, 0, 3, small, friday),
        note_looked(1, 1, 3, None, friday),
        note_looked(2, 1, 2, great, friday),
        note_looked(3, 0, 3, great, SUNDAY + timedelta(days=1)),
    ]
    assert rank_swings(events, week) == [great, small]
    assert list_looked(events, SUNDAY - timedelta(days=7)) == {(1, 0), (1, 1), (2, 1), (3, 0)}
    assert [one.loss for one in rank_swings(events, week)] == [800, 100]


@pytest.mark.parametrize(
    ("place", "shown"),
    [(1, [1, 2, 3, 4, 5, 6, 7]), (4, [1, 2, 3, 4, 5, 6, 7]), (5, [1, 2, 3, 4, 5, 6, 7, 8]), (12, [1, *range(6, 13)])],
)
def test_a_ladder_is_shown_around_a_place_and_its_first(place: int, shown: list[int]) -> None:
    """Those who can be challenged, and as many below."""
    assert show_around(list(range(1, 13)), place) == shown
