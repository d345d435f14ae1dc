"""Bounces of emails as the servers of many makers write them."""

from collections.abc import Callable
from email.message import EmailMessage

from tests.support.club import ADDRESS


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


def complaint(mail: EmailMessage, kind: str = "message/rfc822") -> bytes:
    """Return what a mail provider writes when a reader calls an email unwanted (RFC 5965)."""
    return f"""\
From: staff@hotmail.example
To: {ADDRESS}
Date: Fri, 20 Nov 2026 18:31:02 -0000
Subject: complaint about message from 192.0.2.7
Message-ID: <{mail["Message-ID"].strip("<>")}.feedback@hotmail.example>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="arf"

--arf
Content-Type: text/plain

This is an email abuse report for an email message received from 192.0.2.7.

--arf
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: SomeGenerator/1.0
Version: 1
Original-Rcpt-To: {mail["To"].addresses[0].addr_spec}

--arf
Content-Type: {kind}

{mail.as_string() if kind == "message/rfc822" else _head(mail)}
--arf--
""".encode()


def addressed(bounce: bytes, to: str) -> bytes:
    """Return a bounce as it arrives at another address of the service: only its own headers say so."""
    head, end, body = bounce.partition(b"\n\n")
    return head.replace(ADDRESS.encode(), to.encode()) + end + body


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
