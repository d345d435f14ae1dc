"""Tables of a league equal an independent reckoning, and keep the laws that they promise."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.clubs.league_draw import LEAST, pair
from pbem.clubs.league_table import Meeting, score_seats, settle, tabulate
from tests.support.examples import examples


def reckon(drawn: tuple[int, ...], meetings: list[Meeting]) -> list[tuple[int, int, Fraction]]:
    """Return place, player and points of a table as a person would reckon it: by a grid of fractions, pair by pair."""
    half, grid = Fraction(1, 2), dict[tuple[int, int, int], Fraction]()
    points = dict.fromkeys(drawn, Fraction(0))
    for number, one in enumerate(meetings):
        scores: list[Fraction] | None = [score * half for score in one.scores] or None
        if one.missing:
            scores = [Fraction(seat not in one.missing) for seat in range(len(one.players))]
            if len(one.missing) == len(one.players):
                scores = None
        for player in one.players:
            own = [other for other in meetings if player in other.players]
            played = [other for other in own if other.players.index(player) not in other.missing]
            if len(played) < Fraction(len(own), 2):
                scores = None
        if scores is None:
            continue
        for seat, player in enumerate(one.players):
            points[player] += scores[seat]
            for other, opponent in enumerate(one.players):
                if one.sides[other] != one.sides[seat]:
                    grid[player, opponent, number] = scores[seat]
    rows = []
    for player in drawn:
        tied = [other for other in drawn if points[other] == points[player]]
        direct = sum(score for (one, other, _), score in grid.items() if one == player and other in tied)
        berger = sum(score * points[other] for (one, other, _), score in grid.items() if one == player)
        rows.append((points[player], direct, berger, player))
    keys = [row[:3] for row in rows]
    return [(1 + sum(key > row[:3] for key in keys), row[3], row[0]) for row in rows]


@st.composite
def divisions(draw: st.DrawFn) -> tuple[tuple[int, ...], list[Meeting]]:
    """Divisions in the midst of a season, with matches that go on, are void, or that somebody never played."""
    seats = draw(st.sampled_from([2, 3]))
    size = draw(st.integers(LEAST[seats], 9))
    drawn = tuple(draw(st.permutations(range(100, 100 + size))))
    meetings = []
    for number, places in enumerate(pair(size, seats), 1):
        players = tuple(drawn[place] for place in places)
        single = draw(st.integers(0, seats - 1))
        sides = (0, 1) if seats == 2 else tuple(int(seat != single) for seat in range(3))
        one = Meeting(players, sides, match=number)
        state = draw(st.sampled_from(["on", "void", "missed", "over", "over", "over", "drawn"]))
        won = draw(st.integers(0, 1))
        if state == "drawn":
            one = replace(one, scores=score_seats(range(seats), sides))
        elif state == "over":
            one = replace(one, scores=score_seats([seat for seat in range(seats) if sides[seat] == won], sides))
        elif state == "missed":
            one = replace(one, missing=frozenset(draw(st.sets(st.integers(0, seats - 1), min_size=1))))
        meetings.append(replace(one, over=state != "on"))
    return drawn, meetings


@given(divisions())
@examples(500)
def test_a_table_is_what_a_person_reckons(division: tuple[tuple[int, ...], list[Meeting]]) -> None:
    """Places, and points in halves, are those of the independent reckoning; every match is counted once for each."""
    drawn, meetings = division
    rows = tabulate(drawn, meetings)
    assert sorted((row.place, row.player, Fraction(row.points, 2)) for row in rows) == sorted(reckon(drawn, meetings))
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    assert all(row.shared == (sum(row.place == other.place for other in rows) > 1) for row in rows)
    for row in rows:
        own = sum(row.player in one.players for one in meetings)
        assert row.won + row.drawn + row.lost + row.void + row.running == own
        assert row.points == 2 * row.won + row.drawn
        assert row.forfeited <= row.lost


@given(divisions(), st.randoms(use_true_random=False))
@examples(200)
def test_the_order_of_results_changes_nothing(division: tuple[tuple[int, ...], list[Meeting]], chance: object) -> None:
    """However matches are listed, the table is the same."""
    drawn, meetings = division
    mixed = list(meetings)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert tabulate(drawn, mixed) == tabulate(drawn, meetings)


@given(divisions())
@examples(200)
def test_what_matches_count_adds_up_to_the_table(division: tuple[tuple[int, ...], list[Meeting]]) -> None:
    """As the cells of a cross table do, which show what each settled match counts for its players."""
    drawn, meetings = division
    settled = [one for one in settle(meetings) if one.scores]
    for row in tabulate(drawn, meetings):
        counted = [one.scores[one.players.index(row.player)] for one in settled if row.player in one.players]
        assert sum(counted) == row.points


def two(winner: int, loser: int) -> Meeting:
    """Return a match that somebody has won."""
    return Meeting((winner, loser), (0, 1), (2, 0), over=True)


def missed(player: int, other: int) -> Meeting:
    """Return a match that a player never played."""
    return Meeting((player, other), (0, 1), missing=frozenset([0]), over=True)


def test_direct_result_comes_before_sonneborn_berger() -> None:
    """Of two with as many points, whoever beat the other is first, though the other beat stronger ones."""
    first = [two(1, 2), two(3, 1), two(4, 1), two(5, 1), two(6, 1), two(3, 2), two(4, 2), two(5, 2), two(2, 6)]
    others = [two(4, 3), two(5, 3), two(6, 3), two(5, 4), two(6, 4), two(6, 5)]
    rows = {row.player: row for row in tabulate(range(1, 7), first + others)}
    assert (rows[1].points, rows[2].points) == (2, 2)
    assert (rows[1].place, rows[2].place) == (5, 6)
    assert rows[2].berger > rows[1].berger


def test_what_nothing_tells_apart_is_shared() -> None:
    """Three who beat each other in a circle share their place."""
    rows = tabulate((1, 2, 3), [two(1, 2), two(2, 3), two(3, 1)])
    assert [(row.place, row.shared, row.player) for row in rows] == [(1, True, 1), (1, True, 2), (1, True, 3)]


@pytest.mark.parametrize("unplayed", [1, 2, 3, 4])
def test_matches_that_a_drop_out_never_played(unplayed: int) -> None:
    """They are lost while at least half were played; else none of theirs counts, for nobody."""
    gone = [missed(5, other) if other <= unplayed else two(other, 5) for other in (1, 2, 3, 4)]
    others = [two(1, 2), two(2, 3), two(3, 1), two(3, 4), two(4, 1), two(4, 2)]
    rows = {row.player: row for row in tabulate((1, 2, 3, 4, 5), others + gone)}
    won = {1: 1, 2: 1, 3: 2, 4: 2}
    for player, wins in won.items():
        assert rows[player].points == 2 * (wins + (unplayed <= 2))
    assert (rows[5].forfeited, rows[5].void) == ((unplayed, 0) if unplayed <= 2 else (0, 4))


def test_a_drop_out_is_no_present_to_whom_they_played() -> None:
    """Who missed more than half has met nobody: neither their friend, who beat them, nor whom they beat."""
    settled = settle([two(1, 5), two(5, 2), *(missed(5, other) for other in (3, 4, 6, 7, 8))])
    assert [one.scores for one in settled] == [()] * 7


def test_a_side_of_two_wins_one_point_each() -> None:
    """At Zipline each of the pair gets what the single player would; nobody has drawn."""
    assert score_seats([1, 2], (0, 1, 1)) == (0, 2, 2)
    assert score_seats([0], (0, 1, 1)) == (2, 0, 0)
    assert score_seats([0, 1], (0, 1, 2)) == (1, 1, 0)
