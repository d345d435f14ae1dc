"""The board and the rules on request, and moves that are only to be looked at."""

import pytest

from pbem.commands import read_commands
from pbem.commands.info import Try
from rules import GAMES, Entry
from tests.support.judging import moves, put, refusal, said, start
from tests.support.matches import random_match
from tests.support.walks import Case


def test_help_and_show_change_nothing() -> None:
    """Each is answered once, however often it is asked for, and whoever is to act."""
    decision = put(start(), 1, "help\nshow\nhelp")
    assert [reply.kind for reply in decision.replies] == ["help", "show"]
    assert not decision.changes_match


@pytest.mark.parametrize(
    "line",
    [
        "try d4 e5",
        "try d4",
        "Try d4, e5.",
        "try 12: d4, e5",
        "  * try a1xb2",
        "try d4; e5",
        "try d4 please",
        "try take",
        "try 3, d4 n5",
        "try use 4 d4 n5",
        "https://games.example.org/matches/17.html#12:d4,e5",
        "try https://games.example.org/matches/17.html#12:d4,e5",
    ],
)
def test_tried_moves_are_read_as_that_alone(line: str) -> None:
    """Whatever a page copies, and what people make of it; nothing behind a semicolon is played either."""
    assert [type(command) for command in read_commands([line])] == [Try]


@pytest.mark.parametrize("line", ["try again", "trying d4", "I'll try d4", "try the middle: d4", "d4", "tryd4"])
def test_other_lines_with_the_word_mean_what_they_did(line: str) -> None:
    """Somebody who says that they try something plays."""
    assert not any(isinstance(command, Try) for command in read_commands([line]))


@pytest.mark.parametrize("key", GAMES)
def test_no_legal_move_is_played_behind_try(key: str) -> None:
    """Of no game: the one to act is told so, and nothing else happens."""
    match = random_match(Case(key, GAMES[key].seats[-1], ()))
    ply = next(ply for ply, entry in enumerate(match.record) if entry.seat is not None)
    match = random_match(Case(key, GAMES[key].seats[-1], ()), ply)
    seat = match.to_act
    assert isinstance(seat, int)
    move = str(next(iter(match.position.legal_moves())))
    assert moves(put(match, seat, move)) == (move,)
    refused = refusal(match, seat, f"try {move}")
    assert [aside.code for aside in getattr(refused, "asides", ())] == ["only_tried"]


def test_a_line_that_an_email_program_broke_stays_one() -> None:
    """Its second half would be a move."""
    line = "try " + ", ".join(f"{column}{row}" for column in "abcd" for row in range(1, 5))
    assert [type(command) for command in read_commands([line, "e5, d5"])] == [Try]
    assert [type(command) for command in read_commands(["try d4,", "e5"])] == [Try]


def test_beside_a_move_tried_ones_are_told_apart() -> None:
    """Above it they are left out, and their sender is told; below it they are words for everybody."""
    match = start("zipline", 3, Entry(0, "c3"), Entry(1, "take"))
    above = put(match, 2, "try d4, e5\n\na1")
    assert (moves(above), said(above)) == (("a1",), [])
    assert [aside.code for aside in above.asides] == ["only_tried"]
    below = put(match, 2, "a1\n\nI looked at\ntry d4, e5")
    assert (moves(below), said(below)) == (("a1",), [("I looked at\ntry d4, e5", False)])
    assert below.asides == ()
