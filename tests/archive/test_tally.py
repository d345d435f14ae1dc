"""Sums over the finished matches of a game."""

from collections import Counter

import pytest

from pbem.archive.ledger import Ledger
from pbem.archive.tally import Score, Tally, grouped, read_finished
from rules import GAMES
from tests.support.ledgers import played


def tally() -> Tally:
    """Return the sums of three finished matches."""
    ledger = Ledger()
    ledger.note(played(1, (1, 2), "a1", "take", "b2", "resign"))
    ledger.note(played(2, (1, 2), "a1", "take", "resign"))
    ledger.note(played(3, (1, 2), "b2", "resign"))
    return ledger.tallies["pipline"]


def test_wins_are_counted_by_seat_and_role() -> None:
    """A seat without a role counts as a seat alone."""
    assert tally().seats == {0: Score(3, 2), 1: Score(3, 1)}
    assert tally().roles == {"Pip": Score(2, 1), "Zip": Score(2, 1)}


def test_openings_are_a_tree() -> None:
    """Each beginning of up to three moves has its number of matches, and who won them."""
    found = tally().commonest_board()
    assert found
    assert found[1].following == {(): {"a1": 2, "b2": 1}, ("a1",): {"take": 2}, ("a1", "take"): {"b2": 1}}
    assert found[1].winners["a1",] == {"Pip": 1, "Zip": 1}


def test_stones_and_chains_are_those_of_the_last_position() -> None:
    """Each cell with a piece counts once; the longest chain names the first match that had it."""
    found = tally().commonest_board()
    assert found
    (_, view), sums = found
    names = Counter({view.cells[place].name: count for place, count in sums.stones.items()})
    assert names == {"a1": 2, "b2": 2}
    assert tally().longest_chain() == (1, 1)


@pytest.mark.parametrize("key", GAMES)
def test_a_running_match_has_no_statistics(key: str) -> None:
    """Of any game."""
    assert read_finished(played(1, range(1, GAMES[key].seats[0] + 1), key=key)) is None


def test_lengths_are_grouped_by_round_numbers() -> None:
    """No more spans than asked for; a span without a match stands there with none."""
    assert grouped(Counter({3: 1, 4: 2, 9: 1}), 4) == [(2, 3, 1), (4, 5, 2), (6, 7, 0), (8, 9, 1)]
    assert len(grouped(Counter({10: 1, 2000: 1}), 12)) <= 12
    assert grouped(Counter(), 12) == []
