"""The operator opens, lists, shows and changes leagues on the command line."""

import pytest

from tests.support.command_line import ANN, BOB, CARL, Pbem
from tests.support.each import each

PLAYERS = b"name;address\nAnn;ann@example.org\nBob;bob@example.org\nCarl;carl@example.org\nDora;dora@example.org\n"


@pytest.fixture
def opened(pbem: Pbem) -> Pbem:
    """A service with a league into which four have been entered from a table, and one by name."""
    pbem.done("league", "open", "pipline", "--csv", "-", "Eve <eve@example.org>", stdin=PLAYERS)
    return pbem


def test_a_league_is_opened_from_a_table(opened: Pbem) -> None:
    """JSON has everything about it."""
    (found,) = opened.done("league", "list", "--json").json
    assert (found["name"], found["game"], found["seats"], len(found["entered"])) == ("pipline", "pipline", 2, 5)
    assert (found["goes_on"], found["divisions"]) == (False, [])
    assert found["options"]["flag"] == "forfeit"
    shown = opened.done("league", "show", "pipline", "--json").json
    assert (shown["tables"], shown["decided"], shown["shown"]) == ([], [], None)
    assert "Ann, Bob, Carl, Dora" in opened.done("league", "show", "pipline").out


def test_what_is_decided_is_listed_and_taken_back(opened: Pbem) -> None:
    """Each act has a number, and says when it was taken back."""
    opened.done("league", "extend", "pipline", "--begins", "2090-01-15")
    opened.done("league", "pause", "pipline", "10d")
    decided = opened.done("league", "show", "pipline", "--json").json["decided"]
    assert [one["kind"] for one in decided] == ["extended", "paused"]
    opened.done("league", "undo", "pipline")
    opened.done("league", "undo", "pipline", "--event", str(decided[0]["id"]))
    decided = opened.done("league", "show", "pipline", "--json").json["decided"]
    assert all(one["undone_at"] for one in decided)
    assert "taken back" in opened.done("league", "show", "pipline").out
    found = opened.done("league", "enter", "pipline", "Finn <finn@example.org>", "--json").json
    assert len(found["entered"]) == 6
    found = opened.done("league", "disqualify", "pipline", "ann", "--json").json
    assert len(found["entered"]) == 5
    assert opened.done("league", "show", "pipline", "--json").json["decided"][-1]["told"] == "Ann disqualified"


def test_the_doctor_finds_no_damage_in_a_new_league(opened: Pbem) -> None:
    """Emails to those who were entered are the first of their service that an answer proves."""
    assert opened.done("doctor", "database", "matches", "--json").code == 0


def test_a_league_of_three_is_called_so(pbem: Pbem) -> None:
    """Its name is that of its game, with the number behind it, or any word."""
    found = pbem.done("league", "open", "zipline-3", "--json").json
    assert (found["seats"], found["size"]) == (3, 7)
    found = pbem.done("league", "open", "trio", "--game", "pipelines", "--players", "3", "--json").json
    assert (found["game"], found["seats"]) == ("pipelines", 3)


@each(
    "arguments, says",
    [
        (["open", "nogame"], "“nogame” is no game; say --game"),
        (["open", "pipline"], "There is a league pipline already"),
        (["open", "zip-1", "--game", "zipline", "--size", "4"], "A division has 5 to 9 players, not 4"),
        (
            ["open", "trio", "--game", "zipline", "--players", "3", "--size", "6"],
            "A division has 7 to 9 players, not 6",
        ),
        (["open", "club", "--game", "pipline", "--players", "3"], "is for matches of 2, not of 3"),
        (["open", "club", "--game", "pipline", "--begins", "soon"], "“soon” is no day"),
        (["open", "club", "--game", "pipline", "--begins", "2020-01-01"], "that’s over already"),
        (["enter", "pipline"], "Say who is to play"),
        (["enter", "other", ANN], "There is no league “other”"),
        (["show", "other"], "There is no league “other”"),
        (["show", "pipline", "--season", "2"], "has had 0 seasons"),
        (["pause", "pipline", "tomorrow"], "“tomorrow” is no time"),
        (["extend", "pipline"], "Say either how much time"),
        (["extend", "pipline", "3d"], "No season of pipline is being played"),
        (["extend", "pipline", "3d", "--begins", "2090-01-01"], "Say either how much time"),
        (["replace", "pipline", BOB, CARL], "has no place in a season"),
        (["disqualify", "pipline", "zoe"], "Nobody here is “zoe”"),
        (["undo", "pipline"], "Nothing that you did to the league pipline"),
    ],
)
def test_what_cannot_be_done_is_said(opened: Pbem, arguments: list[str], says: str) -> None:
    """In one sentence, with the code of bad input."""
    run = opened("league", *arguments)
    assert (run.code, run.out) == (64, "")
    assert says in run.err


@each(
    "table, says",
    [
        (b"", "names no player below its first line"),
        (b"name,colour\nAnn,red\n", "names a column “colour”"),
        (b"name,address\n,\n\n", "names no player below"),
        (b'name,address\n"Ann,x\n', "is no line of a table"),
    ],
)
def test_a_table_that_cannot_be_read(pbem: Pbem, table: bytes, says: str) -> None:
    """Nothing is opened."""
    run = pbem("league", "open", "pipline", "--csv", "-", stdin=table)
    assert run.code in (64, 65, 66)
    assert says in run.err
    assert pbem.done("league", "list", "--json").json == []
