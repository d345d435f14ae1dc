"""Contests are stored: what happened in them stays, in order, and their matches are found by either number."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.clubs.contest import ContestEvent, ContestMatch
from pbem.match.invitation import Guest, Invitation, InvitationState
from pbem.match.match import Match
from pbem.storage.database import Database
from pbem.storage.transaction import Transaction
from rules.games import GAMES
from rules.position import Entry

PIPLINE = GAMES["pipline"]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
OPTIONS = {"time": "7d"}


@pytest.fixture
def tx(tmp_path: Path) -> Iterator[Transaction]:
    """A transaction over a database in which Ann and Bob, players 1 and 2, have played match 1."""
    database = Database(f"sqlite:///{tmp_path / 'a.db'}")
    database.upgrade()
    with database.transaction() as opened:
        yield opened
    database.close()


@pytest.fixture
def players(tx: Transaction) -> list[int]:
    """Ann and Bob."""
    return [tx.players.add(name, f"{name}@{name[0]}.example", NOW).id for name in ("ann", "bob")]


def test_a_contest_is_found_by_kind_and_name(tx: Transaction) -> None:
    """A ladder and a league of a game may have one name."""
    ladder = tx.contests.open("ladder", PIPLINE, "pipline", OPTIONS, NOW)
    league = tx.contests.open("league", PIPLINE, "pipline", OPTIONS, NOW)
    assert tx.contests.find("ladder", "pipline") == ladder == tx.contests.get(ladder.id)
    assert tx.contests.all() == [ladder, league]
    assert tx.contests.all("league") == [league]
    assert tx.contests.find("ladder", "pippip") is None


def test_events_are_kept_in_order_and_taken_back_by_a_mark(tx: Transaction, players: list[int]) -> None:
    """What was taken back stays, and can count again."""
    ann, bob = players
    ladder = tx.contests.open("ladder", PIPLINE, "pipline", OPTIONS, NOW)
    entered = ContestEvent(NOW, "entered", ann)
    challenged = ContestEvent(NOW, "challenged", ann, bob, {"places": 2})
    numbers = [tx.contests.add(ladder.id, event) for event in (entered, challenged)]
    first, second = tx.contests.events(ladder.id)
    assert [first.id, second.id] == numbers
    assert (second.player, second.other, second.arguments, second.undone_at) == (ann, bob, {"places": 2}, None)
    later = NOW + timedelta(days=1)
    tx.contests.undo(second.id, later)
    found = tx.contests.event(second.id)
    assert found
    assert (found[0], found[1].undone_at) == (ladder.id, later)
    tx.contests.undo(second.id, None)
    assert tx.contests.events(ladder.id) == [first, second]
    assert tx.contests.of_player(ann) == [ladder]
    assert tx.contests.of_player(bob) == []


def test_events_of_a_merged_player_are_those_of_the_other(tx: Transaction, players: list[int]) -> None:
    """Wherever the player is named, as the first or the second."""
    ann, bob = players
    ladder = tx.contests.open("ladder", PIPLINE, "pipline", OPTIONS, NOW)
    tx.contests.add(ladder.id, ContestEvent(NOW, "entered", bob))
    tx.contests.add(ladder.id, ContestEvent(NOW, "challenged", ann, bob))
    tx.contests.renumber(bob, ann)
    assert [(one.player, one.other) for one in tx.contests.events(ladder.id)] == [(ann, None), (ann, ann)]


def test_a_match_is_found_by_its_invitation_before_it_is_opened(tx: Transaction, players: list[int]) -> None:
    """And by its number afterwards; a match of no contest is none."""
    ann, bob = players
    ladder = tx.contests.open("ladder", PIPLINE, "pipline", OPTIONS, NOW)
    event = tx.contests.add(ladder.id, ContestEvent(NOW, "challenged", ann, bob))
    guests = Guest("", "", ann, "accepted"), Guest("Bob", "", bob, "asked")
    tx.invitations.store(Invitation(1, "named", PIPLINE, OPTIONS, ann, guests, NOW, NOW + timedelta(days=14)))
    tx.contests.add_match(ContestMatch(ladder.id, 1, event, season=2, division=1))
    assert tx.contests.of_invitation(1) == ContestMatch(ladder.id, 1, event, 2, 1)
    assert tx.contests.of_match(1) is None
    assert tx.contests.matches(ladder.id, season=1) == []
    assert tx.contests.of_matches([1]) == {}


def test_a_season_goes_on_while_a_match_is_not_over_or_yet_to_be_opened(tx: Transaction, players: list[int]) -> None:
    """One that never will be opened is waited for by nobody, nor are matches of another season."""
    ann, bob = players
    league = tx.contests.open("league", PIPLINE, "pipline", OPTIONS, NOW)
    event = tx.contests.add(league.id, ContestEvent(NOW, "begun"))
    guests = tuple(Guest("", "", player, "accepted") for player in players)
    states: tuple[InvitationState, ...] = ("agreed", "failed", "agreed")
    for number, state in enumerate(states, 1):
        until = NOW + timedelta(days=14)
        tx.invitations.store(Invitation(number, "league", PIPLINE, OPTIONS, ann, guests, NOW, until, state))
        tx.contests.add_match(ContestMatch(league.id, number, event, season=1 + number // 3, division=1))
    assert tx.contests.unfinished(league.id, 1) == [None]
    seated = tuple(player for player, _ in tx.players.some([ann, bob]))
    match = tx.matches.open(Match(0, PIPLINE, PIPLINE.normalise({}), seated, NOW))
    tx.contests.note_opened(1, match.id)
    assert tx.contests.unfinished(league.id, 1) == [match.id]
    assert [one.place for one in tx.contests.results(league.id)] == tx.contests.matches(league.id)
    tx.matches.touch(match.after(Entry(0, "resign"), NOW), NOW)
    assert tx.contests.unfinished(league.id, 1) == []
    assert tx.contests.unfinished(league.id, 2) == [None]


def test_who_reads_of_several_contests_passes_over_a_damaged_row(tx: Transaction, players: list[int]) -> None:
    """A text for a number, which SQLite keeps, and a reference that leads nowhere: the doctor names both contests."""
    guests = tuple(Guest("", "", player, "accepted") for player in players)
    seated = tuple(player for player, _ in tx.players.some(players))
    ladders = [tx.contests.open("ladder", PIPLINE, name, OPTIONS, NOW).id for name in ("one", "two", "three")]
    for number, ladder in enumerate(ladders, 1):
        event = tx.contests.add(ladder, ContestEvent(NOW, "challenged", players[0], players[1]))
        until = NOW + timedelta(days=14)
        tx.invitations.store(Invitation(number, "challenge", PIPLINE, OPTIONS, 1, guests, NOW, until, "agreed"))
        tx.contests.add_match(ContestMatch(ladder, number, event))
        tx.contests.note_opened(number, tx.matches.open(Match(0, PIPLINE, PIPLINE.normalise({}), seated, NOW)).id)
    connection = tx.contests._connection
    connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
    connection.exec_driver_sql("UPDATE contest_match SET season = 'x' WHERE match_id = 1")
    connection.exec_driver_sql("UPDATE contest_event SET contest_id = 'x' WHERE id = 2")
    assert list(tx.contests.of_matches([1, 2, 3])) == [2, 3]
    assert (tx.contests.of_match(1), tx.contests.changed_after(0)) == (None, (3, {1, 3}))
    assert tx.contests.find_damaged() == ["one", "two"]
    connection.exec_driver_sql("UPDATE contest_event SET contest_id = 2 WHERE id = 2")
