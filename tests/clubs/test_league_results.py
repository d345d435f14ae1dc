"""What a match of a league counts for: as it ended, unless somebody never played it."""

from dataclasses import replace

import pytest

from pbem.clubs.league_results import meet, never_opened
from pbem.match.endings import Ruling
from pbem.match.match import Match
from rules.position import Entry
from tests.support.matches import AUCTION, AUCTION_OF_THREE, pipline, zipline

ANN, BOB, CARL = 11, 12, 13
PLAYED = (*AUCTION, Entry(0, "b5"), Entry(1, "c3"))
"""Each side of the match has moved twice."""


def voided(match: Match, reason: str) -> Match:
    """Return a match that was called off."""
    return replace(match, ruling=Ruling("void", reason=reason))  # type: ignore[arg-type]


def test_a_match_that_goes_on_counts_nothing_yet() -> None:
    """It has no scores, whoever has left the league meanwhile."""
    for gone in ((), (ANN,)):
        found = meet(pipline(*PLAYED), (ANN, BOB), gone)
        assert (found.over, found.scores, found.missing) == (False, (), frozenset())


@pytest.mark.parametrize("word", ["resign", "timeout"])
def test_a_match_that_was_played_counts_as_it_ended(word: str) -> None:
    """Once each side has moved twice, leaving is losing, though the loser has left the league, too."""
    for gone in ((), (ANN,), (BOB,)):
        found = meet(pipline(*PLAYED, Entry(0, word)), (ANN, BOB), gone)
        assert (found.over, found.scores, found.missing) == (True, (0, 2), frozenset())


@pytest.mark.parametrize(
    ("word", "gone", "missing"),
    [
        ("timeout", (), {1}),
        ("timeout", (BOB,), {1}),
        ("resign", (BOB,), {1}),
        ("resign", (ANN,), ()),
        ("resign", (), ()),
    ],
)
def test_a_match_that_somebody_left_before_it_was_played(word: str, gone: tuple[int, ...], missing: set[int]) -> None:
    """It is missed by whose time is over, and by who has left the league; whoever just gives it up has lost it."""
    found = meet(pipline(*AUCTION, Entry(1, word)), (ANN, BOB), gone)
    assert (found.over, set(found.missing)) == (True, set(missing))
    assert found.scores == (() if missing else (2, 0))


def test_a_match_to_which_nobody_came() -> None:
    """It is missed by who was to move first, not by the other."""
    found = meet(voided(pipline(), "no_show"), (ANN, BOB), ())
    assert (found.over, found.scores, found.missing) == (True, (), frozenset([0]))


def test_a_match_that_the_operator_called_off() -> None:
    """It counts for nobody; where one of the two has left the league, they have missed it."""
    assert meet(voided(pipline(*PLAYED), "operator"), (ANN, BOB), ()).missing == frozenset()
    assert meet(voided(pipline(), "operator"), (ANN, BOB), (BOB,)).missing == frozenset([1])


def test_a_match_that_was_decided_or_drawn_by_ruling() -> None:
    """The operator's word counts as a result, and an agreed draw half a point for each."""
    decided = replace(pipline(), ruling=Ruling("adjudicated", frozenset([1])))
    assert meet(decided, (ANN, BOB), (ANN,)).scores == (0, 2)
    drawn = replace(pipline(*PLAYED), ruling=Ruling("agreed", frozenset([0, 1]), "agreement"))
    assert meet(drawn, (ANN, BOB), ()).scores == (1, 1)


def test_a_stand_in_plays_for_whom_the_place_was_drawn() -> None:
    """What a stand-in loses, that player loses, whoever sits there."""
    stranger = replace(pipline(*PLAYED, Entry(1, "resign")).players[0], id=99)
    found = meet(replace(pipline(*PLAYED, Entry(1, "resign")), players=(stranger, stranger)), (ANN, BOB), ())
    assert (found.players, found.scores) == ((ANN, BOB), (2, 0))


def test_two_who_win_together_win_a_point_each() -> None:
    """At Zipline the pair's point is each partner's, and their sides are told apart."""
    found = meet(zipline(*AUCTION_OF_THREE, Entry(1, "resign")), (ANN, BOB, CARL), ())
    assert found.sides == (0, 1, 0)
    played = meet(zipline(*AUCTION_OF_THREE, Entry(0, "a2"), Entry(1, "c4"), Entry(1, "resign")), (ANN, BOB, CARL), ())
    assert played.scores == (2, 0, 2)


def test_a_partner_of_somebody_who_did_not_play_has_missed_nothing() -> None:
    """All of a side leave with whose time is over: two drop-outs would take an honest player out of the next season."""
    found = meet(zipline(*AUCTION_OF_THREE, Entry(0, "timeout"), Entry(2, "timeout")), (ANN, BOB, CARL), ())
    assert found.missing == {0}


def test_a_match_that_cannot_be_opened() -> None:
    """It is missed by who has left; nobody has missed one that is yet to be opened."""
    assert never_opened((ANN, BOB), (BOB,), failed=True).missing == frozenset([1])
    assert not never_opened((ANN, BOB), (BOB,), failed=False).over
    assert never_opened((ANN, BOB), (), failed=True).scores == ()
