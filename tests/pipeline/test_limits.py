"""What one address, and all of them together, may cause in a day: more than people need, less than machines send."""

from datetime import timedelta

import pytest

from pbem.service import Arrival
from tests.support.club import Club
from tests.support.mails import text_of


def kinds(arrival: Arrival) -> list[str]:
    """Return what was mailed because of a message."""
    return [mail.kind for mail in arrival.outbound]


@pytest.fixture
def tired(club: Club) -> Club:
    """A club in which Ann has asked for every kind of board twenty times: a hundred emails."""
    club.open()
    first = club.newest(0)
    for number in range(20):
        again = club.service.hand_in(club.answer(first, "display test", Message_ID=f"<{number}@a.example>"))
        assert kinds(again) == ["display"] * 5
    return club


def test_a_player_gets_a_hundred_emails_a_day_for_the_asking(tired: Club) -> None:
    """The next wish is refused with one email that says why, further ones without; a day later all is as before."""
    first = next(tired.mail(mail) for mail in tired.queued() if mail.seat == 0)
    refused = tired.reply(0, "show")
    assert (refused.message.status, refused.message.reason, kinds(refused)) == ("rejected", "too_often", ["too_often"])
    text = " ".join(text_of(tired.newest(0)).split())
    assert "you asked for more mail than I send in a day" in text
    assert "Moves count at any time" in text
    silent = tired.service.hand_in(tired.answer(first, "help"))
    assert (silent.message.reason, kinds(silent)) == ("too_often", [])
    assert "not answered" in silent.message.detail
    tired.clock.advance(timedelta(days=1, minutes=1))
    assert kinds(tired.service.hand_in(tired.answer(first, "show"))) == ["show"]


def test_words_to_others_count_as_well(tired: Club) -> None:
    """Nobody can fill his opponent's mailbox: the words are not passed on, and their sender is told so."""
    refused = tired.reply(0, "say: hello, hello, hello")
    assert refused.message.reason == "too_often"
    assert tired.match().comments == ()
    assert [mail.recipient for mail in refused.outbound] == ["ann@a.example"]


def test_a_move_is_always_played(tired: Club) -> None:
    """Its notices go out, with the words below it; what was asked for besides waits, and its sender is told so."""
    played = tired.reply(0, "c3\n\nGood luck!\n\nhelp")
    assert played.message.status == "accepted"
    assert tired.moves() == ["c3"]
    assert sorted(kinds(played)) == ["move_made", "your_turn"]
    assert "has to wait for tomorrow" in " ".join(text_of(tired.newest(0)).split())
    assert [comment.text for comment in tired.match().comments] == ["Good luck!"]


def test_who_has_had_enough_can_always_unsubscribe(tired: Club) -> None:
    """The one wish that makes for less mail is carried out at any time; to come back has to wait."""
    assert kinds(tired.reply(0, "unsubscribe")) == ["unsubscribe"]
    assert tired.match().players[0].muted
    assert tired.reply(0, "resume").message.reason == "too_often"
    assert tired.reply(0, "unsubscribe").message.reason == "too_often"


def test_the_others_are_not_kept_from_asking(tired: Club) -> None:
    """The limit is each address's own."""
    assert kinds(tired.reply(1, "show")) == ["show"]


def test_all_together_have_a_limit_too(club: Club) -> None:
    """Five hundred emails in an hour that tell of no move are too many, whoever asked for them; moves go on."""
    firsts = []
    for number in range(1, 6):
        club.open(players=(f"p{number}@a.example", f"q{number}@a.example"))
        firsts.append(club.newest(0, number))
    for number in range(20):
        for which, first in enumerate(firsts):
            club.service.hand_in(club.answer(first, "display test", Message_ID=f"<{which}.{number}@a.example>"))
    assert len(club.queued(kind="display")) == 500
    assert kinds(club.reply(1, "show", match=3)) == []
    wrong = club.reply(1, "z99", match=3)
    assert (wrong.message.status, wrong.outbound) == ("rejected", ())
    assert "more mail than in an ordinary hour" in wrong.message.detail
    assert club.service.hand_in(club.answer(firsts[2], "c3")).message.status == "accepted"
    club.clock.advance(timedelta(hours=1, minutes=1))
    assert sorted(kinds(club.reply(1, "say: hello", match=4))) == ["passed_on", "remark"]
