"""Clocks, calendars and the log come back as they were stored; a damaged one harms its match alone."""

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from pbem.errors import DamagedMatch
from pbem.match.log import LogEntry
from pbem.match.time.calendar import Absence, Calendar
from pbem.match.time.clock import Clock, Proposal
from pbem.match.time.time_control import TimeControl
from pbem.reading.when.days import DateSpan
from pbem.storage.calendars import read_calendar, write_calendar
from pbem.storage.damage import list_damage
from pbem.storage.matches.clocks import read_clock, write_clock
from tests.support.club import Club
from tests.support.each import each

NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
DAY = 86400
FULL = Clock(
    TimeControl(20 * DAY, DAY, 30 * DAY, True, "forfeit"),
    (17, 18),
    1,
    NOW,
    NOW + timedelta(hours=1),
    "bounced",
    NOW + timedelta(hours=2),
    (NOW, NOW + timedelta(days=9)),
    NOW + timedelta(hours=3),
    7200,
    Proposal(NOW + timedelta(days=3), (0, 1)),
)
ENDING = replace(FULL, proposal=Proposal(NOW + timedelta(days=9), (1,), ends=True))
CALENDAR = Calendar(
    "Europe/Lisbon",
    (Absence(NOW, NOW + timedelta(days=3)), Absence(NOW + timedelta(days=9), NOW + timedelta(days=10), "emergency")),
    (2 * DAY, 3600),
    (22, 7),
    automatic=False,
    away=DateSpan(date(2026, 12, 1), date(2026, 12, 9)),
)


@pytest.fixture
def three(club: Club) -> Club:
    """A club of three matches in which it is Ann's turn."""
    for _ in range(3):
        club.open()
    return club


def execute(club: Club, statement: str) -> None:
    """Execute an SQL statement as a hand with sqlite3 would, without foreign keys."""
    with closing(sqlite3.connect(str(club.service.database.file))) as connection, connection:
        connection.execute(statement)


def stored(clock: Clock, **changes: object) -> tuple[object, ...]:
    """Return the values of the columns of a clock, after a hand has changed some."""
    return tuple((write_clock(clock) | changes).values())


@pytest.mark.parametrize(
    "clock", [FULL, ENDING, Clock(FULL.control, (1, 2, 3))], ids=["all set", "ending", "nothing set"]
)
def test_a_clock_comes_back_as_it_was_stored(three: Club, clock: Clock) -> None:
    """Every field of it, through the real tables."""
    if len(clock.banks) > 2:
        clock = replace(clock, banks=clock.banks[:2])
    with three.service.database.transaction() as tx:
        tx.clocks.remove(2)
        tx.clocks.add(2, clock, NOW)
    assert three.match(2).clock == clock
    changed = replace(clock, banks=(5, 6), reminded=None, proposal=None)
    with three.service.database.transaction() as tx:
        tx.clocks.save(2, changed, NOW)
    assert three.match(2).clock == changed


@pytest.mark.parametrize("calendar", [CALENDAR, Calendar(), Calendar(remind=()), Calendar(automatic=False)])
def test_a_calendar_comes_back_as_it_was_stored(three: Club, calendar: Calendar) -> None:
    """Every field of it, through the real tables; the default is not the same as none."""
    with three.service.database.transaction() as tx:
        tx.players.set_calendar(three.match().players[1], calendar, three.clock.now())
    assert three.match(3).players[1].calendar == calendar
    assert read_calendar(*write_calendar(calendar).values()) == calendar


def test_the_log_comes_back_as_it_was_stored(three: Club) -> None:
    """Each entry in its order, with its arguments."""
    entries = [LogEntry("given", 0, {"seconds": 7}, 0, NOW), LogEntry("voided", None, {}, 3, NOW)]
    with three.service.database.transaction() as tx:
        tx.clocks.add_log(2, entries, None)
        assert tx.clocks.log(2) == entries
        assert tx.clocks.log(1) == []


@each(
    "changes",
    [
        {"banks": None},
        {"banks": [1]},
        {"banks": [1, -2]},
        {"banks": [1, 2**62]},
        {"banks": [1, "2"]},
        {"banks": [True, False]},
        {"seat": 2},
        {"seat": -1},
        {"seat": "1"},
        {"since": "now"},
        {"since": datetime(9999, 12, 31, tzinfo=UTC)},
        {"halted": "for ever"},
        {"reminded": 1.5},
        {"control": {"start": 1}},
        {"control": write_clock(FULL)["control"] | {"cap": 2**62}},
        {"control": write_clock(FULL)["control"] | {"policy": "win"}},
        {"proposal": "pause"},
        {"proposal": {"seats": [0]}},
        {"proposal": {"seats": [7], "until": NOW.isoformat()}},
        {"proposal": {"seats": [0], "until": "2026-11-20T18:30:00"}},
    ],
    ids=repr,
)
def test_a_clock_that_no_pbem_has_written_is_refused(changes: dict[str, object]) -> None:
    """Nothing is guessed: a match must not end by a number that a disk made up."""
    assert read_clock(stored(FULL), 2) == FULL
    with pytest.raises(ValueError):  # noqa: PT011 - whatever it says, the match is damaged
        read_clock(stored(FULL, **changes), 2)


@each(
    "column, value, expected",
    [
        ("zone", 7, Calendar()),
        ("zone", "../../etc/passwd", Calendar("../../etc/passwd")),
        ("absences", "nonsense", Calendar()),
        ("absences", [[1, 2], ["then", "now", "vacation"], None], Calendar()),
        ("absences", [[NOW.isoformat(), NOW.isoformat(), "vacation"]], Calendar()),
        ("absences", [["2026-11-20T18:30:00", "2026-11-21T18:30:00", "vacation"]], Calendar()),
        ("absences", [["2026-11-20T18:30:00+00:00", "2026-11-21T18:30:00+00:00", "holiday"]], Calendar()),
        ("remind", "soon 99999999999", Calendar()),
        ("quiet_hours", "25-7", Calendar()),
        ("away", "yesterday", Calendar()),
    ],
)
def test_a_value_of_a_calendar_that_no_pbem_has_written_is_passed_over(
    column: str, value: object, expected: Calendar
) -> None:
    """A player's other matches go on: an unknown zone is UTC, what is no absence is none."""
    found = read_calendar(*(write_calendar(Calendar()) | {column: value}).values())
    assert found == expected
    assert str(found.tzinfo) == "UTC"


DAMAGES = (
    "UPDATE clock SET banks = '[1' WHERE match_id = 2",
    "UPDATE clock SET banks = '[1, 4611686018427387904]' WHERE match_id = 2",
    "UPDATE clock SET control = '{}' WHERE match_id = 2",
    "UPDATE clock SET since = 'then' WHERE match_id = 2",
    "UPDATE clock SET halted = 'for ever' WHERE match_id = 2",
    """UPDATE clock SET proposal = '"x"' WHERE match_id = 2""",
)


@pytest.mark.parametrize("statement", DAMAGES)
def test_a_damaged_clock_harms_its_match_alone(three: Club, statement: str) -> None:
    """Whoever asks for the match is told, the doctor names it, and the other matches of its player go on."""
    execute(three, statement)
    with three.service.database.reading() as tx:
        with pytest.raises(DamagedMatch) as caught:
            tx.matches.get(2)
        assert caught.value.id == 2
        assert [match.id for match in tx.matches.all()] == [1, 3]
        assert [number for number, _ in tx.clocks.of_player(1)] == [1, 3]
    found = list_damage(three.service.database)
    assert len(found) == 1
    assert found[0].startswith("Match 2 is damaged: ")


@pytest.mark.parametrize("statement", DAMAGES)
def test_a_damaged_clock_keeps_no_other_from_running_and_nobody_from_being_reminded(
    three: Club, statement: str
) -> None:
    """It is looked at again each hour, and meanwhile all else is due when it is due."""
    asyncio.run(three.service.deliver())
    execute(three, statement)
    for _ in three.pass_time(timedelta(days=13)):
        pass
    assert [mail.match for mail in three.queued(kind="reminder")] == [1]  # one email for the two
    for _ in three.pass_time(timedelta(days=2)):
        pass
    assert three.match(1).outcome
    assert three.match(3).outcome
