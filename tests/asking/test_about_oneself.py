"""What is about its writer counts wherever they write it: below a match, and in answer to a seat that they had."""

import pytest

from pbem.running.operator_rulings import seat_another
from pbem.storage.invitations import player_mark
from tests.support.club import PLAYERS, Club, told

ANN, DORA = "ann@a.example", "Dora Lee <dora@d.example>"


@pytest.mark.parametrize("line", ["block dora", "Block Dora", "block Dora Lee", "block dora@d.example", "unblock dora"])
def test_whoever_has_invited_somebody_can_be_kept_off_in_any_match(club: Club, line: str) -> None:
    """While the invitation waits, or a match of theirs was played, their name is known."""
    club.open()
    club.open(players=(DORA, PLAYERS[2]))
    club.reply(0, "new pipline ann@a.example", match=2)
    arrival = club.reply(0, line)
    assert (arrival.message.status, told(arrival)) == ("accepted", [("starting", None)])
    with club.service.database.reading() as tx:
        dora, ann = tx.players.find("dora@d.example"), tx.players.find(ANN)
        assert dora
        assert ann
        assert tx.invitations.refuses(ann.id, [player_mark(dora.id)]) == line.lower().startswith("block")


@pytest.mark.parametrize("line", ["block eve", "block d4", "block that", "block the centre"])
def test_a_name_that_nobody_knows_stays_talk(club: Club, line: str) -> None:
    """Nobody can try out which players there are."""
    club.open()
    club.open(players=("Eve <eve@e.example>", PLAYERS[2]))
    assert "starting" not in {kind for kind, _ in told(club.reply(0, f"c3\n{line}"))}


@pytest.mark.parametrize(("text", "kind"), [("export", "answer"), ("Export, please", "answer"), ("status", "status")])
def test_a_former_player_is_answered_about_themselves(club: Club, text: str, kind: str) -> None:
    """In reply to an email of the seat that somebody else has now: it goes to their own address."""
    club.open()
    old = club.newest(0)
    club.open(players=(PLAYERS[0], PLAYERS[2]))
    seat_another(club.service, 1, "ann", DORA)
    arrival = club.service.hand_in(club.answer(old, text))
    assert (arrival.message.status, [mail.kind for mail in arrival.outbound]) == ("accepted", [kind])
    assert {mail.recipient for mail in arrival.outbound} == {ANN}
    club.service.run_due()
    assert len(club.queued(kind="export")) == (kind == "answer")
    again = club.service.hand_in(club.answer(old, f"{text}!", Message_ID="<again@a.example>"))
    club.service.run_due()
    assert again.message.status == "accepted"
    assert len(club.queued(kind="export")) == (kind == "answer"), "once a day"


def test_who_forges_a_former_player_gets_nothing_of_theirs(club: Club) -> None:
    """The new player of the seat can’t have the export of the former one sent to themselves."""
    club.open()
    old = club.newest(0)
    seat_another(club.service, 1, "ann", DORA)
    club.service.hand_in(club.answer(old, "export", From=DORA, Reply_To="dora@d.example"))
    club.service.run_due()
    assert "ann@" not in str([mail.recipient for mail in club.queued(kind="export")])
