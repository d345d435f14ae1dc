"""How a match stands is stored whenever it changes: lists read it, and it says what a replay would."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.summary import MatchSummary, standing_of, summarise
from pbem.storage.matches.standing_json import read_standing, write_standing
from tests.support.club import PLAYERS, Club
from tests.support.each import each
from tests.support.running import play
from tests.support.walks import Case, every_case, walk

OPENED = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)


@each("case", every_case(), ids=str)
def test_a_standing_comes_back_as_it_was(case: Case) -> None:
    """Every value survives the way through JSON, at the beginning, in the midst and at the end of a match."""
    players = tuple(Player(seat, str(seat), f"{seat}@a.example", frozenset()) for seat in range(case.seats))
    entries = walk(case, 5, 0.01).entries
    options = case.game.normalise(case.options)
    for ply in {0, len(entries) // 2, len(entries)}:
        times = tuple(OPENED + timedelta(minutes=minute) for minute in range(ply))
        standing = standing_of(Match(1, case.game, options, players, OPENED, entries[:ply], times))
        assert read_standing(json.loads(json.dumps(write_standing(standing))), case.seats) == standing


def test_a_standing_is_stored_with_every_change(club: Club) -> None:
    """What is stored after each message is what a replay of the match says."""
    club.open("zipline", PLAYERS)
    club.service.open("pippip", PLAYERS[:2], {})
    _lists_say_what_a_replay_says(club)
    for _ in play(club, 4):
        _lists_say_what_a_replay_says(club)


def test_lists_replay_nothing(club: Club) -> None:
    """A record that no longer makes sense is not looked at: the list shows how the match stood before."""
    club.open()
    club.reply(0, "c3")
    with closing(sqlite3.connect(_file(club))) as connection, connection:
        connection.execute("UPDATE matchentry SET text = 'nonsense'")
    with club.service.database.reading() as tx:
        (found,) = tx.matches.summaries()
    assert isinstance(found, MatchSummary)
    assert found.standing.ply == 1


def test_a_list_has_pages(club: Club) -> None:
    """The newest come first, the oldest of a page on top."""
    for _ in range(5):
        club.open()
    with club.service.database.reading() as tx:
        assert [found.id for found in tx.matches.summaries(limit=2)] == [4, 5]
        assert [found.id for found in tx.matches.summaries(limit=2, before=4)] == [2, 3]
        assert tx.matches.newest() == 5


def _lists_say_what_a_replay_says(club: Club) -> None:
    """Compare the summaries with those of the replayed matches."""
    with club.service.database.reading() as tx:
        assert tx.matches.summaries() == [summarise(match) for match in tx.matches.all()]


def _file(club: Club) -> Path:
    """Return the database's file."""
    file = club.service.database.file
    assert file is not None
    return file
