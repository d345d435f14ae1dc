"""A raw mail taken apart, as far as the line needs it; broken mail yields what can be read of it."""

import codecs
import email
import email.errors
import hashlib
import html as entities
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.header import Header, decode_header
from email.message import Message
from email.utils import getaddresses
from functools import cached_property

_DEEPEST, _MOST_PARTS, _LONGEST_TEXT = 30, 500, 200_000
_LONGEST_HEADER, _MOST_LINES = 200_000, 1_000_000
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
        """The text of the letter: its plain text parts, or, where they say nothing, its HTML as text."""
        plain = self._parts("text/plain")
        return plain if plain.strip() else html_to_text(self._parts("text/html"))

    @cached_property
    def texts(self) -> tuple[str, str]:
        """The text of the plain parts and that of the HTML parts, each as a reader sees it."""
        return self._parts("text/plain"), html_to_text(self._parts("text/html"))

    def header(self, name: str) -> str:
        """Return the first header ``name``, decoded, its line breaks and control characters turned into spaces."""
        return _decoded(self.message.get(name, ""))

    def headers(self, name: str) -> list[str]:
        """Return every header ``name`` as ``header`` does."""
        return [_decoded(value) for value in self.message.get_all(name, [])]

    def _parts(self, kind: str) -> str:
        """Return the contents of all parts of a kind."""
        return "\n".join(_content(part) for part in _leaves(self.message) if _is_text(part, kind))[:_LONGEST_TEXT]

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
    if raw.count(b"\n--") > 4 * _MOST_PARTS or lines > _MOST_LINES or boundaries * lines > 10 * _MOST_LINES:
        raise Unreadable("The mail has too many parts, or too many lines.")
    try:
        message = email.message_from_bytes(raw)
    except RecursionError as error:
        raise Unreadable("The mail is nested too deeply.") from error
    if not message.keys():
        raise Unreadable("The bytes are no mail: they have no header.")
    return Letter(message, raw)


def html_to_text(html: str) -> str:
    """Return the text a reader of ``html`` sees, one line a block; quoted blocks are marked with ``>``.

    Reads any text in time proportional to its length, which the standard library's parser does not.
    """
    reader = _HtmlText()
    place, quotes = 0, True
    while (start := html.find("<", place)) >= 0:
        reader.words(html[place:start])
        if html.startswith("<!--", start):
            place = _after(html, "-->", start + 2)
        elif html.startswith(("<!", "<?"), start):
            place = _after(html, ">", start)
        elif not (tag := _TAG.match(html, start)):
            reader.words("<")
            place = start + 1
        else:
            end = _TAG_END.match(html, tag.end()) if quotes else None
            quotes = end is not None
            place = end.end() if end else _after(html, ">", start)
            name = tag[2].lower()
            if tag[1]:
                reader.close(name)
                continue
            reader.open(name, html[tag.end() : place])
            if name in _RAW:
                over = re.compile(rf"</{name}\b", re.IGNORECASE).search(html, place)
                place = over.start() if over else len(html)
    reader.words(html[place:])
    return reader.text()


_TAG = re.compile(r"<(/?)([a-z][a-z0-9:-]{0,40})", re.IGNORECASE)
# Possessive: what does not end is given up at once, whatever it is made of.
_TAG_END = re.compile(r"""(?>[^>"']++|"[^"]*+"|'[^']*+')*+>""")
_RAW = frozenset({"script", "style", "title", "textarea"})
_HIDING = re.compile(r"display\s{0,9}:\s{0,9}none|\shidden(?=[\s>=/])", re.IGNORECASE)


def _after(text: str, mark: str, start: int) -> int:
    """Return the place behind the next ``mark``; the end of ``text`` where there is none."""
    found = text.find(mark, start)
    return found + len(mark) if found >= 0 else len(text)


class _HtmlText:
    """Collects visible text; knows blocks, breaks, quotations and what is never shown."""

    _BLOCKS = frozenset({"p", "div", "tr", "li", "ul", "ol", "table", "h1", "h2", "h3", "hr", "pre", "blockquote"})
    _UNSEEN = frozenset({"head", "style", "script", "title", "template"})
    _EMPTY = frozenset({"br", "hr", "img", "input", "meta", "link", "col", "wbr"})
    _DEEPEST = 5

    def __init__(self) -> None:
        self._lines: list[tuple[int, str]] = []
        self._line: list[str] = []
        self._depth = 0
        self._hidden = ""  # the element that hides what is inside it, and how many of its kind are open
        self._inside = 0

    def open(self, name: str, attributes: str) -> None:
        """Begin an element: a block, a quotation or something that is never shown."""
        if self._hidden:
            self._inside += name == self._hidden
            return
        if name in self._BLOCKS or name == "br":
            self._break()
        elif name in ("td", "th"):
            self._line.append(" ")
        self._depth += name == "blockquote"
        if name in self._UNSEEN or (name not in self._EMPTY and _HIDING.search(attributes)):
            self._hidden, self._inside = name, 1

    def close(self, name: str) -> None:
        """End an element."""
        if self._hidden:
            self._inside -= name == self._hidden
            if not self._inside:
                self._hidden = ""
        if name in self._BLOCKS:
            self._break()
        self._depth = max(0, self._depth - (name == "blockquote"))

    def words(self, text: str) -> None:
        """Add text to the line, if it is shown."""
        if not self._hidden and text:
            self._line.append(_unescaped(text))

    def text(self) -> str:
        """Return what was collected."""
        self._break()
        return "\n".join("> " * min(depth, self._DEEPEST) + line for depth, line in self._lines)

    def _break(self) -> None:
        if line := " ".join("".join(self._line).split()):
            self._lines.append((self._depth, line))
        self._line = []


def _unescaped(text: str) -> str:
    """Return ``text`` with its character references resolved; numbers longer than any character's stand for nothing."""
    return entities.unescape(re.sub(r"&#x?[0-9a-fA-F]{9,};?", "\ufffd", text))


def _leaves(message: "Message[str, str]") -> Iterator["Message[str, str]"]:
    """Yield the parts that hold text, first to last; Unreadable when there are more than anybody writes."""
    waiting = [(message, 0)]
    seen = 0
    while waiting:
        part, depth = waiting.pop()
        seen += 1
        if depth > _DEEPEST or seen > _MOST_PARTS:
            raise Unreadable("The mail has too many parts, or nests them too deeply.")
        if part.get_content_maintype() == "message" and part is not message:
            continue  # a mail that is attached was not written by whoever attached it
        # Asked of what is no multipart, `get_payload` would decode it here, in whatever charset it names.
        payload = part.get_payload() if part.is_multipart() else None
        if isinstance(payload, list):
            waiting += [(child, depth + 1) for child in reversed(payload) if not isinstance(child, str)]
        else:
            yield part


def _is_text(part: "Message[str, str]", kind: str) -> bool:
    """Tell whether ``part`` is text of ``kind`` meant to be read where it stands."""
    disposition = str(part.get("Content-Disposition", "")).strip().lower()
    return (
        part.get_content_type() == kind and not disposition.startswith("attachment") and "filename" not in disposition
    )


def _content(part: "Message[str, str]") -> str:
    """Return the decoded text of a leaf; what its charset cannot explain becomes a replacement character."""
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    text = _decoded_bytes(content[: 4 * _LONGEST_TEXT], _charset(part))
    return _unflowed(text) if "flowed" in str(part.get("Content-Type", "")).lower() else text


def _decoded_bytes(content: bytes, charset: str) -> str:
    """Return ``content`` as text: in its charset, else in UTF-8, else in what is commonest of the others."""
    for name in (charset, "utf-8"):
        try:
            # A few codecs yield halves of characters, which nothing can write out again.
            return content.decode(name).encode("utf-8", "replace").decode()
        except (LookupError, UnicodeError, ValueError):
            continue
    return content.decode("cp1252", "replace")


def _charset(part: "Message[str, str]") -> str:
    """Return the charset a part claims; UTF-8 where it claims none, breaks the parser, or names no charset of mail."""
    try:
        name = codecs.lookup(str(part.get_content_charset() or "utf-8")).name
    except (LookupError, UnicodeError, ValueError, TypeError, IndexError):
        return "utf-8"
    return "utf-8" if name in _NO_CHARSETS else name


_NO_CHARSETS = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"})
"""Codecs of Python that no mail is written in; some take very long, or warn."""


def _unflowed(text: str) -> str:
    """Return ``text`` (format=flowed, RFC 3676) with the lines joined that belong to one paragraph."""
    lines: list[str] = []
    goes_on = False
    for line in text.splitlines():
        quoted = line.startswith(">")
        if goes_on and not quoted and line != "-- ":
            lines[-1] += line
        else:
            lines.append(line)
        goes_on = line.endswith(" ") and line != "-- " and not quoted
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
