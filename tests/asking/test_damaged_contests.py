"""A damaged ladder or league waits until it is restored: nothing else waits with it, and nobody is kept in it."""

import asyncio

import pytest

from pbem.due.league.reading import list_leagues
from pbem.due.letter.readers import list_circles
from pbem.running.operator_rulings import forget_player
from pbem.storage.damage import list_damage
from pbem.storage.due import SWING_DUE
from tests.support.club import Club, told

EVENTS = (
    "arguments = '{x'",
    """arguments = '{"robots": 7, "challenge": [], "seats": "x", "begins": "x", "until": "x", "division": "x"}'""",
    """arguments = '{"robots": ["x"], "challenge": {}, "full": [], "begins": "2026-11-01"}'""",
    "at = 'x'",
)
CONTESTS = ("options = '[]'", "game = 'x'", "created_at = 'x'")
DAMAGE = (*(("contest_event", one) for one in EVENTS), *(("contest", one) for one in CONTESTS))


@pytest.fixture(params=DAMAGE, ids=[damage for _, damage in DAMAGE])
def damaged(request: pytest.FixtureRequest, club: Club) -> Club:
    """A club with two ladders and a league, of which one ladder and the league are damaged; a match is for the one."""
    club.open(players=("Ann <ann@a.example>", "Bob <bob@b.example>"), days="none")
    for seat in range(2):
        club.reply(seat, "ladder pipline\nladder pippip\nleague pipline")
    club.reply(1, "challenge Ann pipline")
    club.answer_kind("invitation", -1, "accept")
    asyncio.run(club.service.deliver())
    table, damage = request.param
    with club.service.database.transaction() as tx:
        broken = "SELECT id FROM contest WHERE name = 'pipline'"
        where = f"contest_id IN ({broken})" if table == "contest_event" else f"id IN ({broken})"
        tx.contests._connection.exec_driver_sql(f"UPDATE {table} SET {damage} WHERE {where}")
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


def test_letters_tell_of_others(damaged: Club) -> None:
    """Who gets one is looked up in all contests."""
    with damaged.service.database.reading() as tx:
        told = {circle.contest.name for circles in list_circles(tx).values() for circle in circles}
    assert told == {"pippip"}


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


def test_the_doctor_tells_the_operator(damaged: Club) -> None:
    """By the name that a contest has in lists."""
    assert [one for one in list_damage(damaged.service.database) if "contest pipline" in one]


def test_the_operators_list_has_the_others(damaged: Club) -> None:
    """A league that can't be read is in none."""
    with damaged.service.database.reading() as tx:
        assert [league.contest.name for league in list_leagues(tx)] == []
