"""Who may write: reply tokens, addresses, and how often strangers and machines are answered."""

import re
from datetime import timedelta

import pytest

from pbem.asking.limits import SILENT
from tests.support.club import ADDRESS, PLAYERS, Club
from tests.support.each import each
from tests.support.mails import message, text_of


def test_a_reply_token_from_a_wrong_address_does_nothing(club: Club) -> None:
    """Whoever gets hold of a reply token cannot write in the player's name."""
    club.open()
    forged = club.reply(0, "c3", From="Mallory <mallory@m.example>")
    assert (forged.message.status, forged.message.reason) == ("rejected", "unknown_address")
    assert [mail.recipient for mail in forged.outbound] == ["ann@a.example"]
    other = club.reply(0, "c3", From="bob@b.example")
    assert (other.message.commands, [mail.recipient for mail in other.outbound]) == (("show 1",), ["bob@b.example"])
    assert club.moves() == []


def test_a_forged_reply_token_does_nothing(club: Club) -> None:
    """A reply token that we did not sign leads to no match: its sender is told which matches they play in."""
    club.open()
    arrival = club.reply(0, "c3", To=f"games+1.0.0.{'a' * 10}@play.example", In_Reply_To="", References="")
    assert (arrival.message.status, arrival.message.reason) == ("rejected", "unknown_match")
    assert club.moves() == []


def test_a_player_without_a_reply_token_learns_their_matches(club: Club) -> None:
    """The running matches are listed, three times a day; then the message says why not. Nothing of it is quoted."""
    club.open()
    club.open("zipline", PLAYERS)
    club.open()
    club.reply(1, "resign", match=3)
    raw = message("c3", From="ann@a.example", To=ADDRESS, Subject="my move")
    arrival = club.service.hand_in(raw)
    assert arrival.message.code == "unknown_match"
    text = text_of(club.mail(arrival.outbound[0]))
    assert re.findall(r"^- Match (\d+), (\w+) ", text, re.MULTILINE) == [("1", "Pipline"), ("2", "Zipline")]
    assert "my move" not in text
    assert str(club.mail(arrival.outbound[0])["To"]) == PLAYERS[0]
    again = [club.service.hand_in(raw + b"again\n" * count) for count in range(1, 4)]
    assert [len(one.outbound) for one in again] == [1, 1, 0]
    assert again[-1].message.detail == SILENT


def test_a_stranger_gets_one_answer_a_month(club: Club) -> None:
    """Not more, so that no machine is fed, and nobody who is only said to have written; and nobody else does."""
    answers = []
    for number in range(4):
        raw = message("hello", From="x@y.example", Reply_To="z@z.example", Message_ID=f"<{number}@y.example>")
        answers.append([mail.recipient for mail in club.service.hand_in(raw).outbound])
        club.clock.advance(timedelta(days=11))
    assert answers == [["x@y.example"], [], [], ["x@y.example"]]


def test_all_strangers_together_get_fifty_answers_a_day(club: Club) -> None:
    """Whoever invents addresses does not make us write to all of them."""
    raw = [message("hello", From=f"victim{number}@v.example", To=ADDRESS) for number in range(60)]
    assert sum(len(club.service.hand_in(one).outbound) for one in raw) == 50


def test_a_player_gets_ten_answers_of_a_kind_a_day(club: Club) -> None:
    """A machine that answers our answers comes to an end."""
    club.open()
    assert sum(len(club.reply(0, "What?  " * 9).outbound) for _ in range(15)) == 10
    club.clock.advance(timedelta(days=1, seconds=1))
    assert len(club.reply(0, "What now? I do not know").outbound) == 1


def test_an_address_is_compared_without_case(club: Club) -> None:
    """Addresses are compared in lower case, and found inside any name."""
    club.open()
    assert club.reply(0, "c3", From='"Lee, Ann (bob@b.example)" <ANN@A.Example>').message.status == "accepted"


@pytest.mark.parametrize(
    "sender",
    ["", "Ann", "ann@a.example, bob@b.example", "änn@a.example", "ann@a.example\nFrom: bob@b.example", "(" * 20_000],
)
def test_a_message_without_one_sender_is_discarded(club: Club, sender: str) -> None:
    """Exactly one address that email can be sent to: anything else is nobody."""
    club.open()
    arrival = club.reply(0, "c3", From=sender)
    assert (arrival.message.status, arrival.outbound) == ("discarded", ())


def test_a_player_is_one_person_under_every_form_of_their_address(club: Club) -> None:
    """Email goes to a form that every server takes, and what comes from any form is theirs."""
    club.open("zipline", ("Ann <a..b@DoCoMo.example>", "Bob <bob@b\u00fccher.example>", PLAYERS[2]), size=9)
    mains = ['"a..b"@docomo.example', "bob@xn--bcher-kva.example"]
    assert [player.email for player in club.match().players[:2]] == mains
    with club.service.database.reading() as tx:
        written = [tx.outbound.raw(number) for number in (1, 2)]
    assert [re.findall(rb"^To: .*<(.*)>\r$", raw, re.MULTILINE) for raw in written] == [
        [main.encode()] for main in mains
    ]
    for seat, sender in enumerate(("A..B@docomo.example", '"a.\\.b"@docomo.example', "Bob <Bob@B\u00dcCHER.example>")):
        assert club.reply(min(seat, 1) if seat != 1 else 0, "status", From=sender).message.status == "accepted"
    assert {mail.recipient for mail in club.queued(kind="status")} == set(mains)


@pytest.mark.parametrize("sender", ["bob@b\u0443cher.example", "bob@bucher.example", "b\u043eb@b\u00fccher.example"])
def test_a_stranger_with_a_look_alike_has_no_seat_of_theirs(club: Club, sender: str) -> None:
    """Though they got hold of a reply token."""
    club.open(players=(PLAYERS[0], "Bob <bob@b\u00fccher.example>"))
    assert club.reply(1, "resign", From=sender).message.status in ("rejected", "discarded")
    assert club.match().outcome is None


@each(
    "line, asked",
    [
        ("address a..b@docomo.example", '"a..b"@docomo.example'),
        ('address <"C..D"@docomo.example>', '"c..d"@docomo.example'),
        ("address eve@B\u00fccher.example", "eve@xn--bcher-kva.example"),
        ("new pipline .ab@docomo.example size=5", '".ab"@docomo.example'),
        ('new pipline "e..f"@docomo.example size=5', '"e..f"@docomo.example'),
        ("new pipline Eve <g.@docomo.example> size=5", '"g."@docomo.example'),
        ("new pipline eva@b\u00fccher.example size=5", "eva@xn--bcher-kva.example"),
    ],
)
def test_an_address_that_exists_is_understood_in_a_command(club: Club, line: str, asked: str) -> None:
    """And email goes there."""
    if not club.queued():
        club.open()
    arrival = club.reply(0, line)
    assert arrival.message.status == "accepted"
    assert asked in [mail.recipient for mail in arrival.outbound]


def test_letters_before_the_sign_are_refused_in_a_command(club: Club) -> None:
    """The address is quoted, and nobody is written to but the sender."""
    club.open()
    for line in ("address m\u00fcller@a.example", "new pipline m\u00fcller@a.example"):
        arrival = club.reply(0, line)
        assert [mail.recipient for mail in arrival.outbound] == ["ann@a.example"]
        assert "m\u00fcller@a.example" in text_of(club.mail(arrival.outbound[0]))
