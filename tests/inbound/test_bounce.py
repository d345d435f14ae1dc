"""Mail that comes back: whose it was, how bad it is, and who is told."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from time import process_time

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from pbem.cli import main
from pbem.inbound.automatic import classify
from pbem.inbound.bounce import read_bounce, returned_ids
from pbem.mail.message import parse
from pbem.notices.wrapping import reads_as_command
from pbem.settings import Settings
from pbem.storage.records import MANY_SOFT, BouncingAddress, InboundRecord
from tests.support.club import ADDRESS, OPERATOR, Club
from tests.support.mails import html_of, text_of

WEEK = timedelta(days=7)


def postfix(mail: EmailMessage, status: str = "5.1.1", words: str = "550 5.1.1 User unknown") -> bytes:
    """Return what Postfix writes when the next server refuses an email for good."""
    return f"""\
Return-Path: <>
Delivered-To: {ADDRESS}
Received: by mx.play.example (Postfix) id 4XkQ1n2kzPz5D; Fri, 20 Nov 2026 18:31:02 +0000 (UTC)
Date: Fri, 20 Nov 2026 18:31:02 +0000 (UTC)
From: MAILER-DAEMON@mx.play.example (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: {ADDRESS}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="4XkQ1m5lZkz4R.1795199462/mx.play.example"
Message-Id: <{status}.4XkQ1n2kzPz5D@mx.play.example>

This is a MIME-encapsulated message.

--4XkQ1m5lZkz4R.1795199462/mx.play.example
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mx.play.example.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

For further assistance, please send mail to postmaster.

If you do so, please include this problem report. You can
delete your own text from the attached returned message.

                   The mail system

<{mail["To"].addresses[0].addr_spec}>: host mx.a.example[192.0.2.7] said: {words} (in reply to
    RCPT TO command)

--4XkQ1m5lZkz4R.1795199462/mx.play.example
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.play.example
X-Postfix-Queue-ID: 4XkQ1m5lZkz4R
X-Postfix-Sender: rfc822; {ADDRESS}
Arrival-Date: Fri, 20 Nov 2026 18:31:00 +0000 (UTC)

Final-Recipient: rfc822; {mail["To"].addresses[0].addr_spec}
Original-Recipient: rfc822;{mail["To"].addresses[0].addr_spec}
Action: failed
Status: {status}
Remote-MTA: dns; mx.a.example
Diagnostic-Code: smtp; {words}

--4XkQ1m5lZkz4R.1795199462/mx.play.example
Content-Description: Undelivered Message
Content-Type: message/rfc822

{mail.as_string()}
--4XkQ1m5lZkz4R.1795199462/mx.play.example--
""".encode()


def postfix_delay(mail: EmailMessage) -> bytes:
    """Return what Postfix writes when an email waits: nothing is lost yet."""
    return (
        postfix(mail, "4.4.1", "connect to mx.a.example[192.0.2.7]:25: Connection timed out")
        .replace(b"Undelivered Mail Returned to Sender", b"Delayed Mail (still being retried)")
        .replace(b"Action: failed", b"Action: delayed\nWill-Retry-Until: Wed, 25 Nov 2026 18:31:00 +0000 (UTC)")
        .replace(b"I'm sorry to have to inform you that your message could not\nbe delivered", b"Your message waits\n")
    )


def exim(mail: EmailMessage) -> bytes:
    """Return what older Exims write: no report, a header names who was not reached."""
    to = mail["To"].addresses[0].addr_spec
    return f"""\
Return-path: <>
Envelope-to: {ADDRESS}
Received: from Debian-exim by mail.a.example with local (Exim 4.84) id 1tDqXk-0003Jd-2f
\tfor {ADDRESS}; Fri, 20 Nov 2026 18:31:02 +0000
X-Failed-Recipients: {to}
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mail.a.example>
To: {ADDRESS}
Subject: Mail delivery failed: returning message to sender
Message-Id: <E1tDqXk-0003Jd-2f@mail.a.example>
Date: Fri, 20 Nov 2026 18:31:02 +0000

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  {to}
    (generated from {to})
    SMTP error from remote mail server after RCPT TO:<{to}>:
    host mx.a.example [192.0.2.7]: 550 No such user here

------ This is a copy of the message, including all the headers. ------

{mail.as_string()}
""".encode()


def exim_delay(mail: EmailMessage) -> bytes:
    """Return what older Exims write when an email waits."""
    to = mail["To"].addresses[0].addr_spec
    return f"""\
Return-path: <>
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mail.a.example>
To: {ADDRESS}
Subject: Warning: message 1tDqXk-0003Jd-2f delayed 24 hours
Message-Id: <E1tEClm-0001Uy-9x@mail.a.example>
References: {mail["Message-ID"]}

This message was created automatically by mail delivery software.
A message that you sent has not yet been delivered to one or more of its
recipients after more than 24 hours on the queue on mail.a.example.

The message identifier is:     1tDqXk-0003Jd-2f
The date of the message is:    Fri, 20 Nov 2026 18:30:00 +0000
The subject of the message is: {mail["Subject"]}

The address to which the message has not yet been delivered is:

  {to}
    host mx.a.example [192.0.2.7]: 451 Temporary local problem

No action is required on your part. Delivery attempts will continue for
some time, and this warning may be repeated at intervals if the message
remains undelivered. Eventually the mail delivery software will give up,
and when that happens, the message will be returned to you.
""".encode()


def gmail(mail: EmailMessage) -> bytes:
    """Return what Gmail writes: text and HTML beside the report, our headers in the end."""
    to = mail["To"].addresses[0].addr_spec
    return f"""\
Return-Path: <>
Received: by mail-sor-f69.google.com with SMTP id a1sor3812.1.2026.11.20.10.31.02; Fri, 20 Nov 2026 10:31:02 -0800
X-Failed-Recipients: {to}
Auto-Submitted: auto-replied
From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
To: {ADDRESS}
Subject: Delivery Status Notification (Failure)
References: {mail["Message-ID"]}
In-Reply-To: {mail["Message-ID"]}
Message-ID: <673e2c96.170a0220.1b3c4d.7a1c.GMR@mx.google.com>
Date: Fri, 20 Nov 2026 10:31:02 -0800 (PST)
Content-Type: multipart/report; boundary="000000000000c3b2a106276a1b2c"; report-type=delivery-status

--000000000000c3b2a106276a1b2c
Content-Type: multipart/related; boundary="000000000000c3b60a06276a1b2d"

--000000000000c3b60a06276a1b2d
Content-Type: multipart/alternative; boundary="000000000000c3b61706276a1b2e"

--000000000000c3b61706276a1b2e
Content-Type: text/plain; charset="UTF-8"

** Address not found **

Your message wasn't delivered to {to} because the address couldn't be found, or is unable to receive mail.

The response from the remote server was:
550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email
address for typos or unnecessary spaces. For more information, go to https://support.google.com/mail/?p=NoSuchUser
--000000000000c3b61706276a1b2e
Content-Type: text/html; charset="UTF-8"

<html><body><h2>Address not found</h2><p>Your message wasn't delivered to <b>{to}</b>.</p></body></html>
--000000000000c3b61706276a1b2e--

--000000000000c3b60a06276a1b2d--
--000000000000c3b2a106276a1b2c
Content-Type: message/delivery-status

Reporting-MTA: dns; googlemail.com
Received-From-MTA: dns; {ADDRESS}
Arrival-Date: Fri, 20 Nov 2026 10:31:01 -0800 (PST)
X-Original-Message-ID: {mail["Message-ID"]}

Final-Recipient: rfc822; {to}
Action: failed
Status: 5.1.1
Remote-MTA: dns; gmail-smtp-in.l.google.com. (192.0.2.27, the server for the domain a.example.)
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.
 550 5.1.1  https://support.google.com/mail/?p=NoSuchUser af79cd13be357-7b1 - gsmtp
Last-Attempt-Date: Fri, 20 Nov 2026 10:31:02 -0800 (PST)

--000000000000c3b2a106276a1b2c
Content-Type: message/rfc822

{_head(mail)}

----- Message truncated -----

--000000000000c3b2a106276a1b2c--
""".encode()


def exchange(mail: EmailMessage) -> bytes:
    """Return what Outlook.com and Exchange write in the sender's language; here the mailbox is full."""
    to = mail["To"].addresses[0].addr_spec
    return f"""\
From: <postmaster@outlook.com>
To: <{ADDRESS}>
Date: Fri, 20 Nov 2026 18:31:02 +0000
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="e1c2f7a0-7d14-4b6e-9d55-3f3f5d2f8a10"
X-MS-Exchange-Message-Is-Ndr:
Content-Language: de-DE
Message-ID: <9b7c2f6e-1a4d@AM6EUR05FT047.mail.protection.outlook.com>
In-Reply-To: {mail["Message-ID"]}
References: {mail["Message-ID"]}
Subject: Unzustellbar: {mail["Subject"]}
Auto-Submitted: auto-replied

--e1c2f7a0-7d14-4b6e-9d55-3f3f5d2f8a10
Content-Type: multipart/alternative; differences=Content-Type;
\tboundary="0b2f3d3c-d2c1-4f0e-a8c1-2f4d"

--0b2f3d3c-d2c1-4f0e-a8c1-2f4d
Content-Type: text/plain; charset="utf-8"
Content-Transfer-Encoding: base64

RmVobGVyIGJlaSBkZXIgTmFjaHJpY2h0ZW56dXN0ZWxsdW5nIGFuIGZvbGdlbmRlIEVtcGbDpG5nZXI6Cg==

--0b2f3d3c-d2c1-4f0e-a8c1-2f4d--

--e1c2f7a0-7d14-4b6e-9d55-3f3f5d2f8a10
Content-Type: message/delivery-status

Reporting-MTA: dns;AM6EUR05FT047.mail.protection.outlook.com
Received-From-MTA: dns;mx.play.example
Arrival-Date: Fri, 20 Nov 2026 18:31:01 +0000

Final-Recipient: rfc822;{to}
Action: failed
Status: 5.2.2
Diagnostic-Code: smtp;554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException; Failed to process
 message due to a permanent exception with message The mailbox has exceeded its quota.

--e1c2f7a0-7d14-4b6e-9d55-3f3f5d2f8a10
Content-Type: message/rfc822

{_head(mail)}

--e1c2f7a0-7d14-4b6e-9d55-3f3f5d2f8a10--
""".encode()


def yahoo(mail: EmailMessage) -> bytes:
    """Return what Yahoo writes: plain text, our email below it."""
    to = mail["To"].addresses[0].addr_spec
    return f"""\
Return-Path: <>
From: MAILER-DAEMON@yahoo.com
To: {ADDRESS}
Date: Fri, 20 Nov 2026 18:31:02 -0000
Subject: Failure Notice
Message-ID: <1795199462.118@mta1019.mail.gq1.yahoo.com>

Sorry, we were unable to deliver your message to the following address.

<{to}>:
552: 5.1.1 <{to}> does not exist, please try again.

--- Below this line is a copy of the message.

Received: from [198.51.100.3] by mta.yahoo.com; 20 Nov 2026 18:31:00 -0000
{mail.as_string()}
""".encode()


def qmail(mail: EmailMessage) -> bytes:
    """Return what qmail writes: QSBMF, which has no headers to know it by but the empty sender."""
    to = mail["To"].addresses[0].addr_spec
    return f"""\
Return-Path: <>
Received: (qmail 27341 invoked for bounce); 20 Nov 2026 18:31:02 -0000
Date: 20 Nov 2026 18:31:02 -0000
From: MAILER-DAEMON@ns.a.example
To: {ADDRESS}
Subject: failure notice

Hi. This is the qmail-send program at ns.a.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<{to}>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Return-Path: <{ADDRESS}>
Received: (qmail 27339 invoked by uid 0); 20 Nov 2026 18:31:02 -0000
{mail.as_string()}
""".encode()


def internationalized(mail: EmailMessage) -> bytes:
    """Return a report in UTF-8 (RFC 6533), whose parts have types of their own."""
    return (
        postfix(mail)
        .replace(b"message/delivery-status", b"message/global-delivery-status")
        .replace(b"message/rfc822", b"message/global")
    )


def headers_only(mail: EmailMessage) -> bytes:
    """Return a report that gives back our headers alone, our Message-ID replaced by the server that sent for us."""
    whole = postfix(mail, "5.4.4", "Host or domain name not found").replace(b"message/rfc822", b"text/rfc822-headers")
    return whole.replace(str(mail["Message-ID"]).encode(), b"<0102019@eu-west-1.relay.example>")


def _head(mail: EmailMessage) -> str:
    """Return the headers of an email."""
    return "\n".join(f"{name}: {value}" for name, value in mail.items())


SERVERS: dict[str, tuple[Callable[[EmailMessage], bytes], str]] = {
    "Postfix": (postfix, "hard (5.1.1)"),
    "Postfix, delay": (postfix_delay, "nothing lost (4.4.1)"),
    "Postfix, given up": (lambda mail: postfix(mail, "4.4.1", "Connection timed out"), "soft (4.4.1)"),
    "Postfix, quota": (lambda mail: postfix(mail, "5.0.0", "552 User is over quota"), "soft (5.0.0)"),
    "Postfix, too busy": (lambda mail: postfix(mail, "5.0.0", "421 too many connections"), "soft (5.0.0)"),
    "Postfix, better code": (lambda mail: postfix(mail, "5.0.0", "550 5.7.1 no"), "hard (5.7.1)"),
    "Exim": (exim, "hard"),
    "Exim, delay": (exim_delay, "nothing lost"),
    "Gmail": (gmail, "hard (5.1.1)"),
    "Outlook.com": (exchange, "soft (5.2.2)"),
    "Yahoo": (yahoo, "hard (5.1.1)"),
    "qmail": (qmail, "hard (5.1.1)"),
    "qmail, full": (
        lambda mail: qmail(mail).replace(b"no mailbox here by that name. (#5.1.1)", b"the mailbox is full. (#5.2.2)"),
        "soft (5.2.2)",
    ),
    "in UTF-8": (internationalized, "hard (5.1.1)"),
    "headers only": (headers_only, "hard (5.4.4)"),
}


def counted(club: Club) -> list[tuple[str, int, int]]:
    """Return the addresses from which mail came back, with how many soft and hard bounces."""
    with club.service.database.reading() as tx:
        return [(one.email, one.soft, one.hard) for one in tx.players.bouncing()]


def come_back(club: Club, seat: int = 0, status: str = "5.1.1") -> InboundRecord:
    """Let the newest email to a seat come back, as Postfix tells it."""
    club.written += 1
    raw = postfix(club.newest(seat), status).replace(b"Message-Id: <", f"Message-Id: <{club.written}.".encode())
    return club.service.hand_in(raw).message


@pytest.mark.parametrize(("make", "told"), SERVERS.values(), ids=SERVERS)
def test_bounces_of_many_servers_are_read(club: Club, make: Callable[[EmailMessage], bytes], told: str) -> None:
    """Each is kept as a bounce, about the right mail and seat, with how bad it is, and never answered to its sender."""
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
    """Without a Message-ID or a reply token that we made, whoever is named in it, nothing is noted and nobody is told."""
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
    """``pbem players`` shows every address that email came back from, ``pbem doctor`` the players who get no notices."""

    def pbem(*arguments: str) -> str:
        with pytest.raises(SystemExit):
            main(arguments)
        return capsys.readouterr().out

    for name in ("address", "secret", "database_url"):
        monkeypatch.setenv(f"PBEM_{name.upper()}", getattr(settings, name))
    club.open()
    assert "came back" not in pbem("players")
    assert "✓ database  of the right version; no letter failed, no mail was refused or came back\n" in pbem("doctor")
    come_back(club, 0, "4.4.7")
    come_back(club, 1)
    listed = pbem("players").splitlines()
    assert "mail came back (UTC)" in listed[0]
    assert listed[1].split() == ["1", "Ann", "ann@a.example", "html", "once,", "last", "on", "2026-11-20", "18:30"]
    first, second = json.loads(pbem("players", "--json"))
    at = "2026-11-20T18:30:00+00:00"
    assert first["bounced"] == [{"address": "ann@a.example", "soft": 1, "hard": 0, "last_at": at}]
    assert second["bounced"] == [{"address": "bob@b.example", "soft": 0, "hard": 1, "last_at": at}]
    told = "Mail to bob@b.example comes back (once, last on 2026-11-20): the player does not get the notices."
    assert f"✗ database  {told}\n" in pbem("doctor")
    club.reply(0, "resign")
    assert "✓ database" in pbem("doctor"), "nobody waits for him any more"


def test_who_is_unreachable() -> None:
    """One hard bounce, or five soft ones."""
    at = datetime(2026, 11, 20, tzinfo=UTC)
    assert [BouncingAddress("x", 1, soft, hard, at).unreachable for soft, hard in [(4, 0), (5, 0), (0, 1)]] == [
        False,
        True,
        True,
    ]
    assert [BouncingAddress("x", 1, soft, 0, at).times for soft in (1, 3)] == ["once", "3 times"]


@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    server=st.sampled_from(sorted(SERVERS)),
    start=st.floats(0, 1),
    length=st.integers(0, 400),
    filling=st.sampled_from(
        [b"", b"\0", b"\xff\xfe", b"\r\n\r\n", b"Content-Type: message/rfc822; charset*=x'y\n", b"--"]
    ),
)
def test_a_mutilated_bounce_breaks_nothing(club: Club, server: str, start: float, length: int, filling: bytes) -> None:
    """However broken it is, it is read to some end, and means at most what it says."""
    if not club.queued():
        club.open()
    raw = SERVERS[server][0](club.newest(1))
    place = int(start * len(raw))
    message = club.service.hand_in(raw[:place] + filling + raw[place + length :]).message
    assert message.status in ("discarded", "rejected", "failed")
    assert message.status != "failed" or message.reason == "unreadable"


@pytest.mark.parametrize(
    "body", ["<" * 3_000_000, "<a@b>:\n" * 390_000, "x" * 3_000_000, "Your message\nbecause:" * 90_000]
)
def test_a_bounce_of_any_size_is_read_at_once(body: str) -> None:
    """What it says stands at its beginning, so that much of anything costs no more; a generous second."""
    message = parse(f"Return-Path: <>\nFrom: MAILER-DAEMON@a.example\n\n{body}\n".encode())
    begun = process_time()
    assert classify(message, ADDRESS) == "bounce"
    read_bounce(message, "ann@a.example")
    returned_ids(message)
    assert process_time() - begun < 1
