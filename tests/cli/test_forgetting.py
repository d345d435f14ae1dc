"""The operator has a player forgotten, and is asked first."""

from tests.support.command_line import BOB, Pbem
from tests.support.mails import message


def test_a_player_is_forgotten(pbem: Pbem) -> None:
    """Their matches end, lists have no address of theirs, and there is nobody of that name any more."""
    done = pbem.done("forget", f"Bob <{BOB}>", "--yes", "--json").json
    assert done == {"id": 2, "left": [1], "blocked": []}
    listed = pbem.done("players", "--json").json[1]
    assert (listed["address"], listed["addresses"], listed["forgotten"], listed["blocked"]) == ("", [], True, False)
    for command in (["players"], ["matches"], ["show", "1"], ["show", "1", "--json"], ["export", "1"]):
        run = pbem.done(*command)
        assert BOB not in run.out
        assert "Bob" not in run.out
    pbem.refuses("forget", "bob", "--yes", code=64, says="Nobody here is “bob”")


def test_nobody_is_forgotten_unless_it_is_meant(pbem: Pbem) -> None:
    """Where nobody can be asked it has to be said; and it has to be somebody."""
    pbem.refuses("forget", BOB, code=64, says="say --yes")
    pbem.refuses("forget", "dora@d.example", "--yes", code=64, says="lists them")
    assert not any(one["forgotten"] for one in pbem.done("players", "--json").json)


def test_a_blocked_player_stays_blocked(pbem: Pbem) -> None:
    """Else it would be a way back in; the operator is told how to erase that too."""
    pbem.done("block", BOB)
    assert f"“pbem unblock {BOB}”" in pbem.done("forget", BOB, "--yes").out
    assert [one["id"] for one in pbem.done("blocked", "--json").json] == [BOB]


def test_no_email_of_theirs_is_sent_again(pbem: Pbem) -> None:
    """There is nobody to get it, and nothing of it is left; “pbem doctor” finds no fault in that."""
    numbers = [one["id"] for one in pbem.done("outbound", "list", "--json").json if one["to"] == BOB]
    pbem.done("forget", BOB, "--yes")
    emails = {one["id"]: one for one in pbem.done("outbound", "list", "--json").json}
    assert numbers
    for number in numbers:
        assert (emails[number]["to"], emails[number]["subject"], emails[number]["status"]) == ("", "", "refused")
        pbem.refuses("outbound", "retry", str(number), code=64, says="forgotten")
    assert "cannot be sent" not in pbem("doctor").out


def test_an_address_that_only_wrote_is_forgotten(pbem: Pbem) -> None:
    """Whoever follows a match, or asked what this is, is no player, and is forgotten all the same; once."""
    pbem.done("receive", stdin=message("What is this?", From="Zoe <zoe@z.example>"))
    assert "zoe@z.example" in pbem.done("inbound", "list").out
    pbem.refuses("forget", "zoe@z.example", code=64, says="say --yes")
    done = pbem.done("forget", "Zoe@z.example", "--yes", "--json").json
    assert done == {"id": None, "left": [], "blocked": []}
    for command in (["inbound", "list"], ["outbound", "list"], ["players"]):
        assert "z.example" not in pbem.done(*command).out
    pbem.refuses("forget", "zoe@z.example", "--yes", code=64, says="Nobody here is")
