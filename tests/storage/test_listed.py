"""Lists of messages read by indexes: what is asked for may be a handful of rows among a million emails."""

import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from tests.support.club import Club

_SELECTIONS: list[dict[str, Any]] = [
    {"addresses": {"ann@a.example"}},
    {"addresses": {"ann@a.example"}, "status": "accepted"},
    {"match": 1},
    {"match": 1, "status": "rejected"},
    {"addresses": {"ann@a.example"}, "match": 1},
]
_INDEXED = ("sender", "recipient", "match_id", "thread")


@pytest.fixture
def played(club: Club) -> Club:
    """A club in which moves came in on three days."""
    club.open()
    for seat, move in ((0, "c3"), (1, "take"), (0, "d2")):
        club.clock.advance(timedelta(days=1))
        club.reply(seat, move)
    return club


def _plans(club: Club, table: str, **selection: Any) -> Iterator[str]:
    """Yield how SQLite finds the numbers of what is listed."""
    seen: list[str] = []
    with club.service.database.reading() as tx:
        gateway = tx.inbound if table == "inbound" else tx.outbound
        driver = gateway._connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        driver.set_trace_callback(seen.append)
        gateway.listed(**selection)
        driver.set_trace_callback(None)
        numbers = next(one for one in seen if one.startswith("SELECT"))
        yield from (row[3] for row in driver.execute(f"EXPLAIN QUERY PLAN {numbers}"))


@pytest.mark.parametrize("table", ["inbound", "outbound"])
@pytest.mark.parametrize("since", [False, True])
@pytest.mark.parametrize("selection", _SELECTIONS, ids=lambda one: "-".join(one))
def test_a_player_or_a_match_is_found_by_an_index(
    played: Club, table: str, selection: dict[str, Any], since: bool
) -> None:
    """Whatever else is asked for: nothing but their own messages is read."""
    asked = selection | ({"since": played.clock.now() - timedelta(days=1)} if since else {})
    plans = [plan for plan in _plans(played, table, **asked) if "B-TREE" not in plan]
    assert plans
    for plan in plans:
        assert any(index in plan.rpartition("USING")[2] for index in _INDEXED), plan


@pytest.mark.parametrize("table", ["inbound", "outbound"])
def test_no_email_of_before_is_read_for_the_latest_ones(played: Club, table: str) -> None:
    """The first of them is looked up in an index that has the time, and only rows after that are read."""
    plans = list(_plans(played, table, since=played.clock.now() - timedelta(hours=1), status="accepted"))
    rows, *subquery = plans
    assert rows == f"SEARCH {table} USING INTEGER PRIMARY KEY (rowid>?)"
    assert any(f"{table} USING COVERING INDEX" in plan for plan in subquery)


def test_what_a_wrong_clock_dated_is_listed_by_its_date(played: Club) -> None:
    """Numbers need not go by time: a message dated ahead does not hide those after it, nor does one of before show."""
    played.clock.advance(timedelta(days=40))
    played.reply(0, "show")
    played.clock.advance(timedelta(days=-39))
    played.reply(1, "show")
    with played.service.database.reading() as tx:
        listed = {
            days: [one.id for one in tx.inbound.listed(since=played.clock.now() - timedelta(days=days))]
            for days in (0, 1)
        }
    assert listed == {0: [5, 4], 1: [5, 4, 3]}
