"""What 0008 brought survives an upgrade: clocks, logs, calendars, outages, rulings, entries that were taken back."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.old_databases import (
    TIMING,
    VERSIONS,
    Running,
    expected_calendars,
    expected_matches,
    expected_outages,
    old_message,
    reply_to,
)

TIMED = [version for version in VERSIONS if version >= "0008"]
UNTIMED = [version for version in VERSIONS if version < "0008"]

UNCLAIMED, PROPOSED, REWOUND, REPLACED = 11, 16, 22, 23
"""Matches of these, as the README of the fixtures numbers them."""


@pytest.mark.parametrize("version", UNTIMED)
def test_what_was_opened_before_has_no_clock(version: str, start: Callable[[str], Running]) -> None:
    """Nobody's time runs who was never told of it, nobody is absent, and nothing is in the log."""
    running = start(version)
    nothing: dict[str, Any] = {"ruling": None, "rewound": 0, "clock": None, "log": [], "retracted": None}
    assert running.timing() == dict.fromkeys(expected_matches(version), nothing)
    usual: dict[str, Any] = {"zone": "", "absences": [], "remind": None, "quiet": None, "automatic": True, "away": None}
    assert running.calendars() == dict.fromkeys(("Ann", "Bob", "Carl", "Dörte"), usual)
    assert running.outages() == []


@pytest.mark.parametrize("version", TIMED)
def test_clocks_logs_and_rulings_are_what_they_were(version: str, start: Callable[[str], Running]) -> None:
    """Every clock has the time, the halt and the end that the old program said; what was taken back is still known."""
    assert start(version).timing() == {
        number: {name: match[name] for name in TIMING} for number, match in expected_matches(version).items()
    }


@pytest.mark.parametrize("version", TIMED)
def test_calendars_and_outages_are_what_they_were(version: str, start: Callable[[str], Running]) -> None:
    """Absences, zones, reminders, quiet hours, and a vacation that is only offered."""
    running = start(version)
    expected = expected_calendars(version).items()
    assert running.calendars() == {
        name: {key: value for key, value in calendar.items() if key not in ("feed", "turns")}
        for name, calendar in expected
    }
    assert running.outages() == expected_outages(version) != []


@pytest.mark.parametrize("version", TIMED)
def test_calendar_feeds_stay_where_they_are(version: str, start: Callable[[str], Running]) -> None:
    """Players have subscribed to them: the same address, and the same identity of each turn, or it shows twice."""
    found = start(version).feeds()
    expected = {one["feed"]: one["turns"] for one in expected_calendars(version).values() if "feed" in one}
    assert {path: found.get(path) for path in expected} == expected
    assert any(expected.values())


@pytest.mark.parametrize("version", TIMED)
def test_nothing_becomes_due_by_an_upgrade(version: str, start: Callable[[str], Running]) -> None:
    """No reminder comes twice, no flag falls, and whoever was asked about one is not asked again."""
    running = start(version)
    before = {number: match["clock"] for number, match in expected_matches(version).items()}
    queued = [(str(message["X-Pbem-Match"]), str(message["X-Pbem-Kind"])) for message in running.deliver()]
    assert queued == 2 * [(str(max(before)), "opened")]
    after = {number: match["clock"] for number, match in running.timing().items()}
    assert [number for number in before if before[number] != after[number]] == [max(before)]


@pytest.mark.parametrize("version", TIMED)
def test_a_flag_that_fell_can_be_claimed(version: str, start: Callable[[str], Running]) -> None:
    """Eve has waited so far."""
    running = start(version)
    match = expected_matches(version)[UNCLAIMED]
    assert match["clock"]["halted"] == "flagged"
    assert running.hand_in(reply_to(old_message(version, f"match-{UNCLAIMED}-seat-0"), "claim")) == ("accepted", False)
    assert running.matches()[UNCLAIMED]["record"] == [*match["record"], [1, "timeout"]]
    assert running.matches()[UNCLAIMED]["winners"] == [0]


@pytest.mark.parametrize("version", TIMED)
def test_a_pause_that_was_proposed_can_be_agreed_to(version: str, start: Callable[[str], Running]) -> None:
    """It lasts as long as it was proposed for."""
    running = start(version)
    proposal = expected_matches(version)[PROPOSED]["clock"]["proposal"]
    asked = old_message(version, f"match-{PROPOSED}-seat-1")
    assert running.hand_in(reply_to(asked, "pause 5d")) == ("accepted", False)
    clock = running.timing()[PROPOSED]["clock"]
    assert clock["proposal"] is None
    assert clock["pause"][1] == proposal["until"]


@pytest.mark.parametrize("version", TIMED)
def test_entries_that_were_taken_back_can_be_put_back(version: str, start: Callable[[str], Running]) -> None:
    """With the times at which they were made."""
    running = start(version)
    match = expected_matches(version)[REWOUND]
    running.put_back(REWOUND)
    after = running.matches()[REWOUND]
    assert after["record"] == match["record"] + match["retracted"]["entries"]
    assert after["times"] == match["times"] + match["retracted"]["times"]


@pytest.mark.parametrize("version", TIMED)
def test_no_move_in_reply_to_what_is_gone_is_played(version: str, start: Callable[[str], Running]) -> None:
    """An email of this turn from before entries were taken back, and one to a player whose seat another has now."""
    running = start(version)
    for name, number in (("taken-back", REWOUND), ("former", REPLACED)):
        match = expected_matches(version)[number]
        assert running.hand_in(reply_to(old_message(version, name), match["next"])) == ("rejected", False)
        assert running.matches()[number]["record"] == match["record"]
