"""Players renamed, readdressed and merged on the command line: what is asked, printed, and refused in a sentence."""

import pytest

from tests.support.command_line import ANN, BOB, CARL, Pbem

PHONE = "ann@phone.example"


@pytest.fixture
def twofold(pbem: Pbem) -> Pbem:
    """Give a service in which Ann plays another match as Ann Two, number 4."""
    pbem.done("open", "pipline", f"Ann Two <{PHONE}>", "Dora <dora@d.example>")
    return pbem


def test_a_player_is_renamed(pbem: Pbem) -> None:
    """Lists show it at once; doing it again says so."""
    assert "is called Anna Lee now" in pbem.done("player", "rename", "ann", "Anna Lee").out
    again = pbem.done("player", "rename", "1", "Anna Lee", "--json").json
    assert again == {"id": 1, "before": "Anna Lee", "name": "Anna Lee"}
    assert "already" in pbem.done("player", "rename", ANN, "Anna Lee").out
    assert pbem.done("players", "--json").json[-1]["name"] == "Anna Lee"
    assert "Ann is called Anna Lee" in pbem.done("clock", "1").out


def test_addresses_are_changed(pbem: Pbem) -> None:
    """What waits goes to the new one; doing it again changes nothing."""
    arguments = ("player", "address", "bob", "--main", "Bob@New.example", "--remove", BOB)
    assert "1 email that waited goes there now." in pbem.done(*arguments).out
    assert "Nothing has changed." in pbem.done(*arguments).out
    done = pbem.done("player", "address", "bob", "--add", "bob@work.example", "--json").json
    assert (done["address"], done["added"], done["redirected"]) == ("bob@new.example", ["bob@work.example"], 0)
    listed = pbem.done("players", "--json").json[1]
    assert (listed["address"], listed["addresses"]) == ("bob@new.example", ["bob@new.example", "bob@work.example"])


def test_two_players_become_one(twofold: Pbem) -> None:
    """It has to be meant; done again it says that it is so."""
    twofold.refuses("player", "merge", "Ann Two", "Ann", code=64, says="say --yes")
    assert "is Ann, player 1, now, with match 2." in twofold.done("player", "merge", "Ann Two", "Ann", "--yes").out
    assert twofold.done("player", "merge", "4", "1", "--json").json == {"id": 1, "merged": 4, "matches": []}
    assert "one player already" in twofold.done("player", "merge", PHONE, ANN).out
    listed = twofold.done("players", "--json").json
    gone = [one for one in listed if not one["address"]]
    assert [(one["id"], one["merged_into"], one["forgotten"]) for one in gone] == [(4, 1, False)]
    assert "merged into 1" in twofold.done("players").out
    assert twofold.done("show", "2", "--json").json["seats"][0]["player"] == "Ann"
    assert "Ann Two turned out to be Ann" in twofold.done("clock", "2").out
    assert "damage" not in twofold("doctor").out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["rename", "zoe", "Zoe"], "Nobody here is “zoe”"),
        (["rename", "99", "Zoe"], "Nobody here is “99”"),
        (["rename", "ann", "Bob"], f"“Bob” is the name of {BOB}"),
        (["rename", "ann", "17"], "“17” is no name"),
        (["address", "ann"], "Say what is to change"),
        (["address", "ann", "--add", BOB], "“pbem player merge 2 1”"),
        (["address", "bob", "--remove", BOB], "has no other address"),
        (["merge", "Bob", "Ann", "--yes"], "have both had a seat in match 1"),
        (["merge", "Ann", "nobody@x.example", "--yes"], "Nobody here is “nobody@x.example”"),
        (["rename", "4", "Zoe"], "Player 4 is player 1 now"),
        (["address", "4", "--add", "x@x.example"], "Player 4 is player 1 now"),
        (["merge", "4", "Bob", "--yes"], "Player 4 is player 1 now"),
    ],
)
def test_what_cannot_be_done_is_told(twofold: Pbem, arguments: list[str], says: str) -> None:
    """One sentence, and nothing is changed."""
    twofold.done("player", "merge", "Ann Two", "Ann", "--yes")
    twofold.refuses("player", *arguments, code=64, says=says)


def test_a_forgotten_player_is_nobody_s(pbem: Pbem) -> None:
    """Neither named nor merged."""
    pbem.done("forget", CARL, "--yes")
    for arguments in (["rename", "3", "Zoe"], ["merge", "3", "1", "--yes"], ["address", "3", "--add", CARL]):
        pbem.refuses("player", *arguments, code=64, says="Player 3 was forgotten")


def test_what_cannot_be_is_not_asked_about(pbem: Pbem) -> None:
    """The reason comes before the question, and before it is said that nobody can be asked."""
    pbem.refuses("player", "merge", "Bob", "Ann", code=64, says="have both had a seat in match 1")


def test_what_a_merging_leads_to_is_told(twofold: Pbem) -> None:
    """Somebody who had unsubscribed gets email again."""
    twofold.done("block", PHONE)
    twofold.done("unblock", PHONE)
    told = twofold.done("player", "merge", "Ann Two", "Ann", "--yes").out
    assert "Ann Two had unsubscribed, and Ann has not" in told


def test_a_move_that_was_held_can_be_carried_out(pbem: Pbem) -> None:
    """It came from a new address, and whoever was asked about it reads the old one no more."""
    answer = pbem.answer(1, "c3").replace(ANN.encode(), b"ann@new.example")
    (held,) = pbem.done("receive", "--json", stdin=answer).lines
    assert held["reason"] == "unknown_address"
    assert (
        "“pbem inbound retry 1” carries that out."
        in pbem.done("player", "address", "ann", "--main", "ann@new.example").out
    )
    assert "accepted" in pbem.done("inbound", "retry", "1").out
    assert pbem.done("show", "1", "--json").json["ply"] == 1


def test_a_domain_in_other_letters_is_listed_as_it_is_read(pbem: Pbem) -> None:
    """With what it is in ASCII, by which programs know it; the player is found by either."""
    pbem.done("open", "zipline", "Zoe <zoe@b\u00fccher.example>", "bob@example.org")
    assert "zoe@b\u00fccher.example (xn--bcher-kva.example)" in pbem.done("players").out
    assert "zoe@xn--bcher-kva.example" in [one["address"] for one in pbem.done("players", "--json").json]
    for who in ("Zoe@B\u00dcCHER.example", "zoe@xn--bcher-kva.example"):
        pbem.done("player", "rename", who, f"Zoe {who[0]}")
