"""Attacks by somebody who forges From, or has got hold of a player's email: what they cannot do."""

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage

import pytest

from pbem.settings.model import Settings
from pbem.storage.messages.records import OutboundRecord
from tests.support.club import ADDRESS, OPERATOR, PLAYERS, Club, told
from tests.support.each import each
from tests.support.laid import After
from tests.support.mails import message, text_of

MX = "mx.play.example"
FORGED = f"{MX}; dmarc=fail header.from=a.example"
PROVEN = f"{MX}; dmarc=pass header.from=a.example"


def answer_many(club: Club, mail: EmailMessage, count: int, text: str = "nonsense q99", **headers: str) -> None:
    """Answer an email so many times with what leads to nothing."""
    for _ in range(count):
        club.service.hand_in(club.answer(mail, text, **headers))


def _going(club: Club) -> None:
    club.open()
    club.reply(0, "c3")


@pytest.fixture
def going(after: After) -> Club:
    """A match in which Ann has moved, so that her first email is an older one."""
    return after(_going)


def first_to(club: Club, seat: int) -> EmailMessage:
    """Return the first email to a seat of match 1, an older one by now."""
    return next(club.mail(mail) for mail in club.queued() if (mail.match, mail.seat) == (1, seat))


def test_a_bounce_forged_in_a_players_name_does_not_silence_them(going: Club) -> None:
    """Mallory, who sits in the match as Ann, sends reports with Bob's address in From; Bob's move counts."""
    bounce = {"From": "bob@b.example", "Return_Path": "<>", "Subject": "Undelivered Mail Returned to Sender"}
    answer_many(going, going.newest(0), 70, "550 5.1.1 no such user", **bounce)
    assert going.reply(1, "b2").message.status == "accepted"


@pytest.mark.always("a core promise")
def test_nonsense_to_another_seat_does_not_silence_a_player(going: Club) -> None:
    """What comes with Bob's address and the token of somebody else counts nowhere against Bob's seat."""
    answer_many(going, going.newest(0), 70, From="bob@b.example")
    assert going.reply(1, "b2").message.status == "accepted"


def test_nonsense_with_an_older_email_does_not_keep_out_a_move(going: Club) -> None:
    """Whoever has got an older email of Bob's can make its answers unread, and nothing else."""
    old = first_to(going, 1)
    answer_many(going, old, 60)
    flooding = going.service.hand_in(going.answer(old, "show"))
    assert (flooding.message.status, flooding.message.code) == ("rejected", "flooding")
    assert [(mail.kind, mail.recipient) for mail in flooding.outbound] == [("flooding", "bob@b.example")]
    assert told(going.service.hand_in(going.answer(old, "help"))) == []  # they are told once
    assert going.service.hand_in(going.answer(going.newest(1), "b2")).message.status == "accepted"


def test_an_old_email_gives_no_match_up(going: Club) -> None:
    """The player is asked by a new email, and nothing happens before they answer that."""
    asked = going.service.hand_in(going.answer(first_to(going, 0), "resign"))
    assert (asked.message.status, asked.message.code) == ("rejected", "confirm")
    assert [(mail.kind, mail.recipient) for mail in asked.outbound] == [("confirm", "ann@a.example")]
    assert going.match().outcome is None
    question = going.newest(0)
    going.reply(1, "b2")  # the match goes on meanwhile
    assert going.service.hand_in(going.answer(question, "resign")).message.status == "accepted"
    assert going.moves() == ["c3", "b2", "resign"]


def test_the_question_about_a_resignation_is_answered_only_by_its_reader(going: Club) -> None:
    """Naming another email's Message-ID is no answer to it, and it is asked three times a day at most."""
    old = first_to(going, 0)
    kinds = [told(going.service.hand_in(going.answer(old, "resign"))) for _ in range(4)]
    assert kinds == [[("confirm", 0)]] * 3 + [[]]
    going.reply(1, "b2")
    guess = going.answer(old, "resign", In_Reply_To="<1.1.0.aaaaaaaaaa.0123456789abcdef@play.example>")
    assert going.service.hand_in(guess).message.code == "confirm"
    assert going.match().outcome is None


def test_revoked_tokens_do_nothing(going: Club) -> None:
    """After `new address` no reply to an older email counts; the new email's does."""
    going.open("zipline", PLAYERS)
    first, older = going.newest(0), going.newest(0, 2)
    renewed = going.service.hand_in(going.answer(first, "new address"))
    assert renewed.message.commands == ("new address",)
    assert sorted((mail.kind, mail.match) for mail in renewed.outbound) == [("new_address", 1), ("new_address", 2)]
    for mail in (first, older):
        for words in ("show", "say: I am Ann", "resign", "unsubscribe", "d4"):
            ended = going.service.hand_in(going.answer(mail, words))
            assert (ended.message.status, ended.message.code) == ("rejected", "revoked_token")
    assert going.match().comments == ()
    assert going.reply(0, "say: here I am").message.status == "accepted"
    assert going.reply(0, "d4", match=2).message.status == "accepted"
    assert going.reply(1, "b2").message.status == "accepted"  # Bob's emails are as good as before


def test_an_old_email_makes_no_new_address(going: Club) -> None:
    """Nobody else can cut a player off from the email that they are about to answer."""
    present = going.newest(0)
    asked = going.service.hand_in(going.answer(first_to(going, 0), "new address"))
    assert asked.message.code == "confirm"
    assert going.service.hand_in(going.answer(present, "say: still me")).message.status == "accepted"


def test_old_tokens_expire(going: Club) -> None:
    """Three months after the match has gone on, an older email only brings the present one; unsubscribing is heard."""
    old = first_to(going, 0)
    going.clock.advance(timedelta(days=89))
    assert going.service.hand_in(going.answer(old, "say: in time")).message.status == "accepted"
    going.clock.advance(timedelta(days=2))
    late = going.service.hand_in(going.answer(old, "say: too late"))
    assert (late.message.code, told(late)) == ("old_mail", [("old_mail", 0)])
    assert going.reply(0, "say: from the new one").message.status == "accepted"
    assert going.reply(1, "b2").message.status == "accepted"  # the present email never expires
    assert going.service.hand_in(going.answer(old, "unsubscribe")).message.status == "accepted"


def test_an_expired_email_says_nothing_beside_unsubscribing(going: Club) -> None:
    """What else stands in that message is not carried out."""
    old = first_to(going, 0)
    going.clock.advance(timedelta(days=120))
    ended = going.service.hand_in(going.answer(old, "say: hello\nnew address\nunsubscribe"))
    assert going.match().comments == ()
    assert "say: hello" not in ended.message.commands
    assert going.service.hand_in(going.answer(old, "display test")).message.code == "old_mail"


def test_who_uses_up_a_players_share_cannot_keep_them_from_a_new_address(going: Club) -> None:
    """The remedy against a thief of older emails is always there."""
    old = first_to(going, 0)
    answer_many(going, old, 20, "display test")
    assert going.reply(0, "show").message.code == "too_often"
    present = next(mail for mail in reversed(going.queued()) if mail.kind == "move_made" and mail.seat == 0)
    assert going.service.hand_in(going.answer(going.mail(present), "new address")).message.commands == ("new address",)
    assert going.service.hand_in(going.answer(old, "unsubscribe")).message.code == "revoked_token"


def test_tokens_of_a_match_that_is_over_expire(going: Club) -> None:
    """No email of an old match is a way in for ever."""
    going.reply(1, "resign")
    last = going.newest(0)
    assert going.service.hand_in(going.answer(last, "say: well played")).message.status == "accepted"
    going.clock.advance(timedelta(days=91))
    assert going.service.hand_in(going.answer(last, "say: hello again")).message.code == "old_mail"


def test_a_guessed_token_is_logged(going: Club, caplog: pytest.LogCaptureFixture) -> None:
    """Who tries out tokens leaves a line that a search finds, without an address or a token in it."""
    with caplog.at_level(logging.WARNING, "pbem.security"):
        arrival = going.reply(0, "d4", To=f"games+1.1.0.{'a' * 10}@play.example", In_Reply_To="", References="")
    assert arrival.message.code == "wrong_token"
    number = arrival.message.id
    assert caplog.messages == [f"security event=wrong_token status=rejected inbound={number} match=- seat=-"]


def test_untagged_spoofed_mail_quotes_nothing_to_the_player(going: Club) -> None:
    """What a stranger writes with Ann's address in From is not carried to Ann by us; three answers a day at most."""
    answers: list[OutboundRecord] = []
    for number in range(5):
        raw = message(
            "BUY NOW http://evil.example",
            From="ann@a.example",
            To=ADDRESS,
            Subject="BUY NOW http://evil.example",
            Message_ID=f"<spoofed-{number}@evil.example>",
        )
        answers += going.service.hand_in(raw).outbound
    assert len(answers) == 3
    for mail in map(going.mail, answers):
        assert "evil" not in text_of(mail) + str(mail["Subject"])


def test_forged_mail_is_discarded_and_the_operator_alarmed(new_club: Callable[..., Club], settings: Settings) -> None:
    """Five in a day for one seat, and the operator gets one email at once; then one a day while it goes on."""
    settings.authserv_id = MX
    club = new_club()
    club.open()
    ends = [club.reply(0, "c3", Authentication_Results=FORGED) for _ in range(8)]
    assert {(end.message.code, end.message.match, end.message.seat) for end in ends} == {("forged_sender", 1, 0)}
    asyncio.run(club.service.deliver())
    (alarm,) = club.queued(kind="needs")
    assert (alarm.recipient, "do not block" in text_of(club.mail(alarm))) == (OPERATOR, True)
    for _ in range(12):
        club.clock.advance(timedelta(hours=4))
        club.reply(0, "c3", Authentication_Results=FORGED)
        asyncio.run(club.service.deliver())
    assert len(club.queued(kind="needs")) == 3
    assert club.moves() == []
    assert club.reply(0, "c3").message.status == "accepted"  # without a finding it counts: if-present


@each(
    "forged",
    [
        *("show 1", "status", "help", "help games", "c3", "yes", "resume", "unsubscribe", "games", "offers", "export"),
        *("where is my match?", "operator: hello", "new pipline bob", "new chess", "seek pipline", "watch 1", "join 1"),
        *("standin Bob until 3 dec", "address me@evil.example", "name Fool", "undo", "x" * 70_000, "d4\ne5\nf6", ""),
    ],
)
def test_nobody_who_forges_from_has_us_write_to_somebody_who_unsubscribed(club: Club, forged: str) -> None:
    """Whatever they write, with a subject or without, and with the token of a seat of their own."""
    if not club.queued():
        club.open()
        club.reply(0, "unsubscribe")
    for subject in ("[pbem 1]", forged[:60].strip() or "?"):
        arrival = club.write(forged, "ann@a.example", Subject=subject)
        assert (arrival.message.status, arrival.outbound) == ("discarded", ())
    others = club.service.hand_in(club.answer(club.newest(1), forged, From="ann@a.example"))
    assert (others.message.status, others.outbound) == ("discarded", ())


def test_whoever_unsubscribed_and_is_proven_is_answered(new_club: Callable[..., Club], settings: Settings) -> None:
    """By our own server, or by an email of ours that they answer; and is asked whether they want to be forgotten."""
    settings.authserv_id = MX
    club = new_club()
    club.open()
    club.reply(0, "unsubscribe")
    assert club.write("status", "ann@a.example").outbound == ()
    assert told(club.write("status", "ann@a.example", Authentication_Results=PROVEN)) == [("status", None)]
    assert told(club.reply(0, "help"))
    assert told(club.write("forget me", "ann@a.example")) == [("forget", None)]


def test_required_authentication_lets_only_proven_senders_in(new_club: Callable[..., Club], settings: Settings) -> None:
    """Without a pass the player is told, once a day and with nothing quoted; strangers and machines are not."""
    settings.authserv_id, settings.authentication = MX, "required"
    club = new_club()
    club.open()
    for findings in ("", f"{MX}; dmarc=none", "mx.evil.example; dmarc=pass"):
        ended = club.reply(0, "c3\n\nhttp://evil.example", Authentication_Results=findings)
        assert (ended.message.status, ended.message.code) == ("rejected", "not_authentic")
    (warned,) = club.queued(kind="not_authentic")
    assert "evil" not in text_of(club.mail(warned))
    stranger = club.service.hand_in(message("hello", From="x@y.example", To=ADDRESS))
    assert (stranger.message.status, stranger.message.code) == ("discarded", "not_authentic")
    unknown = club.reply(0, "c3", From="ann@home.example")
    assert (unknown.message.code, unknown.outbound) == ("not_authentic", ())
    assert club.reply(0, "c3", Authentication_Results=PROVEN).message.status == "accepted"


def test_authentication_off_looks_at_nothing(new_club: Callable[..., Club], settings: Settings) -> None:
    """For hosts whose server writes what cannot be relied on."""
    settings.authserv_id, settings.authentication = MX, "off"
    club = new_club()
    club.open()
    assert club.reply(0, "c3", Authentication_Results=FORGED).message.status == "accepted"


def test_a_private_subject_is_not_shown_to_the_operator(club: Club) -> None:
    """Words for the partner in a subject are as private as in a line."""
    club.open("zipline", PLAYERS)
    arrival = club.reply(0, "", Subject="Re: team: go left")
    assert arrival.message.subject == "…"
    with club.service.database.reading() as tx:
        assert all("left" not in str(record) for record in tx.inbound.latest())
