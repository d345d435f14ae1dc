"""The clock of a match: what is left, until when, when to remind, and how it goes on with the record."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.preferences import Preferences
from pbem.match.time.calendar import Absence, Calendar
from pbem.match.time.clock import Clock
from pbem.match.time.time_control import TimeControl
from pbem.match.timing import deadline_of, pass_clock, settle_clock, side_of, start_clock, time_left
from rules.position import Entry
from tests.support.judging import AUCTION, NOW, partners, start

HOUR, DAY = 3600, 86400
BANK = TimeControl(20 * DAY, DAY, 20 * DAY)
WEEKLY = TimeControl(7 * DAY, 7 * DAY, 7 * DAY)
MONDAY = datetime(2026, 11, 23, 9, tzinfo=UTC)


def running(control: TimeControl = WEEKLY, *, since: datetime = MONDAY, bank: int | None = None) -> Clock:
    """Return a clock for two on which the first seat spends its time."""
    return Clock(control, (control.start if bank is None else bank, control.start), 0, since, since)


def after(**time: float) -> datetime:
    """Return a moment after that Monday morning."""
    return MONDAY + timedelta(**time)


def timed(match: Match, control: TimeControl = BANK) -> Match:
    """Return ``match`` with a clock that has begun to run."""
    begun = start_clock(match, control, NOW)
    assert begun.clock
    return replace(begun, clock=replace(begun.clock, since=NOW, halted=""))


def play(match: Match, *entries: Entry, at: datetime = NOW) -> Match:
    """Return ``match`` after these entries, its clock passed on by each."""
    for entry in entries:
        match = pass_clock(match, match.after(entry, at), at)
        assert match.clock
        if match.clock.halted == "unsent":  # its notice goes out at once
            match = replace(match, clock=replace(match.clock, since=at, halted=""))
    return match


def banks(match: Match) -> tuple[int, ...]:
    """Return what each seat has left, as the clock has it."""
    assert match.clock
    return match.clock.banks


def test_a_clock_that_does_not_run_spends_nothing() -> None:
    """Its time begins with the notice; until then its end is only known for a notice that goes out at some time."""
    clock = replace(running(), since=None, halted="unsent")
    assert clock.left(after(days=30), Calendar()) == 7 * DAY
    assert clock.deadline(Calendar()) is None
    assert clock.deadline(Calendar(), at=after(days=1)) == after(days=8)


def test_a_running_clock_spends_every_second_and_never_more_than_all() -> None:
    """What is left and the deadline agree."""
    clock = running()
    assert clock.deadline(Calendar()) == after(days=7)
    assert clock.left(after(seconds=1), Calendar()) == 7 * DAY - 1
    assert clock.left(after(days=8), Calendar()) == 0


@pytest.mark.parametrize(
    ("clock", "calendar", "outages"),
    [
        (replace(running(), pause=(after(days=1), after(days=3))), Calendar(), ()),
        (running(), Calendar(absences=(Absence(after(days=1), after(days=3)),)), ()),
        (running(), Calendar(), ((after(days=1), after(days=3)),)),
        (running(replace(WEEKLY, weekends_free=True)), Calendar(), ()),
    ],
    ids=["a pause", "an absence", "an outage", "a free weekend"],
)
def test_time_that_does_not_count_is_given_back_exactly(
    clock: Clock, calendar: Calendar, outages: tuple[tuple[datetime, datetime], ...]
) -> None:
    """Two days of it bring the deadline two days later, to the second."""
    assert clock.deadline(calendar, outages) == after(days=9)
    assert clock.left(after(days=9, seconds=-1), calendar, outages) == 1


def test_two_reasons_at_once_give_the_time_back_once() -> None:
    """A pause in a vacation during an outage is still the same two days."""
    both = (after(days=1), after(days=3))
    clock = replace(running(), pause=both)
    assert clock.deadline(Calendar(absences=(Absence(*both),)), (both,)) == after(days=9)


def test_a_flagged_clock_has_no_deadline_any_more() -> None:
    """What follows is not a matter of time."""
    flagged = replace(running(bank=0), since=None, halted="flagged", flagged_at=MONDAY)
    assert flagged.deadline(Calendar(), at=MONDAY) is None
    assert flagged.next_reminder(Calendar()) is None


def test_settling_takes_off_what_was_spent_and_changes_no_deadline() -> None:
    """The clock runs on from there; one that does not run stays as it is."""
    clock = running()
    settled = clock.settled(after(days=2), Calendar(), (), {0})
    assert (settled.banks, settled.since) == ((5 * DAY, 7 * DAY), after(days=2))
    assert settled.deadline(Calendar()) == clock.deadline(Calendar())
    halted = replace(clock, since=None, halted="unsent")
    assert halted.settled(after(days=2), Calendar(), (), {0}) == halted


def test_a_reminder_comes_at_each_step_and_at_none_twice() -> None:
    """The defaults of a week are two days and half a day before the end."""
    clock = running()
    assert clock.next_reminder(Calendar()) == (after(days=5), 2 * DAY)
    assert replace(clock, reminded=2 * DAY).next_reminder(Calendar()) == (after(days=6.5), 12 * HOUR)
    assert replace(clock, reminded=12 * HOUR).next_reminder(Calendar()) is None


def test_a_step_that_lies_before_the_turn_is_none() -> None:
    """Whoever begins a turn with a day left is told so by the notice of it."""
    assert running(bank=DAY).next_reminder(Calendar()) == (after(days=0.5), 12 * HOUR)
    assert running(bank=12 * HOUR).next_reminder(Calendar()) is None


def test_a_player_chooses_their_own_steps_or_none() -> None:
    """Whatever the pace of the match would be."""
    assert running().next_reminder(Calendar(remind=(DAY,))) == (after(days=6), DAY)
    assert running().next_reminder(Calendar(remind=())) is None


def test_quiet_hours_put_a_reminder_off_until_they_end() -> None:
    """In the zone of the player: here it is ten in the evening in Lisbon when two days are left."""
    clock = running(since=MONDAY + timedelta(hours=13))
    calendar = Calendar("Europe/Lisbon", quiet=(22, 7))
    assert clock.next_reminder(calendar) == (datetime(2026, 11, 29, 7, tzinfo=UTC), 2 * DAY)


def test_quiet_hours_never_put_a_reminder_off_beyond_the_end_of_the_time() -> None:
    """Then it comes when it is due: waking up somebody is better than letting them lose."""
    clock = running(bank=4 * HOUR, since=MONDAY + timedelta(hours=10))
    assert clock.next_reminder(Calendar(remind=(2 * HOUR,), quiet=(20, 8))) == (after(hours=12), 2 * HOUR)


def test_the_first_turn_of_a_match_has_twice_the_time() -> None:
    """Nobody loses by it; whoever moves within it begins no better than with any other first move."""
    begun = timed(start("pipline", 2))
    assert time_left(begun, NOW) == 40 * DAY
    late = play(begun, Entry(0, "c3"), at=NOW + timedelta(days=30))
    assert banks(late) == (11 * DAY, 20 * DAY)
    early = play(begun, Entry(0, "c3"), at=NOW + timedelta(days=1))
    assert banks(early) == (20 * DAY, 20 * DAY)


def test_a_move_adds_the_increment_up_to_the_cap_and_starts_the_other_clock() -> None:
    """A bank of twenty days and one more for each move, twenty at most."""
    match = play(timed(start("pipline", 2)), Entry(0, "c3"))
    moved = pass_clock(match, match.after(Entry(1, "b2"), NOW + timedelta(days=5)), NOW + timedelta(days=5))
    assert banks(moved) == (20 * DAY, 16 * DAY)
    assert moved.clock
    assert (moved.clock.seat, moved.clock.since, moved.clock.halted) == (0, None, "unsent")
    assert deadline_of(moved) is None


def test_what_was_given_beyond_the_cap_stays() -> None:
    """A gift is not taken away by a move."""
    match = play(timed(start("pipline", 2)), Entry(0, "c3"))
    assert match.clock
    rich = replace(match, clock=match.clock.with_bank(30 * DAY, {1}))
    assert banks(play(rich, Entry(1, "b2"))) == (20 * DAY, 30 * DAY)


def test_the_clock_of_somebody_who_wants_no_email_runs_at_once() -> None:
    """There is no notice that it could wait for."""
    match = start("pipline", 2)
    bob = Player(1, "Bob", "bob@b.example", frozenset({"bob@b.example"}), Preferences(muted=True))
    moved = play(timed(match.with_player(bob)), Entry(0, "c3"))
    assert moved.clock
    assert (moved.clock.seat, moved.clock.since) == (1, NOW)


def test_partners_share_one_clock_once_the_sides_are_known() -> None:
    """Whose turn it is spends what both have; the opponent has their own."""
    match = timed(partners())
    assert set(side_of(match, 2)) == {0, 2}
    moved = play(match, Entry(2, "b2"), at=NOW + timedelta(days=3))
    assert banks(moved)[0] == banks(moved)[2]


def test_a_partner_who_leaves_by_their_time_leaves_the_other_a_new_start() -> None:
    """So the policy is worth something: nobody plays on with nothing left."""
    match = timed(partners(), replace(BANK, policy="partner"))
    assert match.clock
    assert match.to_act == 2
    spent = replace(match, clock=match.clock.with_bank(0, side_of(match, 2)))
    left = pass_clock(spent, spent.after(Entry(2, "timeout"), NOW), NOW)
    assert left.clock
    assert left.to_act == left.clock.seat
    assert banks(left)[0] == BANK.start


def test_somebody_else_who_resigns_changes_nothing_for_whoever_is_to_act() -> None:
    """Their turn goes on, and so does their time."""
    match = timed(start("zipline", 3, *AUCTION))
    gone = pass_clock(match, match.after(Entry(0, "resign"), NOW + timedelta(days=1)), NOW + timedelta(days=1))
    assert gone.to_act == match.to_act
    assert gone.clock == match.clock


def test_a_match_without_a_clock_has_no_time() -> None:
    """Nothing is due of it."""
    none = start_clock(start("pipline", 2), None, NOW)
    assert (none.clock, time_left(none, NOW), deadline_of(none)) == (None, 0, None)


def test_the_clock_of_a_match_is_settled_by_the_calendar_of_whose_turn_it_is() -> None:
    """The absences of others are no concern of it."""
    match = play(timed(start("pipline", 2)), Entry(0, "c3"))
    away = Calendar(absences=(Absence(NOW, NOW + timedelta(days=2)),))
    for seat, left in ((0, 17), (1, 19)):
        one = match.with_player(replace(match.players[seat], calendar=away))
        assert settle_clock(one, NOW + timedelta(days=3)).banks[1] == left * DAY
