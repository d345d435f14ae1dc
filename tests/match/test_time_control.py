"""The time of a match: as an operator chooses it, as it is stored, and what a move adds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.match.time.time_control import (
    DEFAULT_CONTROL,
    Policy,
    TimeControl,
    read_stored_control,
    read_time_control,
    store_control,
    write_time_control,
)
from pbem.reading.when.lengths import DAY, HOUR, LONGEST_TIME, read_duration, write_duration
from rules.errors import InvalidOption
from rules.games import GAMES
from tests.support.each import each

BANK = TimeControl(20 * DAY, DAY, 20 * DAY)


@st.composite
def controls(draw: st.DrawFn) -> TimeControl:
    """Any time control that can be chosen."""
    start = draw(st.integers(HOUR, LONGEST_TIME))
    cap = draw(st.integers(start, LONGEST_TIME))
    policies: tuple[Policy, ...] = ("claim", "forfeit", "remind-only", "partner")
    increment = draw(st.sampled_from([0, start]) | st.integers(0, LONGEST_TIME))
    return TimeControl(start, increment, cap, draw(st.booleans()), draw(st.sampled_from(policies)))


@each(
    "words, control",
    [
        ("", DEFAULT_CONTROL),
        ("days=7", DEFAULT_CONTROL),
        ("days=3", TimeControl(3 * DAY, 3 * DAY, 3 * DAY)),
        ("days=36h", TimeControl(36 * HOUR, 36 * HOUR, 36 * HOUR)),
        ("days=400", TimeControl(LONGEST_TIME, LONGEST_TIME, LONGEST_TIME)),
        ("days=1h", TimeControl(HOUR, HOUR, HOUR)),
        ("days=none", None),
        ("days=None", None),
        ("bank=20d+1d max=20d", BANK),
        ("bank=20d+1d", BANK),
        ("bank=2w6d+24h", BANK),
        ("bank=20d", TimeControl(20 * DAY, 0, 20 * DAY)),
        ("bank=2d+12h max=5d", TimeControl(2 * DAY, 12 * HOUR, 5 * DAY)),
        ("bank=2d+30m", TimeControl(2 * DAY, 1800, 2 * DAY)),
        ("weekends=free", TimeControl(7 * DAY, 7 * DAY, 7 * DAY, weekends_free=True)),
        ("weekends=count", DEFAULT_CONTROL),
        ("flag=partner", TimeControl(7 * DAY, 7 * DAY, 7 * DAY, policy="partner")),
        ("days=3 flag=Forfeit", TimeControl(3 * DAY, 3 * DAY, 3 * DAY, policy="forfeit")),
    ],
)
def test_what_an_operator_chooses(words: str, control: TimeControl | None) -> None:
    """A time for each move, a bank, or no clock; where nothing is said, a week for each move."""
    assert read_time_control(options(words)) == (control, {})


@each(
    "words, code",
    [
        ("days=0", "time_too_short"),
        ("days=-3", "time_too_short"),
        ("days=59m", "time_too_short"),
        ("days=401", "time_too_long"),
        ("days=999999", "time_too_long"),
        ("days=99999999999999999999", "unknown_time"),
        ("days=3x", "unknown_time"),
        ("days=", "unknown_time"),
        ("days=²", "unknown_time"),
        ("days=seven", "unknown_time"),
        ("bank=20", "unknown_time"),
        ("bank=0d+1d", "time_too_short"),
        ("bank=+1d", "unknown_time"),
        ("bank=20d+", "unknown_time"),
        ("bank=20d+1d+1d", "unknown_time"),
        ("bank=20d+-1d", "time_too_short"),
        ("bank=20d+401d", "time_too_long"),
        ("bank=401d", "time_too_long"),
        ("bank=none", "unknown_time"),
        ("bank=20d max=19d", "max_below_bank"),
        ("bank=20d max=30m", "time_too_short"),
        ("bank=20d max=500d", "time_too_long"),
        ("max=20d", "max_without_bank"),
        ("days=3 max=20d", "max_without_bank"),
        ("days=3 bank=20d", "days_and_bank"),
        ("days=none bank=20d", "days_and_bank"),
        ("days=none max=20d", "idle_option"),
        ("days=none flag=claim", "idle_option"),
        ("days=none weekends=count", "idle_option"),
        ("flag=resign", "unknown_value"),
        ("weekends=yes", "unknown_value"),
    ],
)
def test_what_makes_no_sense_is_refused(words: str, code: str) -> None:
    """The error has a code, and quotes what was written."""
    with pytest.raises(InvalidOption) as refused:
        read_time_control(options(words))
    assert refused.value.code == code
    quoted = [value for name, value in refused.value.arguments.items() if name != "option"]
    assert quoted
    assert all(f"“{value}”" in str(refused.value) and f"={value}" in words for value in quoted)


def test_a_mistyped_policy_is_guessed() -> None:
    """Only where a policy is near."""
    with pytest.raises(InvalidOption, match="flag=forfeit"):
        read_time_control({"flag": "forfiet"})
    with pytest.raises(InvalidOption) as refused:
        read_time_control({"flag": "xyzzy"})
    assert "flag=" not in str(refused.value)


def test_other_options_are_left_alone() -> None:
    """They belong to the game, in whose options no name stands twice; values need not be text."""
    chosen: dict[str, object] = {"size": 9, "days": 3, "order": "lot"}
    assert read_time_control(chosen) == (TimeControl(3 * DAY, 3 * DAY, 3 * DAY), {"size": 9, "order": "lot"})
    assert chosen == {"size": 9, "days": 3, "order": "lot"}
    assert not {option.key for game in GAMES.values() for option in game.options} & {
        *("days", "bank", "max", "weekends", "flag")
    }


@each(
    "control, words",
    [
        (None, "days=none"),
        (DEFAULT_CONTROL, "days=7"),
        (TimeControl(36 * HOUR, 36 * HOUR, 36 * HOUR), "days=1d12h"),
        (TimeControl(20 * DAY, DAY, 20 * DAY, True, "forfeit"), "bank=20d+1d max=20d weekends=free flag=forfeit"),
        (TimeControl(20 * DAY, 0, 20 * DAY), "bank=20d max=20d"),
    ],
)
def test_it_is_written_as_it_can_be_chosen(control: TimeControl | None, words: str) -> None:
    """In one way, whatever the operator wrote."""
    assert write_time_control(control) == words


@given(controls())
def test_what_is_written_or_stored_is_read_back(control: TimeControl) -> None:
    """The same time control comes back."""
    assert read_time_control(options(write_time_control(control))) == (control, {})
    assert read_stored_control(store_control(control)) == control


def test_no_clock_is_stored_as_nothing() -> None:
    """As it is for matches that were opened before there were clocks."""
    assert store_control(None) is None
    assert read_stored_control(None) is None


@each(
    "damage",
    [
        {"start": 0},
        {"start": "7"},
        {"start": True},
        {"start": 7.0},
        {"start": 21 * DAY},
        {"increment": -1},
        {"increment": None},
        {"cap": LONGEST_TIME + 1},
        {"weekends_free": 1},
        {"policy": "lose"},
        {"policy": ["claim"]},
        {"more": 1},
    ],
)
def test_damage_is_noticed(damage: dict[str, object]) -> None:
    """What is never stored is not read."""
    whole = store_control(BANK)
    assert whole is not None
    with pytest.raises(ValueError, match="time control"):
        read_stored_control({**whole, **damage})


@each("value", ["", 7, [], {}, {"start": 7}])
def test_what_is_no_time_control_is_not_read(value: object) -> None:
    """Only an object with all fields is."""
    with pytest.raises(ValueError, match="time control"):
        read_stored_control(value)


def test_a_bank_refills_fully_with_days() -> None:
    """However little was left."""
    assert DEFAULT_CONTROL.after_move(1) == DEFAULT_CONTROL.after_move(7 * DAY) == 7 * DAY


def test_a_move_adds_to_a_bank_up_to_its_cap() -> None:
    """And takes nothing of what somebody was given beyond."""
    assert BANK.after_move(3 * DAY) == 4 * DAY
    assert BANK.after_move(19 * DAY + 1) == 20 * DAY
    assert BANK.after_move(25 * DAY) == 25 * DAY
    assert TimeControl(DAY, 0, DAY).after_move(5) == 5


@each(
    "cap, steps",
    [
        (20 * DAY, (2 * DAY, 12 * HOUR)),
        (5 * DAY, (2 * DAY, 12 * HOUR)),
        (5 * DAY - 1, (DAY, 6 * HOUR)),
        (2 * DAY, (DAY, 6 * HOUR)),
        (DAY, (6 * HOUR,)),
        (3 * HOUR, (HOUR,)),
        (2 * HOUR, (HOUR,)),
        (2 * HOUR - 1, ()),
    ],
)
def test_reminders_go_with_the_pace(cap: int, steps: tuple[int, ...]) -> None:
    """All are below the cap, the largest first."""
    assert TimeControl(cap, cap, cap).default_steps() == TimeControl(HOUR, 0, cap).default_steps() == steps


@each(
    "text, seconds",
    [
        ("3d", 3 * DAY),
        ("12h", 12 * HOUR),
        ("2d12h", 60 * HOUR),
        ("2d 12h", 60 * HOUR),
        ("12h 2d", 60 * HOUR),
        ("1w", 7 * DAY),
        ("90m", 5400),
        ("90s", 90),
        ("3 days", 3 * DAY),
        ("  3  DAYS ", 3 * DAY),
        ("a week", 7 * DAY),
        ("an hour", HOUR),
        ("two weeks", 14 * DAY),
        ("2 days and 12 hours", 60 * HOUR),
        ("2 days, 12 hours, and 30 minutes", 60 * HOUR + 1800),
        ("1d,12h", 36 * HOUR),
        ("0h", 0),
        ("400d", LONGEST_TIME),
        *((text, None) for text in ("", "3", "d", "aweek", "3x", "1mo", "a month", "-3d", "3d-", "1.5d", "3d 2d")),
        *((text, None) for text in ("2d 12", "and 3d", "3d and", "3 d ays", "٣d", "401d", "1000000w", "3dd", "d3")),
    ],
)
def test_lengths_of_time(text: str, seconds: int | None) -> None:
    """Units in any order, each once; "m" are minutes, and months have no length."""
    assert read_duration(text) == seconds


def test_a_length_beyond_all_bounds_is_read_where_it_is_asked_for() -> None:
    """So that an error can say that it is too long."""
    assert read_duration("401d") is None
    assert read_duration("401d", longest=None) == 401 * DAY


def test_how_lengths_are_written() -> None:
    """From days to seconds, without those that are none."""
    assert [write_duration(seconds) for seconds in (0, 60 * HOUR, 7 * DAY, 3661)] == ["0h", "2d 12h", "7d", "1h 1m 1s"]


@given(st.integers(0, LONGEST_TIME), st.sampled_from(["", " "]))
def test_a_length_that_was_written_is_read_back(seconds: int, between: str) -> None:
    """Whatever stands between its parts."""
    assert read_duration(write_duration(seconds, between)) == seconds


def options(words: str) -> dict[str, str]:
    """Return the options written as after ``--option``."""
    return {key: value for key, _, value in (word.partition("=") for word in words.split())}
