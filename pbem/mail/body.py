"""Reads the text in the parts of an email: which of them, in what order, and in whatever charset and encoding."""

import codecs
import re
from collections.abc import Iterator
from email.message import Message
from typing import TypeAlias

from pbem.mail.html_text import TooManyTags, html_to_text

_DEEPEST = 30
MOST_PARTS = 500
"""What has more is no message of a person."""

_LONGEST_TEXT, _LONGEST_HTML = 200_000, 4_000_000
"""Characters: of what people write, quotations included; and of its HTML, which may hold pictures."""

_SEE_HTML = re.compile(r"(?=.{0,300}\bhtml\b)[^>]{0,300}", re.IGNORECASE | re.DOTALL)
_IS_HTML = re.compile(r"\s{0,99}(?:<!doctype html\b[^>]{0,300}>\s{0,99})?<html\b", re.IGNORECASE)
_NAMED = re.compile(r";\s{0,9}name\*?(?:0\*?)?\s{0,9}=", re.IGNORECASE)
_SPACES_GO = re.compile(r"delsp\s{0,9}=\s{0,9}\"?yes")
NO_CHARSETS = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"})
"""Codecs of Python that no email is written in; some take very long, or warn."""


class Unreadable(ValueError):
    """The bytes are no email that a person could have written; the sentence says why."""


_Message: TypeAlias = "Message[str, str]"
_Leaf: TypeAlias = "tuple[_Message, _Message | None]"
"""A part without parts, and the innermost part around it that offers the same text in several kinds."""


def whole_text(message: _Message) -> str:
    """Return the texts of an email, part by part: plain text, or HTML as text where that says nothing.

    Raises Unreadable for more than anybody writes.
    """
    return _checked(_reading(list(_leaves(message))))


def text_of_kind(message: _Message, kind: str) -> str:
    """Return the text of all parts of a ``kind``, ``plain`` or ``html``, as a reader sees it; raises Unreadable."""
    text = "\n".join(_content(leaf) for leaf, _ in _leaves(message) if _is_text(leaf, kind))
    return _checked(_from_html(text) if kind == "html" else text)


def _leaves(message: _Message) -> Iterator[_Leaf]:
    """Yield the parts that hold text, first to last; Unreadable when there are more than anybody writes."""
    waiting: list[tuple[_Message, _Message | None, int]] = [(message, None, 0)]
    seen, text_above = 0, False  # what has a name, below the text, is a file that was attached
    while waiting:
        part, choice, depth = waiting.pop()
        seen += 1
        if depth > _DEEPEST or seen > MOST_PARTS:
            raise Unreadable("The mail has too many parts, or nests them too deeply.")
        kind = part.get_content_type()
        if kind.startswith("message/"):
            continue  # an email that is attached was not written by whoever attached it
        # Asked of what is no multipart, `get_payload` would decode it here, in whatever charset it names.
        payload = part.get_payload() if part.is_multipart() else None
        if isinstance(payload, list):
            choice = part if kind == "multipart/alternative" and choice is None else choice
            waiting += [(child, choice, depth + 1) for child in reversed(payload) if isinstance(child, Message)]
        elif not (text_above and choice is None and _NAMED.search(str(part.get("Content-Type", ""))[:1000])):
            text_above = text_above or kind.startswith("text/")
            yield part, choice


def _reading(leaves: list[_Leaf]) -> str:
    """Return the texts of a message's parts, one below the other; of those to choose from, the plainest that is one."""
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
    """Return the text of a message; raises Unreadable if nobody could have written it."""
    if len(text) > _LONGEST_TEXT:
        raise Unreadable("The mail has more text than anybody writes.")
    return text


def _is_text(part: _Message, kind: str) -> bool:
    """Return whether ``part`` is text, ``plain`` or ``html``, meant to be read where it stands."""
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
