"""Many matches opened from a table: every spreadsheet's way of writing it, and nothing unless all of it is right."""

import pytest

from tests.support.command_line import ANN, BOB, CARL, Pbem
from tests.support.each import each

TABLE = (
    "game,player,player,player,size,private\n"
    f"zipline,Ann <{ANN}>,Bob,Zoe <zoe@z.example>,9,\n"
    "pipline,zoe@z.example,Ann,,,yes\n"
)


def write(pbem: Pbem, table: str | bytes) -> tuple[str, str, str]:
    """Write a table into a file, and return the words that open it."""
    (pbem.directory / "t.csv").write_bytes(table if isinstance(table, bytes) else table.encode())
    return "open", "--csv", "t.csv"


def opened(pbem: Pbem) -> list[tuple[str, list[str]]]:
    """Return the matches that there are beside the first: game and players."""
    matches = reversed(pbem.done("matches", "--json").json[:-1])
    return [(one["game"], [seat["player"] for seat in one["seats"]]) for one in matches]


def test_all_matches_of_a_table_are_opened(pbem: Pbem) -> None:
    """Whom an earlier line introduces, a later one knows; empty cells say nothing."""
    found = pbem.done(*write(pbem, TABLE), "--yes", "--json").json
    assert [(one["id"], one["game"], one["private"]) for one in found] == [(2, "zipline", False), (3, "pipline", True)]
    assert [one["options"]["size"] for one in found] == [9, 13]
    assert opened(pbem) == [("zipline", ["Ann", "Bob", "Zoe"]), ("pipline", ["Zoe", "Ann"])]


def test_the_amount_of_mail_is_told_before(pbem: Pbem) -> None:
    """And who gets most of it; ``--dry-run`` and a terminal without anybody open nothing."""
    before = pbem.state()
    told = "2 matches, 5 emails to 3 players; Ann gets 2 of them, one for each match to answer.\n"
    assert pbem.done(*write(pbem, TABLE), "--dry-run").out.endswith(told)
    lines = pbem.done("open", "--csv", "t.csv", "--dry-run", "--json").json
    assert [(one["line"], one["game"], one["players"]) for one in lines] == [
        (2, "zipline", ["Ann", "Bob", "Zoe"]),
        (3, "pipline", ["Zoe", "Ann"]),
    ]
    run = pbem("open", "--csv", "t.csv")
    assert (run.code, "say --yes to open 2 matches" in run.err) == (64, True)
    (pbem.directory / "t.csv").unlink()
    assert pbem.state() == before


def test_the_same_table_twice_opens_nothing_twice(pbem: Pbem) -> None:
    """Unless that is said; and two lines of one table are the same by mistake, too."""
    pbem.done(*write(pbem, TABLE), "--yes")
    run = pbem("open", "--csv", "t.csv", "--yes")
    assert (run.code, run.out) == (65, "")
    assert "Line 2, “zipline, Ann <ann@example.org>, Bob, Zoe <zoe@z.example>”: match 2 is the same" in run.err
    assert "2 lines are wrong in t.csv: nothing was opened." in run.err
    pbem.done("open", "--csv", "t.csv", "--yes", "--again")
    assert len(opened(pbem)) == 4
    run = pbem(*write(pbem, "game,player,player\npipline,Bob,Carl\npipline,Carl,Bob\npipline,bob,CARL\n"), "--yes")
    assert "Line 4, “pipline, bob, CARL”: line 2 is the same" in run.err


@pytest.mark.parametrize(
    "table",
    [
        TABLE.replace("Zoe <", "Zoë <").encode(),
        b"\xef\xbb\xbf" + TABLE.replace(",", ";").replace("Zoe <", "Zoë <").replace("\n", "\r\n").encode(),
        TABLE.replace(",", "\t").replace("Zoe <", "Zoë <").encode("utf-16"),
        TABLE.replace(",", ";").replace("Zoe <", "Zoë <").encode("cp1252"),
        ("sep=;\r\n" + TABLE.replace(",", ";").replace("Zoe <", "Zoë <").replace("\n", "\r\n")).encode(),
        ("\n" + TABLE.replace("game,player,player,player", "Game,Player 1,Player 2,PLAYER_3")).encode(),
        TABLE.replace("Bob,", '"Bob",').replace(f"Ann <{ANN}>", f'"Ann <{ANN}>"').replace("\n", "\n,,,,,\n").encode(),
        TABLE.replace("\n", "\r").encode(),
        TABLE.rstrip("\n").encode(),
        TABLE.replace("size", "options").replace(",9,", ',"size=9; days=3",').encode(),
    ],
    ids=["utf-8", "excel", "unicode text", "windows", "sep", "names", "quoted", "old mac", "no end", "options"],
)
def test_what_spreadsheets_write_is_read(pbem: Pbem, table: bytes) -> None:
    """Separators, encodings, marks, line ends, quotation marks."""
    found = pbem(*write(pbem, table), "--yes", "--json")
    assert found.code == 0, found.err
    names = [[seat["player"] for seat in one["seats"]] for one in found.json]
    assert [len(players) for players in names] == [3, 2]
    assert names[0][2] in ("Zoë", "Zoe")
    assert found.json[0]["options"]["size"] == 9


def test_every_wrong_line_is_quoted_with_its_number(pbem: Pbem) -> None:
    """And with what would be right; then no line is opened."""
    table = (
        "game;player;player;size;private\n"
        "pipline;Ann;Bob;9;\n"
        "nosuch;Ann;Bob;;\n"
        ";Ann;Bob;;\n"
        "pipline;Ann;;;\n"
        "pipline;Ann;Nobody;;\n"
        "pipline;Ann;ann;;\n"
        "pipline;Ann;bob@;;\n"
        "pipline;Bob;Ann;900;\n"
        "pipline;Bob;Ann;9;perhaps\n"
        'pipline;"Bob";Ann;9;;too;many\n'
    )
    before = pbem.state()
    run = pbem(*write(pbem, table), "--yes")
    (pbem.directory / "t.csv").unlink()
    assert (run.code, run.out, pbem.state()) == (65, "", before)
    *lines, last = run.err.splitlines()
    says = {
        3: "There is no game “nosuch”",
        4: "it names no game",
        5: "is for 2 players, not 1",
        6: "Nobody here is called “Nobody”",
        7: "is named twice",
        8: "“bob@” is not an email address",
        9: "from 5 to 19, not “900”",
        10: "“perhaps” says nothing about being private",
        11: "it has 7 cells, and the first line names 5 columns",
    }
    assert last == "pbem: 9 lines are wrong in t.csv: nothing was opened."
    for number, sentence in says.items():
        assert any(line.startswith(f"pbem: Line {number}, “") and sentence in line for line in lines), (number, lines)


@each(
    "table, says",
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("game,player,player\n", "has no match"),
        ("pipline,Ann,Bob\n", "names a column “pipline”"),
        ("game,player,player,colour\npipline,Ann,Bob,red\n", "names a column “colour”"),
        ("game,size\npipline,9\n", "names no column “player”"),
        ("player,player\nAnn,Bob\n", "names no column “game”"),
        ("game,player,player,size,size\npipline,Ann,Bob,9,9\n", "names the column “size” twice"),
        ('game,player,player\npipline,"Ann,Bob\n', "Line 2 of t.csv is no line of a table"),
        ("game,player,player\n" + "pipline,Ann,Bob\n" * 201, "200 are the most"),
        (b"PK\x03\x04\x00\x00", "is no text"),
        (b"\xff\xfe\x00\xd8", "is no text"),
    ],
)
def test_what_is_no_table_is_told(pbem: Pbem, table: str | bytes, says: str) -> None:
    """One sentence, and nothing is opened."""
    pbem.refuses(*write(pbem, table), "--yes", code=65, says=says)


@each(
    "arguments, says",
    [
        (["open", "pipline", ANN, BOB, "--csv", "t.csv"], "the table says which games"),
        (["open", "--csv", "t.csv", "--private"], "the table says which games"),
        (["open", "pipline", ANN, BOB, "--yes"], "go with --csv"),
    ],
)
def test_a_match_and_a_table_are_two_things(pbem: Pbem, arguments: list[str], says: str) -> None:
    """Whoever gives both is asked which one is meant."""
    pbem.refuses(*arguments, code=64, says=says)


def test_names_that_may_be_somebody_else_s_are_pointed_out(pbem: Pbem) -> None:
    """As for a single match, before anything is opened."""
    table = "game,player,player\npipline,Ann,Bоb <b@x.example>\n"
    run = pbem(*write(pbem, table), "--dry-run")
    assert run.code == 0
    assert f"Bob is {BOB}; the new player b@x.example is called “Bоb”." in run.err
    assert CARL not in run.out
