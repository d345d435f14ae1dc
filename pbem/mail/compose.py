"""Puts a notice into the bytes of an email: headers, a text part and an HTML part with the same content. Pure."""

import binascii
import hashlib
import re
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime, formataddr
from functools import lru_cache
from html import escape
from urllib.parse import quote

from pbem.mail.headers import add_plus, domain_of
from pbem.mail.reply_token import ReplyToken, sign_token
from rules import Seat

SENDER_NAME = "pbem"

_LONGEST_HTML = 95_000
"""Bytes: an email program that cuts HTML does so at 102 KB."""

ANSWER_LINK = 'href="reply:'
"""How a link begins in the HTML of a notice; ``compose`` completes it with the address that a reply goes to."""

_LINKS = re.compile(rf"<a {ANSWER_LINK}[^>]*>(.*?)</a>|<!--links-->.*?<!--/links-->\n?", re.DOTALL)
"""Links that answer, and what the text says of them."""


@dataclass(frozen=True)
class Notice:
    """A finished email, not yet addressed: ``subject`` on one line, ``text`` and ``html`` with the same content.

    ``html`` is empty for a reader who wants plain text alone; the links in it that begin with ``reply:`` are for
    whoever addresses the email to complete. ``part`` tells several of a kind apart that answer the same message.
    """

    kind: str
    subject: str
    text: str
    html: str
    part: str = ""


@dataclass(frozen=True)
class OutboundMessage:
    """A finished email to send to ``recipient``."""

    message_id: str
    kind: str
    recipient: str
    subject: str
    raw: bytes
    match: int | None = None
    seat: Seat | None = None
    inbound: int | None = None


@dataclass(frozen=True)
class Site:
    """Whose emails these are: the service's ``address`` and the ``secret`` that signs its reply tokens.

    ``operator`` is who is told of failures, ``archive_url`` where the archive is served, ``authserv_id`` the name
    under which our mail server tells what it has found out about a sender, ``unsubscribe_url`` where an email program
    posts that its reader wants no more emails; each may be empty.
    """

    address: str
    secret: str = field(repr=False)
    operator: str = ""
    archive_url: str = ""
    authserv_id: str = ""
    unsubscribe_url: str = ""


@dataclass(frozen=True)
class Recipient:
    """To whom an email goes; ``token`` says what a reply to it belongs to, None for an email outside any match.

    ``thread`` holds the Message-IDs of the first and the latest email of the same thread.
    """

    name: str
    email: str
    token: ReplyToken | None = None
    thread: tuple[str, str] | None = None


def compose(
    notice: Notice, recipient: Recipient, site: Site, cause: str, now: datetime, inbound: int | None
) -> OutboundMessage:
    """Return the finished email.

    ``cause`` is what it answers (a message's identity, an opening): the same notice for the same cause gets the
    same Message-ID, so that work done twice cannot become two emails.
    """
    domain = domain_of(site.address)
    token = sign_token(recipient.token, site.secret) if recipient.token else ""
    kind = notice.kind + (f" {notice.part}" if notice.part else "")
    digest = hashlib.sha256(f"{site.secret}\n{kind}\n{recipient.email}\n{cause}".encode()).hexdigest()[:16]
    message_id = f"<{token}.{digest}@{domain}>" if token else f"<{digest}@{domain}>"
    reply_to = add_plus(site.address, token) if token else site.address
    headers = [
        ("From", _named(SENDER_NAME, site.address)),
        ("To", _named(recipient.name, recipient.email)),
        ("Reply-To", f"{SENDER_NAME} <{reply_to}>"),
        ("Subject", _encoded(notice.subject)),
        ("Date", _date(now)),
        ("Message-ID", message_id),
    ]
    if recipient.thread:
        first, latest = recipient.thread
        headers.append(("In-Reply-To", latest))
        headers.append(("References", first if first == latest else f"{first} {latest}"))
    if recipient.token:
        headers.append(("List-Id", f"<match-{recipient.token.match}.{domain}>"))
        headers += _ways_out(reply_to, token, site.unsubscribe_url)
    headers += [
        ("Auto-Submitted", "auto-generated"),
        ("X-Auto-Response-Suppress", "All"),
        ("X-Loop", site.address),
        ("MIME-Version", "1.0"),
    ]
    raw = _alternatives(headers, notice, reply_to, f"=_{digest}") if notice.html else _plain(headers, notice.text)
    match, seat = (recipient.token.match, recipient.token.seat) if recipient.token else (None, None)
    return OutboundMessage(message_id, notice.kind, recipient.email, notice.subject, raw, match, seat, inbound)


def with_links(html: str, reply_to: str, subject: str) -> str:
    """Return ``html`` with its links completed, so that each opens an answer to ``reply_to`` with a move in it.

    Where that makes too long an email the answers get a shorter subject, or the links are left out.
    """
    start = _start_of_links(html, reply_to, subject)
    return html.replace(ANSWER_LINK, start) if start else _without_links(html)


def _start_of_links(html: str, reply_to: str, subject: str) -> str:
    """Return how each link of ``html`` is to begin instead of as it does; nothing where there is no room for any."""
    count = html.count(ANSWER_LINK)
    if not count:
        return ""
    room = _LONGEST_HTML - len(html.encode())
    for line in (subject, subject.partition("]")[0] + "]"):
        target = f"mailto:{quote(reply_to, safe='@')}?subject={quote(f'Re: {line}', safe=',:')}&body="
        start = f'href="{escape(target)}'
        if count * (len(start) - len(ANSWER_LINK)) < room:
            return start
    return ""


def _without_links(html: str) -> str:
    """Return ``html`` with what links hold in their places, and without what is said of them."""
    if ANSWER_LINK not in html and "<!--links-->" not in html:
        return html  # as most emails are, that do not ask for a move
    return _LINKS.sub(lambda found: found[1] or "", html)


def _ways_out(reply_to: str, token: str, url: str) -> list[tuple[str, str]]:
    """Return the headers by which an email program offers to end these emails (RFC 2369, RFC 8058)."""
    ways = [f"<mailto:{reply_to}?subject=unsubscribe>"]
    if not url:
        return [("List-Unsubscribe", ways[0])]
    ways.append(f"<{url}{'&' if '?' in url else '?'}tag={token}>")
    return [("List-Unsubscribe", ", ".join(ways)), ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")]


def _alternatives(headers: list[tuple[str, str]], notice: Notice, reply_to: str, boundary: str) -> bytes:
    """Return the email of two parts in quoted-printable, all line ends CRLF."""
    head = _head([*headers, ("Content-Type", f'multipart/alternative; boundary="{boundary}"')])
    edge = f"--{boundary}".encode("ascii")
    parts = ("plain", _quoted_printable(notice.text)), ("html", _html(notice, reply_to))
    text, html = (b"\r\n".join([edge, _head(_kind_of(kind)) + content]) for kind, content in parts)
    return b"\r\n".join([head + text, html, edge + b"--\r\n"])


def _html(notice: Notice, reply_to: str) -> bytes:
    """Return the HTML part in quoted-printable, its links completed."""
    start = _start_of_links(notice.html, reply_to, notice.subject)
    if not start:
        return _quoted_printable(_without_links(notice.html))
    # Soft line ends round what is the same in all links: the rest is encoded once, and the same in the next mail.
    between = b"=\r\n" + _line_quoted(start) + b"=\r\n"
    return between.join([_piece_quoted(piece) for piece in notice.html.split(ANSWER_LINK)])


def _plain(headers: list[tuple[str, str]], text: str) -> bytes:
    """Return the email of one part."""
    return _head([*headers, *_kind_of("plain")]) + _quoted_printable(text)


def _kind_of(kind: str) -> list[tuple[str, str]]:
    """Return the headers of a part."""
    return [("Content-Type", f"text/{kind}; charset=utf-8"), ("Content-Transfer-Encoding", "quoted-printable")]


def _head(headers: list[tuple[str, str]]) -> bytes:
    """Return headers, and the empty line below them."""
    return "".join([*(f"{name}: {value}\r\n" for name, value in headers), "\r\n"]).encode("ascii")


def _quoted_printable(content: str) -> bytes:
    """Return ``content`` in quoted-printable, its line ends CRLF."""
    return b"\r\n".join([_line_quoted(line) for line in content.split("\n")])


@lru_cache(maxsize=4096)
def _piece_quoted(piece: str) -> bytes:
    """Return what stands between two links in quoted-printable; of most boards it is a cell or two."""
    return _quoted_printable(piece)


@lru_cache(maxsize=16384)
def _line_quoted(line: str) -> bytes:
    """Return one line in quoted-printable; most lines of boards come again and again."""
    # Soft line ends are made like the first line end there is.
    return binascii.b2a_qp(f"{line}\r\n".encode(), istext=True)[:-2]


def _encoded(text: str) -> str:
    """Return a header text in ASCII; what looks encoded is encoded, so that it is read as it was written."""
    line = _one_line(text)
    if line.isascii() and "=?" not in line:
        return line
    # Of sixteen characters each: whatever they are, that fits into the 75 an encoded word may have (RFC 2047).
    pieces = (line[start : start + 16].encode() for start in range(0, len(line), 16))
    return "\r\n ".join(f"=?utf-8?b?{binascii.b2a_base64(piece, newline=False).decode()}?=" for piece in pieces)


@lru_cache(maxsize=1024)
def _named(name: str, email: str) -> str:
    """Return an address with a name, as headers have it."""
    return formataddr((_one_line(name), email))


@lru_cache(maxsize=16)
def _date(now: datetime) -> str:
    """Return a time as headers have it."""
    return format_datetime(now)


def _one_line(text: str) -> str:
    """Return ``text`` without what must not reach a header."""
    return text if text.isprintable() else "".join(char if char.isprintable() else " " for char in text)
