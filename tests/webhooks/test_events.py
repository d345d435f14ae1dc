"""Events: whatever was played, each of it is one, and whoever dies between two of them goes on with the next."""

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.match.log import LogEntry
from pbem.match.match import Match
from pbem.storage.webhooks import Told
from pbem.webhooks.events import Event, find_event, tell_all
from tests.support.matches import random_match
from tests.support.walks import Case

CASES = (Case("pipline", 2, (("size", 5),)), Case("pippip", 2, ()), Case("zipline", 3, (("size", 5), ("order", "lot"))))


def all_events(match: Match, log: tuple[LogEntry, ...] = (), told: Told | None = None) -> list[Event]:
    """Return all events of a match from where somebody was told of it on."""
    found = []
    while one := find_event(match, log, told, match.opened_at):
        found.append(one)
        told = one.told
    return found


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_entry_of_a_player_is_an_event(case: Case) -> None:
    """So are the beginning and the end; rolls are none. At the end everything is told."""
    match = random_match(case)
    found = all_events(match)
    by_players = [ply for ply, entry in enumerate(match.record, 1) if entry.seat is not None]
    assert [(one.kind, one.ply) for one in found] == [
        ("opened", 0),
        *(("moved", ply) for ply in by_players),
        *([("over", match.ply)] if match.outcome else []),
    ]
    assert tell_all(match, ()).over == bool(match.outcome)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_event_keeps_its_name_whenever_it_is_found(case: Case) -> None:
    """Whether told late or at once, before or after others had their moves taken back, or got a seat."""
    match = random_match(case)
    at = match.times[-1] + timedelta(seconds=1)
    log = (LogEntry("rewound", None, {}, 3, at), LogEntry("replaced", None, {}, 3, at))
    short = replace(match.at(3), rewound=match.turn + 1)
    at_once = {(one.kind, one.ply, one.epoch) for one in all_events(short)}
    late = {(one.kind, one.ply, one.epoch) for one in all_events(short, log)}
    assert late - at_once == {("reopened", 3, 1)}
    assert at_once <= late
    later = {(one.kind, one.ply, one.epoch) for one in all_events(match, log)}
    again = {one for one in later if one[0] == "moved" and one[1] > 3}
    assert {epoch for _, _, epoch in again} == {1}
