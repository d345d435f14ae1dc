"""Which moves of a record are a robot's: seats pass on and come back, and entries are taken back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.match.stints import (
    STRENGTHS,
    Stint,
    passed_on,
    read_robot,
    rewound_to,
    robot_name,
    stints_of,
    write_robot,
    write_stints,
)
from pbem.robots.thinking import STRENGTHS as THINKING
from rules.errors import InvalidRecord
from rules.record import Record
from tests.support.each import each

seats = st.integers(0, 2)
changes = st.lists(st.tuples(seats, st.sampled_from((0, *STRENGTHS)), st.integers(0, 9)), max_size=12)


def of_record(note: str) -> Record:
    """Return a record for three with that note of robots."""
    return Record("zipline", 3, {}, (), {"robots": note} if note else {})


def test_robots_think_with_the_strengths_that_seats_know() -> None:
    """The two lists are apart, since the compiler is not to be loaded for one of them."""
    assert STRENGTHS == THINKING


@each(
    "text, strength",
    [("robot:2", 2), ("Robot 2", 2), ("robot", 1), ("robot9", 9), ("robots", None), ("Robot Lee", None), ("r2", None)],
)
def test_what_names_a_robot(text: str, strength: int | None) -> None:
    """A strength that none has is told elsewhere, not taken for a name."""
    assert read_robot(text) == strength


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_robot_is_named_as_it_is_written(strength: int) -> None:
    """In commands and in emails."""
    assert read_robot(write_robot(strength)) == read_robot(robot_name(strength)) == strength


@given(changes)
def test_each_move_is_of_who_had_the_seat_then(given_changes: list[tuple[int, int, int]]) -> None:
    """However seats pass on, the stints say of each ply and seat which robot had it; a record tells the same."""
    stints: tuple[Stint, ...] = ()
    holders, ply = [0, 0, 0], 0
    had: dict[tuple[int, int], int] = {}
    for seat, robot, later in given_changes:
        for passed in range(ply, ply + later):
            had |= {(passed, one): holder for one, holder in enumerate(holders)}
        ply += later
        stints, holders[seat] = passed_on(stints, seat, robot, ply), robot
    for (then, seat), holder in had.items():
        assert [one.strength for one in stints if one.covers(seat, then)] == ([holder] if holder else [])
    assert stints_of(of_record(write_stints(stints))) == stints


@given(changes, st.integers(0, 60))
def test_who_has_a_seat_plays_on_from_where_entries_are_taken_back(
    given_changes: list[tuple[int, int, int]], back: int
) -> None:
    """What follows from there is theirs alone."""
    stints: tuple[Stint, ...] = ()
    ply = 0
    holders = [0, 0, 0]
    for seat, robot, later in given_changes:
        ply += later
        stints, holders[seat] = passed_on(stints, seat, robot, ply), robot
    back = min(back, ply)
    for seat, holder in enumerate(holders):
        found = [one.strength for one in rewound_to(stints, back) if one.covers(seat, back)]
        assert found == ([holder] if holder else [])


@pytest.mark.parametrize(
    "note", ["seat 4 strength 1 from 1", "seat 1 strength 4 from 1", "seat 1 strength 1 from 0", "2"]
)
def test_a_note_that_no_pbem_writes_is_refused(note: str) -> None:
    """It would say of moves that they are a robot's that is not there."""
    with pytest.raises(InvalidRecord) as refused:
        stints_of(of_record(note))
    assert refused.value.code == "robots_unreadable"
