"""Complaints by mail providers: whoever called an email unwanted is unsubscribed, and nobody by a made-up one."""

from collections.abc import Callable
from email.message import EmailMessage

import pytest

from tests.support.bounces import complaint
from tests.support.club import Club

FORGERIES: dict[str, Callable[[bytes], bytes]] = {
    "no email of ours": lambda raw: raw.replace(b"List-Unsubscribe", b"X-Nothing"),
    "a token that is made up": lambda raw: raw.replace(b"subject=unsubscribe", b"subject=x").replace(
        b"games+1.0.0.", b"games+1.0.0.a"
    ),
    "another seat's": lambda raw: raw.replace(b"games+1.0.0.", b"games+1.0.1."),
    "not attached": lambda raw: raw.replace(b"Content-Type: message/rfc822", b"Content-Type: text/plain"),
    "no report": lambda raw: raw.replace(b"feedback-report;", b"disposition-notification;"),
}


def muted(club: Club) -> list[bool]:
    """Return which players of the match are unsubscribed."""
    return [player.preferences.muted for player in club.match().players]


@pytest.mark.parametrize("kind", ["message/rfc822", "text/rfc822-headers"])
@pytest.mark.parametrize("is_renamed", [False, True])
def test_a_complaint_unsubscribes_the_reader_of_that_email(club: Club, kind: str, is_renamed: bool) -> None:
    """As the button does, also where a server that sends for us has given the email another Message-ID."""
    club.open()
    mail = club.newest(0)
    raw = complaint(mail, kind)
    if is_renamed:
        raw = raw.replace(str(mail["Message-ID"]).encode(), b"<0102019@relay.example>")
    arrival = club.service.hand_in(raw)
    assert (arrival.message.status, arrival.message.reason) == ("discarded", "complaint")
    assert (arrival.message.detail, arrival.message.seat) == ("to ann@a.example", None if is_renamed else 0)
    assert muted(club) == [True, False]
    assert [mail.recipient for mail in club.queued(kind="unsubscribe")] == ["ann@a.example"]
    again = club.service.hand_in(raw.replace(b".feedback@", b".again@"))
    assert again.message.detail == "it proves no mail of ours to anybody who gets any"
    assert len(club.queued(kind="unsubscribe")) == 1


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_complaint_unsubscribes_nobody(club: Club, forgery: str) -> None:
    """Whatever else is true in it, and whomever it names."""
    club.open()
    forged = FORGERIES[forgery](complaint(club.newest(0)))
    assert forged != complaint(club.newest(0))
    arrival = club.service.hand_in(forged)
    assert (arrival.message.status, arrival.outbound) == ("discarded", ())
    assert muted(club) == [False, False]


def test_a_message_id_forges_no_complaint(club: Club) -> None:
    """It stands in every reply that others get: without the address for unsubscribing it proves nothing."""
    club.open()
    ann, bob = club.newest(0), club.newest(1)
    mail = EmailMessage()
    mail["To"], mail["Message-ID"], mail["List-Unsubscribe"] = ann["To"], ann["Message-ID"], bob["List-Unsubscribe"]
    arrival = club.service.hand_in(complaint(mail))
    assert (muted(club), arrival.message.seat) == ([False, True], None)  # that of whoever wrote it


def test_a_revoked_token_makes_no_complaint(club: Club) -> None:
    """Who has asked for new addresses is safe from all emails of before."""
    club.open()
    old = club.newest(0)
    club.reply(0, "new address")
    club.service.hand_in(complaint(old))
    assert muted(club) == [False, False]


def test_a_complaint_of_a_follower_or_about_a_question_counts_as_a_no(club: Club) -> None:
    """Their emails carry no seat, and are known by their own Message-ID."""
    club.open()
    club.write("watch 1", "zoe@z.example")
    club.answer_kind("confirm_follow", -1, "yes")
    with club.service.database.reading() as tx:
        assert tx.followers.of_address("zoe@z.example") == [1]
    told = club.queued()[-1]
    assert told.recipient == "zoe@z.example"
    club.service.hand_in(complaint(club.mail(told)))
    with club.service.database.reading() as tx:
        assert tx.followers.of_address("zoe@z.example") == []
    assert muted(club) == [False, False]
