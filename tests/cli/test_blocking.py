"""Senders are blocked and let in again; a name that may be somebody else's is pointed out."""

import sqlite3
from contextlib import closing

import pytest

from tests.support.command_line import ANN, BOB, CARL, GAMES, Pbem
from tests.support.each import each


def test_a_player_is_blocked_and_unblocked(pbem: Pbem) -> None:
    """Their messages end, they get no email, lists show it, and who waits for them is named."""
    told = pbem.done("block", "Bob", "--note", "threats").out
    assert BOB in told
    assert "match 1" in told
    (listed,) = pbem.done("blocked", "--json").json
    assert (listed["id"], listed["players"], listed["note"]) == (BOB, ["Bob"], "threats")
    assert "threats" in pbem.done("blocked").out
    assert [one["blocked"] for one in pbem.done("players", "--json").json] == [False, True, False]
    assert "blocked" in pbem.done("players").out
    move = pbem.answer(1, "c3", "<1@example.org>")
    assert BOB not in pbem.done("receive", "--json", stdin=move).lines[0]["mails"]
    answer = pbem.answer(2, "take", "<2@example.org>")
    found = pbem.done("receive", "--json", stdin=answer).lines[0]
    assert (found["status"], found["reason"], found["mails"]) == ("discarded", "blocked", [])
    assert "“resume”" in pbem.done("unblock", "Bob").out
    assert pbem.done("blocked", "--json").json == []
    again = pbem.answer(2, "show", "<3@example.org>")
    assert pbem.done("receive", "--json", stdin=again).lines[0]["mails"] == [BOB]


def test_a_block_covers_the_whole_mailbox(pbem: Pbem) -> None:
    """It is kept without its subaddress; blocking it again says so."""
    assert "m@x.example is blocked:" in pbem.done("block", "M <m+games@x.example>").out
    assert "m@x.example is blocked already:" in pbem.done("block", "M@X.example").out
    assert [one["id"] for one in pbem.done("blocked", "--json").json] == ["m@x.example"]
    pbem.done("unblock", "m+other@x.example")


def test_a_domain_is_blocked(pbem: Pbem) -> None:
    """Then a single address of it cannot be let in."""
    pbem.done("block", "@X.example")
    pbem.refuses("unblock", "m@x.example", code=64, says="“pbem unblock @x.example”")
    pbem.done("unblock", "@x.example")


def test_a_player_with_another_address_is_not_silenced_unawares(pbem: Pbem) -> None:
    """The operator learns that they can still write from there, and how to end that."""
    from pbem.storage.database import Database

    database = Database(f"sqlite:///{pbem.directory / 'pbem.db'}")
    with database.transaction() as tx:
        player = tx.players.find(BOB)
        assert player is not None
        tx.players.add_address(player, "bob@phone.example")
    database.close()
    assert "bob@phone.example" in pbem.done("block", BOB).out
    assert [one["blocked"] for one in pbem.done("players", "--json").json] == [False, False, False]
    assert "gets no more email" in pbem.done("block", "bob").out
    assert [one["blocked"] for one in pbem.done("players", "--json").json] == [False, True, False]


@each(
    "arguments, says",
    [
        (["block", "Nobody"], "Nobody here is called “Nobody”"),
        (["block", "m@"], "is not an email address"),
        (["block", "@"], "is not an email address"),
        (["block", "@*.example"], "is not an email address"),
        (["block", GAMES], "the address of the service itself"),
        (["block", f"games+x@{GAMES.partition('@')[2]}"], "the address of the service itself"),
        (["block", "@example.org"], "the address of the service itself"),
        (["unblock", ANN], f"{ANN} is not blocked"),
        (["unblock", "Carl"], f"{CARL} is not blocked"),
    ],
)
def test_what_cannot_be_blocked_is_told(pbem: Pbem, arguments: list[str], says: str) -> None:
    """One sentence, and nothing is changed."""
    pbem.refuses(*arguments, code=64, says=says)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (f"Victim <{BOB}>", f"{BOB} is Bob here, so the match says Bob, not “Victim”."),
        ("Bob <evil@x.example>", f"Bob is {BOB}; the new player evil@x.example is called “Bob 2”."),
        ("bob@x.example", f"Bob is {BOB}; the new player bob@x.example is called “Bob 2”."),
        ("Воb <evil@x.example>", f"Bob is {BOB}; the new player evil@x.example is called “Воb”."),
        ("B o b <evil@x.example>", f"Bob is {BOB}; the new player evil@x.example is called “B o b”."),
    ],
)
def test_a_name_that_may_be_somebody_elses_is_pointed_out(pbem: Pbem, typed: str, says: str) -> None:
    """The match is open all the same; what it says stands on standard error, in JSON mode too."""
    for arguments in ([], ["--json"]):
        run = pbem("open", "pipline", ANN, typed, *arguments)
        assert (run.code, run.out[:1]) == (0, "{" if arguments else "M")
        if not arguments:
            assert run.err == f"pbem: {says}\n"


@pytest.mark.parametrize("typed", [BOB, "bob", f"BOB <{BOB}>", "Dora <dora@x.example>"])
def test_an_ordinary_opening_says_nothing_besides(pbem: Pbem, typed: str) -> None:
    """Known players, by name or address, and new names."""
    pbem.done("open", "pipline", ANN, typed)


def test_a_player_who_is_blocked_twice_is_not_called_free(pbem: Pbem) -> None:
    """With their domain let in, their own block is named, and what lifts it."""
    pbem.done("block", "m@x.example")
    pbem.done("open", "pipline", ANN, "Mo <mo@y.example>")
    pbem.done("block", "Mo")
    pbem.done("block", "@y.example")
    told = pbem.done("unblock", "@y.example").out
    assert "“pbem unblock mo@y.example”" in told
    assert "“resume”" not in told
    assert "“resume”" in pbem.done("unblock", "mo@y.example").out


def test_a_later_note_replaces_the_one_before(pbem: Pbem) -> None:
    """Without a note, blocking again leaves it as it is."""
    pbem.done("block", "m@x.example", "--note", "noise")
    pbem.done("block", "m@x.example", "--note", "threats")
    pbem.done("block", "m@x.example")
    assert [one["note"] for one in pbem.done("blocked", "--json").json] == ["threats"]


def test_a_stored_name_gives_the_terminal_no_orders(pbem: Pbem) -> None:
    """What it would obey is shown as unreadable instead."""
    with closing(sqlite3.connect(pbem.directory / "pbem.db")) as connection:
        connection.execute("UPDATE player SET name = ? WHERE name = 'Bob'", ("Bob\x1b[2J",))
        connection.commit()
    assert "\x1b" not in pbem.done("block", BOB).out
    told = pbem.done("unblock", BOB).out
    assert "Bob\ufffd[2J" in told
