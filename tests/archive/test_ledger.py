"""What lists and statistics remember of matches."""

from dataclasses import replace

from pbem.archive.lists.ledger import Changes, Ledger
from pbem.match.endings import Ruling
from tests.support.ledgers import played


def test_a_match_that_has_not_changed_changes_nothing() -> None:
    """What is to be written is noted once, until it has been written."""
    ledger = Ledger()
    ledger.note(played(1, (3, 7), "a1", "take"))
    assert ledger.changes == Changes(lines={1}, players={3, 7}, games={"pipline"}, parts={1}, name_parts={1})
    ledger.changes = Changes()
    ledger.note(played(2, (4, 8), "a1", "take"))
    assert not ledger.changes.games
    ledger.changes = Changes()
    ledger.note(played(1, (3, 7), "a1", "take"))
    assert ledger.changes == Changes()
    ledger.note(played(1, (3, 7), "a1", "take", "resign"))
    assert ledger.changes == Changes(lines={1}, players={3, 7}, games={"pipline"}, parts={1})


def test_a_seat_that_passes_to_another_player_leaves_the_first_one_without_the_match() -> None:
    """The pages of both are written."""
    ledger = Ledger()
    ledger.note(played(1, (3, 7), "a1"))
    ledger.changes = Changes()
    ledger.note(played(1, (4, 7), "a1"))
    assert ledger.changes.players == {3, 4, 7}
    assert [len(ledger.of_player(player)) for player in (3, 4, 7)] == [0, 1, 1]


def test_sums_are_as_if_only_the_latest_state_had_been_counted() -> None:
    """A match that goes on after its end, or was called off, is taken out again."""
    ledger, other = Ledger(), Ledger()
    over = played(1, (1, 2), "a1", "take", "resign")
    void = replace(over, ruling=Ruling("void"))
    for match in (over, played(1, (1, 2), "a1", "take"), over, void):
        ledger.note(match)
        tally = ledger.tallies["pipline"]
        counted = match.outcome is not None and match.ruling is None
        assert (tally.matches, sum(tally.moves.values()), tally.seats[0].played) == (counted,) * 3
    other.note(void)
    assert ledger.matches == other.matches


def test_names_lose_the_domains_of_addresses() -> None:
    """A name may be an address; nothing of the archive shows one."""
    ledger = Ledger()
    ledger.note(played(1, (1, 2), name="ann@a.example"))
    assert ledger.names[1] == "ann@…"
