"""How long moves were thought about."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbem.match.log import LogEntry, LogKind
from pbem.match.match import Match
from pbem.match.thinking import thinking_times
from pbem.match.time.calendar import Absence, Calendar
from rules.position import Entry
from tests.support.each import each
from tests.support.matches import AUCTION, pipline

OPENED = datetime(2026, 11, 2, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def at(day: float) -> datetime:
    """Return a moment so many days after the opening."""
    return OPENED + timedelta(days=day)


def played(*days: float, zone: str = "", absences: tuple[Absence, ...] = ()) -> Match:
    """Return a match in which Ann and Bob moved by turns on these days; both have that calendar."""
    record = (*AUCTION, Entry(0, "b2"), Entry(1, "c3"), Entry(0, "d4"))[: len(days)]
    one = pipline()
    calendar = Calendar(zone=zone, absences=absences)
    players = tuple(replace(player, calendar=calendar) for player in one.players)
    return replace(one, players=players, opened_at=OPENED, record=record, times=tuple(map(at, days)))


def logged(kind: LogKind, day: float, seat: int | None = None, **moments: float) -> LogEntry:
    """Return what happened on a day, with arguments that are days."""
    given: dict[str, Any] = {name: at(moment).isoformat() for name, moment in moments.items()}
    return LogEntry(kind, seat, given, 0, at(day))


def days(match: Match, *log: LogEntry, outages: tuple[tuple[float, float], ...] = ()) -> list[float]:
    """Return how many days each entry was thought about."""
    spans = [(at(start), at(end)) for start, end in outages]
    return [seconds / DAY.total_seconds() for seconds in thinking_times(match, log, spans)]


def test_what_nothing_interrupts_is_the_time_between_entries() -> None:
    """The first from the opening."""
    assert days(played(1, 1.5, 4)) == [1, 0.5, 2.5]


@each(
    "log, thought",
    [
        ([("paused", 2, None, {"until": 6})], 6),
        ([("paused", 2, None, {"until": 6}), ("pause_ended", 3, None, {})], 9),
        ([("paused", 2, None, {"until": 6}), ("paused", 4, None, {"until": 8})], 4),
        ([("absent", 1, 0, {"start": 3, "end": 8})], 5),
        ([("absent", 1, 0, {"start": 3, "end": 8}), ("back", 5, 0, {})], 8),
        ([("absent", 1, 0, {"start": 3, "end": 8}), ("back", 2, 0, {})], 10),
        ([("absent", 1, 1, {"start": 3, "end": 8})], 10),
        ([("automatic_day", 7, 0, {"until": 8}), ("automatic_day", 8, 0, {"until": 9})], 8),
        ([("paused", 2, None, {"until": 6}), ("absent", 1, 0, {"start": 3, "end": 8})], 4),
    ],
)
def test_neither_pauses_nor_vacations_are_thinking(
    log: list[tuple[LogKind, float, int | None, dict[str, float]]], thought: float
) -> None:
    """They end when somebody is back, or ends them; those of the others count, and none counts twice."""
    entries = [logged(kind, day, seat, **moments) for kind, day, seat, moments in log]
    assert days(played(10), *entries) == [thought]


def test_outages_are_no_thinking() -> None:
    """Nobody could have moved."""
    assert days(played(3, 5), outages=((1, 2), (2.5, 4))) == [1.5, 1]


def test_who_was_away_when_the_match_began_did_not_think_yet() -> None:
    """No log of the match tells of it, the calendar does; what came after tells itself."""
    away = (Absence(at(-3), at(4)), Absence(at(5), at(6)))
    assert days(played(10, absences=away)) == [6]


def test_whoever_took_over_a_seat_was_not_away_before() -> None:
    """The calendar is theirs, and the moves of before are not."""
    replaced = LogEntry("replaced", None, {"seat": 0, "before": "Ann", "after": "Dora"}, 0, at(2))
    assert days(played(10, absences=(Absence(at(-3), at(4)),)), replaced) == [10]


def test_no_time_tells_the_zone_of_who_was_away() -> None:
    """A vacation lasts the days that are told of it, and none of their hours."""
    zones = {
        zone: days(played(10, zone=zone), logged("absent", 1, 0, start=3 - shift / 24, end=8 - shift / 24))
        for zone, shift in (("", 0), ("Asia/Tokyo", 9), ("Asia/Kolkata", 5.5), ("America/Bogota", -5))
    }
    assert set(map(tuple, zones.values())) == {(5.0,)}


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["absent", "automatic_day", "paused", "pause_ended", "back", "replaced"]),
            st.integers(0, 20),
            st.sampled_from([None, 0, 1]),
            st.dictionaries(
                st.sampled_from(["start", "end", "until"]), st.integers(0, 30) | st.sampled_from(["", "soon"])
            ),
        )
    )
)
def test_no_log_makes_a_time_longer_or_less_than_nothing(
    log: list[tuple[LogKind, int, int | None, dict[str, int | str]]],
) -> None:
    """Whatever is stored there."""
    entries = [
        LogEntry(
            kind, seat, {k: at(v).isoformat() if isinstance(v, int) else v for k, v in moments.items()}, 0, at(day)
        )
        for kind, day, seat, moments in log
    ]
    match = played(4, 7, 20)
    for seconds, plain in zip(thinking_times(match, entries), thinking_times(match, ()), strict=True):
        assert 0 <= seconds <= plain
