"""The family of time: what each command changes, what the log says of it, and why it may change nothing."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from pbem.commands.decision import MatchDecision, needs_present_mail
from pbem.commands.effects import SetCalendar
from pbem.commands.families.time import EMERGENCY_APART, EMERGENCY_DAYS, MOST_LEFT
from pbem.commands.grammar import read_commands
from pbem.commands.judge import judge, judge_outside
from pbem.commands.rejections import NoCommand, Rejection
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.time.calendar import Absence, Calendar, days_left
from pbem.match.time.clock import LONGEST_PAUSE, Clock, Proposal
from pbem.match.time.time_control import TimeControl
from pbem.match.timing import start_clock, time_left
from rules.position import Entry
from tests.support.each import each
from tests.support.judging import AUCTION, NOW, start

DAY, WEEK = 86400, 7 * 86400
CONTROL = TimeControl(WEEK, WEEK, WEEK)
TODAY = NOW.date()
MIDNIGHT = datetime(TODAY.year, TODAY.month, TODAY.day, tzinfo=UTC)


def timed(match: Match, **changes: object) -> Match:
    """Return ``match`` with a clock that runs since now, the changes on it."""
    begun = start_clock(match, CONTROL, NOW)
    assert begun.clock
    clock = replace(begun.clock, **{"since": NOW, "halted": "", **changes})  # type: ignore[arg-type]  # of its fields
    return replace(begun, clock=clock, folded=begun.position)


def two(**changes: object) -> Match:
    """Return a match in which Bob is to act, and Ann waits."""
    return timed(start("pipline", 2, Entry(0, "c3")), **changes)


def three(**changes: object) -> Match:
    """Return a match in which Carl is to act, Ann is his partner, and Bob waits for the two."""
    return timed(start("zipline", 3, *AUCTION), **changes)


def flagged(match: Match) -> Match:
    """Return ``match`` after the time of whoever is to act was over."""
    assert match.clock
    banks = tuple(0 if seat == match.clock.seat else bank for seat, bank in enumerate(match.clock.banks))
    stopped = replace(
        match.clock, banks=banks, since=None, halted="flagged", halted_at=NOW, flagged_at=NOW, reminded=DAY
    )
    return replace(match, clock=stopped, folded=match.position)


def with_calendar(match: Match, seat: int, calendar: Calendar) -> Match:
    """Return ``match`` with the calendar of the player at ``seat``."""
    return match.with_player(replace(match.players[seat], calendar=calendar))


def ask(
    match: Match, seat: int, text: str, *, now: datetime = NOW, allowance: int = 30, clocked: bool = True
) -> MatchDecision:
    """Return what a reply to the present email leads to."""
    commands = read_commands(text.splitlines())
    return judge(match, seat, match.ply, commands, now=now, allowance=allowance, clocked=clocked)


def refused(match: Match, seat: int, text: str, *, now: datetime = NOW, allowance: int = 30) -> str:
    """Return the code of why a command changes nothing, as its sender is told."""
    with pytest.raises(NoCommand) as raised:
        ask(match, seat, text, now=now, allowance=allowance)
    (aside,) = raised.value.asides
    return aside.code


def logged(decision: MatchDecision) -> list[tuple[str, int | None]]:
    """Return what the log says happened, and who did it."""
    return [(entry.kind, entry.seat) for entry in decision.log]


def answered(decision: MatchDecision) -> list[str]:
    """Return the codes of what the sender is told in an email of their own."""
    return [detail.code for reply in decision.replies for detail in reply.details]


def clock_after(decision: MatchDecision) -> Clock:
    """Return the clock of the match as the decision leaves it."""
    assert decision.after.clock
    return decision.after.clock


def calendar_after(decision: MatchDecision) -> Calendar:
    """Return the calendar that a decision gives its sender."""
    found = [effect for effect in decision.effects if isinstance(effect, SetCalendar)]
    assert {effect.player.id for effect in found} == {decision.before.players[decision.seat or 0].id}
    return found[-1].calendar


# give, wait


def test_whoever_waits_gives_time_without_asking() -> None:
    """It is added to what is left, and everybody reads of it; reminders begin anew."""
    given = ask(two(reminded=2 * DAY), 0, "give 3d", now=NOW + timedelta(days=5))
    assert given.done == ("give 3d",)
    assert logged(given) == [("given", 0)]
    assert time_left(given.after, NOW + timedelta(days=5)) == 5 * DAY
    assert clock_after(given).reminded is None
    assert given.after.record == given.before.record


@pytest.mark.parametrize("word", ["give", "wait"])
def test_time_given_after_the_flag_begins_with_the_email_that_tells_of_it(word: str) -> None:
    """The flag is forgotten, and nothing runs until whoever is to act has been told."""
    given = ask(flagged(two()), 0, f"{word} 3d")
    assert given.done == ("give 3d",)
    clock = clock_after(given)
    assert (clock.bank, clock.since, clock.halted, clock.flagged_at) == (3 * DAY, None, "unsent", None)


def test_to_wait_without_a_time_changes_nothing() -> None:
    """Its sender is told whom they wait for, and nobody else hears of it."""
    waiting = ask(flagged(two()), 0, "wait")
    assert (logged(waiting), answered(waiting), waiting.after.clock == waiting.before.clock) == (
        [],
        ["waiting_on"],
        True,
    )


def test_the_opponent_of_a_side_gives_time_to_all_of_it() -> None:
    """Partners have one clock."""
    given = ask(three(), 1, "give 2d")
    assert clock_after(given).banks == (9 * DAY, 7 * DAY, 9 * DAY)


@each(
    "match, seat, code",
    [
        (two(), 1, "not_waiting"),
        (three(), 0, "not_waiting"),
        (timed(start("zipline", 3, *AUCTION, Entry(1, "resign"))), 1, "time_is_over"),
        (start("pipline", 2, Entry(0, "c3")), 0, "no_clock"),
        (timed(start("pipline", 2, Entry(0, "resign"))), 1, "time_is_over"),
    ],
    ids=["to oneself", "to one's partner", "after leaving", "without a clock", "after the end"],
)
@each("command", ["give 3d", "claim"])
def test_only_those_who_wait_give_time_or_claim(match: Match, seat: int, code: str, command: str) -> None:
    """Nobody does so to themselves or their own side, nor who has left the match, nor where no clock runs."""
    assert refused(match, seat, command) == code


def test_time_for_somebody_who_is_named_goes_to_nobody_else() -> None:
    """It is whoever is waited for, their partner, or none of the players: then the word is no name."""
    anns = timed(start("zipline", 3))
    assert anns.clock
    assert anns.clock.seat == 0
    assert refused(anns, 1, "give carl 3 days") == "give_whose_turn"
    assert refused(anns, 1, "give Bob 3 days") == "give_whose_turn"
    for name in ("Ann", "them"):
        assert ask(anns, 1, f"give {name} 3 days").done == ("give 3d",)
    assert ask(three(), 1, "give Ann 3 days").done == ("give 3d",)


def test_a_gift_without_a_time_is_asked_about() -> None:
    """A number alone may be days or hours."""
    assert refused(two(), 0, "give 3") == "time_unread"


# claim


def test_a_claim_after_the_flag_lets_the_other_leave_the_match() -> None:
    """The fact stands in the record, and the match is over for two."""
    claimed = ask(flagged(two()), 0, "claim")
    assert [(one.entry.seat, one.entry.text) for one in claimed.appended] == [(1, "timeout")]
    assert logged(claimed) == [("claimed", 0)]
    assert claimed.after.outcome
    assert claimed.after.outcome.winners == {0}


def test_a_claim_against_a_side_is_against_all_of_it() -> None:
    """They share the clock, and so what follows from it."""
    claimed = ask(flagged(three()), 1, "claim")
    assert {one.entry.seat for one in claimed.appended if one.entry.text == "timeout"} <= {0, 2}
    assert claimed.after.outcome
    assert claimed.after.outcome.winners == {1}


def test_a_claim_before_the_flag_does_nothing() -> None:
    """Its sender is told until when to wait."""
    assert refused(two(), 0, "claim") == "not_flagged"


def test_where_time_is_only_a_reminder_nobody_claims() -> None:
    """That is what its players agreed on."""
    match = flagged(two(control=replace(CONTROL, policy="remind-only")))
    assert refused(match, 0, "claim") == "no_claims"


def test_a_claim_needs_the_present_email() -> None:
    """It cannot be taken back by anybody but the operator."""
    assert any(map(needs_present_mail, ask(flagged(two()), 0, "claim").steps))


def test_whoever_moves_after_the_flag_has_moved() -> None:
    """A flag is a question to the others; the answer came too late."""
    moved = ask(flagged(two()), 1, "b2")
    assert moved.after.record[-1] == Entry(1, "b2")
    assert (clock_after(moved).seat, clock_after(moved).halted, clock_after(moved).flagged_at) == (0, "unsent", None)
    assert clock_after(moved).banks[1] == WEEK
    assert refused(moved.after, 0, "claim") == "not_waiting"


@each(
    "said",
    [
        "win",
        "I win",
        "I win!",
        "claim the win",
        "I claim the win.",
        "take the win",
        "I'll take the win",
        "Hi Bob,\nI win\n\nAnn",
        "hello\n\ntake the victory, please",
    ],
)
def test_who_says_that_they_win_claims_it_after_the_flag(said: str) -> None:
    """They were asked whether they want to win or to wait."""
    assert ask(flagged(two()), 0, said).done == ("claim",)


@each(
    "said",
    ["you win", "I will win", "We win", "I win?", "win?", "I win, I think", "I want to win", "Who will win", "I won"],
)
def test_other_words_about_winning_claim_nothing(said: str) -> None:
    """What is said of another, of another time, or with a doubt."""
    with pytest.raises(NoCommand):
        ask(flagged(two()), 0, said)


@pytest.mark.parametrize(
    "said", ["If you stay away any longer then I think\nI win", "So I said to my brother that\n\nwin"]
)
def test_a_win_below_a_story_is_asked_about(said: str) -> None:
    """It may be the end of that."""
    with pytest.raises(NoCommand) as raised:
        ask(flagged(two()), 0, said)
    assert raised.value.code == "word_in_sentence"


@pytest.mark.parametrize("said", ["I win\nevery time, haha", "I win\n\nOnly joking!", "win\nThanks for the game!"])
def test_words_below_such_a_claim_are_asked_about(said: str) -> None:
    """They may make a jest of it, and the match would be over."""
    with pytest.raises(NoCommand) as raised:
        ask(flagged(two()), 0, said)
    assert raised.value.code == "retracted"


@each(
    "match, seat, code",
    [
        (two(), 0, "not_flagged"),
        (two(), 1, "not_waiting"),
        (flagged(two()), 1, "not_waiting"),
        (flagged(three()), 0, "not_waiting"),
        (start("pipline", 2, Entry(0, "c3")), 0, "no_clock"),
        (flagged(two(control=replace(CONTROL, policy="remind-only"))), 0, "no_claims"),
    ],
    ids=["before the flag", "on one's own turn", "out of time oneself", "a partner", "without a clock", "remind-only"],
)
@each("said", ["win", "I win!", "take the win"])
def test_who_says_so_and_cannot_claim_is_told_why(match: Match, seat: int, code: str, said: str) -> None:
    """As if they had written claim."""
    assert refused(match, seat, said) == code


@pytest.mark.parametrize("said", ["b2\n\nI win!", "I win!\n\nb2", "b2; I win"])
def test_beside_a_move_it_is_a_remark(said: str) -> None:
    """Nothing can be claimed then, and nobody meant to."""
    moved = ask(two(), 1, said)
    assert moved.done[0] == "b2"
    assert moved.asides == ()


def test_a_claim_in_the_last_words_of_a_sentence_is_asked_about() -> None:
    """However it is written: it would end the match."""
    with pytest.raises(NoCommand):
        ask(flagged(two()), 0, "I thought that if you do not move I would\nclaim the win")


# pause


def test_a_pause_begins_when_everybody_has_agreed() -> None:
    """Until then it is a proposal, which costs nobody time."""
    proposed = ask(three(), 1, "pause 10d")
    assert logged(proposed) == [("pause_proposed", 1)]
    assert clock_after(proposed).pause is None
    second = ask(proposed.after, 0, "pause 10d", now=NOW + timedelta(hours=1))
    assert logged(second) == [("pause_proposed", 0)]
    all_agree = ask(second.after, 2, "pause 10d", now=NOW + timedelta(days=1))
    assert logged(all_agree) == [("paused", 2)]
    clock = clock_after(all_agree)
    assert clock.proposal is None
    assert clock.pause == (NOW + timedelta(days=1), NOW + timedelta(days=10))
    assert time_left(all_agree.after, NOW + timedelta(days=10)) == 6 * DAY


def test_a_pause_can_be_named_by_its_last_day() -> None:
    """In whatever zone: two days that nearly agree are one."""
    until = TODAY + timedelta(days=10)
    proposed = ask(with_calendar(two(), 0, Calendar("Asia/Tokyo")), 0, f"pause until {until}")
    agreed = ask(proposed.after, 1, f"pause until {until}")
    assert logged(agreed) == [("paused", 1)]


def test_another_length_is_another_proposal() -> None:
    """Nobody agrees to a month by agreeing to a week."""
    proposed = ask(two(), 0, "pause 30d")
    other = ask(proposed.after, 1, "pause 7d")
    assert logged(other) == [("pause_proposed", 1)]
    assert clock_after(other).proposal == Proposal(NOW + timedelta(days=7), (1,))


def test_saying_it_twice_agrees_for_nobody_else() -> None:
    """One player is one voice."""
    twice = ask(ask(two(), 0, "pause 10d").after, 0, "pause 10d")
    proposal = clock_after(twice).proposal
    assert proposal
    assert proposal.seats == (0,)
    assert clock_after(twice).pause is None


def test_an_agreement_may_be_withdrawn_and_then_everybody_has_to_agree_anew() -> None:
    """Only by somebody who agreed."""
    proposed = ask(three(), 1, "pause 10d")
    assert refused(proposed.after, 0, "pause off") == "no_pause_proposed"
    withdrawn = ask(proposed.after, 1, "pause off")
    assert logged(withdrawn) == [("pause_withdrawn", 1)]
    assert clock_after(withdrawn).proposal is None


def test_a_pause_ends_when_everybody_wants_it_to() -> None:
    """Until then it goes on, and whoever proposed that is told so; then time counts from that moment on."""
    later = NOW + timedelta(days=2)
    paused = three(pause=(NOW, NOW + timedelta(days=10)))
    first = ask(paused, 1, "pause off", now=later)
    assert logged(first) == [("pause_end_proposed", 1)]
    assert clock_after(first).pause == (NOW, NOW + timedelta(days=10))
    assert refused(first.after, 1, "pause off", now=later) == "pause_end_known"
    second = ask(first.after, 0, "pause off", now=later)
    assert logged(second) == [("pause_end_proposed", 0)]
    ended = ask(second.after, 2, "pause off", now=later)
    assert logged(ended) == [("pause_ended", 2)]
    assert any(map(needs_present_mail, ended.steps))
    assert (clock_after(ended).pause, clock_after(ended).proposal) == ((NOW, later), None)
    assert time_left(ended.after, later) == 7 * DAY
    assert time_left(ended.after, later + timedelta(days=1)) == 6 * DAY


def test_who_wants_to_end_a_pause_agrees_to_no_other() -> None:
    """Nor does who wants another pause agree to end the one that runs."""
    paused = two(pause=(NOW, NOW + timedelta(days=10)))
    ending = ask(paused, 0, "pause off")
    longer = ask(ending.after, 1, f"pause until {TODAY + timedelta(days=11)}")
    assert logged(longer) == [("pause_proposed", 1)]
    proposal = clock_after(longer).proposal
    assert proposal
    assert (proposal.seats, proposal.ends) == ((1,), False)
    assert logged(ask(longer.after, 1, "pause off")) == [("pause_withdrawn", 1)]


def test_a_pause_that_is_over_is_not_ended() -> None:
    """Nor one that is still to be agreed on, by somebody else."""
    over = two(pause=(NOW - timedelta(days=2), NOW - timedelta(days=1)))
    assert refused(over, 0, "pause off") == "no_pause_proposed"
    stale = two(proposal=Proposal(NOW - timedelta(days=1), (0,), ends=True))
    assert refused(stale, 0, "pause off") == "no_pause_proposed"


def test_a_proposal_whose_time_is_past_counts_no_more() -> None:
    """Nobody wakes up in a pause that was proposed last year."""
    proposed = ask(two(), 0, "pause 3d")
    later = ask(proposed.after, 1, "pause 1d", now=NOW + timedelta(days=3, seconds=1))
    assert logged(later) == [("pause_proposed", 1)]


@each(
    "match, seat, command, code",
    [
        (two(), 0, "pause 62d", "pause_too_long"),
        (two(), 0, "pause until 2027-11-01", "pause_too_long"),
        (two(), 0, "pause 3", "time_unread"),
        (two(), 0, "pause until 31 november", "dates_no_such_day"),
        (start("pipline", 2), 0, "pause 3d", "no_clock"),
        (timed(start("pipline", 2, Entry(0, "resign"))), 1, "pause 3d", "time_is_over"),
        (two(), 0, "pause off", "no_pause_proposed"),
    ],
)
def test_a_pause_that_cannot_be(match: Match, seat: int, command: str, code: str) -> None:
    """Its sender is told why."""
    assert refused(match, seat, command) == code


def test_the_longest_pause_is_the_longest_one() -> None:
    """For whoever proposes it, in days."""
    assert clock_after(ask(two(), 0, f"pause {LONGEST_PAUSE}d")).proposal


# vacation, emergency, back


def test_a_vacation_is_whole_days_in_the_players_zone() -> None:
    """From the first midnight to the last; the others read of it, and its sender what is left of the year."""
    first, last = TODAY + timedelta(days=5), TODAY + timedelta(days=9)
    match = with_calendar(two(), 1, Calendar("Europe/Berlin"))
    away = ask(match, 1, f"vacation {first} - {last}")
    start_at = MIDNIGHT + timedelta(days=5, hours=-1)
    assert calendar_after(away).absences == (Absence(start_at, start_at + timedelta(days=5)),)
    assert (logged(away), answered(away)) == ([("absent", 1)], ["vacation_set"])


def test_what_is_left_of_a_vacation_is_told_of_the_year_it_is_in() -> None:
    """In November somebody may well plan for August."""
    day = date(TODAY.year + 1, 8, 3)
    (said,) = [detail for reply in ask(two(), 1, f"vacation {day}").replies for detail in reply.details]
    assert dict(said.arguments)["year"] == str(day.year)


@each("ahead, code, cancelled", [(True, "vacation_cancelled", True), (False, "back_done", None)])
def test_who_has_not_left_is_not_back(ahead: bool, code: str, cancelled: bool | None) -> None:
    """A vacation that lies ahead is cancelled, and the others hear that."""
    first = TODAY + timedelta(days=5 if ahead else 0)
    away = ask(two(), 1, f"vacation {first} - {first + timedelta(days=4)}")
    back = ask(with_calendar(two(), 1, calendar_after(away)), 1, "back")
    assert answered(back) == [code]
    assert [one.arguments.get("cancelled") for one in back.log] == [cancelled]


def test_a_vacation_that_begins_today_begins_now() -> None:
    """What is over is over: no time is given back, and no day of it is free."""
    away = ask(two(), 1, f"vacation until {TODAY + timedelta(days=2)}")
    (absence,) = calendar_after(away).absences
    assert (absence.start, absence.end) == (NOW, MIDNIGHT + timedelta(days=3))


@each(
    "text, code",
    [
        ("2026-11-10 - 2026-11-15", "dates_past"),
        ("", "dates_missing"),
        ("3/4", "dates_ambiguous"),
        ("31 nov", "dates_no_such_day"),
        ("9 aug - 3 aug 2027", "dates_backwards"),
    ],
)
def test_a_vacation_whose_days_are_not_clear_is_none(text: str, code: str) -> None:
    """Nobody finds out in August."""
    assert refused(two(), 1, f"vacation {text}".strip()) == code


def test_the_allowance_of_a_year_is_never_exceeded() -> None:
    """Not at once, and not bit by bit."""
    first = TODAY + timedelta(days=1)
    assert refused(two(), 1, f"vacation {first} - {first + timedelta(days=5)}", allowance=5) == "vacation_short"
    away = ask(two(), 1, f"vacation {first} - {first + timedelta(days=4)}", allowance=5)
    again = with_calendar(two(), 1, calendar_after(away))
    assert refused(again, 1, f"vacation {first + timedelta(days=10)}", allowance=5) == "vacation_none_left"
    assert logged(ask(again, 1, f"vacation {first}", allowance=5)) == [("absent", 1)]  # it costs nothing anew


@pytest.mark.parametrize("days", ["2026-12-30 - 2027-01-03", "2026-12-20 - 2027-01-20", "2026-12-25 - 2028-01-20"])
def test_a_vacation_over_the_turn_of_years_is_paid_for_in_each(days: str) -> None:
    """A whole year in the middle is no gift."""
    match = two()
    try:
        away = ask(match, 1, f"vacation {days}")
    except NoCommand:
        return
    for year in (2026, 2027, 2028):
        spent = 400 - days_left(calendar_after(away), 400, datetime(year, 7, 1, tzinfo=UTC))
        assert spent <= 30


@pytest.mark.parametrize("word", ["emergency", "remind 2d", "quiet 22-7", "auto off"])
def test_words_of_clocks_change_nothing_for_whom_no_clock_runs(word: str) -> None:
    """One sentence says so; days of absence are told to the others all the same."""
    match = start("pipline", 2, Entry(0, "c3"))
    with pytest.raises(NoCommand) as raised:
        ask(match, 1, word, clocked=False)
    assert [aside.code for aside in raised.value.asides] == ["no_clocks"]
    assert logged(ask(match, 1, "vacation 3 days", clocked=False)) == [("absent", 1)]


def test_an_emergency_stops_the_clock_at_once_and_costs_nothing_of_the_allowance() -> None:
    """Once in half a year."""
    gone = ask(two(), 1, "emergency")
    assert calendar_after(gone).absences == (Absence(NOW, NOW + timedelta(days=EMERGENCY_DAYS), "emergency"),)
    assert days_left(calendar_after(gone), 30, NOW) == 30
    assert (logged(gone), answered(gone)) == ([("absent", 1)], ["emergency_set"])
    match = with_calendar(two(), 1, calendar_after(gone))
    assert refused(match, 1, "emergency", now=NOW + timedelta(days=EMERGENCY_APART - 1)) == "emergency_used"
    assert logged(ask(match, 1, "emergency", now=NOW + timedelta(days=EMERGENCY_APART))) == [("absent", 1)]


def test_coming_back_ends_an_absence_now_and_drops_those_to_come() -> None:
    """What was used of it stays used."""
    vacation = Absence(NOW - timedelta(days=2), NOW + timedelta(days=2))
    to_come = Absence(NOW + timedelta(days=9), NOW + timedelta(days=12))
    home = ask(with_calendar(two(), 1, Calendar(absences=(vacation, to_come))), 1, "back")
    assert calendar_after(home).absences == (replace(vacation, end=NOW),)
    assert (logged(home), answered(home)) == ([("back", 1)], ["back_done"])
    assert refused(two(), 1, "back") == "not_away"


# settings


@each(
    "command, expected, code",
    [
        ("tz Europe/Lisbon", Calendar("Europe/Lisbon"), "zone_set"),
        ("tz UTC", Calendar(), "zone_set"),
        ("remind 2d 12h", Calendar(remind=(2 * DAY, DAY // 2)), "remind_set"),
        ("remind off", Calendar(remind=()), "remind_off"),
        ("remind default", Calendar(), "remind_default"),
        ("quiet 22-7", Calendar(quiet=(22, 7)), "quiet_set"),
        ("quiet off", Calendar(), "quiet_off"),
        ("auto off", Calendar(automatic=False), "auto_off"),
        ("auto on", Calendar(), "auto_on"),
    ],
)
def test_a_setting_is_told_to_its_sender_alone(command: str, expected: Calendar, code: str) -> None:
    """Nobody else learns the zone, the reminders or the quiet hours of anybody."""
    set_now = ask(two(), 1, command)
    assert calendar_after(set_now) == expected
    assert (logged(set_now), answered(set_now)) == ([], [code])
    assert set_now.after.clock == set_now.before.clock


@each(
    "command",
    [
        *(
            "pause until 31 nov",
            "pause until 31.11.",
            "pause until feb 30",
            "pause till 31 june",
            "pause until 31 novmber",
        ),
        *("pause until 5/6", "pause until 12 hours", "pause until 1 jan 2026", "pause 31 nov", "pause 3"),
        *(
            "vacation 30 feb",
            "vacation 31.11.",
            "vacation 5/6",
            "vacation 17-3 aug 2027",
            "vacation 30 hours",
            "vacation",
        ),
        *("vacation from monday", "standin dora until 31 nov", "give 3"),
    ],
)
def test_advice_shows_the_command_that_was_written(command: str) -> None:
    """Whoever wants a pause of one match, and follows the advice, does not stop all of their matches."""
    with pytest.raises(NoCommand) as raised:
        ask(two(), 0, command)
    (aside,) = raised.value.asides
    example = str(dict(aside.arguments).get("example", ""))
    (advised,) = read_commands([example])
    (written,) = read_commands([command])
    assert type(advised).__name__.removesuffix("Until") == type(written).__name__.removesuffix("Until"), aside


@each(
    "written",
    ["pause until tomorrow please", "pause until 5 dec", "pause till 5.12.", "pause until monday", "pause 3 days"],
)
def test_a_day_that_is_understood_whole_is_proposed(written: str) -> None:
    """Politeness is no part of it."""
    assert logged(ask(two(), 0, written)) == [("pause_proposed", 0)]


@each(
    "command, code",
    [
        ("tz Atlantis/Poseidonis", "zone_unread"),
        ("tz Melbourne, FL", "zone_near"),
        ("tz", "zone_missing"),
        ("remind 0h", "step_out_of_range"),
        ("remind 90d", "step_out_of_range"),
        ("remind 1d 2d 3d 4d 5d 6d", "too_many_steps"),
        ("quiet 0-23", "hours_too_many"),
        ("quiet 7-7", "hours_equal"),
        ("quiet 22:30-7", "hours_not_whole"),
    ],
)
def test_a_setting_that_cannot_be_changes_nothing(command: str, code: str) -> None:
    """Its sender is told what would be right."""
    assert refused(two(), 1, command) == code


def test_several_settings_in_one_email_are_all_kept() -> None:
    """The second does not undo the first."""
    both = ask(two(), 1, "tz Europe/Lisbon\nremind 1d\nquiet 22-7\nauto off")
    assert calendar_after(both) == Calendar("Europe/Lisbon", (), (DAY,), (22, 7), automatic=False)


def test_whatever_a_player_sets_answers_the_offer_of_a_vacation() -> None:
    """They are there."""
    offered = Calendar(away=None)
    assert calendar_after(ask(with_calendar(two(), 1, offered), 1, "quiet 22-7")).away is None


def test_settings_count_in_a_match_that_is_over_too_and_tell_nobody_there() -> None:
    """They are the player's, whatever email they answer."""
    over = timed(start("pipline", 2, Entry(0, "resign")))
    away = ask(over, 1, f"vacation {TODAY + timedelta(days=1)}")
    assert calendar_after(away).absences
    assert logged(away) == []


def test_who_has_left_a_match_tells_nobody_in_it_when_they_are_away() -> None:
    """Nobody waits for them there."""
    match = timed(start("zipline", 3, *AUCTION, Entry(0, "resign")))
    assert match.outcome is None
    away = ask(match, 0, f"vacation {TODAY + timedelta(days=1)}")
    assert calendar_after(away).absences
    assert logged(away) == []


# status


def test_the_status_of_all_matches_needs_no_match() -> None:
    """A known player gets it wherever they ask, and it changes nothing."""
    player = Player(1, "Bob", "bob@b.example", frozenset({"bob@b.example"}))
    outside = judge_outside(player, read_commands(["status"]), now=NOW)
    assert [reply.kind for reply in outside.replies] == ["status"]
    inside = ask(two(), 0, "status")
    assert [reply.kind for reply in inside.replies] == ["status"]
    assert not inside.changes_match


# attacks


def test_gifts_never_bring_anybodys_time_beyond_two_months() -> None:
    """However often one gives: every gift says what would be too much."""
    match = two()
    for _ in range((MOST_LEFT - 7) // 9):
        match = ask(match, 0, "give 9d").after
    for too_much in ("9d", "60d", "366d"):
        assert refused(match, 0, f"give {too_much}") == "give_at_most"
    assert time_left(match, NOW) <= MOST_LEFT * DAY


def test_an_emergency_cannot_be_had_again_by_coming_back() -> None:
    """Neither a minute later, nor before half a year is over."""
    calendar = calendar_after(ask(two(), 1, "emergency"))
    later = NOW + timedelta(minutes=1)
    home = calendar_after(ask(with_calendar(two(), 1, calendar), 1, "back", now=later))
    again = with_calendar(two(), 1, home)
    assert refused(again, 1, "emergency", now=later + timedelta(minutes=1)) == "emergency_used"


def test_going_and_coming_back_all_day_uses_up_the_allowance() -> None:
    """A day that is begun is spent, so that nobody has a vacation for each hour of thought."""
    calendar, now, trips = Calendar(), NOW, 0
    while trips < 100:
        match = with_calendar(two(), 1, calendar)
        try:
            calendar = calendar_after(ask(match, 1, f"vacation until {TODAY + timedelta(days=1)}", now=now))
        except NoCommand:
            break
        now += timedelta(minutes=1)
        calendar = calendar_after(ask(with_calendar(two(), 1, calendar), 1, "back", now=now))
        now += timedelta(minutes=1)
        trips += 1
    assert trips <= 30


def test_a_vacation_never_reaches_back_to_undo_a_flag() -> None:
    """The time is over although nobody has looked yet: what begins now begins now."""
    match = two()
    late = NOW + timedelta(days=7, minutes=2)
    for command in ("vacation until 2026-12-10", "emergency"):
        calendar = calendar_after(ask(match, 1, command, now=late))
        assert time_left(with_calendar(match, 1, calendar), late) == 0
    stopped = flagged(match)
    assert clock_after(ask(stopped, 1, "emergency", now=late)) == stopped.clock


def test_a_pause_needs_everybody_who_still_plays() -> None:
    """Who has left agrees for nobody, and is not asked."""
    match = timed(start("zipline", 3, *AUCTION, Entry(0, "resign")))
    assert refused(match, 0, "pause 10d") == "not_waiting"
    proposed = ask(match, 1, "pause 10d")
    assert logged(ask(proposed.after, 2, "pause 10d")) == [("paused", 2)]


HOSTILE: tuple[tuple[str, Callable[[int], str]], ...] = (
    ("remind", lambda n: "remind " + "1d " * n),
    ("quiet", lambda n: "quiet " + "2" * n + "-7"),
    ("vacation", lambda n: "vacation " + "3-" * n + "17 aug"),
    ("tz", lambda n: "tz " + "../" * n + "etc/passwd"),
    ("give", lambda n: "give " + "9" * n + "d"),
    ("pause", lambda n: "pause until " + "9" * n),
)


@each("make", [make for _, make in HOSTILE], ids=[name for name, _ in HOSTILE])
@each("size", [1, 5, 20, 50, 5000])
def test_hostile_values_change_nothing_for_anybody(make: Callable[[int], str], size: int) -> None:
    """Of any length: they are read as talk, refused, or taken as what they plainly say to the sender alone."""
    match = two()
    try:
        decision = ask(match, 0, make(size))
    except Rejection:
        return
    clock = decision.after.clock
    assert clock
    assert time_left(decision.after, NOW) <= MOST_LEFT * DAY
    assert clock.pause is None
    for effect in decision.effects:
        if isinstance(effect, SetCalendar):
            assert effect.calendar.tzinfo
            assert len(effect.calendar.remind or ()) <= 5
