"""What anybody may read about the time of a match: never more than concerns everybody."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import get_args

from pbem.match.endings import Ruling
from pbem.match.log import LogEntry, LogKind
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.summary import summarise
from pbem.match.time.calendar import Calendar
from pbem.match.time.clock import Clock
from pbem.match.time.time_control import DEFAULT_CONTROL, TimeControl
from pbem.match.timing import start_clock
from pbem.notices.sentences.public import Told, describe_control, tell_log, tell_turn
from rules.position import Entry
from tests.support.each import each
from tests.support.matches import AUCTION, NOW, OPENED, pipline

DAY = 86400
WEEK = timedelta(days=7)


def timed(match: Match, **clock: object) -> Match:
    """Return a match in which it is Ann's turn since it opened, with her clock as it is told."""
    begun = start_clock(match, DEFAULT_CONTROL, OPENED)
    assert isinstance(begun.clock, Clock)
    running: dict[str, object] = {"since": OPENED, "halted": ""}
    return replace(begun, clock=replace(begun.clock, **(running | clock)), folded=begun.position)  # type: ignore[arg-type] # by name


def moments(match: Match, now: datetime = NOW) -> Mapping[str, object]:
    """Return the moments that are told of a turn."""
    told = tell_turn(summarise(match), now)
    assert told
    return {name: value for name, value in told.arguments.items() if isinstance(value, date)}


def test_a_turn_has_a_beginning_and_an_end() -> None:
    """The day on which it began, and the moment at which the time is over."""
    told = tell_turn(summarise(timed(pipline(*AUCTION))), NOW)
    assert told
    assert told.arguments == {"name": "Ann", "since": OPENED.date(), "until": OPENED + WEEK}


def test_without_a_clock_there_is_no_end() -> None:
    """The turn began with the last entry."""
    one = pipline(*AUCTION)
    assert moments(one) == {"since": one.times[-1].date()}


def test_a_clock_that_stands_has_no_end() -> None:
    """Before the email is sent, and when it came back; the words differ."""
    standing = [timed(pipline(*AUCTION), since=None, halted=why) for why in ("unsent", "bounced")]
    assert [moments(match) for match in standing] == [{"since": OPENED.date()}] * 2
    messages = {told.message for match in standing if (told := tell_turn(summarise(match), NOW))}
    assert len(messages) == 2


def test_a_flag_is_told_with_its_moment() -> None:
    """Nothing is said of an end that is over."""
    up = OPENED + WEEK
    match = timed(pipline(*AUCTION), since=None, halted="flagged", flagged_at=up, halted_at=up)
    assert moments(match) == {"since": OPENED.date(), "flagged": up}


def test_a_pause_is_told_while_it_lasts() -> None:
    """It moves the end on, also when it is over."""
    paused = NOW - timedelta(hours=1), NOW + timedelta(days=5)
    match = timed(pipline(*AUCTION), pause=paused)
    until = OPENED + WEEK + (paused[1] - paused[0])
    assert moments(match) == {"since": OPENED.date(), "until": until, "end": paused[1]}
    assert moments(match, paused[1]) == {"since": OPENED.date(), "until": until}


def test_nobody_is_to_move_in_a_match_that_was_called_off() -> None:
    """Its record alone would say whose turn it is."""
    match = timed(pipline(*AUCTION))
    assert tell_turn(summarise(replace(match, ruling=Ruling("void", at=NOW))), NOW) is None


def test_another_year_is_written_out() -> None:
    """Of the year in which a turn began nobody has to be told."""
    told = Told("{a} {b} {c}", {"a": date(2026, 12, 30), "b": date(2027, 1, 2), "c": NOW.replace(year=2027)}, OPENED)
    assert ["2027" in str(told.say(moment)) for moment in told.arguments.values() if isinstance(moment, date)] == [
        False,
        True,
        True,
    ]


@each(
    "control",
    [
        DEFAULT_CONTROL,
        replace(DEFAULT_CONTROL, weekends_free=True),
        TimeControl(20 * DAY, DAY, 30 * DAY),
        TimeControl(20 * DAY, DAY, 30 * DAY, weekends_free=True),
        TimeControl(20 * DAY, 0, 20 * DAY),
        TimeControl(20 * DAY, 0, 20 * DAY, weekends_free=True),
    ],
)
def test_a_time_control_is_told_whole(control: TimeControl) -> None:
    """What it starts with, gets and can save stands in it, each once, and whether weekends count."""
    said = str(describe_control(control))
    times = {control.start, control.increment, control.cap} - {0}
    assert [said.count(f"{time // DAY} day") for time in times] == [1] * len(times)
    assert ("weekend" in said) == control.weekends_free


WHERE = Calendar(zone="Pacific/Auckland")
PRIVATE = "Auckland|vacation|emergency|ann@home.example|because"


@each("kind", get_args(LogKind))
@each("seat", [0, None, 7])
@each(
    "arguments",
    [
        {},
        {"seconds": "x", "until": 7, "start": None, "end": "soon"},
        {"start": "2026-11-22T11:00:00+00:00", "end": "2026-11-25T11:00:00+00:00", "kind": "emergency"},
        {"until": "2026-11-25T11:00:00+00:00", "seconds": 3 * DAY, "left": 4, "other": False},
        {"address": "ann@home.example", "note": "because", "name": "ann@home.example"},
    ],
)
def test_the_log_tells_nothing_private_and_breaks_no_page(
    kind: LogKind, seat: int | None, arguments: dict[str, object]
) -> None:
    """Neither addresses, nor why somebody is away, nor where they are; whatever stands in a row."""
    ann = Player(1, "Ann", "ann@home.example", frozenset(), calendar=WHERE)
    match = replace(pipline(*AUCTION), players=(ann, pipline().players[1]))
    for entry, told in tell_log([LogEntry(kind, seat, arguments, 1, OPENED)], match):
        assert entry.kind == kind
        assert not [word for word in PRIVATE.split("|") if word in str(told)]


def test_days_of_absence_are_days_where_the_player_lives() -> None:
    """The hour in UTC at which they end would tell where that is."""
    start, end = datetime(2026, 11, 22, 11, tzinfo=UTC), datetime(2026, 11, 25, 11, tzinfo=UTC)
    match = replace(pipline(*AUCTION), players=tuple(replace(one, calendar=WHERE) for one in pipline().players))
    entry = LogEntry("absent", 0, {"start": start.isoformat(), "end": end.isoformat()}, 2, OPENED)
    ((_, told),) = tell_log([entry], match)
    assert told.arguments == {"name": "Ann", "first": date(2026, 11, 23), "last": date(2026, 11, 25)}


def test_automatic_days_that_follow_each_other_are_one() -> None:
    """A page does not get longer with each of thirty; another player's stands for itself."""
    days = [
        LogEntry(
            "automatic_day",
            seat,
            {"until": (OPENED + timedelta(days=day)).isoformat(), "again": day > 1},
            2,
            OPENED + timedelta(days=day),
        )
        for seat, day in ((0, 1), (0, 2), (0, 3), (1, 1))
    ]
    assert [entry for entry, _ in tell_log(days, pipline(*AUCTION))] == days[2:]


def test_what_others_need_not_know_is_left_out() -> None:
    """A second address that is tried, a question asked again, a flag that the record tells, and who wants no email."""
    lost = pipline(*AUCTION, Entry(0, "timeout"))
    log = [
        LogEntry("bounced", 1, {"other": True}, 1, OPENED),
        LogEntry("flagged", 0, {"again": True}, 2, OPENED),
        LogEntry("flagged", 0, {}, 3, OPENED),
        LogEntry("unsubscribed", 1, {}, 2, OPENED),
        LogEntry("pause_proposed", 1, {"until": OPENED.isoformat()}, 2, OPENED),
    ]
    assert tell_log(log, lost) == []
    assert len(tell_log([LogEntry("flagged", 0, {}, 2, OPENED), LogEntry("bounced", 1, {}, 1, OPENED)], lost)) == 2


def test_extra_time_goes_to_whoever_was_to_move() -> None:
    """After the first move that was Bob, whoever moves now."""
    given = LogEntry("given", 0, {"seconds": 3 * DAY}, 1, OPENED)
    ((_, told),) = tell_log([given], pipline(*AUCTION))
    assert (told.arguments["name"], told.arguments["other"]) == ("Ann", "Bob")
