"""What an operator sees of matches to be: open invitations and offers, and who may start matches."""

from tests.support.command_line import ANN, Pbem


def _write(pbem: Pbem, body: str, number: int) -> None:
    """Let Ann, whose turn it is, write in her match."""
    (found,) = pbem.done("receive", "--json", stdin=pbem.answer(1, body, f"<o{number}@example.org>")).lines
    assert found["status"] == "accepted", found


def test_open_invitations_and_offers_are_listed(pbem: Pbem) -> None:
    """With their guests, whose addresses are forgotten when they have ended."""
    assert "No invitations or offers." in pbem.done("offers").out
    _write(pbem, "new pipline zoe@z.example size=7\nseek pippip", 1)
    offered, invited = pbem.done("offers", "--json").json
    assert (invited["kind"], invited["game"], invited["options"]) == ("named", "pipline", {"size": "7"})
    assert invited["guests"][1] == {"who": "zoe@z.example", "status": "asked"}
    assert (offered["kind"], offered["inviter"]) == ("open", "Ann")
    table = pbem.done("offers").out
    assert "zoe@z.example (asked)" in table
    assert "anybody" in table
    _write(pbem, "cancel 1\nunseek", 2)
    assert pbem.done("offers", "--status", "open", "--json").json == []
    ended = pbem.done("offers", "--status", "cancelled", "--json").json
    assert [one["status"] for one in ended] == ["cancelled", "cancelled"]
    assert ended[1]["guests"][1]["who"] == ""


def test_the_operator_forgets_a_stranger_who_was_invited(pbem: Pbem) -> None:
    """Their address is in no invitation any more."""
    _write(pbem, "new pipline zoe@z.example size=7", 1)
    pbem.done("forget", "zoe@z.example", "--yes")
    assert "zoe@z.example" not in pbem.done("offers", "--json").out


def test_show_says_who_was_offered_a_seat(pbem: Pbem) -> None:
    """With the address of a stranger while they can answer, in a line and as JSON."""
    _write(pbem, "c3\nstandin zoe@z.example for 3 days", 1)
    (offer,) = pbem.done("show", "1", "--json").json["seat_offers"]
    assert (offer["to"], offer["address"], offer["status"]) == (None, "zoe@z.example", "asked")
    assert "is offered to zoe@z.example until" in pbem.done("show", "1").out
    pbem.done("forget", "zoe@z.example", "--yes")
    assert "zoe@z.example" not in pbem.done("show", "1").out + pbem.done("show", "1", "--json").out


def test_doctor_says_who_may_start_matches(pbem: Pbem) -> None:
    """As the settings have it."""
    told = {one["check"]: one for one in pbem("doctor", "--json").json}
    assert "invited" in told["settings"]["told"]
    assert ANN not in told["settings"]["told"]
