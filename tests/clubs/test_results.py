"""What finished matches say about their players."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.clubs.reliability import FEWEST, Reliability, count_reliability, read_percent
from pbem.clubs.results import Part, Result, read_result, why_uncounted
from pbem.match.endings import Ruling
from pbem.match.holders import Passed, Passing
from pbem.match.log import LogEntry
from pbem.match.match import Match
from pbem.match.stints import Stint
from pbem.match.time.time_control import read_time_control
from pbem.match.timing import start_clock
from rules.position import Entry
from tests.support.matches import AUCTION, AUCTION_OF_THREE, OPENED, pipline, zipline

OF_TWO = (*AUCTION, Entry(0, "b2"), Entry(1, "c3"))
OF_THREE = (*AUCTION_OF_THREE, Entry(0, "b2"), Entry(1, "d3"))
CONTROL, _ = read_time_control({"days": "3"})


def result(match: Match, *log: LogEntry) -> Result:
    """Return what a match says."""
    found = read_result(match, log)
    assert found
    return found


def rated(match: Match) -> Match:
    """Return a match as a rated one."""
    return replace(match, rated=True)


def test_a_match_of_two_has_a_winner_and_a_loser() -> None:
    """Each is a side."""
    found = result(rated(pipline(*OF_TWO, Entry(0, "resign"))))
    assert found.rated
    assert [(part.player, part.side, part.score, part.turns) for part in found.parts] == [(0, 0, 0, 2), (1, 1, 1, 2)]


def test_partners_are_one_side() -> None:
    """Bob plays alone, and gives up."""
    found = result(rated(zipline(*OF_THREE, Entry(2, "e5"), Entry(0, "e4"), Entry(1, "resign"))))
    assert [(part.side, part.score) for part in found.parts] == [(1, 1), (0, 0), (1, 1)]


def test_a_draw_is_half_a_win_for_every_side() -> None:
    """Also where it was agreed on."""
    ruling = Ruling("agreed", frozenset({0, 1, 2}), "agreement")
    found = result(rated(replace(zipline(*OF_THREE), ruling=ruling)))
    assert [part.score for part in found.parts] == [0.5] * 3
    assert [part.side == found.parts[1].side for part in found.parts] == [False, True, False]
    assert found.parts[0].side == found.parts[2].side


@pytest.mark.parametrize("moves", range(4))
def test_a_match_counts_once_each_side_has_moved_twice(moves: int) -> None:
    """Not sooner."""
    found = rated(pipline(*OF_TWO[:moves], Entry(moves % 2, "resign")))
    assert not result(found).rated


@pytest.mark.parametrize(
    "match",
    [
        pipline(*OF_TWO),
        pipline(*OF_TWO, Entry(0, "resign")),
        replace(rated(pipline(*OF_TWO)), ruling=Ruling("void")),
        replace(rated(pipline(*OF_TWO, Entry(0, "resign"))), private=True),
        replace(rated(pipline(*OF_TWO, Entry(0, "resign"))), robots=(Stint(1, 2, 0, 2),)),
    ],
    ids=["it goes on", "neither rated nor timed", "void", "private", "a robot has played"],
)
def test_some_matches_say_nothing(match: Match) -> None:
    """Nobody is rated by them, nor found reliable."""
    assert read_result(match, ()) is None


def test_a_seat_that_was_taken_makes_a_match_unrated_and_is_that_of_who_got_it() -> None:
    """They have their own turns there, and aren't late by those of before."""
    over = start_clock(rated(pipline(*OF_TWO, Entry(0, "resign"))), CONTROL, OPENED)
    flagged = LogEntry("flagged", 0, {}, 2, OPENED), LogEntry("flagged", 1, {}, 3)
    found = result(replace(over, passed=(Passed(2, 0, "Dora", OPENED + timedelta(hours=1)),)), *flagged)
    assert not found.rated
    assert [(part.turns, part.late) for part in found.parts] == [(1, 0), (2, 1)]


DORA = 9
"""Who answers for a seat that they let pass."""


def passed_on(match: Match, *passed: Passed) -> Match:
    """Return a match with a clock, rated, whose seats passed on."""
    return replace(start_clock(rated(match), CONTROL, OPENED), passed=passed)


@pytest.mark.parametrize("how", ["lent", "given"])
def test_a_seat_that_lost_is_lost_by_who_let_it_pass(how: Passing) -> None:
    """With the turns that they had themselves; to give it away for good and lose is to leave."""
    one = passed_on(pipline(*OF_TWO, Entry(0, "b3"), Entry(0, "resign")), Passed(4, 0, "Dora", how=how, owner=DORA))
    found = result(one, LogEntry("flagged", 0, {}, 2), LogEntry("flagged", 0, {}, 4))
    assert (found.rated, found.players) == (True, frozenset({DORA, 1}))
    assert found.parts[0] == Part(DORA, 0, 0, 2, 1, False, gave_away=how == "given")
    assert count_reliability([found.parts[0]]).left == (how == "given")


@given(st.sampled_from(["taken", "lent", "given"]), st.sampled_from(["taken", "lent", "given"]), st.integers(0, 2))
def test_a_match_counts_only_if_all_seats_that_passed_on_lost(first: Passing, second: Passing, loser: int) -> None:
    """Whoever had them: Bob plays alone, and Ann and Carl are partners. What was taken counts for nobody."""
    leaving = (Entry(1, "resign"),) if loser == 1 else (Entry(2, "resign"), Entry(0, "resign"))
    passings = [
        Passed(6, seat, "Zoe", how=how, owner=None if how == "taken" else DORA + seat)
        for seat, how in ((loser, first), (1, second))
    ]
    match = zipline(*OF_THREE, Entry(2, "e5"), Entry(0, "e4"), *leaving)
    found = result(passed_on(match, *passings[: 2 - (loser == 1)]))
    alone = result(passed_on(match, passings[0]))
    assert alone.rated == (first != "taken")
    assert found.rated == (alone.rated and loser == 1)
    assert [part.score for part in alone.parts] == [part.score for part in result(passed_on(match)).parts]


def test_robots_count_where_somebody_let_them_have_a_seat() -> None:
    """As its player's defeat; one that sat there from the beginning is nobody's match, whoever else stands in."""
    match = pipline(*OF_TWO, Entry(0, "resign"))
    robot = replace(match.players[0], id=77, robot=2)
    stood_in = replace(match, players=(robot, match.players[1]), robots=(Stint(0, 2, 4),))
    lent = Passed(4, 0, "Dora", how="lent", owner=DORA)
    assert result(passed_on(stood_in, lent)).parts[0].player == DORA
    assert read_result(passed_on(stood_in, Passed(4, 0, "Dora")), ()) is None
    assert read_result(passed_on(replace(stood_in, robots=(*stood_in.robots, Stint(1, 1, 0, 2))), lent), ()) is None


def test_a_seat_may_pass_on_and_come_back_again_and_again() -> None:
    """Whatever happened while its player had it is theirs."""
    away, back = Passed(2, 0, "Dora", how="lent", owner=DORA), Passed(3, 0, "Zoe", how="back")
    match = pipline(*OF_TWO, Entry(0, "b3"), Entry(1, "c4"), Entry(0, "resign"))
    match = replace(match, players=(replace(match.players[0], id=DORA), match.players[1]))
    found = result(passed_on(match, away, back, away._replace(ply=5), back._replace(ply=6)))
    assert (found.rated, found.parts[0].turns, found.parts[0].gave_away) == (True, 2, False)
    assert why_uncounted(passed_on(match, away)) == "few_moves"


def test_only_whose_time_was_over_was_timed_out() -> None:
    """Their partner leaves with them, and has done nothing wrong; a flag that is told of again is one."""
    leaving = Entry(2, "timeout"), Entry(0, "timeout")
    over = start_clock(rated(zipline(*OF_THREE, *leaving)), CONTROL, OPENED)
    assert over.outcome
    flagged = LogEntry("flagged", 2, {}, 5), LogEntry("flagged", 2, {"again": True}, 5)
    found = result(over, *flagged)
    assert [(part.turns, part.late, part.timed_out) for part in found.parts] == [
        (2, 0, False),
        (2, 0, False),
        (2, 1, True),
    ]


def test_reliability_is_the_lesser_share() -> None:
    """Of turns in time, and of matches not left to the clock; rounded down."""
    punctual, late, gone = Part(1, 0, 1, 10, 0, False), Part(1, 0, 1, 10, 3, False), Part(1, 0, 0, 10, 1, True)
    assert count_reliability([punctual] * FEWEST) == Reliability(FEWEST, 0, 10 * FEWEST, 0)
    assert count_reliability([punctual] * FEWEST).percent == 100
    assert count_reliability([punctual] * 4 + [late]).percent == 94
    assert count_reliability([punctual] * 4 + [gone]).percent == 80
    assert count_reliability([punctual] * 299 + [gone]).percent == 99


def test_somebody_new_meets_no_wish_for_reliable_players() -> None:
    """But every other offer."""
    new = Reliability(FEWEST - 1, 0, 100, 0)
    assert new.percent is None
    assert (new.meets(0), new.meets(1)) == (True, False)
    known = Reliability(10, 1, 100, 0)
    assert (known.meets(90), known.meets(91)) == (True, False)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        *(("90", 90), ("90%", 90), ("100", 100), ("1", 1)),
        *((typed, None) for typed in ("0", "101", "x", "", "1e1", "٩٠", "9" * 5000)),
    ],
)
def test_a_percentage_is_read(typed: str, read: int | None) -> None:
    """With its sign or without."""
    assert read_percent(typed) == read


def test_a_match_ends_when_it_ended() -> None:
    """Not when it's read."""
    over = rated(pipline(*OF_TWO, Entry(0, "resign")))
    assert result(over).at == OPENED + timedelta(hours=5)
