"""The operator opens, lists, shows and pauses ladders on the command line, and takes players out of them."""

import pytest

from tests.support.command_line import ANN, BOB, Pbem
from tests.support.each import each


@pytest.fixture
def entered(pbem: Pbem) -> Pbem:
    """A service with a ladder of Pipline, opened with a name and options of its own, in which Ann and Bob stand."""
    pbem.done("open", "pipline", ANN, BOB, "-o", "size=5")
    pbem.done("ladder", "open", "blitz", "--game", "pipline", "-o", "size=7", "-o", "days=1")
    for number in (1, 2):
        pbem("receive", stdin=pbem.answer(number, "ladder blitz", f"<{number}@example.org>"))
    return pbem


def test_a_ladder_is_listed_and_shown(entered: Pbem) -> None:
    """JSON has everything about it; robots stand in it while there are few people."""
    (found,) = entered.done("ladder", "list", "--json").json
    assert (found["name"], found["game"], found["players"], found["paused"]) == ("blitz", "pipline", [1, 2], False)
    assert found["options"] == {"size": "7", "days": "1"}
    shown = entered.done("ladder", "show", "blitz", "--json").json
    assert [(row["place"], row["name"], row["robot"]) for row in shown["places"]] == [
        (1, "Robot 2", 2),
        (2, "Robot 1", 1),
        (3, "Ann", None),
        (4, "Bob", None),
    ]
    assert shown["decided"] == []
    assert "3  Ann" in entered.done("ladder", "show", "blitz").out


def test_what_is_decided_is_listed_and_taken_back(entered: Pbem) -> None:
    """Whoever was out stands again where they stood."""
    assert entered.done("ladder", "remove", "blitz", "ann", "--json").json["players"] == [2]
    assert entered.done("ladder", "pause", "blitz", "--json").json["paused"] is True
    decided = entered.done("ladder", "show", "blitz", "--json").json["decided"]
    assert [one["kind"] for one in decided] == ["removed", "paused"]
    assert entered.done("ladder", "undo", "blitz", "--json").json["paused"] is False
    assert entered.done("ladder", "undo", "blitz", "--event", str(decided[0]["id"]), "--json").json["players"] == [1, 2]
    assert "taken back" in entered.done("ladder", "show", "blitz").out


@each(
    "arguments, says",
    [
        (["open", "nogame"], "“nogame” is no game; say --game"),
        (["open", "two words", "--game", "pipline"], "is no name of a ladder"),
        (["open", "blitz", "--game", "pipline"], "There is a ladder blitz already"),
        (["open", "other", "--game", "pipline", "-o", "size=999"], "size"),
        (["show", "pipline"], "There is no ladder “pipline”"),
        (["remove", "blitz", "zoe"], "Nobody here is “zoe”"),
        (["undo", "blitz"], "Nothing that you did to the ladder blitz can be taken back"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(entered: Pbem, arguments: list[str], says: str) -> None:
    """And nothing is changed."""
    entered.refuses("ladder", *arguments, code=64, says=says)
    assert entered.done("ladder", "show", "blitz", "--json").json["decided"] == []
