"""Fills the templates of the corpus: what is written for the eye becomes the bytes that an email program sends."""

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path
from random import Random
from textwrap import wrap

from pbem.mail.message import InboundMessage
from tests.corpus.tables import Table
from tests.support.club import ADDRESS, PLAYERS

HERE = Path(__file__).parent
GROUPS = ("moves", "questions", "nothing_new", "automatic", "malformed", "hostile")

_FIELD = re.compile(r"\{\{([a-z]+)((?: [^{}\n]+)?)\}\}")
_BLOCK = re.compile(r"^%%(base64|qp|8bit)(?: (\S+))?\n(.*?)^%%end\n", re.MULTILINE | re.DOTALL)
_NOTE = re.compile(r"# ([a-z]+): ?(.*)")


@dataclass(frozen=True)
class Case:
    """A message of the corpus: its bytes, and what must become of it.

    ``commands`` are those that the message is carried out with, ``moves`` the entries of its sender among them;
    ``comment`` is what everybody is told with them. ``reasons`` are those that it may end for, "" where it is accepted.
    """

    name: str
    group: str
    raw: bytes
    table: str
    seat: int
    client: str
    language: str
    status: str
    reasons: tuple[str, ...]
    commands: tuple[str, ...]
    moves: tuple[str, ...]
    comment: str


def all_cases(tables: Mapping[str, Table]) -> list[Case]:
    """Return the messages of every group that stand in files, in the order of their names."""
    return [case(path, tables) for group in GROUPS for path in sorted((HERE / group).glob("*.eml"))]


def files() -> list[Path]:
    """Return the files of the corpus, a message each."""
    return sorted(path for group in GROUPS for path in (HERE / group).glob("*.eml"))


def case(path: Path, tables: Mapping[str, Table]) -> Case:
    """Return one message, its template filled in."""
    lines = path.read_text(encoding="utf-8").split("\n")
    notes: dict[str, str] = {}
    while lines and (found := _NOTE.fullmatch(lines[0])):
        notes[found[1]] = found[2]
        del lines[0]
    table = tables[notes.get("table", "zipline")]
    seat = int(notes.get("seat", table.writer))
    commands = tuple(filter(None, notes.get("commands", "").split(" | ")))
    moves = notes["moves"].split(" | ") if "moves" in notes else [one for one in commands if not _is_word(one)]
    status, _, reason = notes["end"].partition(" ")
    raw = _Filled(table, seat, path.stem).bytes("\n".join(lines))
    return Case(
        path.stem,
        path.parent.name,
        raw.replace(b"\n", b"\r\n") if notes.get("newlines") != "lf" else raw,
        notes.get("table", "zipline"),
        seat,
        notes.get("client", ""),
        notes.get("language", ""),
        status,
        tuple(reason.split(" or ")),
        commands,
        tuple(filter(None, moves)),
        notes.get("remark", ""),
    )


def fill(template: str, table: Table, seat: int, name: str) -> bytes:
    """Return the message that a template stands for, written at ``seat`` in answer to the newest email to it."""
    return _Filled(table, seat, name).bytes(template).replace(b"\n", b"\r\n")


def _is_word(command: str) -> bool:
    """Return whether a command is none of a game's own moves."""
    return command in ("show", "help", "resign", "ready", "yes", "no") or command.startswith(("say:", "team:", "salt "))


class _Filled:
    """The fields of one message: who writes, to what he replies, and how his email program quotes it."""

    def __init__(self, table: Table, seat: int, name: str) -> None:
        self._mails = table.mails
        self._seat = seat
        self._name = name
        self._notice = table.mails[seat][-1]

    def bytes(self, template: str) -> bytes:
        """Return the whole message, its lines ended by ``\\n`` alone."""
        text = template.replace("{{head}}\n", self._head(template))
        text = _FIELD.sub(lambda found: self._field(found[1], found[2].split()), text)
        text = _FIELD.sub(lambda found: self._field(found[1], found[2].split()), text)  # those in what was repeated
        pieces: list[bytes] = []
        place = 0
        for block in _BLOCK.finditer(text):
            pieces.append(_encoded(text[place : block.start()]))
            pieces.append(_ENCODINGS[block[1]](_encoded(block[3], block[2] or "utf-8")))
            place = block.end()
        return b"".join([*pieces, _encoded(text[place:])])

    def _head(self, template: str) -> str:
        """Return the headers of an ordinary reply, those left out that the template has itself."""
        given = {line.partition(":")[0].lower() for line in template.partition("\n\n")[0].split("\n")}
        notice = self._notice
        usual = {
            "From": PLAYERS[self._seat],
            "To": f"pbem <{self._field('tagged', [])}>",
            "Subject": "Re: {{subject}}",
            "Date": "Sat, 21 Nov 2026 09:12:44 +0100",
            "Message-ID": f"<{self._name}@players.example>",
            "In-Reply-To": notice.message_id,
            "References": " ".join(dict.fromkeys([*reversed(notice.answered), notice.message_id])),
            "MIME-Version": "1.0",
        }
        return "".join(f"{name}: {value}\n" for name, value in usual.items() if name.lower() not in given)

    def _field(self, name: str, words: list[str]) -> str:
        """Return what stands for one placeholder."""
        if name == "x":  # bytes, in hexadecimal
            return bytes.fromhex("".join(words)).decode("ascii", "surrogateescape")
        if name == "u":  # a character by its number
            return "".join(chr(int(word, 16)) for word in words)
        if name == "repeat":
            return unescape(" ".join(words[1:])).replace("\\n", "\n") * int(words[0])
        notice = self._notice
        if words[:1] in (["older"], ["other"]):
            which = words.pop(0)
            other = next(seat for seat in self._mails if seat != self._seat)
            notice = self._mails[self._seat][-2] if which == "older" else self._mails[other][-1]
        if name in ("notice", "htmlnotice"):
            return _quoted(notice, words) if name == "notice" else _html_quoted(notice, words)
        tagged = notice.header("Reply-To").partition("<")[2].strip("> ")
        return {
            "address": ADDRESS,
            "tagged": tagged,
            "tag": tagged.partition("+")[2].partition("@")[0],
            "noticeid": notice.message_id,
            "firstid": [*notice.answered, notice.message_id][-1],
            "subject": " ".join(str(notice.head.get("Subject")).split()),
            "subjecttext": notice.subject,
            "me": PLAYERS[self._seat],
            "myaddress": PLAYERS[self._seat].partition("<")[2].rstrip(">"),
            "myname": PLAYERS[self._seat].partition(" <")[0],
        }[name]


def _quoted(notice: InboundMessage, words: list[str]) -> str:
    """Return the text of a notice as an email program quotes it: each word of ``words`` does something to it."""
    text = notice.texts[0].strip("\n")
    steps: Iterator[str] = iter(words)
    for step in steps:
        text = _STEPS[step](text, next(steps)) if step in _WITH_VALUE else _PLAIN_STEPS[step](text, notice)
    return text


def _html_quoted(notice: InboundMessage, words: list[str]) -> str:
    """Return the HTML of a notice as an email program puts it into its own."""
    html = _html(notice)
    if "stripped" in words:  # as programs do that keep no styles
        html = re.sub(r' (?:style|width|border|cell\w+|scope|title)="[^"]*"', "", html)
    if "outlook" in words:
        html = html.replace("<p>", '<p class="MsoNormal">').replace("</p>", "<o:p></o:p></p>")
        html = re.sub(r"<(td|th)([^>]*)>([^<]*)", r'<\1\2><p class="MsoNormal" align="center">\3<o:p></o:p></p>', html)
    if "linked" in words:
        html = _linked(html)
    return html.strip()


def _html(notice: InboundMessage) -> str:
    """Return the inside of the body of a notice's HTML part."""
    part = next(part.mime for part in notice.parts if part.mime.get_content_type() == "text/html")
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode().replace("\r\n", "\n").partition("<body")[2].partition(">")[2].partition("</body>")[0]


def _linked(html: str) -> str:
    """Return the HTML with a link around every cell."""
    link = f'<a href="mailto:{ADDRESS.replace("@", "%2B1.0.0@")}?body=\\1">'
    return re.sub(r'<td title="(\w+)"([^>]*)>([^<\s]*)', rf'<td title="\1"\2>{link}\3</a>', html)


def _from_html(notice: InboundMessage, between: str, link: str = "") -> str:
    """Return a notice as programs make text of its HTML: ``between`` the cells of a row, ``link`` before its target."""
    html = _html(notice)
    if link:
        linked = html if "mailto:" in html else _linked(html)
        target = re.escape(link).replace(r"\ ", " ")
        html = re.sub(r'(?s)<a\b[^>]*href="([^"]*)"[^>]*>(.*?)</a>', rf"\2{target}\1&gt;", linked)
        html = html.replace(f"{link}mailto", f"{link.replace('<', '&lt;')}mailto")
    html = re.sub(r"(?:</(?:td|th)>)?\s*(?=<(?:td|th)\b)", between, html)  # a cell ends where the next begins
    html = re.sub(r"\s*\n\s*", "\n", re.sub(r"</?(p|div|tr|table|br|pre|li|ul)\b[^>]*>", "\n", html))
    return re.sub(r"\n{3,}", "\n\n", unescape(re.sub(r"<[^>]*>", "", html))).strip()


def _wrapped(text: str, width: int) -> str:
    """Return the text with every line that is longer broken at ``width``, as programs do with what they send."""
    return "\n".join(piece for line in text.split("\n") for piece in _broken(line, width))


def _broken(line: str, width: int) -> list[str]:
    """Return one line in pieces."""
    return wrap(line, width, break_on_hyphens=False, break_long_words=False) or [""]


def _refilled(text: str, width: int) -> str:
    """Return the text with its paragraphs filled anew, boards too, as programs do that take all for prose."""
    return "\n\n".join(
        "\n".join(wrap(paragraph, width, break_on_hyphens=False, break_long_words=False))
        for paragraph in text.split("\n\n")
        if paragraph
    )


def _prefixed(text: str, prefix: str) -> str:
    """Return the text with a mark before each line."""
    return "\n".join(f"{prefix} {line}".rstrip() for line in text.split("\n"))


def _disordered(text: str, chance: Random) -> str:
    """Return the text with some of its lines exchanged, as damage on the way leaves it."""
    lines = text.split("\n")
    for _ in range(20):
        one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[one], lines[two] = lines[two], lines[one]
    return "\n".join(lines)


def _doubled(text: str) -> str:
    """Return the text with an empty line below each."""
    return text.replace("\n", "\n\n")


_WITH_VALUE = frozenset({"wrapped", "refilled", "prefix", "lines", "disordered"})
_STEPS: dict[str, Callable[[str, str], str]] = {
    "wrapped": lambda text, value: _wrapped(text, int(value)),
    "refilled": lambda text, value: _refilled(text, int(value)),
    "prefix": _prefixed,
    "disordered": lambda text, value: _disordered(text, Random(int(value))),
    "lines": lambda text, value: "\n".join(text.split("\n")[: int(value)]),
}
_PLAIN_STEPS: dict[str, Callable[[str, InboundMessage], str]] = {
    "plain": lambda text, notice: text,
    "marked": lambda text, notice: _prefixed(text, ">"),
    "linked": lambda text, notice: _from_html(notice, " ", "<"),
    "broken": lambda text, notice: _from_html(notice, " ", " <"),
    "indented": lambda text, notice: "    " + text.replace("\n", "\n    "),
    "doubled": lambda text, notice: _doubled(text),
    "cells": lambda text, notice: _from_html(notice, "\n"),
    "tabs": lambda text, notice: _from_html(notice, "\t"),
    "spaces": lambda text, notice: _from_html(notice, " "),
    "nbsp": lambda text, notice: text.replace("  ", "\u00a0 "),
    "ascii": lambda text, notice: text.encode("ascii", "replace").decode(),
    "html": lambda text, notice: escape(text).replace("\n", "<br>\n"),
    "upper": lambda text, notice: text.upper(),
}


def _encoded(text: str, charset: str = "utf-8") -> bytes:
    """Return the bytes of a text; lone surrogates stand for bytes."""
    if charset == "utf-8":
        return text.encode(charset, "surrogateescape")
    return text.encode(charset, "replace")


def _qp(content: bytes) -> bytes:
    """Return ``content`` in quoted-printable."""
    return binascii.b2a_qp(content, istext=True)


_ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "base64": base64.encodebytes,
    "qp": _qp,
    "8bit": lambda content: content,
}
