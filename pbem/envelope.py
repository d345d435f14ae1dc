"""Puts a notice into the bytes of a mail: headers, a text part and an HTML part with the same content. Pure."""

import binascii
import hashlib
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime, formataddr

from pbem.addresses import domain_of, plus
from pbem.notices import Notice
from pbem.tag import Tag, sign
from rules import Seat

SENDER_NAME = "pbem"


@dataclass(frozen=True)
class Mail:
    """A finished mail to send to ``recipient``."""

    message_id: str
    kind: str
    recipient: str
    subject: str
    raw: bytes
    match: int | None = None
    seat: Seat | None = None
    inbound: int | None = None


@dataclass(frozen=True)
class Desk:
    """Whose mails these are: the service's ``address`` and the ``secret`` that signs its tags.

    ``operator`` is who is told of failures, ``archive_url`` where the archive is served, ``authserv_id`` the name
    under which our mail server tells what it has found out about a sender; each may be empty.
    """

    address: str
    secret: str
    operator: str = ""
    archive_url: str = ""
    authserv_id: str = ""


@dataclass(frozen=True)
class Recipient:
    """To whom a mail goes; ``tag`` says what a reply to it belongs to, None for a mail outside any match.

    ``thread`` holds the Message-IDs of the first and the latest mail of the same thread.
    """

    name: str
    email: str
    tag: Tag | None = None
    thread: tuple[str, str] | None = None


def seal(notice: Notice, recipient: Recipient, desk: Desk, cause: str, now: datetime, inbound: int | None) -> Mail:
    """Return the finished mail.

    ``cause`` is what it answers (a letter's identity, an opening): the same notice for the same cause gets the
    same Message-ID, so that work done twice cannot become two mails.
    """
    domain = domain_of(desk.address)
    tag = sign(recipient.tag, desk.secret) if recipient.tag else ""
    token = hashlib.sha256(f"{desk.secret}\n{notice.kind}\n{recipient.email}\n{cause}".encode()).hexdigest()[:16]
    message_id = f"<{tag}.{token}@{domain}>" if tag else f"<{token}@{domain}>"
    reply_to = plus(desk.address, tag) if tag else desk.address
    headers = [
        ("From", formataddr((SENDER_NAME, desk.address))),
        ("To", formataddr((_one_line(recipient.name), recipient.email))),
        ("Reply-To", formataddr((SENDER_NAME, reply_to))),
        ("Subject", _encoded(notice.subject)),
        ("Date", format_datetime(now)),
        ("Message-ID", message_id),
    ]
    if recipient.thread:
        first, latest = recipient.thread
        headers.append(("In-Reply-To", latest))
        headers.append(("References", first if first == latest else f"{first} {latest}"))
    if recipient.tag:
        headers.append(("List-Id", f"<match-{recipient.tag.match}.{domain}>"))
    headers += [
        ("Auto-Submitted", "auto-generated"),
        ("X-Auto-Response-Suppress", "All"),
        ("X-Loop", desk.address),
        ("MIME-Version", "1.0"),
    ]
    raw = _alternatives(headers, notice, f"=_{token}")
    match, seat = (recipient.tag.match, recipient.tag.seat) if recipient.tag else (None, None)
    return Mail(message_id, notice.kind, recipient.email, notice.subject, raw, match, seat, inbound)


def _alternatives(headers: list[tuple[str, str]], notice: Notice, boundary: str) -> bytes:
    """Return the mail: its parts in quoted-printable, all line ends CRLF."""
    head = "".join(f"{name}: {value}\r\n" for name, value in headers)
    head += f'Content-Type: multipart/alternative; boundary="{boundary}"\r\n\r\n'
    parts = [head.encode("ascii")]
    for kind, content in (("plain", notice.text), ("html", notice.html)):
        parts.append(
            f"--{boundary}\r\nContent-Type: text/{kind}; charset=utf-8\r\n"
            "Content-Transfer-Encoding: quoted-printable\r\n\r\n".encode("ascii")
        )
        # b2a_qp keeps the line ends it finds, and makes its soft ones like the first of them.
        lines = content if "\n" in content else content + "\n"
        parts.append(binascii.b2a_qp(lines.replace("\n", "\r\n").encode(), istext=True))
    parts.append(f"\r\n--{boundary}--\r\n".encode("ascii"))
    return parts[0] + b"\r\n".join([parts[1] + parts[2], parts[3] + parts[4]]) + parts[5]


def _encoded(text: str) -> str:
    """Return a header text in ASCII; what looks encoded is encoded, so that it is read as it was written."""
    line = _one_line(text)
    return line if line.isascii() and "=?" not in line else Header(line, "utf-8", maxlinelen=72).encode(linesep="\r\n")


def _one_line(text: str) -> str:
    """Return ``text`` without what must not reach a header."""
    return "".join(char if char.isprintable() else " " for char in text)
