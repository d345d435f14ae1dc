"""The draw of a league: everybody plays equally often, everybody sits everywhere, and nobody meets anybody twice."""

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.clubs.league_draw import LARGEST, LEAST, count_moving, divide, draw, pair, rank_next, split
from tests.support.examples import examples


@pytest.mark.parametrize("seats", [2, 3])
def test_every_division_is_drawn_evenly(seats: int) -> None:
    """Everybody plays as often, sits at each seat as often or once more, and meets nobody twice."""
    for size in range(LEAST[seats], 14):
        matches = pair(size, seats)
        assert all(len(set(match)) == seats for match in matches)
        assert set(Counter(place for match in matches for place in match).values()) == {size - 1 if seats == 2 else 3}
        at = Counter((place, seat) for match in matches for seat, place in enumerate(match))
        for place in range(size):
            own = [at[place, seat] for seat in range(seats)]
            assert max(own) - min(own) <= 1
        met = Counter(frozenset(two) for match in matches for two in combinations(match, 2))
        assert set(met.values()) == {1}
    assert len({frozenset(two) for match in pair(7, 3) for two in combinations(match, 2)}) == 21  # of seven, everybody


def test_sizes_are_those_that_are_promised() -> None:
    """Forty are five divisions of eight; fourteen at Zipline are two of seven; four are too few."""
    assert divide(40, 2, 8) == (8,) * 5
    assert divide(9, 2, 8) == (9,)
    assert divide(17, 2, 8) == (5, 6, 6)
    assert divide(14, 3, 7) == (7, 7)
    assert divide(13, 3, 7) == (13,)
    assert (divide(4, 2, 8), divide(6, 3, 7)) == ((), ())


@given(st.integers(0, 400), st.sampled_from([2, 3]), st.data())
@examples(300)
def test_nobody_is_left_over(entrants: int, seats: int, data: st.DataObject) -> None:
    """Whoever has entered plays, in divisions that differ by one at most and are never too small or too large."""
    wished = data.draw(st.integers(LEAST[seats], LARGEST))
    sizes = divide(entrants, seats, wished)
    assert sum(sizes) == (entrants if entrants >= LEAST[seats] else 0)
    assert all(LEAST[seats] <= size <= (LARGEST if seats == 2 else 13) for size in sizes)
    assert not sizes or (max(sizes) - min(sizes) <= 1 and list(sizes) == sorted(sizes))


@given(st.sets(st.integers(1, 500), max_size=60), st.text(max_size=8), st.randoms(use_true_random=False))
@examples(200)
def test_the_lot_alone_decides_the_order(players: set[int], lot: str, chance: object) -> None:
    """Whoever draws again with the same lot finds the same, in whatever order they name the players."""
    mixed = sorted(players)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert draw(mixed, lot) == draw(players, lot)
    assert set(draw(mixed, lot)) == players
    divisions = split(mixed, 2, 8, lot)
    start = 0
    for division in divisions:
        assert set(division) == set(mixed[start : start + len(division)])
        start += len(division)
    assert start == (len(mixed) if len(mixed) >= 5 else 0)


def test_a_lot_gives_every_order() -> None:
    """No order of four is out of reach."""
    drawn = {draw(range(4), f"lot {number}") for number in range(400)}
    assert drawn == set(permutations(range(4)))


def test_two_go_up_and_two_go_down() -> None:
    """Of divisions of seven two move each way; where one is smaller, one does."""
    assert (count_moving(7, 8), count_moving(6, 8), count_moving(9, 5)) == (2, 1, 1)
    tables = [list(range(7)), list(range(10, 17)), list(range(20, 26))]
    everybody = {player for table in tables for player in table}
    ranked = rank_next(tables, everybody, [99])
    assert ranked[:7] == (0, 1, 2, 3, 4, 10, 11)
    assert ranked[7:14] == (5, 6, 12, 13, 14, 15, 20)
    assert ranked[14:] == (16, 21, 22, 23, 24, 25, 99)


def test_a_place_that_is_left_goes_to_the_best_who_would_go_down() -> None:
    """Nobody goes up beyond the two, and whoever has left is not among the next."""
    tables = [list(range(7)), list(range(10, 17))]
    staying = {player for table in tables for player in table} - {0, 6}
    ranked = rank_next(tables, staying, [])
    assert ranked[:7] == (1, 2, 3, 10, 11, 4, 5)
    assert 0 not in ranked


@given(st.lists(st.integers(5, 9), min_size=1, max_size=5), st.data())
@examples(300)
def test_the_next_season_has_everybody_who_stays_or_enters_once(sizes: list[int], data: st.DataObject) -> None:
    """Nobody is lost or doubled; with nobody leaving, only those who move change their division."""
    tables, number = [], 0
    for size in sizes:
        tables.append(list(range(number, number + size)))
        number += size
    staying = data.draw(st.sets(st.integers(0, number - 1)))
    newcomers = data.draw(st.lists(st.integers(0, number + 5), unique=True))
    ranked = rank_next(tables, staying, newcomers)
    assert len(ranked) == len(set(ranked))
    assert set(ranked) == (staying | set(newcomers))
    full, start = rank_next(tables, set(range(number)), []), 0
    for place, table in enumerate(tables):
        came = set(full[start : start + len(table)]) - set(table)
        above = count_moving(len(tables[place - 1]), len(table)) if place else 0
        below = count_moving(len(table), len(tables[place + 1])) if place + 1 < len(tables) else 0
        assert len(came) == above + below
        start += len(table)


@given(st.integers(10, 90), st.integers(5, 9), st.data())
@examples(300)
def test_who_is_to_go_up_does_if_the_next_season_is_as_large(entrants: int, wished: int, data: st.DataObject) -> None:
    """Whoever leaves is followed by somebody new; then emails have said the truth, else it may be another division."""
    drawn = split(range(entrants), 2, wished, "lot")
    gone = data.draw(st.sets(st.integers(0, entrants - 1), max_size=4))
    staying = set(range(entrants)) - gone
    following = split(rank_next(drawn, staying, range(entrants, entrants + len(gone))), 2, wished, "another")
    for place, table in enumerate(drawn[1:]):
        rising = table[: count_moving(len(drawn[place]), len(table))]
        assert {one for one in rising if one in staying} <= set(following[place])


def test_who_is_to_go_up_may_not_if_fewer_play() -> None:
    """With six players less, the first division of eight has room for five, and none of the second."""
    tables = [list(range(8)), list(range(8, 16))]
    ranked = rank_next(tables, set(range(10)), [])
    assert (ranked[6:8], split(ranked, 2, 8, "lot")[0]) == ((8, 9), draw(range(5), "lot 1"))
