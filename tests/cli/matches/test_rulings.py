"""The operator shows and sets clocks, decides matches, replaces players and takes entries back."""

import re
import sqlite3
from contextlib import closing

import pytest

from tests.support.command_line import ANN, BOB, CARL, Pbem
from tests.support.each import each

QUEUED = "The emails are queued: “pbem run” (or “pbem deliver”) sends them.\n"


def log_of(pbem: Pbem, match: int = 1) -> list[str]:
    """Return the kinds of what happened to a match beside its entries."""
    return [entry["kind"] for entry in pbem.done("clock", str(match), "--json").json["log"]]


@each(
    "arguments, says",
    [
        (["clock", "2"], "There is no match 2; “pbem matches” lists them"),
        (["clock", "2", "days=3"], "There is no match 2; “pbem matches” lists them"),
        (["clock", "1", "days"], "“days” is not an option: write name=value"),
        (["clock", "1", "size=9"], "“size” is nothing about time; there are days, bank, max, weekends and flag"),
        (["clock", "1", "days=soon"], "not “soon”"),
        (["clock", "1", "days=3", "flag=win"], "not “win”"),
        (["clock", "1", "days=none", "flag=claim"], "leave one of the two out"),
        (["extend", "2", "3d"], "There is no match 2"),
        (["extend", "1", "soon"], "“soon” is no time: write 3d, 12h or 2d12h"),
        (["extend", "1", "0d"], "“0d” is no time"),
        (["extend", "1", "500d"], "“500d” is no time"),
        (["extend", "1", "3"], "“3” is no time"),
        (["extend", "1", "3d", "--seat", "4"], "“4” is no seat of match 1; choose 1 (Ann), 2 (Bob) or 3 (Carl)"),
        (["extend", "1", "3d", "--seat", "zoe"], "“zoe” is no seat of match 1"),
        (["extend", "1", "30d", "--back"], "Ann has 14d left, so 30d can’t be taken away"),
        (["pause", "1"], "Say either how long the pause is"),
        (["pause", "1", "3d", "--end"], "Say either how long the pause is"),
        (["pause", "1", "--end"], "Match 1 is not paused"),
        (["pause", "1", "tomorrow"], "“tomorrow” is no time"),
        (["pause", "1", "2020-01-01"], "“2020-01-01” is over already"),
        (["pause", "1", "2020-13-01"], "“2020-13-01” is no day"),
        (["pause", "1", "9999-12-31"], "“9999-12-31” is no day"),
        (["pause", "1", "9998-12-31"], "“9998-12-31” is too far away"),
        (["adjudicate", "1"], "Say either who wins"),
        (["adjudicate", "1", "ann", "--undo"], "Say either who wins"),
        (["adjudicate", "1", "zoe"], "“zoe” is no seat of match 1"),
        (["adjudicate", "1", "ann", "draw"], "“draw” is no seat of match 1"),
        (["adjudicate", "1", "--undo"], "Match 1 is not adjudicated"),
        (["adjudicate", "2", "ann"], "There is no match 2"),
        (["void", "1", "--undo"], "Match 1 is not called off"),
        (["void", "7"], "There is no match 7"),
        (["replace", "1", "zoe", "dora@example.org"], "“zoe” is no seat of match 1"),
        (["replace", "1", "bob", CARL], "Carl has another seat in match 1"),
        (["replace", "1", "bob", "\udcff@example.org"], "is not UTF-8 text"),
        (["rewind", "1"], "Say one of three"),
        (["rewind", "1", "0", "--moves", "1"], "Say one of three"),
        (["rewind", "1", "0"], "Match 1 has 0 entries, so it can’t go back to 0"),
        (["rewind", "1", "--moves", "1"], "Match 1 has 0 moves, so 1 can’t be taken back"),
        (["rewind", "1", "--undo"], "Nothing was taken back in match 1"),
        (["rewind", "9", "--undo"], "There is no match 9"),
    ],
)
def test_what_cannot_be_done_changes_nothing(pbem: Pbem, arguments: list[str], says: str) -> None:
    """What is wrong is one sentence that quotes it, and everything stays as it was."""
    pbem.refuses(*arguments, code=64, says=says)


@each(
    "arguments",
    [
        ["clock", "1", "days=3"],
        ["extend", "1", "1d"],
        ["pause", "1", "1d"],
        ["adjudicate", "1", "ann"],
        ["void", "1"],
        ["replace", "1", "ann", "dora@example.org"],
    ],
)
def test_nothing_is_decided_about_a_match_that_is_over(over: Pbem, arguments: list[str]) -> None:
    """The sentence says what would take its last move back."""
    over.refuses(*arguments, code=64, says="Match 1 is over: “pbem rewind 1 --moves 1” takes its last move back")


def test_a_clock_is_shown_and_set(pbem: Pbem) -> None:
    """Its time control can be typed as arguments or as options; the log tells what was done."""
    shown = pbem.done("clock", "1").out
    assert "control:      days=7\n" in shown
    assert "left:         Ann 14d, Bob 7d, Carl 7d\n" in shown
    pbem.done("clock", "1", "bank=20d+1d", "--option", "flag=forfeit")
    found = pbem.done("clock", "1", "--json").json
    assert (found["control"], found["to_act"], found["halted"]) == ("bank=20d+1d max=20d flag=forfeit", 0, "unsent")
    assert [entry["kind"] for entry in found["log"]] == ["time_control"]
    pbem.done("clock", "1", "days=none")
    assert pbem.done("clock", "1", "--json").json["control"] is None
    assert "control:      none; “pbem clock 1 days=7” gives the match a clock\n" in pbem.done("clock", "1").out
    for command in (["extend", "1", "1d"], ["pause", "1", "1d"], ["pause", "1", "--end"]):
        pbem.refuses(*command, code=64, says="Match 1 has no clock: “pbem clock 1 days=7” gives it one")
    pbem.refuses("clock", "1", "days=none", code=64, says="Match 1 has no clock already")


def test_time_is_given_and_a_match_paused(pbem: Pbem) -> None:
    """Each is printed, or as JSON, and stands in the log."""
    assert pbem.done("extend", "1", "2d12h").out.startswith("Ann has 2d 12h more in match 1.\n")
    assert pbem.done("extend", "1", "1d", "--seat", "2", "--back", "--json").json["left"][1] == 6 * 86_400
    paused = pbem.done("pause", "1", "10d", "--json").json
    assert paused["paused_until"]
    assert "is paused until" in pbem.done("pause", "1", "3w").out
    assert "is not paused any more" in pbem.done("pause", "1", "--end").out
    assert log_of(pbem) == ["extended", "extended", "paused", "paused", "pause_ended"]
    told = pbem.done("clock", "1").out
    assert re.search(r"UTC, after 0 entries: extended: 1d less, Bob\n", told)


def test_a_match_is_decided_and_goes_on(pbem: Pbem) -> None:
    """Every list says so, and undoing it is a command as well."""
    run = pbem.done("adjudicate", "1", "BOB", "--json")
    assert (run.json["status"], run.json["winners"]) == ("over", [1])
    assert pbem.done("show", "1", "--json").json["reason"] == "the operator adjudicated the match"
    assert pbem.done("matches", "--json").json[0]["status"] == "over"
    assert pbem.done("matches", "--status", "running").out == "No matches.\n"
    assert pbem.done("adjudicate", "1", "--undo").out.endswith(QUEUED)
    assert pbem.done("matches", "--json").json[0]["to_act"] == 0
    assert pbem.done("adjudicate", "1", "draw", "--json").json["winners"] == [0, 1, 2]
    pbem.refuses("void", "1", code=64, says="“pbem adjudicate 1 --undo” takes that back")
    pbem.done("adjudicate", "1", "--undo")
    assert pbem.done("void", "1", "--json").json["winners"] == []
    assert "called the match off" in pbem.done("show", "1").out
    pbem.done("void", "1", "--undo")
    assert log_of(pbem) == [*("adjudicated", "reinstated", "adjudicated", "reinstated", "voided", "reinstated")]


@pytest.mark.parametrize("arguments", [["adjudicate", "1", "ann"], ["adjudicate", "1", "draw"], ["void", "1"]])
def test_a_record_with_a_ruling_verifies(pbem: Pbem, arguments: list[str]) -> None:
    """It says that the result is the host's word; a ruling that no host writes does not pass."""
    pbem.done(*arguments)
    text = pbem.done("export", "1").out
    told = pbem.done("verify", "-", stdin=text.encode()).out
    assert "a decision of its host: no move proves it" in told
    for change, to in (("winners: ", "winners: 9"), ("ruling: ", "ruling: x"), ("reason: ", "reason: x")):
        pbem.refuses("verify", "-", stdin=text.replace(change, to).encode(), code=65, says="does not fit")


def test_no_ruling_overrules_moves_that_ended_the_match(over: Pbem) -> None:
    """A forger who adds one to a record is found out even where nothing is signed."""
    text = over.done("export", "1").out
    forged = re.sub("winners: .*\nreason: .*", "winners: 2\nreason: the operator adjudicated the match", text)
    forged = re.sub("(?m)^(key|signature): .*\n", "", forged).replace("match: 1", "match: 1\nruling: adjudicated")
    over.refuses("verify", "-", stdin=forged.encode(), code=65, says="but its moves have ended the match")


def test_a_player_is_replaced_and_comes_back(pbem: Pbem) -> None:
    """A new address is a new player; the same command with the names the other way round takes it back."""
    run = pbem.done("replace", "1", "bob", "Dora <dora@example.org>", "--json")
    assert [seat["address"] for seat in run.json["seats"]] == [ANN, "dora@example.org", CARL]
    assert pbem.done("replace", "1", "2", "bob").out.startswith("Match 1: replaced: Dora by Bob.\n")
    assert pbem.done("matches", "--json").json[0]["seats"][1]["address"] == BOB
    assert [player["name"] for player in pbem.done("players", "--json").json] == ["Dora", "Carl", "Bob", "Ann"]


def test_show_names_who_had_the_seat_then(pbem: Pbem) -> None:
    """Nobody has the moves of the player whom they replaced."""
    pbem.done("receive", stdin=pbem.answer(1, "c3"))
    pbem.done("replace", "1", "ann", "Dora <dora@example.org>")
    assert pbem.done("show", "1").out.splitlines()[-1] == "   1  Ann: c3"


def test_entries_are_taken_back_and_put_back(over: Pbem) -> None:
    """By number, as ``show`` counts them, or the last so many moves, the one that ended the match included."""
    assert over.done("rewind", "1", "--moves", "1", "--json").json["status"] == "running"
    assert over.done("rewind", "1", "1").out.startswith("Match 1: rewound to 1 entry; moves taken back: 1.\n")
    assert [entry["text"] for entry in over.done("show", "1", "--json").json["record"]] == ["c3"]
    over.refuses("show", "1#2", code=64, says="Match 1 has 1 move so far, not 2")
    over.done("rewind", "1", "--undo")
    assert over.done("rewind", "1", "--undo", "--json").json["status"] == "over"
    assert [entry["text"] for entry in over.done("show", "1", "--json").json["record"]] == ["c3", "take", "resign"]
    over.done("verify", "-", stdin=over.done("export", "1").out.encode())


def test_who_takes_back_the_end_of_a_match_with_dice_is_warned(pbem: Pbem) -> None:
    """Its secret was published: whoever has it can work out what will be rolled."""
    pbem.done("open", "pippip", ANN, BOB)
    pbem.done("void", "2")
    run = pbem("void", "2", "--undo")
    assert run.code == 0
    assert "the secret of match 2 was published" in run.err


def test_the_doctor_lists_what_waits_longest(pbem: Pbem) -> None:
    """With a clock or without."""
    pbem.done("open", "zipline", ANN, BOB, "-o", "days=none")
    with closing(sqlite3.connect(pbem.directory / "pbem.db")) as database, database:
        database.execute("UPDATE clock SET turned_at = '2026-01-01 12:00:00.000000'")
        database.execute("UPDATE match SET changed_at = '2026-01-02 12:00:00.000000'")
    told = [line for line in pbem("doctor").out.splitlines() if line.startswith("– matches")]
    assert len(told) == 2
    assert re.search(r"match 1 has waited for \d+ days: Ann to move since 1 Jan; its email hasn’t been sent", told[0])
    assert re.search(r"match 2 has waited for \d+ days: Ann to .*; it has no clock", told[1])
