"""Which matches the same players have played."""

from random import Random

from pbem.archive.match.rematches import Neighbours, Rematches


def test_matches_of_the_same_players_are_neighbours() -> None:
    """Whatever seats they had, and in whatever order their matches become known; others are none of theirs."""
    rematches = Rematches()
    assert rematches.note(9, (1, 2)) == {9}
    assert rematches.note(3, (2, 1)) == {3, 9}
    assert rematches.note(5, (1, 2, 3)) == {5}
    assert rematches.note(7, (1, 2)) == {3, 7, 9}
    assert rematches.note(7, (2, 1)) == set()
    assert [rematches.beside(match) for match in (3, 5, 7, 9, 11)] == [(0, 7), (0, 0), (3, 9), (7, 0), (0, 0)]


def test_a_seat_that_passes_on_takes_the_match_along() -> None:
    """Those that it stood between are neighbours now, and it has others."""
    rematches = Rematches()
    for match in (1, 2, 3):
        rematches.note(match, (1, 2))
    rematches.note(4, (1, 3))
    assert rematches.note(2, (1, 3)) == {1, 2, 3, 4}
    assert [rematches.beside(match) for match in (1, 2, 3, 4)] == [(0, 3), (0, 4), (1, 0), (2, 0)]


def test_what_changed_is_all_that_changed() -> None:
    """Of random matches, noted and noted anew, none that has other neighbours now is forgotten."""
    random, rematches = Random(5), Rematches()
    known: dict[int, Neighbours] = {}
    for _ in range(300):
        match = random.randrange(1, 40)
        changed = rematches.note(match, random.sample(range(4), random.choice((2, 3))))
        now = {number: rematches.beside(number) for number in range(1, 40)}
        different = {number for number in now if now[number] != known.get(number, Neighbours())}
        assert different <= changed
        known = now
