"""A damaged ladder or league waits until it is restored: nothing else waits with it, and nobody is kept in it."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pbem.due.league.reading import list_leagues
from pbem.due.letter.readers import list_circles
from pbem.running.operator_rulings import forget_player
from pbem.settings.model import Settings
from pbem.storage.damage import list_damage
from pbem.storage.due import SWING_DUE
from tests.support.club import Club, told

EVENTS = (
    "arguments = '{x'",
    """arguments = '{"robots": 7, "challenge": [], "seats": "x", "begins": "x", "until": "x", "division": "x"}'""",
    """arguments = '{"robots": ["x"], "challenge": {}, "full": [], "begins": "2026-11-01"}'""",
    "at = 'x'",
    "player_id = 'x'",
    "kind = 'x'",
)
CONTESTS = ("game = 'x'", "kind = kind || 'x'", "name = CAST(x'ff' AS TEXT)")
DAMAGE = (*(("contest_event", one) for one in EVENTS), *(("contest", one) for one in CONTESTS))


@pytest.fixture(params=DAMAGE, ids=[damage for _, damage in DAMAGE])
def damaged(request: pytest.FixtureRequest, settings: Settings, tmp_path: Path, new_club: Callable[[], Club]) -> Club:
    """A club with two ladders and a league, of which one ladder and the league are damaged; a match is for the one."""
    settings.archive_dir = str(tmp_path / "archive")
    club = new_club()
    club.open(players=("Ann <ann@a.example>", "Bob <bob@b.example>"), days="none")
    for seat in range(2):
        club.reply(seat, "ladder pipline\nladder pippip\nleague pipline")
    club.reply(1, "challenge Ann pipline")
    club.answer_kind("invitation", -1, "accept")
    asyncio.run(club.service.deliver())
    table, damage = request.param
    broken = "SELECT id FROM contest WHERE name = 'pipline'"
    where = f"contest_id IN ({broken})" if table == "contest_event" else f"id IN ({broken})"
    with closing(sqlite3.connect(str(club.service.database.file))) as connection, connection:
        connection.execute(f"UPDATE {table} SET {damage} WHERE {where}")
    return club


def test_a_match_of_a_damaged_contest_ends(damaged: Club) -> None:
    """Its last email says nothing of places."""
    damaged.reply(0, "c3", match=2)
    damaged.reply(1, "take", match=2)
    assert damaged.reply(0, "resign", match=2).message.status == "accepted"
    assert damaged.match(2).outcome


def test_other_contests_go_on(damaged: Club) -> None:
    """Who is in a damaged ladder, too, challenges and leaves in another."""
    assert ("invitation", None) in told(damaged.reply(1, "challenge Ann pippip"))
    assert damaged.reply(1, "leave ladder pippip").message.status == "accepted"


def test_whoever_is_forgotten_waits_for_no_damaged_contest(damaged: Club) -> None:
    """They have left it when it is restored."""
    with damaged.service.database.reading() as tx:
        bob = tx.players.find("bob@b.example")
    assert bob
    forget_player(damaged.service, bob)
    with damaged.service.database.reading() as tx:
        assert tx.players.find("bob@b.example") is None


def test_robots_do_not_stop_at_a_damaged_contest(damaged: Club) -> None:
    """Nor does an export of somebody who is in it."""
    with damaged.service.database.transaction() as tx:
        tx.due.schedule(SWING_DUE, 1, damaged.clock.now())
    damaged.let_robots_move()
    with damaged.service.database.reading() as tx:
        assert not tx.due.is_scheduled(SWING_DUE, 1)
    damaged.reply(0, "export")
    asyncio.run(damaged.service.deliver())
    assert damaged.queued(kind="export")


def test_whoever_looks_at_all_contests_passes_over_what_is_damaged(damaged: Club) -> None:
    """So do letters, lists and pages; the doctor names it as lists do, or by number where its name can't be read."""
    with damaged.service.database.reading() as tx:
        told = {circle.contest.name for circles in list_circles(tx).values() for circle in circles}
        assert told == {"pippip"}
        assert [league.contest.name for league in list_leagues(tx)] == []
    assert damaged.service.write_archive()
    assert (Path(damaged.service.settings.archive_dir) / "matches" / "2.html").exists()
    named = {one.partition(" is damaged")[0] for one in list_damage(damaged.service.database)}
    assert named & {"The contest pipline", "The contest 1"}
