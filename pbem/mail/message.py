"""A raw email taken apart, as far as the line needs it; broken mail yields what can be read of it."""

import email
import email.errors
import hashlib
import re
from dataclasses import dataclass
from email.header import Header, decode_header
from email.message import Message
from functools import cached_property

from pbem.mail.body import MOST_PARTS, NO_CHARSETS, Unreadable, text_of_kind, whole_text
from pbem.mail.headers import single_address
from pbem.mail.html_text import html_to_text
from pbem.mail.opaque import OpaqueKind, opaque_kind

__all__ = ["InboundMessage", "Unreadable", "html_to_text", "parse"]

_LONGEST_HEADER, _LONGEST_VALUE, _MOST_LINES, _MOST_BOUNDARIES = 150_000, 20_000, 400_000, 300
_FIRST_PARTS = 20
# What mail stores and editors leave before the first header.
_BEFORE_HEADER = re.compile(rb"(?:\xef\xbb\xbf)?(?:>From [^\r\n]{0,1000}\r?\n)?")
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_LONG_PARAMETERS = re.compile(rb"^content-[a-z-]{1,30}:(?:[^\n]|\n[ \t]){5000}", re.IGNORECASE | re.MULTILINE)
_PLUS = re.compile("%2b", re.IGNORECASE)  # as a link writes it that was not undone
_LONGEST_IDENTITY = 600  # bytes
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,900}>")
_TO_HEADERS = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")


@dataclass(frozen=True)
class InboundMessage:
    """What the line reads of an email; header texts are decoded and on one line."""

    mime: "Message[str, str]"
    raw: bytes

    @cached_property
    def message_id(self) -> str:
        """The Message-ID with its angle brackets, or an empty text."""
        found = _MESSAGE_ID.search(self.header("Message-ID"))
        return found[0] if found else ""

    @property
    def identity(self) -> str:
        """What makes this message the same as another delivery of it: Message-ID and sender, else a hash of its bytes.

        With the sender: nobody can send a message ahead that passes for somebody else's. One too long for the index of
        a database is known by its hash.
        """
        if not self.message_id:
            return self.identity_of(self.raw)
        named = " ".join([self.message_id, *self.senders[:1]])
        return named if len(named.encode()) <= _LONGEST_IDENTITY else self.identity_of(named.encode())

    @staticmethod
    def identity_of(raw: bytes) -> str:
        """Return what ``raw`` is known by: the bytes of a message without a usable Message-ID, for instance."""
        return "sha256:" + hashlib.sha256(raw).hexdigest()

    @cached_property
    def senders(self) -> tuple[str, ...]:
        """The address in From, in lower case; none where it is not plain that there is just one, and which."""
        address = single_address(self.undecoded("From"))
        return (address,) if address else ()

    @cached_property
    def subject(self) -> str:
        """The subject."""
        return self.header("Subject")[:500]

    @cached_property
    def token_places(self) -> tuple[str, ...]:
        """Where a reply token may stand, the likeliest first: addresses written to, then the emails answered, newest first."""
        places = [_PLUS.sub("+", value) for name in _TO_HEADERS for value in self.undecoded(name)]
        return (*places, *self.answered)

    @cached_property
    def answered(self) -> tuple[str, ...]:
        """The Message-IDs of the emails that this one answers, newest first."""
        found = _MESSAGE_ID.findall(self.header("In-Reply-To"))[:10]
        return (*found, *reversed(_MESSAGE_ID.findall(self.header("References"))[-100:]))

    @cached_property
    def text(self) -> str:
        """The text of the message, part by part: plain text, or HTML as text where that says nothing.

        Raises Unreadable for more than anybody writes.
        """
        return whole_text(self.mime)

    @cached_property
    def texts(self) -> tuple[str, str]:
        """The text of the plain parts and that of the HTML parts, each as a reader sees it; raises Unreadable."""
        return text_of_kind(self.mime, "plain"), text_of_kind(self.mime, "html")

    @cached_property
    def opaque_kind(self) -> OpaqueKind:
        """What the content lies in if it cannot be read: ``encrypted``, ``signed``, ``winmail``, ``attachment``; or "".

        To be asked where nothing was found that he wrote. Raises Unreadable.
        """
        return opaque_kind(self.mime, self.text)

    @cached_property
    def first_parts(self) -> tuple["Message[str, str]", ...]:
        """The message itself, and the parts in it of several levels only the first ones."""
        parts = [self.mime]
        for part in parts:
            if part.is_multipart() and part.get_content_maintype() == "multipart" and len(parts) < _FIRST_PARTS:
                parts += [child for child in part.get_payload() if isinstance(child, Message)]
        return tuple(parts[:_FIRST_PARTS])

    def header(self, name: str) -> str:
        """Return the first header ``name``, decoded, its line breaks and control characters turned into spaces."""
        return _decoded(self.mime.get(name, ""))

    def headers(self, name: str) -> list[str]:
        """Return every header ``name`` as ``header`` does."""
        return [_decoded(value) for value in self.mime.get_all(name, [])]

    def undecoded(self, name: str) -> list[str]:
        """Return every header ``name`` as it was sent: what is encoded in it can be no address, and no finding."""
        return [str(value)[:_LONGEST_VALUE] for value in self.mime.get_all(name, [])]


def parse(raw: bytes) -> InboundMessage:
    """Take ``raw`` apart; raises Unreadable for what is no email at all, or nested beyond sense."""
    if above := _BEFORE_HEADER.match(raw):
        raw = raw[above.end() :]
    end = _HEADER_END.search(raw)
    if b"\0" in raw[: end.start() if end else None]:
        raise Unreadable("The bytes are no mail: they hold NUL characters in the header.")
    if (end.start() if end else len(raw)) > _LONGEST_HEADER or _LONG_PARAMETERS.search(raw):
        raise Unreadable("The mail has a header longer than any mail program writes.")
    # The parser compares every line with every boundary that is open.
    boundaries, lines = raw.lower().count(b"boundary"), raw.count(b"\n")
    if (
        raw.count(b"\n--") > 4 * MOST_PARTS
        or max(lines / _MOST_LINES, boundaries / _MOST_BOUNDARIES, boundaries * lines / (25 * _MOST_LINES)) > 1
    ):
        raise Unreadable("The mail has too many parts, or too many lines.")
    try:
        message = email.message_from_bytes(raw)
    except RecursionError as error:
        raise Unreadable("The mail is nested too deeply.") from error
    if not message.keys():
        raise Unreadable("The bytes are no mail: they have no header.")
    return InboundMessage(message, raw)


def _decoded(value: object) -> str:
    """Return a header's text on one line."""
    text = str(value)[:_LONGEST_VALUE]
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
            words.append(piece.decode("utf-8" if charset in NO_CHARSETS else charset or "utf-8", "replace"))
        except (LookupError, UnicodeError, ValueError):
            words.append(piece.decode("utf-8", "replace"))
    return "".join(char if char.isprintable() else " " for char in "".join(words)).strip()
