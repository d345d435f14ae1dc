"""Matches are opened, shown, exported and verified."""

from pathlib import Path

import pytest

from pbem.robots import compiled, thinking
from tests.support.command_line import ANN, BOB, CARL, GAMES, Pbem
from tests.support.each import each


@each(
    "arguments, says",
    [
        (["chess", ANN, BOB], "There is no game “chess”; choose one of pipline, zipline"),
        (["zipline", ANN], "2 or 3 players, not 1"),
        (["pipline", ANN, BOB, CARL], "2 players, not 3"),
        (["zipline", ANN, BOB, CARL, "dora@example.org"], "2 or 3 players, not 4"),
        (["zipline", ANN, BOB, "-o", "size=4"], "option size is a whole number from 5 to 19, not “4”"),
        (["zipline", ANN, BOB, "-o", "size=20"], "from 5 to 19, not “20”"),
        (["zipline", ANN, BOB, "-o", "size=big"], "from 5 to 19, not “big”"),
        (["zipline", ANN, BOB, "-o", "size="], "from 5 to 19, not “”"),
        (["zipline", ANN, BOB, "size=4"], "option size is a whole number from 5 to 19, not “4”"),
        (["zipline", ANN, BOB, "dayz=3"], "no option “dayz”; its options are size, "),
        (["zipline", ANN, "a=b@"], "“a=b@” is not an email address"),
        (["zipline", ANN, BOB, "-o", "colour=red"], "no option “colour”; its options are size, "),
        (["pipline", ANN, BOB, "-o", "freestyle=yes"], "no option “freestyle”"),
        (["zipline", ANN, BOB, "-o", "size"], "“size” is not an option: write name=value"),
        (["zipline", ANN, BOB, "-o", "=9"], "“=9” is not an option"),
        (["zipline", ANN, "bob@"], "“bob@” is not an email address; one looks like ann@example.org"),
        (["zipline", ANN, "Bob <bob>"], "Nobody here is called “Bob <bob>”"),
        (["zipline", ANN, "bob@example.org, carl@example.org"], "is not an email address"),
        (["zipline", ANN, "bob@exam\nple.org"], "is not an email address"),
        (["zipline", ANN, "Bób@example.org"], "“Bób@example.org” can’t be written to: before the @"),
        (["zipline", ANN, f"x@y <{BOB}>"], "“x@y” is not a name"),
        (["zipline", ANN, "Dora"], "Nobody here is called “Dora”; give an address"),
        (["zipline", ANN, ""], "Nobody here is called “”"),
        (["zipline", ANN, ANN], f"Ann ({ANN}) is named twice"),
        (["zipline", ANN, BOB, "ann"], f"Ann ({ANN}) is named twice"),
        (["zipline", "new@example.org", "New <NEW@example.org>"], "(new@example.org) is named twice"),
        (["zipline", ANN, GAMES], "is the address of this service itself"),
        (["zipline", ANN, f"Games <{GAMES.upper()}>"], "is the address of this service itself"),
        (["zipline", ANN, "games+1.0.0.abc@example.org"], "is the address of this service itself"),
        (["zipline", ANN, "\udcff\udcfe@example.org"], "is not UTF-8 text"),
    ],
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
    opened = pbem.done("open", "pipline", "ann", "Dora Müller <dora@example.org>", "size=7", "--json").json
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
    assert pbem.done("matches", "--json").json[0] == opened
    shown = pbem.done("show", "2", "--json").json
    assert shown == opened | {"record": [], "plans": 0, "seat_offers": [], "seconds": []}


def test_a_match_tells_of_its_time(pbem: Pbem) -> None:
    """Since when it is whose turn, until when, and why there is no end yet; before its email is sent there is none."""
    opened = pbem.done(
        "open", "pipline", "ann", "dora@example.org", "-o", "bank=20d+1d", "-o", "flag=forfeit", "--json"
    ).json
    assert opened["time_control"] == "bank=20d+1d max=20d flag=forfeit"
    assert (opened["to_move_since"], opened["deadline"], opened["halted"]) == (opened["opened_at"], None, "unsent")
    assert (opened["flagged_at"], opened["paused_until"]) == (None, None)
    timeless = pbem.done("open", "pipline", "ann", "dora@example.org", "-o", "days=none", "--json").json
    assert (timeless["time_control"], timeless["halted"]) == ("days=none", None)
    assert timeless["to_move_since"] == timeless["opened_at"]


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
    drawn = {which: over.done("show", which).out.partition("\n\n")[2].partition("\n\n")[0] for which in ("1#0", "1#1")}
    assert [board.count("O") + board.count("X") for board in drawn.values()] == [0, 1]
    over.refuses("show", "1#4", code=64, says="Match 1 has 3 moves so far, not 4")


def test_the_operator_hides_a_match_and_shows_it_again(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its page moves, the command says where to, lists say what it is, and its record can be had as before."""
    monkeypatch.setenv("PBEM_ARCHIVE_URL", "https://games.example")
    directory = pbem.directory / "archive"
    record = pbem.done("export", "1").out
    pbem.done("archive")
    assert [match["private"] for match in pbem.done("matches", "--json").json] == [False]
    hidden = pbem.done("private", "1", "--json").json
    assert (hidden["id"], hidden["private"]) == (1, True)
    assert "private" in pbem.done("matches").out
    assert pbem.done("show", "1", "--json").json["private"] is True
    pbem.done("archive")
    assert not list(directory.glob("matches/[0-9]*"))
    own = directory / hidden["page"].removeprefix("https://games.example/")
    assert own.parent.name == "private"
    assert own.is_file()
    assert pbem.done("export", "1").out == record
    assert own.name in pbem.done("private", "1").out
    shown = pbem.done("private", "1", "--undo").out
    assert "https://games.example/matches/1.html" in shown
    pbem.done("archive")
    assert not own.exists()
    assert (directory / "matches" / "1.html").is_file()
    assert pbem.done("private", "1", "--undo").out == shown
    pbem.refuses("private", "9", code=64, says="There is no match 9")


def test_a_match_is_private_from_its_beginning(pbem: Pbem) -> None:
    """Nothing of it is ever where anybody could find it; without an address of the archive its page is a file."""
    opened = pbem.done("open", "pipline", ANN, "zoe@z.example", "--private", "--json").json
    assert opened["private"] is True
    pbem.done("archive")
    assert "Zoe" not in "".join(
        path.read_text("utf-8")
        for path in (pbem.directory / "archive").rglob("[!.]*.html")
        if path.parent.name != "private"
    )
    page = pbem.done("private", "2", "--json").json["page"]
    assert "Zoe" in Path(page).read_text("utf-8")


def test_the_operator_sees_how_many_plans_are_kept_and_none_of_them(pbem: Pbem) -> None:
    """What a player plans is nobody else's, the operator's neither."""
    written = pbem.answer(1, "d4\nif take, e5 then resign", "<plan@example.org>")
    (found,) = pbem.done("receive", "--json", stdin=written).lines
    assert found["status"] == "accepted", found
    shown = pbem.done("show", "1")
    assert "Plans kept by its players: 1." in shown.out
    assert "take" not in shown.out.rpartition("\n\n")[2]
    assert pbem.done("show", "1", "--json").json["plans"] == 1


@each("fast, told", [(False, "about 40 seconds for its first move"), (True, "")])
def test_an_operator_is_told_that_robots_think_long(
    pbem: Pbem, monkeypatch: pytest.MonkeyPatch, fast: bool, told: str
) -> None:
    """Where nothing is compiled, by the strongest of the match; one of strength 1 makes nobody wait."""
    monkeypatch.setattr(compiled, "FAST", fast)
    monkeypatch.setattr(thinking, "measure_pace", lambda *match: thinking.Pace("plain", (9.0, 40.0, 400.0)))
    assert told in pbem("open", "zipline", ANN, "robot:2").err
    assert pbem("open", "zipline", ANN, "robot:1").err == ""
