"""Composes emails: the bytes of a notice, its headers, a text part and an HTML part with the same content."""

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
"""Bytes: some email programs cut HTML at 102 KB."""

ANSWER_LINK = 'href="reply:'
"""How a link begins in the HTML of a notice; ``compose`` completes it with the address that a reply goes to."""

_LINKS = re.compile(rf"<a {ANSWER_LINK}[^>]*>(.*?)</a>|<!--links-->.*?<!--/links-->\n?", re.DOTALL)
"""Links that answer, and the sentences about them."""


@dataclass(frozen=True)
class Notice:
    """A finished email, not yet addressed: ``subject`` on one line, ``text`` and ``html`` with the same content.

    ``html`` is empty for a reader who wants plain text alone; ``compose`` completes the links in it that begin with
    ``reply:``. ``part`` tells notices of the same kind apart that answer the same message.
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
    quotable: str = ""


@dataclass(frozen=True)
class Site:
    """The service as a sender: its ``address``, and the ``secret`` that signs its reply tokens.

    Each of the others may be empty: ``operator`` is the address for failures, ``archive_url`` the address of the
    archive, ``authserv_id`` the name of our mail server in Authentication-Results (RFC 8601), ``unsubscribe_url`` the
    address for one-click unsubscribing (RFC 8058).
    """

    address: str
    secret: str = field(repr=False)
    operator: str = ""
    archive_url: str = ""
    authserv_id: str = ""
    unsubscribe_url: str = ""


@dataclass(frozen=True)
class Recipient:
    """The reader of an email; ``token`` is the reply token, None for an email outside any match.

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

    ``cause`` is what it answers (a message's identity, an opening). The same notice for the same cause gets the same
    Message-ID, so that work done twice cannot become two emails.
    """
    domain = domain_of(site.address)
    token = sign_token(recipient.token, site.secret) if recipient.token else ""
    kind = notice.kind + (f" {notice.part}" if notice.part else "")
    digest = hashlib.sha256(f"{site.secret}\n{kind}\n{recipient.email}\n{cause}".encode()).hexdigest()[:16]
    message_id = f"<{token}.{digest}@{domain}>" if token else f"<{digest}@{domain}>"
    reply_to = add_plus(site.address, token) if token else site.address
    headers = [
        ("From", formataddr((SENDER_NAME, site.address))),
        ("To", formataddr((_one_line(recipient.name), recipient.email))),
        ("Reply-To", f"{SENDER_NAME} <{reply_to}>"),
        ("Subject", _encode_header(notice.subject)),
        ("Date", format_datetime(now)),
        ("Message-ID", message_id),
    ]
    if recipient.thread:
        first, latest = recipient.thread
        headers.append(("In-Reply-To", latest))
        headers.append(("References", first if first == latest else f"{first} {latest}"))
    if recipient.token:
        headers.append(("List-Id", f"<match-{recipient.token.match}.{domain}>"))
        headers += _unsubscribe_headers(reply_to, token, site.unsubscribe_url)
    headers += [
        ("Auto-Submitted", "auto-generated"),
        ("X-Auto-Response-Suppress", "All"),
        ("X-Loop", site.address),
        ("MIME-Version", "1.0"),
    ]
    if notice.html:
        raw = _compose_alternatives(headers, notice, reply_to, f"=_{digest}")
    else:
        raw = _encode_head([*headers, *_part_headers("plain")]) + _encode_text(notice.text)
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
    """Return ``html`` with the text of its links in their places, and without the sentences about links."""
    if ANSWER_LINK not in html and "<!--links-->" not in html:
        return html  # as in most emails that ask for no move
    return _LINKS.sub(lambda found: found[1] or "", html)


def _unsubscribe_headers(reply_to: str, token: str, url: str) -> list[tuple[str, str]]:
    """Return the headers of email programs' button for unsubscribing (RFC 2369, RFC 8058)."""
    offers = [f"<mailto:{reply_to}?subject=unsubscribe>"]
    if not url:
        return [("List-Unsubscribe", offers[0])]
    offers.append(f"<{url}{'&' if '?' in url else '?'}tag={token}>")
    return [("List-Unsubscribe", ", ".join(offers)), ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")]


def _compose_alternatives(headers: list[tuple[str, str]], notice: Notice, reply_to: str, boundary: str) -> bytes:
    """Return the email of two parts in quoted-printable, all line ends CRLF."""
    head = _encode_head([*headers, ("Content-Type", f'multipart/alternative; boundary="{boundary}"')])
    edge = f"--{boundary}".encode("ascii")
    parts = ("plain", _encode_text(notice.text)), ("html", _encode_html(notice, reply_to))
    text, html = (b"\r\n".join([edge, _encode_head(_part_headers(kind)) + content]) for kind, content in parts)
    return b"\r\n".join([head + text, html, edge + b"--\r\n"])


def _encode_html(notice: Notice, reply_to: str) -> bytes:
    """Return the HTML part in quoted-printable, its links completed."""
    start = _start_of_links(notice.html, reply_to, notice.subject)
    if not start:
        return _encode_text(_without_links(notice.html))
    # Soft line ends round the part that all links share: the rest is encoded once, and the same in the next email.
    between = b"=\r\n" + _encode_line(start) + b"=\r\n"
    return between.join([_encode_piece(piece) for piece in notice.html.split(ANSWER_LINK)])


def _part_headers(kind: str) -> list[tuple[str, str]]:
    """Return the headers of a part."""
    return [("Content-Type", f"text/{kind}; charset=utf-8"), ("Content-Transfer-Encoding", "quoted-printable")]


def _encode_head(headers: list[tuple[str, str]]) -> bytes:
    """Return headers, and the empty line below them."""
    return "".join([*(f"{name}: {value}\r\n" for name, value in headers), "\r\n"]).encode("ascii")


def _encode_text(content: str) -> bytes:
    """Return ``content`` in quoted-printable, its line ends CRLF."""
    return b"\r\n".join([_encode_line(line) for line in content.split("\n")])


@lru_cache(maxsize=4096)  # saves a fifth of the rest
def _encode_piece(piece: str) -> bytes:
    """Return the HTML between two links, mostly a cell or two, in quoted-printable."""
    return _encode_text(piece)


@lru_cache(maxsize=16384)  # halves the time that an email takes: most lines of boards come again and again
def _encode_line(line: str) -> bytes:
    """Return one line in quoted-printable (RFC 2045)."""
    # Soft line ends are made like the first line end there is.
    return binascii.b2a_qp(f"{line}\r\n".encode(), istext=True)[:-2]


def _encode_header(text: str) -> str:
    """Return a header text in ASCII; text that looks encoded is encoded, so that it is read as written."""
    line = _one_line(text)
    if line.isascii() and "=?" not in line:
        return line
    # Of sixteen characters each: whatever they are, that fits into the 75 an encoded word may have (RFC 2047).
    pieces = (line[start : start + 16].encode() for start in range(0, len(line), 16))
    return "\r\n ".join(f"=?utf-8?b?{binascii.b2a_base64(piece, newline=False).decode()}?=" for piece in pieces)


def _one_line(text: str) -> str:
    """Return ``text`` on one line, its control characters turned into spaces."""
    return text if text.isprintable() else "".join(char if char.isprintable() else " " for char in text)
