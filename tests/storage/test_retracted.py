"""Entries that are taken back lie in a table of their own until they are put back, and nothing is stored by halves."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from pbem.errors import Busy
from pbem.match.log import LogEntry
from pbem.match.match import Comment, Match
from pbem.storage.transaction import Transaction
from rules.position import Entry
from tests.support.club import Club

ANN, BOB = 0, 1


@pytest.fixture
def played(club: Club) -> Club:
    """A club with a match of three entries, and a comment after each."""
    club.open()
    for seat, move in ((ANN, "c3"), (BOB, "take"), (ANN, "d4")):
        assert club.reply(seat, f"{move}\n\nsaid with {move}").message.status == "accepted"
    return club


def shortened(match: Match, ply: int) -> Match:
    """Return the match after its first entries, in a turn that no earlier email names."""
    return replace(match.at(ply), rewound=match.outdated().rewound)


def retract(tx: Transaction, before: Match, ply: int) -> None:
    """Take entries back as ``record`` does."""
    after = shortened(before, ply)
    tx.clocks.add_log(before.id, [LogEntry("rewound", None, {"to": ply}, ply, before.times[-1])], None)
    tx.matches.outdate(before, after)
    tx.matches.retract(before, after)
    tx.matches.touch(after, before.times[-1])


def refused(club: Club, write: Callable[[Transaction], None]) -> None:
    """Make sure that somebody is told to try again, and that nothing is written."""
    before = club.match()
    with pytest.raises(Busy), club.service.database.transaction() as tx:
        write(tx)
    assert club.match() == before


def test_what_is_taken_back_is_kept(played: Club) -> None:
    """With its times and the messages that it came from; what was said later belongs to the last entry left."""
    before = played.match()
    with played.service.database.transaction() as tx:
        retract(tx, before, 1)
    with played.service.database.reading() as tx:
        assert tx.matches.retracted(1) == (1, before.record[1:], before.times[1:])
    match = played.match()
    assert (match.record, match.times, match.rewound) == (before.record[:1], before.times[:1], 4)
    assert [(comment.ply, comment.text) for comment in match.comments] == [
        (1, "said with c3"),
        (1, "said with take"),
        (1, "said with d4"),
    ]


def test_what_is_put_back_is_as_it_was(played: Club) -> None:
    """Row by row, but for their numbers; what was taken back before that can be put back then."""
    before = played.match()
    with played.service.database.transaction() as tx:
        retract(tx, before, 2)
    with played.service.database.transaction() as tx:
        retract(tx, played.match(), 1)
    for count in (2, 3):
        with played.service.database.transaction() as tx:
            tx.matches.restore(1)
        assert (played.match().record, played.match().times) == (before.record[:count], before.times[:count])
    with played.service.database.reading() as tx:
        assert tx.matches.retracted(1) is None


def test_a_match_without_entries_taken_back_has_none(played: Club) -> None:
    """Those of another match are not its own."""
    played.open()
    with played.service.database.transaction() as tx:
        retract(tx, played.match(), 1)
    with played.service.database.reading() as tx:
        assert tx.matches.retracted(2) is None


def test_nothing_is_taken_back_from_a_match_that_has_gone_on(played: Club) -> None:
    """Whoever decided it had read fewer entries: the last ones would be lost, or stay alone."""
    refused(played, lambda tx: retract(tx, played.match().at(2), 1))


def test_nothing_is_put_back_into_a_match_that_has_gone_on(played: Club) -> None:
    """An entry of that ply is there already."""
    with played.service.database.transaction() as tx:
        retract(tx, played.match(), 2)
    with played.service.database.transaction() as tx:
        tx.matches.append(played.match(), (Entry(ANN, "e5"),), (played.clock.now(),), None)
    refused(played, lambda tx: tx.matches.restore(1))


def test_nothing_is_decided_about_entries_that_were_taken_back_meanwhile(played: Club) -> None:
    """A move, or words, in a match as it was before: neither is stored."""
    stale = played.match()
    with played.service.database.transaction() as tx:
        retract(tx, stale, 1)

    def play(tx: Transaction) -> None:
        tx.matches.append(stale, (Entry(BOB, "e5"),), (played.clock.now(),), None)
        tx.matches.add_comments(stale, [Comment(BOB, 3, "late")], played.clock.now(), None)
        tx.matches.touch(stale, played.clock.now())

    refused(played, play)
    refused(played, lambda tx: retract(tx, stale, 0))
