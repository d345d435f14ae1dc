"""A raw email parsed, its body when it is asked for; broken email yields what can be read of it."""

import email.errors
import hashlib
import re
from dataclasses import dataclass
from email.header import Header, decode_header
from functools import cached_property

from pbem.mail.body import (
    MOST_PARTS,
    NO_CHARSETS,
    OpaqueKind,
    Part,
    Unreadable,
    find_opaque_kind,
    read_text,
    read_text_of,
    walk,
)
from pbem.mail.headers import single_address
from pbem.mail.structure import Mime, find_body, parse_body, parse_header

_LONGEST_HEADER, _LONGEST_VALUE, _MOST_BOUNDARIES = 150_000, 20_000, 300
_MOST_RETURNS = 10_000
_MOST_LINES, _MOST_BLOCKS = 200_000, 10_000  # the largest photo in base64 has 160,000 lines
# Mail stores and editors leave this above the first header.
_BEFORE_HEADER = re.compile(rb"(?:\xef\xbb\xbf)?(?:>From [^\r\n]{0,1000}\r?\n)?")
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_EMPTY_LINE = re.compile(rb"\n\r?(?=\n)")
_LONG_PARAMETERS = re.compile(rb"content-(?<![^\n]content-)[a-z-]{1,30}:(?:[^\n]|\n[ \t]){5000}")
_SPACES = b" \t\r\n\f\v"
_PLUS = re.compile("%2b", re.IGNORECASE)  # a plus sign in a link, still encoded
_LONGEST_IDENTITY = 600  # bytes
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,900}>")
_TO_HEADERS = ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To", "To", "Cc")


@dataclass(frozen=True)
class InboundMessage:
    """What the service reads of an email; ``head`` holds its headers alone, ``raw`` all of its bytes.

    Header texts are decoded and on one line. The body, which begins at ``body_start``, is parsed when it is asked for,
    if ever. ``parts``, and what is read in them, raise Unreadable for more than anybody writes.
    """

    head: Mime
    raw: bytes
    body_start: int | None

    @cached_property
    def message_id(self) -> str:
        """The Message-ID with its angle brackets, or an empty text."""
        found = _MESSAGE_ID.search(self.header("Message-ID"))
        return found[0] if found else ""

    @property
    def identity(self) -> str:
        """The key of this message, the same for another delivery of it: Message-ID and sender, else a hash.

        With the sender nobody can send a message ahead that passes for somebody else's. The hash is of all that its
        sender wrote. What servers add on the way is never in a key; one too long for an index is hashed.
        """
        if not self.message_id:
            return f"sha256:{self._hash_words('From', 'To', 'Date', 'Subject', 'In-Reply-To')}"
        named = " ".join([self.message_id, *self.senders[:1]])
        return named if len(named.encode()) <= _LONGEST_IDENTITY else self.identity_of(named.encode())

    @property
    def words(self) -> str:
        """A hash that tells this message from another one that its sender's program gave the same Message-ID.

        It is empty without one, and without a body: then there is nothing that could get lost. It is of the bytes as
        they came: a copy in another encoding has another.
        """
        is_known = self.message_id and self._body.strip()
        return self._hash_words("To", "Subject", "In-Reply-To")[:32] if is_known else ""

    @property
    def _body(self) -> bytes:
        """All bytes below the headers."""
        if self.body_start is not None:
            return self.raw[self.body_start :]
        end = _HEADER_END.search(self.raw)
        return self.raw[end.end() :] if end else b""

    def _hash_words(self, *names: str) -> str:
        """Return a hash of headers and body as they were sent, without the spaces, which servers change."""
        headers = ("".join(self.undecoded(name)[:1]).encode(errors="replace") for name in names)
        words = b"\n".join(one.translate(None, _SPACES) for one in (*headers, self._body))
        return hashlib.sha256(words).hexdigest()

    @staticmethod
    def identity_of(raw: bytes) -> str:
        """Return the key of bytes that have no usable Message-ID: their hash."""
        return "sha256:" + hashlib.sha256(raw).hexdigest()

    @cached_property
    def senders(self) -> tuple[str, ...]:
        """The address in From, in its normal form; none unless From plainly names one address."""
        address = single_address(self.undecoded("From"))
        return (address,) if address else ()

    @cached_property
    def subject(self) -> str:
        """The subject."""
        return self.header("Subject")[:500]

    @cached_property
    def token_places(self) -> tuple[str, ...]:
        """Where a reply token may stand, the likeliest first: recipients, then the emails answered, newest first."""
        return (*self.recipients, *self.answered)

    @cached_property
    def recipients(self) -> tuple[str, ...]:
        """What the headers say of the addresses that it was sent to, undecoded, the likeliest first."""
        return tuple(_PLUS.sub("+", value) for name in _TO_HEADERS for value in self.undecoded(name))

    @cached_property
    def answered(self) -> tuple[str, ...]:
        """The Message-IDs of the emails that this one answers, newest first."""
        found = _MESSAGE_ID.findall(self.header("In-Reply-To"))[:10]
        return (*found, *reversed(_MESSAGE_ID.findall(self.header("References"))[-100:]))

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The whole email and its parts, in their order; see ``walk`` for the limits."""
        _refuse_lengthy(self.raw)
        try:
            return tuple(walk(parse_body(self.raw, self.head, self.body_start)))
        except RecursionError as error:
            raise Unreadable("The mail is nested too deeply.") from error
        except (ValueError, LookupError, TypeError, AttributeError, AssertionError) as error:
            # The library stumbles over parameters that nobody writes: an unknown charset, a number without end.
            raise Unreadable("The mail has a header that cannot be read.") from error

    @cached_property
    def text(self) -> str:
        """The text, part by part: plain text, or HTML as text where that says nothing."""
        return read_text(self.parts)

    @cached_property
    def texts(self) -> tuple[str, str]:
        """The text of the plain parts and that of the HTML parts, each as a reader sees it."""
        return read_text_of(self.parts, "plain"), read_text_of(self.parts, "html")

    @cached_property
    def opaque_kind(self) -> OpaqueKind:
        """What hides the content; to be asked where the sender wrote nothing that can be read."""
        return find_opaque_kind(self.parts, self.text)

    def header(self, name: str) -> str:
        """Return the first header ``name``, decoded, its line breaks and control characters turned into spaces."""
        found = self._fields.get(name.lower())
        return _decode(found[0]) if found else ""

    def headers(self, name: str) -> list[str]:
        """Return every header ``name`` as ``header`` does."""
        return [_decode(value) for value in self._fields.get(name.lower(), ())]

    def undecoded(self, name: str) -> list[str]:
        """Return every header ``name`` as it was sent: an encoded word (RFC 2047) is no address, and no finding."""
        return [_write_out(value)[:_LONGEST_VALUE] for value in self._fields.get(name.lower(), ())]

    @cached_property
    def _fields(self) -> dict[str, list[object]]:
        """The headers by their names in lower case: the library compares a name with each of them."""
        found: dict[str, list[object]] = {}
        for name, value in self.head.items():
            found.setdefault(name.lower(), []).append(value)
        return found


def parse(raw: bytes) -> InboundMessage:
    """Parse the headers of an email; raise Unreadable for bytes that are none, or for headers that nobody writes."""
    if above := _BEFORE_HEADER.match(raw):
        raw = raw[above.end() :]
    body_start = find_body(raw)
    found = _HEADER_END.search(raw) if body_start is None else None
    head = raw[: found.end() if found else body_start]
    if b"\0" in head:
        raise Unreadable("The bytes are no mail: they hold NUL characters in the header.")
    if len(head) > _LONGEST_HEADER or _LONG_PARAMETERS.search(head.lower()):
        raise Unreadable("The mail has a header longer than any mail program writes.")
    header = parse_header(head, regular=body_start is not None)
    if not header.keys():
        raise Unreadable("The bytes are no mail: they have no header.")
    return InboundMessage(header, raw, body_start)


def _refuse_lengthy(raw: bytes) -> None:
    """Raise Unreadable for bytes that take too long to be taken apart.

    The library compares every line with every boundary that is open.
    """
    # The library ends a line at each carriage return, too; no program has written these alone for decades.
    if (returns := raw.count(b"\r")) > _MOST_RETURNS and returns - raw.count(b"\r\n") > _MOST_RETURNS:
        raise Unreadable("The mail has too many carriage returns without a line feed.")
    folded = raw.lower()
    if _LONG_PARAMETERS.search(folded):
        raise Unreadable("A part of the mail has a header longer than any mail program writes.")
    boundaries, lines = folded.count(b"boundary"), raw.count(b"\n")
    # Where no boundary is named, lines of dashes part nothing.
    if (boundaries and lines > 4 * MOST_PARTS and raw.count(b"\n--") > 4 * MOST_PARTS) or max(
        lines / _MOST_LINES, boundaries / _MOST_BOUNDARIES, boundaries * lines / (50 * _MOST_LINES)
    ) > 1:
        raise Unreadable("The mail has too many parts, or too many lines.")
    # Each block of a report, between two empty lines, becomes an email of its own in the library.
    if lines > _MOST_BLOCKS and b"delivery-status" in folded and len(_EMPTY_LINE.findall(raw)) > _MOST_BLOCKS:
        raise Unreadable("The mail reports on more recipients than any email of ours has.")


def _write_out(value: object) -> str:
    """Return a header as it was sent; bytes that are not ASCII are UTF-8 (RFC 6532)."""
    if not isinstance(value, Header):
        return str(value)
    return "".join(piece.decode("utf-8", "replace") for piece, _ in decode_header(value))


def _decode(value: object) -> str:
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
    joined = "".join(words)
    if not joined.isprintable():
        joined = "".join(char if char.isprintable() else " " for char in joined)
    return joined.strip()
