"""Reads the parts of an email (MIME, RFC 2045–2049): its text, or what its content is locked or packed in."""

import codecs
import re
from collections.abc import Iterator, Sequence
from email.message import Message
from typing import Literal, NamedTuple

from pbem.mail.html_text import TooManyTags, html_to_text
from pbem.mail.structure import Mime

DEEPEST, MOST_PARTS = 30, 500
"""How deep parts may be nested, and how many there may be: more is no message of a person."""

_LONGEST_TEXT, _LONGEST_HTML = 200_000, 4_000_000
"""Characters: of what people write, quotations included; and of its HTML, which may hold pictures."""

_SEE_HTML = re.compile(r"(?=.{0,300}\bhtml\b)[^>]{0,300}", re.IGNORECASE | re.DOTALL)
_IS_HTML = re.compile(r"\s{0,99}(?:<!doctype html\b[^>]{0,300}>\s{0,99})?<html\b", re.IGNORECASE)
_IN_UTF_8 = re.compile(r'text/(?:plain|html); ?charset="?utf-8"?', re.IGNORECASE)
_NAMED = re.compile(r";\s{0,9}name\*?(?:0\*?)?\s{0,9}=", re.IGNORECASE)
_SPACES_GO = re.compile(r"delsp\s{0,9}=\s{0,9}\"?yes")
NO_CHARSETS = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"})
"""Codecs of Python that no email is written in; some take very long, or warn."""


class Unreadable(ValueError):
    """The bytes are no email that a person could have written; the sentence says why."""


OpaqueKind = Literal["encrypted", "signed", "winmail", "attachment", ""]
"""What hides the content: ``signed`` is an S/MIME signature around it, ``winmail`` Outlook's own packing (TNEF)."""

_ARMOUR_SIGN = "-----BEGIN PGP MESSAGE-----"
_ARMOUR = re.compile(rf"^{_ARMOUR_SIGN}\s*$", re.MULTILINE)
_LOCKED = frozenset({"multipart/encrypted", "application/pgp-encrypted", "application/x-microsoft-rpmsg-message"})
_SMIME = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_TNEF = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})
# Email programs add these parts by themselves.
_ADDED = frozenset(
    {"application/pgp-signature", "application/pgp-keys", "application/pkcs7-signature"}
    | {"application/x-pkcs7-signature", "text/vcard", "text/x-vcard", "text/directory"}
)
_NO_WORDS = frozenset(
    {"text/html", "text/x-amp-html", "text/watch-html", "text/calendar", "text/css", "text/csv", "text/rtf"}
    | {"text/javascript", "text/xml", "text/rfc822-headers", "text/vcard", "text/x-vcard", "text/directory"}
)
"""Types of text that are not read: people see something else of them, or did not write it."""

_TAG = re.compile(r"<param>[^<]{0,200}</param>|</?[a-z][a-z0-9-]{0,60}>", re.IGNORECASE)
_LOCKED_NAME = re.compile(r"name\*?[0-9]{0,2}\*?\s{0,9}=\s{0,9}[^;\n]{0,200}?\.(p7m|p7s|p7c|rpmsg)\b", re.ASCII)
_WINMAIL = re.compile(r"name\s{0,9}=\s{0,9}\"?win(?:mail|dat)\.dat\b", re.ASCII)
_SMIME_TYPE = re.compile(r"smime-type\s{0,9}=\s{0,9}\"?([a-z-]{1,30})", re.ASCII)
_SIGNED_DATA = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
"""The object identifier of signed data (RFC 5652), where no header names the type."""


class Part(NamedTuple):
    """A part, how deep it is nested, and the outermost ``multipart/alternative`` around it, if any."""

    mime: Mime
    depth: int = 0
    choice: "Mime | None" = None


def walk(message: Mime) -> Iterator[Part]:
    """Yield an email and its parts, in their order, without the parts of an attached email.

    The last part yielded breaks a limit if there are more than ``MOST_PARTS``, or parts below ``DEEPEST``.
    """
    waiting = [Part(message)]
    for _ in range(MOST_PARTS + 1):
        if not waiting:
            return
        part = waiting.pop()
        yield part
        mime, depth, choice = part
        if depth > DEEPEST:
            return
        if has_parts(mime):
            alternative = mime.get_content_type() == "multipart/alternative"
            choice = mime if alternative and choice is None else choice
            waiting += [Part(child, depth + 1, choice) for child in reversed(contained(mime))]


def has_parts(mime: Mime) -> bool:
    """Return whether ``mime`` consists of parts; an attached email (``message/rfc822``) does not."""
    return mime.is_multipart() and mime.get_content_maintype() == "multipart"


def contained(mime: Mime) -> list[Mime]:
    """Return the parts of a part, the email attached in it, or the blocks of a delivery status (RFC 3464)."""
    # `get_payload` would decode any other part here, in whatever charset it names.
    payload = mime.get_payload() if mime.is_multipart() else None
    return [child for child in payload if isinstance(child, Message)] if isinstance(payload, list) else []


def read_text(parts: Sequence[Part]) -> str:
    """Return the texts of an email, part by part: plain text, or HTML as text where that says nothing.

    Raise Unreadable for more than anybody writes.
    """
    return _limit(_join_texts(_readable(parts)))


def read_text_of(parts: Sequence[Part], kind: str) -> str:
    """Return the text of all parts of a ``kind``, ``plain`` or ``html``, as a reader sees it; raise Unreadable."""
    text = "\n".join(_content(part.mime) for part in _readable(parts) if _is_text(part.mime, kind))
    return _limit(_convert_html(text) if kind == "html" else text)


def find_opaque_kind(parts: Sequence[Part], text: str) -> OpaqueKind:
    """Return what hides the content of an email whose readable text is ``text``; "" for an ordinary message.

    Encrypted and signed content counts beside text too: a gateway may have added a banner. So does a file that
    the sender attached, since the text may be a quotation. Anything else counts only where there is no text.
    """
    mimes = [part.mime for part in parts]
    found = {_opaque_kind(mime) for mime in mimes}
    if "encrypted" in found or (_ARMOUR_SIGN in text and _ARMOUR.search(text)):
        return "encrypted"
    if "signed" in found:
        return "signed"
    if any(char.isalnum() for char in text):
        return "attachment" if any(map(_is_attached_by_hand, mimes)) else ""
    return "winmail" if "winmail" in found else "attachment" if "attachment" in found else ""


def _readable(parts: Sequence[Part]) -> list[Part]:
    """Return the parts that may hold text; raise Unreadable for more parts, or deeper ones, than anybody writes."""
    if len(parts) > MOST_PARTS or (parts and parts[-1].depth > DEEPEST):
        raise Unreadable("The mail has too many parts, or nests them too deeply.")
    readable: list[Part] = []
    text_above = False  # below the text, a part with a name is an attached file
    for part in parts:
        kind = part.mime.get_content_type()
        if kind.startswith("message/") or has_parts(part.mime):
            continue  # an attached email was not written by whoever attached it
        if not (text_above and part.choice is None and _NAMED.search(_content_type(part.mime))):
            text_above = text_above or kind.startswith("text/")
            readable.append(part)
    return readable


def _join_texts(parts: Sequence[Part]) -> str:
    """Return the texts of parts, one below the other; of alternatives the plainest that says something."""
    texts: list[str] = []
    for place, (mime, _, choice) in enumerate(parts):
        if choice is None:
            texts.append(_read_part(mime))
        elif place == 0 or parts[place - 1].choice is not choice:
            offered = [part.mime for part in parts if part.choice is choice]
            plain = "\n".join(_content(one) for one in offered if _is_text(one, "plain"))
            plain = plain or next((_other_text(one) for one in offered if _is_other_text(one)), "")
            if not plain.strip() or _SEE_HTML.fullmatch(plain.strip()[:400]):
                plain = _convert_html("\n".join(_content(one) for one in offered if _is_text(one, "html"))) or plain
            texts.append(plain)
    return "\n".join(filter(None, texts))


def _read_part(part: Mime) -> str:
    """Return the text of a single part; nothing if it is no text."""
    if _is_other_text(part):
        return _other_text(part)
    if _is_text(part, "html"):
        return _convert_html(_content(part))
    if not _is_text(part, "plain"):
        return ""
    content = _content(part)
    return _convert_html(content) if _IS_HTML.match(content) else content


def _convert_html(html: str) -> str:
    """Return HTML as text; raise Unreadable."""
    try:
        return html_to_text(html)
    except TooManyTags as error:
        raise Unreadable("The mail's HTML is no text that a person could have written.") from error


def _limit(text: str) -> str:
    """Return the text of a message; raise Unreadable if nobody could have written it."""
    if len(text) > _LONGEST_TEXT:
        raise Unreadable("The mail has more text than anybody writes.")
    return text


def _is_text(part: Mime, kind: str) -> bool:
    """Return whether ``part`` is text, ``plain`` or ``html``, meant to be read where it stands."""
    found = part.get_content_type()
    if kind == "plain" and found.startswith("multipart/"):  # what says that it has parts, and has none
        return not _is_file(part) and "content-type:" not in str(part.get_payload()).lower()
    return found == f"text/{kind}" and not _is_file(part)


def _is_other_text(part: Mime) -> bool:
    """Return whether a part is text of a type that nobody knows, which is read as plain text (RFC 2046, 4.1.4)."""
    kind = part.get_content_type()
    return kind.startswith("text/") and kind != "text/plain" and kind not in _NO_WORDS and not _is_file(part)


def _other_text(part: Mime) -> str:
    """Return the text of such a part; enriched text (RFC 1896) without its tags."""
    content = _content(part)
    return _TAG.sub("", content) if part.get_content_type() in ("text/enriched", "text/richtext") else content


def _disposition(part: Mime) -> str:
    """Return the header Content-Disposition (RFC 2183) in lower case."""
    return str(part.get("Content-Disposition", "")).strip().lower()


def _is_file(part: Mime) -> bool:
    """Return whether a part is a file beside the text."""
    disposition = _disposition(part)
    return disposition.startswith("attachment") or "filename" in disposition


def _content(part: Mime) -> str:
    """Return the decoded text of a leaf; what its charset cannot explain becomes a replacement character."""
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    if len(content) > _LONGEST_HTML or (len(content) > 4 * _LONGEST_TEXT and not _is_text(part, "html")):
        raise Unreadable("The mail has more text than anybody writes.")
    text = _decode(content, _charset(part))
    kind = _content_type(part).lower()
    return _unflowed(text, _SPACES_GO.search(kind) is not None) if "flowed" in kind else text


def _content_type(part: Mime) -> str:
    """Return the header Content-Type with its parameters, as far as it is read."""
    return str(part.get("Content-Type", ""))[:1000]


def _decode(content: bytes, charset: str) -> str:
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


def _charset(part: Mime) -> str:
    """Return the charset a part claims; UTF-8 where it claims none, breaks the parser, or names no charset of mail."""
    if _IN_UTF_8.fullmatch(_content_type(part)):
        return "utf-8"  # as nearly all say; the library takes the value to pieces
    try:
        name = codecs.lookup(str(part.get_content_charset() or "utf-8")).name
    except (LookupError, UnicodeError, ValueError, TypeError, IndexError):
        return "utf-8"
    return "utf-8" if name in NO_CHARSETS else name


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


def _opaque_kind(part: Mime) -> OpaqueKind:
    """Return what a part hides; "" for text, for what consists of parts, and for what email programs add."""
    kind = part.get_content_type()
    shown = _disposition(part)
    heads = f"{_content_type(part).lower()}; {shown}"
    named = _LOCKED_NAME.search(heads)
    if kind in _LOCKED or (named and named[1] == "rpmsg"):
        return "encrypted"
    if kind in _SMIME or (named and named[1] == "p7m"):
        return "" if named and named[1] != "p7m" else _smime_kind(part, heads)
    if kind in _TNEF or _WINMAIL.search(heads):
        return "winmail"
    if kind in _ADDED or named or kind.startswith("multipart/"):
        return ""
    is_read = kind in ("text/plain", "text/html", "text/x-amp-html") or _is_other_text(part)
    return "attachment" if _is_file(part) or not is_read else ""


def _is_attached_by_hand(part: Mime) -> bool:
    """Return whether somebody chose to attach a part; a picture in a signature has a Content-ID."""
    by_hand = _disposition(part).startswith("attachment") and not part.get("Content-ID")
    return by_hand and _opaque_kind(part) == "attachment"


def _smime_kind(part: Mime, heads: str) -> OpaqueKind:
    """Return what a part of S/MIME (RFC 8551) is: signed or encrypted."""
    said = _SMIME_TYPE.search(heads)
    if said:
        kinds: dict[str, OpaqueKind] = {"signed-data": "signed", "certs-only": "", "compressed-data": "attachment"}
        return kinds.get(said[1], "encrypted")
    payload = part.get_payload(decode=True)
    return "signed" if isinstance(payload, bytes) and _SIGNED_DATA in payload[:100] else "encrypted"
