"""A raw mail taken apart, as far as the line needs it; broken mail yields what can be read of it."""

import codecs
import email
import email.errors
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.header import Header, decode_header
from email.message import Message
from email.utils import getaddresses
from functools import cached_property
from typing import TypeAlias

from pbem.hypertext import TooManyTags, html_to_text

__all__ = ["Letter", "Unreadable", "html_to_text", "open_letter"]

_DEEPEST, _MOST_PARTS = 30, 500
_LONGEST_TEXT, _LONGEST_HTML = 200_000, 4_000_000
"""Characters: of what people write, quotations included; and of its HTML, which may hold pictures."""

_LONGEST_HEADER, _MOST_LINES, _MOST_BOUNDARIES = 150_000, 1_000_000, 300
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_LONG_PARAMETERS = re.compile(rb"^content-[a-z-]{1,30}:(?:[^\n]|\n[ \t]){5000}", re.IGNORECASE | re.MULTILINE)
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,900}>")
_TO_HEADERS = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")


class Unreadable(ValueError):
    """The bytes are no mail that a person could have written; the sentence says why."""


@dataclass(frozen=True)
class Letter:
    """What the line reads of a mail; header texts are decoded and on one line."""

    message: "Message[str, str]"
    raw: bytes

    @cached_property
    def message_id(self) -> str:
        """The Message-ID with its angle brackets, or an empty text."""
        found = _MESSAGE_ID.search(self.header("Message-ID"))
        return found[0] if found else ""

    @property
    def identity(self) -> str:
        """What makes this letter the same as another delivery of it: its Message-ID, else a hash of its bytes."""
        return self.message_id or self.identity_of(self.raw)

    @staticmethod
    def identity_of(raw: bytes) -> str:
        """Return what makes a letter without a usable Message-ID the same as another delivery of it."""
        return "sha256:" + hashlib.sha256(raw).hexdigest()

    @cached_property
    def senders(self) -> tuple[str, ...]:
        """The addresses in From, in lower case."""
        return tuple(self._addresses("From"))

    @cached_property
    def subject(self) -> str:
        """The subject."""
        return self.header("Subject")[:500]

    @cached_property
    def tag_places(self) -> tuple[str, ...]:
        """Where a tag may stand, the likeliest first: addresses written to, then the mails answered, newest first."""
        places = [address for name in _TO_HEADERS for address in self._addresses(name)]
        return (*places, *self.answered)

    @cached_property
    def answered(self) -> tuple[str, ...]:
        """The Message-IDs of the mails that this one answers, newest first."""
        found = _MESSAGE_ID.findall(self.header("In-Reply-To"))[:10]
        return (*found, *reversed(_MESSAGE_ID.findall(self.header("References"))[-100:]))

    @cached_property
    def text(self) -> str:
        """The text of the letter, part by part: plain text, or HTML as text where that says nothing.

        Raises Unreadable for more than anybody writes.
        """
        return _checked(_reading(list(_leaves(self.message))))

    @cached_property
    def texts(self) -> tuple[str, str]:
        """The text of the plain parts and that of the HTML parts, each as a reader sees it; raises Unreadable."""
        leaves = [leaf for leaf, _ in _leaves(self.message)]
        plain, html = ([_content(leaf) for leaf in leaves if _is_text(leaf, kind)] for kind in ("plain", "html"))
        return _checked("\n".join(plain)), _checked(_from_html("\n".join(html)))

    def header(self, name: str) -> str:
        """Return the first header ``name``, decoded, its line breaks and control characters turned into spaces."""
        return _decoded(self.message.get(name, ""))

    def headers(self, name: str) -> list[str]:
        """Return every header ``name`` as ``header`` does."""
        return [_decoded(value) for value in self.message.get_all(name, [])]

    def _addresses(self, name: str) -> Iterator[str]:
        """Yield the addresses in the headers ``name``, undecoded: an encoded name must not become an address."""
        values = [str(value)[:20_000] for value in self.message.get_all(name, [])]
        try:
            found = getaddresses(values)
        except RecursionError:  # comments inside comments
            return
        yield from (address.strip().lower() for _, address in found if "@" in address and address.isprintable())


def open_letter(raw: bytes) -> Letter:
    """Take ``raw`` apart; raises Unreadable for what is no mail at all, or nested beyond sense."""
    end = _HEADER_END.search(raw)
    if b"\0" in raw[: end.start() if end else None]:
        raise Unreadable("The bytes are no mail: they hold NUL characters in the header.")
    if (end.start() if end else len(raw)) > _LONGEST_HEADER or _LONG_PARAMETERS.search(raw):
        raise Unreadable("The mail has a header longer than any mail program writes.")
    # The parser compares every line with every boundary that is open.
    boundaries, lines = raw.lower().count(b"boundary"), raw.count(b"\n")
    if (
        raw.count(b"\n--") > 4 * _MOST_PARTS
        or max(lines / _MOST_LINES, boundaries / _MOST_BOUNDARIES, boundaries * lines / (10 * _MOST_LINES)) > 1
    ):
        raise Unreadable("The mail has too many parts, or too many lines.")
    try:
        message = email.message_from_bytes(raw)
    except RecursionError as error:
        raise Unreadable("The mail is nested too deeply.") from error
    if not message.keys():
        raise Unreadable("The bytes are no mail: they have no header.")
    return Letter(message, raw)


_Message: TypeAlias = "Message[str, str]"
_Leaf: TypeAlias = "tuple[_Message, _Message | None]"
"""A part without parts, and the innermost part around it that offers the same text in several kinds."""


def _leaves(message: _Message) -> Iterator[_Leaf]:
    """Yield the parts that hold text, first to last; Unreadable when there are more than anybody writes."""
    waiting: list[tuple[_Message, _Message | None, int]] = [(message, None, 0)]
    seen = 0
    while waiting:
        part, choice, depth = waiting.pop()
        seen += 1
        if depth > _DEEPEST or seen > _MOST_PARTS:
            raise Unreadable("The mail has too many parts, or nests them too deeply.")
        kind = part.get_content_type()
        if kind.startswith("message/"):
            continue  # a mail that is attached was not written by whoever attached it
        # Asked of what is no multipart, `get_payload` would decode it here, in whatever charset it names.
        payload = part.get_payload() if part.is_multipart() else None
        if isinstance(payload, list):
            choice = part if kind == "multipart/alternative" and choice is None else choice
            waiting += [(child, choice, depth + 1) for child in reversed(payload) if isinstance(child, Message)]
        else:
            yield part, choice


def _reading(leaves: list[_Leaf]) -> str:
    """Return the texts of a letter's parts, one below the other; of those to choose from, the plainest that is one."""
    texts: list[str] = []
    for place, (leaf, choice) in enumerate(leaves):
        if choice is None:
            texts.append(_plain_or_html(leaf))
        elif place == 0 or leaves[place - 1][1] is not choice:
            offered = [one for one, around in leaves if around is choice]
            plain = "\n".join(_content(one) for one in offered if _is_text(one, "plain"))
            if not plain.strip() or _SEE_HTML.fullmatch(plain.strip()[:400]):
                plain = _from_html("\n".join(_content(one) for one in offered if _is_text(one, "html"))) or plain
            texts.append(plain)
    return "\n".join(filter(None, texts))


def _plain_or_html(part: _Message) -> str:
    """Return the text of a part that stands alone; nothing if it is neither plain text nor HTML to be read."""
    if _is_text(part, "html"):
        return _from_html(_content(part))
    if not _is_text(part, "plain"):
        return ""
    content = _content(part)
    return _from_html(content) if _IS_HTML.match(content) else content


def _from_html(html: str) -> str:
    """Return HTML as text; raises Unreadable."""
    try:
        return html_to_text(html)
    except TooManyTags as error:
        raise Unreadable("The mail's HTML is no text that a person could have written.") from error


def _checked(text: str) -> str:
    """Return the text of a letter; raises Unreadable if nobody could have written it."""
    if len(text) > _LONGEST_TEXT:
        raise Unreadable("The mail has more text than anybody writes.")
    return text


_SEE_HTML = re.compile(r"(?=.{0,300}\bhtml\b)[^>]{0,300}", re.IGNORECASE | re.DOTALL)
_IS_HTML = re.compile(r"\s{0,99}(?:<!doctype html\b[^>]{0,300}>\s{0,99})?<html\b", re.IGNORECASE)


def _is_text(part: _Message, kind: str) -> bool:
    """Tell whether ``part`` is text, ``plain`` or ``html``, meant to be read where it stands."""
    disposition = str(part.get("Content-Disposition", "")).strip().lower()
    if disposition.startswith("attachment") or "filename" in disposition:
        return False
    found = part.get_content_type()
    if kind == "plain" and found.startswith("multipart/"):  # what says that it has parts, and has none
        return "content-type:" not in str(part.get_payload()).lower()
    return found == f"text/{kind}"


def _content(part: _Message) -> str:
    """Return the decoded text of a leaf; what its charset cannot explain becomes a replacement character."""
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    if len(content) > _LONGEST_HTML or (len(content) > 4 * _LONGEST_TEXT and not _is_text(part, "html")):
        raise Unreadable("The mail has more text than anybody writes.")
    text = _decoded_bytes(content, _charset(part))
    kind = str(part.get("Content-Type", ""))[:1000].lower()
    return _unflowed(text, _SPACES_GO.search(kind) is not None) if "flowed" in kind else text


_SPACES_GO = re.compile(r"delsp\s{0,9}=\s{0,9}\"?yes")


def _decoded_bytes(content: bytes, charset: str) -> str:
    """Return ``content`` as text: in its charset, else in UTF-8, else in what is commonest of the others."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) and len(content) % 2 == 0:
        charset = "utf-16"
    for name in (charset, "utf-8"):
        try:
            # A few codecs yield halves of characters, which nothing can write out again.
            return content.decode(name).encode("utf-8", "replace").decode()
        except (LookupError, UnicodeError, ValueError):
            continue
    repaired = content.decode("utf-8", "replace")
    whole = sum(not char.isascii() for char in repaired)
    # Most of it is UTF-8: something was cut off, or got lost on the way.
    return repaired if whole > 2 * repaired.count("\ufffd") else content.decode("cp1252", "replace")


def _charset(part: _Message) -> str:
    """Return the charset a part claims; UTF-8 where it claims none, breaks the parser, or names no charset of mail."""
    try:
        name = codecs.lookup(str(part.get_content_charset() or "utf-8")).name
    except (LookupError, UnicodeError, ValueError, TypeError, IndexError):
        return "utf-8"
    return "utf-8" if name in _NO_CHARSETS else name


_NO_CHARSETS = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"})
"""Codecs of Python that no mail is written in; some take very long, or warn."""


def _unflowed(text: str, spaces_go: bool) -> str:
    """Return ``text`` (format=flowed, RFC 3676) with the lines joined that belong to one paragraph.

    ``spaces_go``: the space that tells that a line goes on is no part of the text (DelSp=yes).
    """
    lines: list[str] = []
    goes_on = False
    for line in text.splitlines():
        quoted = line.startswith(">")
        bare = line[1:] if line.startswith(" ") else line  # a space stands before what would look like something else
        if goes_on and not quoted and line != "-- ":
            lines[-1] += bare
        else:
            lines.append(bare)
        goes_on = line.endswith(" ") and line != "-- " and not quoted
        if goes_on and spaces_go:
            lines[-1] = lines[-1][:-1]
    return "\n".join(lines)


def _decoded(value: object) -> str:
    """Return a header's text on one line."""
    text = str(value)[:20_000]
    try:
        # A header with bytes that are not ASCII, against the rules, comes as an object: most such bytes are UTF-8.
        pieces = decode_header(value if isinstance(value, Header) else text)
    except (email.errors.HeaderParseError, ValueError, LookupError):
        pieces = [(text, None)]
    words = []
    for piece, charset in pieces:
        if isinstance(piece, str):
            words.append(piece)
            continue
        try:
            words.append(piece.decode("utf-8" if charset in _NO_CHARSETS else charset or "utf-8", "replace"))
        except (LookupError, UnicodeError, ValueError):
            words.append(piece.decode("utf-8", "replace"))
    return "".join(char if char.isprintable() else " " for char in "".join(words)).strip()
