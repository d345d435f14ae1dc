"""Replies that quote: only what is new is carried out, and nothing private gets out."""

from pbem.mail.html_text import html_to_text
from tests.support.club import PLAYERS, Club
from tests.support.mails import html_of, text_of


def test_an_unmarked_quotation_is_left_out(club: Club) -> None:
    """A email program that quotes without a mark passes nothing on, least of all what was for a partner alone."""
    club.open("zipline", PLAYERS)
    club.reply(0, "c3")
    club.reply(1, "take")
    club.reply(2, "a1\nteam: SECRET plan, let us block him on the left side")
    mail = club.newest(0)
    for quoted in (text_of(mail), html_to_text(html_of(mail)), html_to_text(html_of(mail)).replace(" ", "\n")):
        arrival = club.service.hand_in(club.answer(mail, f"say: ok\n\nAm 20.11.2026 schrieb pbem:\n\n{quoted}"))
        assert arrival.message.commands == ("say: ok",)
        assert arrival.message.detail == ""
    arrival = club.service.hand_in(club.answer(mail, f"a2\n\n{text_of(mail)}"))
    assert arrival.message.commands == ("a2",)
    assert {comment.text for comment in club.match().comments if not comment.to_side} == {"ok"}


def test_a_quotation_of_an_older_email_is_left_out(club: Club) -> None:
    """A reply without references, quoting an email that is not the latest, passes nothing private on."""
    club.open("zipline", PLAYERS)
    club.reply(0, "c3")
    club.reply(1, "take")
    club.reply(2, "a1\nteam: SECRET plan, let us block him on the left side at once")
    mail = club.newest(0)
    club.reply(1, "say: hello everybody, how are you")
    raw = club.answer(mail, f"a2\n\n{text_of(mail)}").replace(b"In-Reply-To:", b"X-A:").replace(b"References:", b"X-B:")
    assert club.service.hand_in(raw).message.commands == ("a2",)
    assert all("SECRET" not in comment.text for comment in club.match().comments if not comment.to_side)


def test_a_player_may_send_the_same_words_again(club: Club) -> None:
    """Words that a rejection or a receipt shows to their sender are their own when he sends them once more."""
    club.open("zipline", PLAYERS)
    words = "I hope that all of you are well and had a very nice weekend"
    assert club.reply(1, f"a1 b2 c3\n{words}").message.reason == "not_your_turn"
    assert club.reply(1, f"say: {words}").message.status == "accepted"
    club.reply(0, "d4")
    assert club.reply(1, f"a1 b2 c3\n{words}").message.commands == ("a1 b2 c3",)
    assert club.match().comments[-1].text == words
