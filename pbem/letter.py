"""A raw mail taken apart, as far as the line needs it; broken mail yields what can be read of it."""

import email
import email.errors
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses
from functools import cached_property
from html.parser import HTMLParser

_DEEPEST, _MOST_PARTS, _LONGEST_TEXT = 30, 500, 200_000
_TO_HEADERS = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")


@dataclass(frozen=True)
class Letter:
    """What the line reads of a mail; header texts are decoded and on one line."""

    message: "Message[str, str]"
    raw: bytes

    @cached_property
    def message_id(self) -> str:
        """The Message-ID with its angle brackets, or an empty text."""
        found = re.search(r"<[^<>\s]{1,900}>", self.header("Message-ID"))
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
        places += re.findall(r"<[^<>]{1,900}>", self.header("In-Reply-To"))
        return (*places, *reversed(re.findall(r"<[^<>]{1,900}>", self.header("References"))[-100:]))

    @cached_property
    def text(self) -> str:
        """The text of the letter: its plain text parts, or, where they say nothing, its HTML as text."""
        plain = "\n".join(_content(part) for part in _leaves(self.message) if _is_text(part, "text/plain"))
        if plain.strip():
            return plain[:_LONGEST_TEXT]
        html = "\n".join(_content(part) for part in _leaves(self.message) if _is_text(part, "text/html"))
        return html_to_text(html[:_LONGEST_TEXT])

    def header(self, name: str) -> str:
        """Return the first header ``name``, decoded, its line breaks and control characters turned into spaces."""
        return _decoded(self.message.get(name, ""))

    def headers(self, name: str) -> list[str]:
        """Return every header ``name`` as ``header`` does."""
        return [_decoded(value) for value in self.message.get_all(name, [])]

    def _addresses(self, name: str) -> Iterator[str]:
        """Yield the addresses in the headers ``name``, undecoded: an encoded name must not become an address."""
        values = [str(value)[:20_000] for value in self.message.get_all(name, [])]
        yield from (address.strip().lower() for _, address in getaddresses(values) if "@" in address)


def open_letter(raw: bytes) -> Letter:
    """Take ``raw`` apart; raises ValueError for what is no mail at all, or nested beyond sense."""
    if b"\0" in raw[:2000]:
        raise ValueError("The bytes are no mail: they hold NUL characters in the header.")
    if raw.count(b"\n--") > 4 * _MOST_PARTS:
        raise ValueError("The mail has too many parts.")
    try:
        message = email.message_from_bytes(raw)
    except RecursionError as error:
        raise ValueError("The mail is nested too deeply.") from error
    if not message.keys():
        raise ValueError("The bytes are no mail: they have no header.")
    return Letter(message, raw)


def html_to_text(html: str) -> str:
    """Return the text a reader of ``html`` sees, one line a block; quoted blocks are marked with ``>``."""
    reader = _HtmlText()
    reader.feed(html)
    reader.close()
    return reader.text()


class _HtmlText(HTMLParser):
    """Collects visible text; knows blocks, breaks, quotations and what is never shown."""

    _BLOCKS = frozenset({"p", "div", "tr", "li", "ul", "ol", "table", "h1", "h2", "h3", "hr", "pre", "blockquote"})
    _UNSEEN = frozenset({"head", "style", "script", "title", "template"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._lines: list[tuple[int, str]] = []
        self._line = ""
        self._depth = 0
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a block, a quotation or something that is never shown."""
        if tag in self._BLOCKS or tag == "br":
            self._break()
        self._depth += tag == "blockquote"
        self._unseen += tag in self._UNSEEN

    def handle_endtag(self, tag: str) -> None:
        """End what ``handle_starttag`` began."""
        if tag in self._BLOCKS:
            self._break()
        self._depth = max(0, self._depth - (tag == "blockquote"))
        self._unseen = max(0, self._unseen - (tag in self._UNSEEN))

    def handle_data(self, data: str) -> None:
        """Add visible text to the line."""
        if not self._unseen:
            self._line += data

    def text(self) -> str:
        """Return what was collected."""
        self._break()
        return "\n".join("> " * depth + line for depth, line in self._lines)

    def _break(self) -> None:
        if line := " ".join(self._line.split()):
            self._lines.append((self._depth, line))
        self._line = ""


def _leaves(message: "Message[str, str]") -> Iterator["Message[str, str]"]:
    """Yield the parts that hold text, first to last; ValueError when there are more than anybody writes."""
    waiting = [(message, 0)]
    seen = 0
    while waiting:
        part, depth = waiting.pop()
        seen += 1
        if depth > _DEEPEST or seen > _MOST_PARTS:
            raise ValueError("The mail has too many parts, or nests them too deeply.")
        payload = part.get_payload()
        if isinstance(payload, list):
            waiting += [(child, depth + 1) for child in reversed(payload) if not isinstance(child, str)]
        else:
            yield part


def _is_text(part: "Message[str, str]", kind: str) -> bool:
    """Tell whether ``part`` is text of ``kind`` meant to be read where it stands."""
    disposition = str(part.get("Content-Disposition", "")).strip().lower()
    return part.get_content_type() == kind and not disposition.startswith("attachment")


def _content(part: "Message[str, str]") -> str:
    """Return the decoded text of a leaf; what its charset cannot explain becomes a replacement character."""
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    for charset in (_charset(part), "utf-8"):
        try:
            return content.decode(charset)
        except (LookupError, UnicodeError, ValueError):
            continue
    return content.decode("cp1252", "replace")


def _charset(part: "Message[str, str]") -> str:
    """Return the charset a part claims; UTF-8 where it claims none, or breaks the parser."""
    try:
        return str(part.get_content_charset() or "utf-8")
    except (LookupError, UnicodeError, ValueError, TypeError, IndexError):
        return "utf-8"


def _decoded(value: object) -> str:
    """Return a header's text on one line."""
    text = str(value)[:20_000]
    try:
        pieces = decode_header(text)
    except (email.errors.HeaderParseError, ValueError, LookupError):
        pieces = [(text, None)]
    words = []
    for piece, charset in pieces:
        if isinstance(piece, str):
            words.append(piece)
            continue
        try:
            words.append(piece.decode(charset or "utf-8", "replace"))
        except (LookupError, UnicodeError):
            words.append(piece.decode("utf-8", "replace"))
    return "".join(char if char.isprintable() else " " for char in "".join(words)).strip()
