"""Takes the bytes of an email apart into headers and parts (RFC 5322, RFC 2046).

The standard library goes through an email line by line. Here emails without any irregularity, which are nearly all, are
split at their boundaries, twenty times as fast; whatever is odd in any way is left to the library.
"""

import email
import re
from copy import copy
from email.message import Message
from email.parser import BytesHeaderParser
from typing import TypeAlias

Mime: TypeAlias = "Message[str, str]"
"""An email or a part of one, as the standard library parses it."""

_DEEPEST = 8  # every level is searched through once more

# No line but fields and what continues them, no return that ends a line by itself, and an empty line at the end.
_HEADER = re.compile(rb"(?:[!-9;-~]++:[^\r\n]*+\r?\n(?:[ \t][^\r\n]*+\r?\n)*+)*+\r?\n")
_FIELD = re.compile(r"([!-9;-~]+):[ \t]*([^\n]*\n(?:[ \t][^\n]*\n)*)")
_BOUNDARY_END = re.compile(rb"(--)?[ \t]*+(\r?\n|\r|\Z)")
_LAST_BREAK = re.compile(rb"(?:\r\n|\r|\n)\Z")


def find_body(raw: bytes) -> int | None:
    """Return where the body of an email begins; None where something is odd about its header."""
    found = _HEADER.match(raw)
    return found.end() if found else None


def parse_header(head: bytes, *, regular: bool) -> Mime:
    """Return the headers of an email; ``regular``: its body was found, and ``head`` ends there."""
    return _read_fields(head) if regular else BytesHeaderParser().parsebytes(head)


def parse_body(raw: bytes, header: Mime, start: int | None) -> Mime:
    """Return an email with its parts, its headers parsed already; raise RecursionError for parts nested beyond sense.

    The text around the parts, which no email program shows, may be missing.
    """
    split = None if start is None else _split(copy(header), raw, start, len(raw))
    return email.message_from_bytes(raw) if split is None else split


def _read_fields(header: bytes) -> Mime:
    """Return the headers in a block of regular lines."""
    mime: Mime = Message()
    for name, value in _FIELD.findall(_as_text(header)):
        mime.set_raw(name, value.rstrip("\r\n"))
    return mime


def _split(mime: Mime, raw: bytes, start: int, end: int, depth: int = 0) -> "Mime | None":
    """Return ``mime`` with its body, from ``start`` to ``end``, or None where only the library knows."""
    kind = mime.get_content_type()
    if not kind.startswith(("multipart/", "message/")):
        mime.set_payload(_as_text(raw[start:end]))
        return mime
    if kind.startswith("message/") or kind == "multipart/digest" or depth > _DEEPEST:
        return None
    boundary = mime.get_boundary()
    if not boundary or not boundary.isascii():
        return None
    for begun, ended in _find_pieces(raw, start, end, b"--" + boundary.encode()):
        if (header := _HEADER.match(raw, begun, ended)) is None:
            return None
        part = _read_fields(header[0])
        if part.get_content_maintype() != "multipart":  # the last line break belongs to the boundary below
            found = _LAST_BREAK.search(raw, max(header.end(), ended - 2), ended)
            ended = found.start() if found else ended
        if _split(part, raw, header.end(), ended, depth + 1) is None:
            return None
        mime.attach(part)
    return mime if mime.is_multipart() else None


def _find_pieces(raw: bytes, start: int, end: int, separator: bytes) -> list[tuple[int, int]]:
    """Return where the pieces between the boundaries begin and end; nothing where a boundary is odd."""
    pieces: list[tuple[int, int]] = []
    begun = -1
    place = raw.find(separator, start, end)
    while place >= 0:
        above = raw[place - 1 : place] if place > start else b"\n"
        found = _BOUNDARY_END.match(raw, place + len(separator), end) if above in (b"\n", b"\r") else None
        if found:
            if above == b"\r" or found[2] == b"\r" or (begun < 0 and found[1]):
                return []
            if begun >= 0:
                pieces.append((begun, place))
            if found[1]:
                return pieces
            begun = found.end()
        place = raw.find(separator, place + 1, end)
    return [*pieces, (begun, end)] if begun >= 0 else []


def _as_text(raw: bytes) -> str:
    """Return bytes as the library holds them; it decodes them when asked for."""
    return raw.decode("ascii", "surrogateescape")
