"""Matches are opened, shown, exported and verified."""

import json
import re

import pytest

from tests.support.command_line import ANN, BOB, CARL, GAMES, Pbem


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chess", ANN, BOB], "There is no game “chess”; there are: pipline, zipline"),
        (["zipline", ANN], "2 or 3 players, not 1"),
        (["pipline", ANN, BOB, CARL], "2 players, not 3"),
        (["zipline", ANN, BOB, CARL, "dora@example.org"], "2 or 3 players, not 4"),
        (["zipline", ANN, BOB, "-o", "size=4"], "“4” will not do for size: it must be a whole number from 5 to 19"),
        (["zipline", ANN, BOB, "-o", "size=20"], "“20” will not do for size"),
        (["zipline", ANN, BOB, "-o", "size=big"], "“big” will not do for size"),
        (["zipline", ANN, BOB, "-o", "size="], "“” will not do for size"),
        (["zipline", ANN, BOB, "-o", "colour=red"], "no option “colour”; its options are: size"),
        (["pipline", ANN, BOB, "-o", "freestyle=yes"], "no option “freestyle”"),
        (["zipline", ANN, BOB, "-o", "size"], "“size” is no option: write it as name=value"),
        (["zipline", ANN, BOB, "-o", "=9"], "“=9” is no option"),
        (["zipline", ANN, "bob@"], "“bob@” is no mail address; one looks like ann@example.org"),
        (["zipline", ANN, "Bob <bob>"], "Nobody here is called “Bob <bob>”"),
        (["zipline", ANN, "bob@example.org, carl@example.org"], "is no mail address"),
        (["zipline", ANN, "bob@exam\nple.org"], "is no mail address"),
        (["zipline", ANN, "Bób@example.org"], "is no mail address"),
        (["zipline", ANN, f"x@y <{BOB}>"], "“x@y” is no name"),
        (["zipline", ANN, "Dora"], "Nobody here is called “Dora”; give an address"),
        (["zipline", ANN, ""], "Nobody here is called “”"),
        (["zipline", ANN, ANN], f"Ann ({ANN}) is named twice"),
        (["zipline", ANN, BOB, "ann"], f"Ann ({ANN}) is named twice"),
        (["zipline", "new@example.org", "New <NEW@example.org>"], "(new@example.org) is named twice"),
        (["zipline", ANN, GAMES], "is the address of this service itself"),
        (["zipline", ANN, f"Games <{GAMES.upper()}>"], "is the address of this service itself"),
        (["zipline", ANN, "games+1.0.0.abc@example.org"], "is the address of this service itself"),
        (["zipline", ANN, "\udcff\udcfe@example.org"], "is not text in UTF-8"),
    ],
    ids=lambda value: " ".join(value).encode("ascii", "replace").decode() if isinstance(value, list) else "",
)
def test_a_match_that_cannot_be_opened_leaves_nothing_behind(pbem: Pbem, arguments: list[str], says: str) -> None:
    """What is wrong with a new match is one sentence, and no player, match or mail is left of it."""
    pbem.refuses("open", *arguments, code=64, says=says)


def test_a_name_beside_the_services_own_address_can_play(pbem: Pbem) -> None:
    """An address that only begins or ends like the service's own is somebody else's."""
    run = pbem.done("open", "zipline", "games@sub.example.org", "games+chess@other-example.org", "--json")
    assert [seat["address"] for seat in run.json["seats"]] == ["games@sub.example.org", "games+chess@other-example.org"]


def test_open_prints_the_match_as_one_object(pbem: Pbem) -> None:
    """What ``open --json`` prints is what ``show --json`` and ``matches --json`` know of the match."""
    opened = pbem.done("open", "pipline", "ann", "Dora Müller <dora@example.org>", "-o", "size=7", "--json").json
    assert opened["id"] == 2
    assert (opened["game"], opened["options"], opened["status"]) == (
        "pipline",
        {"size": 7, "draw": "points", "order": "opened"},
        "running",
    )
    assert [(seat["seat"], seat["player"], seat["address"]) for seat in opened["seats"]] == [
        (0, "Ann", ANN),
        (1, "Dora Müller", "dora@example.org"),
    ]
    assert pbem.done("matches", "--json").json[1] == opened
    shown = pbem.done("show", "2", "--json").json
    assert shown == opened | {"record": []}


def test_show_goes_back_to_any_move(over: Pbem) -> None:
    """``1#1`` is the match after one move, whatever came later."""
    now, then = (over.done("show", which, "--json").json for which in ("1", "1#1"))
    assert (now["status"], now["ply"], [entry["text"] for entry in now["record"]]) == (
        "over",
        3,
        ["c3", "take", "resign"],
    )
    assert (then["status"], then["ply"], then["to_act"], then["winners"]) == ("running", 1, 1, None)
    assert [entry["text"] for entry in then["record"]] == ["c3"]
    assert "O" in over.done("show", "1#1").out
    assert "O" not in re.sub(r"[A-Z][a-z]+", "", over.done("show", "1#0").out.partition("\n\n")[2])
    over.refuses("show", "1#4", code=64, says="Match 1 has 3 moves so far, not 4")


def test_an_exported_record_verifies(over: Pbem) -> None:
    """What ``export`` writes, to a file or standard output, ``verify`` replays."""
    text = over.done("export", "1").out
    over.done("export", "1", "--output", "record.txt")
    assert (over.directory / "record.txt").read_text("utf-8") == text
    told = "zipline, 3 players, 3 entries: a win of seats 1 and 3 (Zip resigned). It replays.\n"
    assert over.done("verify", "record.txt").out == told
    assert over.done("verify", "-", stdin=text.encode()).out == told
    assert over.done("verify", "-", stdin=text.replace("\n", "\r\n").encode()).out == told


@pytest.mark.parametrize(
    ("change", "to", "says"),
    [
        ("c3", "c9", "at entry 1"),
        ("take", "c3", "at entry 2"),
        ("2   resign", "2   take", "at entry 3"),
        ("  2  seat 2", "  2  seat 3", "at entry 2"),
        ("  3  seat 2", "  4  seat 2", "Line 20 is numbered 4, but entry 3 comes next"),
        ("  3  seat 2", "  3  chair 2", "Line 20 cannot be read"),
        ("winners: 1 3", "winners: 2", "it announces a win of seat 2, but its moves lead to a win of seats 1 and 3"),
        ("winners: 1 3\n", "", "it announces no result yet, but its moves lead to a win of seats 1 and 3"),
        ("  3  seat 2   resign\n", "", "it announces a win of seats 1 and 3, but its moves lead to no result yet"),
        ("game: zipline", "game: chess", "is a record of “chess”, which is no game here"),
        ("seats: 3", "seats: 9", "players"),
        ("seats: 3", "seats: many", "Line 3 says “many”, which is no number of players"),
        ("option size: 5", "option size: 50", "“50” will not do for size"),
        ("option size: 5", "option colour: red", "no option “colour”"),
        ("pbem record 1", "pbem record 2", "Line 1 is not “pbem record 1”"),
        ("winners: 1 3", "winners: 1 3\nwinners: 2", "a second time"),
    ],
)
def test_a_record_that_was_tampered_with_does_not_verify(over: Pbem, change: str, to: str, says: str) -> None:
    """A changed move, a changed result or a broken line is found, and the sentence says which."""
    text = over.done("export", "1").out
    assert text.count(change) == 1
    over.refuses("verify", "-", code=65, says=says, stdin=text.replace(change, to).encode())


def test_a_wrong_roll_is_named_by_its_line(pbem: Pbem) -> None:
    """``pbem verify`` recomputes every roll from the record alone, and says which line is wrong."""
    (match,) = [json.loads(pbem.done("open", "pippip", "ann@example.org", "bob@example.org", "--json").out)]
    assert len(match["lots"]["commitment"]) == 64
    assert match["lots"]["secret"] is None
    first = int(pbem.done("outbound", "list", "--json", "--limit", "2").json[0]["id"])
    for number, (mail, body) in enumerate([(first - 1, "ready"), (first, "salt a pinch"), (0, "resign")], 20):
        newest = int(pbem.done("outbound", "list", "--json", "--limit", "1").json[0]["id"])
        message = pbem.answer(mail or newest, body, f"<{number}@example.org>")
        assert pbem.done("receive", "--json", stdin=message).lines[0]["status"] == "accepted"
    file = pbem.directory / "record.txt"
    pbem.done("export", str(match["id"]), "--output", str(file))
    record = file.read_text()
    assert "All 3 rolls follow from the secret" in pbem.done("verify", str(file)).out
    wrong = re.sub(r"(  3  lot      )(\d)", lambda lot: f"{lot[1]}{int(lot[2]) % 6 + 1}", record)
    file.write_text(wrong)
    line = next(number for number, text in enumerate(wrong.splitlines(), 1) if text.startswith("  3  lot"))
    pbem.refuses("verify", str(file), code=65, says=f"Line {line}, entry 3, is wrong: the lot “die” fell on")
    said = []
    for count in range(2, 14):  # the secret is drawn, and one other salt in twenty-four leads to the same three rolls
        file.write_text(record.replace("salt 2: a pinch", f"salt 2: {count} pinches"))
        said.append(pbem("verify", str(file)).err)
    assert any("is wrong: the lot" in line for line in said)
    file.write_text(re.sub(r"secret: .*\n", "", record))
    pbem.refuses("verify", str(file), code=65, says="not the secret")
