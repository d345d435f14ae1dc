"""Bounces that arrive: what is counted for which player, and when the operator is told."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest

from pbem.cli.app import main
from pbem.commands.grammar import reads_as_command
from pbem.mail.envelope import envelope_sender
from pbem.settings.model import Settings
from pbem.storage.messages.records import MANY_SOFT, BouncingAddress, InboundRecord, OutboundRecord
from tests.support.bounces import SERVERS, addressed, postfix
from tests.support.club import ADDRESS, OPERATOR, SECRET, Club
from tests.support.counting import counting
from tests.support.mails import html_of, text_of

WEEK = timedelta(days=7)


def counted(club: Club) -> list[tuple[str, int, int]]:
    """Return the addresses from which mail came back, with how many soft and hard bounces."""
    with club.service.database.reading() as tx:
        return [(one.email, one.soft, one.hard) for one in tx.players.bouncing()]


def come_back(club: Club, seat: int = 0, status: str = "5.1.1", match: int = 1) -> InboundRecord:
    """Let the newest email to a seat come back, as Postfix tells it."""
    club.written += 1
    sent = newest(club, seat, match)
    raw = postfix(club.mail(sent), status).replace(b"Message-Id: <", f"Message-Id: <{club.written}.".encode())
    return club.service.hand_in(addressed(raw, club.envelope_of(sent))).message


def newest(club: Club, seat: int, match: int = 1) -> OutboundRecord:
    """Return the record of the newest email to a seat."""
    return [mail for mail in club.queued() if (mail.match, mail.seat) == (match, seat)][-1]


@pytest.mark.parametrize("server", ["Postfix", "Exim, delay", "Outlook.com", "headers only"])
def test_a_bounce_is_counted_for_the_seat_it_is_about(club: Club, server: str) -> None:
    """It is kept as a bounce, about the right email and seat, with how bad it is, and never answered to its sender."""
    make, told = SERVERS[server]
    club.open()
    sent = club.queued()[-1]
    arrival = club.service.hand_in(addressed(make(club.newest(1)), club.envelope_of(sent)))
    assert (arrival.message.status, arrival.message.reason) == ("discarded", "bounce")
    assert arrival.message.detail == f"mail {sent.id} to bob@b.example: {told}"
    assert (arrival.message.match, arrival.message.seat) == (1, 1)
    assert {mail.recipient for mail in arrival.outbound} <= {OPERATOR}
    soft, hard = told.startswith("soft"), told.startswith("hard")
    assert counted(club) == ([("bob@b.example", soft, hard)] if soft or hard else [])


def forged(club: Club, raw: bytes) -> None:
    """Hand in a bounce that proves nothing: it is kept as one, counts for nobody, and nobody is told."""
    club.written += 1
    arrival = club.service.hand_in(raw.replace(b"Message-Id: <", f"Message-Id: <{club.written}.".encode(), 1))
    assert (arrival.message.status, arrival.message.reason, arrival.duplicate) == ("discarded", "bounce", False)
    assert (arrival.message.match, arrival.message.seat, arrival.outbound) == (None, None, ())
    assert counted(club) == []


def test_a_leaked_reply_token_forges_no_bounce(club: Club) -> None:
    """Whoever has an email of somebody else, or one from long ago, knows its reply token, and may return all of it."""
    club.open()
    asyncio.run(club.service.deliver())
    mail = club.newest(1)
    to = str(mail["Reply-To"].addresses[0].addr_spec)
    forged(club, f"Return-Path: <>\nFrom: MAILER-DAEMON@b.example\nTo: {to}\n\n550 5.1.1 User unknown\n".encode())
    for make, _ in SERVERS.values():
        forged(club, addressed(make(mail), to))


def test_a_message_id_forges_no_bounce(club: Club) -> None:
    """It stands in every reply that others get; an email with an envelope sender of its own is not found by it."""
    club.open()
    asyncio.run(club.service.deliver())
    for make, _ in SERVERS.values():
        forged(club, make(club.newest(1)))


def test_an_envelope_sender_that_is_made_up_forges_no_bounce(club: Club) -> None:
    """Another mac, another number, a number that no email has: none is proved."""
    club.open()
    mail = postfix(club.newest(1))
    first, second = club.queued()
    number, _, mac = club.envelope_of(first).partition("+b")[2].partition("@")[0].partition(".")
    for token in (f"{second.id}.{mac}", f"{number}.{'a' * 10}", f"99.{mac}", f"9999999999.{mac}", f"{number}."):
        forged(club, addressed(mail, f"games+b{token}@play.example"))


def test_a_restored_database_leaves_nobody_a_bounce_of_others(club: Club) -> None:
    """Numbers are given again after a copy was restored; an old envelope sender is of the old recipient alone."""
    club.open()
    second = club.queued()[1]
    forged(club, addressed(postfix(club.newest(1)), envelope_sender(ADDRESS, second.id, "carl@c.example", SECRET)))


def test_a_bounce_of_ones_own_notice_harms_nobody_else(club: Club) -> None:
    """Who was written to knows that envelope sender, and may put others' names everywhere: it counts for himself."""
    club.open()
    asyncio.run(club.service.deliver())
    first, second = club.queued()
    raw = postfix(club.mail(second)).replace(b"MAILER-DAEMON@mx.play.example", b"bob@b.example")
    forged_by_ann = addressed(raw, club.envelope_of(first))
    message = club.service.hand_in(forged_by_ann).message
    assert (message.reason, message.match, message.seat) == ("bounce", 1, 0)
    assert counted(club) == [("ann@a.example", 0, 1)]
    both = f"{club.envelope_of(first)}, {club.envelope_of(first)}".encode()
    club.service.hand_in(forged_by_ann.replace(b"Message-Id: <", b"Message-Id: <2").replace(ADDRESS.encode(), both))
    assert counted(club) == [("ann@a.example", 0, 1)]


def test_a_bounce_counts_for_two_weeks(club: Club) -> None:
    """Servers give up sooner; an envelope sender that leaks later forges nothing."""
    club.open()
    asyncio.run(club.service.deliver())
    mail = addressed(postfix(club.newest(1)), club.envelope_of(club.queued()[1]))
    club.clock.advance(2 * WEEK)
    forged(club, mail)
    club.open()
    asyncio.run(club.service.deliver())
    club.clock.advance(2 * WEEK - timedelta(seconds=1))
    assert come_back(club, 1, match=2).detail == "mail 4 to bob@b.example: hard (5.1.1)"


def test_emails_sent_with_the_plain_address_come_back_for_two_weeks(club: Club) -> None:
    """They have no envelope sender of their own: what comes back soon is found by its Message-ID."""
    club.open()
    with club.service.database.transaction() as tx:
        for mail in club.queued():
            tx.outbound.note_attempt(mail.id, "sent", "", club.clock.now(), "plain")
    first, second = (postfix(club.newest(seat)) for seat in (0, 1))
    assert club.service.hand_in(first).message.detail == "mail 1 to ann@a.example: hard (5.1.1)"
    assert counted(club) == [("ann@a.example", 0, 1)]
    club.reply(0, "show")
    club.clock.advance(2 * WEEK)
    forged(club, second.replace(b"5.1.1.4XkQ", b"4XkQ"))


def test_emails_sent_with_the_plain_address_come_back_by_their_message_id(club: Club) -> None:
    """Nothing else is there where the server takes no other sender: that of this very email, and no reply token."""
    club.courier.takes_plain_alone = True
    club.open()
    asyncio.run(club.service.deliver())
    assert club.courier.senders == [ADDRESS, ADDRESS]
    mail = club.newest(1)
    stripped = postfix(mail).replace(str(mail["Message-ID"]).encode(), b"<1@relay.example>")
    forged(club, addressed(stripped, str(mail["Reply-To"].addresses[0].addr_spec)))
    assert club.service.hand_in(postfix(mail)).message.detail == "mail 2 to bob@b.example: hard (5.1.1)"


@pytest.mark.parametrize("header", ["Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To"])
def test_a_bounce_is_known_by_whatever_header_names_where_it_arrived(club: Club, header: str) -> None:
    """Some servers write to nobody in particular, in capitals, or with the plus sign encoded."""
    club.open()
    to = club.envelope_of(club.queued()[1]).upper().replace("+", "%2B")
    head = f"Return-Path: <>\n{header}: {to}\nFrom: MAILER-DAEMON@b.example\nTo: undisclosed-recipients:;\n"
    club.service.hand_in(f"{head}\n550 5.1.1 User unknown\n".encode())
    assert counted(club) == [("bob@b.example", 0, 1)]


def test_many_false_envelope_senders_cost_little(club: Club) -> None:
    """Of all that a bounce claims a few are looked up."""
    club.open()
    to = ", ".join(f"games+b{number}.aaaaaaaaaa@play.example" for number in range(400))
    with counting() as one:
        forged(club, addressed(postfix(club.newest(1)), ADDRESS))
    with counting() as many:
        forged(club, addressed(postfix(club.newest(1)), to))
    assert one["statements"] < many["statements"] <= one["statements"] + 5


def test_an_absent_player_who_answers_to_the_envelope_sender_is_no_bounce(club: Club) -> None:
    """Programs that answer for people write to that address, as they should (RFC 3834, 4)."""
    club.open()
    to = club.envelope_of(club.queued()[1])
    mail, words = club.newest(1), "I am away. 550 5.1.1 User unknown"
    away = {"To": to, "Subject": "Out of office", "Auto_Submitted": "auto-replied", "Return_Path": "<>"}
    message = club.service.hand_in(club.answer(mail, words, **away)).message
    assert (message.status, message.reason) == ("discarded", "automatic")
    assert counted(club) == []


def test_a_person_who_writes_to_the_envelope_sender_is_answered(club: Club) -> None:
    """It is no reply token: such a message is like any other without one, so its move is asked about."""
    club.open()
    to = club.envelope_of(club.queued()[0])
    fresh = club.reply(0, "c3", To=to, In_Reply_To="", References="").message
    assert (fresh.status, fresh.code) == ("rejected", "unproven")
    assert club.moves() == []
    assert club.reply(0, "c3", To=to).message.status == "accepted"
    assert counted(club) == []


def test_bounces_do_not_flood_the_operator(club: Club) -> None:
    """Who forges bounces of his own notices, under many addresses, makes one email in an hour, which names them all."""
    for number in range(30):
        club.open(players=(f"p{number}@a.example", "bob@b.example"))
        come_back(club, 0, match=number + 1)
        asyncio.run(club.service.deliver())
        club.clock.advance(timedelta(seconds=1))
    assert len(counted(club)) == 30
    assert len(club.queued(kind="needs")) == 1
    club.clock.advance(timedelta(hours=1))
    asyncio.run(club.service.deliver())
    assert len(club.queued(kind="needs")) == 2
    assert text_of(club.mail(club.queued(kind="needs")[-1])).count("comes back or is refused (once") == 30


def test_each_mail_that_comes_back_counts_once(club: Club) -> None:
    """A second report about the same mail, and the first one settled again, change nothing."""
    club.open()
    first = come_back(club, 1, "4.4.7")
    assert come_back(club, 1).detail.endswith(": hard (5.1.1), counted before")
    with club.service.database.transaction() as tx:
        assert tx.inbound.requeue(first.id)
    club.service.processing.process(first.id)
    assert counted(club) == [("bob@b.example", 1, 0)]
    (mail,) = [mail for mail in club.queued() if mail.seat == 1]
    assert mail.error == f"came back: soft (4.4.7) (letter {first.id})"


def test_a_message_of_the_player_ends_the_count(club: Club) -> None:
    """Whoever writes is there, from whichever address: what came back before is forgotten, of theirs alone."""
    club.open()
    come_back(club, 0, "4.4.7")
    come_back(club, 1)
    assert counted(club) == [("ann@a.example", 1, 0), ("bob@b.example", 0, 1)]
    club.reply(0, "c3")
    assert counted(club) == [("bob@b.example", 0, 1)]
    club.reply(1, "I am away", Auto_Submitted="auto-replied")
    assert counted(club) == [("bob@b.example", 0, 1)], "a machine is not the player"
    with club.service.database.transaction() as tx:
        tx.players.add_address(club.match().players[1], "bob@home.example")
    club.reply(1, "show", From="bob@home.example")
    assert counted(club) == []


def test_the_operator_is_told_of_a_hard_bounce(club: Club) -> None:
    """The email says whose email comes back, in which matches they are waited for, and what to do."""
    club.open()
    club.open("zipline", ("ann@a.example", "bob@b.example", "carl@c.example"))
    come_back(club, 1)
    come_back(club, 1, "5.7.1", match=2)
    asyncio.run(club.service.deliver())
    (told,) = club.queued(kind="needs")
    assert (told.recipient, told.subject) == (OPERATOR, "[pbem] 1 new thing for you to look at")
    text = text_of(club.mail(told))
    plain = " ".join(text.split())
    assert "Email to b…@b.example comes back or is refused (2 times, last on 2026-11-20)" in plain
    assert "gets no emails about matches 1, 2." in plain
    assert "“pbem player address 2 --main …”" in plain
    assert "bob@" not in text + html_of(club.mail(told))
    assert not any(reads_as_command(line, None) for line in text.splitlines())
    club.clock.advance(WEEK)
    asyncio.run(club.service.deliver())
    assert len(club.queued(kind="needs")) == 1, "nothing is new"


def test_the_operator_is_told_when_soft_bounces_are_many(club: Club) -> None:
    """A full mailbox now and then is nobody's business, five times in a row are."""
    for _ in range(MANY_SOFT):
        assert club.queued(kind="needs") == []
        number = club.open().id
        come_back(club, 1, "4.2.2", number)
        asyncio.run(club.service.deliver())
    (told,) = club.queued(kind="needs")
    assert "comes back or is refused (5 times" in " ".join(text_of(club.mail(told)).split())


def test_an_operator_whose_own_mail_comes_back_is_not_written_to(club: Club) -> None:
    """They would not get it, and it would come back too."""
    club.open(players=("ann@a.example", OPERATOR))
    come_back(club, 1)
    assert counted(club) == [(OPERATOR, 0, 1)]
    asyncio.run(club.service.deliver())
    assert club.queued(kind="needs") == []


def test_the_operator_sees_whose_mail_comes_back(
    club: Club, settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``pbem players`` shows every bouncing address, ``pbem doctor`` the players who get no notices."""

    def pbem(*arguments: str) -> str:
        with pytest.raises(SystemExit):
            main(arguments)
        return capsys.readouterr().out

    for name in ("address", "secret", "database_url"):
        monkeypatch.setenv(f"PBEM_{name.upper()}", getattr(settings, name))

    def messages_row() -> str:
        return next(line for line in pbem("doctor").splitlines() if line[2:].startswith("messages"))

    club.open()
    assert [one["bounced"] for one in json.loads(pbem("players", "--json"))] == [[], []]
    assert messages_row().startswith("✓")
    come_back(club, 0, "4.4.7")
    come_back(club, 1)
    second, first = json.loads(pbem("players", "--json"))
    at = "2026-11-20T18:30:00+00:00"
    assert first["bounced"] == [{"address": "ann@a.example", "soft": 1, "hard": 0, "last_at": at}]
    assert second["bounced"] == [{"address": "bob@b.example", "soft": 0, "hard": 1, "last_at": at}]
    assert "2026-11-20 18:30" in next(line for line in pbem("players").splitlines() if "ann@a.example" in line)
    assert messages_row().startswith("✗")
    assert "bob@b.example" in messages_row()
    asyncio.run(club.service.deliver())
    assert "email came back once, last on 2026-11-20 18:30 UTC: it may not arrive." in pbem("resend", "1", "bob")
    club.reply(0, "resign")
    assert messages_row().startswith("✓"), "nobody waits for them any more"


def test_who_is_unreachable() -> None:
    """One hard bounce, or five soft ones."""
    at = datetime(2026, 11, 20, tzinfo=UTC)
    assert [BouncingAddress("x", 1, soft, hard, at).unreachable for soft, hard in [(4, 0), (5, 0), (0, 1)]] == [
        False,
        True,
        True,
    ]
    assert [BouncingAddress("x", 1, soft, 0, at).times for soft in (1, 3)] == ["once", "3 times"]
