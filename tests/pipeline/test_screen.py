"""Bounces that arrive: what is counted for which player, and when the operator is told."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from pbem.cli import main
from pbem.commands import reads_as_command
from pbem.settings import Settings
from pbem.storage import BouncingAddress, InboundRecord
from pbem.storage.records import MANY_SOFT
from tests.support.bounces import SERVERS, postfix
from tests.support.club import OPERATOR, Club
from tests.support.mails import html_of, text_of

WEEK = timedelta(days=7)


def counted(club: Club) -> list[tuple[str, int, int]]:
    """Return the addresses from which mail came back, with how many soft and hard bounces."""
    with club.service.database.reading() as tx:
        return [(one.email, one.soft, one.hard) for one in tx.players.bouncing()]


def come_back(club: Club, seat: int = 0, status: str = "5.1.1") -> InboundRecord:
    """Let the newest email to a seat come back, as Postfix tells it."""
    club.written += 1
    raw = postfix(club.newest(seat), status).replace(b"Message-Id: <", f"Message-Id: <{club.written}.".encode())
    return club.service.hand_in(raw).message


@pytest.mark.parametrize("server", ["Postfix", "Exim, delay", "Outlook.com", "headers only"])
def test_a_bounce_is_counted_for_the_seat_it_is_about(club: Club, server: str) -> None:
    """It is kept as a bounce, about the right email and seat, with how bad it is, and never answered to its sender."""
    make, told = SERVERS[server]
    club.open()
    sent = club.queued()[-1]
    arrival = club.service.hand_in(make(club.newest(1)))
    assert (arrival.message.status, arrival.message.reason) == ("discarded", "bounce")
    assert arrival.message.detail == f"mail {sent.id} to bob@b.example: {told}"
    assert (arrival.message.match, arrival.message.seat) == (1, 1)
    assert {mail.recipient for mail in arrival.outbound} <= {OPERATOR}
    soft, hard = told.startswith("soft"), told.startswith("hard")
    assert counted(club) == ([("bob@b.example", soft, hard)] if soft or hard else [])


def test_a_bounce_to_an_address_with_a_token_is_of_the_seat_it_names(club: Club) -> None:
    """Servers that answer to Reply-To, and give nothing back of our email, still say which mail it was."""
    club.open()
    to = str(club.newest(1)["Reply-To"])
    raw = f"Return-Path: <>\nFrom: MAILER-DAEMON@b.example\nTo: {to}\nSubject: x\n\n550 5.1.1 User unknown\n".encode()
    message = club.service.hand_in(raw).message
    assert (message.reason, message.match, message.seat) == ("bounce", 1, 1)
    assert counted(club) == [("bob@b.example", 0, 1)]


def test_a_forged_bounce_counts_nothing(club: Club) -> None:
    """Without a Message-ID or a reply token of ours nothing is counted and nobody is told."""
    club.open()
    mail = club.newest(1)
    token = str(mail["Message-ID"])[1:].partition("@")[0]
    forged = postfix(mail).decode()
    for true, false in [(token, "1.0.1.aaaaaaaaaa.0123456789abcdef"), (token.rpartition(".")[0], "1.0.1.aaaaaaaaaa")]:
        forged = forged.replace(true, false)
    arrival = club.service.hand_in(forged.encode())
    assert (arrival.message.status, arrival.message.reason) == ("discarded", "bounce")
    assert (arrival.message.detail, arrival.outbound) == ("no mail of ours is in it", ())
    assert counted(club) == []


def test_an_answer_to_a_stranger_that_comes_back_is_nobodys(club: Club) -> None:
    """Spam with a false sender leads to an answer, and that to a bounce: no player is concerned."""
    club.service.hand_in(b"From: x@nowhere.example\nTo: games@play.example\nMessage-ID: <1@x>\n\nbuy\n")
    arrival = club.service.hand_in(postfix(club.mail(club.queued()[0])))
    assert arrival.message.detail.endswith("to x@nowhere.example: hard (5.1.1), no player's address")
    assert (counted(club), arrival.outbound) == ([], ())


def test_each_mail_that_comes_back_counts_once(club: Club) -> None:
    """A second report about the same mail, and the first one settled again, change nothing."""
    club.open()
    first = come_back(club, 1, "4.4.7")
    assert come_back(club, 1).detail.endswith(": hard (5.1.1), counted before")
    with club.service.database.transaction() as tx:
        assert tx.inbound.requeue(first.id)
    club.service.process(first.id)
    assert counted(club) == [("bob@b.example", 1, 0)]
    (mail,) = [mail for mail in club.queued() if mail.seat == 1]
    assert mail.error == f"came back: soft (4.4.7) (letter {first.id})"


def test_a_message_from_the_address_ends_the_count(club: Club) -> None:
    """Whoever writes is there: what came back before is forgotten, for his address alone."""
    club.open()
    come_back(club, 0, "4.4.7")
    come_back(club, 1)
    assert counted(club) == [("ann@a.example", 1, 0), ("bob@b.example", 0, 1)]
    club.reply(0, "c3")
    assert counted(club) == [("bob@b.example", 0, 1)]
    club.reply(1, "I am away", Auto_Submitted="auto-replied")
    assert counted(club) == [("bob@b.example", 0, 1)], "a machine is not the player"


def test_the_operator_is_told_of_a_hard_bounce_once_a_week(club: Club) -> None:
    """The email says whose email comes back, in which matches he is waited for, and what to do."""
    club.open()
    club.open("zipline", ("ann@a.example", "bob@b.example", "carl@c.example"))
    club.service.hand_in(postfix(club.newest(1)))
    club.service.hand_in(postfix(club.newest(1, match=2), "5.7.1"))
    (told,) = club.queued(kind="bouncing")
    assert (told.recipient, told.subject) == (OPERATOR, "[pbem] Mail to Bob (b…@b.example) comes back")
    text = text_of(club.mail(told))
    plain = " ".join(text.split())
    assert "Mail to Bob (b…@b.example) has come back once since" in plain
    assert "Bob has a seat in matches 1, 2." in plain
    assert f"pbem inbound show {told.inbound} --raw" in plain
    assert "bob@" not in text + html_of(club.mail(told))
    assert not any(reads_as_command(line, None) for line in text.splitlines())
    club.reply(0, "c3")
    come_back(club, 1)
    assert len(club.queued(kind="bouncing")) == 1
    club.clock.advance(WEEK)
    club.reply(0, "show")
    club.reply(1, "show", From="bob@elsewhere.example")
    club.service.hand_in(postfix(club.newest(1), "5.1.2"))
    assert len(club.queued(kind="bouncing")) == 2


def test_the_operator_is_told_when_soft_bounces_are_many(club: Club) -> None:
    """A full mailbox now and then is nobody's business, five times in a row are."""
    for _ in range(MANY_SOFT):
        assert club.queued(kind="bouncing") == []
        number = club.open().id
        club.service.hand_in(postfix(club.newest(1, match=number), "4.2.2").replace(b"<4.2.2", b"<%d" % number))
    (told,) = club.queued(kind="bouncing")
    assert "has come back 5 times since" in " ".join(text_of(club.mail(told)).split())
    assert "just now" in text_of(club.mail(told))


def test_an_operator_whose_own_mail_comes_back_is_not_written_to(club: Club) -> None:
    """He would not get it, and it would come back too."""
    club.open(players=("ann@a.example", OPERATOR))
    come_back(club, 1)
    assert counted(club) == [(OPERATOR, 0, 1)]
    assert club.queued(kind="bouncing") == []


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

    def database_row() -> str:
        return next(line for line in pbem("doctor").splitlines() if line[2:].startswith("database"))

    club.open()
    assert [one["bounced"] for one in json.loads(pbem("players", "--json"))] == [[], []]
    assert database_row().startswith("✓")
    come_back(club, 0, "4.4.7")
    come_back(club, 1)
    first, second = json.loads(pbem("players", "--json"))
    at = "2026-11-20T18:30:00+00:00"
    assert first["bounced"] == [{"address": "ann@a.example", "soft": 1, "hard": 0, "last_at": at}]
    assert second["bounced"] == [{"address": "bob@b.example", "soft": 0, "hard": 1, "last_at": at}]
    assert "2026-11-20 18:30" in next(line for line in pbem("players").splitlines() if "ann@a.example" in line)
    assert database_row().startswith("✗")
    assert "bob@b.example" in database_row()
    club.reply(0, "resign")
    assert database_row().startswith("✓"), "nobody waits for them any more"


def test_who_is_unreachable() -> None:
    """One hard bounce, or five soft ones."""
    at = datetime(2026, 11, 20, tzinfo=UTC)
    assert [BouncingAddress("x", 1, soft, hard, at).unreachable for soft, hard in [(4, 0), (5, 0), (0, 1)]] == [
        False,
        True,
        True,
    ]
    assert [BouncingAddress("x", 1, soft, 0, at).times for soft in (1, 3)] == ["once", "3 times"]
