"""The whole line, from a message that comes in to the notices that go out, on real SQLite."""

import sqlite3
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from random import Random
from time import process_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, event

from pbem.archive import pages
from pbem.errors import BadInput, LoginRefused, PermanentFailure, TransientFailure
from pbem.mail.message import html_to_text
from pbem.pipeline.deliver import DeliveryReport
from pbem.pipeline.process import UNREADABLE
from pbem.ports import Fetched
from pbem.service import WAYPOINTS, Arrival
from pbem.settings import Settings
from pbem.storage.records import Disposition, InboundRecord
from tests.inbound.test_automatic import AUTOMATIC
from tests.mail.test_message import HOSTILE
from tests.support.club import ADDRESS, OPERATOR, PLAYERS, Club, told
from tests.support.fakes import FakeClock, FakeCourier, FakeMailbox
from tests.support.mails import html_of, message, read, text_of

MakeClub = Callable[..., Club]
ENDINGS = {"accepted", "rejected", "discarded", "failed"}
TRANSIENT = TransientFailure("451 try again later")
one_database = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


class Kill(BaseException):
    """The end of the process."""


def messages(club: Club) -> list[InboundRecord]:
    """Return all messages, the oldest first."""
    with club.service.database.reading() as tx:
        return list(reversed(tx.inbound.latest(limit=1000)))


def state(club: Club) -> dict[str, object]:
    """Return all that is kept, but for when it was."""
    with club.service.database.reading() as tx:
        matches = [(match.id, match.record, match.comments) for match in tx.matches.all(comments=True)]
        mails = [(mail.message_id, mail.kind, mail.recipient, mail.status) for mail in club.queued()]
        kept = [(row.identity, row.status, row.reason, row.commands) for row in messages(club)]
        return {"matches": matches, "letters": kept, "mails": sorted(mails)}


def test_a_message_sent_ahead_does_not_shadow_a_players(settings: Settings, new_club: MakeClub) -> None:
    """Who knows the Message-ID of a message to come can keep it out neither as himself nor in the player's name."""
    settings.authserv_id = "mx.play.example"
    club = new_club()
    club.open()
    mine = club.answer(club.newest(0), "c3", Message_ID="<mine@a.example>")
    stranger = club.answer(club.newest(0), "d4", Message_ID="<mine@a.example>", From="mallory@evil.example")
    forged = b"Authentication-Results: mx.play.example; dmarc=fail\r\n" + mine.replace(b"c3", b"d4")
    assert club.service.hand_in(stranger).message.reason == "unknown_address"
    assert club.service.hand_in(forged).message.reason == "forged sender"
    assert club.service.hand_in(mine).message.commands == ("c3",)
    assert club.service.hand_in(mine).duplicate


def test_what_partners_say_is_not_listed(club: Club) -> None:
    """The commands of a message are there for the operator, who may play himself: a private line is named, not told."""
    club.open("zipline", PLAYERS)
    club.reply(0, "c3")
    club.reply(1, "take")
    told = club.reply(2, "team: go left\na5\nHello").message
    assert told.commands == ("team: …", "a5")
    asked = club.reply(0, "team go right").message
    assert "right" not in asked.detail


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m", "it is encrypted"),
        ("application/pkcs7-mime; smime-type=signed-data; name=smime.p7m", "inside a digital signature"),
        ("application/ms-tnef; name=winmail.dat", "winmail.dat"),
        ("application/pdf; name=move.pdf", "nothing in it but attached files"),
    ],
)
def test_a_message_that_cannot_be_opened_is_answered_as_such(club: Club, content: str, words: str) -> None:
    """Its sender learns why nothing was read, and what to do."""
    club.open()
    arrival = club.reply(0, "MIAGCSqGSIb3DQEHA6CAMIACAQA=", Content_Type=content, Content_Transfer_Encoding="base64")
    assert (arrival.message.status, arrival.message.reason) == ("rejected", "sealed")
    text = " ".join(text_of(club.newest(0)).split())
    assert "I could not open your mail" in text
    assert words in text
    assert "write your move into the mail itself, as plain text" in text
    assert club.moves() == []


# Opening a match


def test_a_match_is_opened_with_players_who_are_new_or_known(club: Club) -> None:
    """A player is named by an address, with a name before it or not, and later by his name."""
    first = club.open("zipline", ("Ann Lee <Ann@A.example>", "bob.cook@b.example", PLAYERS[2]))
    assert [player.name for player in first.players] == ["Ann Lee", "Bob Cook", "Carl"]
    second = club.open(players=("ann lee", "CARL@c.example"))
    assert [player.id for player in second.players] == [first.players[0].id, first.players[2].id]


@pytest.mark.parametrize(
    ("game", "players", "options", "sentence"),
    [
        ("chess", PLAYERS[:2], {}, "There is no game “chess”"),
        ("pipline", PLAYERS, {}, "for 2 players"),
        ("pipline", PLAYERS[:2], {"size": 99}, "size"),
        ("pipline", PLAYERS[:2], {"colour": "red"}, "colour"),
        ("pipline", ("ann@a.example", "ANN@a.example"), {}, "named twice"),
        ("pipline", ("ann@a.example", "Nobody"), {}, "Nobody here is called “Nobody”"),
        ("pipline", ("ann@a.example", ADDRESS), {}, "service itself"),
        ("pipline", ("ann@a.example", "games+x@play.example"), {}, "service itself"),
        ("pipline", ("ann@a.example", "a@b <bob@b.example>"), {}, "no @"),
        ("pipline", ("ann@a.example", "Bob <bob@>"), {}, "no mail address"),
    ],
)
def test_what_cannot_be_opened_leaves_nothing(
    club: Club, game: str, players: tuple[str, ...], options: dict[str, object], sentence: str
) -> None:
    """The reason is one sentence, and not even a player is kept."""
    with pytest.raises(BadInput, match=sentence):
        club.service.open(game, players, options)
    with club.service.database.reading() as tx:
        assert (tx.matches.all(), tx.players.all(), tx.outbound.latest()) == ([], [], [])


# Who may write


def test_a_reply_is_carried_out(club: Club) -> None:
    """The move is in the record, and the message says what became of it."""
    club.open()
    arrival = club.reply(0, "c3\nGood luck")
    assert (arrival.message.status, arrival.message.commands) == ("accepted", ("c3",))
    assert (arrival.message.match, arrival.message.seat) == (1, 0)
    assert club.moves() == ["c3"]
    assert club.match().comments[0].text == "Good luck"


def test_the_same_message_twice_is_carried_out_once(club: Club) -> None:
    """A second delivery is reported as such, and leads to nothing."""
    club.open()
    raw = club.answer(club.newest(0), "c3")
    first, second = club.service.hand_in(raw), club.service.hand_in(raw)
    assert (first.duplicate, second.duplicate) == (False, True)
    assert (second.message.id, second.outbound) == (first.message.id, ())
    assert club.moves() == ["c3"]


def test_the_same_move_in_another_message_does_nothing(club: Club) -> None:
    """A move that was sent twice is kept, and not answered."""
    club.open()
    mail = club.newest(0)
    club.service.hand_in(club.answer(mail, "c3"))
    again = club.service.hand_in(club.answer(mail, "C3"))
    assert (again.message.status, again.outbound) == ("discarded", ())
    stale = club.service.hand_in(club.answer(mail, "c4"))
    assert told(stale) == [("stale_turn", 0)]
    assert club.moves() == ["c3"]


def test_the_right_token_from_a_wrong_address_does_nothing(club: Club) -> None:
    """Whoever gets hold of a reply token cannot write in the player's name."""
    club.open()
    forged = club.reply(0, "c3", From="Mallory <mallory@m.example>")
    assert (forged.message.status, forged.message.reason) == ("rejected", "unknown_address")
    assert [mail.recipient for mail in forged.outbound] == ["ann@a.example"]
    other = club.reply(0, "c3", From="bob@b.example")
    assert (other.message.status, other.message.reason) == ("rejected", "unknown_match")
    assert club.moves() == []


def test_a_forged_token_does_nothing(club: Club) -> None:
    """A reply token that we did not sign leads to no match: its sender is told which matches he plays in."""
    club.open()
    arrival = club.reply(0, "c3", To=f"games+1.0.0.{'a' * 10}@play.example", In_Reply_To="", References="")
    assert (arrival.message.status, arrival.message.reason) == ("rejected", "unknown_match")
    assert club.moves() == []


def test_a_player_without_a_token_is_told_his_matches(club: Club) -> None:
    """The running matches are listed, with whose turn it is; ten times a day, and then the message says why not."""
    club.open()
    club.open("zipline", PLAYERS)
    club.open()
    club.reply(1, "resign", match=3)
    raw = message("c3", From="ann@a.example", To=ADDRESS, Subject="my move")
    arrival = club.service.hand_in(raw)
    text = text_of(club.mail(arrival.outbound[0]))
    assert "- 1, Pipline: It is your turn.\n- 2, Zipline: It is your turn.\n" in text
    assert "- 3" not in text
    assert "“my move”" in text
    assert str(club.mail(arrival.outbound[0])["To"]) == PLAYERS[0]
    again = [club.service.hand_in(raw + b"again\n" * count) for count in range(1, 11)]
    assert [len(one.outbound) for one in again] == [1] * 9 + [0]
    assert again[-1].message.detail.startswith("not answered: ")


def test_a_stranger_gets_one_answer_a_day(club: Club) -> None:
    """Not more, so that no machine is fed; and nobody else does."""
    answers = []
    for number in range(4):
        raw = message("hello", From="x@y.example", Reply_To="z@z.example", Message_ID=f"<{number}@y.example>")
        answers.append([mail.recipient for mail in club.service.hand_in(raw).outbound])
        club.clock.advance(timedelta(hours=9))
    assert answers == [["x@y.example"], [], [], ["x@y.example"]]


def test_a_player_gets_ten_answers_of_a_kind_a_day(club: Club) -> None:
    """A machine that answers our answers comes to an end."""
    club.open()
    assert sum(len(club.reply(0, "What?  " * 9).outbound) for _ in range(15)) == 10
    club.clock.advance(timedelta(days=1, seconds=1))
    assert len(club.reply(0, "What now? I do not know").outbound) == 1


def test_a_player_may_write_in_any_message_case_of_his_address(club: Club) -> None:
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


@pytest.mark.parametrize("header", AUTOMATIC, ids=lambda header: header[:40])
def test_automatic_mail_is_never_answered(club: Club, header: str) -> None:
    """Kept, discarded, and neither carried out nor answered, though it carries a good tag."""
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
    club.service.process(number)
    assert (messages(club)[0].status, messages(club)[0].reason) == ("rejected", "too_large")
    assert club.moves() == []


# What a message may hold


def test_an_answer_above_an_unmarked_quotation_says_only_what_is_new(club: Club) -> None:
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


def test_private_words_of_an_older_mail_are_known_too(club: Club) -> None:
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


def test_a_player_may_write_again_what_he_wrote(club: Club) -> None:
    """Words that a rejection or a receipt shows to their sender are their own when he sends them once more."""
    club.open("zipline", PLAYERS)
    words = "I hope that all of you are well and had a very nice weekend"
    assert club.reply(1, f"a1 b2 c3\n{words}").message.reason == "not_your_turn"
    assert club.reply(1, f"say: {words}").message.status == "accepted"
    club.reply(0, "d4")
    assert club.reply(1, f"a1 b2 c3\n{words}").message.commands == ("a1 b2 c3",)
    assert club.match().comments[-1].text == words


def test_strangers_get_not_too_many_answers_in_all(club: Club) -> None:
    """Whoever invents addresses does not make us write to all of them."""
    raw = [message("hello", From=f"victim+{number}@v.example", To=ADDRESS) for number in range(60)]
    assert sum(len(club.service.hand_in(one).outbound) for one in raw) == 50


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_message_ends_within_a_second(club: Club, raw: bytes) -> None:
    """Whatever arrives ends in one of the four ways, at once, with its bytes kept; and the line goes on."""
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
        assert tx.inbound.raw(arrival.message.id)[0] == hostile
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


# One message, one transaction


def test_a_bug_ends_one_message_and_the_line_goes_on(new_club: MakeClub) -> None:
    """Nothing of the message's effects is kept, its bytes are, the operator is told, and the next message is settled."""
    failing = True

    def at(passed: str) -> None:
        if passed == "while processing" and failing:
            raise ZeroDivisionError("a bug")

    club = new_club(at=at)
    club.open()
    raw = club.answer(club.newest(0), "c3\nhello")
    arrival = club.service.hand_in(raw)
    assert (arrival.message.status, arrival.message.reason) == ("failed", "ZeroDivisionError: a bug")
    assert "Traceback" in arrival.message.detail
    assert (club.moves(), club.match().comments) == ([], ())
    assert [(mail.kind, mail.recipient) for mail in arrival.outbound] == [("letter_failed", OPERATOR)]
    with club.service.database.reading() as tx:
        assert tx.inbound.raw(arrival.message.id) == (raw, True)
    assert "ZeroDivisionError: a bug" in text_of(club.mail(arrival.outbound[0]))
    club.reply(0, "c3")
    assert len(club.queued(kind="letter_failed")) == 1  # once an hour
    failing = False
    assert club.reply(0, "d4").message.status == "accepted"


def test_a_failed_message_can_be_settled_later(new_club: MakeClub) -> None:
    """Once the bug is mended, the message that met it is settled as if it had just come."""

    def at(waypoint: str) -> None:
        if waypoint == "while processing":
            raise ZeroDivisionError

    club = new_club(at=at)
    club.open()
    number = club.reply(0, "c3").message.id
    mended = new_club()
    with mended.service.database.transaction() as tx:
        tx.inbound.finish(number, Disposition("received"), mended.clock.now())
    assert mended.service.process_waiting() == 1
    assert mended.moves() == ["c3"]
    assert messages(mended)[0].status == "accepted"


def test_a_message_whose_process_died_is_settled_when_it_is_handed_in_again(new_club: MakeClub) -> None:
    """An email server that was not answered tries again: the message it hands in is then carried out, once."""
    dying = True

    def at(waypoint: str) -> None:
        if waypoint == "before processing" and dying:
            raise Kill

    club = new_club(at=at)
    club.open()
    raw = club.answer(club.newest(0), "c3")
    with pytest.raises(Kill):
        club.service.hand_in(raw)
    dying = False
    arrival = club.service.hand_in(raw)
    assert (arrival.message.status, arrival.duplicate) == ("accepted", False)
    assert club.service.hand_in(raw).duplicate
    assert club.moves() == ["c3"]


def test_names_count_without_message_case_in_every_alphabet(club: Club) -> None:
    """A player is found by his name however it is written, and a second of that name gets a number."""
    club.service.open("pipline", ["Änne <aenne@example.org>", "Bob <b@example.org>"], {})
    assert club.service.open("pipline", ["änne", "Bob"], {}).players[0].email == "aenne@example.org"
    match = club.service.open("pipline", ["ÄNNE <other@example.org>", "Bob"], {})
    assert match.players[0].name == "ÄNNE 2"


async def test_refused_logins_do_not_use_up_a_mail(new_club: MakeClub) -> None:
    """Nothing is wrong with an email when the server refuses us: however long that lasts, it is tried after it."""
    club = new_club(courier=FakeCourier(*[LoginRefused("535 no")] * 60, TransientFailure("451 later")))
    club.open()
    for _ in range(60):
        with pytest.raises(LoginRefused):
            await club.service.deliver()
        club.clock.advance(timedelta(minutes=15))
    await club.service.deliver()
    assert club.queued(status="refused") == []


def test_what_is_settled_stays_settled(new_club: MakeClub) -> None:
    """Two workers that come to the same message carry it out once, and tell its sender once."""
    second = new_club()
    second.open()
    first_is_done = False

    def at(waypoint: str) -> None:
        nonlocal first_is_done
        if waypoint == "before processing" and not first_is_done:
            first_is_done = True
            second.service.process(1)

    club = new_club(at=at)
    arrival = club.reply(0, "c3")
    assert (arrival.message.status, told(arrival)) == ("accepted", [("move_made", 0), ("your_turn", 1)])
    assert club.moves() == ["c3"]


# The mailbox


async def test_polling_an_empty_database_starts_at_the_end(new_club: MakeClub) -> None:
    """A mailbox full of other mail is not read through."""
    mailbox = FakeMailbox()
    mailbox.put(*[message("old", From="x@y.example", Message_ID=f"<{n}@y>") for n in range(5)])
    club = new_club(mailbox=mailbox)
    assert await club.service.poll() == 0
    mailbox.put(message("new", From="x@y.example"))
    assert await club.service.poll() == 1
    assert len(messages(club)) == 1


async def test_each_message_is_fetched_once(new_club: MakeClub) -> None:
    """The cursor goes on with what is stored, over several passes and batches."""
    club = new_club()
    club.open()
    await club.service.poll()
    for text in ("help", "show", "c3"):
        club.mailbox.put(club.answer(club.newest(0), text))
    assert await club.service.poll() == 3
    assert await club.service.poll() == 0
    assert club.moves() == ["c3"]
    with club.service.database.reading() as tx:
        cursor = tx.inbound.cursor(club.mailbox.name)
    assert cursor is not None
    assert cursor.last_uid == 3


async def test_a_renumbered_mailbox_repeats_nothing(new_club: MakeClub) -> None:
    """After a change of UIDVALIDITY all messages since our first email come again: none is applied twice."""
    club = new_club()
    club.open()
    club.mailbox.put(club.answer(club.newest(0), "c3"))
    await club.service.poll()
    before = state(club)
    club.mailbox.uidvalidity = 8
    assert await club.service.poll() == 0
    assert club.mailbox.asked_since == (club.clock.now() - timedelta(days=1)).date()
    assert state(club) == before
    club.mailbox.put(club.answer(club.newest(1), "take"))
    assert await club.service.poll() == 1
    assert club.moves() == ["c3", "take"]


# The outbox


async def test_what_is_queued_is_sent_once(club: Club) -> None:
    """A pass sends what is due, the oldest first, as it was written."""
    club.open()
    assert await club.service.deliver() == DeliveryReport(sent=2)
    assert await club.service.deliver() == DeliveryReport()
    assert [recipient for recipient, _ in club.courier.carried] == ["ann@a.example", "bob@b.example"]
    assert {mail.status for mail in club.queued()} == {"sent"}
    assert read(club.courier.carried[0][1])["Message-ID"] == club.queued()[0].message_id


async def test_a_mail_that_cannot_be_sent_now_is_sent_later(new_club: MakeClub) -> None:
    """The delay doubles up to six hours; the email stays the same to the byte."""
    club = new_club(courier=FakeCourier(None, *[TRANSIENT] * 12))
    club.open()
    assert await club.service.deliver() == DeliveryReport(sent=1, deferred=1)
    waits = []
    while (mail := club.queued()[1]).status == "queued":
        assert mail.error == "451 try again later"
        waits.append(mail.due_at - club.clock.now())
        club.clock.advance(waits[-1] - timedelta(seconds=1))
        assert await club.service.deliver() == DeliveryReport()
        club.clock.advance(timedelta(seconds=1))
        await club.service.deliver()
    minutes = [wait / timedelta(minutes=1) for wait in waits]
    assert minutes == [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360]
    with club.service.database.reading() as tx:
        assert club.courier.carried[-1] == ("bob@b.example", tx.outbound.raw(mail.id))


async def test_after_five_days_a_mail_is_given_up(new_club: MakeClub) -> None:
    """It is then refused, with the last reason, and visible as such."""
    club = new_club(courier=FakeCourier(None, *[TRANSIENT] * 100))
    club.open()
    opened_at = club.clock.now()
    await club.service.deliver()
    while club.queued()[1].status == "queued":
        club.clock.advance(timedelta(hours=1))
        await club.service.deliver()
    assert timedelta(days=4, hours=12) < club.clock.now() - opened_at <= timedelta(days=5, hours=12)
    assert club.queued()[1].status == "refused"
    assert club.queued()[1].error.endswith("451 try again later")


async def test_a_mail_that_can_never_be_sent_is_refused(new_club: MakeClub) -> None:
    """It is not tried again, and the others go out."""
    club = new_club(courier=FakeCourier(PermanentFailure("550 no such user")))
    club.open()
    assert await club.service.deliver() == DeliveryReport(sent=1, refused=1)
    assert [(mail.status, mail.error) for mail in club.queued(status="refused")] == [("refused", "550 no such user")]
    club.clock.advance(timedelta(days=1))
    assert await club.service.deliver() == DeliveryReport()


async def test_after_three_failures_in_a_row_a_pass_ends(new_club: MakeClub) -> None:
    """A server that is down is not asked for every email; one failure among others does not end the pass."""
    club = new_club(courier=FakeCourier(TRANSIENT, None, TRANSIENT, TRANSIENT, TRANSIENT))
    for _ in range(4):
        club.open()
    assert await club.service.deliver() == DeliveryReport(sent=1, deferred=4)
    assert len([mail for mail in club.queued() if mail.attempts == 0]) == 3


async def test_a_refused_login_stops_the_pass(new_club: MakeClub) -> None:
    """It is raised, for it needs a person; the email is tried again in a minute."""
    club = new_club(courier=FakeCourier(LoginRefused("535 wrong password")))
    club.open()
    with pytest.raises(LoginRefused):
        await club.service.deliver()
    assert [mail.status for mail in club.queued()] == ["queued", "queued"]
    club.clock.advance(timedelta(minutes=1))
    assert await club.service.deliver() == DeliveryReport(sent=2)


async def test_two_workers_do_not_send_the_same_mail(new_club: MakeClub) -> None:
    """While one is sending, the other leaves that email alone."""
    other = new_club()
    passes: list[DeliveryReport] = []

    class SlowCourier(FakeCourier):
        """A courier during whose work the other worker makes a pass."""

        async def send(self, sender: str, recipient: str, raw: bytes) -> None:
            """Let the other work first."""
            if not passes:
                passes.append(await other.service.deliver())
            await super().send(sender, recipient, raw)

    club = new_club(courier=SlowCourier())
    club.open()
    assert await club.service.deliver() == DeliveryReport(sent=1)
    assert passes == [DeliveryReport(sent=1)]
    assert len({raw for _, raw in club.courier.carried + other.courier.carried}) == 2


# A crash anywhere


async def _evening(club: Club, raw: list[bytes]) -> None:
    """Let messages arrive, and do everything there is to do."""
    club.mailbox.messages = list(raw)
    await club.service.poll()
    await club.service.deliver()


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("waypoint", WAYPOINTS)
async def test_a_crash_loses_nothing_and_repeats_nothing(
    new_club: MakeClub, tmp_path: Path, waypoint: str, count: int
) -> None:
    """Killed at any point and started again, the service ends where an undisturbed one ends.

    At most one email is sent twice, and the Message-ID tells it.
    """
    setting = new_club()
    setting.open()
    wanted = ((0, "help"), (0, "c3\nhello"), (1, "show"), (1, "say: hm"), (0, "c4"))
    raw = [setting.answer(setting.newest(seat), text) for seat, text in wanted]
    await setting.service.deliver()
    before = tmp_path / "before.db"
    setting.service.database.copy_to(before)
    await _evening(setting, raw)
    undisturbed = state(setting)
    setting.service.database.close()
    with sqlite3.connect(before) as source, sqlite3.connect(tmp_path / "pbem.db") as target:
        source.backup(target)
    source.close()
    target.close()
    passed = 0

    def at(here: str) -> None:
        nonlocal passed
        passed += here == waypoint
        if here == waypoint and passed == count:
            raise Kill

    crashing = new_club(at=at)
    with pytest.raises(Kill):
        await _evening(crashing, raw)
    crashing.service.database.close()
    restarted = new_club(clock=FakeClock(), courier=crashing.courier)
    restarted.clock.advance(timedelta(minutes=6))
    await _evening(restarted, raw)
    assert state(restarted) == undisturbed
    sent = [str(read(mail)["Message-ID"]) for _, mail in restarted.courier.carried]
    assert len(sent) - len(set(sent)) <= 1
    assert len(set(sent)) == len([mail for mail in restarted.queued() if mail.inbound])


# Whole matches


def play(club: Club, seed: int) -> Iterator[tuple[int, Arrival]]:
    """Play match 1 at random to its end, each player answering the newest email to him."""
    random = Random(seed)
    while (match := club.match()).outcome is None:
        assert isinstance(match.to_act, int)
        yield match.to_act, club.reply(match.to_act, str(match.position.any_move(random.randrange)))


def test_a_match_of_three_is_played_by_replying_alone(club: Club) -> None:
    """From the first email to the last, everybody gets one email a move, in one thread, and the last says who won."""
    club.open("zipline", PLAYERS)
    for _, arrival in play(club, 4):
        assert arrival.message.status == "accepted"
        assert [mail.seat for mail in arrival.outbound] == [0, 1, 2]
    plies = club.match().ply
    for seat in range(3):
        mails = [mail for mail in club.queued() if mail.seat == seat]
        assert len(mails) == plies + 1
        assert [mail.kind for mail in mails][0 :: len(mails) - 1] == ["opened", "match_over"]
        assert club.newest(seat)["References"].split()[0] == mails[0].message_id
        assert club.newest(seat)["In-Reply-To"] == mails[-2].message_id
    winners = club.match().outcome
    assert winners is not None
    for seat in range(3):
        assert ("You" in text_of(club.newest(seat)).split(" won:")[0].split(". ")[-1]) == (seat in winners.winners)


def test_after_the_end_there_are_only_words(club: Club) -> None:
    """Moves are answered with the result; a last word still reaches everybody."""
    club.open("zipline", PLAYERS)
    early = club.newest(1)
    club.reply(0, "take")
    club.reply(0, "resign")
    assert [seat for _, seat in told(club.reply(1, "a1"))] == [1]
    assert club.reply(2, "resign").message.reason == "already_over"
    assert club.service.hand_in(club.answer(early, "c3")).message.reason == "already_over"
    assert told(club.reply(1, "say: thank you")) == [("remark", 0), ("passed_on", 1), ("remark", 2)]
    assert club.moves() == ["take", "resign"]


def test_a_partner_plays_on_alone(club: Club) -> None:
    """Who stays of two partners plays both turns, each time asked by an email, and may send both at once."""
    club.open("zipline", PLAYERS)
    club.reply(0, "take")
    club.reply(1, "resign\nSorry, I have to leave")
    assert club.match().to_act == 2
    assert "your_turn" in [kind for kind, seat in told(club.reply(2, "a1")) if seat == 2]
    assert ("your_turn", 0) in told(club.reply(2, "a2"))
    assert told(club.reply(0, "c3")) == [("move_made", 0), ("your_turn", 2)]
    assert club.reply(2, "b4\nb5").message.commands == ("b4", "b5")
    assert club.match().to_act == 0


def test_what_partners_say_stays_between_them(club: Club, tmp_path: Path) -> None:
    """A team line is in no email to the other side, in none of its kinds, and on no page of the archive."""
    club.open("zipline", PLAYERS)
    club.reply(0, "take")
    long = "team: SECRET one, I would like to block him on the left side before"
    for seat, text in (
        (1, "a1\nteam: SECRET two"),
        (2, "team: SECRET three\na2\nteam: SECRET four"),
        (0, "c3"),
        (1, f"team: SECRET five\n{long}\nhe sees the SECRET six\n\nb1\nGood luck\n{long}\nand SECRET seven"),
        (2, "team: SECRET eight; resign"),
        (2, "resign; team: SECRET nine"),
    ):
        assert club.reply(seat, text).message.status == "accepted"
    for text in ("say: hm", "help", "show", "z99", "what is this", "team: x", "c4"):
        club.reply(0, text)
    club.reply(1, "resign\nteam: SECRET ten")
    readers = {mail.seat for mail in club.queued() if b"SECRET" in _plain(club, mail.id)}
    assert readers == {1, 2}
    assert sum(comment.to_side for comment in club.match().comments) == 8
    pages.write_match(club.match(), tmp_path)
    assert all("SECRET" not in path.read_text() for path in tmp_path.rglob("*.*") if path.suffix in (".html", ".txt"))


def _plain(club: Club, number: int) -> bytes:
    """Return all that an email holds, decoded."""
    with club.service.database.reading() as tx:
        mail = read(tx.outbound.raw(number))
    return (str(mail["Subject"]) + text_of(mail) + html_of(mail)).encode()


def test_a_message_costs_the_same_however_many_matches_run(club: Club) -> None:
    """With two hundred matches open, a message takes as many statements as with one, whatever it asks for."""
    counts: dict[str, list[int]] = {}
    statements = 0

    def count(*_: object) -> None:
        nonlocal statements
        statements += 1

    event.listen(Engine, "before_cursor_execute", count)
    try:
        for number in (1, 200):
            while club.open().id < number:
                pass
            for rest in ("say: hello", "help", "hello there, what now", "c3"):
                reply = club.answer(club.newest(0, number), rest)
                statements = 0
                assert club.service.hand_in(reply).message.status in ("accepted", "rejected")
                counts.setdefault(rest, []).append(statements)
    finally:
        event.remove(Engine, "before_cursor_execute", count)
    assert all(few == many > 0 for few, many in counts.values()), counts


@pytest.mark.servers
def test_two_hundred_matches_are_played_at_once(club: Club) -> None:
    """One move in each of two hundred matches: every one is where it belongs."""
    for _ in range(200):
        club.open()
    mails = {mail.match: mail for mail in club.queued() if mail.seat == 0}
    moves = ["a1", "b2", "c3", "d4", "e5"]
    raw = [club.answer(club.mail(mails[number]), moves[number % 5]) for number in range(1, 201)]
    club.service.receive(Fetched(one) for one in raw)
    assert club.service.process_waiting() == 200
    with club.service.database.reading() as tx:
        assert [match.record[0].text for match in tx.matches.all()] == [moves[n % 5] for n in range(1, 201)]
