"""Composes emails: the bytes of a notice, its headers, a text part and an HTML part with the same content."""

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.utils import format_datetime, formataddr
from itertools import repeat
from typing import Literal, NamedTuple
from urllib.parse import quote

from pbem.mail.archive_paths import Archive
from pbem.mail.headers import add_plus, domain_of
from pbem.mail.names import UNNAMED, NewMatches, name_sender
from pbem.mail.reply_token import ReplyToken, sign_token
from rules.phrase import ENGLISH, Language, mark
from rules.position import Seat

_TITLE = mark("Matches by email")

_LONGEST_HTML = 95_000
"""Bytes: some email programs cut HTML at 102 KB."""

_CHANGED = ("From ", ".")
"""Beginnings of lines that some servers mark, or take away; they take away white space at the end, too."""

_SUPPRESSED = "DR, RN, NRN, AutoReply"
"""What Exchange keeps to itself: bounces stop clocks and absences offer a vacation, so neither is in it."""

_TO = re.compile(rb"^To:[^\r\n]*(?:\r\n[ \t][^\r\n]*)*", re.MULTILINE)

_LONGEST_LINE = 998
"""Characters: no line of an email may be longer (RFC 5322, 2.1.1)."""

ANSWER_LINK = 'href="reply:'
"""How a link begins in the HTML of a notice; ``compose`` completes it with the address that a reply goes to."""

_CELL_LINK_END = '" aria-label='
"""Ends the address of a link on a cell of a board; only these have a label."""

_LINKS = re.compile(rf"<a {ANSWER_LINK}[^>]*>(.*?)</a>|<!--links-->.*?<!--/links-->\n?", re.DOTALL)
"""Links that answer, and the sentences about them."""


@dataclass(frozen=True)
class Notice:
    """A finished email, not yet addressed: ``subject`` on one line, ``text`` and ``html`` with the same content.

    ``html`` is empty for a reader who wants plain text alone; ``compose`` completes the links in it that begin with
    ``reply:``. ``offered`` are whole answers that it proposes: a yes to it means the only one. ``part`` tells notices
    of the same kind apart that answer the same message. ``quotable`` are the texts of both parts, without the
    lines that quote the reader.
    ``game`` is the key of the game,
    and ``turn`` says whether the reader is to act. Where a cell of the board may only begin an answer, ``begun`` says
    how to go on; it stands below the cell as a quotation. ``attached`` are text files that come with it.
    """

    kind: str
    subject: str
    text: str
    html: str
    part: str = ""
    quotable: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    game: str = ""
    turn: bool = False
    begun: str = ""
    attached: tuple["Attachment", ...] = ()


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes with an email; ``kind`` is its media type (RFC 2046), its ``name`` is in plain ASCII."""

    name: str
    kind: str
    content: bytes = field(repr=False)


@dataclass(frozen=True)
class OutboundMessage:
    """A finished email to send to ``recipient``; ``quotable`` holds what may come back when a reply quotes it."""

    message_id: str
    kind: str
    recipient: str
    subject: str
    raw: bytes
    match: int | None = None
    seat: Seat | None = None
    inbound: int | None = None
    quotable: str = ""
    question: int | None = None


@dataclass(frozen=True)
class Site:
    """The service as a sender: its ``address``, its ``name``, and the ``secret`` that signs its reply tokens.

    Each of the others may be empty: ``operator`` is the address for failures, ``archive_url`` the address of the
    archive, ``authserv_id`` the name of our mail server in Authentication-Results (RFC 8601), ``unsubscribe_url`` the
    address for one-click unsubscribing (RFC 8058). ``authentication`` says how much the findings of that server decide.
    Reply tokens expire ``token_days`` after the match has gone on. Players are written to in ``language``,
    and have ``vacation_days`` of vacation a year. First rolls wait ``salt_hours`` for the words of players.
    ``new_matches`` says who may start matches by email. Moves are held for ``unsend_minutes``, and can be taken back.
    ``robots`` is the strength that robots may have, 0 for none; a player may be in so many ``robot_matches`` at once.
    """

    address: str
    secret: str = field(repr=False)
    operator: str = ""
    archive_url: str = ""
    authserv_id: str = ""
    unsubscribe_url: str = ""
    authentication: Literal["required", "if-present", "off"] = "if-present"
    token_days: int = 90
    language: Language = ENGLISH
    vacation_days: int = 30
    salt_hours: int = 24
    new_matches: NewMatches = "invited"
    unsend_minutes: int = 0
    robots: int = 2
    robot_matches: int = 3
    name: str = UNNAMED

    @property
    def title(self) -> str:
        """What pages call it."""
        return self.language.gettext(_TITLE) if self.name == UNNAMED else self.name

    @property
    def archive(self) -> Archive:
        """Where the archive is."""
        return Archive(self.archive_url, self.secret)


class Thread(NamedTuple):
    """A conversation as email programs keep one: the Message-IDs of its first and its latest email, and its subject.

    Gmail and Outlook begin another with each subject, whatever an email answers. Without one, an email keeps its own.
    """

    first: str
    latest: str
    subject: str = ""


@dataclass(frozen=True)
class Recipient:
    """The reader of an email; ``token`` is the reply token, None for an email outside any match.

    ``thread`` is the conversation that it goes on with. An email outside any match
    may have a ``proof`` instead, the token of a question or of a digest, and be about a match, ``shown``; and a token
    that serves for ``leaving`` alone: the button for unsubscribing. Its answers go to ``answers_to``, if that is given.
    ``listing`` stands behind the proof in the Message-ID, which has room for it. ``opponents`` are those of the reader.
    """

    name: str
    email: str
    token: ReplyToken | None = None
    thread: Thread | None = None
    proof: str = ""
    shown: int | None = None
    leaving: ReplyToken | None = None
    answers_to: str = ""
    listing: str = ""
    opponents: str = ""

    @property
    def match(self) -> int | None:
        """The match that the email is about, None for one outside any match."""
        return self.token.match if self.token else self.shown


def compose(
    notice: Notice,
    recipient: Recipient,
    site: Site,
    cause: str,
    now: datetime,
    inbound: int | None,
    *,
    quotable: str = "",
    question: int | None = None,
) -> OutboundMessage:
    """Return the finished email.

    ``cause`` is what it answers (a message's identity, an opening). The same notice for the same cause gets the same
    Message-ID, so that work done twice cannot become two emails. ``quotable`` and ``question`` are kept with it.
    """
    domain = domain_of(site.address)
    token = sign_token(recipient.token, site.secret) if recipient.token else recipient.proof
    kind = notice.kind + (f" {notice.part}" if notice.part else "")
    digest = hashlib.sha256(f"{site.secret}\n{kind}\n{recipient.email}\n{cause}".encode()).hexdigest()[:16]
    message_id = f"<{token}{recipient.listing}.{digest}@{domain}>" if token else f"<{digest}@{domain}>"
    reply_to = add_plus(site.address, token) if token else recipient.answers_to or site.address
    if recipient.thread and recipient.thread.subject not in ("", notice.subject):
        notice = replace(notice, subject=recipient.thread.subject)
    headers = [
        ("From", _mailbox(name_sender(site.name, recipient.opponents), site.address)),
        ("To", _mailbox(recipient.name, recipient.email)),
        ("Reply-To", reply_to if recipient.answers_to else _mailbox(site.name, reply_to)),
        ("Subject", _encode_header(notice.subject)),
        ("Date", format_datetime(now)),
        ("Message-ID", message_id),
    ]
    if recipient.thread:
        first, latest, _ = recipient.thread
        headers.append(("In-Reply-To", latest))
        headers.append(("References", first if first == latest else f"{first} {latest}"))
    if recipient.match is not None:
        headers.append(("List-Id", f"<match-{recipient.match}.{domain}>"))
    if token or recipient.leaving:
        leaving = sign_token(recipient.leaving, site.secret) if recipient.leaving else token
        to = reply_to if token else add_plus(site.address, leaving)
        seated = recipient.token or recipient.leaving  # else it is a question, and it counts as a no
        headers += _unsubscribe_headers(to, leaving, site.unsubscribe_url if seated else "")
    headers += _filter_headers(notice, recipient)
    headers += [
        ("Auto-Submitted", "auto-generated"),
        ("X-Auto-Response-Suppress", _SUPPRESSED),
        ("X-Loop", site.address),
        ("MIME-Version", "1.0"),
    ]
    if notice.attached:
        raw = _compose_mixed(headers, notice, reply_to, f"=_{digest}")
    else:
        raw = _compose_body(headers, notice, reply_to, f"=_{digest}")
    seat = recipient.token.seat if recipient.token else None
    return OutboundMessage(
        *(message_id, notice.kind, recipient.email, notice.subject, raw, recipient.match, seat, inbound),
        quotable=quotable,
        question=question,
    )


def reply_link(site: Site, token: str, subject: str, text: str) -> str:
    """Return the address of a link that opens an answer to the email with this token, with a text in it."""
    return f"mailto:{quote(add_plus(site.address, token), safe='@+')}?subject={quote(subject)}&body={quote(text)}"


def readdress(raw: bytes, name: str, email: str) -> bytes:
    """Return a finished email with another reader in its header To; all else stays, so that a reply finds its way."""
    head, empty, body = raw.partition(b"\r\n\r\n")
    line = f"To: {_mailbox(name, email)}".encode("ascii")
    return _TO.sub(lambda found: line, head, count=1) + empty + body


def _complete_links(notice: Notice, reply_to: str) -> str:
    """Return the HTML of ``notice`` in ASCII, its links completed: each opens an answer to ``reply_to`` with a move.

    The answers have a short subject, without which some email programs ask at each of them. Where links do not fit, all
    are left out.
    """
    subject = quote(notice.subject.partition("]")[0].strip("["))
    html = _refer_to_characters(notice.html)
    address = f'href="mailto:{quote(reply_to, safe="@+")}?subject={subject}&amp;'
    count = html.count(ANSWER_LINK)
    if not count:
        return html if "<!--links-->" not in html else _LINKS.sub("", html)  # most emails that ask for no move
    added = len(address) + len("body=") - len(ANSWER_LINK)
    if len(html) + count * added > _LONGEST_HTML:
        return _LINKS.sub(lambda found: found[1] or "", html)
    html = html.replace("<!--links-->", "").replace("<!--/links-->", "")
    if notice.begun:
        below = quote(f"\r\n\r\n> {notice.begun}\r\n", safe=",")  # who types at the end writes below the quotation
        if len(html) + count * (len(address) + len(below)) < _LONGEST_HTML:
            # A line each: several would be too long for one.
            html = html.replace(_CELL_LINK_END, f'{below}"\n{_CELL_LINK_END[2:]}')
    return html.replace(ANSWER_LINK, f"{address}body=")


def _filter_headers(notice: Notice, recipient: Recipient) -> list[tuple[str, str]]:
    """Return the headers for email filters and robots; they say nothing that the notice itself does not."""
    headers = [("X-Pbem-Kind", notice.kind)]
    if recipient.match is None or not notice.game:
        return headers
    turn = "yes" if notice.turn else "no"
    return [("X-Pbem-Match", str(recipient.match)), ("X-Pbem-Game", notice.game), *headers, ("X-Pbem-Turn", turn)]


def _unsubscribe_headers(reply_to: str, token: str, url: str) -> list[tuple[str, str]]:
    """Return the headers of email programs' button for unsubscribing (RFC 2369, RFC 8058)."""
    offers = [f"<mailto:{reply_to}?subject=unsubscribe>"]
    if not url:
        return [("List-Unsubscribe", offers[0])]
    offers.append(f"<{url}{'&' if '?' in url else '?'}tag={token}>")
    return [("List-Unsubscribe", ", ".join(offers)), ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")]


def _compose_body(headers: list[tuple[str, str]], notice: Notice, reply_to: str, boundary: str) -> bytes:
    """Return ``headers`` and what there is to read, in two parts or as text alone."""
    if notice.html:
        return _compose_alternatives(headers, notice, reply_to, boundary)
    return _encode_part(headers, "plain", notice.text)


def _compose_mixed(headers: list[tuple[str, str]], notice: Notice, reply_to: str, boundary: str) -> bytes:
    """Return the email with its attachments, whose bytes come through as they are."""
    outer = f"{boundary}.files"
    parts = [_compose_body([], notice, reply_to, boundary)]
    for file in notice.attached:
        head = [
            ("Content-Type", f'{file.kind}; name="{file.name}"'),
            ("Content-Transfer-Encoding", "base64"),
            ("Content-Disposition", f'attachment; filename="{file.name}"'),
        ]
        parts.append(_encode_head(head) + base64.encodebytes(file.content).replace(b"\n", b"\r\n"))
    edge = f"--{outer}\r\n".encode("ascii")
    head_bytes = _encode_head([*headers, ("Content-Type", f'multipart/mixed; boundary="{outer}"')])
    return head_bytes + b"".join(edge + part + b"\r\n" for part in parts) + f"--{outer}--\r\n".encode("ascii")


def _compose_alternatives(headers: list[tuple[str, str]], notice: Notice, reply_to: str, boundary: str) -> bytes:
    """Return the email of two parts, all line ends CRLF."""
    head = _encode_head([*headers, ("Content-Type", f'multipart/alternative; boundary="{boundary}"')])
    edge = f"--{boundary}\r\n".encode("ascii")
    text = _encode_part([], "plain", notice.text)
    html = _encode_part([], "html", _complete_links(notice, reply_to))
    return b"".join([head, edge, text, b"\r\n", edge, html, b"\r\n", edge[:-2], b"--\r\n"])


def _refer_to_characters(html: str) -> str:
    """Return HTML in ASCII, other characters as references; so is the F of a line that begins with "From "."""
    if not html.isascii():
        html = html.encode("ascii", "xmlcharrefreplace").decode("ascii")
    return html.replace("\nFrom ", "\n&#70;rom ") if "From " in html else html


def _encode_part(headers: list[tuple[str, str]], kind: str, content: str) -> bytes:
    """Return a part with its headers: as it is where that survives the way, else in quoted-printable."""
    plain = _survives(content)
    encoding = "7bit" if plain else "quoted-printable"
    head = [("Content-Type", f"text/{kind}; charset=utf-8"), ("Content-Transfer-Encoding", encoding)]
    return _encode_head([*headers, *head]) + (
        content.replace("\n", "\r\n").encode("ascii") if plain else _encode_text(content)
    )


def _survives(content: str) -> bool:
    """Return whether text needs no encoding: it is ASCII in lines that nothing on the way has a reason to change."""
    if not content.isascii() or "\r" in content or "\0" in content:
        return False
    lines = content.split("\n")
    if max(map(len, lines)) > _LONGEST_LINE:
        return False
    return lines == [*map(str.rstrip, lines)] and not any(map(str.startswith, lines, repeat(_CHANGED)))


def _encode_head(headers: list[tuple[str, str]]) -> bytes:
    """Return headers, and the empty line below them."""
    return "".join([*[f"{name}: {value}\r\n" for name, value in headers], "\r\n"]).encode("ascii")


def _encode_text(content: str) -> bytes:
    """Return ``content`` in quoted-printable (RFC 2045), its line ends CRLF."""
    # Soft line ends are made like the first line end there is; the first line is left out again. Mail stores put a
    # sign before "From " at the beginning of a line.
    encoded = binascii.b2a_qp(f"\n{content}".replace("\n", "\r\n").encode(), istext=True)
    return encoded.replace(b"\r\nFrom ", b"\r\n=46rom ")[2:]


def _mailbox(name: str, email: str) -> str:
    """Return an address with a name, in ASCII."""
    shown = _encode_header(name)
    return f"{shown} <{email}>" if "=?" in shown else formataddr((shown, email))


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
