"""Replies to emails about several matches: every line is done, passed on, or told."""

from email.message import EmailMessage

import pytest

from tests.support.clocks import opened
from tests.support.club import PLAYERS, Club
from tests.support.laid import After
from tests.support.mails import text_of

ANN = "ann@a.example"


def _listed(club: Club) -> None:
    for _ in range(2):
        opened(club, "c3", "b2")
    club.write("status", ANN)


@pytest.fixture
def listed(after: After) -> Club:
    """A club in which Ann is to move in two matches, and has just got the list of them."""
    return after(_listed)


def receipt_of(club: Club, text: str) -> tuple[tuple[str, ...], str]:
    """Answer the list; return what was carried out, and the receipt on one line."""
    arrival = club.answer_kind("status", -1, text)
    receipts = [text_of(club.mail(mail)) for mail in arrival.outbound if mail.kind == "digest_done"]
    return arrival.message.commands, " ".join(" ".join(receipts).split())


@pytest.mark.parametrize(
    ("text", "done", "named"),
    [
        ("in match 2 I play d4.\nWelcome, Eve!\n\n1: e5 - and thanks", ("1 e5", "2 d4"), ["“I play d4.” is done"]),
        ("Hi Bob,\n\n1 d4\n2 e5", ("1 d4", "2 e5"), ["I’ve done all of that", "“Hi Bob,” went to nobody"]),
        ("Nice weather today, isn’t it?\n1 d4", ("1 d4",), ["some of that", "“Nice weather today, isn’t it?” went to"]),
        ("d4 in the first one\n2 e5", ("2 e5",), ["“d4 in the first one” isn’t done"]),
        ("1 e5\nd4 against Bob", ("1 e5",), ["“d4 against Bob” isn’t done"]),
        ("draw\n1 d4", ("1 d4",), ["“draw” isn’t done"]),
        ("say: hello\n2 d4", ("2 d4",), ["“say: hello” went to nobody"]),
        ("Hi,\nd4 e5\nso much\n2 d4", ("2 d4",), ["“d4 e5” isn’t done", "“Hi,”, “so much” went to nobody"]),
        ("d4\ne5\n\nAnn", (), ["“d4” isn’t done", "“e5” isn’t done", "“Ann” went to nobody"]),
        ("1) d4 2) e5", (), ["“1) d4 2) e5” isn’t done"]),
        ("match 7: d4\n1 d4", ("1 d4",), ["“match 7: d4” isn’t done"]),
        ("1 d4\nNice to play with you", ("1 d4",), ["I’ve done all of that"]),
        ("thanks!", (), ["I couldn’t do any of that", "“thanks!” went to nobody"]),
    ],
)
def test_every_line_is_done_or_passed_on_or_named(
    listed: Club, text: str, done: tuple[str, ...], named: list[str]
) -> None:
    """No word of an answer goes missing in silence."""
    commands, receipt = receipt_of(listed, text)
    assert commands == done
    assert all(one in receipt for one in named), receipt


def test_a_line_for_a_turn_that_is_over_plays_nothing_and_shows_the_board(listed: Club) -> None:
    """Nobody plays onto another position than the one that they know; in the other match nothing has happened."""
    listed.reply(0, "d4", match=1), listed.reply(1, "e5", match=1)
    commands, receipt = receipt_of(listed, "1 a1\n2 a1")
    assert commands == ("2 a1",)
    assert listed.moves(1) == ["c3", "b2", "d4", "e5"]
    assert "“a1” isn’t done. The match has gone on since that email. It’s your turn." in receipt
    assert "5 . . . . (X) 5" in receipt


def test_attack_the_list_of_somebody_else_plays_nothing(listed: Club) -> None:
    """Whoever found it, and writes from their own address; nor with matches in its Message-ID that are others'."""
    mail = listed.mail(listed.queued(kind="status")[-1])
    assert listed.service.hand_in(listed.answer(mail, "1 d4", From=PLAYERS[1])).message.status != "accepted"
    listed.write("status", "bob@b.example")
    of_bob = listed.mail(listed.queued(kind="status")[-1])
    mixed = listed.answer(of_bob, "1 d4\n2 d4", In_Reply_To=_mixed(of_bob, mail), References="")
    assert listed.service.hand_in(mixed).message.commands == ()
    assert listed.moves(1) == listed.moves(2) == ["c3", "b2"]


def _mixed(own: EmailMessage, other: EmailMessage) -> str:
    """Return the Message-ID of an email with the matches of another one in it."""
    return f"{str(own['Message-ID']).partition('_')[0]}_{str(other['Message-ID']).partition('_')[2]}"


def test_attack_a_made_up_turn_in_a_message_id_is_none(listed: Club) -> None:
    """An old list plays nothing, though its numbers were changed into those of today."""
    mail = listed.mail(listed.queued(kind="status")[-1])
    listed.reply(0, "d4", match=1), listed.reply(1, "e5", match=1)
    forged = str(mail["Message-ID"]).replace("_1.2.0.", "_1.4.0.")
    assert forged != str(mail["Message-ID"])
    answered = listed.answer(mail, "1 a1", In_Reply_To=forged, References="")
    assert listed.service.hand_in(answered).message.status == "rejected"
    assert listed.moves(1) == ["c3", "b2", "d4", "e5"]
