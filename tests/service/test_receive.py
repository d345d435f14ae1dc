"""What may come in: any bytes, whole or not, from anybody or from machines; each message once."""

from collections.abc import Callable, Sequence
from email import message_from_bytes
from email.policy import SMTP
from time import process_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.due.needs import UNREADABLE
from pbem.ports import Fetched
from pbem.settings.model import Settings
from tests.support.club import Club, told
from tests.support.hostile import HOSTILE
from tests.support.mails import text_of
from tests.support.running import ENDINGS, MakeClub, inbound_messages

one_database = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def test_a_reply_is_carried_out(club: Club) -> None:
    """The move is in the record, and the message says what became of it."""
    club.open()
    arrival = club.reply(0, "c3\nGood luck")
    assert (arrival.message.status, arrival.message.commands) == ("accepted", ("c3",))
    assert (arrival.message.match, arrival.message.seat) == (1, 0)
    assert club.moves() == ["c3"]
    assert club.match().comments[0].text == "Good luck"


def test_a_message_delivered_twice_is_carried_out_once(club: Club) -> None:
    """A second delivery is reported as such, and leads to nothing."""
    club.open()
    raw = club.answer(club.newest(0), "c3")
    first, second = club.service.hand_in(raw), club.service.hand_in(raw)
    assert (first.duplicate, second.duplicate) == (False, True)
    assert (second.message.id, second.outbound) == (first.message.id, ())
    assert club.moves() == ["c3"]


def test_other_words_under_a_message_id_are_another_message(club: Club) -> None:
    """Some programs give a Message-ID again: what their player writes then is read, not taken for a duplicate."""
    club.open()
    club.service.hand_in(club.answer(club.newest(0), "c3", Message_ID="<1@a.example>"))
    second = club.service.hand_in(club.answer(club.newest(0), "say: Good luck!", Message_ID="<1@a.example>"))
    assert (second.duplicate, second.message.status) == (False, "accepted")
    assert [comment.text for comment in club.match().comments] == ["Good luck!"]


def _in_base64(raw: bytes) -> bytes:
    mail = message_from_bytes(raw, policy=SMTP)
    mail.set_content(mail.get_content(), cte="base64")
    return mail.as_bytes()


ONE = {"Message_ID": "<1@a.example>", "Date": "Fri, 20 Nov 2026 19:31:05 +0100"}

CHANGED: Sequence[Callable[[bytes], bytes]] = (
    lambda raw: raw.rstrip() + b"\n_____________________\ngames mailing list\n",
    lambda raw: raw.rstrip() + b"\n\n-- \nThis email was checked for viruses.\n",
    lambda raw: raw.rstrip() + b"\nThis message was scanned for viruses by MailScanner.\n",
    lambda raw: raw.rstrip() + b"\n\ngames mailing list\ngames@lists.example\nhttps://lists.example/listinfo/games\n",
    lambda raw: raw.rstrip() + b"\n\nTo unsubscribe from this group, write to games+unsubscribe@groups.example.\n",
    lambda raw: (
        raw.rstrip() + b"\n\nVirus-free. www.avg.com\n-=-=-=-\nView Online (#12): https://groups.example/g/12\n"
    ),
    lambda raw: raw.replace(b"Subject: Re:", b"Subject: [games] Re:"),
    lambda raw: raw.replace(b"Subject: Re:", b"Subject: Re: [games]"),
    _in_base64,
)


@pytest.mark.parametrize("change", CHANGED)
@pytest.mark.parametrize("turned", [False, True])
def test_what_comes_on_two_ways_is_told_once(club: Club, change: Callable[[bytes], bytes], turned: bool) -> None:
    """Through a list too, whichever is first: with its tag and footer, or in another encoding."""
    club.open()
    raw = club.answer(club.newest(0), "say: Grüße, Bob", **ONE)
    ways = (raw, change(raw))
    again = [club.service.hand_in(one) for one in (ways[::-1] if turned else ways)][1]
    assert (again.duplicate, len(club.match().comments)) == (True, 1)


@pytest.mark.parametrize(
    "text",
    [
        *("say: Hi, Bob", "say: H", "say: Hi\nd4", "say: Hi\n\nI play c3", "say: Hi\nresign", "say: Hi\n\nyes, please"),
        *("say: Hi\n\nsay: Bye", "say: Hi\n\nteam: psst", "say: Hi\nd4\nScanned for viruses.", "d4\nsay: Hi"),
        "say: Hi" + 21 * "\nand then",
    ],
)
def test_more_words_than_before_are_another_message(club: Club, text: str) -> None:
    """No move is lost that stands below what was written before, though a footer does."""
    club.open()
    for one in ("say: Hi", text):
        arrival = club.service.hand_in(club.answer(club.newest(0), one, **ONE))
    assert not arrival.duplicate


def test_words_that_were_added_later_are_another_message(club: Club) -> None:
    """Whoever sends a draft once more under its Message-ID, with a sentence more, is heard."""
    club.open()
    raw = club.answer(club.newest(0), "say: Hi", **ONE)
    later = raw.replace(b"19:31:05", b"19:48:20").rstrip() + b"\nI may be late today.\n"
    assert [club.service.hand_in(one).duplicate for one in (raw, later, later)] == [False, False, True]
    assert "I may be late today" in text_of(club.newest(0))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_message_under_a_known_message_id_is_stored_within_a_second(club: Club, raw: bytes) -> None:
    """What is looked at to know a copy has limits too."""
    named = b"From: ann@a.example\nMessage-ID: <1@a.example>\n" + raw
    started = process_time()
    assert len(club.service.receive([Fetched(named), Fetched(named + b".")])) == 2
    assert process_time() - started < 1


def test_the_same_words_in_another_match_are_another_message(club: Club) -> None:
    """Whatever Message-ID the player's program gives them, and though it names no email answered."""
    given = {"Message_ID": "<1@a.example>", "In_Reply_To": "", "References": "", "Subject": "Re:"}
    for _ in range(2):
        club.open()
    for number in (1, 2):
        club.service.hand_in(club.answer(club.newest(0, number), "c3", **given))
    assert (club.moves(1), club.moves(2)) == (["c3"], ["c3"])


@pytest.mark.parametrize("drop", [b"", b"Message-ID"])
def test_talk_that_is_delivered_twice_is_told_once(club: Club, drop: bytes) -> None:
    """By two servers, each with its traces, and with or without a Message-ID; a pipe has other line ends."""
    club.open()
    raw = club.answer(club.newest(0), "say: Good luck!").replace(drop, b"X-Old-ID" if drop else b"")
    club.service.hand_in(b"Received: from a by mx1\n" + raw)
    again = club.service.hand_in(b"Return-Path: <ann@a.example>\r\n" + raw.replace(b"\n", b"\r\n") + b"\r\n")
    assert (again.duplicate, len(club.match().comments)) == (True, 1)


def test_what_another_process_has_processed_is_not_kept_in_memory(new_club: MakeClub) -> None:
    """A service holds the messages that it has read until they are processed, by whomever."""
    club, other = new_club(), new_club()
    club.open()
    club.service.receive([Fetched(club.answer(club.newest(0), "c3"))])
    assert len(club.service.processing.parsed) == 1
    assert other.service.process_waiting() == 1
    club.service.process_waiting()
    assert not club.service.processing.parsed


def test_a_move_sent_again_is_discarded(club: Club) -> None:
    """A move that was sent twice is kept, and not answered."""
    club.open()
    mail = club.newest(0)
    club.service.hand_in(club.answer(mail, "c3"))
    again = club.service.hand_in(club.answer(mail, "C3"))
    assert (again.message.status, again.outbound) == ("discarded", ())
    stale = club.service.hand_in(club.answer(mail, "c4"))
    assert told(stale) == [("stale_turn", 0)]
    assert club.moves() == ["c3"]


def test_a_forged_message_id_does_not_shadow_the_real_message(settings: Settings, new_club: MakeClub) -> None:
    """Nobody who knows the Message-ID of a message to come can keep it out, in whatever name."""
    settings.authserv_id = "mx.play.example"
    club = new_club()
    club.open()
    mine = club.answer(club.newest(0), "c3", Message_ID="<mine@a.example>")
    stranger = club.answer(club.newest(0), "d4", Message_ID="<mine@a.example>", From="mallory@evil.example")
    forged = b"Authentication-Results: mx.play.example; dmarc=fail\r\n" + mine.replace(b"c3", b"d4")
    assert club.service.hand_in(stranger).message.reason == "unknown_address"
    assert club.service.hand_in(forged).message.code == "forged_sender"
    assert club.service.hand_in(mine).message.commands == ("c3",)
    assert club.service.hand_in(mine).duplicate


@pytest.mark.parametrize("header", ["Auto-Submitted: auto-replied", "Subject: Out of office"])
def test_automatic_email_is_never_answered(club: Club, header: str) -> None:
    """Kept, discarded, and neither carried out nor answered, though it carries a good reply token."""
    club.open()
    raw = club.answer(club.newest(0), "c3", Subject="")
    arrival = club.service.hand_in(header.encode() + b"\n" + raw)
    assert (arrival.message.status, arrival.outbound) == ("discarded", ())
    assert club.moves() == []


def test_a_message_that_is_too_large_is_answered(club: Club) -> None:
    """Only its head was fetched: its sender is told, and no move is looked for in it."""
    club.open()
    raw = club.answer(club.newest(0), "c3")
    ((number, _),) = club.service.receive([Fetched(raw, whole=False)])
    club.service.processing.process(number)
    assert (inbound_messages(club)[0].status, inbound_messages(club)[0].reason) == ("rejected", "too_large")
    assert club.moves() == []


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m", "encrypted"),
        ("application/pkcs7-mime; smime-type=signed-data; name=smime.p7m", "signed"),
        ("application/ms-tnef; name=winmail.dat", "winmail"),
        ("application/pdf; name=move.pdf", "attachment"),
    ],
)
def test_opaque_content_is_rejected_with_its_code(club: Club, content: str, code: str) -> None:
    """Its sender is told that nothing could be read."""
    club.open()
    arrival = club.reply(0, "MIAGCSqGSIb3DQEHA6CAMIACAQA=", Content_Type=content, Content_Transfer_Encoding="base64")
    assert (arrival.message.status, arrival.message.reason, arrival.message.code) == ("rejected", "sealed", code)
    assert told(arrival) == [("sealed", 0)]
    assert club.moves() == []


@pytest.mark.sampled(4)
@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_message_ends_within_a_second(club: Club, raw: bytes) -> None:
    """Whatever arrives ends in one of the four ways, at once, all or the beginning kept; and the line goes on."""
    club.open()
    good = club.answer(club.newest(0), "c3")
    head, _, body = good.partition(b"\n\n")
    head = head.replace(b"Content-Type: text/plain; charset=utf-8", raw.partition(b"\n\n")[0])
    hostile = head + b"\n\n" + raw.partition(b"\n\n")[2] + body.replace(b"c3", b"z99")
    started = process_time()
    arrival = club.service.hand_in(hostile)
    assert process_time() - started < 1
    assert arrival.message.status in ENDINGS
    with club.service.database.reading() as tx:
        kept = tx.inbound.raw(arrival.message.id)
    assert hostile.startswith(kept)
    assert kept
    assert (kept == hostile) == arrival.message.is_complete
    assert arrival.message.is_complete or arrival.message.match is None
    assert club.service.hand_in(good.replace(b"<reply-1@", b"<reply-x@")).message.status == "accepted"


@one_database
@given(raw=st.binary(max_size=500))
def test_any_bytes_can_be_handed_in(club: Club, raw: bytes) -> None:
    """Nothing is raised, whatever the bytes are, and no email goes to anybody."""
    assert club.service.hand_in(raw).message.status in ENDINGS


@one_database
@given(
    text=st.text(),
    start=st.floats(0, 1),
    length=st.integers(0, 40),
    filling=st.binary(max_size=20),
    whole=st.booleans(),
)
def test_any_change_of_a_good_reply_can_be_handed_in(
    club: Club, text: str, start: float, length: int, filling: bytes, whole: bool
) -> None:
    """A reply, mutilated anywhere, ends in one of the four ways, and never by a bug."""
    if not club.queued():
        club.open()
    raw = club.answer(club.newest(0), f"c3\n{text}\n> {text}", Content_Transfer_Encoding="8bit") if whole else b""
    raw = raw or club.answer(club.newest(1), text.encode("utf-8", "replace").decode(), Content_Type="text/html")
    place = int(start * len(raw))
    arrival = club.service.hand_in(raw[:place] + filling + raw[place + length :])
    assert arrival.message.status in ENDINGS
    assert arrival.message.status != "failed" or arrival.message.reason == UNREADABLE
