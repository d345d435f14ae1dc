"""What the service does about time costs what is due: every statement finds its rows by an index."""

import asyncio
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta

from sqlalchemy import Connection, Engine, event

from pbem.errors import ServerFailure
from pbem.settings.model import Settings
from tests.support.bounces import addressed, postfix
from tests.support.club import Club
from tests.support.leagues import begin_season, decide, match_between

_DAY = timedelta(days=1)
_FEW_ROWS = frozenset({"heartbeat", "unread_message", "blocked", "follower", "webhook", "sqlite_sequence", "anon_1"})
"""Tables that hold no more rows with more matches, players or messages, and rows that were counted up to a limit.

Followers are those of running matches, and looked at once a minute.
"""

_SCANNED = re.compile(r"SCAN (?!CONSTANT ROW)(\w+)")


@contextmanager
def _listening(seen: list[str]) -> Iterator[None]:
    """Add every statement that SQLite runs meanwhile to ``seen``, its values in it."""
    listens = True

    def note(statement: str) -> None:
        if listens:
            seen.append(statement)

    def trace(connection: Connection) -> None:
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        driver.set_trace_callback(note)

    event.listen(Engine, "begin", trace)
    try:
        yield
    finally:
        event.remove(Engine, "begin", trace)
        listens = False


def _plans(club: Club, statements: list[str]) -> dict[str, str]:
    """Return how SQLite finds the rows of each statement, by its words without the values."""
    plans: dict[str, str] = {}
    with closing(sqlite3.connect(club.service.database.file or "")) as connection:
        for statement in statements:
            if statement.startswith(("SELECT", "UPDATE", "DELETE")):
                rows = connection.execute(f"EXPLAIN QUERY PLAN {statement}")
                plans[re.sub(r"'[^']*'|\b\d+\b", "?", " ".join(statement.split()))] = "; ".join(row[3] for row in rows)
    return plans


def _scanned(plans: dict[str, str]) -> dict[str, str]:
    """Return the plans that look at every row of a table that grows, by their statements."""
    return {statement: plan for statement, plan in plans.items() if set(_SCANNED.findall(plan)) - _FEW_ROWS}


def _deliver(club: Club, seen: list[str], *messages: bytes) -> None:
    """Take in messages, do what is due, and send what waits."""
    with _listening(seen):
        for raw in messages:
            club.service.hand_in(raw)
        asyncio.run(club.service.deliver())


def _reply(club: Club, seen: list[str], seat: int, text: str) -> None:
    """Let a player answer the latest email to them."""
    _deliver(club, seen, club.answer(club.newest(seat), text))


def _let_time_pass(club: Club, seen: list[str], by: timedelta) -> None:
    """Let time pass while the service runs."""
    moments = club.pass_time(by)
    with _listening(seen):
        for _ in moments:
            pass


def test_nothing_about_time_looks_at_all_matches_or_players(club: Club) -> None:
    """Neither a move, nor what players ask for, nor what comes due: reminders, flags, bounces, outages."""
    seen: list[str] = []
    club.open()
    _deliver(club, seen)
    for seat, text in ((0, "c3"), (1, "tz Europe/Lisbon"), (1, "auto off"), (1, "vacation 2 jan"), (1, "remind 3d")):
        _reply(club, seen, seat, text)
    _reply(club, seen, 0, "give 1d")
    _let_time_pass(club, seen, 30 * _DAY)
    assert {"reminder", "time_up"} <= {mail.kind for mail in club.queued()}
    _reply(club, seen, 1, "b2")
    club.clock.advance(timedelta(hours=5))  # without a heartbeat
    _reply(club, seen, 0, "b3")
    notice = [mail for mail in club.queued() if mail.seat == 1][-1]
    _deliver(club, seen, addressed(postfix(club.mail(notice)), club.envelope_of(notice)))
    assert (clock := club.match().clock) is not None
    assert clock.halted == "bounced"
    _let_time_pass(club, seen, 15 * _DAY)
    _reply(club, seen, 1, "d2")
    plans = _plans(club, seen)
    for table in ("clock", "due", "outage", "heartbeat", "match_log"):
        assert any(re.search(rf"\b{table}\b", plan) for plan in plans.values()), f"nothing was asked of {table}"
    assert _scanned(plans) == {}


def test_a_pass_looks_only_at_what_is_due(club: Club) -> None:
    """Neither at what is done, nor at what is due later: both stay in the table. Those of one moment are sorted."""
    seen: list[str] = []
    club.open()
    with _listening(seen):
        club.service.run_due()
    (plan,) = (plan for statement, plan in _plans(club, seen).items() if " FROM due" in statement)
    assert plan.startswith("SEARCH due USING INDEX ix_due_done_due_at (done=? AND due_at<?)")


def test_a_budget_looks_only_at_what_was_sent_lately(new_club: Callable[..., Club], settings: Settings) -> None:
    """Counting, waiting and putting off find their rows by the time of sending, or by what is due."""
    settings.smtp_budget = "2/minute 5/hour"
    club, seen = new_club(), list[str]()
    for _ in range(4):
        club.open()
    _deliver(club, seen)
    club.reply(0, "c3")
    club.clock.advance(timedelta(minutes=2))
    _deliver(club, seen)
    plans = _plans(club, seen)
    assert any("ix_outbound_sent_at" in plan for plan in plans.values())
    assert any("kind" in statement and statement.startswith("UPDATE") for statement in plans)
    assert _scanned(plans) == {}


def test_the_end_of_a_match_of_a_league_reads_one_other(club: Club) -> None:
    """That one goes on is enough: the whole season is read when its last match has ended."""
    seen: list[str] = []
    begin_season(club)
    decide(club, match_between(club, "Ann", "Bob"), "Ann")
    with _listening(seen):
        club.service.run_due()
    assert any("FROM contest_match" in one for one in seen)
    assert _scanned(_plans(club, seen)) == {}
    read = {number for one in seen for number in re.findall(r"entry\.match_id (?:= |IN \()([\d, ]+)", one)}
    assert len(read) == 1
    assert not any("," in numbers for numbers in read)


def test_a_pass_with_nothing_to_do_only_reads(club: Club) -> None:
    """It takes no write lock, so that it never waits for another process, and none waits for it."""
    seen: list[str] = []
    club.open()
    _deliver(club, [])
    _deliver(club, seen)
    assert seen
    assert [one for one in seen if one.startswith(("BEGIN IMMEDIATE", "UPDATE", "INSERT", "DELETE"))] == []


def test_a_pass_with_nothing_to_do_while_sending_is_behind_only_reads(club: Club) -> None:
    """It would be one every few seconds, until the email that waits is tried again."""
    seen: list[str] = []
    club.open()
    _deliver(club, [])
    club.reply(0, "help")
    club.courier.fail([ServerFailure("no answer")] * 99)
    club.live(timedelta(minutes=33))
    club.clock.advance(timedelta(seconds=30))
    _deliver(club, seen)
    assert any("heartbeat" in one for one in seen)
    assert [one for one in seen if one.startswith(("BEGIN IMMEDIATE", "UPDATE", "INSERT", "DELETE"))] == []
