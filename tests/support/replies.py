"""Replies as players' email programs write them: short, with our text quoted, and as Gmail does."""

import textwrap
from base64 import encodebytes
from dataclasses import dataclass
from email.message import EmailMessage
from html import escape
from html.parser import HTMLParser
from quopri import encodestring
from typing import Literal

from tests.support.mails import read

Kind = Literal["short", "quoted", "gmail"]
KINDS: tuple[Kind, ...] = ("short", "quoted", "gmail")
"""A few lines; plain text above our whole text; both parts above our whole text and our whole HTML."""

# So many words that the service has to look whether they are a quotation without a mark.
_REMARK = "Thank you for the game so far, and good luck with the rest of it!"
_WROTE = "On Fri, 20 Nov 2026 at 18:30, pbem <games@pbem.example> wrote:"
_BLOCKS = frozenset({"p", "div", "tr", "br", "li", "table", "h1", "h2", "h3", "pre"})
_UNSEEN = frozenset({"style", "title", "head", "script"})


@dataclass(frozen=True)
class Answered:
    """What a reply needs of the notice that it answers."""

    reader: str
    reply_to: str
    subject: str
    message_id: str
    references: str
    text: str
    html: str


def read_notice(raw: bytes) -> Answered:
    """Return what a reply to this notice needs."""
    notice = read(raw)
    return Answered(
        str(notice["To"]),
        str(notice["Reply-To"]),
        str(notice["Subject"]),
        str(notice["Message-ID"]),
        str(notice["References"] or ""),
        _part(notice, "plain"),
        _part(notice, "html"),
    )


def write_reply(kind: Kind, notice: Answered, move: str, number: int, remark: str = _REMARK) -> bytes:
    """Return the reply number ``number`` to ``notice``, with ``move`` in it, and a ``remark`` below."""
    return {"short": _short, "quoted": _quoted, "gmail": _gmail}[kind](notice, move, number, remark)


def message_id_of(number: int) -> str:
    """Return the Message-ID of the reply with this number."""
    return f"<CAF{number:09}xyz@mail.players.example>"


def _short(notice: Answered, move: str, number: int, remark: str) -> bytes:
    head = _head(notice, number, 'text/plain; charset="utf-8"', "8bit")
    return head + _lines(f"{move}\n\n{remark}\n")


def _quoted(notice: Answered, move: str, number: int, remark: str) -> bytes:
    head = _head(notice, number, 'text/plain; charset="utf-8"', "8bit")
    return head + _lines(f"{move}\n\n{remark}\n\n{_WROTE}\n{_marked(notice.text)}\n")


def _gmail(notice: Answered, move: str, number: int, remark: str) -> bytes:
    boundary = f"000000000000{number:08x}0645f1a2b3c4"
    written = f"{move}\n\n{remark}"
    plain = f"{written}\n\n{_WROTE}\n\n{_marked(_as_gmail_reads(notice.html))}\n"
    html = (
        f'<div dir="ltr">{escape(move)}<div><br></div><div>{escape(remark)}</div></div><br>'
        f'<div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">{escape(_WROTE)}<br></div>'
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);'
        f'padding-left:1ex">{notice.html}</blockquote></div>\n'
    )
    edge = f"--{boundary}".encode()
    text_part = b'Content-Type: text/plain; charset="UTF-8"\r\nContent-Transfer-Encoding: base64\r\n\r\n'
    html_part = b'Content-Type: text/html; charset="UTF-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n'
    return b"\r\n".join(
        [
            _head(notice, number, f'multipart/alternative; boundary="{boundary}"') + edge,
            text_part + encodebytes(_lines(plain)).replace(b"\n", b"\r\n"),
            edge,
            html_part + encodestring(html.encode()).replace(b"\n", b"\r\n"),
            edge + b"--\r\n",
        ]
    )


def _head(notice: Answered, number: int, content_type: str, encoding: str = "") -> bytes:
    """Return the header of a reply, with the trace and the signature of a large provider, and the empty line."""
    signature = "b" * 68
    lines = [
        "Delivered-To: games@pbem.example",
        f"Received: by 2002:a05:6022:1093:b0:7e:4f1a:{number:x} with SMTP id q19csp{number}laz;",
        " Fri, 20 Nov 2026 10:31:07 -0800 (PST)",
        "Received: from mail.players.example (mail.players.example [192.0.2.41]) by mx.pbem.example with ESMTPS",
        f" id 98e67ed59e1d1-343e0708f1fsor{number} for <games@pbem.example>; Fri, 20 Nov 2026 10:31:06 -0800 (PST)",
        "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=players.example; s=20230601; t=1795199466;",
        " h=to:subject:message-id:date:from:in-reply-to:references:mime-version:from:to:cc:subject:date;",
        *(f" {signature}" for _ in range(5)),
        "MIME-Version: 1.0",
        f"References: {notice.references} {notice.message_id}".replace("  ", " "),
        f"In-Reply-To: {notice.message_id}",
        f"From: {notice.reader}",
        "Date: Fri, 20 Nov 2026 19:31:05 +0100",
        f"Message-ID: {message_id_of(number)}",
        f"Subject: Re: {notice.subject}",
        f"To: {notice.reply_to}",
        f"Content-Type: {content_type}",
        *([f"Content-Transfer-Encoding: {encoding}"] if encoding else []),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _lines(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()


def _marked(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _part(notice: EmailMessage, kind: str) -> str:
    part = notice.get_body((kind,))
    return str(part.get_content()).replace("\r\n", "\n") if part else ""


class _Reader(HTMLParser):
    """Makes text of HTML as Gmail does for its plain part: behind each link stands its target."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._targets: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line, or remember a link."""
        if tag in _BLOCKS:
            self.words.append("\n")
        if tag == "a":
            self._targets.append(dict(attrs).get("href") or "")
        self._unseen += tag in _UNSEEN

    def handle_endtag(self, tag: str) -> None:
        """Write the target of a link."""
        if tag == "a" and self._targets:
            self.words.append(f" <{self._targets.pop()}> ")
        self._unseen -= tag in _UNSEEN

    def handle_data(self, data: str) -> None:
        """Write what can be seen."""
        if not self._unseen:
            self.words.append(data.replace("\n", " "))


def _as_gmail_reads(html: str) -> str:
    """Return the plain part that Gmail makes of quoted HTML, wrapped."""
    reader = _Reader()
    reader.feed(html)
    paragraphs = (" ".join(line.split()) for line in "".join(reader.words).splitlines())
    wrapped = (textwrap.wrap(line, 76, break_long_words=False, break_on_hyphens=False) or [""] for line in paragraphs)
    return "\n".join(line for lines in wrapped for line in lines)
